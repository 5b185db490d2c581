"""Areas of simulated tables as the network sees them, with the places of the cubes that really stand there."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol import teach
from calibration.enrolment import Enrolment, load_enrolment
from companion.rules import SEATS, sample_cards
from hardware.simulated.conditions import Conditions, Lamp
from hardware.simulated.contents import Contents, letters
from hardware.simulated.enrolment import set_up, write_pack
from hardware.simulated.pieces import body
from hardware.simulated.stage import on_table
from hardware.simulated.studio import Studio
from vision.boards import Models
from vision.locate import locate
from vision.pack import Kind, Pack, Slot, load_pack
from vision.read.area import SETTINGS as AREA
from vision.read.area import AreaModel
from vision.read.cubes import network_inputs
from vision.read.cuts import Scene, backgrounds, scene
from vision.read.taught import Taught, area_of, group_of

Floats = NDArray[np.float32]
CONDITIONS = ("livingroom", "hard")
PLAYERS = (2, 4, 3, 2, 4)
SIZES_PX = ((4608, 2592), (3072, 1728), (2304, 1296), (3072, 1728))
# Of the frames: so many are lit, blurred and grained beyond what evenings are like, so that what is at the edge there is
# in the middle here.
HARSH = 0.75
# Of those: so many have a lamp that stands low beside the table. Its shadows are longer than cubes are wide and as dark as
# black ones, and it lights one side of a cube more than its top.
LOW = 0.4
LOW_AWAY_MM = (500.0, 1300.0)
LOW_HIGH_MM = (350.0, 900.0)
LOW_SIZE_MM = (40.0, 160.0)
# So many more a window or a wide lamp that print and the tops of cubes mirror: black ones are as light as print then.
MIRRORED = 0.4
MIRRORED_SPOT_MM = (-420.0, 420.0)  # where on the table, from its middle
MIRRORED_HIGH_MM = (900.0, 1900.0)
MIRRORED_SIZE_MM = (250.0, 600.0)


@dataclass(frozen=True, eq=False)
class Lesson:
    """What the network is shown of one area, and where (x, y in its pixels) the middles of the tops are."""

    inputs: Floats
    tops_px: NDArray[np.float64]

    def scaled(self, share: float) -> "Lesson":
        """The same area drawn larger or smaller."""
        size_px = round(self.inputs.shape[1] * share), round(self.inputs.shape[0] * share)
        across = np.array(size_px) / (self.inputs.shape[1], self.inputs.shape[0])
        inputs = np.asarray(cv2.resize(self.inputs, size_px, interpolation=cv2.INTER_LINEAR), np.float32)
        return Lesson(inputs, (self.tops_px + 0.5) * across - 0.5)


def lessons(edition: int, frames: int) -> Iterator[Lesson]:
    """Every area for cubes in `frames` pictures of one edition, filled anew and lit anew each time."""
    rng = np.random.default_rng([edition, 17])
    cards = sample_cards()
    known = {card["id"]: card for card in cards.to_json()["contracts"]}
    # The camera hangs lower over fewer boards, and cubes show more of their sides.
    colours = [colour for _, colour in SEATS[: PLAYERS[edition % len(PLAYERS)]]]
    kind, size_px = CONDITIONS[edition % 2], SIZES_PX[edition // 2 % len(SIZES_PX)]
    studio = Studio.build(edition, colours, known, kind, size_px)
    with TemporaryDirectory() as folder:
        write_pack(studio, cards.to_json(), Path(folder), lambda words: None)
        whole = load_pack(Path(folder))
        pack = _cubes_only(whole)
        models, taught, _ = teach(pack, _listed(pack, load_enrolment(whole)), lambda words: None)
    free = backgrounds(whole)
    for _ in range(frames):
        studio.relight()
        if rng.random() < HARSH:
            studio.conditions = _harsh(studio.conditions, studio.rig.height_mm, rng)
        studio.lay(_filled(studio, list(known), rng))
        yield from _of_frame(studio, pack, models, taught, free)


def _cubes_only(pack: Pack) -> Pack:
    """The same boards; other pieces take long to teach and are of no use here."""
    return replace(pack, slots={name: slot for name, slot in pack.slots.items() if slot.kind is Kind.CUBES})


def _listed(pack: Pack, enrolment: Enrolment) -> Enrolment:
    photos = tuple(
        replace(photo, slots={slot: what for slot, what in photo.slots.items() if slot in pack.slots})
        for photo in enrolment.photos
        if not photo.loose
    )
    return replace(enrolment, photos=photos)


def _filled(studio: Studio, cards: list[str], rng: np.random.Generator) -> Contents:
    """A set table whose areas for cubes hold anything from nothing to all that fits."""
    held = set_up(studio.layout, cards, int(rng.integers(0, 2)))
    for slot in studio.layout.slots:
        if slot.kind == "cubes":
            held[slot.id] = letters("".join(rng.choice(list("mpft"), rng.integers(0, slot.capacity + 1))))
    return held


def _harsh(conditions: Conditions, camera_mm: float, rng: np.random.Generator) -> Conditions:
    """The same light with more or less of everything that makes it hard to see."""
    brighter = float(np.exp(rng.uniform(-1.2, 0.4)))
    blue, green, red = (brighter * colour for colour in conditions.ambient)
    return replace(
        conditions,
        glare=float(rng.uniform(0.1, 1.4)),
        blur_px=float(rng.uniform(0.3, 1.8)),
        grain=float(np.exp(rng.uniform(np.log(0.8), np.log(6)))),
        vignette=float(rng.uniform(0.05, 0.4)),
        jpeg=int(rng.integers(80, 96)),
        ambient=(blue, green, red),
        exposure=float(conditions.exposure * rng.uniform(0.75, 1.15)),
        lamps=(_harsh_lamp(conditions.lamps[0], camera_mm, rng), *conditions.lamps[1:]),
    )


def _harsh_lamp(lamp: Lamp, camera_mm: float, rng: np.random.Generator) -> Lamp:
    """The lamp as it is, low beside the boards, or wide and mirrored by some of them."""
    kind = rng.random()
    if kind < LOW:
        bearing, away_mm = rng.uniform(0, 2 * np.pi), rng.uniform(*LOW_AWAY_MM)
        at_mm = away_mm * np.array((np.cos(bearing), np.sin(bearing)))
        high_mm, size_mm = rng.uniform(*LOW_HIGH_MM), rng.uniform(*LOW_SIZE_MM)
    elif kind < LOW + MIRRORED:
        high_mm, size_mm = rng.uniform(*MIRRORED_HIGH_MM), rng.uniform(*MIRRORED_SIZE_MM)
        at_mm = rng.uniform(*MIRRORED_SPOT_MM, 2) * (1 + high_mm / camera_mm)
    else:
        return lamp
    return replace(
        lamp, x_mm=float(at_mm[0]), y_mm=float(at_mm[1]), z_mm=float(high_mm), size_mm=float(size_mm)
    )


def _of_frame(
    studio: Studio, pack: Pack, models: Models, taught: Taught, free: dict[str, NDArray[np.bool_]]
) -> Iterator[Lesson]:
    shot = studio.photograph()
    located = locate(shot.bgr, models)
    seen = scene(shot.bgr, located, pack, taught.grounds, free)
    unclear = {*shot.truth.hidden, *shot.truth.partial, *shot.truth.washed}
    for slot in pack.slots.values():
        model = taught.areas.get(group_of(slot))
        if model is not None and slot.board in located.fixes and slot.id not in unclear:
            yield _lesson(studio, slot, model, taught, seen)


def _lesson(studio: Studio, slot: Slot, model: AreaModel, taught: Taught, seen: Scene) -> Lesson:
    area = area_of(model, seen, slot, taught.bare_areas.get(slot.id))
    tops_mm = seen.located.px_to_mm(slot.board, _tops(studio, slot.id))
    corner_mm = np.array(slot.rect_mm[:2]) - AREA.margin_mm
    lesson = Lesson(network_inputs(model.colours, area), (tops_mm - corner_mm) * model.px_per_mm - 0.5)
    # The size learnt may be a fifth off; the network is to tell by its answers which size is right.
    return lesson.scaled(model.size_mm / studio.layout.cube_mm)


def _tops(studio: Studio, slot: str) -> NDArray[Any]:
    """The middles of the tops of a slot's cubes, in pixels of the frame."""
    tops = [
        studio.rig.seen(
            on_table(studio.layout, cube.board, studio.poses[cube.board], np.array([(cube.x_mm, cube.y_mm)])),
            cube.base_mm + body(cube.picture, studio.layout).thick_mm,
        )[0]
        for cube in studio.placed
        if cube.slot == slot
    ]
    return np.array(tops, np.float64).reshape(-1, 2)

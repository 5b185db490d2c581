"""Areas of simulated tables as the network sees them, with the places of the cubes that really stand there."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.enrol import teach
from calibration.enrolment import Enrolment, load_enrolment
from companion.rules import SEATS, sample_cards
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
SIZES_PX = ((4608, 2592), (2304, 1296))


@dataclass(frozen=True, eq=False)
class Lesson:
    """What the network is shown of one area, and where (x, y in its pixels) the middles of the tops are."""

    inputs: Floats
    tops_px: NDArray[np.float64]


def lessons(edition: int, frames: int) -> Iterator[Lesson]:
    """Every area for cubes in `frames` pictures of one edition, filled anew and lit anew each time."""
    rng = np.random.default_rng([edition, 17])
    cards = sample_cards()
    known = {card["id"]: card for card in cards.to_json()["contracts"]}
    colours = [colour for _, colour in SEATS]
    kind, size_px = CONDITIONS[edition % 2], SIZES_PX[edition // 2 % 2]
    studio = Studio.build(edition, colours, known, kind, size_px)
    with TemporaryDirectory() as folder:
        write_pack(studio, cards.to_json(), Path(folder), lambda words: None)
        whole = load_pack(Path(folder))
        pack = _cubes_only(whole)
        models, taught, _ = teach(pack, _listed(pack, load_enrolment(whole)), lambda words: None)
    free = backgrounds(pack)
    for _ in range(frames):
        studio.relight()
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
    return Lesson(network_inputs(model.colours, area), (tops_mm - corner_mm) * model.px_per_mm - 0.5)


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

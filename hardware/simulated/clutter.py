"""What else stands on a table where people play: a mug, a box, dice, a phone, a pencil, a bowl, the supply, the deck."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrange import Placed
from hardware.simulated.canvas import Bgr, disc, rounded
from hardware.simulated.layers import Layers
from hardware.simulated.layout import CUBES, Layout
from hardware.simulated.palette import hsv, mix
from hardware.simulated.shapes import pillar
from hardware.simulated.stage import Pose, Rig, on_table, overlap, reach

WHITE: Bgr = (255.0, 255.0, 255.0)
BLACK: Bgr = (0.0, 0.0, 0.0)
# half width and half height of the ground each thing needs, in millimetres
_FOOTPRINTS = {
    "mug": (52.0, 44.0),
    "box": (78.0, 60.0),
    "dice": (24.0, 24.0),
    "phone": (40.0, 78.0),
    "pencil": (10.0, 92.0),
    "bowl": (62.0, 62.0),
    "supply": (62.0, 44.0),
}
_TRIES = 90


@dataclass(frozen=True)
class Thing:
    kind: str
    x_mm: float
    y_mm: float
    turn_deg: float
    seed: int


def scatter(
    at: Layout, poses: Mapping[str, Pose], rig: Rig, kinds: Sequence[str], rng: np.random.Generator
) -> tuple[Thing, ...]:
    """Finds room for each thing beside the boards and in sight of the camera; what finds none is left out."""
    taken = [on_table(at, board, pose, reach(at, board)) for board, pose in poses.items()]
    view = np.array([rig.size_px]) / rig.scale * 0.44
    things = []
    for kind in kinds:
        half = np.array(_FOOTPRINTS[kind])
        for _ in range(_TRIES):
            middle = rng.uniform(-view[0], view[0]) + np.array((rig.x_mm, rig.y_mm))
            turn = float(rng.uniform(-180, 180))
            ground = _turned(rounded((-half[0], -half[1], 2 * half[0], 2 * half[1]), 0), turn) + middle
            if not any(overlap(ground, other, 4.0) for other in taken):
                taken.append(ground)
                things.append(
                    Thing(kind, float(middle[0]), float(middle[1]), turn, int(rng.integers(0, 1 << 30)))
                )
                break
    return tuple(things)


def loose_pieces(at: Layout, things: Sequence[Thing], poses: Mapping[str, Pose]) -> tuple[Placed, ...]:
    """Pieces that belong to no slot: the supply, and the deck beside the contracts."""
    placed = []
    if "colony" in poses:
        x, y, width, height = at.slot("colony.contract.3").rect_mm
        deck = np.array([(x + width * 1.85, y + height / 2)])
        spot = on_table(at, "colony", poses["colony"], deck)[0]
        placed.append(
            Placed("deck:back", "", "", float(spot[0]), float(spot[1]), poses["colony"].turn_deg + 2.0)
        )
    for thing in things:
        if thing.kind == "supply":
            placed += _supply(thing)
    return tuple(placed)


@lru_cache(maxsize=8)
def _supply(thing: Thing) -> tuple[Placed, ...]:
    rng = np.random.default_rng(thing.seed)
    names = [f"cube:{cube}" for cube in CUBES for _ in range(int(rng.integers(3, 7)))]
    names += ["token:credit"] * 3 + ["token:battery"] * 3 + ["xkey:N@neutral"] * 2
    placed: list[Placed] = []
    for name in names:
        for _ in range(30):
            spread = np.array((22.0, 30.0)) if name.startswith("cube") else np.array((14.0, 30.0))
            shift = np.array((-30.0, 0.0)) if name.startswith("cube") else np.array((38.0, 0.0))
            local = rng.uniform(-1, 1, 2) * spread + shift
            x, y = _turned(local[None], thing.turn_deg)[0] + (thing.x_mm, thing.y_mm)
            room = 10.5 if name.startswith("cube") else 15.0
            if all(np.hypot(x - p.x_mm, y - p.y_mm) > room for p in placed):
                placed.append(Placed(name, "", "", float(x), float(y), float(rng.uniform(-180, 180))))
                break
    return tuple(placed)


def draw(layers: Layers, things: Sequence[Thing]) -> None:
    for thing in things:
        match thing.kind:
            case "mug":
                _mug(layers, thing)
            case "box":
                _box(layers, thing)
            case "dice":
                _dice(layers, thing)
            case "phone":
                _phone(layers, thing)
            case "pencil":
                _pencil(layers, thing)
            case "bowl":
                _bowl(layers, thing)


def _turned(points: NDArray[Any], turn_deg: float) -> NDArray[Any]:
    turn = np.deg2rad(turn_deg)
    return np.asarray(points @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]))


def _tone(thing: Thing, saturation: float = 0.5) -> Bgr:
    rng = np.random.default_rng(thing.seed)
    return hsv(float(rng.random()), float(rng.uniform(0.2, 1.0)) * saturation, float(rng.uniform(0.35, 0.85)))


def _mug(layers: Layers, thing: Thing) -> None:
    at, tone, tall, radius = (thing.x_mm, thing.y_mm), _tone(thing), 92.0, 40.0
    handle = _turned(rounded((30, -9, 32, 18), 8), thing.turn_deg) + at
    pillar(layers, handle, 22, 74, tone, mix(tone, WHITE, 0.1))
    hole = _turned(rounded((34, -4, 20, 8), 4), thing.turn_deg) + at
    layers.fill(layers.px(hole, 74), mix(tone, BLACK, 0.65))
    pillar(layers, disc(at, radius, 48), 0, tall, tone, mix(tone, WHITE, 0.3))
    layers.fill(layers.px(disc(at, radius - 3.5), tall), mix(tone, BLACK, 0.55))
    coffee = layers.px(disc(at, radius - 8.0), tall - 16)
    layers.fill(coffee, (24.0, 40.0, 66.0))
    layers.fill((coffee - coffee.mean(axis=0)) * 0.9 + coffee.mean(axis=0), (30.0, 52.0, 84.0))


def _box(layers: Layers, thing: Thing) -> None:
    at, tone = (thing.x_mm, thing.y_mm), _tone(thing, 0.7)
    lid = _turned(rounded((-74, -56, 148, 112), 0), thing.turn_deg)
    pillar(layers, lid + at, 0, 46, tone, mix(tone, BLACK, 0.2))
    for share, shade in (
        (0.92, mix(tone, WHITE, 0.25)),
        (0.88, mix(tone, BLACK, 0.35)),
        (0.5, mix(tone, WHITE, 0.5)),
    ):
        layers.fill(layers.px(lid * share + at, 46), shade)
    for i in range(7):
        stripe = _turned(rounded((-30 + 9 * i, -20 + 3 * i, 6, 30 - 2 * i), 2), thing.turn_deg)
        layers.fill(layers.px(stripe + at, 46), hsv(0.13 * i, 0.6, 0.8))


def _dice(layers: Layers, thing: Thing) -> None:
    rng = np.random.default_rng(thing.seed)
    for i in range(3):
        at = _turned(np.array([(13.0 * (i - 1), float(rng.uniform(-8, 8)))]), thing.turn_deg)[0] + (
            thing.x_mm,
            thing.y_mm,
        )
        turn = float(rng.uniform(0, 90))
        ivory: Bgr = (215.0, 228.0, 232.0)
        pillar(layers, _turned(rounded((-6, -6, 12, 12), 1.5), turn) + at, 0, 12, ivory, ivory)
        spots = {1: [(0, 0)], 2: [(-3, -3), (3, 3)], 3: [(-3, -3), (0, 0), (3, 3)]}
        for spot in spots[int(rng.integers(1, 4))]:
            dot = _turned(disc((float(spot[0]), float(spot[1])), 1.2, 12), turn) + at
            layers.fill(layers.px(dot, 12), (30.0, 30.0, 30.0))


def _phone(layers: Layers, thing: Thing) -> None:
    at = (thing.x_mm, thing.y_mm)
    case = _turned(rounded((-36, -74, 72, 148), 9), thing.turn_deg) + at
    pillar(layers, case, 0, 8, (45.0, 42.0, 40.0), (60.0, 56.0, 54.0))
    glass = _turned(rounded((-33, -71, 66, 142), 7), thing.turn_deg) + at
    layers.fill(layers.px(glass, 8), (20.0, 16.0, 15.0))
    layers.shine(glass, 8, 1.6)


def _pencil(layers: Layers, thing: Thing) -> None:
    at, tone = (thing.x_mm, thing.y_mm), _tone(thing, 0.9)
    pillar(
        layers,
        _turned(rounded((-3.5, -85, 7, 150), 1), thing.turn_deg) + at,
        0,
        7,
        tone,
        mix(tone, WHITE, 0.15),
    )
    ridge = _turned(rounded((-1, -85, 2, 150), 0.5), thing.turn_deg) + at
    layers.fill(layers.px(ridge, 7), mix(tone, WHITE, 0.4))
    tip = _turned(np.array([(-3.5, 65.0), (3.5, 65.0), (0.0, 86.0)]), thing.turn_deg) + at
    layers.fill(layers.px(tip, 4), (140.0, 190.0, 222.0))
    lead = _turned(np.array([(-1.0, 80.0), (1.0, 80.0), (0.0, 86.0)]), thing.turn_deg) + at
    layers.fill(layers.px(lead, 4), (40.0, 40.0, 40.0))


def _bowl(layers: Layers, thing: Thing) -> None:
    at, tone = (thing.x_mm, thing.y_mm), _tone(thing, 0.35)
    pillar(layers, disc(at, 58, 56), 0, 44, tone, mix(tone, WHITE, 0.3))
    layers.fill(layers.px(disc(at, 54, 56), 44), mix(tone, BLACK, 0.3))
    rng = np.random.default_rng(thing.seed)
    for _ in range(90):
        radius, turn = 42 * np.sqrt(rng.random()), rng.uniform(0, 2 * np.pi)
        spot = (at[0] + radius * np.cos(turn), at[1] + radius * np.sin(turn))
        tint = hsv(
            float(rng.uniform(0.07, 0.11)), float(rng.uniform(0.4, 0.7)), float(rng.uniform(0.55, 0.85))
        )
        nut = disc((float(spot[0]), float(spot[1])), float(rng.uniform(4, 7)), 14)
        layers.fill(layers.px(nut, 38), mix(tint, BLACK, 0.35))
        layers.fill(layers.px(nut * 0.8 + np.array(spot) * 0.2, 39), tint)

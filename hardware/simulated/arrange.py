"""Pieces laid by hand: a little off and a little turned, each staying where it was until it is touched."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardware.simulated.contents import Content
from hardware.simulated.layout import Layout, Point, Rect, Slot
from hardware.simulated.pieces import BOARD_THICK_MM, body, pictures
from hardware.simulated.solid import Stand, pushed_together, stand

_TRIES = 60  # places tried for a loose piece before the one with most room is taken


@dataclass(frozen=True)
class Placed:
    """One piece. Coordinates are of its middle, from the top left corner of `board`, or of the table when that is ""."""

    picture: str
    slot: str
    board: str
    x_mm: float
    y_mm: float
    turn_deg: float
    base_mm: float = 0.0  # height of its underside above the table
    place: int = 0
    tilt: Point = (0.0, 0.0)  # how far it is from lying flat; only glare shows it


@dataclass(frozen=True)
class Sloppiness:
    """How carelessly pieces are put down: standard deviations, cut off at twice that."""

    shift_mm: float = 0.8
    turn_deg: float = 2.0
    cube_turn_deg: float = 40.0


def arrange(
    at: Layout,
    wanted: Mapping[str, Content],
    before: Sequence[Placed],
    rng: np.random.Generator,
    sloppy: Sloppiness,
) -> tuple[Placed, ...]:
    """The pieces for `wanted`. What already lies right stays exactly where it is."""
    lying: dict[str, list[Placed]] = {}
    for piece in before:
        lying.setdefault(piece.slot, []).append(piece)
    result: list[Placed] = []
    for slot in at.slots:
        needed = list(pictures(slot, wanted[slot.id]))
        kept: list[Placed] = []
        for piece in lying.get(slot.id, ()):
            if (piece.picture, piece.place) in needed:
                needed.remove((piece.picture, piece.place))
                kept.append(piece)
        if slot.kind == "cubes" and slot.capacity > 1:
            result += _stood(at, slot, kept, needed, rng, sloppy)
            continue
        if slot.pieces == "marker":
            kept, needed = _make_room(kept, needed)
        places = [place for _, place in needed]
        for picture, place in needed:
            kept.append(_put(at, slot, picture, place, kept, rng, sloppy, places.count(place) == 1))
        result += kept
    return tuple(result)


def _make_room(
    kept: list[Placed], needed: list[tuple[str, int]]
) -> tuple[list[Placed], list[tuple[str, int]]]:
    """A score marker that stood alone in the middle is pushed aside when another joins it."""
    joined = {place for _, place in needed}
    pushed = [piece for piece in kept if piece.place in joined]
    return [piece for piece in kept if piece.place not in joined], needed + [
        (piece.picture, piece.place) for piece in pushed
    ]


def _put(
    at: Layout,
    slot: Slot,
    picture: str,
    place: int,
    others: Sequence[Placed],
    rng: np.random.Generator,
    sloppy: Sloppiness,
    alone: bool,
) -> Placed:
    shape = body(picture, at)
    turn = _spread(rng, sloppy.turn_deg)
    if slot.kind == "cubes":
        turn = float(rng.normal(0, sloppy.cube_turn_deg))
        x, y = _middle(slot.rect_mm)
        x, y = x + _spread(rng, 0.9), y + _spread(rng, 0.9)
    elif slot.kind == "count":
        turn = float(rng.uniform(-180, 180)) if slot.pieces == "token" else _spread(rng, 12)
        x, y = _free_spot(slot.rect_mm, max(shape.size_mm) / 2, others, rng)
    elif slot.pieces == "marker":
        x, y = _score_spot(slot.places_mm[place], min(slot.size_mm), place, alone, others, rng, sloppy)
        turn = float(rng.uniform(-180, 180))
    else:
        if slot.kind == "track":
            x, y = slot.places_mm[place]
        else:
            x, y = _middle(slot.rect_mm)
        x, y = x + _spread(rng, sloppy.shift_mm), y + _spread(rng, sloppy.shift_mm)
        if slot.pieces in ("reward", "permanent"):
            turn *= 3  # round tokens are turned without anyone noticing
    return _laid(at, slot, picture, place, Stand(x, y, turn), rng)


def _stood(
    at: Layout,
    slot: Slot,
    kept: list[Placed],
    needed: Sequence[tuple[str, int]],
    rng: np.random.Generator,
    sloppy: Sloppiness,
) -> list[Placed]:
    """The cubes of an area: new ones beside those that stand there, or all of them pushed together."""
    cubes = list(kept)
    for picture, place in needed:
        others = [Stand(cube.x_mm, cube.y_mm, cube.turn_deg) for cube in cubes]
        turn = float(rng.normal(0, sloppy.cube_turn_deg))
        spot = stand(slot.rect_mm, at.cube_mm, turn, others, rng)
        if spot is not None:
            cubes.append(_laid(at, slot, picture, place, spot, rng))
            continue
        all_ = [*((cube.picture, cube.place) for cube in cubes), (picture, place)]
        spots = pushed_together(slot.rect_mm, at.cube_mm, len(all_), rng)
        cubes = [_laid(at, slot, *cube, spot, rng) for cube, spot in zip(all_, spots, strict=True)]
    return cubes


def _laid(at: Layout, slot: Slot, picture: str, place: int, spot: Stand, rng: np.random.Generator) -> Placed:
    tilt = (_spread(rng, 0.5), _spread(rng, 0.5))
    placed = Placed(picture, slot.id, slot.board, spot.x_mm, spot.y_mm, spot.turn_deg, 0.0, place, tilt)
    return replace(placed, base_mm=BOARD_THICK_MM if on_board(at, placed) else 0.0)


def on_board(at: Layout, piece: Placed) -> bool:
    """Whether a piece lies on its board, and not on the table beside it."""
    if not piece.board:
        return False
    width, height = at.size_mm(piece.board)
    return 0 <= piece.x_mm <= width and 0 <= piece.y_mm <= height


def _spread(rng: np.random.Generator, sigma: float) -> float:
    return float(np.clip(rng.normal(0, sigma), -2 * sigma, 2 * sigma)) if sigma else 0.0


def _middle(rect: Rect) -> Point:
    x, y, width, height = rect
    return x + width / 2, y + height / 2


def _free_spot(rect: Rect, radius: float, others: Sequence[Placed], rng: np.random.Generator) -> Point:
    """Somewhere in the rectangle, clear of the pieces that lie there already."""
    x, y, width, height = rect
    best, most = _middle(rect), -1.0
    for _ in range(_TRIES):
        spot = (
            float(rng.uniform(x + min(radius, width / 2), x + width - min(radius, width / 2))),
            float(rng.uniform(y + min(radius, height / 2), y + height - min(radius, height / 2))),
        )
        room = min((np.hypot(spot[0] - o.x_mm, spot[1] - o.y_mm) for o in others), default=1e9)
        if room > most:
            best, most = spot, float(room)
        if room > 2.15 * radius:
            break
    return best


def _score_spot(
    middle: Point,
    side: float,
    place: int,
    alone: bool,
    others: Sequence[Placed],
    rng: np.random.Generator,
    sloppy: Sloppiness,
) -> Point:
    """In the middle when it stands there alone, in a corner when it shares the place."""
    sharing = [other for other in others if other.place == place]
    jitter = min(sloppy.shift_mm, side * 0.05)
    if alone:
        return middle[0] + _spread(rng, jitter * 3), middle[1] + _spread(rng, jitter * 3)
    reach = side * 0.255
    corners = [(middle[0] + sx * reach, middle[1] + sy * reach) for sx in (-1, 1) for sy in (-1, 1)]
    rng.shuffle(corners)
    spot = max(
        corners,
        key=lambda c: min((np.hypot(c[0] - o.x_mm, c[1] - o.y_mm) for o in sharing), default=0.0),
    )
    return spot[0] + _spread(rng, jitter * 0.3), spot[1] + _spread(rng, jitter * 0.3)

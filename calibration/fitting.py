"""Fitting a layout with one finger: a frame is pulled onto its print, and its like on the other boards follow.

What is pulled depends on where the finger came down: on a frame, that frame; on its lower right corner, its size; on the
last place of a track, the whole track apart; on bare board, every frame of the board.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from vision.fix import Located
from vision.pack import Kind, Pack, Point, Rect, Slot


@dataclass(frozen=True)
class FittingSettings:
    # The part of a frame's width and height that is its corner: a fingertip on a zoomed board.
    corner_share: float = 0.3
    # Frames of two boards are alike when they differ by less than a person would notice.
    alike_mm: float = 0.6
    # A frame pulled to nothing could never be pulled back.
    least_mm: float = 4.0
    # Around a board its frames may reach this far: the Hacker track runs below it.
    beside_mm: float = 12.0


SETTINGS = FittingSettings()
Change = Callable[[Slot], Slot]


def board_at(pack: Pack, located: Located, at_px: Point) -> str | None:
    """The board under a point of the picture, or the one whose frames reach there."""
    for name in located.fixes:
        x, y = located.px_to_mm(name, [at_px])[0]
        width, height = pack.boards[name].size_mm
        if 0 <= x <= width and 0 <= y <= height:
            return name
    return next(
        (
            name
            for name in located.fixes
            if any(_holds(s, _mm(located, name, at_px)) for s in pack.slots_of(name))
        ),
        None,
    )


def pulled(
    pack: Pack, located: Located, from_px: Point, to_px: Point, settings: FittingSettings = SETTINGS
) -> Pack:
    """The pack after a finger went from one point of the picture to another."""
    board = board_at(pack, located, from_px)
    if board is None:
        return pack
    start, end = _mm(located, board, from_px), _mm(located, board, to_px)
    by = (end[0] - start[0], end[1] - start[1])
    touched = [slot for slot in pack.slots_of(board) if _holds(slot, start)]
    if not touched:
        return _changed(pack, pack.slots_of(board), lambda slot: moved(slot, *by), settings)
    # Of frames that overlap the smallest is meant: the large one can be touched elsewhere.
    slot = min(touched, key=lambda s: s.rect_mm[2] * s.rect_mm[3])
    return _changed(pack, (slot,), _pull(slot, start, by, settings), settings)


def moved(slot: Slot, x_mm: float, y_mm: float) -> Slot:
    left, top, width, height = slot.rect_mm
    return replace(
        slot,
        rect_mm=(left + x_mm, top + y_mm, width, height),
        places_mm=tuple((x + x_mm, y + y_mm) for x, y in slot.places_mm),
    )


def _pull(slot: Slot, start: Point, by: Point, settings: FittingSettings) -> Change:
    if slot.kind is Kind.TRACK:
        last = len(slot.places_mm) - 1
        if last > 0 and _within(slot.place_rect_mm(last), start):
            return lambda like: _spread(like, *by)
    else:
        x, y, width, height = slot.rect_mm
        share = settings.corner_share
        if start[0] > x + (1 - share) * width and start[1] > y + (1 - share) * height:
            return lambda like: _stretched(like, *by, settings)
    return lambda like: moved(like, *by)


def _stretched(slot: Slot, x_mm: float, y_mm: float, settings: FittingSettings) -> Slot:
    left, top, width, height = slot.rect_mm
    size = max(settings.least_mm, width + x_mm), max(settings.least_mm, height + y_mm)
    return replace(slot, rect_mm=(left, top, *size))


def _spread(slot: Slot, x_mm: float, y_mm: float) -> Slot:
    """The first place stays, the last follows the finger, those between keep their order."""
    last = len(slot.places_mm) - 1
    places = tuple((x + x_mm * at / last, y + y_mm * at / last) for at, (x, y) in enumerate(slot.places_mm))
    spread = replace(slot, places_mm=places)
    rects = np.array(spread.rects_mm)
    low, high = rects[:, :2].min(axis=0), (rects[:, :2] + rects[:, 2:]).max(axis=0)
    left, top, width, height = (float(v) for v in (*low, *(high - low)))
    return replace(spread, rect_mm=(left, top, width, height))


def _changed(pack: Pack, slots: tuple[Slot, ...], change: Change, settings: FittingSettings) -> Pack:
    """Changes slots, and with them the same slots of boards of the same size that lie as they did."""
    changed = {}
    for slot in slots:
        for like in _alike(pack, slot, settings):
            changed[like.id] = change(like)
    return replace(pack, slots={**pack.slots, **changed})


def _alike(pack: Pack, slot: Slot, settings: FittingSettings) -> list[Slot]:
    own = slot.id.removeprefix(slot.board)
    size = pack.boards[slot.board].size_mm
    return [
        other
        for other in pack.slots.values()
        if other.id.removeprefix(other.board) == own
        and pack.boards[other.board].size_mm == size
        and np.abs(np.subtract(other.rect_mm, slot.rect_mm)).max() < settings.alike_mm
    ]


def _mm(located: Located, board: str, at_px: Point) -> Point:
    x, y = located.px_to_mm(board, [at_px])[0]
    return float(x), float(y)


def _holds(slot: Slot, at_mm: Point) -> bool:
    return any(_within(rect, at_mm) for rect in slot.rects_mm)


def _within(rect: Rect, at_mm: Point) -> bool:
    x, y, width, height = rect
    return x <= at_mm[0] <= x + width and y <= at_mm[1] <= y + height

"""Marks on the picture: slots in millimetres of a board become quadrilaterals in pixels of the picture."""

import math
from collections.abc import Iterable
from typing import Literal

from companion.state import State
from companion.view.box import Box, Rect
from companion.view.screens import Mark, Picture, Point

# Around the marked place enough of the board is shown to find it on the table: this share of the board's longer side.
_CONTEXT = 0.3


def picture(
    state: State, box: Box, slots: Iterable[str], tone: Literal["good", "warn", "fault"], close: bool = True
) -> Picture | None:
    """The last picture with these slots marked, cut to their surroundings when `close`. None without a picture."""
    if state.picture is None:
        return None
    marks = []
    context_px = 0.0
    for slot in slots:
        place = box.slots.get(slot)
        if place is None:
            continue
        corners_px = state.corners_px.get(place.board, ())
        size_mm = box.sizes_mm.get(place.board)
        if len(corners_px) != 4 or size_mm is None:
            continue
        marks.append(Mark(to_pixels(place.rect_mm, size_mm, corners_px), tone=tone))
        context_px = max(context_px, _CONTEXT * _longest_side(corners_px))
    crop = _crop(marks, context_px) if marks and close else None
    return Picture(state.picture, tuple(marks), crop)


def to_pixels(
    rect_mm: Rect, size_mm: tuple[float, float], corners_px: tuple[Point, ...]
) -> tuple[Point, ...]:
    """A rectangle of a board as four points of the picture, clockwise from its top left.

    >>> to_pixels((10, 20, 5, 5), (100, 100), ((0, 0), (200, 0), (200, 200), (0, 200)))[0]
    (20.0, 40.0)
    """
    x, y, width, height = rect_mm
    corners_mm = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return tuple(_project(mm[0] / size_mm[0], mm[1] / size_mm[1], corners_px) for mm in corners_mm)


def _project(u: float, v: float, corners_px: tuple[Point, ...]) -> Point:
    """The projective map that takes the unit square to a quadrilateral (Heckbert's closed form)."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = corners_px
    dx1, dx2, dx3 = x1 - x2, x3 - x2, x0 - x1 + x2 - x3
    dy1, dy2, dy3 = y1 - y2, y3 - y2, y0 - y1 + y2 - y3
    area = dx1 * dy2 - dx2 * dy1
    g, h = (dx3 * dy2 - dx2 * dy3) / area, (dx1 * dy3 - dx3 * dy1) / area
    scale = g * u + h * v + 1
    return (
        ((x1 - x0 + g * x1) * u + (x3 - x0 + h * x3) * v + x0) / scale,
        ((y1 - y0 + g * y1) * u + (y3 - y0 + h * y3) * v + y0) / scale,
    )


def _crop(marks: list[Mark], context_px: float) -> tuple[float, float, float, float]:
    xs = [x for mark in marks for x, _ in mark.corners_px]
    ys = [y for mark in marks for _, y in mark.corners_px]
    left, top = min(xs) - context_px / 2, min(ys) - context_px / 2
    return left, top, max(xs) + context_px / 2 - left, max(ys) + context_px / 2 - top


def _longest_side(corners_px: tuple[Point, ...]) -> float:
    (x0, y0), (x1, y1), (x2, y2), _ = corners_px
    return max(math.hypot(x1 - x0, y1 - y0), math.hypot(x2 - x1, y2 - y1))

"""Cuts what is read out of a frame and evens its light."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil, floor

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.fix import Located
from vision.pack import Board, Pack, Rect, Slot
from vision.read.area import SETTINGS as AREA
from vision.read.colours import SETTINGS as COLOURS
from vision.read.colours import colour_logs
from vision.read.light import SETTINGS as LIGHT
from vision.read.light import Light, as_light, background_mask, even, measure_all
from vision.read.pixels import log, sampled
from vision.read.table_light import beside, table_mask
from vision.read.tile import Geometry
from vision.rectify import Picture, Scale, drawn

Floats = NDArray[np.float32]
# Pieces overhang their slots; print nearer than this to one is not taken for the measure of light.
OVERHANG_MM = 2.0
# Pieces may lie this far off a slot at the rim of what is read.
AROUND_MM = 8.0


# A little finer than any crop is drawn, so that cutting crops out of a sheet loses nothing.
SHEET_PX_PER_MM = 2.0
# Edges of the print are softened before light is measured: a fix that is half a millimetre off must not pass for light.
SOFT = np.array([1, 10, 1], np.float32) / 12


@dataclass(frozen=True, eq=False)
class Sheet:
    """A board with everything around it that is read, upright: one warp of the frame, many cuts."""

    picture: Picture
    origin_mm: tuple[float, float]

    def cut(self, rect_mm: Rect, size_px: tuple[int, int]) -> Picture:
        x, y, width, height = rect_mm
        across, down = width / size_px[0] * SHEET_PX_PER_MM, height / size_px[1] * SHEET_PX_PER_MM
        left, top = (x - self.origin_mm[0]) * SHEET_PX_PER_MM, (y - self.origin_mm[1]) * SHEET_PX_PER_MM
        matrix = np.array([[across, 0.0, left + across / 2 - 0.5], [0.0, down, top + down / 2 - 0.5]])
        return sampled(self.picture, matrix, size_px)

    @cached_property
    def half(self) -> Picture:
        """The same at half the scale: enough for light, and for telling whether anything has changed."""
        size = self.picture.shape[1] // 2, self.picture.shape[0] // 2
        even_ = self.picture[: 2 * size[1], : 2 * size[0]]
        return np.asarray(cv2.resize(even_, size, interpolation=cv2.INTER_AREA), np.uint8)

    def ground(self, board: Board) -> Picture:
        """The small picture of the whole board that light is measured on."""
        left, top = (round(-side * SHEET_PX_PER_MM / 2) for side in self.origin_mm)
        width, height = (round(side * SHEET_PX_PER_MM / 2) for side in board.size_mm)
        whole = self.half[top : top + height, left : left + width]
        size_px = Scale(LIGHT.px_per_mm).size_px((0.0, 0.0, *board.size_mm))
        small = cv2.resize(whole, size_px, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.sepFilter2D(small, -1, SOFT, SOFT, borderType=cv2.BORDER_REPLICATE), np.uint8)


def sheet(frame: Picture, located: Located, board: str, rect_mm: Rect) -> Sheet:
    """Draws a board's surroundings from the frame."""
    return Sheet(drawn(frame, located, board, rect_mm, SHEET_PX_PER_MM), rect_mm[:2])


@dataclass(frozen=True, eq=False)
class Scene:
    """A frame with its boards found and the light over each of them known."""

    frame: Picture
    located: Located
    lights: Mapping[str, Light]
    reach_mm: Mapping[str, Rect]  # what is read of each board and its surroundings
    small: Mapping[str, Picture] = field(default_factory=dict)  # each board as light was measured on it
    _sheets: dict[str, Sheet] = field(default_factory=dict)

    def sheet(self, board: str) -> Sheet:
        if board not in self._sheets:
            self._sheets[board] = sheet(self.frame, self.located, board, self.reach_mm[board])
        return self._sheets[board]

    def tiles(self, geo: Geometry, places: Sequence[tuple[str, Rect]]) -> Floats:
        """Pictures with margin of places (board, rectangle), light evened: N x height x width x 3."""
        size = geo.whole_px
        result = np.empty((len(places), size[1], size[0], 3), np.float32)
        for i, (board, rect_mm) in enumerate(places):
            rect = geo.whole_rect(rect_mm)
            np.divide(self.sheet(board).cut(rect, size), self.lights[board].over(rect, size), out=result[i])
        return result

    def burnt(self, places: Sequence[tuple[str, Rect]]) -> Floats:
        """The light, evened, at which each colour of places (board, rectangle) burns out: N x 3."""
        factors = [self.lights[board].over(rect, (1, 1))[0, 0] for board, rect in places]
        return as_light(np.asarray(LIGHT.burnt / np.stack(factors), np.float32))

    def area(self, slot: Slot, px_per_mm: float = AREA.px_per_mm) -> Floats:
        """Log colours of an area with its margin, light evened."""
        return self._evened(slot, self._over(slot, px_per_mm))

    def area_and_print(self, slot: Slot, px_per_mm: float, light: Floats) -> tuple[Floats, Floats]:
        """The same, and log colours of its bare print, of which the light is known, as they would look now, evened alike."""
        factors = self._over(slot, px_per_mm)
        values = self.lights[slot.board].on_lit_print(_with_margin(slot), light, factors)
        values += np.float32(COLOURS.offset)
        return self._evened(slot, factors), log(values)

    def _over(self, slot: Slot, px_per_mm: float) -> Floats:
        """The factors of the light over an area with its margin."""
        rect = _with_margin(slot)
        return self.lights[slot.board].over(rect, Scale(px_per_mm).size_px(rect))

    def _evened(self, slot: Slot, factors: Floats) -> Floats:
        seen = self.sheet(slot.board).cut(_with_margin(slot), (factors.shape[1], factors.shape[0]))
        return colour_logs(np.divide(seen, factors, dtype=np.float32))

    def lean(self, slot: Slot, height_mm: float = 8.0) -> tuple[float, float]:
        """How far the top of a piece stands outside its foot, for each millimetre of height."""
        x, y, width, height = slot.rect_mm
        middle = np.array([(x + width / 2, y + height / 2)])
        top = self.located.px_to_mm(slot.board, self.located.mm_to_px(slot.board, middle, height_mm))
        across, down = (top - middle)[0] / height_mm
        return float(across), float(down)


def _with_margin(slot: Slot) -> Rect:
    x, y, width, height = slot.rect_mm
    m = AREA.margin_mm
    return x - m, y - m, width + 2 * m, height + 2 * m


def ground(frame: Picture, located: Located, board: Board) -> Picture:
    """The small picture of a whole board that light is measured on."""
    return sheet(frame, located, board.name, (0.0, 0.0, *board.size_mm)).ground(board)


def backgrounds(pack: Pack) -> dict[str, NDArray[np.bool_]]:
    """For each board the pixels of its small picture that no piece covers."""
    return {
        name: background_mask(
            board, [rect for slot in pack.slots_of(name) for rect in slot.rects_mm], OVERHANG_MM
        )
        for name, board in pack.boards.items()
    }


def scene(
    frame: Picture,
    located: Located,
    pack: Pack,
    grounds: Mapping[str, Picture],
    free: Mapping[str, NDArray[np.bool_]],
    reach_mm: Mapping[str, Rect] | None = None,
    tables: Mapping[str, NDArray[np.bool_]] | None = None,
) -> Scene:
    """Measures the light of a frame against the bare boards; a board without a reference is its own.

    `reach_mm` are the pack's `reaches` and `tables` its `bare_tables`, if they are known already.
    """
    reach = reaches(pack) if reach_mm is None else reach_mm

    sheets = {name: sheet(frame, located, name, reach[name]) for name in located.fixes}
    small = {name: drawing.ground(pack.boards[name]) for name, drawing in sheets.items()}
    known = {name: grounds[name] for name in small if name in grounds}
    lights = {name: even(pack.boards[name]) for name in small if name not in known}
    measured = measure_all(known, small, free)
    table = bare_tables(pack, reach) if tables is None else tables
    halves = {name: sheets[name].half for name in measured}
    for name, factors in beside(measured, halves, reach, table).items():
        measured[name] = replace(measured[name], beside=factors)
    lights |= measured
    return Scene(frame, located, lights, reach, small, sheets)


def reaches(pack: Pack) -> dict[str, Rect]:
    """For each board the rectangle around it and all its slots, in whole pixels of half a sheet from its corner."""
    result = {}
    pixel_mm = 2 / SHEET_PX_PER_MM
    for name, board in pack.boards.items():
        rects = [(0.0, 0.0, *board.size_mm), *(r for slot in pack.slots_of(name) for r in slot.rects_mm)]
        left, top = (floor((min(r[i] for r in rects) - AROUND_MM) / pixel_mm) * pixel_mm for i in (0, 1))
        right, bottom = (
            ceil((max(r[i] + r[i + 2] for r in rects) + AROUND_MM) / pixel_mm) * pixel_mm for i in (0, 1)
        )
        result[name] = left, top, right - left, bottom - top
    return result


def bare_tables(pack: Pack, reach_mm: Mapping[str, Rect]) -> dict[str, NDArray[np.bool_]]:
    """For each board where its sheet shows the table beside it."""
    return {name: table_mask(pack, name, reach_mm[name]) for name in pack.boards}


def on_board(pack: Pack, board: str, rect_mm: Rect, slack_mm: float = 1.0) -> bool:
    """Whether a rectangle lies on the printed board, not on the table beside it."""
    x, y, width, height = rect_mm
    across, down = pack.boards[board].size_mm
    return (
        x >= -slack_mm and y >= -slack_mm and x + width <= across + slack_mm and y + height <= down + slack_mm
    )

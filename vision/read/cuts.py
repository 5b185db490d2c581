"""Cuts what is read out of a frame and evens its light."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import ceil

import numpy as np
from numpy.typing import NDArray

from vision.fix import Located
from vision.pack import Board, Pack, Rect, Slot
from vision.read.area import SETTINGS as AREA
from vision.read.colours import colour_logs
from vision.read.light import SETTINGS as LIGHT
from vision.read.light import Light, background_mask, even, measure
from vision.read.pixels import sampled
from vision.read.tile import Geometry
from vision.rectify import Picture, Scale, crop, crops

Floats = NDArray[np.float32]
# Pieces overhang their slots; print nearer than this to one is not taken for the measure of light.
OVERHANG_MM = 2.0
# Pieces may lie this far off a slot at the rim of what is read.
AROUND_MM = 8.0


# A little finer than any crop is drawn, so that cutting crops out of a sheet loses nothing.
SHEET_PX_PER_MM = 2.0
# Pieces of a sheet this large are as good as flat through any lens a table can be seen through.
STRIP_MM = 120.0
# Boards drawn, and sets of slots read, at a time. More would only wait for each other.
THREADS = 3


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


def sheet(frame: Picture, located: Located, board: str, rect_mm: Rect) -> Sheet:
    """Draws a board's surroundings from the frame, strip by strip, each a perspective warp of its own."""
    x, y, width, height = rect_mm
    columns, rows = max(1, ceil(width / STRIP_MM)), max(1, ceil(height / STRIP_MM))
    # Strips of whole pixels, so that they meet without a seam.
    wide, high = ceil(width * SHEET_PX_PER_MM / columns), ceil(height * SHEET_PX_PER_MM / rows)
    side = wide / SHEET_PX_PER_MM, high / SHEET_PX_PER_MM
    rects = [(x + c * side[0], y + r * side[1], *side) for r in range(rows) for c in range(columns)]
    strips = crops(frame, located, board, rects, Scale(SHEET_PX_PER_MM))
    lines = [np.hstack(strips[r * columns : (r + 1) * columns]) for r in range(rows)]
    return Sheet(np.vstack(lines), (x, y))


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

    def area(self, slot: Slot) -> Floats:
        """Log colours of an area with its margin, light evened."""
        x, y, width, height = slot.rect_mm
        m = AREA.margin_mm
        rect = x - m, y - m, width + 2 * m, height + 2 * m
        size = Scale(AREA.px_per_mm).size_px(rect)
        factors = self.lights[slot.board].over(rect, size)
        return colour_logs(self.sheet(slot.board).cut(rect, size).astype(np.float32) / factors)

    def lean(self, slot: Slot, height_mm: float = 8.0) -> tuple[float, float]:
        """How far the top of a piece stands outside its foot, for each millimetre of height."""
        x, y, width, height = slot.rect_mm
        middle = np.array([(x + width / 2, y + height / 2)])
        top = self.located.px_to_mm(slot.board, self.located.mm_to_px(slot.board, middle, height_mm))
        across, down = (top - middle)[0] / height_mm
        return float(across), float(down)


def ground(frame: Picture, located: Located, board: Board) -> Picture:
    """The small picture of a whole board that light is measured on."""
    return crop(frame, located, board.name, (0.0, 0.0, *board.size_mm), Scale(LIGHT.px_per_mm))


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
) -> Scene:
    """Measures the light of a frame against the bare boards; a board without a reference is its own."""

    reach = reaches(pack)

    def drawn(name: str) -> tuple[Light, Picture, Sheet]:
        small = ground(frame, located, pack.boards[name])
        known = name in grounds
        light = measure(grounds[name], small, free[name]) if known else even(pack.boards[name])
        return light, small, sheet(frame, located, name, reach[name])

    with ThreadPoolExecutor(THREADS) as pool:
        boards = dict(zip(located.fixes, pool.map(drawn, located.fixes), strict=True))
    return Scene(
        frame,
        located,
        {name: light for name, (light, _, _) in boards.items()},
        reach,
        {name: small for name, (_, small, _) in boards.items()},
        {name: drawing for name, (_, _, drawing) in boards.items()},
    )


def reaches(pack: Pack) -> dict[str, Rect]:
    """For each board the rectangle around it and all its slots."""
    result = {}
    for name, board in pack.boards.items():
        rects = [(0.0, 0.0, *board.size_mm), *(r for slot in pack.slots_of(name) for r in slot.rects_mm)]
        left, top = (min(rect[i] for rect in rects) - AROUND_MM for i in (0, 1))
        right, bottom = (max(rect[i] + rect[i + 2] for rect in rects) + AROUND_MM for i in (0, 1))
        result[name] = left, top, right - left, bottom - top
    return result


def on_board(pack: Pack, board: str, rect_mm: Rect, slack_mm: float = 1.0) -> bool:
    """Whether a rectangle lies on the printed board, not on the table beside it."""
    x, y, width, height = rect_mm
    across, down = pack.boards[board].size_mm
    return (
        x >= -slack_mm and y >= -slack_mm and x + width <= across + slack_mm and y + height <= down + slack_mm
    )

"""Cuts what is read out of a frame and evens its light."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.fix import Located
from vision.pack import Board, Pack, Rect, Slot
from vision.read.area import SETTINGS as AREA
from vision.read.colours import colour_logs
from vision.read.light import SETTINGS as LIGHT
from vision.read.light import Light, background_mask, even, measure
from vision.read.pixels import resized
from vision.read.tile import Geometry
from vision.rectify import Picture, Scale, crop, crops

Floats = NDArray[np.float32]
# Pieces overhang their slots; print nearer than this to one is not taken for the measure of light.
OVERHANG_MM = 2.0


@dataclass(frozen=True, eq=False)
class Scene:
    """A frame with its boards found and the light over each of them known."""

    frame: Picture
    located: Located
    lights: Mapping[str, Light]
    small: Mapping[str, Picture] = field(default_factory=dict)  # each board as light was measured on it

    def tiles(self, geo: Geometry, places: Sequence[tuple[str, Rect]]) -> Floats:
        """Pictures with margin of places (board, rectangle), light evened: N x height x width x 3."""
        width, height = geo.whole_px
        result = np.empty((len(places), height, width, 3), np.float32)
        for board in dict.fromkeys(board for board, _ in places):
            rows = [i for i, (name, _) in enumerate(places) if name == board]
            rects = [geo.whole_rect(places[i][1]) for i in rows]
            scales = [width / rect[2] for rect in rects]
            cut = crops(self.frame, self.located, board, rects, Scale(scales[0]))
            for i, rect, picture in zip(rows, rects, cut, strict=True):
                values = picture.astype(np.float32)
                if picture.shape[:2] != (height, width):
                    values = resized(values, (width, height))
                result[i] = values / self.lights[board].over(rect, (width, height))
        return result

    def area(self, slot: Slot) -> Floats:
        """Log colours of an area with its margin, light evened."""
        x, y, width, height = slot.rect_mm
        m = AREA.margin_mm
        rect = x - m, y - m, width + 2 * m, height + 2 * m
        picture = crop(self.frame, self.located, slot.board, rect, Scale(AREA.px_per_mm)).astype(np.float32)
        return colour_logs(picture / self.lights[slot.board].over(rect, (picture.shape[1], picture.shape[0])))

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
    lights, small = {}, {}
    for name in located.fixes:
        board = pack.boards[name]
        small[name] = ground(frame, located, board)
        if name in grounds:
            lights[name] = measure(grounds[name], small[name], free[name])
        else:
            lights[name] = even(board)
    return Scene(frame, located, lights, small)


def on_board(pack: Pack, board: str, rect_mm: Rect, slack_mm: float = 1.0) -> bool:
    """Whether a rectangle lies on the printed board, not on the table beside it."""
    x, y, width, height = rect_mm
    across, down = pack.boards[board].size_mm
    return (
        x >= -slack_mm and y >= -slack_mm and x + width <= across + slack_mm and y + height <= down + slack_mm
    )

"""Slots straight from the full frame: small upright pictures at a given scale, lens and tilt taken out.

Only the pixels that are read are touched; the frame as a whole is never warped.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.fix import Fix, Located, homography
from vision.lens import Lens
from vision.pack import Rect

Picture = NDArray[np.uint8]  # height x width x 3 (or grey), blue first


@dataclass(frozen=True)
class Scale:
    """How large a crop is drawn. `margin_mm` is added on every side, `height_mm` lifts the plane that is
    sampled to the top of a raised piece.
    """

    px_per_mm: float
    margin_mm: float = 0.0
    height_mm: float = 0.0

    def size_px(self, rect_mm: Rect) -> tuple[int, int]:
        """Width and height of the crop of a rectangle."""
        width = max(1, round((rect_mm[2] + 2 * self.margin_mm) * self.px_per_mm))
        height = max(1, round((rect_mm[3] + 2 * self.margin_mm) * self.px_per_mm))
        return width, height


def crop(
    frame: Picture, located: Located, board: str, rect_mm: Rect, scale: Scale, average: bool = True
) -> Picture:
    """The rectangle as seen from straight above. What lies outside the frame is black."""
    return crops(frame, located, board, [rect_mm], scale, average)[0]


def crops(
    frame: Picture,
    located: Located,
    board: str,
    rects_mm: Iterable[Rect],
    scale: Scale,
    average: bool = True,
) -> list[Picture]:
    """Crops of many rectangles of one board.

    Over the size of a slot a lens is as good as projective, so each crop is one perspective warp through
    its four bent corners. Without `average` pixels between the samples are skipped, which is quick and rough.
    """
    rects = list(rects_mm)
    if not rects:
        return []
    corners = located.mm_to_px(
        board, np.concatenate([_corners(rect, scale.margin_mm) for rect in rects]), scale.height_mm
    ).reshape(-1, 4, 2)
    return [
        warp_quad(frame, corners_px, scale.size_px(rect), average=average)
        for rect, corners_px in zip(rects, corners, strict=True)
    ]


def drawn(frame: Picture, located: Located, board: str, rect_mm: Rect, px_per_mm: float) -> Picture:
    """A rectangle of any size, a whole board and more, through the lens. What lies outside the frame is black.

    Where each pixel comes from is remembered for as long as the board's fix is the same object.
    """
    source = _source(located.fixes[board], located.lens, located.size_px, rect_mm, px_per_mm)
    if source is None:
        width, height = Scale(px_per_mm).size_px(rect_mm)
        return np.zeros((height, width, *frame.shape[2:]), np.uint8)
    part = frame[source.rows, source.columns]
    if source.shrink > 1:
        fewer = part.shape[1] // source.shrink, part.shape[0] // source.shrink
        part = part[: fewer[1] * source.shrink, : fewer[0] * source.shrink]
        part = np.asarray(cv2.resize(part, fewer, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(
        cv2.remap(part, source.places, source.between, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT),
        np.uint8,
    )


@dataclass(frozen=True, eq=False)
class _Source:
    """Where the pixels of a drawing come from: a part of the frame, shrunk, and places in it.

    Places are whole pixels and 32nds between them, which OpenCV would work out anew for every frame.
    """

    rows: slice
    columns: slice
    shrink: int
    places: NDArray[np.int16]  # height x width x 2
    between: NDArray[np.uint16]  # height x width


# Between places this far apart, in pixels of the drawing, lens and tilt are straight to a hundredth of a pixel.
_STEP_PX = 16


@lru_cache(maxsize=6)
def _source(
    fix: Fix, lens: Lens, size_px: tuple[int, int], rect_mm: Rect, px_per_mm: float
) -> _Source | None:
    columns, rows = Scale(px_per_mm).size_px(rect_mm)
    # One place more on every side, for what is between the rim and the outermost middle of a step.
    across, down = (np.arange(-1, -(-side // _STEP_PX) + 1) + 0.5 for side in (columns, rows))
    x, y = np.meshgrid(across * _STEP_PX / px_per_mm + rect_mm[0], down * _STEP_PX / px_per_mm + rect_mm[1])
    located = Located(size_px, lens, {"": fix})
    coarse = located.mm_to_px("", np.stack([x, y], axis=-1).reshape(-1, 2))
    if not np.isfinite(coarse).all() or np.abs(coarse).max() > 1e6:
        return None
    low = np.clip(np.floor(coarse.min(axis=0)).astype(int), 0, size_px)
    high = np.clip(np.ceil(coarse.max(axis=0)).astype(int) + 1, 0, size_px)
    if (high - low < 2).any():
        return None
    # Linear sampling of a picture that is shrunk more than twice skips pixels and sparkles with noise.
    shrink = max(1, int(located.px_per_mm("") / px_per_mm + 1e-6))
    places = ((coarse - low + 0.5) / shrink - 0.5).reshape(len(down), len(across), 2).astype(np.float32)
    fine = cv2.resize(places, (len(across) * _STEP_PX, len(down) * _STEP_PX), interpolation=cv2.INTER_LINEAR)
    inner = np.ascontiguousarray(fine[_STEP_PX : _STEP_PX + rows, _STEP_PX : _STEP_PX + columns])
    whole, between = cv2.convertMaps(inner, np.zeros((0, 0), np.float32), cv2.CV_16SC2)
    return _Source(
        slice(int(low[1]), int(high[1])),
        slice(int(low[0]), int(high[0])),
        shrink,
        np.asarray(whole, np.int16),
        np.asarray(between, np.uint16),
    )


def inside(located: Located, board: str, rect_mm: Rect, margin_px: float = 0.0) -> bool:
    """Whether a rectangle lies wholly in the picture."""
    return bool(all_inside(located, board, [rect_mm], margin_px)[0])


def all_inside(
    located: Located, board: str, rects_mm: Iterable[Rect], margin_px: float = 0.0
) -> NDArray[np.bool_]:
    """For each rectangle of a board, whether it lies wholly in the picture."""
    rects = np.array(list(rects_mm), np.float64).reshape(-1, 4)
    if not len(rects):
        return np.zeros(0, np.bool_)
    left, top = rects[:, 0], rects[:, 1]
    right, bottom = left + rects[:, 2], top + rects[:, 3]
    corners_mm = np.stack([left, top, right, top, right, bottom, left, bottom], axis=1).reshape(-1, 2)
    corners = located.mm_to_px(board, corners_mm).reshape(-1, 8)
    width, height = located.size_px
    return np.asarray(
        (corners.min(axis=1) >= margin_px)
        & (corners[:, 0::2].max(axis=1) <= width - 1 - margin_px)
        & (corners[:, 1::2].max(axis=1) <= height - 1 - margin_px),
        np.bool_,
    )


def _corners(rect_mm: Rect, margin_mm: float) -> NDArray[np.float64]:
    x, y, width, height = rect_mm
    left, top = x - margin_mm, y - margin_mm
    right, bottom = x + width + margin_mm, y + height + margin_mm
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def warp_quad(
    frame: Picture,
    corners_px: NDArray[np.float64],
    size: tuple[int, int],
    grey: bool = False,
    average: bool = True,
) -> Picture:
    """The quadrilateral (outer edges, clockwise from its top left) as an upright picture of `size`."""
    width, height = size
    rows, columns = frame.shape[:2]
    if not np.isfinite(corners_px).all() or np.abs(corners_px).max() > 1e6:
        return np.zeros((height, width, *(() if grey else frame.shape[2:])), np.uint8)
    # Linear sampling of a picture that is shrunk more than twice skips pixels and sparkles with noise.
    shrink = int(_side(corners_px) / max(width, height) + 1e-6) if average else 1
    spare = max(2, shrink)
    low = np.maximum(np.floor(corners_px.min(axis=0)).astype(int) - spare, 0)
    high = np.minimum(np.ceil(corners_px.max(axis=0)).astype(int) + 1 + spare, (columns, rows))
    if (high - low < 2).any():
        return np.zeros((height, width, *(() if grey else frame.shape[2:])), np.uint8)
    part = frame[low[1] : high[1], low[0] : high[0]]
    corners = corners_px - low
    if shrink >= 2 and min(part.shape[:2]) > shrink:
        # Whole blocks only: that is several times quicker, and the last pixels are beyond the corners anyway.
        fewer = part.shape[1] // shrink, part.shape[0] // shrink
        part = part[: fewer[1] * shrink, : fewer[0] * shrink]
        part = np.asarray(cv2.resize(part, fewer, interpolation=cv2.INTER_AREA), np.uint8)
        corners = (corners + 0.5) / shrink - 0.5
    if grey and part.ndim == 3:
        part = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)
    # The rectangle's edge is the outer edge of the outer pixels.
    target = np.array([(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)])
    return np.asarray(
        cv2.warpPerspective(
            part,
            homography(target, corners),
            (width, height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_CONSTANT,
        ),
        np.uint8,
    )


def _side(corners: NDArray[np.float64]) -> float:
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    return float(sides.max())

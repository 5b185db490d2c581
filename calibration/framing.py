"""The boards as plain shapes in a live picture, before anybody has said where they are: how large a millimetre is."""

from dataclasses import dataclass
from itertools import permutations

import cv2
import numpy as np

from vision.outline import OutlineSettings, quads_px
from vision.pack import Board, Pack, Point
from vision.rectify import Picture

Corners = tuple[Point, ...]


@dataclass(frozen=True)
class FramingSettings:
    # A lens seen from a little aside changes proportions by so much.
    proportion_slack: float = 1.15
    # Opposite sides are as long as each other but for a little perspective.
    side_slack: float = 1.08
    # Boards lie in one plane: what is this much larger or smaller than the others is no board.
    scale_slack: float = 1.2
    # Pictures on a board have outlines too; more candidates than this only bring those.
    spare: int = 6
    # One shape may be a newspaper, and small ones may be print: so many must agree, and cover so much of the picture.
    least_boards: int = 2
    least_share: float = 0.08


SETTINGS = FramingSettings()
# Boards are large: half the usual size shows them as well, in a quarter of the time of a live picture.
_COARSE = OutlineSettings(width_px=384)


@dataclass(frozen=True)
class Framed:
    """What looks like boards, and how many pixels a millimetre then has."""

    corners_px: tuple[Corners, ...]
    px_per_mm: float


def framed(bgr: Picture, pack: Pack, settings: FramingSettings = SETTINGS) -> Framed | None:
    """The outlines that agree on one scale for the most boards; None when too little looks like boards."""
    shapes = quads_px(bgr, len(pack.boards) + settings.spare, _COARSE)
    fits = [
        (corners, scale)
        for corners in shapes
        for board in {b.size_mm: b for b in pack.boards.values()}.values()
        if (scale := _scale(corners, board, settings)) is not None
    ]
    if not fits:
        return None

    def agreeing(scale: float) -> dict[Corners, float]:
        low, high = scale / settings.scale_slack, scale * settings.scale_slack
        return {corners: other for corners, other in fits if low <= other <= high}

    # Prints on the boards have outlines too, and agree with each other; the boards themselves cover more of the table.
    best = max(fits, key=lambda fit: sum(_area(corners) for corners in agreeing(fit[1])))[1]
    chosen = agreeing(best)
    share = sum(_area(corners) for corners in chosen) / (bgr.shape[0] * bgr.shape[1])
    if len(chosen) < min(settings.least_boards, len(pack.boards)) or share < settings.least_share:
        return None
    # An outline that was found in part makes its board too small, never too large.
    return Framed(tuple(chosen)[: len(pack.boards)], max(chosen.values()))


def _scale(corners: Corners, board: Board, settings: FramingSettings) -> float | None:
    """Pixels per millimetre if these corners are that board's, in whichever turn."""
    points = np.array(corners, np.float32)
    sides = np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1)
    if max(_ratio(sides[0], sides[2]), _ratio(sides[1], sides[3])) > settings.side_slack:
        return None
    across, down = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    for width, height in permutations(board.size_mm):
        off = (across / max(down, 1e-6)) / (width / height)
        if 1 / settings.proportion_slack < off < settings.proportion_slack:
            return float(np.sqrt(_area(corners) / (width * height)))
    return None


def _ratio(one: float, other: float) -> float:
    return float(max(one, other) / max(min(one, other), 1e-6))


def _area(corners: Corners) -> float:
    return float(cv2.contourArea(np.array(corners, np.float32)))

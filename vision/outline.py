"""Rough poses from outlines: four-sided shapes in the frame with the proportions of the board.

The last resort, for boards with too little print or too much of the same.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards import BoardModel
from vision.fix import Matrix, homography
from vision.lens import Lens
from vision.rectify import Picture


@dataclass(frozen=True)
class OutlineSettings:
    width_px: int = 768
    # A board smaller than this share of the frame could not be read anyway.
    least_area: float = 0.02
    # Perspective and rounded corners change proportions by so much.
    proportion_slack: float = 1.25
    most: int = 3
    # The smallest piece worth a photograph of its own.
    least_piece: float = 0.0008
    # ... and a larger one than this is the table.
    most_piece: float = 0.25
    # Edges are looked for at several strengths: a dark board on a dark table has faint ones.
    edge_levels: tuple[int, ...] = (30, 80, 160)


SETTINGS = OutlineSettings()


def outlines(
    frame: Picture, model: BoardModel, lens: Lens, settings: OutlineSettings = SETTINGS
) -> list[Matrix]:
    """Poses of the board in each fitting quadrilateral, in every turn that its proportions allow."""
    size_px = frame.shape[1], frame.shape[0]
    shrink = min(1.0, settings.width_px / size_px[0])
    small = cv2.resize(frame, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    ratio = size_px[0] / small.shape[1]
    width, height = model.size_mm
    corners_mm = [(0, 0), (width, 0), (width, height), (0, height)]
    poses: list[Matrix] = []
    for quad in _quads(np.asarray(small, np.uint8), settings)[: settings.most]:
        corners = lens.flatten((quad + 0.5) * ratio - 0.5, size_px)
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        across, down = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
        for turn in range(4):
            seen = across / down if turn % 2 == 0 else down / across
            off = seen / (width / height)
            if 1 / settings.proportion_slack < off < settings.proportion_slack:
                poses.append(homography(corners_mm, np.roll(corners, -turn, axis=0)))
    return poses


def quads_px(
    frame: Picture, count: int, settings: OutlineSettings = SETTINGS
) -> list[tuple[tuple[float, float], ...]]:
    """The corners of `count` cards or tiles laid out apart, in reading order; fewer when fewer can be told apart.

    Each is clockwise from the corner nearest to the top left of the picture.
    """
    shrink = min(1.0, 2 * settings.width_px / frame.shape[1])
    small = np.asarray(cv2.resize(frame, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    found: list[NDArray[np.float64]] = []
    for quad in _quads(small, replace(settings, least_area=settings.least_piece)):
        middle = quad.mean(axis=0)
        inside_other = any(
            cv2.pointPolygonTest(other.astype(np.float32), (float(middle[0]), float(middle[1])), False) >= 0
            for other in found
        )
        piece = (
            cv2.contourArea(quad.astype(np.float32)) < settings.most_piece * small.shape[0] * small.shape[1]
        )
        if piece and not inside_other and len(found) < count:
            found.append(_from_top_left(quad))
    tall = float(np.median([np.ptp(quad[:, 1]) for quad in found])) if found else 1.0
    rows = sorted(found, key=lambda quad: float(quad[:, 1].mean()))
    ordered: list[NDArray[np.float64]] = []
    while rows:
        top = float(rows[0][:, 1].mean())
        row = [quad for quad in rows if float(quad[:, 1].mean()) < top + 0.6 * tall]
        rows = rows[len(row) :]
        ordered += sorted(row, key=lambda quad: float(quad[:, 0].mean()))
    return [tuple((float(x), float(y)) for x, y in (quad + 0.5) / shrink - 0.5) for quad in ordered]


def _quads(small: Picture, settings: OutlineSettings) -> list[NDArray[np.float64]]:
    """Convex quadrilaterals, clockwise, large ones first, near-equal ones once."""
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    pictures = [cv2.Canny(grey, level / 2, level) for level in settings.edge_levels]
    _, dark = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    pictures += [dark, cv2.bitwise_not(dark)]
    found: list[tuple[float, NDArray[np.float64]]] = []
    for picture in pictures:
        closed = cv2.morphologyEx(picture, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        contours, _ = cv2.findContours(closed, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            hull = cv2.convexHull(contour)
            area = cv2.contourArea(hull)
            if area < settings.least_area * grey.size:
                continue
            quad = cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True)
            if len(quad) == 4 and cv2.contourArea(quad) > 0.85 * area:
                found.append((area, _clockwise(quad.reshape(4, 2).astype(np.float64))))
    found.sort(key=lambda pair: -pair[0])
    distinct: list[NDArray[np.float64]] = []
    for _, quad in found:
        if all(np.abs(_from_top_left(quad) - _from_top_left(other)).max() > 6 for other in distinct):
            distinct.append(quad)
    return distinct


def _clockwise(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    x, y = quad[:, 0], quad[:, 1]
    doubled_area = float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
    return quad if doubled_area > 0 else quad[::-1].copy()


def _from_top_left(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.roll(quad, -int(quad.sum(axis=1).argmin()), axis=0)

"""Cards and tiles lying loose on the table: found by being unlike the table and of the size they must have."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.snap import SnapSettings, snap_board
from vision.pack import Point
from vision.rectify import Picture

Quad = tuple[Point, ...]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LooseSettings:
    width_px: int = 1200  # enough for the outline of a card; edges are fitted in the whole picture
    # The table is what most of the picture looks like; this many deviations from it is something else.
    unlike: float = 3.5
    rounds: int = 4
    # Holes to be closed and crumbs to be swept, as shares of a piece's short side.
    seam_share: float = 0.12
    close_share: float = 0.12
    open_share: float = 0.3
    # A piece is as large as its slot says, give or take its border and a tilted camera.
    size_slack: float = 1.3
    # Edges are looked for this near to the rough outline, as a share of the short side.
    snap_share: float = 0.07


SETTINGS = LooseSettings()


def loose_quads(
    bgr: Picture, piece_px: tuple[float, float], settings: LooseSettings = SETTINGS
) -> list[Quad]:
    """The corners of every piece of that size, in reading order, each clockwise from its top left in the picture.

    Whatever is larger or smaller is left out: two cards that touch are no card.
    """
    shrink = min(1.0, settings.width_px / bgr.shape[1])
    small = cv2.resize(bgr, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    wide, high = (side * shrink for side in piece_px)
    mask = _pieces(np.asarray(small, np.uint8), min(wide, high), settings)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    reach = settings.snap_share * min(piece_px) / bgr.shape[1]
    found = []
    for contour in contours:
        quad = _upright(np.asarray(cv2.boxPoints(cv2.minAreaRect(contour)), np.float64))
        if _fits(quad, (wide, high), settings.size_slack):
            rough = [(float(x), float(y)) for x, y in (quad + 0.5) / shrink - 0.5]
            found.append(np.array(snap_board(bgr, rough, SnapSettings(reach=reach, samples=40))))
    return [tuple((float(x), float(y)) for x, y in quad) for quad in _reading_order(found)]


def _pieces(small: Picture, short_px: float, settings: LooseSettings) -> Picture:
    """White where something lies that is not the table."""
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.2), cv2.COLOR_BGR2LAB).astype(np.float64)
    off = _unlike_table(lab, settings)
    mask = np.where(off > settings.unlike, 255, 0).astype(np.uint8)

    def disc(share: float) -> Picture:
        side = max(3, round(share * short_px) | 1)
        return np.asarray(cv2.getStructuringElement(cv2.MORPH_RECT, (side, side)), np.uint8)

    # Seams of the table are swept first: closed up, they would join the pieces on both sides.
    swept = cv2.morphologyEx(mask, cv2.MORPH_OPEN, disc(settings.seam_share))
    closed = cv2.morphologyEx(swept, cv2.MORPH_CLOSE, disc(settings.close_share))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(mask)
    cv2.drawContours(filled, contours, -1, 255, cv2.FILLED)
    return np.asarray(cv2.morphologyEx(filled, cv2.MORPH_OPEN, disc(settings.open_share)), np.uint8)


def _unlike_table(lab: Floats, settings: LooseSettings) -> Floats:
    """Deviations from the table's colour, which may change smoothly over the picture as the light does."""
    height, width = lab.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)
    coarse, colours = terms[::6, ::6].reshape(-1, 6), lab[::6, ::6].reshape(-1, 3)
    table = np.ones(len(coarse), bool)
    for _ in range(settings.rounds):
        weights, *_ = np.linalg.lstsq(coarse[table], colours[table], rcond=None)
        left = colours - coarse @ weights
        usual = 1.48 * np.median(np.abs(left[table]), axis=0) + 1.0
        table = np.linalg.norm(left / usual, axis=1) < settings.unlike
    off: Floats = np.linalg.norm((lab - terms @ weights) / usual, axis=2)
    return off


def _fits(quad: Floats, size_px: tuple[float, float], slack: float) -> bool:
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    seen = sorted((float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2))
    return all(1 / slack < a / b < slack for a, b in zip(seen, sorted(size_px), strict=True))


def _upright(points: Floats) -> Floats:
    """Clockwise from the corner nearest to the top left."""
    way = points - points.mean(axis=0)
    points = points[np.argsort(np.arctan2(way[:, 1], way[:, 0]))]
    return np.roll(points, -int(points.sum(axis=1).argmin()), axis=0)


def _reading_order(quads: list[Floats]) -> list[Floats]:
    """Rows from the top, each from the left."""
    if not quads:
        return []
    tall = float(np.median([np.ptp(quad[:, 1]) for quad in quads]))
    rows = sorted(quads, key=lambda quad: float(quad[:, 1].mean()))
    ordered: list[Floats] = []
    while rows:
        top = float(rows[0][:, 1].mean())
        row = [quad for quad in rows if float(quad[:, 1].mean()) < top + 0.6 * tall]
        rows = rows[len(row) :]
        ordered += sorted(row, key=lambda quad: float(quad[:, 0].mean()))
    return ordered

"""A finger is a centimetre wide: a tap is moved to the corner it was meant for, to a fraction of a pixel."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.pack import Point
from vision.rectify import Picture


@dataclass(frozen=True)
class SnapSettings:
    """Lengths are shares of the picture's width."""

    reach: float = 0.012
    # Corners far weaker than the best are texture of the table.
    quality: float = 0.08
    # A weaker corner wins only when it is clearly nearer.
    strength_weight: float = 0.25
    most: int = 24


SETTINGS = SnapSettings()


def snap_corner(bgr: Picture, tapped_px: Point, settings: SnapSettings = SETTINGS) -> Point:
    """The corner near a tap; the tap itself when there is none."""
    height, width = bgr.shape[:2]
    reach = max(8, round(settings.reach * width))
    x, y = round(tapped_px[0]), round(tapped_px[1])
    left, top = max(0, x - 2 * reach), max(0, y - 2 * reach)
    part = bgr[top : min(height, y + 2 * reach + 1), left : min(width, x + 2 * reach + 1)]
    if min(part.shape[:2]) < 16:
        return tapped_px
    blur = max(0.8, width / 3000)
    grey = cv2.GaussianBlur(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), (0, 0), blur)
    window = max(3, reach // 6)
    strength = cv2.cornerMinEigenVal(grey, 2 * window + 1)
    found = cv2.goodFeaturesToTrack(grey, settings.most, settings.quality, window, blockSize=2 * window + 1)
    if found is None:
        return tapped_px
    corners = np.asarray(found, np.float32).reshape(-1, 2)
    away = np.linalg.norm(corners + np.array([left, top]) - np.array(tapped_px), axis=1) / reach
    weak = 1 - strength[corners[:, 1].astype(int), corners[:, 0].astype(int)] / max(
        float(strength.max()), 1e-9
    )
    cost = np.where(away <= 1, away + settings.strength_weight * weak, np.inf)
    if not np.isfinite(cost).any():
        return tapped_px
    best = corners[int(cost.argmin())].reshape(1, 1, 2)
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 0.01)
    exact = np.asarray(cv2.cornerSubPix(grey, best.copy(), (window, window), (-1, -1), criteria)).ravel()
    if np.abs(exact - best.ravel()).max() > window:
        exact = best.ravel()
    return float(exact[0] + left), float(exact[1] + top)

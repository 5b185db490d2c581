"""How far a slot can be believed that is burnt out: where the sensor is full, white paint, pale print and glare look the same.

What is read there may still be right, and mostly is; but it cannot be sure.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pack import Rect
from vision.read.cuts import SHEET_PX_PER_MM, Sheet
from vision.read.light import SETTINGS as LIGHT


@dataclass(frozen=True)
class BurntSettings:
    # Share of a slot in which a colour is burnt out: from the first on it is in doubt, from the second as much as ever.
    # White paint and print under a lamp come to a third.
    shares: tuple[float, float] = (0.45, 0.75)
    most_doubt: float = 0.11  # about as often a slot is read wrongly that is all but burnt out


SETTINGS = BurntSettings()


def burnt_shares(sheet: Sheet, rects_mm: Sequence[Rect]) -> NDArray[np.float64]:
    """How much of each rectangle of a board has a colour that is burnt out."""
    brightest = (math.ceil(LIGHT.burnt) - 1.0,) * 3
    sound = np.asarray(cv2.inRange(sheet.half, (0.0,) * 3, brightest), np.bool_)  # no colour is burnt out
    x, y, width, height = np.array(rects_mm, np.float64).reshape(-1, 4).T
    scale = SHEET_PX_PER_MM / 2
    x, y = x - sheet.origin_mm[0], y - sheet.origin_mm[1]
    rows, columns = sound.shape
    left, right = (np.clip(np.rint(v * scale), 0, columns).astype(int) for v in (x, x + width))
    top, bottom = (np.clip(np.rint(v * scale), 0, rows).astype(int) for v in (y, y + height))
    sums = np.asarray(cv2.integral(sound.view(np.uint8)), np.int64)
    total = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
    pixels = (bottom - top) * (right - left)
    return np.asarray((pixels - total) / np.maximum(pixels, 1), np.float64)


def doubt(share: float, settings: BurntSettings = SETTINGS) -> float:
    """How likely a slot is to be something else than it seems, for all of it that is burnt out."""
    low, high = settings.shares
    return min(max((share - low) / (high - low), 0.0), 1.0) * settings.most_doubt


def doubted_tile(tile: Mapping[str, float], doubt: float) -> dict[str, float]:
    """A tile's labels, the others together as likely as the doubt says."""
    return {label: _doubted(p, doubt, len(tile)) for label, p in tile.items()}


def doubted_counts(
    counts: Mapping[str, Mapping[int, float]], doubt: float, numbers: Sequence[int]
) -> dict[str, dict[int, float]]:
    """The same for how many there are of each label, or where it stands: the doubt is that of the whole slot."""
    each = 1 - (1 - doubt) ** (1 / max(len(counts), 1))
    return {
        label: {n: _doubted(p.get(n, 0.0), each, len(numbers)) for n in numbers}
        for label, p in counts.items()
    }


def _doubted(p: float, doubt: float, answers: int) -> float:
    """What is taken from each of so many answers is dealt out among the others."""
    return (1 - doubt) * p + doubt * (1 - p) / (answers - 1)

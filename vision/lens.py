"""How the lens bends straight lines: two radial terms about the middle of the picture.

Two pixel spaces are told apart by name everywhere: `frame_px` is the picture as taken, `flat_px` the same
picture through a perfect lens. Both have the picture's middle in common.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]  # N x 2

# A Raspberry Pi Camera Module 3 sees 66 degrees across: 0.77 picture widths. Only parallax depends on it.
FOCAL_WIDTHS = 0.77
# Undistorting is a fixed-point iteration; for lenses a board game can be read through it gains a digit a step.
_STEPS = 12


@dataclass(frozen=True)
class Lens:
    """`frame = middle + (flat - middle) * (1 + k1 r2 + k2 r2^2)`, r in half diagonals, so it fits any size.

    `focal` is the focal length in picture widths. `cameras` of the same kind may share a picture, side by side: each looks
    down from the middle of its own part, and `focal` is in widths of such a part. The bend is the whole picture's, so lenses
    that share one must be straight.
    """

    k1: float = 0.0
    k2: float = 0.0
    focal: float = FOCAL_WIDTHS
    cameras: int = 1

    @property
    def is_perfect(self) -> bool:
        return self.k1 == 0.0 and self.k2 == 0.0

    def bend(self, flat_px: ArrayLike, size_px: tuple[int, int]) -> Points:
        """Flat pixels to frame pixels."""
        points = np.asarray(flat_px, np.float64).reshape(-1, 2)
        if self.is_perfect:
            return points.copy()
        middle, half_diagonal = _middle(size_px)
        off = (points - middle) / half_diagonal
        r2 = (off**2).sum(axis=1, keepdims=True)
        bent: Points = middle + off * (1 + r2 * (self.k1 + self.k2 * r2)) * half_diagonal
        return bent

    def flatten(self, frame_px: ArrayLike, size_px: tuple[int, int]) -> Points:
        """Frame pixels to flat pixels."""
        points = np.asarray(frame_px, np.float64).reshape(-1, 2)
        if self.is_perfect:
            return points.copy()
        middle, half_diagonal = _middle(size_px)
        bent = (points - middle) / half_diagonal
        off = bent.copy()
        for _ in range(_STEPS):
            r2 = (off**2).sum(axis=1, keepdims=True)
            off = bent / np.maximum(1 + r2 * (self.k1 + self.k2 * r2), 0.2)
        flat: Points = middle + off * half_diagonal
        return flat


def _middle(size_px: tuple[int, int]) -> tuple[NDArray[np.float64], float]:
    width, height = size_px
    return np.array([(width - 1) / 2, (height - 1) / 2]), float(np.hypot(width, height) / 2)

"""Natural irregularity: smooth random fields from small random grids, enlarged by OpenCV."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Field = NDArray[Any]  # height x width, float32


def smooth(rng: np.random.Generator, size_px: tuple[int, int], cells: tuple[float, float]) -> Field:
    """A field in 0..1 with about `cells` bumps across and down; `size_px` is (width, height)."""
    grid = rng.random((max(2, round(cells[1]) + 3), max(2, round(cells[0]) + 3)), dtype=np.float32)
    return np.asarray(cv2.resize(grid, size_px, interpolation=cv2.INTER_CUBIC), np.float32)


def clouds(
    rng: np.random.Generator,
    size_px: tuple[int, int],
    cells: tuple[float, float],
    octaves: int = 5,
    rough: float = 0.55,
) -> Field:
    """Fractal noise in 0..1: each octave is twice as fine and `rough` times as strong."""
    total = np.zeros((size_px[1], size_px[0]), np.float32)
    strength, weight = 1.0, 0.0
    for octave in range(octaves):
        scale = 2**octave
        if cells[0] * scale > size_px[0] and cells[1] * scale > size_px[1]:
            break
        total += strength * smooth(rng, size_px, (cells[0] * scale, cells[1] * scale))
        weight += strength
        strength *= rough
    low, high = float(total.min()), float(total.max())
    return np.asarray((total - low) / max(high - low, 1e-6), np.float32)


def grain(rng: np.random.Generator, size_px: tuple[int, int], sigma: float) -> Field:
    """Fine noise around 0. A tile of it is repeated: the eye does not see it, and it costs little."""
    side = 512
    tile = rng.standard_normal((side, side), dtype=np.float32) * sigma
    down, across = -(-size_px[1] // side), -(-size_px[0] // side)
    return np.asarray(np.tile(tile, (down, across))[: size_px[1], : size_px[0]], np.float32)


def mixed(first: Field, second: Field, share: Field) -> Field:
    """Two colours or pictures mixed by a field: 0 gives the first, 1 the second."""
    weight = share[..., None]
    return np.asarray(first * (1 - weight) + second * weight, np.float32)


def ramp(value: Field, low: float, high: float) -> Field:
    """0 below `low`, 1 above `high`, smooth between."""
    t = np.clip((value - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t), np.float32)

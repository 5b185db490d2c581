"""What a small picture of a piece is turned into before labels are told apart.

A picture becomes its logarithm less its mean (so a change of light drops out), pooled over small cells, next to
the directions of its edges; the mean colour is kept apart, for the sets where colour is all that differs.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class FeatureSettings:
    offset: float = 12.0  # added before the logarithm; noise of dark pixels stays below the print's contrast
    edge_cell_px: int = 2
    directions: int = 8
    edge_floor: float = 0.03  # edges weaker than this (log units a pixel) are noise and must not be scaled up
    edge_weight: float = 0.5  # both halves then carry about the same variance
    mean_weight: float = 4.0  # three numbers against a thousand: the mean colour still counts


SETTINGS = FeatureSettings()

# Brightness, red against green, blue against both: shadows and rims move the first and spare the others.
_OPPONENT = np.array([[1 / 3, 0, -1], [1 / 3, 1, 0.5], [1 / 3, -1, 0.5]], np.float32)


def logs(pictures: Floats, settings: FeatureSettings = SETTINGS) -> Floats:
    """Log camera values."""
    return np.log(np.maximum(pictures, 0) + np.float32(settings.offset))


def features(pictures: Floats, mask: Floats, settings: FeatureSettings = SETTINGS) -> Floats:
    """N pictures (N x height x width x 3, sides divisible by 2) as N rows. `mask` weighs the pixels, 0..1."""
    n = len(pictures)
    values = logs(pictures, settings)
    total = max(float(mask.sum()), 1.0)
    mean = np.tensordot(values, mask, axes=((1, 2), (0, 1))) / np.float32(total)
    centred = (values - mean[:, None, None, :]) * mask[None, :, :, None]
    colour = (centred @ _OPPONENT).reshape(n, -1)
    edges = _edges(values.mean(axis=3), mask, settings).reshape(n, -1)
    scale = np.float32(settings.edge_weight)
    tone = (mean @ _OPPONENT) * np.float32(settings.mean_weight)
    return np.concatenate([colour, edges * scale, tone], axis=1)


def _pooled(values: Floats, cell: int) -> Floats:
    """Means over square cells, by adding strided views: far quicker than a reduction over short axes."""
    total = values[:, ::cell, ::cell].copy()
    for down in range(cell):
        for right in range(cell):
            if down or right:
                total += values[:, down::cell, right::cell]
    total *= np.float32(1 / cell**2)
    return total


def _edges(luma: Floats, mask: Floats, settings: FeatureSettings) -> Floats:
    """Edge strength by direction in each cell, relative to the strength around it."""
    right = np.zeros_like(luma)
    down = np.zeros_like(luma)
    right[:, :, 1:-1] = luma[:, :, 2:] - luma[:, :, :-2]
    down[:, 1:-1] = luma[:, 2:] - luma[:, :-2]
    angles = np.arange(settings.directions, dtype=np.float32) * np.float32(2 * np.pi / settings.directions)
    # A cosine lobe for each direction: soft bins without an arctangent for every pixel.
    right *= mask
    down *= mask
    cells = np.stack(
        [_pooled(np.maximum(right * np.cos(a) + down * np.sin(a), 0), settings.edge_cell_px) for a in angles],
        axis=-1,
    )
    strength = np.sqrt((cells**2).sum(axis=3, keepdims=True))
    around = strength.mean(axis=(1, 2), keepdims=True)
    normal: Floats = cells / (strength * 0.5 + around + np.float32(settings.edge_floor))
    return normal

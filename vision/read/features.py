"""What a small picture of a piece is turned into before labels are told apart.

A picture becomes its logarithm less its mean (so a change of light drops out), pooled over small cells, next to
the directions of its edges; the mean colour is kept apart, for the sets where colour is all that differs.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.read.pixels import by_colour, exp, log

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
_BACK = np.linalg.inv(_OPPONENT)


LEAST_COVER = 0.05  # thinner, noise would be most of what is described


def logs(pictures: Floats | NDArray[np.uint8], settings: FeatureSettings = SETTINGS) -> Floats:
    """Log camera values; those straight from the camera are looked up."""
    if pictures.dtype == np.uint8:
        looked_up = cv2.LUT(pictures.reshape(len(pictures), -1), _byte_logs(settings))
        return np.asarray(looked_up, np.float32).reshape(pictures.shape)
    positive = np.maximum(pictures, 0)
    positive += np.float32(settings.offset)
    return log(positive)


@lru_cache(maxsize=4)
def _byte_logs(settings: FeatureSettings) -> Floats:
    return log(np.arange(256, dtype=np.float32) + np.float32(settings.offset))


def features(pictures: Floats, mask: Floats, settings: FeatureSettings = SETTINGS) -> Floats:
    """N pictures (N x height x width x 3, sides divisible by 2) as N rows. `mask` weighs the pixels, 0..1."""
    n, height, width = pictures.shape[:3]
    pixels = 3 * height * width
    values = logs(pictures, settings)
    # Everything below is linear in the opponent colours; one pass over the pictures makes them.
    mixed = cv2.transform(values.reshape(n * height, width, 3), _OPPONENT.T)
    opponent = np.asarray(mixed, np.float32).reshape(n, pixels)
    weights = np.repeat(mask.reshape(-1), 3)
    spread = by_colour(mask)
    tone = opponent @ spread / np.float32(max(float(mask.sum()), 1.0))
    rows = np.empty((n, pixels + _edge_count(mask, settings) + 3), np.float32)
    colour = rows[:, :pixels]
    np.multiply(opponent, weights, out=colour)
    colour -= tone @ spread.T
    edges = _edges(np.ascontiguousarray(opponent[:, ::3]).reshape(n, height, width), mask, settings)
    np.multiply(edges, np.float32(settings.edge_weight), out=rows[:, pixels:-3])
    np.multiply(tone, np.float32(settings.mean_weight), out=rows[:, -3:])
    return rows


def pictures_of(rows: Floats, mask: Floats, settings: FeatureSettings = SETTINGS) -> Floats:
    """The pictures that such rows describe; where the mask is thin, only nearly."""
    height, width = mask.shape
    cover = mask.reshape(-1, 1)
    tone = rows[:, None, -3:] / np.float32(settings.mean_weight)
    opponent = (rows[:, : 3 * mask.size].reshape(len(rows), -1, 3) + tone * cover) / np.maximum(
        cover, LEAST_COVER
    )
    values = exp(opponent.reshape(-1, 3) @ _BACK) - np.float32(settings.offset)
    return np.asarray(np.clip(values, 0, 255), np.float32).reshape(len(rows), height, width, 3)


def _edge_count(mask: Floats, settings: FeatureSettings) -> int:
    return mask.size // settings.edge_cell_px**2 * settings.directions


def _edges(luma: Floats, mask: Floats, settings: FeatureSettings) -> Floats:
    """Edge strength by direction in each cell, relative to the strength around it: N rows."""
    n, height, width = luma.shape
    cell, half = settings.edge_cell_px, settings.directions // 2
    right, down = np.zeros((2, n, height, width), np.float32)
    np.subtract(luma[:, :, 2:], luma[:, :, :-2], out=right[:, :, 1:-1])
    np.subtract(luma[:, 2:], luma[:, :-2], out=down[:, 1:-1])
    # All pictures one below the other, whose sides are whole numbers of cells.
    right, down = ((slope * mask).reshape(n * height, width) for slope in (right, down))

    def pooled(values: Floats) -> Floats:
        size = width // cell, n * height // cell
        return np.asarray(cv2.resize(values, size, interpolation=cv2.INTER_AREA), np.float32)

    right_cells, down_cells = pooled(right), pooled(down)
    cells = np.empty((2 * half, *right_cells.shape), np.float32)
    for i in range(half):
        # A cosine lobe for each direction: soft bins without an arctangent for every pixel. What a lobe leaves
        # out of the mean slope is what the opposite one takes in.
        across, along = np.cos(np.pi * i / half), np.sin(np.pi * i / half)
        slope = np.asarray(cv2.addWeighted(right, across, down, along, 0), np.float32)
        cells[i] = pooled(np.maximum(slope, 0, out=slope))
        np.subtract(cells[i], cv2.addWeighted(right_cells, across, down_cells, along, 0), out=cells[i + half])
    strength = np.sqrt(np.einsum("dhw,dhw->hw", cells, cells)).reshape(n, -1)
    around = strength.mean(axis=1, keepdims=True)
    strength *= np.float32(0.5)
    strength += around + np.float32(settings.edge_floor)
    cells /= strength.reshape(right_cells.shape)
    return np.asarray(cv2.merge(list(cells)), np.float32).reshape(n, -1)

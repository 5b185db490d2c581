"""The last pixel of alignment: how far, and by what angle, a picture lies off the one it is compared with.

A search finds a piece to a pixel or two. Letters differ by strokes no wider than that, so the rest is solved for:
what is left between two pictures of one piece is, to first order, its slopes times a small move.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.read.features import logs
from vision.read.pixels import blurred_planes, mixed

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class FineSettings:
    blur_px: float = 1.2  # slopes then reach as far as the search may be off
    rounds: int = 2
    most_px: float = 2.5  # further off it is not the same piece, or the picture is not one of it
    most_deg: float = 4.0
    steadiness: float = 0.02  # of a template's slopes: a move they hardly show is not made up
    least_px: float = 0.1  # what would move by less lies as it should


SETTINGS = FineSettings()
_MEAN = np.full((1, 3), 1 / 3, np.float32)


def shades(pictures: Floats | NDArray[np.uint8], mask: Floats) -> Floats:
    """Pictures (N x height x width x 3) as rows of softened brightness: under the mask of mean 0 and deviation 1."""
    return softened(brightness(pictures), mask)


def brightness(pictures: Floats | NDArray[np.uint8]) -> Floats:
    """N x height x width, of pictures in colour: the mean of their logarithms."""
    n, height, width = pictures.shape[:3]
    return mixed(logs(pictures).reshape(n * height, width, 3), _MEAN).reshape(n, height, width)


def softened(bright: Floats, mask: Floats, settings: FineSettings = SETTINGS) -> Floats:
    """The brightness of pictures as `shades`."""
    rows = blurred_planes(bright, settings.blur_px).reshape(len(bright), -1)
    weight = (mask / mask.sum()).reshape(-1)
    rows -= (rows @ weight)[:, None]
    rows /= np.sqrt(np.maximum((rows * rows) @ weight, np.float32(0.02**2)))[:, None]
    return np.asarray(rows, np.float32)


def solvers(templates: Floats, mask: Floats, settings: FineSettings = SETTINGS) -> Floats:
    """For each template the matrix that turns a difference from it into a move right, down and anticlockwise.

    Shifts are pixels; the turn is in pixels at the rim, so that all three are of one size. N x 3 x pixels.
    """
    height, width = mask.shape
    weight = (mask / mask.sum()).reshape(-1)
    pictures = templates.reshape(-1, height, width)
    down, right = (np.asarray(np.gradient(pictures, axis=axis), np.float32) for axis in (1, 2))
    y, x = np.mgrid[:height, :width].astype(np.float32)
    reach = max(height, width) / 2
    turn = ((x - (width - 1) / 2) * down - (y - (height - 1) / 2) * right) / reach
    slopes = np.stack([right, down, turn], axis=1).reshape(len(templates), 3, -1)
    # Brightness and contrast are evened out before pictures are compared; no move may stand in for them.
    slopes -= (slopes @ weight)[..., None]
    slopes -= np.einsum("nkp,np->nk", slopes * weight, templates)[..., None] * templates[:, None]
    weighted = slopes * weight
    power = np.einsum("nkp,nlp->nkl", weighted, slopes)
    steady = settings.steadiness * np.trace(power, axis1=1, axis2=2) / 3 + 1e-6
    return np.asarray(np.linalg.solve(power + steady[:, None, None] * np.eye(3), weighted), np.float32)


def moves(
    seen: Floats,
    templates: Floats,
    solvers_: Sequence[Floats],
    size_px: tuple[int, int],
    settings: FineSettings = SETTINGS,
) -> NDArray[np.float64]:
    """For each row of shades the 3 x 3 matrix that moves its picture onto its template."""
    # One by one: the solvers of many pictures in one array would have to be copied there.
    each = [solver @ off for solver, off in zip(solvers_, seen - templates, strict=True)]
    right, down, turned = np.array(each, np.float64).reshape(-1, 3).T
    reach = max(size_px) / 2
    most = settings.most_px
    right, down = np.clip(right, -most, most), np.clip(down, -most, most)
    turned = np.clip(turned / reach, -np.deg2rad(settings.most_deg), np.deg2rad(settings.most_deg))
    across, along = (size_px[0] - 1) / 2, (size_px[1] - 1) / 2
    matrices = np.zeros((len(seen), 3, 3))
    matrices[:, range(3), range(3)] = 1
    matrices[:, 0, 1], matrices[:, 1, 0] = -turned, turned
    matrices[:, 0, 2], matrices[:, 1, 2] = right + turned * along, down - turned * across
    return matrices


def far(
    ways: NDArray[np.float64], size_px: tuple[int, int], settings: FineSettings = SETTINGS
) -> NDArray[np.bool_]:
    """Which of the moves take a corner of the picture further than is worth it."""
    width, height = size_px
    corners = np.array([(0, 0, 1), (width, 0, 1), (0, height, 1), (width, height, 1)], np.float64).T
    off = (ways - np.eye(3)) @ corners
    return np.asarray(np.abs(off).max(axis=(1, 2)) > settings.least_px, np.bool_)


def likeness(seen: Floats, templates: Floats, mask: Floats) -> Floats:
    """Correlation of rows of shades, two by two."""
    return np.asarray((seen * templates) @ (mask / mask.sum()).reshape(-1), np.float32)

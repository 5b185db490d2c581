"""The few OpenCV operations that reading is made of, on floating-point pictures."""

from functools import lru_cache, reduce
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float32]


def resized(picture: Floats, size_px: tuple[int, int]) -> Floats:
    """A picture of another size (width, height); shrinking averages, so that fine print does not sparkle."""
    smaller = size_px[0] <= picture.shape[1] and size_px[1] <= picture.shape[0]
    how = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size_px, interpolation=how), np.float32)


def log(picture: Floats) -> Floats:
    """Natural logarithms, to a float's last digit, in a quarter of the time numpy takes."""
    return np.asarray(cv2.log(picture), np.float32).reshape(picture.shape)


def exp(picture: Floats) -> Floats:
    """The same for the exponential function."""
    return np.asarray(cv2.exp(picture), np.float32).reshape(picture.shape)


def power(picture: Floats, exponent: float) -> Floats:
    """Each value, none of them negative, to a power."""
    return np.asarray(cv2.pow(picture, exponent), np.float32).reshape(picture.shape)


def mixed(picture: Floats, shares: Floats) -> Floats:
    """Sums of the three colours of each pixel, weighed by each row of `shares`; one row leaves no third axis."""
    return np.asarray(cv2.transform(picture, shares), np.float32)


def by_colour(weights: Floats) -> Floats:
    """The matrix that takes pixels, their three colours one after the other, to the weighted sum of each colour."""
    columns = np.zeros((3 * weights.size, 3), np.float32)
    for colour in range(3):
        columns[colour::3, colour] = weights.reshape(-1)
    return columns


def strongest(picture: NDArray[Any]) -> NDArray[Any]:
    """The largest of the few channels of each pixel; numpy's own reduction over so short an axis takes ten times as long."""
    return np.asarray(reduce(np.maximum, (picture[..., i] for i in range(picture.shape[-1]))))


def median_colour(pixels: NDArray[Any]) -> Floats:
    """Of N pixels (N x 3), channel by channel; for one value in the middle `np.median` takes eight times as long."""
    middle = len(pixels) // 2
    return np.asarray(np.partition(np.ascontiguousarray(pixels.T), middle, axis=1)[:, middle], np.float32)


def blurred(picture: Floats, sigma_px: float) -> Floats:
    soft = cv2.GaussianBlur(picture, (0, 0), sigma_px, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(soft, np.float32)


def blurred_planes(planes: Floats, sigma_px: float) -> Floats:
    """A Gaussian over each of N planes (N x height x width): along either axis a product with a matrix."""
    return _along_both(planes, *(_blur(side, 1, sigma_px) for side in planes.shape[1:]))


def blurred_small(planes: Floats, sigma_px: float) -> Floats:
    """The same with a wide Gaussian, which hardly needs a third of its width in pixels: they are as many times fewer."""
    shrink = max(1, int(sigma_px / 3))
    return _along_both(planes, *(_blur(side, shrink, sigma_px) for side in planes.shape[1:]))


def grown(planes: Floats, size_px: tuple[int, int]) -> Floats:
    """N planes (N x height x width) drawn larger or smaller, to a size (height, width)."""
    rows, columns = (_growth(*sides) for sides in zip(planes.shape[1:], size_px, strict=True))
    across = (rows @ planes).reshape(-1, planes.shape[2]) @ columns.T
    return np.asarray(across, np.float32).reshape(-1, *size_px)


def _along_both(planes: Floats, rows: Floats, columns: Floats) -> Floats:
    across = (planes.reshape(-1, planes.shape[2]) @ columns.T).reshape(*planes.shape[:2], -1)
    return np.asarray(rows @ across, np.float32)


@lru_cache(maxsize=64)
def _blur(length: int, shrink: int, sigma_px: float) -> Floats:
    """The matrix that shrinks and blurs a line of pixels."""
    small = resized(np.eye(length, dtype=np.float32), (length, max(2, length // shrink)))
    along = (1, 0)  # no blur across lines
    soft = cv2.GaussianBlur(small, along, sigmaX=1, sigmaY=sigma_px / shrink, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(soft, np.float32)


@lru_cache(maxsize=32)
def _growth(few: int, many: int) -> Floats:
    """The matrix that draws a line of pixels as one of another length."""
    return resized(np.eye(few, dtype=np.float32), (few, many))


def each_warped(pictures: Floats, matrices: NDArray[np.float64], size_px: tuple[int, int]) -> Floats:
    """N pictures, each moved by a matrix of its own; past the rim the rim's own colour."""
    moved = np.empty((len(pictures), size_px[1], size_px[0], *pictures.shape[3:]), np.float32)
    for picture, matrix, place in zip(pictures, matrices, moved, strict=True):
        cv2.warpAffine(picture, matrix, size_px, place, cv2.INTER_LINEAR, cv2.BORDER_REPLICATE)
    return moved


def warped(
    picture: Floats, matrix: ArrayLike, size_px: tuple[int, int], beyond: float | None = None
) -> Floats:
    """An affine warp; past the rim the rim's own colour, or the value `beyond`."""
    moved = cv2.warpAffine(
        picture,
        np.asarray(matrix, np.float64),
        size_px,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE if beyond is None else cv2.BORDER_CONSTANT,
        borderValue=0.0 if beyond is None else beyond,
    )
    return np.asarray(moved, np.float32)


def sampled(
    picture: NDArray[Any], matrix: ArrayLike, size_px: tuple[int, int], out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """A picture of `size_px` whose pixel p shows `picture` at matrix * p; past the rim the rim's own colour."""
    return np.asarray(
        cv2.warpAffine(
            picture,
            np.asarray(matrix, np.float64),
            size_px,
            out,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    )


def filtered(picture: Floats, kernel: Floats) -> Floats:
    """Correlation with a kernel, rim continued."""
    return np.asarray(cv2.filter2D(picture, -1, kernel, borderType=cv2.BORDER_REPLICATE), np.float32)


def turn_about(middle: tuple[float, float], angle_deg: float, scale: float = 1.0) -> NDArray[np.float64]:
    """The matrix of a turn (anticlockwise as seen) about a point."""
    return np.asarray(cv2.getRotationMatrix2D(middle, angle_deg, scale), np.float64)

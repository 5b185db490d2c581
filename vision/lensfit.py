"""What the lens does, from two kinds of evidence, weighed by how much each can know.

- The same print in two places of the picture: through a perfect lens they differ by a homography.
- The corners of several boards: through a perfect lens they lie in one plane.

With a camera and a board that never moved there may be little to see; then the answer stays near a perfect lens.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.fix import homography, project
from vision.lens import Lens, Points

Values = NDArray[np.float64]

PERFECT = Lens()


@dataclass(frozen=True)
class LensFitSettings:
    """Pixels are those of a 1536 px frame."""

    # Before any evidence: most lenses people use bend the corner of the picture by a few percent.
    usual_k1: float = 0.05
    usual_k2: float = 0.01
    # How well a printed point is tracked, a corner set by hand.
    point_px: float = 0.3
    corner_px: float = 1.0
    # Points of one board share their errors (a page that is not flat): evidence saturates.
    most_points: int = 80
    rounds: int = 10


SETTINGS = LensFitSettings()


@dataclass(frozen=True, eq=False)
class Pair:
    """The same points of one board in two photographs of one camera, in frame pixels."""

    first_px: Points
    second_px: Points
    size_px: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Corners:
    """The corners of all boards of one photograph: board -> (millimetres, frame pixels)."""

    boards: Mapping[str, tuple[Points, Points]]
    size_px: tuple[int, int]


def fit_lens(
    pairs: Sequence[Pair],
    corners: Sequence[Corners] = (),
    like: Lens = PERFECT,
    settings: LensFitSettings = SETTINGS,
) -> Lens:
    """The likeliest k1 and k2 in view of all the evidence; everything else is as in `like`.

    Cameras that share a picture see different planes and bend about different middles: they are taken as straight.
    """
    if like.cameras > 1:
        return like

    def residuals(k: Values) -> Values:
        lens = Lens(float(k[0]), float(k[1]))
        parts = [_pair_off(pair, lens, settings) for pair in pairs]
        parts += [_plane_off(photo, lens, settings) for photo in corners if len(photo.boards) > 1]
        parts.append(k / (settings.usual_k1, settings.usual_k2))
        return np.concatenate(parts)

    k = _least_squares(residuals, np.zeros(2), np.full(2, 1e-4), settings.rounds)
    k1, k2 = np.clip(k, -0.5, 0.5)
    return replace(like, k1=float(k1), k2=float(k2))


def _pair_off(pair: Pair, lens: Lens, settings: LensFitSettings) -> Values:
    first, second = lens.flatten(pair.first_px, pair.size_px), lens.flatten(pair.second_px, pair.size_px)
    matrix, _ = cv2.findHomography(first, second, 0)
    if matrix is None:
        return np.zeros(0)
    # Measured in the frame: flat pixels grow and shrink with k, which would pass for a better fit.
    expected = lens.bend(project(np.asarray(matrix, np.float64), first), pair.size_px)
    off = (expected - pair.second_px) / (pair.size_px[0] / 1536)
    return _capped(off.ravel() / settings.point_px, len(first), settings.most_points)


def _plane_off(photo: Corners, lens: Lens, settings: LensFitSettings) -> Values:
    """Corners against one plane: the first board's perspective, each other board turned, shifted and scaled in it.

    Scaled, because a ruler held to one board is easily half a millimetre off.
    """
    boards = list(photo.boards.values())
    flats = [lens.flatten(px, photo.size_px) for _, px in boards]
    first_mm = boards[0][0]
    # Numbers near one, so that one step size suits them all.
    unit = np.array([[1, 1, 1e3], [1, 1, 1e3], [1e-3, 1e-3, 1.0]])
    start = homography(first_mm, flats[0])
    values = [(start / start[2, 2] / unit).ravel()[:8]]
    back = np.asarray(np.linalg.inv(start), np.float64)
    for (mm, _), flat in zip(boards[1:], flats[1:], strict=True):
        values.append(_similarity(mm, project(back, flat)) / (1, 1, 1e3, 1e3))

    def off(v: Values) -> Values:
        plane = np.append(v[:8], 1.0).reshape(3, 3) * unit
        parts = [project(plane, first_mm) - flats[0]]
        for index, (mm, _) in enumerate(boards[1:]):
            a, b, x, y = v[8 + 4 * index : 12 + 4 * index] * (1, 1, 1e3, 1e3)
            placed = mm @ np.array([[a, b], [-b, a]]) + (x, y)
            parts.append(project(plane, placed) - flats[index + 1])
        return np.concatenate(parts).ravel() / (photo.size_px[0] / 1536) / settings.corner_px

    v = np.concatenate(values)
    return off(_least_squares(off, v, np.full(len(v), 1e-6), 5))


def _similarity(source: Points, target: Points) -> Values:
    """a, b, x, y of `target = [[a, -b], [b, a]] source + (x, y)`, least squares."""
    rows = np.zeros((2 * len(source), 4))
    rows[0::2] = np.column_stack([source[:, 0], -source[:, 1], np.ones(len(source)), np.zeros(len(source))])
    rows[1::2] = np.column_stack([source[:, 1], source[:, 0], np.zeros(len(source)), np.ones(len(source))])
    return np.asarray(np.linalg.lstsq(rows, target.ravel(), rcond=None)[0], np.float64)


def _least_squares(residuals: Callable[[Values], Values], x: Values, step: Values, rounds: int) -> Values:
    """Gauss-Newton with differences; far-off residuals count less, they are mistakes."""
    here = residuals(x)
    for _ in range(rounds):
        slopes = np.stack(
            [(residuals(x + step * unit) - here) / step[i] for i, unit in enumerate(np.eye(len(x)))], axis=1
        )
        weight = 1 / np.sqrt(np.maximum(1.0, np.abs(here) / 2.5))
        change = np.linalg.lstsq(slopes * weight[:, None], -here * weight, rcond=None)[0]
        x = x + change
        here = residuals(x)
        if np.abs(change / step).max() < 1e-2:
            break
    return x


def _capped(off: Values, count: int, most: int) -> Values:
    return np.asarray(off * min(1.0, most / max(count, 1)) ** 0.5, np.float64)

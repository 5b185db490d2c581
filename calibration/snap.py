"""A finger is a centimetre wide: four tapped corners are moved onto the edges of the board they were meant for.

The corners of a board are rounded, worn, and printed with frames and screws; its edges are long and straight. Each side is
fitted as a line near the tapped one, and corners are where lines meet.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pack import Point
from vision.rectify import Picture

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class SnapSettings:
    """Lengths are shares of the picture's width unless they say pixels."""

    # How far a tap may be off: a fingertip's slip on a 7-inch screen.
    reach: float = 0.007
    # The ends of a side are rounded, and other boards may touch it there.
    ends: float = 0.08
    samples: int = 80
    step_px: float = 0.5
    # The usual slip, as a share of the reach: of a board's edge, its shadow and its printed frame the near one is meant.
    slip: float = 0.3
    # Below this many grey levels there is no edge at all, and the tap is believed.
    least_step: float = 6.0
    # One sample of an edge counts at most so much: a lamp mirrored in one place must not decide.
    most_step: float = 60.0
    refine_px: float = 2.0


SETTINGS = SnapSettings()


def snap_board(
    bgr: Picture, corners_px: Sequence[Point], settings: SnapSettings = SETTINGS
) -> tuple[Point, ...]:
    """Four corners, clockwise, moved to where the edges near them meet; a side without an edge stays as tapped."""
    blur = max(0.7, bgr.shape[1] / 3000)
    smooth = np.asarray(cv2.GaussianBlur(bgr, (0, 0), blur), np.float32)
    corners = np.array(corners_px, np.float64)
    lines = [_side(smooth, corners[at], corners[(at + 1) % 4], settings) for at in range(4)]
    met = [_meet(lines[at - 1], lines[at]) for at in range(4)]
    furthest = 2 * settings.reach * bgr.shape[1]
    return tuple(
        (float(new[0]), float(new[1]))
        if np.linalg.norm(new - old) <= furthest
        else (float(old[0]), float(old[1]))
        for new, old in zip(met, corners, strict=True)
    )


def _side(
    smooth: Floats, start: NDArray[np.float64], end: NDArray[np.float64], settings: SnapSettings
) -> NDArray[np.float64]:
    """Two points of the edge that runs from near `start` to near `end`."""
    along = end - start
    length = float(np.linalg.norm(along))
    reach = settings.reach * smooth.shape[1]
    if length < 8 * settings.step_px:
        return np.stack([start, end])
    outward = np.array([along[1], -along[0]]) / length
    shares = np.linspace(settings.ends, 1 - settings.ends, settings.samples)
    offsets = np.arange(-reach, reach + settings.step_px, settings.step_px)
    points = start + shares[:, None, None] * along + offsets[None, :, None] * outward
    steps = _steps(smooth, points, settings)
    best = _line(steps, offsets, settings)
    if best is None:
        return np.stack([start, end])
    first, last = best
    expected = first + (last - first) * (shares - shares[0]) / (shares[-1] - shares[0])
    near = np.where(np.abs(offsets[None] - expected[:, None]) <= settings.refine_px, steps, 0.0)
    strongest = near.argmax(axis=1)
    exact = _peaks(near, strongest, offsets, settings.step_px)
    sure = near.max(axis=1) >= settings.least_step
    on_edge = (start + shares[:, None] * along + exact[:, None] * outward)[sure]
    if len(on_edge) < settings.samples // 4:
        rough: NDArray[np.float64] = start + np.outer([0.0, 1.0], along) + np.outer([first, last], outward)
        return rough
    x_way, y_way, x, y = (
        float(v) for v in np.ravel(cv2.fitLine(on_edge.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01))
    )
    return np.array([[x, y], [x + x_way * length, y + y_way * length]])


def _steps(smooth: Floats, points: NDArray[np.float64], settings: SnapSettings) -> NDArray[np.float64]:
    """How much the colour changes across each point, in grey levels."""
    x, y = (np.ascontiguousarray(points[..., axis], np.float32) for axis in (0, 1))
    values = np.asarray(cv2.remap(smooth, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    wide = max(1, round(1.0 / settings.step_px))
    change = np.zeros(values.shape[:2])
    change[:, wide:-wide] = np.abs(values[:, 2 * wide :] - values[:, : -2 * wide]).max(axis=2)
    return np.minimum(change, settings.most_step)


def _line(
    steps: NDArray[np.float64], offsets: NDArray[np.float64], settings: SnapSettings
) -> tuple[float, float] | None:
    """Offsets at both ends of the edge that was meant: strong, straight and near the tap; None when there is none."""
    rows = np.arange(len(steps))
    ends = range(0, len(offsets), 2)
    scored = []
    for first in ends:
        for last in ends:
            columns = np.rint(np.linspace(first, last, len(steps))).astype(int)
            scored.append((float(steps[rows, columns].mean()), first, last))
    if max(scored)[0] < settings.least_step:
        return None
    usual = settings.slip * offsets[-1]

    def likely(entry: tuple[float, int, int]) -> float:
        strength, first, last = entry
        away2 = (offsets[first] ** 2 + offsets[last] ** 2) / 2
        return strength * float(np.exp(-away2 / (2 * usual**2)))

    _, first, last = max(scored, key=likely)
    return float(offsets[first]), float(offsets[last])


def _peaks(
    near: NDArray[np.float64], at: NDArray[np.intp], offsets: NDArray[np.float64], step_px: float
) -> NDArray[np.float64]:
    """The tops of parabolas through the strongest sample of each row and its neighbours."""
    rows = np.arange(len(near))
    before, after = near[rows, np.maximum(at - 1, 0)], near[rows, np.minimum(at + 1, near.shape[1] - 1)]
    bend = before - 2 * near[rows, at] + after
    shift = np.where(np.abs(bend) > 1e-6, 0.5 * (before - after) / np.where(bend == 0, 1.0, bend), 0.0)
    peaks: NDArray[np.float64] = offsets[at] + np.clip(shift, -1, 1) * step_px
    return peaks


def _meet(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where two lines cross."""
    ways = np.stack([one[1] - one[0], other[0] - other[1]], axis=1)
    if abs(np.linalg.det(ways)) < 1e-6:
        return np.asarray(one[1], np.float64)
    share = np.linalg.solve(ways, other[0] - one[0])[0]
    met: NDArray[np.float64] = one[0] + share * (one[1] - one[0])
    return met

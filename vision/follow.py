"""A board that lies where it lay, or a pixel beside it, is recognised by a few dozen patches of its print.

Each patch is explained as the print there, as bright as the light makes it and moved by a fraction of a pixel:
one small linear fit, prepared once for each board. Together the patches say how the board has moved. Whatever
moved further than a pixel or two is for `align`, which takes ten times as long.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.align import SETTINGS as ALIGN
from vision.align import Aligned, inside
from vision.boards import BoardModel, Reference
from vision.fix import Fix, Located, Matrix, project
from vision.lens import Lens, Points
from vision.rectify import Picture

Floats = NDArray[np.float32]
Choice = NDArray[np.bool_]


@dataclass(frozen=True)
class FollowSettings:
    """Pixels are those of the reference picture (about half those of a full frame)."""

    # Spread over the board, so many give its corners to a tenth of a pixel.
    patches: int = 90
    window_px: int = 15
    # Further than this the print no longer changes in proportion to the move.
    reach_px: float = 2.0
    # A patch farther than this from where the others went lies on a piece, or the board has tilted.
    astray_px: float = 0.7
    # A board that seems to have moved by less has not moved: together the patches are not much better than this.
    still_px: float = 0.15
    rounds: int = 3
    # With less of the print in its place something has happened that asks for a closer look.
    certain_share: float = 0.62


SETTINGS = FollowSettings()


def follow(
    frame: Picture, model: BoardModel, pose: Matrix, lens: Lens, settings: FollowSettings = SETTINGS
) -> Aligned | None:
    """Looks for the board at `pose` (millimetres -> flat pixels); None when it cannot vouch for it.

    A board that has not moved has `pose` itself for its pose, the same object.
    """
    patches = _patches(model.reference, settings)
    size_px = frame.shape[1], frame.shape[0]
    for _ in range(settings.rounds):
        seen = _seen(frame, patches, Located(size_px, lens, {"": Fix(pose, model.size_mm)}), settings)
        if seen is None or seen.share(seen.alike) < settings.certain_share:
            return None
        expected_px, found_px = project(pose, seen.points_mm), lens.flatten(seen.frame_px, size_px)
        push, agree = _common(expected_px, found_px, seen, settings)
        share = seen.share(agree)
        if share < settings.certain_share:
            return None
        if _drift_px(expected_px[agree], found_px[agree]) < settings.still_px * seen.stretch:
            weight = share * seen.in_view * patches.whole_weight
            pairs = seen.points_mm[agree], seen.frame_px[agree]
            return Aligned(pose, *pairs, weight, share, seen.in_view)
        pose = push @ pose
    return None


@dataclass(frozen=True, eq=False)
class _Patches:
    """Print around chosen points. `basis` spans what a patch may look like, `mix` tells how much of what it is."""

    points_mm: Points
    weights: NDArray[np.float64]
    whole_weight: float  # of all points of the board
    px_per_mm: float
    basis: Floats  # N x 3 x pixels, orthonormal, without the mean
    mix: Floats  # N x 3 x 3: from the basis to contrast, and contrast times the move across and down


@dataclass(frozen=True, eq=False)
class _Seen:
    """The patches in view: where they are found, and which look like the print."""

    points_mm: Points
    frame_px: Points
    alike: Choice
    weights: NDArray[np.float64]
    stretch: float  # frame pixels for a pixel of the reference
    in_view: float

    def share(self, chosen: Choice) -> float:
        return float(self.weights[chosen].sum() / self.weights.sum())


def _seen(frame: Picture, patches: _Patches, located: Located, settings: FollowSettings) -> _Seen | None:
    points = patches.points_mm
    steps_mm = np.array([(0, 0), (1, 0), (0, 1)], np.float64) / patches.px_per_mm
    here, right, down = located.mm_to_px("", points + steps_mm[:, None]).reshape(3, -1, 2)
    kept = inside(here, located.size_px)
    if kept.sum() < ALIGN.least_points:
        return None
    here, right, down = here[kept], (right - here)[kept], (down - here)[kept]
    stretch = float(np.sqrt(np.abs(np.linalg.det(np.stack([right, down], axis=1)).mean())))
    pixels = _sampled(frame, here, right, down, max(1, int(stretch)), settings.window_px)
    parts = np.einsum("nkp,np->nk", patches.basis[kept], pixels)
    mean = pixels.mean(axis=1)
    power = np.einsum("np,np->n", pixels, pixels) - pixels.shape[1] * mean * mean
    explained = np.sqrt((parts * parts).sum(axis=1) / np.maximum(power, 1e-3))
    contrast, *moved = np.einsum("njk,nk->jn", patches.mix[kept], parts)
    move = -np.stack(moved, axis=1) / np.maximum(contrast, 1e-6)[:, None]
    alike = (contrast > 0) & (explained > ALIGN.alike) & (np.abs(move).max(axis=1) < settings.reach_px)
    return _Seen(
        points[kept],
        here + move[:, :1] * right + move[:, 1:] * down,
        alike,
        patches.weights[kept],
        stretch,
        float(kept.mean()),
    )


def _sampled(frame: Picture, here: Points, right: Points, down: Points, finer: int, window_px: int) -> Floats:
    """Grey windows around points of the frame: N x pixels. `finer` samples a pixel each way are averaged."""
    side = window_px * finer
    reach = ((np.arange(side) + 0.5) / finer - window_px / 2).astype(np.float32)
    x, y = (
        (
            here[:, i, None, None]
            + right[:, i, None, None] * reach[None, None, :]
            + down[:, i, None, None] * reach[None, :, None]
        ).astype(np.float32)
        for i in (0, 1)
    )
    shape = len(here) * side, side
    windows = cv2.remap(frame, x.reshape(shape), y.reshape(shape), cv2.INTER_LINEAR)
    if finer > 1:
        windows = cv2.resize(windows, (window_px, len(here) * window_px), interpolation=cv2.INTER_AREA)
    grey = windows if windows.ndim == 2 else cv2.cvtColor(windows, cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, np.float32).reshape(len(here), -1)


def _common(
    expected_px: Points, found_px: Points, seen: _Seen, settings: FollowSettings
) -> tuple[Matrix, Choice]:
    """The turn and shift that the patches have in common, flat pixels to flat pixels, and which agree with it.

    A free pose would follow the patches more closely and, where part of the board is covered, stray there.
    """
    push, agree = np.eye(3), seen.alike
    for _ in range(2):
        push = _turn_and_shift(expected_px[agree], found_px[agree])
        off = np.linalg.norm(project(push, expected_px) - found_px, axis=1)
        agree = seen.alike & (off < settings.astray_px * seen.stretch)
        if agree.sum() < ALIGN.least_points:
            break
    return push, agree


def _turn_and_shift(source: Points, target: Points) -> Matrix:
    """Least squares: how `source` has to be turned, scaled and shifted to lie on `target`."""
    middle, there = source.mean(axis=0), target.mean(axis=0)
    # Turning and scaling is multiplying by a complex number.
    a, b = (points @ (1, 1j) for points in (source - middle, target - there))
    turn = complex(np.vdot(a, b) / max(np.vdot(a, a).real, 1e-9))
    matrix = np.eye(3)
    matrix[:2, :2] = [[turn.real, -turn.imag], [turn.imag, turn.real]]
    matrix[:2, 2] = there - matrix[:2, :2] @ middle
    return matrix


def _drift_px(expected_px: Points, found_px: Points) -> float:
    """How far the board as a whole lies from where it is expected, tilted or not; single patches average out."""
    move = found_px - expected_px
    x, y = (expected_px - expected_px.mean(axis=0)).T / max(float(np.ptp(expected_px)), 1e-9)
    one, none = np.ones_like(x), np.zeros_like(x)
    # What a homography that is nearly nothing does: shift, turn, stretch, shear, and two ways to tilt.
    across = np.stack([one, x, y, none, none, none, x * x, x * y], axis=1)
    down = np.stack([none, none, none, one, x, y, x * y, y * y], axis=1)
    modes = np.concatenate([across, down])
    amount = np.linalg.lstsq(modes, move.T.ravel(), rcond=None)[0]
    return float(np.sqrt(2 * np.mean((modes @ amount) ** 2)))


@lru_cache(maxsize=16)
def _patches(reference: Reference, settings: FollowSettings) -> _Patches:
    weights = np.where(reference.free, 1.0, ALIGN.slot_weight)
    chosen = _spread(reference.points_mm.astype(np.float64), weights, settings.patches)
    points_mm = reference.points_mm[chosen].astype(np.float64)
    grey = cv2.cvtColor(reference.bgr, cv2.COLOR_BGR2GRAY)
    # A Scharr kernel sums to 32 grey levels for a slope of one.
    slopes = (cv2.Scharr(grey, cv2.CV_32F, *way) / 32 for way in ((1, 0), (0, 1)))
    centres = reference.to_px(points_mm).astype(np.float64)
    right, down = (np.tile(way, (len(centres), 1)) for way in ((1.0, 0.0), (0.0, 1.0)))
    columns = np.stack(
        [_sampled(np.asarray(p), centres, right, down, 1, settings.window_px) for p in (grey, *slopes)],
        axis=2,
    ).astype(np.float64)
    basis, mixed = np.linalg.qr(columns - columns.mean(axis=1, keepdims=True))
    return _Patches(
        points_mm,
        weights[chosen],
        float(weights.sum()),
        reference.px_per_mm,
        np.ascontiguousarray(basis.transpose(0, 2, 1), np.float32),
        np.linalg.pinv(mixed).astype(np.float32),
    )


def _spread(points: Points, weights: NDArray[np.float64], most: int) -> NDArray[np.intp]:
    """So many points as far from each other as can be; those that a piece may cover count as nearer."""
    if len(points) <= most:
        return np.arange(len(points))
    chosen = [int(weights.argmax())]
    apart = np.full(len(points), np.inf)
    while len(chosen) < most:
        apart = np.minimum(apart, np.linalg.norm(points - points[chosen[-1]], axis=1))
        chosen.append(int((apart * weights).argmax()))
    return np.array(chosen)

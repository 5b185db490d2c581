"""A rough pose made exact, or refused: the board's printed points are looked for where they ought to be.

The frame is warped to the reference picture by the rough pose; every printed point is tracked from the one
to the other; the pose that most points agree on is fitted through the lens. What the points then look like
under that pose says how far to believe it.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards import BoardModel, Reference, even_out, radius_px
from vision.fix import Fix, Located, Matrix, homography, project
from vision.lens import Lens, Points
from vision.rectify import Picture, warp_quad


@dataclass(frozen=True)
class AlignSettings:
    """Pixels are those of the reference picture (about half those of the frame)."""

    window_px: int = 17
    # Three halvings of the picture: boards 60 px (30 mm) off are pulled in; one for those that hardly moved.
    levels: int = 3
    near_levels: int = 1
    rounds: int = 3
    # Tracked there and back again, an honest point returns to where it started.
    return_px: float = 0.7
    # Points farther than this from the common pose lie on a piece, a hand or a neighbour's print.
    inlier_px: float = 1.6
    # Correlation of a point's window with the print; glare and noise cost some of it.
    alike: float = 0.55
    # A point in a slot may be covered by right; its absence says little, its presence a little less than a free one's.
    slot_weight: float = 0.35
    # So many agreeing points, spread over the board, do not come about by chance.
    enough_points: float = 26.0
    sparse_points: float = 7.0
    sparse_share: float = 0.6
    # Of the points in view so large a share agrees on a board that is half under a hand.
    enough_share: float = 0.36
    # With so large a share of the board in the picture its corners beyond the edge are known well enough.
    enough_view: float = 0.4
    # Fewer points than this do not carry the eight numbers of a free pose.
    least_points: int = 8
    # A second round is needed when the first moved points further than this.
    settled_px: float = 1.0


SETTINGS = AlignSettings()


@dataclass(frozen=True, eq=False)
class Aligned:
    """A pose and the evidence for it. `points_mm` and `frame_px` are the pairs that agree."""

    flat_from_mm: Matrix
    points_mm: Points
    frame_px: Points
    weight: float  # agreeing points, those in slots counted less
    share: float  # of all points that lie in the picture
    in_view: float  # share of the board's points that lie in the picture
    trust: float = 1.0  # less than 1 when something else speaks against it

    def sure(self, settings: AlignSettings = SETTINGS) -> float:
        """0..1; 0.5 is the least that counts as found."""
        # A sparse board has fewer points to show; nearly all of them must then be there.
        available = self.weight / max(self.share, 1e-6)
        enough = min(settings.enough_points, max(settings.sparse_points, settings.sparse_share * available))
        by_points = min(1.0, self.weight / enough)
        by_share = min(1.0, self.share / settings.enough_share)
        by_view = min(1.0, self.in_view / settings.enough_view)
        return by_points * by_share * by_view * self.trust


def align(
    frame: Picture,
    model: BoardModel,
    pose: Matrix,
    lens: Lens,
    near: bool = False,
    settings: AlignSettings = SETTINGS,
) -> Aligned | None:
    """Refines `pose` (millimetres -> flat pixels of `frame`); None when the print is not there.

    `near` says that the pose is good to a few pixels, as from the frame before; it saves half the time."""
    size_px = frame.shape[1], frame.shape[0]
    best: Aligned | None = None
    for round_ in range(settings.rounds):
        if not plausible(pose, model.size_mm, size_px):
            return best
        levels = settings.near_levels if near or round_ else settings.levels
        tracked = _track(frame, model.reference, model.size_mm, pose, lens, levels, settings)
        if tracked is None:
            return best
        aligned, moved_px = tracked
        if best is None or aligned.weight >= 0.9 * best.weight:
            best = aligned
        pose = aligned.flat_from_mm
        if moved_px < settings.settled_px:
            break
    return best


def plausible(pose: Matrix, size_mm: tuple[float, float], size_px: tuple[int, int]) -> bool:
    """Whether a homography can be a board seen from above: convex, not mirrored, some of it in the picture."""
    width, height = size_mm
    corners_mm = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    depth = corners_mm @ pose[2, :2] + pose[2, 2]
    if not np.isfinite(pose).all() or (depth <= 1e-9).any() or depth.max() > 2.5 * depth.min():
        return False
    corners = project(pose, corners_mm)
    sides = np.roll(corners, -1, axis=0) - corners
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    if (turns <= 0).any():
        return False
    lengths = np.linalg.norm(sides, axis=1) / np.array([width, height, width, height])
    if lengths.max() > 1.8 * lengths.min() or lengths.max() * max(size_mm) < 60:
        return False
    columns, rows = size_px
    low, high = corners.min(axis=0), corners.max(axis=0)
    return bool(high[0] > 0 and high[1] > 0 and low[0] < columns and low[1] < rows)


def warp_to_reference(
    frame: Picture, reference: Reference, size_mm: tuple[float, float], pose: Matrix, lens: Lens
) -> tuple[Picture, Matrix]:
    """The frame as the reference sees it, and the homography reference pixels -> frame pixels it was made by.

    Through the four corners only: between them the lens still bends, which the tracking takes up.
    """
    size_px = frame.shape[1], frame.shape[0]
    rows, columns = reference.flat.shape
    target = np.array([(0, 0), (columns - 1, 0), (columns - 1, rows - 1), (0, rows - 1)], np.float64)
    located = Located(size_px, lens, {"": Fix(pose, size_mm)})
    corners_px = located.mm_to_px("", reference.to_mm(target))
    outer = np.array([(-0.5, -0.5), (columns - 0.5, -0.5), (columns - 0.5, rows - 0.5), (-0.5, rows - 0.5)])
    frame_from_reference = homography(target, corners_px)
    picture = warp_quad(frame, project(frame_from_reference, outer), (columns, rows), grey=True)
    return picture, frame_from_reference


def _track(
    frame: Picture,
    reference: Reference,
    size_mm: tuple[float, float],
    pose: Matrix,
    lens: Lens,
    levels: int,
    settings: AlignSettings,
) -> tuple[Aligned, float] | None:
    size_px = frame.shape[1], frame.shape[0]
    picture, frame_from_reference = warp_to_reference(frame, reference, size_mm, pose, lens)
    current = even_out(picture, radius_px(reference.px_per_mm))
    points_mm = reference.points_mm.astype(np.float64)
    expected = Located(size_px, lens, {"": Fix(pose, size_mm)}).mm_to_px("", points_mm)
    in_view = inside(expected, size_px)
    if in_view.sum() < settings.least_points:
        return None
    points_mm, expected = points_mm[in_view], expected[in_view]
    start = reference.to_px(points_mm)
    # Where the lens puts them in the warped picture, which was made without it.
    back = np.asarray(np.linalg.inv(frame_from_reference), np.float64)
    about = project(back, expected).astype(np.float32)
    free = reference.free[in_view]
    weights = np.where(free, 1.0, settings.slot_weight)
    ends, good = _follow(reference.flat, current, start, about, levels, settings)
    if good.sum() < settings.least_points:
        return None
    frame_px = project(frame_from_reference, ends)
    flat_px = lens.flatten(frame_px, size_px)
    tolerance = settings.inlier_px * _stretch(frame_from_reference, start)
    fitted, inliers = fit_pose(points_mm, flat_px, good, tolerance)
    if fitted is None or inliers.sum() < settings.least_points:
        return None
    alike = _correlation(reference.flat, current, start, ends, settings.window_px)
    agree = inliers & (alike > settings.alike)
    if agree.sum() < settings.least_points:
        return None
    weight = float(weights[agree].sum())
    moved = np.abs(ends - about)[agree].max(axis=1)
    aligned = Aligned(
        fitted,
        points_mm[agree],
        frame_px[agree],
        weight,
        weight / float(weights.sum()),
        float(in_view.mean()),
    )
    return aligned, float(np.percentile(moved, 90))


def _follow(
    before: Picture,
    after: Picture,
    start: NDArray[np.float32],
    about: NDArray[np.float32],
    levels: int,
    settings: AlignSettings,
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    window = (settings.window_px, settings.window_px)
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 0.02)
    there = start.reshape(-1, 1, 2)
    ends, gone, _ = cv2.calcOpticalFlowPyrLK(
        before,
        after,
        there,
        about.reshape(-1, 1, 2).copy(),
        winSize=window,
        maxLevel=levels,
        criteria=criteria,
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )
    back, come, _ = cv2.calcOpticalFlowPyrLK(
        after,
        before,
        ends,
        np.array(ends),
        winSize=window,
        maxLevel=levels,
        criteria=criteria,
    )
    returned = np.abs(back - there).reshape(-1, 2).max(axis=1) < settings.return_px
    good = (gone.ravel() > 0) & (come.ravel() > 0) & returned
    return np.asarray(ends.reshape(-1, 2), np.float32), good


def fit_pose(
    points_mm: Points, flat_px: Points, use: NDArray[np.bool_], tolerance_px: float
) -> tuple[Matrix | None, NDArray[np.bool_]]:
    """The homography most points agree on, and which those are."""
    inliers = np.zeros(len(points_mm), np.bool_)
    if use.sum() < 4:
        return None, inliers
    chosen = np.flatnonzero(use)
    found, _ = cv2.findHomography(
        points_mm[chosen], flat_px[chosen], cv2.USAC_MAGSAC, tolerance_px, None, 2000, 0.999
    )
    if found is None:
        return None, inliers
    for _ in range(2):
        off = np.linalg.norm(project(np.asarray(found, np.float64), points_mm) - flat_px, axis=1)
        inliers = use & (off < tolerance_px)
        if inliers.sum() < 4:
            return None, inliers
        refined, _ = cv2.findHomography(points_mm[inliers], flat_px[inliers], 0)
        if refined is None:
            return None, inliers
        found = refined
    return np.asarray(found, np.float64), inliers


def _correlation(
    before: Picture, after: Picture, start: NDArray[np.float32], ends: NDArray[np.float32], window_px: int
) -> NDArray[np.float64]:
    """How alike the two pictures are around each pair of points, -1..1."""
    a, b = _patches(before, start, window_px), _patches(after, ends, window_px)
    a -= a.mean(axis=1, keepdims=True)
    b -= b.mean(axis=1, keepdims=True)
    norm = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    result: NDArray[np.float64] = (a * b).sum(axis=1) / np.maximum(norm, 1e-6)
    return result


def _patches(picture: Picture, centres: NDArray[np.float32], window_px: int) -> NDArray[np.float64]:
    reach = np.arange(window_px, dtype=np.float32) - (window_px - 1) / 2
    xs = centres[:, 0, None, None] + reach[None, None, :] + np.zeros((1, window_px, 1), np.float32)
    ys = centres[:, 1, None, None] + reach[None, :, None] + np.zeros((1, 1, window_px), np.float32)
    shape = (len(centres) * window_px, window_px)
    sampled = cv2.remap(
        picture,
        xs.reshape(shape).astype(np.float32),
        ys.reshape(shape).astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(sampled, np.float64).reshape(len(centres), -1)


def inside(points: Points, size_px: tuple[int, int]) -> NDArray[np.bool_]:
    kept = (points >= 2) & (points <= np.array(size_px) - 3)
    return np.asarray(kept.all(axis=1), np.bool_)


def _stretch(frame_from_reference: Matrix, around: NDArray[np.float32]) -> float:
    """Frame pixels per reference pixel."""
    middle = around.mean(axis=0)
    a, b = project(frame_from_reference, np.stack([middle, middle + np.array([10, 0], np.float32)]))
    return float(np.linalg.norm(b - a) / 10)

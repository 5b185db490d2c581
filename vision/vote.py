"""Rough poses of lost boards: features of the frame vote for where each board's middle would be.

Several boards may carry the same art, so a board's features are looked for everywhere and every place with
enough votes is a guess; which board it is, colour decides later.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards import BoardModel, describe
from vision.fix import Matrix, project
from vision.lens import Lens
from vision.rectify import Picture

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class VoteSettings:
    """Lengths are shares of the board's short side unless they say otherwise."""

    features_per_px: float = 2.6  # of the frame's width
    # A feature that fits a second place of the same board nearly as well says nothing.
    ratio: float = 0.86
    neighbour_mm: float = 4.0
    neighbours: int = 4
    # A stand may be raised or lowered by half between teaching and playing.
    scale_range: tuple[float, float] = (0.5, 2.0)
    bin_share: float = 0.3
    bin_degrees: float = 30.0
    guesses: int = 6
    least_votes: int = 6
    # Feature positions are good to a pixel or two, the lens and the tilt cost the rest.
    inlier_px: float = 6.0
    # From so many agreeing features on, the perspective is fitted too.
    perspective_from: int = 25


SETTINGS = VoteSettings()


@dataclass(frozen=True, eq=False)
class Guess:
    """A rough pose (millimetres -> flat pixels of the full frame) and how many features speak for it."""

    flat_from_mm: Matrix
    votes: float


@dataclass(frozen=True, eq=False)
class FrameFeatures:
    """Features of one frame, in flat pixels of the full frame."""

    xy: Floats
    size: Floats
    angle: Floats
    descriptors: NDArray[np.float32]


def frame_features(
    frame: Picture, lens: Lens, width_px: int, settings: VoteSettings = SETTINGS
) -> FrameFeatures:
    """One pass over the frame shrunk to `width_px`; the costly part of finding a lost board."""
    size_px = frame.shape[1], frame.shape[0]
    shrink = min(1.0, width_px / size_px[0])
    small = cv2.resize(frame, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY) if small.ndim == 3 else small, np.uint8)
    keypoints, descriptors = describe(grey, int(settings.features_per_px * width_px))
    ratio = size_px[0] / grey.shape[1]
    return FrameFeatures(
        lens.flatten((keypoints[:, :2] + 0.5) * ratio - 0.5, size_px),
        keypoints[:, 2].astype(np.float64) * ratio,
        keypoints[:, 3].astype(np.float64),
        descriptors,
    )


def guesses(
    features: FrameFeatures, model: BoardModel, px_per_mm: float, settings: VoteSettings = SETTINGS
) -> list[Guess]:
    """The places of the frame that look like this board, best first. `px_per_mm` is the expected scale."""
    matched, of_model = _match(features, model, settings)
    if len(matched) < settings.least_votes:
        return []
    xy, known = features.xy[matched], model.keypoints[of_model].astype(np.float64)
    turn = np.deg2rad(features.angle[matched] - known[:, 3])
    scale = features.size[matched] / np.maximum(known[:, 2], 1e-6)
    low, high = settings.scale_range
    usual = (scale > low * px_per_mm) & (scale < high * px_per_mm)
    xy, known, turn = xy[usual], known[usual], turn[usual]
    # Single features measure scale badly; the table's own scale is the better guess for all but large changes.
    scale = np.sqrt(scale[usual] * px_per_mm)
    middle = np.array(model.size_mm) / 2
    arm = (middle - known[:, :2]) * scale[:, None]
    cos, sin = np.cos(turn), np.sin(turn)
    votes_for = xy + np.stack([cos * arm[:, 0] - sin * arm[:, 1], sin * arm[:, 0] + cos * arm[:, 1]], axis=1)
    bin_px = settings.bin_share * min(model.size_mm) * px_per_mm
    angles = np.rad2deg(turn) % 360.0
    together = _together(votes_for, angles, bin_px, settings)
    found: list[Guess] = []
    left = np.ones(len(xy), np.bool_)
    for _ in range(settings.guesses):
        company = (together & left).sum(axis=1) * left
        if len(company) == 0 or company.max() < settings.least_votes:
            break
        members = together[company.argmax()] & left
        guess, inliers = _fit(known[:, :2], xy, members, settings)
        left &= ~members
        if guess is not None:
            found.append(guess)
            left &= ~inliers
    return sorted(found, key=lambda guess: -guess.votes)


def _match(
    features: FrameFeatures, model: BoardModel, settings: VoteSettings
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Every feature of the frame with its counterpart on the board, where that is unmistakable."""
    if len(features.descriptors) == 0 or len(model.descriptors) < 3:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    alike = features.descriptors @ model.descriptors.T
    best = alike.argmax(axis=1)
    rows = np.arange(len(best))
    first = alike[rows, best]
    # The same corner is often found twice (two angles, two sizes): a neighbour is not a rival.
    places = model.keypoints[:, :2]
    alike[rows, best] = -1.0
    rival_of = alike.argmax(axis=1)
    for _ in range(settings.neighbours):
        twins = np.flatnonzero(np.abs(places[rival_of] - places[best]).max(axis=1) < settings.neighbour_mm)
        if len(twins) == 0:
            break
        alike[twins, rival_of[twins]] = -1.0
        rival_of[twins] = alike[twins].argmax(axis=1)
    second = alike[rows, rival_of]
    distance, rival = np.sqrt(np.maximum(2 - 2 * first, 0)), np.sqrt(np.maximum(2 - 2 * second, 1e-9))
    clear = np.flatnonzero(distance < settings.ratio * rival)
    return clear, best[clear]


def _together(votes_for: Floats, angles: Floats, bin_px: float, settings: VoteSettings) -> NDArray[np.bool_]:
    """Which votes are for the same place and the same turn."""
    x, y = votes_for.astype(np.float32).T
    turn = angles.astype(np.float32)
    near = (np.abs(x[:, None] - x) < bin_px) & (np.abs(y[:, None] - y) < bin_px)
    apart = np.abs((turn[:, None] - turn + 180.0) % 360.0 - 180.0)
    return np.asarray(near & (apart < settings.bin_degrees), np.bool_)


def _fit(
    known_mm: Floats, xy: Floats, members: NDArray[np.bool_], settings: VoteSettings
) -> tuple[Guess | None, NDArray[np.bool_]]:
    inliers = np.zeros(len(xy), np.bool_)
    tolerance = settings.inlier_px
    chosen = np.flatnonzero(members)
    affine, _ = cv2.estimateAffinePartial2D(
        known_mm[chosen], xy[chosen], method=cv2.RANSAC, ransacReprojThreshold=2 * tolerance, maxIters=400
    )
    if affine is None:
        return None, inliers
    pose = np.vstack([affine, [0, 0, 1]]).astype(np.float64)
    # The perspective of a stand that is not quite level moves corners further than a similarity can follow.
    agree = np.linalg.norm(project(pose, known_mm) - xy, axis=1) < 4 * tolerance
    if agree.sum() >= settings.perspective_from:
        sharper, _ = cv2.findHomography(
            known_mm[agree], xy[agree], cv2.USAC_MAGSAC, tolerance, None, 1000, 0.99
        )
        if sharper is not None:
            pose = np.asarray(sharper, np.float64)
    inliers = np.linalg.norm(project(pose, known_mm) - xy, axis=1) < 2 * tolerance
    if inliers.sum() < settings.least_votes:
        return None, inliers
    # Features in one spot of the board count once: a wall of equal bricks is not evidence.
    spots = {tuple(spot) for spot in (known_mm[inliers] // 8.0).astype(int)}
    return Guess(pose, float(len(spots))), inliers

"""Reads tracks: on which place each marker stands; several may share one, and none may be there.

A track of one marker is read place by place as a tile. Markers of several labels crowd each other, so they are
read by colour: at every spot each label must explain a footprint better than the print and all other labels do.
A spot belongs to one place only, so a marker is never seen on two.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.read.area import SETTINGS as AREA
from vision.read.area import AreaModel, Patch, footprints
from vision.read.colours import Print
from vision.read.features import features
from vision.read.pixels import filtered
from vision.read.tile import SETTINGS as TILE
from vision.read.tile import TileModel, align_each, compare, empty_by_likeness, whitened

Floats = NDArray[np.float32]
ABSENT = -1
# A marker is on its track nearly always; that it was taken off has to be seen.
ABSENT_LOG_PRIOR = -3.0
FLOOR = 2e-5
# How far off the middle of its place a marker stands, of the place's size.
OFF_SHARE = 0.15
# A marker may lie beneath another: rarer than being absent by sight alone, but never ruled out.
BENEATH_LOG_ODDS = -3.0
# Log-odds for the whole way from a bare place to one with the marker on it.
SHARPNESS = 24.0
# Where colour cannot tell: a place that looks bare, one where a footprint is unlike the print by `UNLIKE` nats.
UNCHANGED_LOG_ODDS = -5.0
CHANGED_LOG_ODDS = 0.0
UNLIKE = 2.5
HALFWAY = 0.5
# Nats between a bare place and a filled one: below the first small differences decide nothing, from the second
# colour alone tells.
LEAST_WAY = 1.0
TELLING_WAY = 2.5
# Log units: depths of shadow in which bare print may lie.
SHADOWS = (0.0, -0.4)


def read_track(
    model: TileModel, wholes: Floats, middles: Floats, bare: Sequence[Floats | None]
) -> dict[str, dict[int, float]]:
    """Marker -> place -> probability, from the pictures of all places (with margin, and their middles)."""
    labels = np.arange(len(model.labels))
    taught = [int(label) for label in labels if (model.owners == label).any()]
    bare_rows = whitened(model, features(middles, model.mask))
    known = np.array([one is not None for one in bare])
    prints = np.stack([one if one is not None else np.zeros(bare_rows.shape[1], np.float32) for one in bare])
    result = {}
    for label, aligned in zip(
        taught, align_each(model, wholes, [np.array([one]) for one in taught]), strict=True
    ):
        rows = whitened(model, features(aligned.pictures, model.mask))
        found = compare(model, aligned, rows, bare_rows, prints)
        to_empty = np.where(known, found.to_empty, empty_by_likeness(model, found))
        behind = found.to_label[:, label]
        # Against the bare place where it is the likeliest marker, against the likelier marker elsewhere.
        odds = np.where(behind == 0, -to_empty, behind)
        # A marker seen from two places stands on the one it is nearer to.
        off = np.linalg.norm(aligned.shift_px, axis=1) / min(model.geometry.size_px)
        odds = odds - 0.5 * (off / OFF_SHARE) ** 2
        result[model.labels[label]] = _places(odds)
    return result


def read_markers(
    model: AreaModel, patches: Sequence[Patch], scores: Sequence[tuple[Sequence[float], Sequence[float]]]
) -> dict[str, dict[int, float]]:
    """Marker -> place -> probability, from all places as areas and what each label scores on them bare and filled."""
    odds = []
    for patch, (low, high) in zip(patches, scores, strict=True):
        bare, filled = np.array(low), np.array(high)
        seen, unlike = _scores(model, patch)
        way = (seen - bare) / np.maximum(filled - bare, LEAST_WAY)
        by_colour = np.clip(SHARPNESS * (way - HALFWAY), -TILE.sharpness, TILE.sharpness)
        # On print of its own colour a marker is hardly seen; it may stand where something is unlike the print.
        telling = np.clip((filled - bare) / TELLING_WAY, 0, 1)
        by_change = UNCHANGED_LOG_ODDS + (CHANGED_LOG_ODDS - UNCHANGED_LOG_ODDS) * np.clip(
            unlike / UNLIKE, 0, 1
        )
        odds.append(telling * by_colour + (1 - telling) * by_change)
    odds_ = np.array(odds, np.float32)
    result = {}
    for label, name in enumerate(model.labels):
        if model.colours.taught[label]:
            others = np.delete(odds_, label, axis=1).max(axis=1, initial=-TILE.sharpness)
            beneath = np.where(others > 0, BENEATH_LOG_ODDS, -np.inf)
            result[name] = _places(np.maximum(odds_[:, label], beneath).astype(np.float32))
    return result


def marker_scores(model: AreaModel, patch: Patch) -> Floats:
    """For each label the clearest footprint whose middle is on the place: mean gain over all that else may be there."""
    return _scores(model, patch)[0]


def _scores(model: AreaModel, patch: Patch) -> tuple[Floats, Floats]:
    """The same, and how much the footprint least like the print and all other labels is unlike them."""
    densities = model.colours.density(patch.seen)
    kernel = footprints(model.size_mm, model.upright, AREA)[0]
    rim = round(AREA.margin_mm * AREA.px_per_mm)
    scores: list[float] = []
    unlike: list[float] = []
    for label in range(len(model.labels)):
        rivals = np.maximum(np.delete(densities, label, axis=-1).max(axis=-1, initial=-50.0), patch.ground)
        gain = np.clip(densities[..., label] - rivals, -AREA.clip, AREA.clip).astype(np.float32)
        lack = np.clip(model.colours.likely - rivals, 0, AREA.clip).astype(np.float32)
        for layer, best in ((gain, scores), (lack, unlike)):
            best.append(float(filtered(layer, kernel)[rim:-rim, rim:-rim].max()))
    return np.array(scores, np.float32), np.array(unlike, np.float32)


def expected_markers(model: AreaModel, bare: Floats) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Scores of a place of known print when it is bare, lit or in shadow, and when each marker stands on it."""
    print_ = Print.of(bare)
    empty = np.max(
        [
            marker_scores(model, Patch(dark, model.colours.ground(print_.off(dark))))
            for dark in (bare + np.float32(depth) for depth in SHADOWS)
        ],
        axis=0,
    )
    filled = []
    height, width = bare.shape[:2]
    radius_px = round(model.size_mm / 2 * AREA.px_per_mm)
    for label in range(len(model.labels)):
        score = 0.0
        for mean, share in zip(model.colours.means[label], model.colours.shares[label], strict=True):
            painted = bare.copy()
            cv2.circle(painted, (width // 2, height // 2), radius_px, mean.tolist(), -1)
            ground = model.colours.ground(print_.off(painted))
            score += float(share) * float(marker_scores(model, Patch(painted, ground))[label])
        filled.append(score)
    return tuple(float(one) for one in empty), tuple(filled)


def _places(odds: Floats) -> dict[int, float]:
    logs = np.concatenate([np.clip(odds, -TILE.sharpness * 2, TILE.sharpness), [ABSENT_LOG_PRIOR]])
    p = np.exp(logs - logs.max())
    p = p / p.sum() * (1 - FLOOR * len(p)) + FLOOR
    places = {place: float(one) for place, one in enumerate(p[:-1])}
    places[ABSENT] = float(p[-1])
    return places

"""Reads tracks: on which place each marker stands; several may share one, and none may be there.

A track of one marker is read as a tile, on the places most like it. Markers of several labels crowd each other, so
they are read by colour: at every spot each label must explain a footprint better than the print and all other labels
do. A spot belongs to one place only, so a marker is never seen on two.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.read.area import SETTINGS as AREA
from vision.read.area import AreaModel, Patch, footprints
from vision.read.colours import Print
from vision.read.features import features
from vision.read.pixels import filtered, resized
from vision.read.tile import SETTINGS as TILE
from vision.read.tile import (
    TileModel,
    align_each,
    compare,
    correlations,
    empty_by_likeness,
    moved_back,
    whitened,
)

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
ABSENT = -1
# A marker is on its track nearly always; that it was taken off has to be seen.
ABSENT_LOG_PRIOR = -3.0
FLOOR = 2e-5
# A marker is looked for closely on so many places of its track, those that resemble it most at a first glance, and
# on all that do so nearly as much.
PROMISING = 2
NEARLY = 0.1
# How far off the middle of its place a marker stands, of the place's size.
OFF_SHARE = 0.15
# A marker may lie beneath another: rarer than being absent by sight alone, but never ruled out.
BENEATH_LOG_ODDS = -3.0
# Log-odds for the whole way from a bare place to one with the marker on it.
SHARPNESS = 24.0
# Where colour cannot tell: a place that looks bare, one where a footprint is unlike the print by `UNLIKE` nats.
UNCHANGED_LOG_ODDS = -5.0
CHANGED_LOG_ODDS = 0.0
# What colour hints at even there: for as much more than the bare place shows as would tell elsewhere.
HINT_LOG_ODDS = 4.0
UNLIKE = 2.5
# Nats by which every footprint of a place may be unlike its print, and the place still be bare.
SHOWS_PRINT = 1.5
HALFWAY = 0.5
# Nats between a bare place and a filled one: below the first small differences decide nothing, from the second
# colour alone tells.
LEAST_WAY = 1.0
TELLING_WAY = 2.5
# Log units: depths of shadow in which bare print may lie.
SHADOWS = (0.0, -0.4)


def read_tracks(
    model: TileModel, wholes: Floats, bare: Sequence[Floats | None], lengths: Sequence[int]
) -> list[dict[str, dict[int, float]]]:
    """For each track marker -> place -> probability, from the pictures of all places (with margin), track by track.

    `bare` is the print of each place, None where it is unknown; `lengths` says how many places each track has.
    """
    taught = [label for label in range(len(model.labels)) if (model.owners == label).any()]
    tracks = np.repeat(np.arange(len(lengths)), lengths)
    odds = np.full((len(wholes), len(model.labels)), -TILE.sharpness, np.float32)
    for label, near in zip(taught, _promising(model, wholes, tracks, taught), strict=True):
        odds[near, label] = _marker_odds(model, label, wholes[near], [bare[i] for i in near])
    return [
        {model.labels[label]: _places(odds[tracks == track, label]) for label in taught}
        for track in range(len(lengths))
    ]


def _promising(model: TileModel, wholes: Floats, tracks: Ints, labels: Sequence[int]) -> list[Ints]:
    """For each label the places where it is worth looking closely: of every track those most like its marker."""
    geo = model.geometry
    size = geo.coarse_px[0] + 2 * geo.coarse_margin_px, geo.coarse_px[1] + 2 * geo.coarse_margin_px
    coarse = np.stack([resized(whole, size) for whole in wholes])
    found = correlations(coarse, model.coarse_templates, model.coarse_mask)[0].max(axis=1)
    owners = np.repeat(model.owners, found.shape[1] // len(model.owners))
    result = []
    for label in labels:
        like = found[:, owners == label].max(axis=1)
        best = np.zeros(len(like), bool)
        for track in np.unique(tracks):
            own = np.flatnonzero(tracks == track)
            ranked = own[np.argsort(-like[own])]
            best[ranked[:PROMISING]] = True
            best[own] |= like[own] > like[ranked[0]] - NEARLY
        result.append(np.flatnonzero(best))
    return result


def _marker_odds(model: TileModel, label: int, wholes: Floats, bare: Sequence[Floats | None]) -> Floats:
    """Log-odds that the marker stands on each place."""
    middles = np.stack([moved_back(whole, model.geometry, np.zeros(2, np.float32), 0.0) for whole in wholes])
    bare_rows = whitened(model, features(middles, model.mask))
    known = np.array([one is not None for one in bare])
    prints = np.stack([one if one is not None else np.zeros(bare_rows.shape[1], np.float32) for one in bare])
    aligned = align_each(model, wholes, [np.array([label])])[0]
    rows = whitened(model, features(aligned.pictures, model.mask))
    found = compare(model, aligned, rows, bare_rows, prints)
    to_empty = np.where(known, found.to_empty, empty_by_likeness(model, found))
    behind = found.to_label[:, label]
    # Against the bare place where it is the likeliest marker, against the likelier marker elsewhere.
    odds = np.where(behind == 0, -to_empty, behind)
    # A marker seen from two places stands on the one it is nearer to.
    off = np.linalg.norm(aligned.shift_px, axis=1) / min(model.geometry.size_px)
    return np.asarray(odds - 0.5 * (off / OFF_SHARE) ** 2, np.float32)


def read_markers(
    model: AreaModel, patches: Sequence[Patch], scores: Sequence[tuple[Sequence[float], Sequence[float]]]
) -> dict[str, dict[int, float]]:
    """Marker -> place -> probability, from all places as areas and what each label scores on them bare and filled."""
    bare, filled = (np.array(one, np.float32) for one in zip(*scores, strict=True))
    seen, unlike = bare.copy(), np.zeros_like(bare)
    # A place that shows its print is bare, whatever colour that has; most are.
    changed = _changed(model, patches)
    if len(changed):
        seen[changed], unlike[changed] = _scores(model, [patches[i] for i in changed])
    way = (seen - bare) / np.maximum(filled - bare, LEAST_WAY)
    by_colour = np.clip(SHARPNESS * (way - HALFWAY), -TILE.sharpness, TILE.sharpness)
    # On print of its own colour a marker is hardly seen; it may stand where something is unlike the print.
    telling = np.clip((filled - bare) / TELLING_WAY, 0, 1)
    by_change = UNCHANGED_LOG_ODDS + (CHANGED_LOG_ODDS - UNCHANGED_LOG_ODDS) * np.clip(unlike / UNLIKE, 0, 1)
    by_change += HINT_LOG_ODDS * np.clip((seen - bare) / TELLING_WAY, -1, 1)
    odds = telling * by_colour + (1 - telling) * by_change
    result = {}
    for label, name in enumerate(model.labels):
        if model.colours.taught[label]:
            others = np.delete(odds, label, axis=1).max(axis=1, initial=-TILE.sharpness)
            beneath = np.where(others > 0, BENEATH_LOG_ODDS, -np.inf)
            result[name] = _places(np.maximum(odds[:, label], beneath).astype(np.float32))
    return result


def marker_scores(model: AreaModel, patch: Patch) -> Floats:
    """For each label the clearest footprint whose middle is on the place: mean gain over all that else may be there."""
    return np.asarray(_scores(model, [patch])[0][0], np.float32)


def _changed(model: AreaModel, patches: Sequence[Patch]) -> Ints:
    """The places of which a footprint shows anything but print."""
    grounds = np.stack([patch.ground for patch in patches])
    lack = np.clip(np.float32(model.colours.likely) - grounds, 0, AREA.clip)
    return np.flatnonzero(_clearest(lack[..., None], model)[:, 0] > SHOWS_PRINT)


def _scores(model: AreaModel, patches: Sequence[Patch]) -> tuple[Floats, Floats]:
    """The same, and how much the footprint least like the print and all other labels is unlike them: places x labels."""
    densities = model.colours.density(np.stack([patch.seen for patch in patches]))
    grounds = np.stack([patch.ground for patch in patches])
    labels = range(len(model.labels))
    rivals = np.stack(
        [
            np.maximum.reduce([grounds, *(densities[..., i] for i in labels if i != label)])
            for label in labels
        ],
        axis=-1,
    )
    gain = np.clip(densities - rivals, -AREA.clip, AREA.clip)
    # A pixel is unlike a label when it is much less likely than that label's own pixels are.
    off_print = np.float32(model.colours.likely) - grounds
    off_labels = _usual(model) - densities
    lack = np.stack(
        [
            np.minimum.reduce([off_print, *(off_labels[..., i] for i in labels if i != label)])
            for label in labels
        ],
        axis=-1,
    )
    return _clearest(gain, model), _clearest(np.clip(lack, 0, AREA.clip), model)


def _usual(model: AreaModel) -> Floats:
    """The log-density of each label at its own likeliest colour."""
    own = model.colours.density(model.colours.means)  # labels x parts x labels
    return np.asarray(own[range(len(own)), :, range(len(own))].max(axis=1), np.float32)


def _clearest(layers: Floats, model: AreaModel) -> Floats:
    """The highest mean below a footprint whose middle is on its place: places x layers, of places x height x width x layers."""
    kernel = footprints(model.size_mm, model.upright, AREA)[0]
    reach = kernel.shape[0] // 2
    count, height, width, channels = layers.shape
    # All places one below the other, far enough apart, in one picture for each layer.
    apart = np.pad(layers.astype(np.float32), ((0, 0), (reach, reach), (reach, reach), (0, 0)), mode="edge")
    rim = round(AREA.margin_mm * AREA.px_per_mm)
    inner = slice(reach + rim, reach + height - rim), slice(reach + rim, reach + width - rim)
    best = []
    for channel in range(channels):
        strip = np.ascontiguousarray(apart[..., channel]).reshape(-1, width + 2 * reach)
        means = filtered(strip, kernel).reshape(count, height + 2 * reach, width + 2 * reach)
        best.append(means[:, *inner].max(axis=(1, 2)))
    return np.stack(best, axis=1)


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

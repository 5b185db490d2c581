"""Reads tracks of one marker: on which place it stands, if it is there. It is read as a tile, on the places most like it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.pack import Rect
from vision.read.again import Lie, lies
from vision.read.compare import SETTINGS as COMPARE
from vision.read.compare import Places, compare, empty_by_likeness
from vision.read.features import features
from vision.read.seek import Aligned, Glance, align, middles
from vision.read.tile import TileModel, whitened

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
ABSENT = -1
# A marker is on its track nearly always; that it was taken off has to be seen.
ABSENT_LOG_PRIOR = -3.0
FLOOR = 2e-5
# A marker is looked for closely on the place of its track that resembles it most at a first glance, on the next one too unless
# that falls as far short of it in correlation as bare places do of a marker that is seen, and on all that resemble it nearly as much.
PROMISING = 2
SHORT = 0.3
NEARLY = 0.1
# How far off the middle of its place a marker stands, of the place's size.
OFF_SHARE = 0.15


@dataclass(frozen=True)
class Track:
    """What was read of a track: marker -> place -> probability, and how its marker lay, if it has but one."""

    counts: dict[str, dict[int, float]]
    lie: Lie | None


def read_tracks(
    model: TileModel,
    wholes: Floats,
    bare: Sequence[Floats | None],
    rects_mm: Sequence[Rect],
    lengths: Sequence[int],
) -> list[Track]:
    """Tracks from the pictures of all their places (with margin), track by track.

    `bare` is the print of each place, None where it is unknown; `lengths` says how many places each track has.
    """
    taught = [label for label in range(len(model.labels)) if (model.owners == label).any()]
    tracks = np.repeat(np.arange(len(lengths)), lengths)
    odds = np.full((len(wholes), len(model.labels)), -COMPARE.sharpness, np.float32)
    glance = Glance.at(model, wholes)
    how: dict[int, Lie | None] = {}
    for label, near in zip(taught, _promising(model, glance, tracks, taught), strict=True):
        aligned = align(model, wholes[near], glance.of(near), label)
        odds[near, label] = _marker_odds(model, label, wholes[near], aligned, [bare[i] for i in near])
        if len(taught) == 1:
            found = lies(model, [rects_mm[i] for i in near], wholes[near], aligned, [label] * len(near))
            how = dict(zip(near.tolist(), found, strict=True))
    starts = np.cumsum([0, *lengths])
    result = []
    for start, end in pairwise(starts.tolist()):
        counts = {model.labels[label]: place_probabilities(odds[start:end, label]) for label in taught}
        standing = [max(places, key=places.__getitem__) for places in counts.values()]
        result.append(Track(counts, how.get(start + standing[0]) if standing[:1] != [ABSENT] else None))
    return result


def _promising(model: TileModel, glance: Glance, tracks: Ints, labels: Sequence[int]) -> list[Ints]:
    """For each label the places where it is worth looking closely: of every track those most like its marker."""
    found = glance.found.max(axis=1)
    owners = np.repeat(model.owners, found.shape[1] // len(model.owners))
    result = []
    for label in labels:
        like = found[:, owners == label].max(axis=1)
        best = np.zeros(len(like), bool)
        for track in np.unique(tracks):
            own = np.flatnonzero(tracks == track)
            ranked = own[np.argsort(-like[own])]
            near = np.where(np.arange(len(own)) < PROMISING, SHORT, NEARLY)
            best[ranked] = like[ranked] > like[ranked[0]] - near
        result.append(np.flatnonzero(best))
    return result


def _marker_odds(
    model: TileModel, label: int, wholes: Floats, aligned: Aligned, bare: Sequence[Floats | None]
) -> Floats:
    """Log-odds that the marker stands on each place."""
    bare_rows = whitened(model, features(middles(model.geometry, wholes), model.mask))
    known = np.array([one is not None for one in bare])
    prints = np.stack([one if one is not None else np.zeros(bare_rows.shape[1], np.float32) for one in bare])
    found = compare(model, Places(aligned, bare_rows, prints))
    to_empty = np.where(known, found.to_empty, empty_by_likeness(model, found))
    behind = found.to_label[:, label]
    # Against the bare place where it is the likeliest marker, against the likelier marker elsewhere.
    odds = np.where(behind == 0, -to_empty, behind)
    # A marker seen from two places stands on the one it is nearer to.
    off = np.linalg.norm(aligned.shift_px, axis=1) / min(model.geometry.size_px)
    return np.asarray(odds - 0.5 * (off / OFF_SHARE) ** 2, np.float32)


def place_probabilities(odds: Floats) -> dict[int, float]:
    """From the log-odds that a marker stands on each place; it may be off the track."""
    logs = np.concatenate([np.clip(odds, -COMPARE.sharpness * 2, COMPARE.sharpness), [ABSENT_LOG_PRIOR]])
    p = np.exp(logs - logs.max())
    p = p / p.sum() * (1 - FLOOR * len(p)) + FLOOR
    places = {place: float(one) for place, one in enumerate(p[:-1])}
    places[ABSENT] = float(p[-1])
    return places

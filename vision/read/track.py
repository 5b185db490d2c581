"""Reads tracks: on which place each marker stands; several may share one, and none may be there."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.read.features import features
from vision.read.tile import SETTINGS as TILE
from vision.read.tile import TileModel, align_each, compare, empty_by_likeness, whitened

Floats = NDArray[np.float32]
ABSENT = -1
# A marker is on its track nearly always; that it was taken off has to be seen.
ABSENT_LOG_PRIOR = -3.0
FLOOR = 2e-5
# How far off the middle of its place a marker stands, of the place's size.
OFF_SHARE = 0.15


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


def _places(odds: Floats) -> dict[int, float]:
    logs = np.concatenate([np.clip(odds, -TILE.sharpness * 2, TILE.sharpness), [ABSENT_LOG_PRIOR]])
    p = np.exp(logs - logs.max())
    p = p / p.sum() * (1 - FLOOR * len(p)) + FLOOR
    places = {place: float(one) for place, one in enumerate(p[:-1])}
    places[ABSENT] = float(p[-1])
    return places

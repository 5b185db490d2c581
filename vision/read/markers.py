"""Reads tracks on which markers of several labels crowd each other: by colour, with glare taken off.

At every spot a label must explain a footprint better than the print and all other labels do. A spot belongs to one
place only, so a marker is never seen on two. Something that neither the print nor the other markers explain may be
the marker that is seen nowhere else.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.read.area import SETTINGS as AREA
from vision.read.area import AreaModel
from vision.read.colours import Print
from vision.read.pixels import filtered
from vision.read.tokens import disc
from vision.read.track import place_probabilities

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class MarkerSettings:
    clip: float = 3.0  # nats: a single pixel says no more than this
    heart: float = 0.8  # of a marker's width: its rim is seen mixed with the ground, its side is darker
    # Mean nats of a footprint at which a marker is as likely there as not, and log-odds for each nat more.
    even: float = 0.5
    odds_per_nat: float = 6.0
    # Nats by which every footprint of a place may be unlike its print, and the place still be bare.
    shows_print: float = 1.5
    # Nats by which a footprint is unlike the print and all other markers, next to everywhere, from which it may be any
    # marker; the sides and shadows of others are not. And its log-odds.
    unlike: float = 2.85
    strange_odds: float = -1.0
    # A marker may lie beneath another: as likely as being off the track, by sight alone.
    beneath_odds: float = -3.0


SETTINGS = MarkerSettings()


def read_markers(
    model: AreaModel, seen: Floats, prints: Sequence[Print]
) -> tuple[dict[str, dict[int, float]], Floats]:
    """Marker -> place -> probability, and the log-density of the bare print at every pixel.

    `seen` are the unveiled log colours of all places, each with its margin: places x height x width x 3.
    """
    s = SETTINGS
    off = np.stack([print_.off(place) for print_, place in zip(prints, seen, strict=True)])
    ground = model.colours.ground(off.reshape(-1, *off.shape[2:])).reshape(off.shape[:3])
    score = np.full((len(seen), len(model.labels)), -s.clip, np.float32)
    unlike = np.zeros_like(score)
    # A place that shows its print is bare, whatever colour that has; most are.
    changed = _changed(model, ground)
    if len(changed):
        score[changed], unlike[changed] = _scores(model, seen[changed], ground[changed])
    odds = s.odds_per_nat * (score - s.even)
    taught = np.flatnonzero(model.colours.taught)
    result = {}
    for label in taught:
        others = np.delete(odds, label, axis=1).max(axis=1, initial=-np.inf)
        own = np.maximum(odds[:, label], np.where(others > 0, s.beneath_odds, -np.inf))
        own = np.maximum(own, np.where(unlike[:, label] > s.unlike, s.strange_odds, -np.inf))
        result[model.labels[label]] = place_probabilities(own.astype(np.float32))
    return result, ground


def _changed(model: AreaModel, ground: Floats) -> Ints:
    """The places of which a footprint shows anything but print."""
    lack = np.clip(np.float32(model.colours.likely) - ground, 0, SETTINGS.clip)
    return np.flatnonzero(_clearest(lack[..., None], model)[:, 0] > SETTINGS.shows_print)


def _scores(model: AreaModel, seen: Floats, ground: Floats) -> tuple[Floats, Floats]:
    """For each place and label the clearest footprint: mean gain over all that else may be there; and the footprint
    least like the print and all other labels: how much it is unlike them.
    """
    clip = SETTINGS.clip
    densities = model.colours.density(seen)
    # A pixel is unlike a label when it is much less likely than that label's own pixels are.
    lacks = _usual(model) - densities
    off_print = np.float32(model.colours.likely) - ground
    gains, unlikes = [], []
    for label in range(len(model.labels)):
        others = [i for i in range(len(model.labels)) if i != label]
        rival = np.maximum.reduce([ground, *(densities[..., i] for i in others)])
        gains.append(densities[..., label] - rival)
        unlikes.append(np.minimum.reduce([off_print, *(lacks[..., i] for i in others)]))
    gain = np.clip(np.stack(gains, axis=-1), -clip, clip)
    unlike = np.clip(np.stack(unlikes, axis=-1), 0, clip)
    return _clearest(gain, model), _clearest(unlike, model)


def _usual(model: AreaModel) -> Floats:
    """The log-density of each label at its own likeliest colour."""
    own = model.colours.density(model.colours.means)  # labels x parts x labels
    return np.asarray(own[range(len(own)), :, range(len(own))].max(axis=1), np.float32)


def _clearest(layers: Floats, model: AreaModel) -> Floats:
    """The highest mean below a footprint whose middle is on its place: places x layers, of places x height x width x layers."""
    kernel = disc(SETTINGS.heart * model.size_mm / 2 * AREA.px_per_mm)
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

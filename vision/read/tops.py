"""Which label a cube has, by the colour of its top.

A painted top mirrors lamps and windows a little, as varnish does: light without a colour of its own, once the light of
the table is evened, is added to that of the paint, and black becomes grey. So a label is seen as it was taught, or with as
much such light on it as brings one of its three colours right, or in a shadow; the more that takes, the less likely it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.read.colours import SETTINGS as COLOURS
from vision.read.light import SETTINGS as LIGHT
from vision.read.light import as_light
from vision.read.pixels import log, power

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class TopSettings:
    least_spread: float = 0.06  # of a label's tops, log units
    most_spread: float = 0.2  # more, and tops of several labels were taken for those of one
    slack: float = 0.12  # added to learnt spreads in use: the light of another day
    worth: float = 8.0  # a top is worth as many independent looks at its colour
    fits: float = (
        4.0  # log-density of a top that looks as its label should; one that fits none says less about it
    )
    shine: float = 0.3  # of full light, mirrored: so much more is less likely by a nat
    more: float = 1.5  # times the darkest colour of any top of an area: as much light may another one mirror
    beyond: float = 0.02  # of full light, more than that: less likely by another nat
    shadow: float = 2.0  # nats for each natural logarithm of the light that a shadow takes
    darkest: float = 0.05  # of the light is left in any shadow
    most_nats: float = 32.0  # one top is never surer of its label


SETTINGS = TopSettings()
_SPREAD_OF_MEDIAN = 1.48  # standard deviation for each median deviation of a normal cloud
_NOWHERE = 9.0  # a log colour that no camera gives
_TAIL = 3.5  # Student's t with four degrees of freedom in three dimensions


@dataclass(frozen=True, eq=False)
class Tops:
    """Log colours of the tops of each label: labels x 3. Labels never shown are far from everything."""

    means: Floats
    spreads: Floats

    @cached_property
    def _paint(self) -> Floats:
        return _light(self.means)

    def likelihoods(
        self,
        seen: Floats,
        sure: NDArray[np.bool_],
        full: Floats | None = None,
        settings: TopSettings = SETTINGS,
    ) -> Floats:
        """Log-density of the colours of an area's tops (N x 3) under each label: N x labels.

        Those that are `sure` to be tops tell how much light all of them can mirror. Paint brighter than `full`, where the
        sensor is full, is seen as that: under a lamp white is no brighter than what a shadow leaves of it elsewhere.
        """
        light = _light(seen)
        paint, means = self._paint, self.means
        if full is not None and (paint > full).any():
            paint = np.minimum(paint, full)
            means = np.where(self._paint > full, _logs(paint), means)
        most = settings.more * light[sure].min() if sure.any() else np.inf
        spread = self.spreads**2 + np.float32(settings.slack**2)
        # Nothing mirrored, or what one of the colours lacks: N x labels x 4.
        lack = np.maximum(light[:, None] - paint, 0)
        shine = np.concatenate([np.zeros_like(lack[..., :1]), lack], axis=-1)
        bare = _logs(np.maximum(light[:, None, None] - shine[..., None], 0))
        lit = _tail(bare - means[:, None], spread[:, None])
        lit -= shine / settings.shine + np.maximum(shine - most, 0) / settings.beyond
        share = np.clip(light.sum(axis=-1)[:, None] / paint.sum(axis=-1), settings.darkest, 1)
        dim = _tail(_logs(paint * share[..., None]) - seen[:, None], spread)
        dim += settings.shadow * np.log(share)
        best = np.maximum(lit.max(axis=-1), dim)
        return np.asarray(best - 0.5 * np.log(spread).sum(axis=-1), np.float32)


def _tail(off: Floats, spread: Floats) -> Floats:
    """Log-density, but for a constant, of colours that are off by so much."""
    return np.asarray(-_TAIL * np.log1p((off * off / spread).sum(axis=-1) / (2 * _TAIL)), np.float32)


def top_colour(heart: Floats) -> tuple[float, ...]:
    """The log colour of a top from the pixels in its middle."""
    return tuple(cv2.mean(heart)[:3])


def votes(likelihoods: Floats, settings: TopSettings = SETTINGS) -> tuple[float, ...]:
    """Log-odds of the labels of one top.

    A colour that no label explains comes of a light that is not understood, and that may favour any of them.
    """
    best = likelihoods.max()
    nats = settings.worth / (1 + max(0.0, settings.fits - float(best))) * (likelihoods - best)
    return tuple(float(one) for one in np.maximum(nats, -settings.most_nats))


def learn_tops(colours: Sequence[Sequence[Floats]], settings: TopSettings = SETTINGS) -> Tops:
    """From the colours of the tops shown of each label; one among them that was dealt out wrongly does no harm."""
    means = np.full((len(colours), 3), _NOWHERE, np.float32)
    spreads = np.full((len(colours), 3), settings.least_spread, np.float32)
    for label, own in enumerate(colours):
        if len(own):
            means[label] = np.median(own, axis=0)
            usual = _SPREAD_OF_MEDIAN * np.median(np.abs(own - means[label]), axis=0)
            spreads[label] = np.clip(usual, settings.least_spread, settings.most_spread)
    return Tops(means, spreads)


def _light(logs: Floats) -> Floats:
    return as_light(np.exp(logs) - np.float32(COLOURS.offset))


def _logs(light: Floats) -> Floats:
    return log(255 * power(np.asarray(light, np.float32), 1 / LIGHT.power) + np.float32(COLOURS.offset))

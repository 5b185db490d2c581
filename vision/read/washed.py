"""Tells the labels of tiles apart that mirror a lamp: a veil of its light lies over them, and some colours are burnt out.

What was dark is then far brighter than it was taught, and a blue cube as pale as a white one. Taking the veil off
would leave mostly noise of what is dark. So it is laid over the taught pictures instead, over each as strong as it
makes it most like what is seen, and burns out in them what is burnt out in the picture.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from vision.read.compare import SETTINGS as COMPARE
from vision.read.compare import Match, Places, capped, slackness
from vision.read.features import features, pictures_of
from vision.read.light import as_light, as_values
from vision.read.seek import SETTINGS as SEEK
from vision.read.seek import Aligned
from vision.read.tile import TileModel, unwhitened, whitened

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class WashedSettings:
    thin: int = 3  # every so many pixels of every so many rows tell how strong the veil is
    dark: float = 0.02  # of full light: below it noise is as large as what is measured
    burnt: float = 0.93  # of the light that burns out, above which a pixel does not tell how bright it is
    # Round by round, of the light expected: a pixel further off than this is a finger's, not the piece's.
    off: tuple[float, ...] = (1.0, 0.5)
    left: tuple[float, float] = (
        0.15,
        1.6,
    )  # the least and the most of a picture that may be left under a veil
    most: float = 0.8  # of full light, that a veil may add
    bare: float = 6.0  # log-odds of "empty" from which nothing lies there
    clear: float = 12.0  # log-odds by which the best label leads, from which no veil is looked for
    doubtful: float = 8.0  # log-odds between "empty" and a label, up to which a veil is looked for
    darkest: float = 0.05  # of a picture's pixels,
    lifted: float = 0.03  # which are so much brighter, of full light, where a veil is worth a try
    sure: float = (
        5.0  # log-odds by which a label leads that need not be greater where it fits best with a veil too
    )
    labels: int = 4  # that fit best with a veil are compared closely
    nearer: float = 0.9  # of the distance without a veil: one that brings a piece no nearer is none
    as_before: float = 0.5  # of the log-odds without a veil, that count beside those with one
    least_apart: float = (
        0.3  # squared distance: labels that a veil makes more alike than this are not told apart so well
    )


SETTINGS = WashedSettings()


def told_through_veil(model: TileModel, places: Places, burnt: Floats, found: Match) -> Match:
    """The same with labels, and "empty", told apart anew where a veil brings taught pictures nearer to what is seen.

    `burnt` is the light, evened, at which each colour of each slot burns out: N x 3.
    """
    s, aligned = SETTINGS, places.aligned
    # A place that is bare has no label, and labels so far apart are told already.
    to_tell = ~(found.to_empty > s.bare) & (_second(found.to_label) > -s.clear)
    to_see = np.abs(found.to_empty) < s.doubtful  # not where the print is unknown
    some = np.flatnonzero((aligned.exemplar >= 0) & (to_tell | to_see))
    if not len(some):
        return found
    seen = _thinned(aligned.pictures[some])
    lifted = _darkest(as_light(seen)) - _darkest(lit(model)[aligned.exemplar[some]])
    far = aligned.distances[some].min(axis=1) > SEEK.at_home * model.usual
    to_label, to_empty = found.to_label.copy(), found.to_empty.copy()
    for i in some[far | (lifted > s.lifted)]:
        place = places.of(np.array([i]))
        veiled = Veiled.over(model, place.aligned, burnt[i], found.to_label[i])
        if to_tell[i]:
            to_label[i] = _told(model, place.aligned, veiled, found.to_label[i])
        if to_see[i]:
            to_empty[i] = _bare(model, place, veiled, burnt[i], found.to_empty[i])
    return replace(found, to_label=to_label, to_empty=to_empty)


def _second(to_label: Floats) -> Floats:
    """The log-odds of the second label, none (-inf) where there is one only."""
    alone = np.full(len(to_label), -np.inf, np.float32)
    return np.partition(to_label, -2, axis=1)[:, -2] if to_label.shape[1] > 1 else alone


@dataclass(frozen=True, eq=False)
class Veiled:
    """The taught pictures that are likest to a piece, the likest first, and the veils under which they are."""

    model: TileModel
    exemplars: Ints
    left: Floats
    added: Floats
    burnt: Floats

    @classmethod
    def over(cls, model: TileModel, piece: Aligned, burnt: Floats, before: Floats) -> "Veiled":
        """Of each label the nearest taught picture, under the veil that makes it most like the piece.

        Labels that are close to the best without a veil, by their log-odds `before`, are among them however they look at
        this rough comparison: a piece that lies a pixel off its picture would be called anything but what it is.
        """
        members = model.members
        nearest = members[np.arange(len(members)), piece.told[0][members].argmin(axis=1)]
        seen = as_light(_thinned(piece.pictures))
        left, added, unlike = _veils(seen, lit(model)[nearest], model.mask, burnt)
        order = np.argsort(unlike)
        close = before[model.owners[nearest[order]]] > -SETTINGS.sure
        likest = order[(np.arange(len(order)) < SETTINGS.labels) | close]
        return cls(model, nearest[likest], left[likest], added[likest], burnt)

    @cached_property
    def rows(self) -> Floats:
        """What the pictures look like under their veils, whitened; often it is enough to know which is the likest."""
        taught = _lit(self.model, self.model.means[self.exemplars])
        return _rows(self.model, _laid_over(taught, self.left, self.added, self.burnt))


# As long as a model is in use: a pack may be taught anew while the companion runs.
_LIT: WeakKeyDictionary[TileModel, Floats] = WeakKeyDictionary()


def lit(model: TileModel) -> Floats:
    """Some pixels of the taught pictures, as light; whole pictures would fill a small computer's memory."""
    if model not in _LIT:
        each = [_thinned(_lit(model, model.means[[i]])) for i in range(len(model.means))]
        _LIT[model] = np.concatenate(each)
    return _LIT[model]


def _lit(model: TileModel, rows: Floats) -> Floats:
    """The pictures that whitened rows describe, as light."""
    return as_light(pictures_of(unwhitened(model, rows), model.mask))


def _rows(model: TileModel, pictures: Floats) -> Floats:
    return whitened(model, features(pictures, model.mask))


def _thinned(pictures: Floats) -> Floats:
    return np.ascontiguousarray(pictures[:, :: SETTINGS.thin, :: SETTINGS.thin])


def _darkest(light: Floats) -> Floats:
    """How bright the darkest pixels of pictures are: N."""
    bright = light.mean(axis=3).reshape(len(light), -1)
    at = round(SETTINGS.darkest * bright.shape[1])
    return np.asarray(np.partition(bright, at, axis=1)[:, at], np.float32)


def _told(model: TileModel, piece: Aligned, veiled: Veiled, before: Floats) -> Floats:
    """Log-odds of every label against the best one, of a single piece."""
    owners = model.owners[veiled.exemplars]
    if before[owners[0]] == 0 and np.partition(before, -2)[-2] < -SETTINGS.sure:
        return before
    rows = veiled.rows
    off = (piece.rows - rows) ** 2
    whole, told = off.mean(axis=1), off @ model.weights / np.float32(off.shape[1])
    if whole.min() > SETTINGS.nearer * piece.distances.min():
        return before
    best = int(told.argmin())
    apart = (rows - rows[best]) ** 2 @ model.weights / np.float32(off.shape[1])
    way = (told - told[best]) / np.maximum(apart, SETTINGS.least_apart)
    # Whatever fits worse than all that were compared closely is at least as unlikely as the least of them.
    to_label = np.where(np.isneginf(before), before, -COMPARE.sharpness)
    to_label[owners] = -COMPARE.sharpness * way / slackness(model, whole[best])
    # What speaks for a label without a veil has not become untrue.
    both = to_label + SETTINGS.as_before * before
    return np.asarray(both - both.max(), np.float32)


def _bare(model: TileModel, place: Places, veiled: Veiled, burnt: Floats, before: np.float32) -> np.float32:
    """Log-odds of "empty" against the likest label, of a single place: the print has a veil of its own."""
    piece, unmoved, print_ = place.aligned, place.unmoved, place.prints
    seen, taught = (_lit(model, one) for one in (unmoved, print_))
    left, added, _ = _veils(_thinned(seen), _thinned(taught), model.mask, burnt)
    as_label, as_print = veiled.rows[:1], _rows(model, _laid_over(taught, left, added, burnt))
    to_piece, to_print = capped(piece.rows - as_label), capped(unmoved - as_print)
    if min(to_piece, to_print) > SETTINGS.nearer * min(piece.distances.min(), capped(unmoved - print_)):
        return before
    apart = np.maximum(capped(as_label - as_print), SETTINGS.least_apart)
    odds = (
        COMPARE.sharpness * (to_piece - to_print) / apart / slackness(model, np.minimum(to_piece, to_print))
    )
    return np.float32(odds[0])


def _laid_over(taught: Floats, left: Floats, added: Floats, burnt: Floats) -> Floats:
    """Camera values of taught pictures under veils, burnt out where the picture is."""
    left, added = (one[:, None, None, None] for one in (left, added))
    return as_values(np.minimum(left * taught + added, burnt))


def _veils(seen: Floats, taught: Floats, mask: Floats, burnt: Floats) -> tuple[Floats, Floats, Floats]:
    """For each taught picture what is left of it under its veil, what the veil adds, and how unlike it still is; all thinned.

    Of all colours as much is left, and as much is added to all: light has been evened, and a lamp mirrored in
    varnish has the colour of the light.
    """
    s = SETTINGS
    now, then = seen.reshape(1, -1), taught.reshape(len(taught), -1)
    on_piece = np.repeat(_thinned(mask[None]).reshape(1, -1), 3, axis=1)
    telling = on_piece * (now < s.burnt * np.tile(burnt, now.shape[1] // 3))
    dark = np.float32(s.dark)
    left, added = np.ones((len(taught), 1), np.float32), np.zeros((len(taught), 1), np.float32)
    weight = telling / (now + dark) ** 2
    for off in (None, *s.off):
        if off is not None:
            expected = left * then + added + dark
            unlike = (now + dark - expected) / (np.float32(off) * expected)
            weight = telling * np.exp(-unlike * unlike) / expected**2
        total = weight.sum(axis=1, keepdims=True) + np.float32(1e-9)
        weighed = weight * then
        x, xx = (one[:, None] / total for one in (weighed.sum(axis=1), np.einsum("lp,lp->l", weighed, then)))
        y, xy = (one @ now.T / total for one in (weight, weighed))
        left = np.clip((xy - x * y) / np.maximum(xx - x * x, np.float32(1e-6)), *s.left)
        added = np.clip(y - left * x, 0, s.most)
    expected = left * then + added + dark
    unlike = np.minimum(((now + dark - expected) / expected) ** 2, 1)
    return left[:, 0], added[:, 0], (telling * unlike).sum(axis=1)

"""Tells the labels of a tile apart: the piece that was found is compared with every taught picture of its set.

"Empty" is the slot's own bare print, or, off the board, whatever resembles no piece.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.read.features import SETTINGS as FEATURES
from vision.read.seek import Aligned
from vision.read.tile import TileModel, shrunk, squared
from vision.reading import EMPTY

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class CompareSettings:
    sharpness: float = 20.0  # log-odds between two labels for a picture exactly like one of them
    most_foreign: float = 6.0  # log-odds against a label that was never shown, however well another fits
    best_foreign: float = -0.1  # ... and how near it comes to the likeliest, however badly
    doubt: float = 2e-4  # never less: a wrong label in the list, a piece from another box
    most_doubt: float = 0.6
    likeness_step: float = 0.025  # of likeness, for one unit of log-odds
    print_likeness: float = 0.5  # from which bare print is recognised
    # How far colours stray (log units; brightness, then the two colours): cameras mix their channels anew in every
    # light, and shadows darken.
    tone_spread: tuple[float, float, float] = (0.5, 0.25, 0.25)
    most_tone: float = (
        9.0  # squared spreads: a pixel further off shows something else, and how far says no more
    )
    tone_odds: float = (
        2.0  # log-odds for each squared spread of all pixels; print and piece of one colour give none
    )
    # A veil of glare lifts dark colours towards those of print: where a piece's shape is seen, it has the last word.
    most_tone_odds: float = 2.0
    clear: float = 8.0  # log-odds against "empty" by shape from which colours are not asked
    same_tone: float = 2.5  # squared spreads within which a pixel is as it was
    # Standard deviations, squared: beyond it a feature sees a neighbour's edge or a shadow's, and how far says no more.
    most_feature: float = 16.0
    leniency: float = 2.0  # log-odds that must speak against both before a slot is called strange


SETTINGS = CompareSettings()


@dataclass(frozen=True, eq=False)
class Places:
    """N slots of one set as they are seen, and what each looks like bare. All rows are whitened."""

    aligned: Aligned  # their pieces, moved back to where they should lie
    unmoved: Floats  # N x features: the slots themselves
    prints: Floats  # N x features: their bare print; NaN where it is unknown

    def of(self, some: Ints) -> "Places":
        return Places(self.aligned.of(some), self.unmoved[some], self.prints[some])


@dataclass(frozen=True, eq=False)
class Match:
    """How pictures compare with what was taught, for N slots."""

    to_label: Floats  # N x labels: log-odds against the best label, 0 for the best itself
    to_empty: Floats  # N: log-odds of "empty" against the best label; NaN where the bare ground is unknown
    likeness: Floats  # N: how alike in structure the picture is to the best label, 1 for the same
    bare_likeness: Floats  # N: the same for the bare print; NaN where it is unknown


def compare(model: TileModel, places: Places, same_light: bool = False, strayed: float = 1.0) -> Match:
    """Compares aligned features with the labels, and unmoved ones with each slot's own bare print.

    In the `same_light` prints are given as this very picture shows them, glare and all: then colours have their full say. A
    label loses to the best one by how far, on the line from one taught picture to the other, the seen picture lies; what
    no label explains is the same for both and drops out. Pieces lie `strayed` times as far from taught ones as at teaching.
    """
    aligned = places.aligned
    rows, found = aligned.rows, aligned.told
    n = len(rows)
    each = np.arange(n)
    best = found.argmin(axis=1)
    # Whether a piece lies there at all is told by all of it.
    whole = aligned.distances.argmin(axis=1)
    least = aligned.distances[each, whole]
    to_label = np.full((n, len(model.labels)), -np.inf, np.float32)
    slack = slackness(model, least)
    # Of each label the exemplar that is nearest.
    members = model.members
    nearest = members[np.arange(len(members)), found[:, members].argmin(axis=2)]
    far = np.take_along_axis(found, nearest, axis=1) - found[each, best][:, None]
    way = far / np.maximum(model.between[nearest, best[:, None]], 1e-3)
    to_label[:, model.owners[members[:, 0]]] = -SETTINGS.sharpness * way / slack[:, None]
    to_label[each, model.owners[best]] = 0
    if model.foreign is not None:
        at, width = model.foreign
        odds = (least / strayed - at) / width
        odds = np.clip(odds, -SETTINGS.most_foreign, None) - np.log(len(model.labels))
        for label in (model.labels.index(name) for name in model.untaught):
            # Never the likeliest: nothing speaks for it but that nothing else fits.
            to_label[:, label] = np.minimum(odds, SETTINGS.best_foreign)
    likest = model.means[whole]
    as_piece, as_bare, between = rows - likest, places.unmoved - places.prints, likest - places.prints
    to_empty = SETTINGS.sharpness * (capped(as_piece) - capped(as_bare)) / slack
    to_empty /= np.maximum(capped(between), 1e-3)
    edges = edge_columns(model)
    alike = np.asarray((_cosine(rows[:, edges], likest[:, edges]) + aligned.score) / 2, np.float32)
    bare_alike = _cosine(places.unmoved[:, edges], places.prints[:, edges])
    # Where a piece is seen beyond doubt, or no print is known, colours have nothing to add.
    open_ = np.flatnonzero(~((to_empty < -SETTINGS.clear) & (alike > model.bound)) & ~np.isnan(to_empty))
    if len(open_):
        by_tone, unchanged = _by_tone(model, as_piece[open_], as_bare[open_], between[open_])
        capped_tone = (alike[open_] > model.bound) & (not same_light)
        to_empty[open_] += np.minimum(by_tone, np.where(capped_tone, SETTINGS.most_tone_odds, np.inf))
        # Plain print has no edges of its own to be known by: there it is enough that most of it has its colour.
        bare_alike[open_] = np.fmax(bare_alike[open_], unchanged)
        if not same_light:
            default = bare_by_default(model.bound, alike[open_], bare_alike[open_])
            to_empty[open_] = np.maximum(to_empty[open_], default)
    return Match(to_label, to_empty, alike, bare_alike)


def bare_by_default(bound: float, alike: Floats, bare_alike: Floats) -> Floats:
    """Least log-odds of "empty" where the print is recognised and no piece is; none (-inf) elsewhere.

    Colours of a shaded or tinted place may be nearer to those of a piece that it does not resemble at all.
    """
    odds = np.minimum(bound - alike, bare_alike - SETTINGS.print_likeness) / SETTINGS.likeness_step
    return np.where(odds > 0, np.minimum(odds, SETTINGS.clear), -np.inf).astype(np.float32)


def _by_tone(model: TileModel, as_piece: Floats, as_bare: Floats, between: Floats) -> tuple[Floats, Floats]:
    """Log-odds of "empty" by colours alone, and how much of the print has the colour it should have."""
    most, weight = np.float32(SETTINGS.most_tone), model.tone_columns.weight
    bare_off = tones_off(model, as_bare)
    # A piece lies where the search went or where the slot is: it may have been drawn to half a neighbour.
    piece_off = np.minimum(
        *(np.minimum(tones_off(model, off), most) @ weight for off in (as_piece, as_bare - between))
    )
    odds = SETTINGS.tone_odds * (piece_off - np.minimum(bare_off, most) @ weight)
    return odds, (bare_off < SETTINGS.same_tone) @ weight


def likest(unmoved: Floats, prints: Floats) -> Floats:
    """For slots whose bare print nobody saw, the one of their like that each resembles most."""
    return np.asarray(prints[squared(unmoved, prints).argmin(axis=1)], np.float32)


def unless_alike(found: Match, guessed: list[int]) -> Match:
    """The same, the print of slots in `guessed` being their likest neighbour's: it counts where it is recognised."""
    guess = np.zeros(len(found.likeness), np.bool_)
    guess[guessed] = True
    unknown = guess & ~(found.bare_likeness >= SETTINGS.print_likeness)
    to_empty, bare = (
        np.where(unknown, np.float32(np.nan), one) for one in (found.to_empty, found.bare_likeness)
    )
    return replace(found, to_empty=to_empty, bare_likeness=bare)


def capped(off: Floats) -> Floats:
    """Mean squares in which no single feature counts for many: a neighbour's rim in the corner is not the piece."""
    squares = off * off
    np.minimum(squares, np.float32(SETTINGS.most_feature), out=squares)
    return np.asarray(squares.mean(axis=1), np.float32)


def tones_off(model: TileModel, off: Floats) -> Floats:
    """By how many squared spreads the colours of pictures differ that are `off` from each other: N x pixels.

    Pixel by pixel, not on average: what lies beside a piece changes some of them, another piece nearly all.
    """
    return np.asarray((colours(model, off) ** 2).sum(axis=2), np.float32)


def colours(model: TileModel, rows: Floats) -> Floats:
    """The colours that whitened rows, or differences of them, describe, in spreads: N x pixels x 3."""
    at = model.tone_columns
    back = shrunk(model, rows)
    pixels = (rows[:, at.pixels] + back @ at.pixel_sway) / model.noise[at.pixels]
    mean = (rows[:, -3:] + back @ model.sway[:, -3:]) / model.noise[-3:] / np.float32(FEATURES.mean_weight)
    colours = pixels.reshape(len(rows), -1, 3) + mean[:, None, :] * at.cover[:, None]
    return np.asarray(colours / np.array(SETTINGS.tone_spread, np.float32), np.float32)


def edge_columns(model: TileModel) -> slice:
    """The part of the features that describes edges: what light changes least."""
    return slice(3 * model.mask.size, model.means.shape[1] - 3)


def _cosine(one: Floats, other: Floats) -> Floats:
    squares, others, common = (
        np.einsum("nf,nf->n", a, b) for a, b in ((one, one), (other, other), (one, other))
    )
    return np.asarray(common / np.maximum(np.sqrt(squares * others), np.float32(1e-6)), np.float32)


def slackness(model: TileModel, distance: Floats) -> Floats:
    """1 for pictures that fit as taught ones do, more for those that do not: then nothing is as sure."""
    slack: Floats = np.sqrt(np.maximum(distance / model.usual, 1.0))
    return slack


def probabilities(model: TileModel, found: Match) -> list[dict[str, float]]:
    """A probability for each label and "empty", for each slot."""
    count = found.to_label.shape[1]
    by_print = found.to_empty * np.float32(model.trust_bare)
    to_empty = np.where(np.isnan(by_print), empty_by_likeness(model, found), by_print)
    logs_ = np.concatenate([model.believed(found.to_label), to_empty[:, None]], axis=1)
    top = logs_.max(axis=1, keepdims=True)
    p = np.exp(np.maximum(logs_ - top, -60))
    p[np.isneginf(logs_)] = 0
    p /= p.sum(axis=1, keepdims=True)
    # Where neither a label nor the bare print is recognised, the answer is a guess and says so.
    doubt = SETTINGS.doubt + (SETTINGS.most_doubt - SETTINGS.doubt) * strangeness(model, found)[:, None] ** 2
    p = (1 - doubt) * p + doubt / (count + 1)
    names = (*model.labels, EMPTY)
    return [{name: float(value) for name, value in zip(names, row, strict=True)} for row in p]


def empty_by_likeness(model: TileModel, found: Match) -> Floats:
    """Log-odds of "empty" where the ground is unknown: a table resembles no piece."""
    odds: Floats = np.clip((model.bound - found.likeness) / SETTINGS.likeness_step, -9.0, 9.0)
    return odds


def strangeness(model: TileModel, found: Match) -> Floats:
    """From 0 to 1: how sure it is that neither a piece nor the bare print is seen. 0 where the ground is unknown."""
    as_piece = (found.likeness - model.bound) / SETTINGS.likeness_step
    as_print = (found.bare_likeness - SETTINGS.print_likeness) / SETTINGS.likeness_step
    known = np.where(np.isnan(as_print), 30.0, np.maximum(as_piece, as_print) + SETTINGS.leniency)
    strange: Floats = (1 / (1 + np.exp(np.clip(known, -30, 30)))).astype(np.float32)
    return strange

"""Bare places vouch for one another: places of one print look alike now, whatever camera or lamp shows them.

Another camera mixes its channels and bends its tones otherwise, so that no change of light takes one of its pictures to one
of the camera that taught, and plain print may come nearer to a plain piece than to what it was. But a board has
many places of one print, and some are recognised as bare all the same. What those look like now is what bare print
of their kind looks like, and others are held against that.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.read.compare import SETTINGS as COMPARE
from vision.read.compare import Match, Places, colours, compare, strangeness
from vision.read.hidden import SETTINGS as HIDDEN
from vision.read.recolour import recoloured
from vision.read.tile import TileModel

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class VouchSettings:
    # Squared spreads of colours, on average over a place, up to which two prints are of one kind. Squares of one colour
    # on a photographed board are one to three apart, those of two colours more than ten.
    kind: float = 5.0
    peers: int = 5  # places of a kind that are asked, the likest first: two that are not bare are outvoted
    least: int = 3  # fewer say nothing
    camera: int = 12  # bare places of any print that tell what the camera makes of its colours
    around: int = 4  # places around a strange one, of which ...
    most_strange: int = 1  # may be strange as well


SETTINGS = VouchSettings()


@dataclass(frozen=True, eq=False)
class Bare:
    """Places that were seen to be bare before and look the same: their taught prints, and what some look like now."""

    prints: Floats
    rows: Callable[[Ints], Floats]


@dataclass(frozen=True, eq=False)
class Hearing:
    """The places of a set in one picture, and all that may speak for one of them."""

    model: TileModel
    places: Places
    known: Bare
    # N: by how much "empty" was likelier once a veil of mirrored light was put over pieces and print. What vouches for a
    # place wears that veil already; the taught pieces it is weighed against do not.
    unveiling: Floats
    settings: VouchSettings = SETTINGS

    def heard(self, found: Match, witnesses: Ints) -> Match:
        """What was found, the places `witnesses` and those known already vouching for others of their print."""
        doubt = doubtful(self.model.bound, found)
        found = self._held_against(found, *self._as_peers(self._peers(doubt, witnesses)))
        left = np.intersect1d(doubt, doubtful(self.model.bound, found))
        if not len(left) or len(witnesses) < self.settings.camera:
            return found
        # Prints that look alike to one camera may not to another: what still is in doubt is held against its own.
        prints, unmoved = self.places.prints, self.places.unmoved
        own = recoloured(self.model, prints[left], prints[witnesses], unmoved[witnesses])
        return self._held_against(found, left, own)

    def _held_against(self, found: Match, some: Ints, prints: Floats) -> Match:
        """What was found, some places being bare if they look like `prints`, which are as this picture shows them."""
        if not len(some):
            return found
        again = compare(self.model, replace(self.places.of(some), prints=prints), same_light=True)
        to_empty, bare_likeness = found.to_empty.copy(), found.bare_likeness.copy()
        to_empty[some] = np.fmax(to_empty[some], again.to_empty + self.unveiling[some])
        bare_likeness[some] = np.fmax(bare_likeness[some], again.bare_likeness)
        return replace(found, to_empty=to_empty, bare_likeness=bare_likeness)

    def _as_peers(self, asked: Mapping[int, Ints]) -> tuple[Ints, Floats]:
        """The places that have peers, and what each of them would look like bare: as its peers do now."""
        beyond = np.unique([i for one in asked.values() for i in one if i >= len(self.places.prints)]).astype(
            np.int64
        )
        rows = (
            dict(zip(beyond.tolist(), self.known.rows(beyond - len(self.places.prints)), strict=True))
            if len(beyond)
            else {}
        )
        now = [
            middle([rows[i] if i in rows else self.places.unmoved[i] for i in peers.tolist()])
            for peers in asked.values()
        ]
        none = np.zeros((0, self.places.unmoved.shape[1]), np.float32)
        return np.array(list(asked), np.int64), np.stack(now) if now else none

    def _peers(self, doubt: Ints, witnesses: Ints) -> dict[int, Ints]:
        """For each place in doubt those of its print, the likest first, the known ones counted on from the places; only where they are enough."""
        prints, others = self.places.prints, self.known.prints
        if not len(doubt) or len(witnesses) + len(others) < self.settings.least:
            return {}
        index = np.concatenate([witnesses, len(prints) + np.arange(len(others))])
        weight = np.sqrt(self.model.tone_columns.weight)[:, None]
        here, there = (
            (colours(self.model, rows) * weight).reshape(len(rows), -1)
            for rows in (prints[doubt], np.concatenate([prints[witnesses], others]))
        )
        apart = (here**2).sum(axis=1)[:, None] + (there**2).sum(axis=1) - 2 * here @ there.T
        apart[doubt[:, None] == index] = np.inf
        nearest = np.argsort(apart, axis=1)[:, : self.settings.peers]
        of_kind = np.take_along_axis(apart, nearest, axis=1) < self.settings.kind
        return {
            place: index[one[yes]]
            for place, one, yes in zip(doubt.tolist(), nearest, of_kind, strict=True)
            if yes.sum() >= self.settings.least
        }


def vouched(hearing: Hearing, found: Match, at_mm: NDArray[np.float64]) -> Match:
    """What was found by comparing places with their prints, those in doubt held against their peers as well.

    `at_mm` are the middles of the places, those of different boards far apart.
    """
    model = hearing.model
    found = hearing.heard(found, _bare(model, found))
    strange = strangeness(model, found) >= HIDDEN.strange
    among = among_others(strange, found.to_empty > 0, at_mm, hearing.settings)
    return hearing.heard(found, among) if len(among) else found


def middle(rows: list[Floats]) -> Floats:
    """The median of a few rows, number by number; neighbours are swapped until all are in order, far quicker than a sort of each."""
    ranked = list(rows)
    for turn in range(len(ranked)):
        for i in range(turn % 2, len(ranked) - 1, 2):
            one, other = ranked[i : i + 2]
            ranked[i : i + 2] = np.minimum(one, other), np.maximum(one, other)
    return ranked[len(ranked) // 2]


def doubtful(bound: float, found: Match) -> Ints:
    """Places whose print is known that are neither seen to be bare nor to hold a piece, beyond doubt.

    A square with its outline is the shape of a plain piece: where the print is recognised as well, its colours are heard.
    """
    print_seen = found.bare_likeness > COMPARE.print_likeness
    piece = (found.to_empty < -COMPARE.clear) & (found.likeness > bound) & ~print_seen
    bare = (found.to_empty > COMPARE.clear) & print_seen
    return np.flatnonzero(~piece & ~bare & ~np.isnan(found.to_empty))


def _bare(model: TileModel, found: Match) -> Ints:
    """Places that are seen to be bare; what something lies over is strange, and vouches for nothing."""
    return np.flatnonzero((found.to_empty > 0) & (strangeness(model, found) < HIDDEN.strange))


def among_others(
    strange: NDArray[np.bool_],
    rather_bare: NDArray[np.bool_],
    at_mm: NDArray[np.float64],
    settings: VouchSettings = SETTINGS,
) -> Ints:
    """Places that are rather bare, strange as they look, with places around them that are not strange.

    Something lying over one of them would lie over the next as well.
    """
    some = np.flatnonzero(strange & rather_bare)
    if not len(some) or len(strange) <= settings.around:
        return some[:0]
    away = ((at_mm[some, None] - at_mm[None]) ** 2).sum(axis=2)
    near = np.argsort(away, axis=1)[:, 1 : settings.around + 1]
    return np.asarray(some[strange[near].sum(axis=1) <= settings.most_strange], np.int64)

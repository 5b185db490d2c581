"""How far a comparison can be believed that tells two labels apart, or a piece from bare print.

Each taught piece is read as if it had not been taught, by others of its label where enough of those were shown, once as it
lay and a few times disturbed. Log-odds that come out as they should have a variance of twice their mean. Where they scatter more, as
between labels that only a faint stroke tells apart, or in pieces so tall that each place shows another side of them, they
are worth that much less.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.read.compare import SETTINGS as COMPARE
from vision.read.compare import Match, Places, compare
from vision.read.features import features
from vision.read.seek import align, middles
from vision.read.tile import TileModel, whitened
from vision.read.untaught import without

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class TrustSettings:
    pictures: int = 300  # of a set, that are read
    each: tuple[int, int] = (2, 6)  # of one piece, the fewest and the most
    # Times the usual distance: a piece so far from others of its label is no picture of them.
    another_look: float = 2.5
    # In so many other places a label must have been shown: to leave out one of two pictures says how it would be read with half of them.
    others: int = 2
    least: float = 0.05  # never less: even a coin says something
    least_bare: int = 4  # pieces on known print, below which nothing is learnt of them
    # A label that nothing else of its kind reads is believed no more than this share of the pairs of those that are read so,
    alone: float = 0.25
    least_pairs: int = 6  # if there are so many


SETTINGS = TrustSettings()


@dataclass(frozen=True, eq=False)
class Shown:
    """A taught piece: its crop with margin and a few disturbed ones, its bare place if it is known, and where it lay."""

    wholes: Floats
    bare: Floats | None
    place: str


def pictures_each(pieces: int, settings: TrustSettings = SETTINGS) -> int:
    """How many pictures of each piece are worth reading."""
    return int(np.clip(settings.pictures // max(pieces, 1), *settings.each))


def learn_trust(
    model: TileModel, shown: Sequence[Shown], settings: TrustSettings = SETTINGS
) -> tuple[Floats, float]:
    """What log-odds between each two labels are to be multiplied with, and those between a piece and bare print.

    `shown` are the model's exemplars, in their order.
    """
    count = len(model.labels)
    seen: dict[tuple[int, int], list[Floats]] = {}
    bare: list[float] = []
    by_others = np.zeros(count, np.bool_)
    for i, piece in enumerate(shown):
        own = int(model.owners[i])
        rest = _others(model, shown, i, settings)
        by_others[own] |= rest is not None
        found, against_bare = _read(rest or model, piece)
        ahead = np.clip(found.to_label[:, own, None] - found.to_label, -COMPARE.sharpness, COMPARE.sharpness)
        for label in np.flatnonzero(np.isfinite(found.to_label).all(axis=0)).tolist():
            if label != own:
                pair = min(own, label), max(own, label)
                seen.setdefault(pair, []).append(ahead[:, label])
        if piece.bare is not None:
            bare.append(against_bare)
    trust = np.ones((count, count), np.float32)
    for (one, other), odds in seen.items():
        trust[one, other] = trust[other, one] = _worth(np.concatenate(odds), settings)
    known_pairs = [trust[pair] for pair in seen if by_others[list(pair)].all()]
    if len(known_pairs) >= settings.least_pairs:
        most = np.quantile(known_pairs, settings.alone)
        alone = ~by_others & np.isin(np.arange(count), model.owners)
        trust[alone] = np.minimum(trust[alone], most)
        trust[:, alone] = np.minimum(trust[:, alone], most)
    enough = len(bare) >= settings.least_bare
    return trust, _worth(np.array(bare, np.float32), settings) if enough else 1.0


def _worth(odds: Floats, settings: TrustSettings) -> float:
    return float(np.clip(2 * odds.mean() / max(float(odds.var()), 1e-3), settings.least, 1.0))


def _others(model: TileModel, shown: Sequence[Shown], i: int, settings: TrustSettings) -> TileModel | None:
    """The model as if a piece had not been taught; None where no other of its label looks like it."""
    own = model.owners == model.owners[i]
    same = np.array([one.place == shown[i].place for one in shown]) & own
    if len({shown[j].place for j in np.flatnonzero(own & ~same).tolist()}) < settings.others:
        return None
    rest = without(model, same)
    near = align(rest, shown[i].wholes[:1]).distances[0, rest.owners == model.owners[i]].min()
    return rest if near < settings.another_look * model.usual else None


def _read(model: TileModel, piece: Shown) -> tuple[Match, float]:
    """How a piece and its disturbed pictures compare, and its log-odds against bare print."""
    aligned = align(model, piece.wholes)
    rows, prints = aligned.rows.copy(), np.full_like(aligned.rows, np.nan)
    if piece.bare is not None:
        both = middles(model.geometry, np.stack([piece.wholes[0], piece.bare]))
        rows[0], prints[0] = whitened(model, features(both, model.mask))
    found = compare(model, Places(aligned, rows, prints))
    against = float(np.clip(-found.to_empty[0], -COMPARE.sharpness, COMPARE.sharpness))
    return found, against

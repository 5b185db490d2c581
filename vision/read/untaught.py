"""Labels of a set that were never shown: how a piece gives away that it is one of them.

Each taught piece is read twice as if it had not been taught: once by others of its label, as a known piece is, once
without its label, as an unknown one would be. How far it is from what is left parts the two. Another camera shows all pieces
farther from what was taught: then the nearest of them tell how much.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.read.features import features
from vision.read.seek import Aligned, align
from vision.read.tile import TileModel, squared, whitened

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class UntaughtSettings:
    folds: int = 4  # as many models are made, each without a share of the places
    least_known: int = 8  # pieces read by others of their label, below which the usual distance is taken
    most_each: int = 3  # pieces of a label that stand for it as unknown
    log_odds: float = 4.0  # of a typical known piece against being unknown, and the other way round
    least_width: float = (
        0.1  # of the usual distance: two clouds that never touch are still not known that well
    )
    # Of the pieces in a picture, those that come nearest to taught ones: most labels were shown.
    nearest: float = 0.15
    least_seen: int = 8  # pieces that tell how far this camera shows them from what was taught
    most_strayed: float = 3.0  # times as far; beyond that nothing is known


SETTINGS = UntaughtSettings()


def parting(
    model: TileModel, wholes: Sequence[Floats], places: Sequence[str], settings: UntaughtSettings = SETTINGS
) -> tuple[float, float]:
    """The distance from everything taught at which a piece is as likely unknown as known, and one log-odd's worth of it.

    `wholes` are the crops of the model's exemplars and `places` where they lay: a piece that stays in its place from
    one photograph to the next is one piece, so places are left out, not pictures.
    """
    known = _known(model, wholes, places, settings)
    unknown = _distances(model, wholes, _without_labels(model, settings))
    near = float(np.median(known)) if len(known) >= settings.least_known else model.usual
    far = float(np.median(unknown)) if len(unknown) else 2 * near
    width = max(far - near, 2 * settings.log_odds * settings.least_width * model.usual) / (
        2 * settings.log_odds
    )
    return (near + max(far, near)) / 2, width


def how_far(model: TileModel, found: Aligned) -> Floats:
    """The distance of each piece that was found from the taught picture nearest to it; NaN where none was."""
    seen = (found.exemplar >= 0) & (found.score > model.bound)
    return np.where(seen, found.distances.min(axis=1), np.nan).astype(np.float32)


def strayed(model: TileModel, far: Floats, settings: UntaughtSettings = SETTINGS) -> float:
    """How many times as far from what was taught as at teaching pieces lie that are seen `far` from it now; at least 1."""
    if model.foreign is None or len(far) < settings.least_seen:
        return 1.0
    at, width = model.foreign
    near = max(at - settings.log_odds * width, model.usual / 2)
    return float(np.clip(np.quantile(far, settings.nearest) / near, 1.0, settings.most_strayed))


def _known(
    model: TileModel, wholes: Sequence[Floats], places: Sequence[str], settings: UntaughtSettings
) -> Floats:
    order = {place: i for i, place in enumerate(sorted(set(places)))}
    fold = np.array([order[place] % settings.folds for place in places], np.int64)

    def parts() -> Iterable[tuple[Mask, Mask]]:
        for part in range(settings.folds):
            dropped = fold == part
            yield dropped, dropped & np.isin(model.owners, model.owners[~dropped])

    return _distances(model, wholes, parts())


def _without_labels(model: TileModel, settings: UntaughtSettings) -> Iterable[tuple[Mask, Mask]]:
    for label in np.unique(model.owners):
        dropped = model.owners == label
        yield dropped, dropped & (np.cumsum(dropped) <= settings.most_each)


def _distances(model: TileModel, wholes: Sequence[Floats], parts: Iterable[tuple[Mask, Mask]]) -> Floats:
    """How far the pieces asked for are from what is left, for each part of exemplars dropped and asked for."""
    found = [np.zeros(0, np.float32)]
    for dropped, asked in parts:
        if dropped.all() or not asked.any():
            continue
        rest = without(model, dropped)
        pictures = align(
            rest, np.stack([whole for whole, ask in zip(wholes, asked, strict=True) if ask])
        ).pictures
        found.append(squared(whitened(rest, features(pictures, rest.mask)), rest.means).min(axis=1))
    return np.concatenate(found)


def without(model: TileModel, dropped: Mask) -> TileModel:
    """The model as if some exemplars had not been taught; what it knows of disturbances stays."""
    kept = ~dropped
    return replace(
        model,
        owners=model.owners[kept],
        means=model.means[kept],
        coarse_templates=model.coarse_templates[:, np.repeat(kept, len(model.angles))],
        shades=model.shades[kept] if len(model.shades) else model.shades,
    )

"""Labels that cannot be right: a piece that looks unlike others of its label and just like those of another."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.read.features import features
from vision.read.seek import align
from vision.read.tile import TileModel, squared, whitened

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Listed:
    """A piece as `enrol.toml` lists it. `where` is for people: photograph and slot."""

    where: str
    label: int
    whole: Floats  # its picture with margin, light evened


@dataclass(frozen=True)
class ContradictionSettings:
    # Of the distance to its own label, so near must another be: closer kin is told apart less well than this.
    closer: float = 0.4
    most: int = 1000  # pieces looked at


SETTINGS = ContradictionSettings()


def contradictions(
    model: TileModel, listed: Sequence[Listed], settings: ContradictionSettings = SETTINGS
) -> dict[str, str]:
    """For each label that something is wrong with, one sentence that says where and what it looks like."""
    pieces = list(listed)[: settings.most]
    if not pieces:
        return {}
    pictures = align(model, np.stack([piece.whole for piece in pieces])).pictures
    distances = squared(whitened(model, features(pictures, model.mask)), model.means)
    sentences: dict[str, str] = {}
    for piece, to_each in zip(pieces, distances, strict=True):
        unlike = model.owners != piece.label
        # The nearest of its own label is the piece itself.
        alike = np.sort(to_each[~unlike])[1:]
        if not len(alike) or not unlike.any():
            continue
        nearest = int(np.flatnonzero(unlike)[to_each[unlike].argmin()])
        if to_each[nearest] < settings.closer * alike[0]:
            label, looks = model.labels[piece.label], model.labels[model.owners[nearest]]
            sentences.setdefault(
                label, f"{piece.where} is listed as {label} but looks like {looks}: correct the list"
            )
    return sentences

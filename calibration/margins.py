"""How well the labels of a set are told apart: the closest two, and how far they are from each other."""

from dataclasses import dataclass

import numpy as np

from vision.read.area import AreaModel
from vision.read.tile import TileModel, squared
from vision.read.tokens import Tokens, tokens_apart


@dataclass(frozen=True)
class Margin:
    """How well a label set is told apart: the closest two labels, and how far apart they are.

    `way` is in standard deviations of what disturbs a picture; below about 3 the two will be confused.
    """

    group: str
    labels: int
    first: str = ""
    second: str = ""
    way: float = float("inf")


def tile_margin(group: str, model: TileModel) -> Margin:
    """The two labels whose taught pictures are closest, in deviations of real pictures along their difference."""
    best = Margin(group, len(model.labels))
    apart = squared(model.means, model.means) * model.means.shape[1]
    usual = model.usual * model.means.shape[1]
    for a in range(len(model.labels)):
        for b in range(a + 1, len(model.labels)):
            one, other = model.owners == a, model.owners == b
            if one.any() and other.any():
                least = float(apart[np.ix_(one, other)].min())
                way = float(np.sqrt(least / max(usual, 1e-6))) * 3
                if way < best.way:
                    best = Margin(group, len(model.labels), model.labels[a], model.labels[b], way)
    return best


def area_margin(group: str, model: AreaModel) -> Margin:
    best = Margin(group, len(model.labels))
    colours = model.colours
    for a in range(len(model.labels)):
        for b in range(a + 1, len(model.labels)):
            if not (colours.taught[a] and colours.taught[b]):
                continue
            ways = []
            for mean, share in zip(colours.means[a], colours.shares[a], strict=True):
                own, other = colours.density(mean[None])[0, [a, b]]
                ways.append((float(share), float(own - other)))
            way = float(np.sqrt(max(sum(share * gap for share, gap in ways), 0.0) * 2))
            if way < best.way:
                best = Margin(group, len(model.labels), model.labels[a], model.labels[b], way)
    return best


def token_margin(group: str, tokens: Tokens) -> Margin:
    best = Margin(group, len(tokens.labels))
    for a, first in enumerate(tokens.labels):
        for b, second in enumerate(tokens.labels[:a]):
            way = tokens_apart(tokens, a, b)
            if way < best.way:
                best = Margin(group, len(tokens.labels), second, first, way)
    return best

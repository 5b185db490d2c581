"""Tells tokens apart that may lie any way round: rings of colour about their middle, which no turn changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class LookSettings:
    rings: tuple[float, ...] = (0.35, 0.7, 1.0)  # outer radii, of the piece's
    spread_weight: float = 0.7  # how much the variety within a ring counts beside its mean
    restarts: int = 40
    rounds: int = 12
    seed: int = 11


SETTINGS = LookSettings()


def look(logs: Floats, at_px: tuple[float, float], radius_px: float) -> Floats:
    """Mean and spread of the log colours in each ring: 6 numbers a ring."""
    height, width = logs.shape[:2]
    reach = int(np.ceil(radius_px)) + 1
    left, top = max(0, round(at_px[0]) - reach), max(0, round(at_px[1]) - reach)
    part = logs[
        top : min(height, round(at_px[1]) + reach + 1), left : min(width, round(at_px[0]) + reach + 1)
    ]
    down, right = np.mgrid[top : top + part.shape[0], left : left + part.shape[1]]
    far = np.hypot(right - at_px[0], down - at_px[1]) / radius_px
    numbers = []
    inner = 0.0
    for outer in SETTINGS.rings:
        ring = part[(far >= inner) & (far < outer)]
        if len(ring) == 0:
            ring = part.reshape(-1, 3)
        numbers += [ring.mean(axis=0), ring.std(axis=0) * SETTINGS.spread_weight]
        inner = outer
    return np.concatenate(numbers).astype(np.float32)


def sort_out(seen: Sequence[Floats], contents: Sequence[tuple[int, ...]]) -> list[Ints]:
    """Which piece of each area has which label, when only the numbers of each are known.

    `seen[i]` holds the looks of area i, as many as `contents[i]` adds up to. Labels are dealt out so that pieces
    of one label look most alike. Areas with one label only show for certain how that one looks: where all but one
    of an area's labels are known so, its pieces are dealt by that alone. A label may then look different on each
    board, as keys in the colours of their players do.
    """
    dealt = _by_likeness(seen, contents)
    certain: dict[int, Floats] = {}
    for looks, content in zip(seen, contents, strict=True):
        if np.count_nonzero(content) == 1:
            label = int(np.argmax(content))
            certain[label] = np.concatenate([certain[label], looks]) if label in certain else looks
    for i, (looks, content) in enumerate(zip(seen, contents, strict=True)):
        held = [int(label) for label in np.flatnonzero(content)]
        if len(held) > 1 and sum(label not in certain for label in held) <= 1:
            cost = np.zeros((len(looks), len(content)), np.float32)
            for label in set(held) & set(certain):
                cost[:, label] = np.abs(looks[:, None] - certain[label][None]).sum(axis=2).min(axis=1)
            dealt[i] = deal(cost, content)
    return dealt


def _by_likeness(seen: Sequence[Floats], contents: Sequence[tuple[int, ...]]) -> list[Ints]:
    """Labels dealt out so that pieces of one label lie closest to their median."""
    rng = np.random.default_rng(SETTINGS.seed)
    labels = len(contents[0])
    best: tuple[float, list[Ints]] | None = None
    for _ in range(SETTINGS.restarts):
        dealt = [rng.permutation(np.repeat(np.arange(labels), content)) for content in contents]
        for _ in range(SETTINGS.rounds):
            means = _means(seen, dealt, labels)
            again = [
                deal(np.abs(looks[:, None, :] - means[None]).sum(axis=2), content)
                for looks, content in zip(seen, contents, strict=True)
            ]
            if all((a == b).all() for a, b in zip(again, dealt, strict=True)):
                break
            dealt = again
        means = _means(seen, dealt, labels)
        cost = sum(
            float(np.abs(looks - means[own]).sum())
            for looks, own in zip(seen, dealt, strict=True)
            if len(own)
        )
        if best is None or cost < best[0]:
            best = cost, dealt
    assert best is not None
    return best[1]


def _means(seen: Sequence[Floats], dealt: Sequence[Ints], labels: int) -> Floats:
    every = np.concatenate(list(seen))
    whose = np.concatenate(list(dealt))
    means = np.tile(every.mean(axis=0), (labels, 1))
    for label in range(labels):
        if (whose == label).any():
            means[label] = np.median(every[whose == label], axis=0)
    return means.astype(np.float32)


def deal(cost: Floats, content: tuple[int, ...]) -> Ints:
    """The cheapest way to give each piece a label with the numbers kept; `cost` is pieces x labels."""
    wanted = np.repeat(np.arange(len(content)), content)
    if len(wanted) <= 5:
        ways = set(permutations(wanted.tolist()))
        return np.array(
            min(ways, key=lambda way: float(cost[np.arange(len(way)), list(way)].sum())), np.int64
        )
    left = list(content)
    dealt = np.full(len(cost), -1, np.int64)
    # Clearest first: the piece that has most to lose by another label.
    gap = np.sort(cost, axis=1)
    order = np.argsort(-(gap[:, 1] - gap[:, 0])) if len(content) > 1 else np.arange(len(cost))
    for piece in order:
        free = [label for label in range(len(content)) if left[label]]
        label = min(free, key=lambda one: float(cost[piece, one]))
        dealt[piece] = label
        left[label] -= 1
    return dealt

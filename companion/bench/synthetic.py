"""Readings of tables that exist only as values: what vision would say, with its doubts and its mistakes.

No pixels and no rule: a content for each slot goes in, probabilities come out.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from vision.reading import EMPTY, BoardSeen, Reading

Content = str | Mapping[str, int]
L = TypeVar("L", str, int)

DIVERS = ("metal", "plant", "fuel", "tech", "trader", "spy", "engineer", "explorer")
_SPONSORS = tuple(f"{n}{side}" for n in range(1, 6) for side in ("", "a"))
_CAPACITY = {"zone": 6, "store": 1, "x": 3, "tray": 12, "hacker": 3, "mechanic": 3, "score": 30}


@dataclass(frozen=True)
class Noise:
    """How good the eyes are. The defaults are a living room: nearly always clear, now and then a doubt."""

    # Doubt left in a clear slot, drawn log-uniformly between these two.
    doubt: tuple[float, float] = (1e-4, 0.03)
    # A slot whose likeliest label is wrong; the right one then stays second.
    misread_p: float = 0.0005
    # A reading in which something covers a few neighbouring slots, and how many at most.
    covered_p: float = 0.04
    covered_slots: int = 4


@dataclass(frozen=True)
class Alphabet:
    """The labels each kind of tile slot can show."""

    cards: Sequence[str]
    rewards: Sequence[str]

    def of(self, slot: str) -> Sequence[str]:
        kind = slot.split(".")[1]
        match kind:
            case "diver":
                return [*DIVERS, *(f"{diver}+" for diver in DIVERS)]
            case "key":
                return ["key", EMPTY]
            case "track":
                return ["back", EMPTY]
            case "reward":
                return ["credits", "prestige", EMPTY]
            case "sponsor":
                return _SPONSORS
            case "display":
                return [*self.rewards, EMPTY]
            case "contract":
                return [*self.cards, EMPTY]
            case _:
                raise ValueError(f"{slot} is not a tile slot")


def reading_of(
    slots: Mapping[str, Content], alphabet: Alphabet, rng: random.Random, noise: Noise | None = None
) -> Reading:
    """What vision would say about a table with these contents."""
    noise = noise or Noise()
    covered = _covered(sorted(slots), rng, noise)
    tiles: dict[str, dict[str, float]] = {}
    counts: dict[str, dict[str, dict[int, float]]] = {}
    for slot, content in slots.items():
        if slot in covered:
            continue
        if isinstance(content, str):
            tiles[slot] = _doubted(content, alphabet.of(slot), rng, noise)
        else:
            capacity = _CAPACITY[slot.split(".")[1]]
            counts[slot] = {
                label: _doubted(number, _neighbours(number, capacity), rng, noise)
                for label, number in content.items()
            }
    boards = {slot.split(".")[0]: BoardSeen(True) for slot in slots}
    return Reading(boards, tiles, counts, frozenset(covered))


def corrupt(
    reading: Reading, slots: Sequence[str], alphabet: Alphabet, rng: random.Random, sure: float | None = None
) -> Reading:
    """The reading with another label first in each of `slots`.

    The wrong label gets `sure` and the right one the rest. Without, the wrong label gets 0.5 to 0.9 and the right one
    most of the rest, as when two pieces look alike in bad light.
    """
    tiles = {slot: dict(ps) for slot, ps in reading.tiles.items()}
    counts = {
        slot: {label: dict(ps) for label, ps in labels.items()} for slot, labels in reading.counts.items()
    }
    for slot in slots:
        if slot in tiles:
            right = max(tiles[slot], key=tiles[slot].__getitem__)
            tiles[slot] = _misread(right, alphabet.of(slot), rng, sure)
        else:
            label = rng.choice(sorted(counts[slot]))
            number = max(counts[slot][label], key=counts[slot][label].__getitem__)
            capacity = _CAPACITY[slot.split(".")[1]]
            counts[slot][label] = _misread(number, _neighbours(number, capacity), rng, sure)
    return Reading(reading.boards, tiles, counts, reading.hidden)


def _doubted(right: L, labels: Sequence[L], rng: random.Random, noise: Noise) -> dict[L, float]:
    if rng.random() < noise.misread_p:
        return _misread(right, labels, rng)
    low, high = noise.doubt
    doubt = low * (high / low) ** rng.random()
    return _spread(right, 1 - doubt, [label for label in labels if label != right], rng)


def _misread(right: L, labels: Sequence[L], rng: random.Random, sure: float | None = None) -> dict[L, float]:
    wrong = rng.choice([label for label in labels if label != right])
    if sure is not None:
        return {wrong: sure, right: 1 - sure}
    first = rng.uniform(0.5, 0.9)
    second = 0.8 * (1 - first)
    others = [label for label in labels if label not in (right, wrong)]
    ps = _spread(wrong, 1 - second, others, rng, first)
    return {**ps, right: second + (0.0 if others else 1 - second - first)}


def _spread(
    first: L, total: float, others: Sequence[L], rng: random.Random, p: float | None = None
) -> dict[L, float]:
    """`p` for the first label and the rest of `total` (or of 1) over up to three others."""
    rest = 1 - total if p is None else total - p
    chosen = rng.sample(list(others), min(3, len(others)))
    shares = [rng.random() + 0.01 for _ in chosen]
    ps = {first: total if p is None else p}
    ps.update({label: rest * share / sum(shares) for label, share in zip(chosen, shares, strict=True)})
    return ps


def _neighbours(number: int, capacity: int) -> list[int]:
    return [n for n in range(number - 2, number + 3) if 0 <= n <= max(capacity, number)]


def _covered(slots: Sequence[str], rng: random.Random, noise: Noise) -> set[str]:
    if rng.random() >= noise.covered_p:
        return set()
    start = rng.randrange(len(slots))
    return set(slots[start : start + rng.randint(1, noise.covered_slots)])

"""Which board lies in which place, when several boards fit several places."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.fix import Matrix, project

# So many agreeing features are as good as any more.
ENOUGH_VOTES = 40.0
# Colours that are off by 0.2 outweigh the best shape: boards of one game differ in nothing but colour.
COLOUR_WEIGHT = 5.0
# Guesses beyond these never won; without a bound the combinations explode.
GUESSES_EACH = 5


@dataclass(frozen=True, eq=False)
class Candidate:
    """A board in a place: how many features say so, and how far off its colours are."""

    board: str
    flat_from_mm: Matrix
    size_mm: tuple[float, float]
    votes: float
    misfit: float

    @property
    def value(self) -> float:
        return min(1.0, self.votes / ENOUGH_VOTES) - COLOUR_WEIGHT * self.misfit + 1.0


def overlap(a: Matrix, a_mm: tuple[float, float], b: Matrix, b_mm: tuple[float, float]) -> bool:
    """Whether two boards would lie on top of each other: the middle of one is inside the other."""

    def contains(pose: Matrix, size_mm: tuple[float, float], point: Matrix) -> bool:
        x, y = project(np.asarray(np.linalg.inv(pose), np.float64), point)[0]
        return bool(0 < x < size_mm[0] and 0 < y < size_mm[1])

    middle_a = project(a, [(a_mm[0] / 2, a_mm[1] / 2)])
    middle_b = project(b, [(b_mm[0] / 2, b_mm[1] / 2)])
    return contains(a, a_mm, middle_b) or contains(b, b_mm, middle_a)


def assign(candidates: Sequence[Candidate]) -> dict[str, Candidate]:
    """At most one place for each board and one board for each place, best in sum."""
    boards = sorted({candidate.board for candidate in candidates})
    choices = [
        sorted((c for c in candidates if c.board == board), key=lambda c: -c.value)[:GUESSES_EACH]
        for board in boards
    ]
    kept = [candidate for choice in choices for candidate in choice]
    clash = {
        (id(a), id(b))
        for a in kept
        for b in kept
        if a is not b and overlap(a.flat_from_mm, a.size_mm, b.flat_from_mm, b.size_mm)
    }

    def best(index: int, chosen: tuple[Candidate, ...]) -> tuple[float, tuple[Candidate, ...]]:
        if index == len(choices):
            return sum(max(c.value, 0.0) for c in chosen), chosen
        without = best(index + 1, chosen)
        withs = [
            best(index + 1, (*chosen, c))
            for c in choices[index]
            if all((id(c), id(other)) not in clash for other in chosen)
        ]
        return max([without, *withs], key=lambda scored: scored[0])

    return {candidate.board: candidate for candidate in best(0, ())[1]}

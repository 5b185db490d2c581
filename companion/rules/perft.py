"""Counting results, to prove an engine against its own past and against others."""

from companion.rules.position import Position
from companion.rules.search import outcomes
from companion.rules.turns import turns


def perft(position: Position, depth: int = 1) -> int:
    """How many distinct results sequences of `depth` turns have, those of each first turn counted by themselves.

    >>> from companion.rules import new_game
    >>> perft(new_game(seed=1)) == len(list(turns(new_game(seed=1))))
    True
    """
    if depth == 0:
        return 1
    if depth == 1 and position.progress is None:
        return sum(map(len, outcomes(position)))
    return sum(perft(after, depth - 1) for _, after in turns(position))

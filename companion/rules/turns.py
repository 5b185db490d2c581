"""Every legal turn of a position, each distinct result once."""

from collections.abc import Iterator

from companion.rules.play import followers
from companion.rules.position import Position
from companion.rules.search import outcomes
from companion.rules.steps import EndTurn
from companion.rules.turn import Turn


def turns(position: Position) -> Iterator[tuple[Turn, Position]]:
    """Each position a legal turn leads to, once, with a turn that leads there; none when the game is over.

    They are streamed. In the middle of a turn, those that go on from there, written from the turn's start.

    >>> from companion.rules import new_game
    >>> position = new_game(seed=1)
    >>> all(position.play_turn(turn) == after for turn, after in turns(position))
    True
    """
    if position.progress is not None:
        yield from turns_by_steps(position)
        return
    for outcome in outcomes(position):
        yield from outcome


def turns_by_steps(position: Position) -> Iterator[tuple[Turn, Position]]:
    """The same found by playing every sequence of legal steps: plain and slow."""
    seen: set[Position] = set()
    stack = [position]
    while stack:
        here = stack.pop()
        for step, after in followers(here):
            # Whatever steps led to the same table with the same things settled, the same can follow.
            progress = after.progress
            same = after._replace(progress=progress and progress._replace(steps=()))
            if same in seen:
                continue
            seen.add(same)
            if isinstance(step, EndTurn):
                assert here.progress is not None
                yield Turn(here.progress.steps), after
            else:
                stack.append(after)

"""Every legal turn of a position, each distinct result once."""

from collections.abc import Iterator

from companion.rules.play import followers
from companion.rules.position import Position
from companion.rules.steps import EndTurn
from companion.rules.turn import Turn


def turns(position: Position) -> Iterator[tuple[Turn, Position]]:
    seen: set[Position] = set()
    stack = [position]
    while stack:
        here = stack.pop()
        for step, after in followers(here):
            if isinstance(step, EndTurn):
                if after not in seen:
                    seen.add(after)
                    assert here.progress is not None
                    yield Turn(here.progress.steps), after
            else:
                stack.append(after)

"""A whole turn: its steps in the order played, written on one line."""

from collections.abc import Callable, Iterable
from typing import Any

from companion.rules.errors import MalformedNotation
from companion.rules.notation import parse_steps
from companion.rules.steps import Dive, EndTurn, Step


class Turn:
    """The steps of one turn, without the closing EndTurn. `str(turn)` writes it, `Turn.parse` reads it.

    A turn found by `turns()` remembers only how it was found; its steps are put together when first asked for.

    >>> Turn.parse("key3 dive:cube").steps[0].level
    3
    """

    __slots__ = ("_steps", "recipe")
    _steps: tuple[Step, ...]
    recipe: tuple[Callable[[int, int], tuple[Step, ...]], int, int]  # only of turns that `turns()` found

    def __init__(self, steps: Iterable[Step]) -> None:
        self._steps = tuple(step for step in steps if not isinstance(step, EndTurn))

    @property
    def steps(self) -> tuple[Step, ...]:
        try:
            return self._steps
        except AttributeError:
            find, order, batteries = self.recipe
            self._steps = find(order, batteries)
            del self.recipe  # it holds the whole search
            return self._steps

    def __reduce__(self) -> tuple[Any, ...]:
        return Turn, (self.steps,)

    @classmethod
    def parse(cls, text: str) -> "Turn":
        turn = cls(parse_steps(text))
        if not any(isinstance(step, Dive) for step in turn.steps):
            raise MalformedNotation(
                f"{text!r} is not a turn: every turn has a dive step (plain 'dive' declines the effect)"
            )
        return turn

    def __str__(self) -> str:
        return " ".join(map(str, self.steps))

    def __repr__(self) -> str:
        return f"Turn.parse({str(self)!r})"

    def __eq__(self, other: Any) -> bool:
        return self.steps == other.steps if isinstance(other, Turn) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.steps)

"""Games to show on the table: legal turns of the random player, one press of the button after another."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.rules import SEATS, Cards, Position, Turn, choose_turn, new_game
from hardware.simulated.contents import Content, contents
from hardware.simulated.layout import Layout


@dataclass(frozen=True)
class Mistake:
    """A wrong turn: the fault by its name, and the slots that differ from the right one."""

    fault: str
    slots: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"fault": self.fault, "slots": list(self.slots)}


@dataclass(frozen=True)
class Press:
    """A player has finished and presses the button.

    `position` is the game after it: after the turn, or still before it when the turn is shown wrong.
    """

    player: int
    turn: Turn
    before: Position
    position: Position
    held: Mapping[str, Content]
    mistake: Mistake | None = None


def start(seed: int, players: int, cards: Cards) -> Position:
    """The position a game of this seed begins with; sponsors lie on either side."""
    return new_game(seed, SEATS[:players], cards=cards, sponsors="mixed")


def presses(position: Position, at: Layout, seed: int) -> Iterator[Press]:
    """A whole game without mistakes."""
    rng = Random(seed)
    while position.over is None:
        turn = choose_turn(position, rng)
        after = position.play_turn(turn)
        yield Press(position.to_play, turn, position, after, contents(after.to_json(), at))
        position = after

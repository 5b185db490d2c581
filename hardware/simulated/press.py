"""One press of a button: who pressed, what was played, and what then lies on the table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules import SEATS, Cards, Position, Turn, new_game
from hardware.simulated.arrange import Placed
from hardware.simulated.contents import Content


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
    loose: tuple[Placed, ...] = ()  # pieces that lie in no slot
    covered: tuple[str, ...] = ()  # slots under a napkin when the picture is taken


def start(seed: int, players: int, cards: Cards) -> Position:
    """The position a game of this seed begins with; sponsors lie on either side."""
    return new_game(seed, SEATS[:players], cards=cards, sponsors="mixed")

"""Games to show on the table: legal turns of the random player, and now and then a turn shown wrong first."""

from collections.abc import Iterator
from random import Random

from companion.rules import Position, choose_turn
from hardware.simulated.contents import contents
from hardware.simulated.layout import Layout
from hardware.simulated.mistakes import spoil
from hardware.simulated.press import Press


def presses(position: Position, at: Layout, seed: int, mistakes: float = 0.0) -> Iterator[Press]:
    """A whole game, press by press. With probability `mistakes` a turn is shown wrong, and right at the next press."""
    rng, spoiling = Random(seed), Random(seed + 1)
    shown: dict[str, int] = {}
    while position.over is None:
        turn = choose_turn(position, rng)
        after = position.play_turn(turn)
        if spoiling.random() < mistakes:
            wrong = spoil(position, turn, after, at, spoiling, shown)
            if wrong is not None:
                yield wrong
        yield Press(position.to_play, turn, position, after, contents(after, at))
        position = after

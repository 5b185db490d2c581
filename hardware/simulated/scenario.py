"""The demo's evening: a whole game for two from a fixed seed, with two mistakes and one question.

The question comes about by itself: a napkin lies over the tray and the score marker when a cube is sold in the top row of
the Store, so that nobody can see whether it was sold for credits or for prestige.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from companion.rules import Position, Sell, Turn, choose_turn, turns
from hardware.simulated.contents import contents
from hardware.simulated.mistakes import WRONGS
from hardware.simulated.played import Played
from hardware.simulated.press import Mistake, Press
from hardware.simulated.studio import Studio

DEMO_SEED = 7
MISTAKES = ("not-resurfaced", "cube-wrong-colour")
_FIRST, _APART = 3, 4  # turns before the first mistake, and between one thing to notice and the next


def evening(position: Position, studio: Studio, seed: int = DEMO_SEED) -> Iterator[Press]:
    """The presses of the demo."""
    at = studio.layout
    rng, spoiling = Random(seed), Random(seed)
    wanted = list(MISTAKES)
    asked = False
    quiet = _FIRST
    while position.over is None:
        turn = choose_turn(position, rng)
        if not asked and quiet <= 0 and (sale := _sale(position)) is not None:
            turn = sale
        after = position.play_turn(turn)
        played = Played(position, turn, after, at)
        press = Press(position.to_play, turn, position, after, contents(after, at))
        if quiet <= 0 and wanted and (spoilt := _spoilt(played, wanted[0], spoiling)) is not None:
            yield replace(press, position=position, held=spoilt.held, mistake=spoilt.mistake)
            del wanted[0]
            quiet = _APART
        elif quiet <= 0 and not asked and _sold_in_top_row(played):
            press = replace(press, covered=(f"{played.colour}.tray", "colony.score"))
            asked = True
            quiet = _APART
        yield press
        quiet -= 1
        position = after


def _spoilt(played: Played, fault: str, rng: Random) -> Press | None:
    wrong = WRONGS[fault](played, rng)
    if wrong is None:
        return None
    slots = tuple(slot for slot in wrong if wrong[slot] != played.right[slot])
    return Press(played.me, played.turn, played.before, played.before, wrong, Mistake(fault, slots))


def _sold_in_top_row(played: Played) -> bool:
    """A sale that could have been for credits or for prestige."""
    return len(played.effects(Sell)) == 1 and _grown(played.before, played.after) == [1]


def _grown(before: Position, after: Position) -> list[int]:
    """The heights of the Store's columns that changed."""
    return [new for old, new in zip(before.store, after.store, strict=True) if new != old]


def _sale(position: Position) -> Turn | None:
    """A plain sale in the top row, when the position allows one."""
    for turn, after in turns(position):
        plain = len(turn.steps) == 2 and "dive:sell=" in str(turn)
        if plain and _grown(position, after) == [1]:
            return turn
    return None

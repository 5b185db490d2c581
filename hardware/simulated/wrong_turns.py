"""Mistakes that are whole turns nobody may play: right in a world a little different from this one.

Each plays the turn, changed, from a position in which it would be legal (one more battery, a full purse, a longer
propeller), and shows what that leaves on the table with the difference taken out again.
"""

from collections.abc import Callable, Iterable
from random import Random

from companion.rules import (
    Buy,
    Dive,
    Draw,
    Explore,
    Front,
    Nothing,
    Position,
    Propel,
    Sell,
    Step,
    TakeCube,
    Upgrade,
    UseSponsor,
)
from hardware.simulated.contents import Contents
from hardware.simulated.layout import CUBE_OF, DIVERS, RESOURCES
from hardware.simulated.played import SURFACE, Played


def propeller_too_far(turn: Played, rng: Random) -> Contents | None:
    """A diver is moved further than the Mechanic allows, and the battery is paid."""
    reach = turn.before.rules.mechanic[turn.player.mechanic]
    if turn.player_after.batteries < 1 or turn.player.batteries < 1 or reach >= 7:
        return None
    longer = turn.before.rules._replace(mechanic=(7, 7, 7, 7))
    for diver, by in _moves(turn, rng, range(reach + 1, 8)):
        after = turn.otherwise(turn.inserted(Propel(diver, by)), rules=longer)
        if after is not None:
            return turn.shown(after)
    return None


def propeller_without_battery(turn: Played, rng: Random) -> Contents | None:
    if turn.player.batteries or turn.player_after.batteries:
        return None
    reach = turn.before.rules.mechanic[turn.player.mechanic]
    for diver, by in _moves(turn, rng, range(1, reach + 1)):
        after = turn.otherwise(turn.inserted(Propel(diver, by)), {"batteries": 1})
        if after is not None and after.players[turn.me].batteries == 0:
            return turn.shown(after)
    return None


def _moves(turn: Played, rng: Random, distances: Iterable[int]) -> list[tuple[str, int]]:
    """Moves that leave the diver of the key's level where it is."""
    column = [diver.removesuffix("+") for diver in turn.player.divers]
    active = SURFACE + turn.level - 1
    moves = []
    for diver in DIVERS:
        start = column.index(diver)
        for distance in distances:
            for by in (distance, -distance):
                end = start + by
                if 0 <= end < 8 and not min(start, end) <= active <= max(start, end):
                    moves.append((diver, by))
    rng.shuffle(moves)
    return moves[:8]


def upgrade_without_money(turn: Played, rng: Random) -> Contents | None:
    """Sponsor 4 flips a diver and gives prestige, with fewer than 2 credits to pay."""
    if turn.steps(UseSponsor) or turn.player.credits >= 2:
        return None
    divers = [diver.removesuffix("+") for diver in turn.player.divers]
    rng.shuffle(divers)
    for diver in divers:
        steps = turn.inserted(UseSponsor(Upgrade(diver)))
        after = turn.otherwise(steps, {"credits": turn.player.credits + 2})
        if after is not None:
            return turn.shown(after)
    return None


def _with_dive(turn: Played, dive: Dive) -> list[Step]:
    """The turn with another use of the activated diver, cut off after it."""
    steps: list[Step] = []
    for step in turn.turn.steps:
        if isinstance(step, Dive):
            return [*steps, dive]
        steps.append(step)
    return steps


def _trading(turn: Played) -> bool:
    """The activated diver is the player's own Trader, once."""
    return len(turn.steps(Dive)) == 1 and "trader" in turn.player_after.divers[0]


def sold_to_full_column(turn: Played, rng: Random) -> Contents | None:
    if not _trading(turn):
        return None
    for name in rng.sample(RESOURCES, 4):
        if getattr(turn.before.store, name) != 3:
            continue
        room = turn.before.store._replace(**{name: 2})
        after = turn.otherwise(_with_dive(turn, Dive(Sell(CUBE_OF[name], "credits"))), store=room)
        if after is not None and getattr(after.store, name) == 3:
            return turn.shown(after)
    return None


def bought_without_money(turn: Played, rng: Random) -> Contents | None:
    if not _trading(turn):
        return None
    for name in rng.sample(RESOURCES, 4):
        filled = getattr(turn.before.store, name)
        if not filled:
            continue
        cost = turn.before.rules.store[filled - 1][0]
        for short in range(1, cost + 1):
            after = turn.otherwise(
                _with_dive(turn, Dive(Buy(CUBE_OF[name]))), {"credits": turn.player.credits + short}
            )
            if after is None:
                continue
            if after.players[turn.me].credits == 0:
                return turn.shown(after)
    return None


def reward_wrong_level(turn: Played, rng: Random) -> Contents | None:
    """The Explorer takes a token of another level; what its front gives is taken too."""
    taken = turn.effects(Explore)
    if len(taken) != 1 or len(turn.steps(Dive)) != 1:
        return None
    level = turn.level
    for other in rng.sample([o for o in range(1, 6) if o != level], 4):
        swapped = list(turn.before.display)
        swapped[level - 1], swapped[other - 1] = swapped[other - 1], swapped[level - 1]
        for which in rng.sample((1, 2), 2):
            after = _explored(turn, which, tuple(swapped))
            if after is not None:
                back = list(after.display)
                back[level - 1], back[other - 1] = back[other - 1], back[level - 1]
                return turn.shown(after._replace(display=tuple(back)))
    return None


def _explored(
    turn: Played, which: int, display: tuple[tuple[str | None, str | None], ...]
) -> Position | None:
    """The same turn with another token, using its front in the first way that is legal."""
    deck = turn.before.deck or ()
    fronts: list[Front] = [None, *(TakeCube(letter) for letter in "mpft")]
    fronts += [Upgrade(diver) for diver in DIVERS] + [Draw(card) for card in deck[:4]] + [Nothing()]
    for front in fronts:
        after = turn.otherwise(_with_dive(turn, Dive(Explore(which, front))), display=display)
        if after is not None:
            return after
    return None


WRONG_TURNS: dict[str, Callable[[Played, Random], Contents | None]] = {
    "propeller-too-far": propeller_too_far,
    "propeller-without-battery": propeller_without_battery,
    "upgrade-without-money": upgrade_without_money,
    "sold-to-full-column": sold_to_full_column,
    "bought-without-money": bought_without_money,
    "reward-wrong-level": reward_wrong_level,
}

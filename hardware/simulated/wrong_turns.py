"""Mistakes that are whole turns nobody may play: right in a world a little different from this one.

Each plays the turn, changed, from a position in which it would be legal (one more battery, a full purse, a longer
propeller), and shows what that leaves on the table with the difference taken out again.
"""

from collections.abc import Callable
from itertools import takewhile
from random import Random

from companion.rules import (
    Buy,
    Dive,
    Draw,
    EndTurn,
    Explore,
    Front,
    IllegalStep,
    Nothing,
    Oxygen,
    Position,
    Propel,
    Search,
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
    """A diver is brought under the key from further away than the Mechanic allows, and the battery is paid."""
    reach = turn.before.rules.mechanic[turn.player.mechanic]
    longer = turn.before.rules._replace(mechanic=(7, 7, 7, 7))
    after = _brought_and_used(turn.elsewhere(rules=longer), turn, range(reach + 1, 8), rng)
    return None if after is None else turn.shown(after)


def propeller_without_battery(turn: Played, rng: Random) -> Contents | None:
    """A diver is brought under the key with no battery to pay for it."""
    reach = turn.before.rules.mechanic[turn.player.mechanic]
    if turn.player.batteries:
        return None
    after = _brought_and_used(turn.elsewhere({"batteries": 1}), turn, range(1, reach + 1), rng)
    return None if after is None or after.players[turn.me].batteries else turn.shown(after)


def _brought_and_used(start: Position, turn: Played, distances: range, rng: Random) -> Position | None:
    """The turn with another diver brought under its key and used: nobody breaks a rule for nothing.

    With an X key there is no need to: it goes to the diver's own level.
    """
    if isinstance(turn.key.key, str):
        return None
    try:
        for step in takewhile(lambda step: not isinstance(step, Propel | Dive | Oxygen), turn.turn.steps):
            start = start.play(step)
    except IllegalStep:
        return None
    active = SURFACE + turn.level - 1
    column = [diver.removesuffix("+") for diver in start.player.divers]
    moves = [
        (diver, active - place) for place, diver in enumerate(column) if abs(active - place) in distances
    ]
    for move in rng.sample(moves, len(moves)):
        try:
            brought = start.play(Propel(*move))
        except IllegalStep:
            continue
        used = [
            step for step in brought.steps() if isinstance(step, Dive) and step.effect and not step.copied
        ]
        if used:
            return brought.play(max(used, key=lambda dive: (_gifts(dive), rng.random()))).play(EndTurn())
    return None


def _gifts(dive: Dive) -> int:
    """How much an expert gives at once: few leave any of it out."""
    effect = dive.effect
    return effect.cube + effect.bonus + (effect.take is not None) if isinstance(effect, Search) else 0


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

"""What people usually do, as a cost for each step that is out of the ordinary. A tie-breaker, never a rule."""

from collections.abc import Sequence

from companion.referee.column import fewest_moves, fewest_moves_and_a_rise, names
from companion.referee.settings import RefereeSettings
from companion.rules import Position
from companion.rules.effects import propel
from companion.rules.play import followers
from companion.rules.steps import (
    Dive,
    Draw,
    EndTurn,
    Gain,
    Oxygen,
    Propel,
    Search,
    Step,
    TakeBack,
    UseReward,
    UseSponsor,
)

Option = tuple[Step, Position]


def habit_cost(position: Position, step: Step, options: Sequence[Option], settings: RefereeSettings) -> float:
    """How unusual a step is, given what else could have been done.

    What is to be had for nothing is hardly ever refused: a sponsor's credit or battery, a diver for free or twice, an
    expert's bonus. What a wasted battery costs besides is not counted here.
    """
    match step:
        case Propel():
            return settings.propel_cost
        case Oxygen():
            return settings.oxygen_cost + settings.decline_cost * _may_dive(options)
        case Dive():
            cost = max(
                (_refusal_cost(other, there, step, options, settings) for other, there in options),
                default=0.0,
            )
            if step.effect is None:
                # Who only wants the key played leaves out both: one whim, not two. But who pays for a propeller to
                # have this diver here means to use it.
                whims = 1 + _was_brought(position)
                return max(cost, whims * settings.decline_cost * _may_dive(options))
            return cost + max(_left_out_cost(other, step, settings) for other, _ in options)
        case EndTurn():
            return settings.decline_cost * _may_dive(options)
        case _:
            return 0.0


def is_wasted(position: Position, step: Propel) -> bool:
    """Whether the order could have been had with fewer batteries."""
    progress, me = position.progress, position.player
    assert progress is not None
    moves = sum(isinstance(earlier, Propel) for earlier in progress.steps)
    goal = names(propel(me.divers, me.index_of(step.diver), step.by))
    fewest = fewest_moves_and_a_rise if UseSponsor(Gain("resurface")) in progress.steps else fewest_moves
    return fewest(names(progress.start.player.divers), goal, position.rules.mechanic[me.mechanic]) <= moves


def _was_brought(position: Position) -> bool:
    """Whether propellers put another diver under the key than stood there."""
    progress = position.progress
    assert progress is not None and progress.key is not None
    if not any(isinstance(step, Propel) for step in progress.steps):
        return False
    was, now = progress.start.player, position.player
    level = progress.key.level
    return names((was.diver_at(level),)) != names((now.diver_at(level),))


def _may_dive(options: Sequence[Option]) -> bool:
    """Whether an effect of the activated diver is to be had, the second one that sponsor 2 gives included."""
    return any(isinstance(step, Dive) and step.effect is not None for step, _ in options)


def _refusal_cost(
    other: Step, there: Position, dive: Dive, options: Sequence[Option], settings: RefereeSettings
) -> float:
    """How unusual it is to dive without another step, leading to `there`, that could have been used for nothing."""
    match other:
        case UseSponsor(Gain("credit" | "battery")):
            return settings.decline_cost
        case UseSponsor(UseReward() | TakeBack()):
            return settings.decline_cost
        case UseSponsor(Gain("free")) if dive.effect is None:
            return settings.decline_cost * _may_dive(tuple(followers(there)))
        case UseSponsor(Gain("free")):
            paid = next(after for step, after in options if step == dive)
            return settings.decline_cost * (there.play(dive).player.credits > paid.player.credits)
        case UseSponsor(Gain("double")) if dive.effect is not None:
            more_dives = any(isinstance(more, Dive) for more, _ in followers(there.play(dive)))
            return settings.decline_cost * more_dives
    return 0.0


def _left_out_cost(other: Step, step: Dive, settings: RefereeSettings) -> float:
    """How unusual it is to leave out what another dive gives besides.

    A bonus is a present; a cube takes up room and a key on the track comes back later anyhow. Nobody pays a neighbour's
    Spy as well for a card the own one draws.
    """
    if not isinstance(other, Dive):
        return 0.0
    more, less = other.effect, step.effect
    if isinstance(more, Draw) and isinstance(less, Draw) and step.copied and not other.copied:
        return settings.decline_cost
    if other.copied != step.copied:
        return 0.0
    if not isinstance(more, Search) or not isinstance(less, Search):
        return 0.0
    if more.bonus and not less.bonus and more.cube >= less.cube:
        return settings.decline_cost
    gains, held = (more.cube, more.take is not None), (less.cube, less.take is not None)
    is_more = gains != held and gains[0] >= held[0] and gains[1] >= held[1] and more.bonus >= less.bonus
    return settings.decline_cost * is_more

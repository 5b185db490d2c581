"""What people usually do, as a cost for each step that is out of the ordinary. A tie-breaker, never a rule."""

from collections.abc import Sequence
from typing import Any

from companion.referee.column import fewest_moves, names
from companion.referee.settings import RefereeSettings
from companion.rules import Position
from companion.rules.effects import propel
from companion.rules.steps import (
    Dive,
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

Option = tuple[Step, Any, float]


def habit_cost(position: Position, step: Step, options: Sequence[Option], settings: RefereeSettings) -> float:
    """How unusual a step is, given what else could have been done.

    Free gains are hardly ever refused: a sponsor's credit or battery, an expert's cube or bonus, a second dive.
    """
    match step:
        case Propel():
            return settings.propel_cost + settings.wasted_cost * _is_wasted(position, step)
        case Oxygen():
            return settings.oxygen_cost
        case Dive():
            assert position.progress is not None
            cost = 0.0
            if not position.progress.diving and any(_is_free_gain(other) for other, _, _ in options):
                cost += settings.decline_cost
            if step.effect is None:
                return cost + settings.decline_cost * any(
                    isinstance(other, Dive) and other.effect is not None for other, _, _ in options
                )
            if isinstance(step.effect, Search) and any(_is_more(other, step) for other, _, _ in options):
                cost += settings.decline_cost
            return cost
        case EndTurn():
            # A second dive that is still to be had.
            return settings.decline_cost * any(
                isinstance(other, Dive) and other.effect is not None for other, _, _ in options
            )
        case _:
            return 0.0


def _is_wasted(position: Position, step: Propel) -> bool:
    """Whether the order could have been had with fewer batteries."""
    progress = position.progress
    assert progress is not None
    moves = sum(isinstance(earlier, Propel) for earlier in progress.steps)
    if any(isinstance(s, UseSponsor) and s.effect == Gain("resurface") for s in progress.steps):
        return False
    me, start = position.player, progress.start.player
    index = me.index_of(step.diver)
    goal = names(propel(me.divers, index, step.by))
    return fewest_moves(names(start.divers), goal, position.rules.mechanic[me.mechanic]) <= moves


def _is_free_gain(step: Step) -> bool:
    if not isinstance(step, UseSponsor):
        return False
    return step.effect in (Gain("credit"), Gain("battery")) or isinstance(step.effect, UseReward | TakeBack)


def _is_more(other: Step, step: Dive) -> bool:
    """Whether another dive gives what this one gives and something besides."""
    if not isinstance(other, Dive) or other.copied != step.copied:
        return False
    more, less = other.effect, step.effect
    if not isinstance(more, Search) or not isinstance(less, Search):
        return False
    gains, held = (more.cube, _bonuses(more)), (less.cube, _bonuses(less))
    return gains != held and gains[0] >= held[0] and gains[1] >= held[1]


def _bonuses(effect: Search) -> int:
    return effect.bonus + (effect.take is not None)

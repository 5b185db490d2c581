"""The five sponsors, both sides."""

from companion.rules.effects import (
    UPGRADE_COST,
    Refused,
    add_cube,
    change,
    has_room,
    pay,
    pay_battery,
    remove_cube,
    resurface,
    surface_divers,
    take_back,
    upgrade,
)
from companion.rules.position import Position
from companion.rules.rewards import replace_token, use_front
from companion.rules.steps import Gain, MoveCube, SponsorEffect, SwapCubes, TakeBack, Upgrade, UseReward


def use_sponsor(position: Position, sponsor: str, effect: SponsorEffect, level: int) -> Position:
    """The table after the sponsor at the key's level was used; what it promises for step 2 is kept by `play`."""
    match sponsor, effect:
        case ("1", Gain("credit")):
            return change(position, credits=position.player.credits + 1)
        case ("1a", Gain("free")) | ("2", Gain("double")):
            return position
        case ("2a", UseReward()):
            return _use_reward(position, effect, level)
        case ("3", TakeBack()):
            return take_back(position, effect.key)
        case ("3a", Gain("resurface")):
            return change(position, divers=resurface(position.player.divers, len(position.player.divers) - 1))
        case ("4", Upgrade()):
            return _pay_for_upgrade(position, effect.diver)
        case ("4a", Upgrade()):
            if effect.diver not in surface_divers(position.player):
                raise Refused(f"no {effect.diver} without its module is on the surface")
            return _pay_for_upgrade(position, effect.diver)
        case ("5" | "5a", Gain("battery")):
            return change(position, batteries=position.player.batteries + 1)
        case ("5a", MoveCube()) if not position.rules.german:
            return _move_cube(pay_battery(position), effect, level)
        case ("5a", SwapCubes()) if position.rules.german:
            return _swap_cubes(pay_battery(position), effect, level)
    edition = f" in the {position.rules.edition} edition" if sponsor == "5a" else ""
    raise Refused(f"that is not what sponsor {sponsor} at level {level} does{edition}")


def _pay_for_upgrade(position: Position, diver: str) -> Position:
    position = upgrade(pay(position, UPGRADE_COST), diver)
    return change(position, score=position.player.score + 1)


def _use_reward(position: Position, effect: UseReward, level: int) -> Position:
    shelf = level if effect.level is None else effect.level
    if shelf != level and not position.rules.german:
        raise Refused(f"the reward has to lie at level {level}, the key's")
    token = position.display[shelf - 1][effect.which - 1]
    position = use_front(position, token, effect.front, level)
    position = position._replace(reward_discard=(*position.reward_discard, token or ""))
    return replace_token(position, shelf, effect.which)


def _move_cube(position: Position, effect: MoveCube, level: int) -> Position:
    if (effect.source == level) == (effect.target == level):
        raise Refused(f"one of the two levels has to be {level}, the key's")
    if not has_room(position.player, effect.target):
        raise Refused(f"level {effect.target} is full")
    return add_cube(remove_cube(position, effect.cube, effect.source), effect.cube, effect.target)


def _swap_cubes(position: Position, effect: SwapCubes, level: int) -> Position:
    if (effect.level == level) == (effect.other_level == level):
        raise Refused(f"one of the two levels has to be {level}, the key's")
    if effect.cube == effect.other_cube:
        raise Refused("a swap needs two different colours")
    position = remove_cube(position, effect.cube, effect.level)
    position = remove_cube(position, effect.other_cube, effect.other_level)
    position = add_cube(position, effect.other_cube, effect.level)
    return add_cube(position, effect.cube, effect.other_level)

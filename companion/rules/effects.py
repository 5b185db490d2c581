"""What every effect is made of: paying, cubes, keys, tiles and the column, on a position.

Each function gives the position afterwards, or raises Refused with the reason it cannot be. None of them knows when
in a turn it may come; that is `play`.
"""

from typing import Any

from companion.rules.cards import sorted_cubes, without
from companion.rules.position import Player, Position
from companion.rules.settings import CAPACITY, SURFACE
from companion.rules.steps import Key

UPGRADE_COST = 2


class Refused(Exception):
    """Why an effect cannot be used; `play` adds which step and where."""


def change(position: Position, **changes: Any) -> Position:
    """The position with some fields of the player to play changed."""
    return position.with_player(position.to_play, **changes)


def pay(position: Position, cost: int) -> Position:
    me = position.player
    if me.credits < cost:
        raise Refused(f"it costs {cost} and {me.name} has {me.credits} credits")
    return change(position, credits=me.credits - cost)


def pay_battery(position: Position) -> Position:
    me = position.player
    if me.batteries < 1:
        raise Refused(f"{me.name} has no battery")
    return change(position, batteries=me.batteries - 1)


def with_cubes(zone: tuple[str, ...], level: int, cubes: str) -> tuple[str, ...]:
    return (*zone[: level - 1], cubes, *zone[level:])


def has_room(player: Player, level: int) -> bool:
    return len(player.zone[level - 1]) < CAPACITY[level - 1]


def add_cube(position: Position, cube: str, level: int) -> Position:
    me = position.player
    if not has_room(me, level):
        raise Refused(f"level {level} is full")
    return change(position, zone=with_cubes(me.zone, level, sorted_cubes(me.zone[level - 1] + cube)))


def remove_cube(position: Position, cube: str, level: int) -> Position:
    me = position.player
    left = without(me.zone[level - 1], cube)
    if left is None:
        raise Refused(f"there is no {cube} cube at level {level}")
    return change(position, zone=with_cubes(me.zone, level, left))


def take_back(position: Position, key: Key) -> Position:
    """An own key returns from the Hacker track; those to its right move up."""
    me = position.player
    if key == "N" or key not in me.track:
        raise Refused(f"key {key} does not lie on the Hacker track")
    place = me.track.index(key)
    return change(
        position,
        keys=sorted_keys((*me.keys, key)),
        track=me.track[:place] + me.track[place + 1 :],
    )


def sorted_keys(keys: tuple[Key, ...]) -> tuple[Key, ...]:
    return tuple(sorted(keys, key=str))


def upgrade(position: Position, diver: str) -> Position:
    me = position.player
    if diver not in me.divers:
        raise Refused(f"the {diver} is already upgraded")
    return change(position, divers=tuple(d + "+" if d == diver else d for d in me.divers))


def resurface(divers: tuple[str, ...], index: int) -> tuple[str, ...]:
    """The diver at an index goes to the top, those above it one place down."""
    return (divers[index], *divers[:index], *divers[index + 1 :])


def propel(divers: tuple[str, ...], index: int, by: int) -> tuple[str, ...]:
    """A diver moves; those it passes shift one place."""
    rest = divers[:index] + divers[index + 1 :]
    target = index + by
    return (*rest[:target], divers[index], *rest[target:])


def surface_divers(player: Player) -> tuple[str, ...]:
    return player.divers[:SURFACE]

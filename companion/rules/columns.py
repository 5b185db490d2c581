"""Which orders of the diver column propellers can reach, for any column at once.

An order is a permutation of the eight places at the start of the turn; it has a number, and applied to the
tiles it gives the column. So the same tables serve every position, and are kept.

A *kind* says what else moves in the column or has to be seen in it during step 1: `PLAIN` nothing, `RESURFACING`
sponsor 3a used once at some moment, `surfacing(i)` the diver that started at place i on the surface at some moment
(when sponsor 4a upgrades it).
"""

from functools import cache, lru_cache
from operator import itemgetter
from typing import Any

from companion.rules.settings import DIVERS, SURFACE

PLACES = len(DIVERS)
PLAIN = 0
RESURFACING = 1
Orders = dict[int, int]  # order -> the order one move earlier, or SPONSOR when the sponsor's moment was last

SPONSOR = -1
ANY = PLACES  # any diver

# A table has at most 40,320 orders (a few megabytes); these many keep every position met in play
# without letting a very rich one fill the memory.
_KEPT_TABLES = 128
_KEPT_SETS = 1024
_KEPT_PATHS = 1 << 16

_numbers: dict[tuple[int, ...], int] = {}
_orders: list[tuple[int, ...]] = []
appliers: list[Any] = []  # by number: what turns the tiles at the start of the turn into the column


def surfacing(place: int) -> int:
    return 2 + place


def number_of(order: tuple[int, ...]) -> int:
    number = _numbers.get(order)
    if number is None:
        number = _numbers[order] = len(_orders)
        _orders.append(order)
        appliers.append(itemgetter(*order))
    return number


def order_of(number: int) -> tuple[int, ...]:
    return _orders[number]


START = number_of(tuple(range(PLACES)))


def shifted(order: tuple[int, ...], source: int, target: int) -> tuple[int, ...]:
    """The diver at one place moves to another; those it passes shift."""
    rest = order[:source] + order[source + 1 :]
    return (*rest[:target], order[source], *rest[target:])


@cache
def moves(furthest: int) -> tuple[tuple[int, int, Any], ...]:
    """Every distinct propeller move as (place, by, what it does to an order)."""
    found: dict[tuple[int, ...], tuple[int, int]] = {}
    for by in range(1, furthest + 1):
        for place in range(PLACES):
            for signed in (by, -by):
                if 0 <= place + signed < PLACES:
                    found.setdefault(shifted(tuple(range(PLACES)), place, place + signed), (place, signed))
    return tuple((place, by, itemgetter(*order)) for order, (place, by) in found.items())


_resurfaced = tuple(itemgetter(*shifted(tuple(range(PLACES)), place, 0)) for place in range(PLACES))


@lru_cache(maxsize=_KEPT_TABLES)
def orders(furthest: int, kind: int, spent: int) -> Orders:
    """The orders reached with exactly `spent` batteries, each with the one it came from."""
    reached: Orders = {}
    if kind == PLAIN:
        if spent == 0:
            return {START: START}
    elif kind == RESURFACING:
        for number in orders(furthest, PLAIN, spent):
            reached[number_of(_resurfaced[PLACES - 1](_orders[number]))] = SPONSOR
    else:
        place = kind - surfacing(0)
        for number in orders(furthest, PLAIN, spent):
            if place in _orders[number][:SURFACE]:
                reached[number] = SPONSOR
    if spent > 0:
        steps = [move for _, _, move in moves(furthest)]
        for number in orders(furthest, kind, spent - 1):
            order = _orders[number]
            for move in steps:
                after = number_of(move(order))
                if after not in reached:
                    reached[after] = number
    return reached


@lru_cache(maxsize=_KEPT_TABLES)
def _by_diver(furthest: int, kind: int, spent: int, level: int) -> tuple[tuple[int, ...], ...]:
    """The same orders by the diver (its place at the start) standing at the level; all of them last."""
    place = SURFACE + level - 1
    groups: list[list[int]] = [[] for _ in range(PLACES)]
    reached = orders(furthest, kind, spent)
    for number in reached:
        groups[_orders[number][place]].append(number)
    return (*map(tuple, groups), tuple(reached))


@lru_cache(maxsize=_KEPT_SETS)
def final_orders(furthest: int, kind: int, spent: int, level: int, diver: int, oxygen: int) -> frozenset[int]:
    """Orders at the end of a turn whose activated diver started at place `diver` (or ANY).

    It resurfaces from its level unless `oxygen` is 1.
    """
    reached = _by_diver(furthest, kind, spent, level)[diver]
    if oxygen:
        return frozenset(reached)
    up = _resurfaced[SURFACE + level - 1]
    return frozenset([number_of(up(_orders[number])) for number in reached])


@cache
def batteries_to_activate(furthest: int, kinds: tuple[int, ...], level: int, diver: int, most: int) -> int:
    """The fewest batteries that bring a diver to the level, most + 1 when none of these suffices."""
    for spent in range(most + 1):
        if any(_by_diver(furthest, kind, spent, level)[diver] for kind in kinds):
            return spent
    return most + 1


@lru_cache(maxsize=_KEPT_PATHS)
def path(furthest: int, kind: int, spent: int, number: int) -> tuple[tuple[int, int] | None, ...]:
    """The moves that lead to an order of step 1, as (place, by); None marks the sponsor's moment."""
    if kind == PLAIN and spent == 0:
        return ()
    before = orders(furthest, kind, spent)[number]
    if before == SPONSOR:
        if kind == RESURFACING:
            number = number_of(shifted(_orders[number], 0, PLACES - 1))
        return (*path(furthest, PLAIN, spent, number), None)
    order = _orders[before]
    move = next((place, by) for place, by, move in moves(furthest) if _numbers.get(move(order)) == number)
    return (*path(furthest, kind, spent - 1, before), move)


def before_end(number: int, level: int, oxygen: int) -> int:
    """The order of step 1 that ended in this one."""
    return number if oxygen else number_of(shifted(_orders[number], 0, SURFACE + level - 1))

"""Orders of the diver column, met from both ends: likeliest orders on the table against moves that batteries pay for.

The propellers alone lead to tens of thousands of orders. Instead of trying them, the orders the camera may have
seen are listed likeliest first, and each is checked for being within reach.
"""

import heapq
import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.referee.settings import RefereeSettings

PLACES = 8
SURFACE = 3
# Orders listed before giving up. With the column in sight the right one is among the first few; when it is covered
# every order is as likely as any other and a longer list would say no more.
LISTED = 60
# An order with more than this many misread tiles is out of the question as long as any other explanation is left.
FAR_TILES = 1.3
NEVER = 99  # moves: more than anybody has batteries for

Order = tuple[str, ...]  # diver names without their side, from the top
FewestMoves = Callable[[Order, Order, int], int]


@lru_cache(maxsize=100_000)
def names(divers: tuple[str, ...]) -> Order:
    """The divers without their sides."""
    return tuple(diver.removesuffix("+") for diver in divers)


def place_of(level: int) -> int:
    """Index in the column of a level under water."""
    return SURFACE + level - 1


def resurfaced(order: Order, level: int) -> Order:
    """The order after the diver of a level went to the top."""
    place = place_of(level)
    return (order[place], *order[:place], *order[place + 1 :])


def before_resurfacing(order: Order, level: int) -> Order:
    """The order from which resurfacing at `level` leads to this one."""
    place = place_of(level)
    return (*order[1 : place + 1], order[0], *order[place + 1 :])


@lru_cache(maxsize=100_000)
def _shuffle(places: tuple[int, ...]) -> tuple[int, int]:
    """How far a list of places is from ascending: pairs out of order, and pieces outside the longest run in order."""
    pairs = sum(a > b for i, a in enumerate(places) for b in places[i + 1 :])
    ends: list[int] = []
    for place in places:
        at = bisect_left(ends, place)
        ends[at : at + 1] = [place]
    return pairs, len(places) - len(ends)


@lru_cache(maxsize=100_000)
def fewest_moves(start: Order, goal: Order, furthest: int) -> int:
    """At least so many propeller moves of at most `furthest` places lead from one order to the other.

    A move takes one diver out of order and passes at most `furthest` others. The true number may be higher.
    """
    if start == goal:
        return 0
    where = {diver: place for place, diver in enumerate(start)}
    return _least(tuple(where[diver] for diver in goal), furthest)


def fewest_moves_and_a_rise(start: Order, goal: Order, furthest: int) -> int:
    """The same when one diver besides goes from the bottom to the top for nothing.

    Whichever it is has to get to the bottom, and from the top to its place. Moves that put the others in order help by
    one place each, as far as they pass no more than they may.
    """
    where = {diver: place for place, diver in enumerate(start)}
    places = tuple(where[diver] for diver in goal)
    fewest = NEVER
    for goes_to, place in enumerate(places):
        others = (*places[:goes_to], *places[goes_to + 1 :])
        moves = _least(others, furthest)
        helped = min(moves, moves * furthest - _shuffle(others)[0])
        fewest = min(fewest, moves + moves_to_pass(max(0, PLACES - 1 - place + goes_to - helped), furthest))
    return fewest


def _least(places: tuple[int, ...], furthest: int) -> int:
    pairs, pieces = _shuffle(places)
    return max(pieces, moves_to_pass(pairs, furthest))


def moves_to_pass(places: int, furthest: int) -> int:
    """How many moves it takes at least to pass so many places; NEVER when propellers do not move."""
    return -(-places // furthest) if furthest else places * NEVER


class LikelyOrders:
    """All orders of eight divers, likeliest first, listed no further than somebody asks.

    `costs[place][diver]` is what it costs to believe that the diver lies there.
    """

    def __init__(self, divers: Sequence[str], costs: Sequence[Sequence[float]]) -> None:
        self._divers = tuple(divers)
        self._costs = costs
        self._index = {diver: i for i, diver in enumerate(divers)}
        self._favourites = [min(range(PLACES), key=row.__getitem__) for row in costs]
        self._least = [min(row) for row in costs]
        # How much more a place costs once its favourite lies elsewhere.
        self._regrets = [sorted(row)[1] - least for row, least in zip(costs, self._least, strict=True)]
        self._heap: list[tuple[float, int, tuple[int, ...]]] = [(sum(self._least), 0, ())]
        self._found: list[tuple[float, Order]] = []

    def __iter__(self) -> Iterator[tuple[float, Order]]:
        """Cost and order, ascending, at most LISTED of them."""
        index = 0
        while index < LISTED and (index < len(self._found) or self._list_one()):
            yield self._found[index]
            index += 1

    def cost_of(self, order: Order) -> float:
        return sum(row[self._index[diver]] for row, diver in zip(self._costs, order, strict=True))

    def _list_one(self) -> bool:
        """Places are filled from the top; those below cost the least that is left of their first two choices."""
        while self._heap:
            cost, _, chosen = heapq.heappop(self._heap)
            place = len(chosen)
            if place == PLACES:
                self._found.append((cost, tuple(self._divers[i] for i in chosen)))
                return True
            least = self._least[place]
            if self._favourites[place] in chosen:
                least += self._regrets[place]
            below = range(place + 1, PLACES)
            for i, tile_cost in enumerate(self._costs[place]):
                if i not in chosen:
                    regret = sum(self._regrets[p] for p in below if self._favourites[p] == i)
                    heapq.heappush(self._heap, (cost - least + tile_cost + regret, -place, (*chosen, i)))
        return False


class Journey(NamedTuple):
    """The column in the middle of a turn: where it was, where it is, and what moving on costs."""

    first: Order  # at the start of the turn
    now: Order
    level: int  # of the key in play
    moved: int  # propeller moves so far
    batteries: int  # that may still be spent
    furthest: int
    may_rise: bool  # the diver at the bottom may still go to the top
    risen: bool  # one already has


def least_column_cost(
    likely: LikelyOrders, journey: Journey, settings: RefereeSettings, thrifty: bool
) -> float:
    """What the column and the batteries for it cost at least, however the turn goes on.

    Who is `thrifty` spends no battery in vain. Oxygen is always thought possible: the diver's own effect may still give the battery for it.
    """
    far = -FAR_TILES * math.log(settings.misread_p)
    stay = likely.cost_of(journey.now) + settings.oxygen_cost
    cost, best = 0.0, min(stay, likely.cost_of(resurfaced(journey.now, journey.level)))
    for cost, order in likely:
        if cost >= best or cost >= far:
            return min(best, cost)
        best = min(
            best,
            cost + _moving_cost(journey, before_resurfacing(order, journey.level), settings, thrifty),
            cost + _moving_cost(journey, order, settings, thrifty) + settings.oxygen_cost,
        )
    return min(best, cost)


def _moving_cost(journey: Journey, goal: Order, settings: RefereeSettings, thrifty: bool) -> float:
    whole = fewest_moves_and_a_rise if journey.risen else fewest_moves
    cost = _paid(journey, goal, fewest_moves, whole, settings, thrifty)
    if not journey.may_rise:
        return cost
    rising = fewest_moves_and_a_rise
    return min(cost, _paid(journey, goal, rising, rising, settings, thrifty))


def _paid(
    journey: Journey,
    goal: Order,
    rest: FewestMoves,
    whole: FewestMoves,
    settings: RefereeSettings,
    thrifty: bool,
) -> float:
    """What the moves of the rest of a turn cost, given how few they may be and how few the whole turn could do with."""
    moves = rest(journey.now, goal, journey.furthest)
    if moves > journey.batteries:
        return math.inf
    in_vain = moves and whole(journey.first, goal, journey.furthest) < journey.moved + moves
    if in_vain and thrifty:
        return math.inf
    return moves * settings.propel_cost + (settings.wasted_cost if in_vain else 0.0)

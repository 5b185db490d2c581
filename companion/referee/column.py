"""Orders of the diver column, met from both ends: likeliest orders on the table against moves that batteries pay for.

The propellers alone lead to tens of thousands of orders. Instead of trying them, the orders the camera may have
seen are listed likeliest first, and each is checked for being within reach.
"""

import heapq
import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from companion.referee.settings import RefereeSettings

PLACES = 8
SURFACE = 3
# Orders listed before giving up. With the column in sight the right one is among the first few; when it is covered
# every order is as likely as any other and a longer list would say no more.
LISTED = 400
# An order with more than this many misread tiles is out of the question as long as any other explanation is left.
FAR_TILES = 1.3

Order = tuple[str, ...]  # diver names without their side, from the top


def names(divers: Sequence[str]) -> Order:
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


def fewest_moves(start: Order, goal: Order, furthest: int, rises: int = 0) -> int:
    """At least so many propeller moves of at most `furthest` places lead from one order to the other.

    A move takes one diver out of order and passes at most `furthest` others. `rises` divers may besides go from the
    bottom to the top for nothing. The true number may be higher.
    """
    if start == goal:
        return 0
    where = {diver: place for place, diver in enumerate(start)}
    pairs, pieces = _shuffle(tuple(where[diver] for diver in goal))
    pairs = max(0, pairs - rises * (PLACES - 1))
    return max(pieces - rises, -(-pairs // furthest) if furthest else PLACES * pairs, 0)


class LikelyOrders:
    """All orders of eight divers, likeliest first, listed no further than somebody asks.

    `costs[place][diver]` is what it costs to believe that the diver lies there.
    """

    def __init__(self, divers: Sequence[str], costs: Sequence[Sequence[float]]) -> None:
        self._divers = tuple(divers)
        self._costs = costs
        self._index = {diver: i for i, diver in enumerate(divers)}
        least = [min(row) for row in costs]
        self._rest = [sum(least[place:]) for place in range(PLACES + 1)]
        self._heap: list[tuple[float, int, tuple[int, ...]]] = [(self._rest[0], 0, ())]
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
        while self._heap:
            cost, _, chosen = heapq.heappop(self._heap)
            place = len(chosen)
            if place == PLACES:
                self._found.append((cost, tuple(self._divers[i] for i in chosen)))
                return True
            so_far = cost - self._rest[place]
            for i in range(PLACES):
                if i not in chosen:
                    bound = so_far + self._costs[place][i] + self._rest[place + 1]
                    heapq.heappush(self._heap, (bound, -place, (*chosen, i)))
        return False


@dataclass(frozen=True)
class Journey:
    """The column in the middle of a turn: where it was, where it is, and what moving on costs."""

    first: Order  # at the start of the turn
    now: Order
    level: int  # of the key in play
    moved: int  # propeller moves so far
    batteries: int  # that may still be spent
    furthest: int
    rises: int  # divers that may still go from the bottom to the top
    risen: bool  # one already has


def least_column_cost(likely: LikelyOrders, journey: Journey, settings: RefereeSettings) -> float:
    """What the column and the batteries for it cost at least, however the turn goes on.

    Oxygen is always thought possible: the diver's own effect may still give the battery for it.
    """
    far = -FAR_TILES * math.log(settings.misread_p)
    stay = likely.cost_of(journey.now) + settings.oxygen_cost
    cost, best = 0.0, min(stay, likely.cost_of(resurfaced(journey.now, journey.level)))
    for cost, order in likely:
        if cost >= best or cost >= far:
            return min(best, cost)
        best = min(
            best,
            cost + _moving_cost(journey, before_resurfacing(order, journey.level), settings),
            cost + _moving_cost(journey, order, settings) + settings.oxygen_cost,
        )
    return min(best, cost)


def _moving_cost(journey: Journey, goal: Order, settings: RefereeSettings) -> float:
    moves = fewest_moves(journey.now, goal, journey.furthest, journey.rises)
    if moves > journey.batteries:
        return math.inf
    cost = moves * settings.propel_cost
    if moves and not journey.risen and not journey.rises:
        needed = fewest_moves(journey.first, goal, journey.furthest)
        if needed < journey.moved + moves:
            cost += settings.wasted_cost
    return cost

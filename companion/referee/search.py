"""The likeliest legal turns: best first over the steps of the rules engine, with a bound that never overstates.

Whatever the engine calls legal is tried sooner or later, so nothing here knows which turns there are. The bound only
says in which order to try, and when nothing that is left can come near the best any more.
"""

import heapq
import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import count

from companion.referee.bound import Bound
from companion.referee.habits import habit_cost
from companion.referee.sight import Sight
from companion.referee.weighing import Weigher
from companion.rules import Position, Turn
from companion.rules.cards import Contract
from companion.rules.play import followers
from companion.rules.settings import LEVELS
from companion.rules.steps import CompleteContract, EndTurn, PlayKey, Step


@dataclass(frozen=True)
class Explanation:
    """A legal turn and where it leads. `cost` is in nats: what was seen against it, and how unusual it is."""

    turn: Turn
    position: Position
    cost: float
    habits: float = 0.0  # the share of the cost that is habit, not sight


@dataclass(frozen=True)
class Found:
    """Explanations, cheapest first; not `complete` when the search stopped before it could be sure of them."""

    explanations: tuple[Explanation, ...]
    complete: bool
    steps_tried: int


def explain(
    root: Position,
    sight: Sight,
    window_cost: float | None = None,
    most: int = 40,
    unseen: tuple[Contract, ...] = (),
    give_up_cost: float = math.inf,
    steps: int | None = None,
) -> Found:
    """Every legal turn from `root` within `window_cost` of the cheapest, at most `most` distinct outcomes.

    `unseen` are contracts that a card nobody showed may turn out to be; then only turns that complete one are found.
    Nothing is looked for that costs `give_up_cost` more than the least any key could lead to.
    """
    settings = sight.settings
    most_steps = settings.search_steps if steps is None else steps
    window = settings.window_cost if window_cost is None else window_cost
    weigher = Weigher(sight, len(root.rules.store))
    bound = Bound(weigher, root, unseen)
    tick = count()
    # Every turn found has to surprise once when there are unseen cards; without, the search without them finds it.
    surprise = math.log(len(unseen)) if unseen else 0.0
    # Least total, then deeper first, then first come; habits; surprise still owed; position; a finished turn's steps.
    queue: list[tuple[float, int, int, float, float, Position, tuple[Step, ...]]] = [
        (0.0, 0, next(tick), 0.0, surprise, root, ())
    ]
    reached: dict[Hashable, float] = {}
    found: dict[Hashable, Explanation] = {}
    limit = math.inf
    tried = 0
    while queue and queue[0][0] <= limit and len(found) < most:
        least, _, _, habits, owed, position, finished = heapq.heappop(queue)
        if finished:
            key = outcome(position)
            if key not in found:
                found[key] = Explanation(Turn(finished), position, least, habits)
                limit = min(limit, least + window)
            continue
        if tried > most_steps:
            return Found(tuple(found.values()), False, tried)
        options = list(_options(position, unseen))
        for step, after, extra in options:
            tried += 1
            cost = habits + extra + habit_cost(position, step, options, settings)
            still_owed = 0.0 if extra else owed
            if isinstance(step, EndTurn):
                if owed:
                    continue
                assert position.progress is not None
                total = cost + weigher.position(after)
                if total <= limit:
                    heapq.heappush(queue, (total, -99, next(tick), cost, 0.0, after, position.progress.steps))
                continue
            state = _state(after)
            if reached.get(state, math.inf) <= cost:
                continue
            total = max(least, cost + still_owed + bound(after))
            if total <= limit:
                assert after.progress is not None
                reached[state] = cost
                depth = -len(after.progress.steps)
                heapq.heappush(queue, (total, depth, next(tick), cost, still_owed, after, ()))
        if position is root and queue:
            limit = queue[0][0] + give_up_cost
    return Found(tuple(found.values()), True, tried)


def outcome(position: Position) -> Hashable:
    """What distinguishes two results of a turn: everything but the order of discarded rewards."""
    return position[:-5] + position[-3:-1]


def _state(position: Position) -> Hashable:
    """What the rest of a turn depends on: the same, but not how it came about."""
    assert position.progress is not None
    return position[4:11], position.progress[2:]


def _options(position: Position, unseen: tuple[Contract, ...]) -> Iterator[tuple[Step, Position, float]]:
    """The legal next steps, where they lead, and what they cost beyond habit.

    Contracts wait until the key is played: whatever they give is there in time all the same.
    """
    before_key = position.progress is None or position.progress.key is None
    for step, after in followers(position):
        if not before_key or isinstance(step, PlayKey):
            yield step, after, 0.0
    if not before_key and unseen:
        yield from _surprises(position, unseen)


def _surprises(position: Position, unseen: tuple[Contract, ...]) -> Iterator[tuple[Step, Position, float]]:
    """Contracts completed with a card nobody had shown: from the hand, or just turned over from the deck."""
    me = position.player
    payable = [
        (contract, CompleteContract(contract.id, level, payment if contract.free else None))
        for contract in unseen
        for level, cubes in zip(LEVELS, me.zone, strict=True)
        for payment, _ in contract.paid_from(cubes)
    ]
    surprise = math.log(len(unseen))
    for contract, step in payable:
        if None in me.private:
            hand = _shown(me.private, contract.id)
            yield step, position.with_player(position.to_play, private=hand).play(step), surprise
        if None in position.public:
            yield step, position._replace(public=_shown(position.public, contract.id)).play(step), surprise


def _shown(cards: tuple[str | None, ...], card: str) -> tuple[str | None, ...]:
    place = cards.index(None)
    return (*cards[:place], card, *cards[place + 1 :])

"""The likeliest legal turns: best first over the steps of the rules engine, with a bound that never overstates.

Whatever the engine calls legal is tried sooner or later, so nothing here knows which turns there are. The bound only
says in which order to try, and when nothing that is left can come near the best any more.
"""

import heapq
import math
from collections.abc import Hashable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field
from itertools import count

from companion.referee.bound import Bound
from companion.referee.habits import habit_cost, is_wasted
from companion.referee.sight import Sight
from companion.referee.weighing import NOTHING, Covered, Weigher
from companion.rules import IllegalStep, Position, Turn
from companion.rules.cards import Contract
from companion.rules.play import followers
from companion.rules.revealing import revealed
from companion.rules.settings import CAPACITY, DRAWN, LEVELS
from companion.rules.steps import CompleteContract, EndTurn, PlayKey, Propel, Step


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


# The legal next steps of a position with where they lead and what they cost; whether a step shows a card nobody had seen, or
# wastes a battery; and the number of what the rest of the turn depends on.
Option = tuple[Step, Position, float, bool, bool, int]


@dataclass
class Work:
    """What the inquiries into one reading share: the steps worked out so far, and how many may still be tried.

    Once they are used up every further inquiry may still try a few, so that the likeliest turns are found all the same.
    Whether one `gave_up` is remembered: then there may be turns that nobody has looked at.
    """

    options: dict[tuple[int, int], tuple[Position, list[Option]]] = field(default_factory=dict)
    # What the rest of a turn depends on, numbered: it is large, and asked for in every inquiry.
    states: dict[Hashable, int] = field(default_factory=dict)
    steps_left: float = math.inf
    gave_up: bool = False


class Inquiry:
    """The turns of one position, looked for under one sight.

    The steps of the rules do not depend on what was seen: inquiries that share their `work` do each of it once.
    `unseen` are contracts that a card nobody showed may turn out to be; then only turns that complete one are found. Which of
    all cards nobody has seen it is costs the same, however few of them are looked for.
    """

    def __init__(
        self,
        root: Position,
        weigher: Weigher,
        unseen: tuple[Contract, ...] = (),
        work: Work | None = None,
    ) -> None:
        self.root = root
        self.weigher = weigher
        self.settings = weigher.sight.settings
        self._unseen = unseen
        self._unseen_key = hash(unseen)
        self._surprise = surprise_cost(root, weigher.sight) if unseen else 0.0
        self._bound = Bound(weigher, root, unseen)
        self._work = work or Work()

    def seeing(self, weigher: Weigher) -> "Inquiry":
        """The same inquiry with another column of divers before its eyes."""
        other = copy(self)
        other.weigher, other._bound = weigher, self._bound.seeing(weigher)
        return other

    def explain(
        self,
        window_cost: float | None = None,
        most: int = 40,
        give_up_cost: float = math.inf,
        limit: float = math.inf,
        steps: int | None = None,
        covered: Covered = NOTHING,
        thrifty: bool = False,
    ) -> Found:
        """Every legal turn within `window_cost` of the cheapest, at most `most` distinct outcomes.

        Nothing is looked for that costs more than `limit`. The search gives up when the cheapest costs `give_up_cost`
        more than the least any key could lead to. The `covered` facets are treated as hidden. With `thrifty` turns that
        waste a battery are left out: with many batteries they are most of all turns.
        """
        settings, root, weigher, bound = self.settings, self.root, self.weigher, self._bound
        most_steps = min(
            settings.search_steps if steps is None else steps,
            max(self._work.steps_left, settings.least_steps),
        )
        window = settings.window_cost if window_cost is None else window_cost
        tick = count()
        # Every turn found has to surprise once when there are unseen cards; without, the search without them finds it.
        # Least total, then deeper first, then first come; habits; surprise owed; position; a finished turn's steps.
        queue: list[tuple[float, int, int, float, float, Position, tuple[Step, ...]]] = [
            (0.0, 0, next(tick), 0.0, self._surprise, root, ())
        ]
        reached: dict[int, float] = {}
        found: dict[Hashable, Explanation] = {}
        tried, reach = 0, limit
        while queue and queue[0][0] <= (limit if found else reach) and len(found) < most:
            least, _, _, habits, owed, position, finished = heapq.heappop(queue)
            if finished:
                key = outcome(position)
                if "keys" in covered:
                    # All keys may be back: which one was played shows where they were not taken back.
                    key = key, _key_of(finished)
                if key not in found:
                    found[key] = Explanation(Turn(finished), position, least, habits)
                    limit = min(limit, least + window)
                continue
            if tried > most_steps:
                self._work.steps_left -= tried
                self._work.gave_up = True
                return Found(tuple(found.values()), False, tried)
            options = self._options(position)
            if position is root:
                # The likeliest key first: what it leads to is the measure for the others.
                options = sorted(options, key=lambda option: bound.at_first_sight(option[1], covered))
            for step, after, extra, surprises, wasted, state in options:
                tried += 1
                if thrifty and wasted:
                    continue
                cost = habits + extra
                still_owed = 0.0 if surprises else owed
                if isinstance(step, EndTurn):
                    if owed:
                        continue
                    assert position.progress is not None
                    total = cost + weigher.position(after) - weigher.covered(after, root.to_play, covered)
                    if total <= limit:
                        heapq.heappush(
                            queue, (total, -99, next(tick), cost, 0.0, after, position.progress.steps)
                        )
                    continue
                if reached.get(state, math.inf) <= cost:
                    continue
                if isinstance(step, Propel):
                    bound.propelled(position, after)
                so_far = cost + still_owed
                total = so_far + bound(after, covered, still_owed > 0, thrifty, limit - so_far)
                total = max(least, total)
                if total <= limit:
                    assert after.progress is not None
                    reached[state] = cost
                    depth = -len(after.progress.steps)
                    heapq.heappush(queue, (total, depth, next(tick), cost, still_owed, after, ()))
                    if position is root:
                        reach = min(reach, total + give_up_cost)
                        limit = min(limit, reach + window)
        self._work.steps_left -= tried
        return Found(tuple(found.values()), True, tried)

    def _options(self, position: Position) -> list[Option]:
        options = self._ordinary(position)
        if not self._unseen or position.progress is None or position.progress.key is None:
            return options
        key = (id(position), self._unseen_key)
        known = self._work.options.get(key)
        if known is None:
            surprises = _surprises(position, self._unseen, self._surprise)
            more = [self._option(position, *option, surprises=True) for option in surprises]
            known = self._work.options[key] = position, options + more
        return known[1]

    def _ordinary(self, position: Position) -> list[Option]:
        """The options that show no card nobody had seen: the same in all inquiries.

        Contracts wait until the key is played: whatever they give is there in time all the same. A propeller does not wait
        for a contract that gives no battery: the two lead to the same in either order.
        """
        # By identity: the positions of a turn come from here, and are kept alive here.
        key = (id(position), 0)
        known = self._work.options.get(key)
        if known is None:
            before_key = position.progress is None or position.progress.key is None
            steps = [one for one in followers(position) if not before_key or isinstance(one[0], PlayKey)]
            late = _gave_no_battery(position)
            options = [
                self._option(position, step, after, habit_cost(position, step, steps, self.settings))
                for step, after in steps
                if not late or not isinstance(step, Propel)
            ]
            known = self._work.options[key] = position, options
        return known[1]

    def _option(
        self, position: Position, step: Step, after: Position, cost: float, surprises: bool = False
    ) -> Option:
        wasted = isinstance(step, Propel) and is_wasted(position, step)
        states = self._work.states
        state = 0 if isinstance(step, EndTurn) else states.setdefault(_state(after), len(states) + 1)
        return step, after, cost + self.settings.wasted_cost * wasted, surprises, wasted, state


def explain(
    root: Position,
    sight: Sight,
    window_cost: float | None = None,
    most: int = 40,
    unseen: tuple[Contract, ...] = (),
    give_up_cost: float = math.inf,
    steps: int | None = None,
) -> Found:
    """One inquiry, asked once."""
    inquiry = Inquiry(root, Weigher(sight, len(root.rules.store)), unseen)
    return inquiry.explain(window_cost, most, give_up_cost, steps=steps)


def outcome(position: Position) -> Hashable:
    """What distinguishes two results of a turn: everything but the order of discarded rewards."""
    return position[:-5] + position[-3:-1]


def _key_of(steps: Iterable[Step]) -> PlayKey | None:
    return next((step for step in steps if isinstance(step, PlayKey)), None)


def _state(position: Position) -> Hashable:
    """What the rest of a turn depends on: the same, but not how it came about."""
    assert position.progress is not None
    return position[4:11], position.progress[2:]


def surprise_cost(root: Position, sight: Sight) -> float:
    """What it costs that a card nobody showed is just this one of all that have not been seen."""
    return math.log(max(1, sum(card.id not in sight.taken for card in root.cards.contracts)))


def _surprises(
    position: Position, unseen: tuple[Contract, ...], surprise: float
) -> Iterator[tuple[Step, Position, float]]:
    """Contracts completed with a card nobody had shown: from the hand, or just turned over from the deck."""
    me = position.player
    payable = [
        (contract, CompleteContract(contract.id, level, payment if contract.free else None))
        for contract in unseen
        for level, cubes in zip(LEVELS, me.zone, strict=True)
        for payment, _ in contract.paid_from(cubes)
        if _is_due(position, contract, level)
    ]
    for contract, step in payable:
        for shown, chosen_of in revealed(position, contract.id):
            try:
                after = shown.play(step)
            except IllegalStep:
                continue  # its cubes would have paid for the battery that brings an upgraded diver to the key
            yield step, after, surprise + math.log(DRAWN / chosen_of)


def _is_due(position: Position, contract: Contract, level: int) -> bool:
    """Whether a contract is completed now: at the end of the turn, unless what it gives may be needed before.

    It may give coins, make room on the key's level, or be paid before an Explorer lays another reward there.
    """
    me, progress = position.player, position.progress
    assert progress is not None and progress.key is not None
    if progress.diving and progress.dives <= 0:
        return True
    if "b" in contract.bonus and not me.batteries:
        return True
    token = me.rewards[level - 1]
    if "c" in contract.bonus or (token is not None and token.endswith(":credits")):
        return True
    if level != progress.key.level:
        return False
    full = len(me.zone[level - 1]) >= CAPACITY[level - 1]
    return full or me.diver_at(level).removesuffix("+") in ("explorer", "spy")


def _gave_no_battery(position: Position) -> bool:
    """Whether the last step completed a contract that no propeller had to wait for."""
    last = position.progress.steps[-1] if position.progress else None
    return isinstance(last, CompleteContract) and "b" not in position.cards[last.card].bonus

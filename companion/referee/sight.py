"""A reading weighed: what it costs to believe that a slot shows something, in nats.

The cost of a claim is how much less likely it is than the likeliest content of that slot, so 0 is "as seen".
Hidden slots cost nothing whatever is claimed. No single slot can cost more than a misread slot does.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain

from companion.referee.observation import Claim
from companion.referee.settings import RefereeSettings
from vision.reading import EMPTY, Reading

# No Score track ends before the points that end the game.
SHORTEST_TRACK = 18
ABSENT = -1  # the place of a marker that stands nowhere
# Counts left out of a reading are 0; a marker or a technician left out says nothing.
_COUNTED = {"m", "p", "f", "t", "X", "N", "credit", "battery"}
_NONE_THERE: Mapping[int, float] = {0: 1.0}


class Sight:
    """One reading with its costs worked out on demand and remembered.

    `ignored` slots are treated as hidden; `taken` are the cards that cannot have been drawn from the deck. What costs
    more than a slip counts `sharpness` times as much beyond it; a slot that cannot be made out costs no more than that.
    """

    def __init__(
        self,
        reading: Reading,
        settings: RefereeSettings,
        ignored: Collection[str] = (),
        taken: Collection[str] = (),
        sharpness: float = 1.0,
    ) -> None:
        self.reading = reading
        self.settings = settings
        self.ignored = frozenset(ignored)
        self.taken = frozenset(taken)
        self.sharpness = sharpness
        self._known: dict[Claim, float] = {}
        self._doubts: dict[int, tuple[float, float]] = {}

    def without(self, slots: Collection[str]) -> "Sight":
        """The same reading with some more slots covered."""
        return Sight(self.reading, self.settings, self.ignored | set(slots), self.taken, self.sharpness)

    def cost(self, claim: Claim) -> float:
        known = self._known.get(claim)
        if known is None:
            known = self._known[claim] = self._weigh(claim)
        return known

    def total(self, claims: Iterable[Claim]) -> float:
        return sum(map(self.cost, claims))

    def cubes(self, claims: Iterable[Claim]) -> float:
        """What the colours of one area cost together: a cube taken for one of another colour is one misreading, not two."""
        wrong = [(cost, claim) for claim in claims if (cost := self.cost(claim)) > 0.0]
        costs = [cost for cost, _ in wrong]
        if len(wrong) == 2 and {self._too_many(claim) for _, claim in wrong} == {1, -1}:
            return max(costs)
        return sum(costs)

    def seen(self, slot: str, label: str) -> int:
        """How many of a label are likeliest to lie in an area; 0 when it is hidden."""
        numbers = self._numbers(slot, label)
        return max(numbers, key=numbers.__getitem__) if numbers and slot not in self.ignored else 0

    def _too_many(self, claim: Claim) -> int:
        slot, label, number = claim
        return (number or 0) - self.seen(slot, str(label))

    def sees(self, slot: str) -> bool:
        return slot not in self.ignored and (slot in self.reading.tiles or slot in self.reading.counts)

    def slots(self) -> Iterator[str]:
        """The slots in sight, trays left out: coins may be held in the hand."""
        seen = chain(self.reading.tiles, self.reading.counts)
        return (slot for slot in seen if slot not in self.ignored and not slot.endswith(".tray"))

    def doubts(self, slot: str) -> bool:
        """Whether a slot may well hold something else than what it looks most like."""
        tile = self.reading.tiles.get(slot)
        least = math.exp(-self.settings.doubt_cost)
        labels = self.reading.counts.get(slot, {}).values() if tile is None else (tile,)
        return any(1.0 - best > least * best for ps in labels if (best := max(ps.values(), default=1.0)))

    def drawn(self, slot: str) -> tuple[str | None, float]:
        """The likeliest piece nobody had seen before in a tile slot, and its cost; None when it cannot be told."""
        ps = self._tile(slot)
        if ps is None:
            return None, 0.0
        possible = {label: p for label, p in ps.items() if label != EMPTY and label not in self.taken}
        if not possible:
            return None, self._odds(ps, 0.0)
        label = max(possible, key=possible.__getitem__)
        rest = sum(possible.values()) - possible[label]
        sure = possible[label] >= self.settings.drawn_odds * rest
        return (label if sure else None), self._odds(ps, possible[label])

    def draws(self, slot: str) -> dict[str | None, float]:
        """What a piece nobody had seen before may well be, with the share of each; None for whatever else it may be."""
        ps = self._tile(slot) or {}
        possible = {label: p for label, p in ps.items() if label != EMPTY and label not in self.taken}
        total, least = sum(possible.values()), 1.0 / (1.0 + self.settings.drawn_odds)
        shares: dict[str | None, float] = {
            label: p / total for label, p in possible.items() if p >= least * total > 0.0
        }
        rest = 1.0 - sum(shares.values())
        return shares | {None: rest} if rest >= least else shares

    def _weigh(self, claim: Claim) -> float:
        slot, label, number = claim
        if slot in self.ignored:
            return 0.0
        if label is None:
            return self.drawn(slot)[1]
        if number is None:
            ps = self._tile(slot)
            return 0.0 if ps is None else self._odds(ps, ps.get(label, 0.0))
        numbers = self._numbers(slot, label)
        if numbers is None:
            return 0.0
        if slot == "colony.score" and number not in numbers:
            return self._odds(numbers, _beyond(numbers, number))
        cost = self._odds(numbers, numbers.get(number, 0.0))
        if slot.endswith(".tray"):
            # Coins may lie stacked or half under a hand: a tray is a witness, never a judge.
            return min(cost, self.settings.tray_cost)
        if self.sharpness == 1.0 and ".zone." in slot and _is_likeliest(number - 1, numbers):
            return min(cost, self.settings.missed_cube_cost)
        return cost

    def _tile(self, slot: str) -> Mapping[str, float] | None:
        return None if slot in self.ignored else self.reading.tiles.get(slot)

    def _numbers(self, slot: str, label: str) -> Mapping[int, float] | None:
        labels = self.reading.counts.get(slot)
        if labels is None:
            # An area read as empty of everything loses its counts in JSON.
            return _NONE_THERE if label in _COUNTED and self.reading.tiles.get(slot) == {} else None
        numbers = labels.get(label)
        return _NONE_THERE if numbers is None and label in _COUNTED else numbers

    def _odds(self, ps: Mapping[str, float] | Mapping[int, float], p: float) -> float:
        # By identity: the reading keeps its probabilities alive.
        known = self._doubts.get(id(ps))
        if known is None:
            best = max(ps.values(), default=1.0)
            # Where vision is in doubt between two things it may be a third: as if it had to be in doubt twice over.
            known = self._doubts[id(ps)] = best, self.settings.misread_p + max(0.0, 1.0 - best) ** 2
        best, misread = known
        cost = math.log((best + misread) / (p + misread))
        more = cost - self.settings.fault_cost
        if more > 0.0 and best < self.settings.made_out_p:
            return self.settings.fault_cost
        if self.sharpness == 1.0 or more <= 0.0 or best < self.settings.sure_p:
            return cost
        return min(self.settings.fault_cost + self.sharpness * more, -math.log(self.settings.misread_p))


class MovedSight(Sight):
    """A sight in which some slots show what others showed. What is known of the slots as they lie is not worked out again."""

    def __init__(self, sight: Sight, sources: Mapping[str, str]) -> None:
        super().__init__(sight.reading, sight.settings, sight.ignored, sight.taken, sight.sharpness)
        self._as_it_lies = sight
        self._sources = sources

    def _weigh(self, claim: Claim) -> float:
        slot, label, number = claim
        return self._as_it_lies.cost((self._sources.get(slot, slot), label, number))


def _is_likeliest(number: int, numbers: Mapping[int, float]) -> bool:
    return numbers.get(number, 0.0) == max(numbers.values(), default=1.0)


def _beyond(places: Mapping[int, float], points: int) -> float:
    """How likely a marker is to have passed the last printed place of the Score track.

    It may wait on that place, start again from 0, or stand beside the track. 0 when the reading does not list the whole
    track, or the track goes on to `points`.
    """
    last = max(places, default=-1)
    if last < SHORTEST_TRACK or points <= last or any(place not in places for place in range(last)):
        return 0.0
    return max(places[last], places[points % (last + 1)], places.get(ABSENT, 0.0))

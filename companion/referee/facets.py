"""How little each facet of the table can cost in the end, given what the rest of a turn can still do to it.

Each relaxation says why nothing better can happen. The order of the divers is not among them: it is met from both ends.
"""

import math

from companion.referee.observation import COLUMNS, TRACK_PLACES
from companion.referee.stories import Story
from companion.referee.weighing import Weigher
from companion.rules import Player, Position
from companion.rules.cards import sorted_cubes
from companion.rules.position import Progress
from companion.rules.settings import LETTERS, LEVELS, MOST_IMPROVEMENTS, OWN_KEYS
from companion.rules.steps import Key, PlayKey
from vision.reading import EMPTY

_FRONT_AND_TWO_DIVES = 3  # the most cubes a turn's effects add to one level
# Far more prestige than one turn can bring: every card on the table and in the hand at once.
MOST_POINTS = 30
_MOST_CREDITS = 30
_MOST_CUBES = 6


class Facets:
    """Lower bounds on what the facets of one player's table and of the colony cost, remembered."""

    def __init__(self, weigher: Weigher, root: Position) -> None:
        self.weigher = weigher
        self.root = root
        self.colour = root.player.colour
        self._known: dict[tuple[object, ...], float] = {}
        self._batteries: dict[tuple[tuple[str, ...], int], int] = {}
        self._flips: dict[tuple[object, ...], bool] = {}
        # Neighbours' columns stand as long as a turn goes on.
        others = [player for seat, player in enumerate(root.players) if seat != root.to_play]
        self._neighbours_tiles = [{player.diver_at(level) for player in others} for level in LEVELS]

    def may_flip_at(self, position: Position, level: int) -> bool:
        """A tile can still be turned by the sponsor at the level, or by a reward on display."""
        key = (position.sponsors[level - 1], position.display, level)
        known = self._flips.get(key)
        if known is None:
            pairs = position.display if position.rules.german else (position.display[level - 1],)
            known = self._flips[key] = position.sponsors[level - 1] in ("4", "4a") or any(
                token is not None and token.startswith("upgrade") for pair in pairs for token in pair
            )
        return known

    def battery_cards(self, me: Player, position: Position, cards: tuple[str, ...]) -> int:
        """Batteries that contracts could give this turn: no level ever holds more than its cubes and three new ones."""
        fullest = max(map(len, me.zone)) + _FRONT_AND_TWO_DIVES
        key = (cards, fullest)
        known = self._batteries.get(key)
        if known is None:
            contracts = map(position.cards.__getitem__, cards)
            known = sum("b" in contract.bonus and contract.size <= fullest for contract in contracts)
            self._batteries[key] = known
        return known

    def keys(self, me: Player, position: Position, played: PlayKey, sponsor: str, effects: int) -> float:
        """Played keys come back by sponsor 3, a Tech expert, or all at once; a Metal expert adds neutral ones."""
        back, more = int(sponsor == "3"), 0
        if effects:
            back += effects * self._at_work("tech+", me, position, played.level)
            more += effects * self._at_work("metal+", me, position, played.level)
        hacker = min(me.hacker + effects, MOST_IMPROVEMENTS)
        key = ("keys", me.keys, me.neutral_x, me.track, played.key, hacker, me.hacker, back, more)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._least_keys(me, position, played.key, hacker, back, more)
        return known

    def _least_keys(
        self, me: Player, position: Position, played: Key, hacker: int, back: int, more: int
    ) -> float:
        cost, colour = self.weigher.sight.cost, self.colour
        tokens = len(me.track) + 1
        all_back = tokens >= position.rules.keys_to_recover - hacker
        none_back = tokens - back < position.rules.keys_to_recover - me.hacker
        total = min(cost((f"{colour}.x", "N", me.neutral_x + n)) for n in range(more + 1))
        for own in OWN_KEYS:
            if own in me.keys:
                there = {True}
            elif own == played:
                there = {True} if all_back else set()
                there |= {False} if none_back else set()
            else:
                there = {True} if all_back or back else set()
                there |= {False} if none_back else set()
            if own == "X":
                total += min(cost((f"{colour}.x", "X", int(is_there))) for is_there in there)
            else:
                slot = f"{colour}.key.{own}"
                total += min(cost((slot, "key" if is_there else EMPTY, None)) for is_there in there)
        lengths = set(range(max(0, tokens - back), tokens + 1)) if none_back else set()
        lengths |= {0} if all_back else set()
        return total + min(
            sum(
                cost((f"{colour}.track.{place}", "back" if place <= length else EMPTY, None))
                for place in range(1, TRACK_PLACES + 1)
            )
            for length in lengths
        )

    def _at_work(self, tile: str, me: Player, position: Position, level: int) -> bool:
        """Whether a tile's effect could be used this turn: an own one, now or once upgraded, or a neighbour's."""
        if tile in me.divers or tile in self._neighbours_tiles[level - 1]:
            return True
        return self.may_flip_at(position, level)

    def zone(self, me: Player, level: int, sponsor: str, story: Story, cards: tuple[str, ...]) -> float:
        total = 0.0
        for n, cubes in enumerate(me.zone, 1):
            if n == level and (story.cubes or sponsor in ("2a", "5a")):
                more = story.cubes + (sponsor in ("2a", "5a"))
                fewer = _MOST_CUBES if cards else story.trades + (sponsor == "5a")
                total += self._active_level(n, cubes, more, fewer)
                continue
            moved = sponsor == "5a"
            key = ("zone", n, cubes, cards, moved)
            known = self._known.get(key)
            if known is None:
                starts = {cubes}
                if moved:
                    starts |= {"".join(sorted(cubes + letter, key=LETTERS.index)) for letter in LETTERS}
                    starts |= {start.replace(letter, "", 1) for start in starts for letter in LETTERS}
                known = min(
                    self.weigher.level(self.colour, n, left)
                    for start in starts
                    for left in self._after_contracts(start, cards)
                )
                self._known[key] = known
            total += known
        return total

    def _active_level(self, level: int, cubes: str, more: int, fewer: int) -> float:
        """The key's level: at most `more` cubes come, at most `fewer` go, whatever their colours."""
        key = ("active", level, cubes, more, fewer)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._least_level(level, cubes, more, fewer)
        return known

    def _least_level(self, level: int, cubes: str, more: int, fewer: int) -> float:
        def within_reach(left: str) -> bool:
            return _come(cubes, left) <= more and _come(left, cubes) <= fewer

        slot, sight = f"{self.colour}.zone.{level}", self.weigher.sight
        seen = "".join(letter * sight.seen(slot, letter) for letter in LETTERS)
        if within_reach(seen):
            return 0.0
        # The cheapest way for each number of cubes that came and went, colour by colour.
        cheapest = {(0, 0): 0.0}
        for letter in LETTERS:
            held = cubes.count(letter)
            costs = {n: sight.cost((slot, letter, n)) for n in range(max(0, held - fewer), held + more + 1)}
            following: dict[tuple[int, int], float] = {}
            for (came, went), so_far in cheapest.items():
                for n in range(max(0, held - fewer + went), held + more - came + 1):
                    spent = (came + max(0, n - held), went + max(0, held - n))
                    total = so_far + costs[n]
                    if total < following.get(spent, math.inf):
                        following[spent] = total
            cheapest = following
        misread = (
            self.weigher.level(self.colour, level, left) for left in _one_misread(seen) if within_reach(left)
        )
        return min([*cheapest.values(), *misread])

    def _after_contracts(self, cubes: str, cards: tuple[str, ...]) -> set[str]:
        """What may be left of a level's cubes, whichever contracts are paid from it."""
        left = {cubes}
        for card in cards:
            contract = self.root.cards[card]
            left |= {rest for start in left for _, rest in contract.paid_from(start)}
        return left

    def rewards(self, me: Player, level: int, explores: bool) -> float:
        """Permanent rewards: only an Explorer changes one, that of its level."""
        key = ("rewards", me.rewards, level, explores)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = sum(
                self.weigher.permanent(self.colour, n, token)
                for n, token in enumerate(me.rewards, 1)
                if n != level or not explores
            )
        return known

    def technicians(self, me: Player, improves: int) -> float:
        key = ("technicians", me.hacker, me.mechanic, improves)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = sum(
                min(self.weigher.technician(self.colour, name, steps + n) for n in range(improves + 1))
                for name, steps in (("hacker", me.hacker), ("mechanic", me.mechanic))
            )
        return known

    def display(self, position: Position, level: int, taken: bool) -> float:
        key = ("display", position.display, level, taken)
        known = self._known.get(key)
        if known is None:
            known = 0.0
            for n, pair in enumerate(position.display, 1):
                for which, token in enumerate(pair, 1):
                    as_is = self.weigher.display(n, which, token)
                    here = n == level or position.rules.german
                    known += min(as_is, self.weigher.display(n, which, None)) if here and taken else as_is
            self._known[key] = known
        return known

    def store(self, position: Position, trades: int) -> float:
        key = ("store", position.store, trades)
        known = self._known.get(key)
        if known is None:
            known, rows = 0.0, len(position.rules.store)
            for name, filled in zip(COLUMNS, position.store, strict=True):
                around = range(max(0, filled - trades), min(rows, filled + trades) + 1)
                known += min(self.weigher.store(name, n) for n in around)
            self._known[key] = known
        return known

    def contracts(self, position: Position, payable: bool) -> float:
        key = ("contracts", position.public, payable)
        known = self._known.get(key)
        if known is None:
            known = 0.0
            for space, card in enumerate(position.public, 1):
                as_is = self.weigher.contract(space, card)
                known += min(as_is, self.weigher.contract(space, None)) if card and payable else as_is
            self._known[key] = known
        return known

    def payable(self, zone: tuple[str, ...], cards: tuple[str, ...]) -> bool:
        key = ("payable", zone, cards)
        known = self._known.get(key)
        if known is None:
            contracts = [self.root.cards[card] for card in cards]
            known = float(any(True for cubes in zone for c in contracts for _ in c.paid_from(cubes)))
            self._known[key] = known
        return bool(known)

    def tray(
        self, me: Player, progress: Progress, sponsor: str, effects: int, cards: tuple[str, ...]
    ) -> float:
        """Batteries gained are few; credits are only spent on sponsors and divers."""
        weigher, colour = self.weigher, self.colour
        gains = self.battery_cards(me, self.root, cards)
        gains += effects + (sponsor in ("5", "5a")) + (sponsor == "2a")
        if progress.diving and not effects:
            least = me.batteries - (not progress.oxygen)
            coins = range(me.credits, me.credits + (_MOST_CREDITS if cards else 1))
        else:
            least, coins = 0, range(0)
        key = ("tray", me.batteries, least, gains, me.credits, coins)
        known = self._known.get(key)
        if known is None:
            batteries = range(max(0, least), me.batteries + gains + 1)
            known = min(weigher.tray(colour, "battery", n) for n in batteries)
            known += min((weigher.tray(colour, "credit", n) for n in coins), default=0.0)
            self._known[key] = known
        return known

    def score(self, me: Player, rises: bool, cards: tuple[str, ...]) -> float:
        """The marker stands, unless an effect gives prestige; a contract moves it by its points at least."""
        if not rises and not cards:
            return self.weigher.score(self.colour, me.score)
        key = ("score", me.score, cards)
        known = self._known.get(key)
        if known is None:
            least = min((self.root.cards[card].points for card in cards), default=0)
            known = min(self.weigher.score(self.colour, me.score + n) for n in range(least, MOST_POINTS + 1))
            self._known[key] = known
        return known


def _come(before: str, after: str) -> int:
    """How many cubes there are after that were not there before."""
    return sum(max(0, after.count(letter) - before.count(letter)) for letter in LETTERS)


def _one_misread(seen: str) -> list[str]:
    """The cubes of a level if one of those seen is of another colour."""
    return [
        sorted_cubes(seen.replace(taken_for, letter, 1))
        for taken_for in dict.fromkeys(seen)
        for letter in LETTERS
        if letter != taken_for
    ]

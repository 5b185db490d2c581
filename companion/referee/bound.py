"""How little a turn in progress can cost in the end.

For everything that can still change, the best of what it may become; for everything else, what it shows. Being too
hopeful makes the search longer, never wrong; each relaxation below says why nothing better can happen.
"""

import math

from companion.referee.column import Journey, least_column_cost, names, resurfaced
from companion.referee.observation import COLUMNS, TRACK_PLACES
from companion.referee.weighing import Weigher
from companion.rules import Player, Position
from companion.rules.cards import Contract
from companion.rules.position import Progress
from companion.rules.settings import LETTERS, MOST_IMPROVEMENTS, OWN_KEYS
from companion.rules.steps import Key, PlayKey, Propel
from vision.reading import EMPTY

_FRONT_AND_TWO_DIVES = 3  # the most cubes a turn's effects add to one level

# Far more prestige than one turn can bring: every card on the table and in the hand at once.
_MOST_POINTS = 30
_MOST_CREDITS = 30


MOST_CUBES = 6


class Bound:
    """Lower bounds on the final cost of every position inside one turn of one player."""

    def __init__(self, weigher: Weigher, root: Position, unseen: tuple[Contract, ...] = ()) -> None:
        self.weigher = weigher
        self.root = root
        self.me = root.to_play
        self.colour = root.player.colour
        self._unseen = tuple(contract.id for contract in unseen)
        self._known: dict[tuple[object, ...], float] = {}
        self._others = sum(weigher.board(p) for i, p in enumerate(root.players) if i != self.me)
        self._unused_spaces = sum(weigher.contract(n, "") for n in range(len(root.public) + 1, 4))

    def __call__(self, position: Position) -> float:
        progress = position.progress
        if progress is None or progress.key is None:
            return 0.0
        me = position.players[self.me]
        used = progress.sponsor_used or progress.diving
        sponsor = "" if used else position.sponsors[progress.key.level - 1]
        effects = _effects_left(progress, sponsor)
        cards = tuple(card for card in (*position.public, *me.private) if card)
        if self._unseen and (None in me.private or None in position.public or cards):
            cards += self._unseen
        if not effects and not sponsor and not self._payable(me.zone, cards):
            cards = ()
        changes = effects > 0 or bool(sponsor)
        return (
            self._neighbours(position, progress.key.level)
            + self._unused_spaces
            + self._column(me, position, progress, progress.key, sponsor, cards)
            + self._keys(me, position, progress.key, sponsor, effects)
            + self._zone(me, progress.key.level, sponsor, effects, cards)
            + self._board(me, progress.key.level, effects)
            + self._colony(position, progress.key.level, sponsor, effects, bool(cards))
            + self._score(me, changes or bool(cards))
            + self._tray(me, progress, sponsor, effects, cards)
        )

    def _neighbours(self, position: Position, level: int) -> float:
        """Other boards do not change, but for a copied diver that resurfaces in the designer's variant."""
        if not position.rules.spy_variant:
            return self._others
        key = ("neighbours", level)
        known = self._known.get(key)
        if known is None:
            known = self._others
            for i, player in enumerate(self.root.players):
                if i != self.me:
                    as_is = self.weigher.column(player.colour, player.divers)
                    up = self.weigher.column(player.colour, resurfaced(player.divers, level))
                    known += min(as_is, up) - as_is
                    # The neighbour is paid a credit and may pay a battery.
                    known -= self.weigher.tray(player.colour, "credit", player.credits)
                    known -= self.weigher.tray(player.colour, "battery", player.batteries)
            self._known[key] = known
        return known

    def _column(
        self,
        me: Player,
        position: Position,
        progress: Progress,
        played: PlayKey,
        sponsor: str,
        cards: tuple[str, ...],
    ) -> float:
        level = played.level
        flips = self._may_flip(position, progress, level)
        settings = self.weigher.sight.settings
        extra = self._battery_cards(me, position, cards)
        if progress.diving:
            # The order stands; the diver resurfaces or stays.
            key: tuple[object, ...] = ("stands", me.divers, level, flips, progress.oxygen)
            known = self._known.get(key)
            if known is None:
                known = self._tiles(me.divers, flips)
                if not progress.oxygen:
                    up = resurfaced(me.divers, level)
                    known = min(self._tiles(up, flips), known + settings.oxygen_cost)
                self._known[key] = known
            return known
        batteries = me.batteries + extra + (sponsor in ("5", "5a")) + (sponsor == "2a")
        moved = sum(isinstance(step, Propel) for step in progress.steps)
        risen = progress.sponsor_used and position.sponsors[level - 1] == "3a"
        key = ("order", me.divers, level, batteries, sponsor == "3a", risen, flips, moved)
        known = self._known.get(key)
        if known is None:
            journey = Journey(
                first=names(self.root.player.divers),
                now=names(me.divers),
                level=level,
                moved=moved,
                batteries=batteries,
                furthest=position.rules.mechanic[me.mechanic],
                rises=int(sponsor == "3a"),
                risen=risen,
            )
            known = least_column_cost(self.weigher.likely_orders(me, flips), journey, settings)
            self._known[key] = known
        return known

    def _tiles(self, divers: tuple[str, ...], flips: bool) -> float:
        cost = self.weigher.column(self.colour, divers)
        if not flips:
            return cost
        sight = self.weigher.sight
        total = 0.0
        for place, diver in enumerate(divers, 1):
            slot = f"{self.colour}.diver.{place}"
            as_is = sight.cost((slot, diver, None))
            total += as_is if diver.endswith("+") else min(as_is, sight.cost((slot, f"{diver}+", None)))
        return total

    def _may_flip(self, position: Position, progress: Progress, level: int) -> bool:
        """A tile can still be turned: only by a sponsor, or by a reward that a diver or a sponsor takes."""
        if progress.diving and progress.dives <= 0:
            return False
        return self._may_flip_at(position, level)

    def _may_flip_at(self, position: Position, level: int) -> bool:
        if position.sponsors[level - 1] in ("4", "4a"):
            return True
        pairs = position.display if position.rules.german else (position.display[level - 1],)
        return any(token is not None and token.startswith("upgrade") for pair in pairs for token in pair)

    def _battery_cards(self, me: Player, position: Position, cards: tuple[str, ...]) -> int:
        """Batteries that contracts could give this turn: no level ever holds more than its cubes and three new ones."""
        fullest = max(map(len, me.zone)) + _FRONT_AND_TWO_DIVES
        return sum(
            "b" in position.cards[card].bonus and position.cards[card].size <= fullest for card in cards
        )

    def _keys(self, me: Player, position: Position, played: PlayKey, sponsor: str, effects: int) -> float:
        """Played keys come back by sponsor 3, a Tech expert, or all at once; a Metal expert adds neutral ones."""
        back = (sponsor == "3") + effects * self._at_work("tech+", me, position, played.level)
        more = effects * self._at_work("metal+", me, position, played.level)
        hacker = min(me.hacker + effects, MOST_IMPROVEMENTS)
        key = ("keys", me.keys, me.neutral_x, me.track, played, hacker, me.hacker, back, more)
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
        if tile in me.divers or any(p.diver_at(level) == tile for p in position.players):
            return True
        return self._may_flip_at(position, level)

    def _zone(self, me: Player, level: int, sponsor: str, effects: int, cards: tuple[str, ...]) -> float:
        total = 0.0
        for n, cubes in enumerate(me.zone, 1):
            if n == level and (effects or sponsor in ("2a", "5a")):
                more = effects + (sponsor in ("2a", "5a"))
                fewer = MOST_CUBES if cards else effects + (sponsor == "5a")
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
            # The cheapest way for each number of cubes that came and went, colour by colour.
            cheapest = {(0, 0): 0.0}
            for letter in LETTERS:
                held = cubes.count(letter)
                following: dict[tuple[int, int], float] = {}
                for (came, went), so_far in cheapest.items():
                    for n in range(max(0, held - fewer + went), held + more - came + 1):
                        spent = (came + max(0, n - held), went + max(0, held - n))
                        cost = so_far + self.weigher.sight.cost((f"{self.colour}.zone.{level}", letter, n))
                        if cost < following.get(spent, math.inf):
                            following[spent] = cost
                cheapest = following
            known = self._known[key] = min(cheapest.values())
        return known

    def _after_contracts(self, cubes: str, cards: tuple[str, ...]) -> set[str]:
        """What may be left of a level's cubes, whichever contracts are paid from it."""
        left = {cubes}
        for card in cards:
            contract = self.root.cards[card]
            left |= {rest for start in left for _, rest in contract.paid_from(start)}
        return left

    def _board(self, me: Player, level: int, effects: int) -> float:
        """Technicians and permanent rewards: only a diver's effect changes them."""
        key = ("board", me.rewards, me.hacker, me.mechanic, level, effects)
        known = self._known.get(key)
        if known is None:
            weigher, colour = self.weigher, self.colour
            known = sum(
                weigher.permanent(colour, n, token)
                for n, token in enumerate(me.rewards, 1)
                if n != level or not effects
            )
            for name, steps in (("hacker", me.hacker), ("mechanic", me.mechanic)):
                known += min(weigher.technician(colour, name, steps + n) for n in range(effects + 1))
            self._known[key] = known
        return known

    def _colony(self, position: Position, level: int, sponsor: str, effects: int, contracts: bool) -> float:
        shown = (position.display, position.store, position.public, position.sponsors)
        key = ("colony", shown, level, sponsor, effects, contracts)
        known = self._known.get(key)
        if known is None:
            weigher = self.weigher
            known = weigher.sponsors(position.sponsors)
            for n, pair in enumerate(position.display, 1):
                for which, token in enumerate(pair, 1):
                    as_is = weigher.display(n, which, token)
                    here = n == level or position.rules.german
                    changes = here and (effects or sponsor == "2a")
                    known += min(as_is, weigher.display(n, which, None)) if changes else as_is
            rows = len(position.rules.store)
            for name, filled in zip(COLUMNS, position.store, strict=True):
                around = range(max(0, filled - effects), min(rows, filled + effects) + 1)
                known += min(weigher.store(name, n) for n in around)
            for space, card in enumerate(position.public, 1):
                as_is = weigher.contract(space, card)
                known += min(as_is, weigher.contract(space, None)) if card and contracts else as_is
            self._known[key] = known
        return known

    def _payable(self, zone: tuple[str, ...], cards: tuple[str, ...]) -> bool:
        key = ("payable", zone, cards)
        known = self._known.get(key)
        if known is None:
            contracts = [self.root.cards[card] for card in cards]
            known = float(any(True for cubes in zone for c in contracts for _ in c.paid_from(cubes)))
            self._known[key] = known
        return bool(known)

    def _tray(
        self, me: Player, progress: Progress, sponsor: str, effects: int, cards: tuple[str, ...]
    ) -> float:
        """Batteries gained are few; credits are only spent on sponsors and divers."""
        weigher, colour = self.weigher, self.colour
        gains = self._battery_cards(me, self.root, cards)
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

    def _score(self, me: Player, rises: bool) -> float:
        if not rises:
            return self.weigher.score(self.colour, me.score)
        key = ("score", me.score)
        known = self._known.get(key)
        if known is None:
            known = min(self.weigher.score(self.colour, me.score + n) for n in range(_MOST_POINTS + 1))
            self._known[key] = known
        return known


def _effects_left(progress: Progress, sponsor: str) -> int:
    """How many times a diver's effect may still be used: sponsor 2 makes it twice."""
    if progress.ending:
        return 0
    if progress.diving:
        return progress.dives
    return 1 + (sponsor == "2" or progress.dives > 0)

"""How little a turn in progress can cost in the end.

For everything that can still change, the best of what it may become; for everything else, what it shows. Being too
hopeful makes the search longer, never wrong; each relaxation below says why nothing better can happen.
"""

import math
from copy import copy

from companion.referee.column import Journey, least_column_cost, names, resurfaced
from companion.referee.observation import COLUMNS, TRACK_PLACES
from companion.referee.stories import STORIES, Story, effects_left
from companion.referee.weighing import NOTHING, Covered, Weigher
from companion.rules import Player, Position
from companion.rules.cards import Contract
from companion.rules.position import Progress
from companion.rules.settings import LETTERS, MOST_IMPROVEMENTS, OWN_KEYS
from companion.rules.steps import Key, PlayKey, Propel
from vision.reading import EMPTY

_FRONT_AND_TWO_DIVES = 3  # the most cubes a turn's effects add to one level

# Far more prestige than one turn can bring: every card on the table and in the hand at once.
MOST_POINTS = 30
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
        self._columns: dict[tuple[object, ...], float] = {}
        self._batteries: dict[tuple[tuple[str, ...], int], int] = {}
        self._others = sum(weigher.board(p) for i, p in enumerate(root.players) if i != self.me)
        self._unused_spaces = sum(weigher.contract(n, "") for n in range(len(root.public) + 1, 4))

    def seeing(self, weigher: Weigher) -> "Bound":
        """The same bounds for a weigher that sees another column of divers and nothing else differently."""
        other = copy(self)
        other.weigher, other._columns = weigher, {}
        return other

    def __call__(
        self, position: Position, covered: Covered = NOTHING, owed: bool = False, thrifty: bool = False
    ) -> float:
        """At least what the rest of the turn costs; the facets `covered` of the player's table say nothing.

        With `owed` a contract is still to be completed. Who is `thrifty` wastes no battery.
        """
        progress = position.progress
        if progress is None or progress.key is None:
            return 0.0
        me = position.players[self.me]
        played = progress.key
        used = progress.sponsor_used or progress.diving
        sponsor = "" if used else position.sponsors[played.level - 1]
        effects = effects_left(progress, sponsor)
        cards = tuple(card for card in (*position.public, *me.private) if card)
        if self._unseen and (None in me.private or None in position.public or cards):
            cards += self._unseen
        if not effects and not sponsor and not self._payable(me.zone, cards):
            cards = ()
        total = self._neighbours(position, played.level) + self._unused_spaces
        if "column" not in covered:
            total += self._column(me, position, progress, played, sponsor, cards, thrifty)
        if "keys" not in covered:
            total += self._keys(me, position, played, sponsor, effects)
        if "sponsor" not in covered:
            total += self.weigher.sponsors(position.sponsors)
        if "tray" not in covered:
            total += self._tray(me, progress, sponsor, effects, cards)
        return total + self._rest(position, played.level, sponsor, effects, cards, covered, owed)

    def _rest(
        self,
        position: Position,
        level: int,
        sponsor: str,
        effects: int,
        cards: tuple[str, ...],
        covered: Covered,
        owed: bool,
    ) -> float:
        """Zone, rewards, technicians, score and colony: the best of the stories the rest of the turn can be."""
        me = position.players[self.me]
        pieces = (me.zone, me.rewards, me.hacker, me.mechanic, me.score)
        colony = (position.display, position.store, position.public)
        key = (pieces, colony, level, sponsor, effects, cards, covered, owed)
        known = self._known.get(key)
        if known is None:
            tellings = [cards] if owed else [(), cards] if cards else [()]
            known = self._known[key] = min(
                self._told(position, level, sponsor, story, told, covered)
                for story in STORIES[effects]
                for told in tellings
            )
        return known

    def _told(
        self,
        position: Position,
        level: int,
        sponsor: str,
        story: Story,
        cards: tuple[str, ...],
        covered: Covered,
    ) -> float:
        """What is left of the turn told as one story; with `cards`, at least one of those contracts is completed."""
        me, total = position.players[self.me], 0.0
        if "zone" not in covered:
            total += self._zone(me, level, sponsor, story, cards)
        if "reward" not in covered:
            total += self._rewards(me, level, story.explores)
        if "technician" not in covered:
            total += self._technicians(me, story.improves)
        if "display" not in covered:
            total += self._display(position, level, story.explores or sponsor == "2a")
        if "store" not in covered:
            total += self._store(position, story.trades)
        if "contract" not in covered:
            total += self._contracts(position, bool(cards))
        if "score" not in covered:
            rises = story.trades > 0 or story.explores or sponsor in ("2a", "4", "4a")
            total += self._score(me, rises, cards)
        return total

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
        thrifty: bool,
    ) -> float:
        level = played.level
        flips = self._may_flip(position, progress, level)
        settings = self.weigher.sight.settings
        extra = self._battery_cards(me, position, cards)
        if progress.diving:
            # The order stands; the diver resurfaces or stays.
            key: tuple[object, ...] = ("stands", me.divers, level, flips, progress.oxygen)
            known = self._columns.get(key)
            if known is None:
                known = self._tiles(me.divers, flips)
                if not progress.oxygen:
                    up = resurfaced(me.divers, level)
                    known = min(self._tiles(up, flips), known + settings.oxygen_cost)
                self._columns[key] = known
            return known
        batteries = me.batteries + extra + (sponsor in ("5", "5a")) + (sponsor == "2a")
        moved = sum(isinstance(step, Propel) for step in progress.steps)
        risen = progress.sponsor_used and position.sponsors[level - 1] == "3a"
        key = ("order", me.divers, level, batteries, sponsor == "3a", risen, flips, moved, thrifty)
        known = self._columns.get(key)
        if known is None:
            journey = Journey(
                first=names(self.root.player.divers),
                now=names(me.divers),
                level=level,
                moved=moved,
                batteries=batteries,
                furthest=position.rules.mechanic[me.mechanic],
                may_rise=sponsor == "3a",
                risen=risen,
                thrifty=thrifty,
            )
            known = least_column_cost(self.weigher.likely_orders(me, flips), journey, settings)
            self._columns[key] = known
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
        key = (cards, fullest)
        known = self._batteries.get(key)
        if known is None:
            contracts = map(position.cards.__getitem__, cards)
            known = sum("b" in contract.bonus and contract.size <= fullest for contract in contracts)
            self._batteries[key] = known
        return known

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

    def _zone(self, me: Player, level: int, sponsor: str, story: Story, cards: tuple[str, ...]) -> float:
        total = 0.0
        for n, cubes in enumerate(me.zone, 1):
            if n == level and (story.cubes or sponsor in ("2a", "5a")):
                more = story.cubes + (sponsor in ("2a", "5a"))
                fewer = MOST_CUBES if cards else story.trades + (sponsor == "5a")
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

    def _rewards(self, me: Player, level: int, explores: bool) -> float:
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

    def _technicians(self, me: Player, improves: int) -> float:
        key = ("technicians", me.hacker, me.mechanic, improves)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = sum(
                min(self.weigher.technician(self.colour, name, steps + n) for n in range(improves + 1))
                for name, steps in (("hacker", me.hacker), ("mechanic", me.mechanic))
            )
        return known

    def _display(self, position: Position, level: int, taken: bool) -> float:
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

    def _store(self, position: Position, trades: int) -> float:
        key = ("store", position.store, trades)
        known = self._known.get(key)
        if known is None:
            known, rows = 0.0, len(position.rules.store)
            for name, filled in zip(COLUMNS, position.store, strict=True):
                around = range(max(0, filled - trades), min(rows, filled + trades) + 1)
                known += min(self.weigher.store(name, n) for n in around)
            self._known[key] = known
        return known

    def _contracts(self, position: Position, payable: bool) -> float:
        key = ("contracts", position.public, payable)
        known = self._known.get(key)
        if known is None:
            known = 0.0
            for space, card in enumerate(position.public, 1):
                as_is = self.weigher.contract(space, card)
                known += min(as_is, self.weigher.contract(space, None)) if card and payable else as_is
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

    def _score(self, me: Player, rises: bool, cards: tuple[str, ...]) -> float:
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

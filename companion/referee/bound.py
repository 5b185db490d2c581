"""How little a turn in progress can cost in the end.

For everything that can still change, the best of what it may become; for everything else, what it shows. Being too
hopeful makes the search longer, never wrong.
"""

import math
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from companion.referee.column import Journey, least_column_cost, names, resurfaced
from companion.referee.facets import Facets
from companion.referee.stories import STORIES, effects_left
from companion.referee.weighing import NOTHING, Covered, Weigher
from companion.rules import Player, Position
from companion.rules.cards import Contract
from companion.rules.position import Progress
from companion.rules.steps import PlayKey, Propel

# What the divers do is one story, and each of these facets costs what that story makes of it.
_TOLD = ("zone", "reward", "technician", "display", "store", "contract", "score")
_Telling = tuple[float, ...]  # what each facet of _TOLD costs at least


class _Left(NamedTuple):
    """What a turn in progress has left to do."""

    me: Player
    progress: Progress
    played: PlayKey
    sponsor: str  # that may still be used, "" when none may
    effects: int  # of divers
    cards: tuple[str, ...]  # contracts that may still be completed


class _Rest(NamedTuple):
    """The parts of a bound that take longer to work out than keys and sponsors."""

    tray: float
    tellings: tuple[_Telling, ...]
    completing: tuple[_Telling, ...]  # those in which a contract is completed
    told: float  # the least of them when nothing is covered
    told_completing: float
    flips: bool  # tiles of the column may still be turned
    journey: Journey | None  # how the order of the column may go on; None when it stands


@dataclass(slots=True)
class _Parts:
    """What the bound of a position is made of, whatever is covered: worked out once, and no further than asked for."""

    position: Position  # parts are found again by its identity, so it stays alive with them
    left: _Left
    others: float
    keys: float
    sponsors: float
    rest: _Rest | None = None


class Bound:
    """Lower bounds on the final cost of every position inside one turn of one player."""

    def __init__(self, weigher: Weigher, root: Position, unseen: tuple[Contract, ...] = ()) -> None:
        self.weigher = weigher
        self.root = root
        self.me = root.to_play
        self.colour = root.player.colour
        self._unseen = tuple(contract.id for contract in unseen)
        self._facets = Facets(weigher, root)
        self._columns: dict[tuple[object, ...], float] = {}
        self._neighbours_at: dict[int, float] = {}
        self._parts: dict[int, _Parts] = {}
        self._tellings: dict[tuple[object, ...], tuple[_Telling, ...]] = {}
        self._others = sum(weigher.board(p) for i, p in enumerate(root.players) if i != self.me)
        self._unused_spaces = sum(weigher.contract(n, "") for n in range(len(root.public) + 1, 4))
        self._first = names(root.player.divers)

    def seeing(self, weigher: Weigher) -> "Bound":
        """The same bounds for a weigher that sees another column of divers and nothing else differently."""
        other = copy(self)
        other.weigher, other._columns = weigher, {}
        return other

    def __call__(
        self,
        position: Position,
        covered: Covered = NOTHING,
        owed: bool = False,
        thrifty: bool = False,
        most: float = math.inf,
    ) -> float:
        """At least what the rest of the turn costs; the facets `covered` of the player's table say nothing.

        With `owed` a contract is still to be completed. Who is `thrifty` wastes no battery. Once it is above `most` the bound
        is not worked out any further.
        """
        total = self.at_first_sight(position, covered)
        parts = self._parts.get(id(position))
        if parts is None or total > most:
            return total
        rest = parts.rest
        if rest is None:
            rest = parts.rest = self._rest(position, parts.left)
        if "tray" not in covered:
            total += rest.tray
        in_sight = _in_sight(covered)
        if in_sight is None:
            total += rest.told_completing if owed else rest.told
        else:
            total += min(sum(in_sight(told)) for told in (rest.completing if owed else rest.tellings))
        if "column" in covered or total > most:
            return total
        return total + self._column(parts.left, rest.flips, rest.journey, thrifty)

    def at_first_sight(self, position: Position, covered: Covered = NOTHING) -> float:
        """The part of the bound that tells one key from another, and is soon worked out."""
        parts = self._parts.get(id(position))
        if parts is None:
            progress = position.progress
            if progress is None or progress.key is None:
                return 0.0
            parts = self._parts[id(position)] = self._begun(position, progress, progress.key)
        total = parts.others
        if "keys" not in covered:
            total += parts.keys
        if "sponsor" not in covered:
            total += parts.sponsors
        return total

    def propelled(self, before: Position, after: Position) -> None:
        """Takes what is known of a position over to one that a propeller led to: only the column and a battery differ.

        With batteries, more than half of all positions are such.
        """
        parts = self._parts.get(id(before))
        if parts is None or parts.rest is None or id(after) in self._parts or after.progress is None:
            return
        left = parts.left._replace(me=after.players[self.me], progress=after.progress)
        tray = self._facets.tray(left.me, left.progress, left.sponsor, left.effects, left.cards)
        rest = parts.rest._replace(tray=tray, journey=self._journey(after, left))
        self._parts[id(after)] = _Parts(after, left, parts.others, parts.keys, parts.sponsors, rest)

    def _begun(self, position: Position, progress: Progress, played: PlayKey) -> _Parts:
        me = position.players[self.me]
        used = progress.sponsor_used or progress.diving
        sponsor = "" if used else position.sponsors[played.level - 1]
        effects = effects_left(progress, sponsor)
        left = _Left(me, progress, played, sponsor, effects, self._cards_left(me, position, sponsor, effects))
        return _Parts(
            position,
            left,
            self._neighbours(position, played.level) + self._unused_spaces,
            self._facets.keys(me, position, played, sponsor, effects),
            self.weigher.sponsors(position.sponsors),
        )

    def _cards_left(self, me: Player, position: Position, sponsor: str, effects: int) -> tuple[str, ...]:
        cards = tuple(card for card in (*position.public, *me.private) if card)
        if self._unseen and (None in me.private or None in position.public or cards):
            cards += self._unseen
        if not effects and not sponsor and not self._facets.payable(me.zone, cards):
            return ()
        return cards

    def _rest(self, position: Position, left: _Left) -> _Rest:
        tellings = completing = self._told(position, left, left.cards)
        if left.cards:
            tellings = (*self._told(position, left, ()), *completing)
        return _Rest(
            self._facets.tray(left.me, left.progress, left.sponsor, left.effects, left.cards),
            tellings,
            completing,
            min(map(sum, tellings)),
            min(map(sum, completing)),
            self._may_flip(position, left.progress, left.played.level),
            None if left.progress.diving else self._journey(position, left),
        )

    def _told(self, position: Position, left: _Left, cards: tuple[str, ...]) -> tuple[_Telling, ...]:
        """Zone, rewards, technicians, colony and score in each story the rest of the turn can be.

        With `cards`, at least one of those contracts is completed.
        """
        me, level, sponsor, effects = left.me, left.played.level, left.sponsor, left.effects
        pieces = (me.zone, me.rewards, me.hacker, me.mechanic, me.score)
        colony = (position.display, position.store, position.public)
        key = (pieces, colony, level, sponsor, effects, cards)
        known = self._tellings.get(key)
        if known is None:
            known = self._tellings[key] = tuple(
                (
                    self._facets.zone(me, level, sponsor, story, cards),
                    self._facets.rewards(me, level, story.explores),
                    self._facets.technicians(me, story.improves),
                    self._facets.display(position, level, story.explores or sponsor == "2a"),
                    self._facets.store(position, story.trades),
                    self._facets.contracts(position, bool(cards)),
                    self._facets.score(
                        me, story.trades > 0 or story.explores or sponsor in ("2a", "4", "4a"), cards
                    ),
                )
                for story in STORIES[effects]
            )
        return known

    def _neighbours(self, position: Position, level: int) -> float:
        """Other boards do not change, but for a copied diver that resurfaces in the designer's variant."""
        if not position.rules.spy_variant:
            return self._others
        known = self._neighbours_at.get(level)
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
            self._neighbours_at[level] = known
        return known

    def _column(self, left: _Left, flips: bool, journey: Journey | None, thrifty: bool) -> float:
        me, level, oxygen = left.me, left.played.level, left.progress.oxygen
        settings = self.weigher.sight.settings
        key = (me.divers, flips, level, oxygen) if journey is None else (me.divers, flips, journey, thrifty)
        known = self._columns.get(key)
        if known is None:
            if journey is not None:
                likely = self.weigher.likely_orders(me, flips)
                known = least_column_cost(likely, journey, settings, thrifty)
            else:
                # The order stands; the diver resurfaces or stays.
                known = self._tiles(me.divers, flips)
                if not oxygen:
                    up = resurfaced(me.divers, level)
                    known = min(self._tiles(up, flips), known + settings.oxygen_cost)
            self._columns[key] = known
        return known

    def _journey(self, position: Position, left: _Left) -> Journey:
        me, level, sponsor = left.me, left.played.level, left.sponsor
        batteries = me.batteries + self._facets.battery_cards(me, position, left.cards)
        return Journey(
            first=self._first,
            now=names(me.divers),
            level=level,
            moved=sum(isinstance(step, Propel) for step in left.progress.steps),
            batteries=batteries + (sponsor in ("5", "5a")) + (sponsor == "2a"),
            furthest=position.rules.mechanic[me.mechanic],
            may_rise=sponsor == "3a",
            risen=left.progress.sponsor_used and position.sponsors[level - 1] == "3a",
        )

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
        return self._facets.may_flip_at(position, level)


@cache
def _in_sight(covered: Covered) -> Callable[[_Telling], _Telling] | None:
    """Takes what is not covered out of a telling; None when that is all of it."""
    places = [place for place, facet in enumerate(_TOLD) if facet not in covered]
    return None if len(places) == len(_TOLD) else itemgetter(*places)

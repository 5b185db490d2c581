"""Every result of a turn, factored: what lies on the table, times the orders the diver column can have.

`outcomes(position)` gives each distinct table a turn can leave, column and batteries aside, once. An `Outcome`
knows which columns and battery counts go with it, without listing them, so that whoever looks for an observed
table weighs a few thousand outcomes instead of hundreds of thousands of positions:

- `outcome.table` is one of its positions: every place but the player's column and batteries is as in all the others;
- `outcome.batteries` are the battery counts it can end with, fewest first;
- `outcome.columns(batteries)` lists the columns that go with a count, `outcome.has(divers, batteries)` asks for one
  in constant time, `len(outcome)` counts all positions;
- `outcome.turn(divers, batteries)` puts a turn together that ends there, `outcome.position(divers, batteries)` the
  position; iterating gives both for all of them.

Outcomes come key by key, and those in which all keys returned at the end; nothing is kept between them but what is
needed to tell them apart, and the sets of columns, which are shared by all positions (see `columns`).

How the turn is split: contracts, the sponsor and contracts again, propellers, the diver's effect with contracts
after it, the end. Propellers take batteries and nothing else of the table depends on them, so contracts and the sponsor
can always come first; only sponsors 3a and 4a care about the column, and `columns` knows at which moment.
"""

from collections.abc import Iterator
from typing import NamedTuple

from companion.rules.columns import (
    ANY,
    PLACES,
    PLAIN,
    RESURFACING,
    appliers,
    batteries_to_activate,
    before_end,
    final_orders,
    number_of,
    path,
    surfacing,
)
from companion.rules.compact import Link, Nodes, Others, State
from companion.rules.notation import parse_step
from companion.rules.play import winners
from companion.rules.position import Player, Position, Store
from companion.rules.settings import LEVELS, SURFACE
from companion.rules.stages import Stages, sorted_keys, texts
from companion.rules.steps import Dive, Gain, Key, Oxygen, PlayKey, Propel, Side, Step, Upgrade, UseSponsor
from companion.rules.turn import Turn


class Source(NamedTuple):
    """One way a table comes about: who was activated where, and the batteries it leaves for propellers and oxygen."""

    level: int
    diver: int  # its place at the start of the turn, or ANY when the effect was declined
    kinds: tuple[int, ...]  # what the column may have gone through, see `columns`
    spendable: int  # batteries when step 1 ended
    batteries: int  # batteries at the end of the turn if none is spent on propellers and oxygen


Plan = dict[int, frozenset[int]]  # battery count -> orders of the column
# What the variant does to a copied neighbour: side, credits paid to it, the level its diver resurfaces from (0: it stays).
Copied = tuple[tuple[int, int, int], ...]
Table = tuple[
    State, Key | None, bool, Copied
]  # a state at the end, its key, whether the sponsors were rotated


class Outcome:
    """A table a turn can leave, and the columns and battery counts that go with it."""

    __slots__ = ("_plan", "_search", "_table", "_ways")

    def __init__(self, search: "_Search", table: Table, ways: dict[Source, tuple[Key, Link]]) -> None:
        self._search = search
        self._table = table
        self._ways = ways
        self._plan: Plan | None = None

    @property
    def plan(self) -> Plan:
        if self._plan is None:
            self._plan = self._search.plan(tuple(self._ways))
        return self._plan

    @property
    def batteries(self) -> tuple[int, ...]:
        return tuple(sorted(self.plan))

    @property
    def tiles(self) -> tuple[str, ...]:
        """The divers in the order they stood at the start of the turn, with the sides they end on."""
        return self._table[0][9]

    def __len__(self) -> int:
        return sum(map(len, self.plan.values()))

    def columns(self, batteries: int) -> Iterator[tuple[str, ...]]:
        tiles = self.tiles
        return (appliers[number](tiles) for number in self.plan.get(batteries, ()))

    def has(self, divers: tuple[str, ...], batteries: int) -> bool:
        number = self._number(divers)
        return number is not None and number in self.plan.get(batteries, ())

    def _number(self, divers: tuple[str, ...]) -> int | None:
        places = {tile: place for place, tile in enumerate(self.tiles)}
        if any(diver not in places for diver in divers):
            return None
        return number_of(tuple(places[diver] for diver in divers))

    @property
    def table(self) -> Position:
        batteries, numbers = next(iter(self.plan.items()))
        return self.position(appliers[next(iter(numbers))](self.tiles), batteries)

    def position(self, divers: tuple[str, ...], batteries: int) -> Position:
        before, after, players = self._search.surroundings(self._table)
        me = self._search.me
        head, tail = self._search.board(self._table)
        player = Player._make((me.name, me.colour, head[2], head[3], batteries, *head[4:], divers, *tail))
        seated = (*players[: self._search.seat], player, *players[self._search.seat + 1 :])
        return Position._make((*before, seated, *after))

    def turn(self, divers: tuple[str, ...], batteries: int) -> Turn:
        number = self._number(divers)
        if number is None or number not in self.plan.get(batteries, ()):
            raise ValueError(
                f"this outcome does not end with {batteries} batteries and the column {' '.join(divers)}"
            )
        return Turn(self.steps(number, batteries))

    def __iter__(self) -> Iterator[tuple[Turn, Position]]:
        """Every turn and position of this outcome; the turns' steps are put together when asked for."""
        before, after, players = self._search.surroundings(self._table)
        seat = self._search.seat
        left, right = players[:seat], players[seat + 1 :]
        head, tail = self._search.board(self._table)
        tiles = self.tiles
        make, apply = tuple.__new__, appliers
        new, turn_type, player_type, position_type = object.__new__, Turn, Player, Position
        for batteries, numbers in self.plan.items():
            start = (*head[:4], batteries, *head[4:])
            for number in numbers:
                turn = new(turn_type)
                turn.recipe = self.steps, number, batteries
                player = make(player_type, (*start, apply[number](tiles), *tail))
                yield turn, make(position_type, (*before, (*left, player, *right), *after))

    def steps(self, number: int, batteries: int) -> tuple[Step, ...]:
        """The steps of a turn that ends with this order of the column and these batteries."""
        for source, (key, link) in self._ways.items():
            way = self._search.way(source, number, batteries)
            if way is not None:
                return self._search.steps(source, way, key, link, self._table[3])
        raise AssertionError("an outcome knows the ways to all its columns")


class Way(NamedTuple):
    """How one order of the column came about."""

    kind: int
    spent: int
    oxygen: int
    number: int  # the order at the end of step 1


def outcomes(position: Position) -> Iterator[Outcome]:
    """Every distinct table a turn from this position, which is between turns, can leave."""
    if position.progress is not None:
        raise ValueError(f"the turn has already begun, in {position}")
    if position.over is None:
        yield from _Search(position).outcomes()


Finals = dict[Table, dict[Source, tuple[Key, Link]]]


class _Search:
    """The search from one position."""

    def __init__(self, position: Position) -> None:
        self.position_before = position
        self.seat = position.to_play
        self.me = position.player
        self.rules = position.rules
        self.furthest = position.rules.mechanic[self.me.mechanic]
        self.stages = Stages(position)
        self.opened = self.stages.close({self.stages.start: None})
        self._plans: dict[tuple[Source, ...], Plan] = {}
        self._kept_orders = 0
        self._rings: dict[tuple[object, ...], tuple[tuple[Key, ...], int, tuple[Key, ...], int]] = {}

    def outcomes(self) -> Iterator[Outcome]:
        returned: Finals = {}  # all keys came back: the key played no longer tells tables apart
        for level in LEVELS:
            if level in self.me.keys:
                yield from self._gather((level,), (level,), returned)
        wild: tuple[Key, ...] = ("X",) if "X" in self.me.keys else ()
        if self.me.neutral_x:
            wild = (*wild, "N")
        if wild:
            yield from self._gather(LEVELS, wild, returned)
        for table, ways in returned.items():
            yield Outcome(self, table, ways)

    def _gather(self, levels: tuple[int, ...], keys: tuple[Key, ...], returned: Finals) -> Iterator[Outcome]:
        rotated = isinstance(keys[0], str)
        kept: Finals = {}
        for level in levels:
            for state, source, link in self._turns_at(level, rotated):
                bare: State = (*state[:2], 0, *state[3:12], (), 0)
                for key in keys:
                    back = len(self.me.track) - len(state[5]) + 1 >= self.rules.keys_to_recover - state[10]
                    finals = returned if back else kept
                    # When all keys are back, X keys differ from numbered ones by the rotation, neutral ones by the supply.
                    told = ("N" if key == "N" else None) if back else key
                    for copied in self._copied(state[12], level):
                        ways = finals.setdefault((bare, told, rotated, copied), {})
                        ways.setdefault(source, (key, link))
        for table, ways in kept.items():
            yield Outcome(self, table, ways)

    def _copied(self, others: Others, level: int) -> list[Copied]:
        """In the variant: what happens to the neighbours copied, for each choice they have."""
        choices: list[Copied] = [()]
        for side, paid in others:
            seat = self.position_before.neighbour(_SIDES[side])
            ends = (level, 0) if self.position_before.players[seat].batteries else (level,)
            choices = [(*choice, (side, paid, end)) for choice in choices for end in ends]
        return choices

    def _turns_at(self, level: int, rotated: bool) -> Iterator[tuple[State, Source, Link]]:
        """The states at the end of a turn at one level, each with the way there."""
        sponsors = self.position_before.sponsors
        sponsor = sponsors[(level - 2) % 5] if rotated else sponsors[level - 1]
        opened, stages = self.opened, self.stages
        if sponsor in ("1", "2a", "3", "5", "5a"):
            ready = dict(opened)
            for state, link in stages.sponsor(opened, sponsor, level).items():
                ready.setdefault(state, link)
            yield from self._step_2(ready, level, (PLAIN,))
        elif sponsor == "3a":
            yield from self._step_2(opened, level, (PLAIN, RESURFACING))
        else:
            yield from self._step_2(opened, level, (PLAIN,), double=sponsor == "2")
        if sponsor == "1a":
            free: Nodes = {state: (link, "sponsor:free") for state, link in opened.items()}
            yield from self._step_2(free, level, (PLAIN,), free=True)
        elif sponsor in ("4", "4a"):
            for diver in range(PLACES):
                upgraded = stages.upgrade_for_money(opened, diver)
                if upgraded and sponsor == "4":
                    yield from self._step_2(upgraded, level, (PLAIN,), only=diver)
                elif upgraded:
                    yield from self._step_2(upgraded, level, (surfacing(diver),))

    def _step_2(
        self,
        nodes: Nodes,
        level: int,
        kinds: tuple[int, ...],
        double: bool = False,
        free: bool = False,
        only: int | None = None,
    ) -> Iterator[tuple[State, Source, Link]]:
        """The diver at the level dives, or does not."""
        stages = self.stages
        around = stages.neighbours(level)
        most = max(state[2] for state in nodes)
        if not free:  # a free effect that is declined leaves nothing that an unused sponsor would not
            declined = ANY if only is None else only
            needed = batteries_to_activate(self.furthest, kinds, level, declined, most)
            for state, link in nodes.items():
                if state[2] >= needed:
                    yield state, Source(level, declined, kinds, state[2], state[2]), link
        diving: Nodes = {(*state[:13], state[2]): link for state, link in nodes.items()}
        for diver in range(PLACES) if only is None else (only,):
            needed = batteries_to_activate(self.furthest, kinds, level, diver, most)
            if needed > most or (free and self.me.divers[diver][:3] not in _PAID):
                continue
            able = {state: link for state, link in diving.items() if state[2] >= needed} if needed else diving
            once = stages.dive(able, diver, level, free, around)
            if double:
                for state, link in stages.dive(once, diver, level, free, around).items():
                    once.setdefault(state, link)
            for state, link in once.items():
                yield state, Source(level, diver, kinds, state[13], state[2]), link

    def plan(self, sources: tuple[Source, ...]) -> Plan:
        """The orders of the column for each battery count, however the table came about."""
        plan = self._plans.get(sources)
        if plan is None:
            gathered: dict[int, list[frozenset[int]]] = {}
            for source in sources:
                for kind, spent, oxygen in _spendings(source):
                    orders = final_orders(self.furthest, kind, spent, source.level, source.diver, oxygen)
                    if orders:
                        gathered.setdefault(source.batteries - spent - oxygen, []).append(orders)
            plan = {
                batteries: sets[0] if len(sets) == 1 else sets[0].union(*sets[1:])
                for batteries, sets in gathered.items()
            }
            self._kept_orders += sum(map(len, plan.values()))
            if self._kept_orders > _MOST_KEPT_ORDERS:
                self._plans.clear()
                self._kept_orders = 0
            self._plans[sources] = plan
        return plan

    def way(self, source: Source, number: int, batteries: int) -> Way | None:
        for kind, spent, oxygen in _spendings(source):
            if source.batteries - spent - oxygen == batteries:
                orders = final_orders(self.furthest, kind, spent, source.level, source.diver, oxygen)
                if number in orders:
                    return Way(kind, spent, oxygen, before_end(number, source.level, oxygen))
        return None

    def steps(self, source: Source, way: Way, key: Key, link: Link, copied: Copied) -> tuple[Step, ...]:
        """Puts a turn together: contracts and sponsor as found, propellers just before the dive."""
        played = [parse_step(text) for text in texts(link)]
        dives = [i for i, step in enumerate(played) if isinstance(step, Dive)]
        before = played[: dives[0]] if dives else played
        after = played[dives[0] :] if dives else [Dive()]
        if len(dives) == 2:
            before.append(UseSponsor(Gain("double")))
        moment: Step = UseSponsor(Gain("resurface"))
        if way.kind >= surfacing(0):
            moment = next(
                step for step in before if isinstance(step, UseSponsor) and isinstance(step.effect, Upgrade)
            )
            before.remove(moment)
        column = self.me.divers
        for move in path(self.furthest, way.kind, way.spent, way.number):
            if move is None:
                before.append(moment)
                if way.kind == RESURFACING:
                    column = _shift(column, PLACES - 1, 0)
            else:
                place, by = move
                before.append(Propel(column[place].removesuffix("+"), by))
                column = _shift(column, place, place + by)
        ending = [Oxygen()] * way.oxygen + [
            Oxygen(_SIDES[side]) for side, _, level in copied if not level
        ]
        return (PlayKey(key, source.level), *before, *after, *ending)

    def board(self, table: Table) -> tuple[tuple[object, ...], tuple[object, ...]]:
        """The player's fields around the column: name to mechanic without the batteries, and zone to private."""
        zone, money, _, score, hand, _, _, shelf, _, _, hacker, mechanic, _, _ = table[0]
        keys, neutral_x, track, _ = self._ring(table)
        head = (self.me.name, self.me.colour, score, money, keys, neutral_x, track, hacker, mechanic)
        return head, (zone, shelf.rewards, hand.private)

    def _ring(self, table: Table) -> tuple[tuple[Key, ...], int, tuple[Key, ...], int]:
        """Step 3: where the keys are afterwards (available, neutral, on the track) and the supply of neutral ones."""
        (_, _, _, _, _, taken, gained, _, _, _, hacker, _, _, _), key, _, _ = table
        content = (taken, gained, hacker, key)
        ring = self._rings.get(content)
        if ring is None:
            me = self.me
            neutral_x = me.neutral_x + gained - (key == "N")
            supply = self.position_before.supply_x - gained
            track = tuple(played for played in me.track if played not in taken)
            if len(track) + 1 >= self.rules.keys_to_recover - hacker:
                supply += track.count("N") + (key == "N")
                own = (*me.keys, *(played for played in me.track if played != "N"))
                ring = sorted_keys(own), neutral_x, (), supply
            else:
                assert key is not None
                available = sorted_keys(k for k in (*me.keys, *taken) if k != key)
                ring = available, neutral_x, (*track, key), supply
            self._rings[content] = ring
        return ring

    def surroundings(self, table: Table) -> tuple[tuple[object, ...], tuple[object, ...], tuple[Player, ...]]:
        """The position's fields before and after `players`, and the players (the one to play as before the turn)."""
        state, _, rotated, copied = table
        zone, _, _, score, hand, _, _, shelf, store, _, _, _, _, _ = state
        was = self.position_before
        players = was.players
        for side, paid, level in copied:
            players = self._repaid(players, was.neighbour(_SIDES[side]), paid, level)
        sponsors = (was.sponsors[-1], *was.sponsors[:-1]) if rotated else was.sponsors
        following = (was.to_play + 1) % len(players)
        number, over = was.round, was.over
        if following == was.first:
            me = self.me._replace(score=score, zone=zone)
            seated = (*players[: self.seat], me, *players[self.seat + 1 :])
            if any(player.score >= self.rules.trigger for player in seated):
                over = winners(seated)
            else:
                number += 1
        before = (was.rules, following, was.first, number)
        supply = self._ring(table)[3]
        after = (
            sponsors,
            shelf.display,
            Store(*store),
            hand.public,
            supply,
            hand.deck,
            shelf.bag,
            shelf.discard,
            over,
            None,
            was.cards,
        )
        return before, after, players

    def _repaid(self, players: tuple[Player, ...], seat: int, paid: int, level: int) -> tuple[Player, ...]:
        """A copied neighbour gets its credits; its diver resurfaces from the level, or a battery keeps it."""
        them = players[seat]
        them = them._replace(credits=them.credits + paid)
        if level:
            them = them._replace(divers=_shift(them.divers, SURFACE + level - 1, 0))
        else:
            them = them._replace(batteries=them.batteries - 1)
        return (*players[:seat], them, *players[seat + 1 :])


_SIDES: tuple[Side, Side] = ("left", "right")
_PAID = ("tra", "spy", "eng", "exp")  # divers whose effect can cost credits
_MOST_KEPT_ORDERS = 1_000_000  # about 60 MB of column orders remembered in one search


def _spendings(source: Source) -> Iterator[tuple[int, int, int]]:
    for spent in range(source.spendable + 1):
        for oxygen in (0, 1) if source.batteries > spent else (0,):
            for kind in source.kinds:
                yield kind, spent, oxygen


def _shift(column: tuple[str, ...], place: int, target: int) -> tuple[str, ...]:
    rest = column[:place] + column[place + 1 :]
    return (*rest[:target], column[place], *rest[target:])

"""Every result of a turn, factored: what lies on the table, times the orders the diver column can have.

`outcomes(position)` gives each distinct table a turn can leave, column and batteries aside, once. An `Outcome`
knows which columns and battery counts go with it without listing them, so that whoever looks for an observed
table weighs a few thousand outcomes instead of hundreds of thousands of positions:

- `outcome.table` is one of its positions: every place but the player's column and batteries is as in all the others;
- `outcome.tiles` are the player's divers in the order they stood before the turn, with the sides they end on;
- `outcome.batteries` are the battery counts it can end with, fewest first;
- `outcome.columns(batteries)` lists the columns that go with a count, `outcome.has(divers, batteries)` asks for one
  in constant time, `len(outcome)` counts all positions;
- `outcome.turn(divers, batteries)` puts a turn together that ends there, `outcome.position(divers, batteries)` the
  position; iterating gives both for all of them, each once.

Two outcomes never share a position, and together they have exactly those of `turns()`. They come key by key, those
in which all keys returned last; nothing is kept between them but what tells them apart, and the sets of column
orders, which all positions share (see `columns`).

How the turn is split: contracts, the sponsor and contracts again, propellers, the diver's effect with contracts
after it, the end. Propellers take batteries and nothing else on the table depends on them, so contracts and the
sponsor can always come first; only sponsors 3a and 4a care about the column, and `columns` knows their moment.
"""

from collections.abc import Collection, Iterator, Sequence

from companion.rules.candidates import playable_keys
from companion.rules.columns import (
    ANY,
    PLACES,
    PLAIN,
    RESURFACING,
    appliers,
    batteries_to_activate,
    number_of,
    surfacing,
)
from companion.rules.compact import (
    BATTERIES,
    GAINED,
    HACKER,
    OTHERS,
    SPENDABLE,
    TAKEN,
    TILES,
    Link,
    Nodes,
    State,
)
from companion.rules.ending import SIDES, Ending, Table
from companion.rules.position import Player, Position
from companion.rules.stages import Stages
from companion.rules.steps import Key, Oxygen, PlayKey, Step
from companion.rules.turn import Turn
from companion.rules.ways import Plan, Source, Ways

_PAID = ("tra", "spy", "eng", "exp")  # divers whose effect can cost credits


class Outcome:
    """A table a turn can leave, and the columns and battery counts that go with it."""

    __slots__ = ("_ending", "_found", "_plan", "_table", "_ways")

    def __init__(
        self, ways: Ways, ending: Ending, table: Table, found: dict[Source, tuple[Key, Link]]
    ) -> None:
        self._ways = ways
        self._ending = ending
        self._table = table
        self._found = found
        self._plan: Plan | None = None

    @property
    def plan(self) -> Plan:
        """The orders of the column, as numbers of `columns`, for each battery count."""
        if self._plan is None:
            self._plan = self._ways.plan(tuple(self._found))
        return self._plan

    @property
    def batteries(self) -> tuple[int, ...]:
        return tuple(sorted(self.plan))

    @property
    def tiles(self) -> tuple[str, ...]:
        return self._table.state[TILES]

    @property
    def table(self) -> Position:
        batteries, numbers = next(iter(self.plan.items()))
        return self.position(appliers[next(iter(numbers))](self.tiles), batteries)

    def __len__(self) -> int:
        return sum(map(len, self.plan.values()))

    def columns(self, batteries: int) -> Iterator[tuple[str, ...]]:
        tiles = self.tiles
        return (appliers[number](tiles) for number in self.plan.get(batteries, ()))

    def has(self, divers: tuple[str, ...], batteries: int) -> bool:
        return self._number(divers) in self.plan.get(batteries, ())

    def _number(self, divers: tuple[str, ...]) -> int | None:
        places = {tile: place for place, tile in enumerate(self.tiles)}
        if places.keys() != set(divers):
            return None
        return number_of(tuple(places[diver] for diver in divers))

    def turn(self, divers: tuple[str, ...], batteries: int) -> Turn:
        number = self._number(divers)
        if number is None or not self.has(divers, batteries):
            column = " ".join(divers)
            raise ValueError(f"this outcome does not end with {batteries} batteries and the column {column}")
        return Turn(self.steps(number, batteries))

    def position(self, divers: tuple[str, ...], batteries: int) -> Position:
        before, after = self._ending.colony(self._table)
        purse, ring, rest = self._ending.board(self._table)
        players = list(self._ending.others(self._table))
        players[self._ending.seat] = Player._make((*purse, batteries, *ring, divers, *rest))
        return Position._make((*before, tuple(players), *after))

    def __iter__(self) -> Iterator[tuple[Turn, Position]]:
        """Every turn and position of this outcome; a turn's steps are put together when they are asked for."""
        before, after = self._ending.colony(self._table)
        purse, ring, rest = self._ending.board(self._table)
        players, seat = self._ending.others(self._table), self._ending.seat
        right, left = players[:seat], players[seat + 1 :]
        tiles, find = self.tiles, self.steps
        # Locals, bare constructors and plain sums of tuples: this loop is all that most results cost.
        make, new, columns = tuple.__new__, object.__new__, appliers
        turn_type, player_type, position_type = Turn, Player, Position
        for batteries, numbers in self.plan.items():
            board = (*purse, batteries, *ring)
            for number in numbers:
                turn = new(turn_type)
                turn.recipe = find, number, batteries
                player = make(player_type, board + (columns[number](tiles),) + rest)  # noqa: RUF005
                seated = right + (player,) + left  # noqa: RUF005
                yield turn, make(position_type, before + (seated,) + after)  # noqa: RUF005

    def steps(self, number: int, batteries: int) -> tuple[Step, ...]:
        """The steps of a turn that ends with this order of the column and these batteries."""
        for source, (key, link) in self._found.items():
            steps = self._ways.steps(source, key, link, number, batteries)
            if steps is not None:
                paying = (Oxygen(SIDES[side]) for side, _, level in self._table.copied if level == 0)
                return (*steps, *paying)
        raise AssertionError("an outcome knows the ways to all its columns")


def outcomes(position: Position, keys: Collection[PlayKey] | None = None) -> Iterator[Outcome]:
    """Every distinct table a turn from this position, which is between turns, can leave.

    `keys` narrows it to turns with one of these keys.
    """
    if position.progress is not None:
        raise ValueError(f"the turn has already begun, in {position}")
    if position.over is None:
        yield from _Search(position).outcomes(keys)


_Finals = dict[Table, dict[Source, tuple[Key, Link]]]


class _Search:
    """The search from one position."""

    def __init__(self, position: Position) -> None:
        self.me = position.player
        self.sponsors = position.sponsors
        self.furthest = position.rules.mechanic[self.me.mechanic]
        self.stages = Stages(position)
        self.ending = Ending(position)
        self.ways = Ways(self.furthest, self.me.divers)
        self.opened = self.stages.close({self.stages.start: None})

    def outcomes(self, keys: Collection[PlayKey] | None) -> Iterator[Outcome]:
        playable = [step for step in playable_keys(self.me) if keys is None or step in keys]
        returned: _Finals = {}  # all keys came back: the key played no longer tells tables apart
        for step in playable:
            if isinstance(step.key, int):
                yield from self._gather([step], returned)
        wild = [step for step in playable if isinstance(step.key, str)]
        if wild:
            yield from self._gather(wild, returned)
        yield from self._outcomes(returned)

    def _outcomes(self, finals: _Finals) -> Iterator[Outcome]:
        for table, found in finals.items():
            yield Outcome(self.ways, self.ending, table, found)

    def _gather(self, steps: Sequence[PlayKey], returned: _Finals) -> Iterator[Outcome]:
        """The outcomes of one numbered key or of all X keys; those in which all keys return go to `returned`."""
        rotated = isinstance(steps[0].key, str)
        kept: _Finals = {}
        for level in dict.fromkeys(step.level for step in steps):
            keys = [step.key for step in steps if step.level == level]
            for state, source, link in self._turns_at(level, rotated):
                bare: State = (*state[:2], 0, *state[3:5], (), 0, *state[7:12], (), 0)
                for key in keys:
                    ring = self.ending.ring(key, state[TAKEN], state[GAINED], state[HACKER])
                    finals = kept if ring.track else returned
                    for copied in self.ending.copied(state[OTHERS], level):
                        found = finals.setdefault(Table(bare, ring, rotated, copied), {})
                        found.setdefault(source, (key, link))
        return self._outcomes(kept)

    def _turns_at(self, level: int, rotated: bool) -> Iterator[tuple[State, Source, Link]]:
        """The states at the end of a turn at one level, each with the way there."""
        sponsor = self.sponsors[level - 2 if rotated else level - 1]
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
        """The diver at the level dives, or does not. `only` is the diver sponsor 4 upgraded."""
        stages = self.stages
        most = max(state[BATTERIES] for state in nodes)
        if not free:  # a free effect that is declined leaves nothing that an unused sponsor would not
            declined = ANY if only is None else only
            needed = batteries_to_activate(self.furthest, kinds, level, declined, most)
            for state, link in nodes.items():
                if state[BATTERIES] >= needed:
                    yield state, Source(level, declined, kinds, state[BATTERIES], state[BATTERIES]), link
        diving: Nodes = {(*state[:13], state[BATTERIES]): link for state, link in nodes.items()}
        for diver in range(PLACES) if only is None else (only,):
            needed = batteries_to_activate(self.furthest, kinds, level, diver, most)
            if needed > most or (free and self.me.divers[diver][:3] not in _PAID):
                continue
            able = (
                {state: link for state, link in diving.items() if state[BATTERIES] >= needed}
                if needed
                else diving
            )
            once = stages.dive(able, diver, level, free)
            if double:
                for state, link in stages.dive(once, diver, level, free).items():
                    once.setdefault(state, link)
            for state, link in once.items():
                yield state, Source(level, diver, kinds, state[SPENDABLE], state[BATTERIES]), link

"""How a table came about, and from that the columns that go with it and the steps of a turn that ends there."""

from collections.abc import Iterator
from typing import NamedTuple

from companion.rules.columns import PLACES, RESURFACING, before_end, final_orders, path, surfacing
from companion.rules.compact import Link
from companion.rules.effects import propel
from companion.rules.notation import parse_step
from companion.rules.stages import texts
from companion.rules.steps import Dive, Gain, Key, Oxygen, PlayKey, Propel, Step, Upgrade, UseSponsor

Plan = dict[int, frozenset[int]]  # battery count -> orders of the column


class Source(NamedTuple):
    """One way a table comes about: who was activated where, and the batteries it leaves for propellers and oxygen."""

    level: int
    diver: int  # its place at the start of the turn, or ANY when the effect was declined
    kinds: tuple[int, ...]  # what the column may have gone through, see `columns`
    spendable: int  # batteries when step 1 ended
    batteries: int  # batteries at the end of the turn if none is spent on propellers and oxygen


class _Way(NamedTuple):
    """How one order of the column came about."""

    kind: int
    spent: int
    oxygen: int
    number: int  # the order at the end of step 1


class Ways:
    """Columns and steps for one position: how far its propellers reach and how its column stood."""

    def __init__(self, furthest: int, divers: tuple[str, ...]) -> None:
        self.furthest = furthest
        self.divers = divers

    def plan(self, sources: tuple[Source, ...]) -> Plan:
        """The orders of the column for each battery count, however the table came about."""
        return _plans.get(self.furthest, sources)

    def steps(
        self, source: Source, key: Key, link: Link, number: int, batteries: int
    ) -> tuple[Step, ...] | None:
        """The steps of a turn that ends with this order and these batteries, None when this source has none.

        Contracts and sponsor come as they were found, propellers just before the dive.
        """
        way = self._way(source, number, batteries)
        if way is None:
            return None
        played = [parse_step(text) for text in texts(link)]
        dives = [i for i, step in enumerate(played) if isinstance(step, Dive)]
        before = played[: dives[0]] if dives else played
        after = played[dives[0] :] if dives else [Dive()]
        if len(dives) == 2:
            before.append(UseSponsor(Gain("double")))
        return (
            PlayKey(key, source.level),
            *self._with_propellers(before, way),
            *after,
            *[Oxygen()] * way.oxygen,
        )

    def _way(self, source: Source, number: int, batteries: int) -> _Way | None:
        for kind, spent, oxygen in _spendings(source):
            fits = source.batteries - spent - oxygen == batteries
            if fits and number in _final_orders(self.furthest, source, kind, spent, oxygen):
                return _Way(kind, spent, oxygen, before_end(number, source.level, oxygen))
        return None

    def _with_propellers(self, steps: list[Step], way: _Way) -> list[Step]:
        """The steps before the dive with the propeller moves, sponsors 3a and 4a among these at their moment."""
        moment: Step = UseSponsor(Gain("resurface"))
        if way.kind >= surfacing(0):
            moment = next(s for s in steps if isinstance(s, UseSponsor) and isinstance(s.effect, Upgrade))
            steps = [step for step in steps if step is not moment]
        column = self.divers
        for move in path(self.furthest, way.kind, way.spent, way.number):
            if move is not None:
                place, by = move
                steps.append(Propel(column[place].removesuffix("+"), by))
                column = propel(column, place, by)
                continue
            steps.append(moment)
            if way.kind == RESURFACING:
                column = propel(column, PLACES - 1, 1 - PLACES)
        return steps


class _Plans:
    """The plans of all positions, remembered as long as they are small: they hardly depend on the position."""

    most_orders = 1_000_000  # about 60 MB

    def __init__(self) -> None:
        self._known: dict[tuple[int, tuple[Source, ...]], Plan] = {}
        self._orders = 0

    def get(self, furthest: int, sources: tuple[Source, ...]) -> Plan:
        plan = self._known.get((furthest, sources))
        if plan is None:
            plan = _plan(furthest, sources)
            self._orders += 1 + sum(map(len, plan.values()))
            if self._orders > self.most_orders:
                self._known, self._orders = {}, 0
            self._known[furthest, sources] = plan
        return plan


_plans = _Plans()


def _plan(furthest: int, sources: tuple[Source, ...]) -> Plan:
    gathered: dict[int, list[frozenset[int]]] = {}
    for source in sources:
        for kind, spent, oxygen in _spendings(source):
            orders = _final_orders(furthest, source, kind, spent, oxygen)
            if orders:
                gathered.setdefault(source.batteries - spent - oxygen, []).append(orders)
    return {
        batteries: sets[0] if len(sets) == 1 else sets[0].union(*sets[1:])
        for batteries, sets in gathered.items()
    }


def _final_orders(furthest: int, source: Source, kind: int, spent: int, oxygen: int) -> frozenset[int]:
    return final_orders(furthest, kind, spent, source.level, source.diver, oxygen)


def _spendings(source: Source) -> Iterator[tuple[int, int, int]]:
    """Kind, batteries spent on propellers, batteries spent on oxygen."""
    for spent in range(source.spendable + 1):
        for oxygen in (0, 1) if source.batteries > spent else (0,):
            for kind in source.kinds:
                yield kind, spent, oxygen

"""The start of a game, read from the table: the legal start that fits best, and what keeps it from being one."""

from collections.abc import Sequence
from itertools import permutations
from typing import Protocol

from companion.referee import observation
from companion.referee.column import LikelyOrders
from companion.referee.observation import claims, expected, in_words
from companion.referee.restoring import Misplaced, contradicted, seen_in_words
from companion.referee.settings import RefereeSettings
from companion.referee.sight import Sight
from companion.rules import Cards, Player, Position, Rules, Store
from companion.rules.settings import COLOURS, DIVERS, LETTERS, LEVELS, OWN_KEYS
from vision.reading import Reading

START_CREDITS = 3
START_BATTERIES = 1
STORE_START = (2, 1, 1, 0)  # two cubes of one colour, one each of two others


class Seated(Protocol):
    """A player at the table."""

    @property
    def name(self) -> str: ...

    @property
    def colour(self) -> str: ...


def read_start(
    reading: Reading,
    seats: Sequence[Seated],
    rules: Rules,
    cards: Cards,
    first: int = 0,
    settings: RefereeSettings | None = None,
) -> tuple[Position | None, tuple[Misplaced, ...]]:
    """The start position on the table, None while it is not a legal one, and what is missing or out of place."""
    position, missing = likely_start(reading, seats, rules, cards, first, settings)
    return (None if missing else position), missing


def likely_start(
    reading: Reading,
    seats: Sequence[Seated],
    rules: Rules,
    cards: Cards,
    first: int = 0,
    settings: RefereeSettings | None = None,
) -> tuple[Position, tuple[Misplaced, ...]]:
    """The legal start that comes closest to the table, and what is missing or out of place in it.

    Credits and batteries are taken for granted: they may be held in the hand.
    """
    sight = Sight(reading, settings or RefereeSettings())
    spaces = 2 if len(seats) == 2 else 3
    position = Position(
        rules=rules,
        to_play=first,
        first=first,
        round=1,
        players=tuple(_player(seat, sight) for seat in seats),
        sponsors=_sponsors(sight),
        display=tuple((_token(sight, n, 1, cards), _token(sight, n, 2, cards)) for n in LEVELS),
        store=_store(sight),
        public=_public(sight, spaces, cards),
        supply_x=rules.neutral_x,
        deck=None,
        bag=None,
        reward_discard=(),
        over=None,
        progress=None,
        cards=cards,
    )
    wanted = expected(position)
    missing = [
        Misplaced(slot, seen_in_words(reading, slot), in_words(wanted[slot]))
        for slot in contradicted(sight, tuple(claims(position)))
    ]
    known = {piece.slot for piece in missing}
    missing += [
        Misplaced(slot, seen_in_words(reading, slot), "?")
        for slot, content in wanted.items()
        if slot not in known and (content is None or _undecided(slot, sight))
    ]
    return position, tuple(missing)


def _undecided(slot: str, sight: Sight) -> bool:
    """A slot that has to be seen, because nothing else says what lies there."""
    return slot.startswith(("colony.sponsor", "colony.store")) and not sight.sees(slot)


def _player(seat: Seated, sight: Sight) -> Player:
    colour = seat.colour
    costs = [
        [sight.cost((f"{colour}.diver.{place}", diver, None)) for diver in DIVERS] for place in range(1, 9)
    ]
    _, order = next(iter(LikelyOrders(DIVERS, costs)))
    zone = min(
        (("", *cubes) for cubes in permutations(LETTERS)),
        key=lambda levels: sight.total(
            claim for n, cubes in enumerate(levels, 1) for claim in observation.zone_level(colour, n, cubes)
        ),
    )
    return Player(
        name=seat.name,
        colour=colour,
        score=0,
        credits=START_CREDITS,
        batteries=START_BATTERIES,
        keys=OWN_KEYS,
        neutral_x=0,
        track=(),
        hacker=0,
        mechanic=0,
        divers=order,
        zone=zone,
        rewards=(None,) * len(LEVELS),
        private=(),
    )


def _sponsors(sight: Sight) -> tuple[str, ...]:
    """Five sponsors, each number once, either side."""

    def side(level: int, number: str) -> str:
        slot = f"colony.sponsor.{level}"
        return min((number, f"{number}a"), key=lambda tile: sight.cost((slot, tile, None)))

    orders = (tuple(side(n, number) for n, number in enumerate(order, 1)) for order in permutations("12345"))
    return min(
        orders,
        key=lambda tiles: sight.total(
            claim for n, tile in enumerate(tiles, 1) for claim in observation.sponsor(n, tile)
        ),
    )


def _store(sight: Sight) -> Store:
    filled = min(
        sorted(set(permutations(STORE_START))),
        key=lambda numbers: sight.total(
            claim for name, n in zip(COLOURS, numbers, strict=True) for claim in observation.store(name, n, 3)
        ),
    )
    return Store(*filled)


def _token(sight: Sight, level: int, which: int, cards: Cards) -> str | None:
    token, _ = sight.drawn(f"colony.display.{level}.{which}")
    return token if token in cards.rewards else None


def _public(sight: Sight, spaces: int, cards: Cards) -> tuple[str | None, ...]:
    public: list[str | None] = []
    for space in range(1, spaces + 1):
        card, _ = sight.drawn(f"colony.contract.{space}")
        public.append(card if card in cards and card not in public else None)
    return tuple(public)

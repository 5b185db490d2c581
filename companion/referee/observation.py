"""What each slot of the table should show in a given position.

A claim is one statement about one slot: `(slot, label, number)`. `number` is None for a slot with one piece or
none, otherwise how many of `label` lie there, or the place its marker stands on. `label` is None for a piece
nobody has seen yet: any piece of its kind may lie there.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from companion.rules import Player, Position, Store
from companion.rules.settings import COLOURS, LETTERS
from vision.reading import EMPTY

Claim = tuple[str, str | None, int | None]
Place = tuple[str, str | None]  # what a claim is about: a tile slot, or one label of a counted one

COLUMNS = dict(zip(COLOURS, LETTERS, strict=True))
TRACK_PLACES = 6
PUBLIC_SPACES = 3


def place(claim: Claim) -> Place:
    return claim[0], claim[1] if claim[2] is not None else None


def column(colour: str, divers: Sequence[str]) -> Iterator[Claim]:
    for place, diver in enumerate(divers, 1):
        yield f"{colour}.diver.{place}", diver, None


def keyring(
    colour: str, keys: Sequence[int | str], neutral_x: int, track: Sequence[int | str]
) -> Iterator[Claim]:
    """Keys in their spaces, the X-key space, and the played keys on the Hacker track."""
    for number in range(1, 6):
        yield f"{colour}.key.{number}", "key" if number in keys else EMPTY, None
    yield f"{colour}.x", "X", int("X" in keys)
    yield f"{colour}.x", "N", neutral_x
    for place in range(1, TRACK_PLACES + 1):
        yield f"{colour}.track.{place}", "back" if place <= len(track) else EMPTY, None


def technician(colour: str, name: str, steps: int) -> Iterator[Claim]:
    yield f"{colour}.{name}", name, steps


def zone_level(colour: str, level: int, cubes: str) -> Iterator[Claim]:
    for letter in LETTERS:
        yield f"{colour}.zone.{level}", letter, cubes.count(letter)


def permanent(colour: str, level: int, token: str | None) -> Iterator[Claim]:
    yield f"{colour}.reward.{level}", token.partition(":")[2] if token else EMPTY, None


def tray(colour: str, token: str, number: int) -> Iterator[Claim]:
    yield f"{colour}.tray", token, number


def score(colour: str, points: int) -> Iterator[Claim]:
    yield "colony.score", colour, points


def sponsor(level: int, tile: str) -> Iterator[Claim]:
    yield f"colony.sponsor.{level}", tile, None


def display(level: int, which: int, token: str | None) -> Iterator[Claim]:
    yield f"colony.display.{level}.{which}", EMPTY if token == "" else token, None


def store(name: str, filled: int, rows: int) -> Iterator[Claim]:
    for row in range(1, rows + 1):
        for letter in LETTERS:
            yield f"colony.store.{name}.{row}", letter, int(letter == COLUMNS[name] and row <= filled)


def contract(space: int, card: str | None) -> Iterator[Claim]:
    yield f"colony.contract.{space}", EMPTY if card == "" else card, None


# Boards are asked about many times in one verdict, and hardly any of them changes.
@lru_cache(maxsize=64)
def board_claims(player: Player) -> tuple[Claim, ...]:
    """Everything about one player: the board, the tray beside it and the marker on the Score track."""
    colour = player.colour
    return (
        *column(colour, player.divers),
        *keyring(colour, player.keys, player.neutral_x, player.track),
        *technician(colour, "hacker", player.hacker),
        *technician(colour, "mechanic", player.mechanic),
        *(claim for level, cubes in enumerate(player.zone, 1) for claim in zone_level(colour, level, cubes)),
        *(
            claim
            for level, token in enumerate(player.rewards, 1)
            for claim in permanent(colour, level, token)
        ),
        *tray(colour, "credit", player.credits),
        *tray(colour, "battery", player.batteries),
        *score(colour, player.score),
    )


def colony_claims(position: Position) -> tuple[Claim, ...]:
    """Everything on the colony board but the Score track."""
    rows = len(position.rules.store)
    return _colony_claims(position.sponsors, position.display, position.store, position.public, rows)


@lru_cache(maxsize=64)
def _colony_claims(
    sponsors: Sequence[str],
    displayed: Sequence[tuple[str | None, str | None]],
    stored: Store,
    public: Sequence[str | None],
    rows: int,
) -> tuple[Claim, ...]:
    shelves = [
        (level, which, token)
        for level, pair in enumerate(displayed, 1)
        for which, token in enumerate(pair, 1)
    ]
    cards = [public[space] if space < len(public) else "" for space in range(PUBLIC_SPACES)]
    return (
        *(claim for level, tile in enumerate(sponsors, 1) for claim in sponsor(level, tile)),
        *(claim for shelf in shelves for claim in display(*shelf)),
        *(claim for name in COLUMNS for claim in store(name, getattr(stored, name), rows)),
        *(claim for space, card in enumerate(cards, 1) for claim in contract(space, card)),
    )


def claims(position: Position) -> Iterator[Claim]:
    """Everything a camera could check about a position."""
    for player in position.players:
        yield from board_claims(player)
    yield from colony_claims(position)


Content = str | dict[str, int] | None


def expected(position: Position) -> dict[str, Content]:
    """For each slot what it should show: a label, counts by label, or None for a piece nobody has seen yet."""
    slots: dict[str, Content] = {}
    for slot, label, number in claims(position):
        if number is None:
            slots[slot] = label
        else:
            content = slots.setdefault(slot, {})
            assert isinstance(content, dict)
            assert label is not None
            content[label] = number
    return slots


def in_words(content: Content) -> str:
    """A slot's content on one line: "trader+", "mmp", "hacker 2", "credit 3, battery 1".

    >>> in_words({"m": 2, "p": 1, "f": 0, "t": 0})
    'mmp'
    """
    if content is None:
        return "?"
    if isinstance(content, str):
        return content
    if content.keys() <= set(LETTERS):
        return "".join(letter * content.get(letter, 0) for letter in LETTERS) or EMPTY
    return ", ".join(f"{label} {number}" for label, number in content.items())

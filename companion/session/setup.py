"""Setting up: who plays, by which rules, and the start position, read from the table or told by hand."""

from dataclasses import replace
from typing import Any, Literal

from companion.notices import notice
from companion.rules import OWN_KEYS, Cards, Position, Rules
from companion.rules.settings import DIVERS, LEVELS
from companion.session.evening import Evening
from companion.session.placing import place
from companion.state import Playing, Seat, SettingUp, Welcome
from vision.reading import Reading

COLOURS = ("red", "blue", "green", "yellow")
NAMES = ("Ana", "Ben", "Cleo", "Dan")
FEWEST, MOST = 2, 4
START_CREDITS, START_BATTERIES = 3, 1
STEPS: tuple[Literal["players", "rules", "table"], ...] = ("players", "rules", "table")


def begin(evening: Evening) -> None:
    """The players of the last game are proposed: most evenings are played by the same people."""
    past = evening.journal.games()
    seats = (
        tuple(Seat(*seat) for seat in zip(past[0].names, past[0].colours, strict=True)) if past else _seats(2)
    )
    evening.close_record()
    evening.show(SettingUp(seats=seats))


def add_seat(evening: Evening) -> None:
    mode = _mode(evening)
    if len(mode.seats) < MOST:
        names, colours = [seat.name for seat in mode.seats], [seat.colour for seat in mode.seats]
        name = next(name for name in NAMES + tuple(f"P{n}" for n in range(1, 9)) if name not in names)
        colour = next(colour for colour in COLOURS if colour not in colours)
        evening.change(replace(mode, seats=(*mode.seats, Seat(name, colour))))


def remove_seat(evening: Evening, seat: int) -> None:
    mode = _mode(evening)
    _check_seat(mode, seat)
    if len(mode.seats) > FEWEST:
        seats = mode.seats[:seat] + mode.seats[seat + 1 :]
        first = mode.first - (seat < mode.first)
        evening.change(replace(mode, seats=seats, first=min(first, len(seats) - 1)))


def move_seat(evening: Evening, seat: int, to: int) -> None:
    mode = _mode(evening)
    _check_seat(mode, seat)
    _check_seat(mode, to)
    first, seats = mode.seats[mode.first], list(mode.seats)
    seats.insert(to, seats.pop(seat))
    evening.change(replace(mode, seats=tuple(seats), first=seats.index(first)))


def name_seat(evening: Evening, seat: int, name: str) -> None:
    mode = _mode(evening)
    _check_seat(mode, seat)
    name = " ".join(name.split())
    if not name:
        raise ValueError("a player needs a name")
    if any(other.name == name for i, other in enumerate(mode.seats) if i != seat):
        raise ValueError(f"somebody else is called {name}")
    evening.change(replace(mode, seats=_with(mode.seats, seat, replace(mode.seats[seat], name=name))))


def colour_seat(evening: Evening, seat: int, colour: str) -> None:
    """Whoever had the colour gets the other's."""
    mode = _mode(evening)
    _check_seat(mode, seat)
    old = mode.seats[seat].colour
    seats = tuple(replace(other, colour=old) if other.colour == colour else other for other in mode.seats)
    evening.change(replace(mode, seats=_with(seats, seat, replace(seats[seat], colour=colour))))


def first_player(evening: Evening, seat: int) -> None:
    mode = _mode(evening)
    _check_seat(mode, seat)
    start = mode.start._replace(first=seat, to_play=seat) if mode.start else None
    evening.change(replace(mode, first=seat, start=start))


def constant(evening: Evening, name: str, value: Any) -> None:
    """One of the settings of the game; refused with a sentence when it makes no game."""
    mode = _mode(evening)
    rules = Rules.from_json(mode.rules | {name: value}).to_json()
    standard = Rules().to_json()
    changed = {key: setting for key, setting in rules.items() if setting != standard[key]}
    evening.change(replace(mode, rules=changed, start=None, checked=False))


def sponsor_side(evening: Evening, sponsor: str, advanced: bool) -> None:
    mode = _mode(evening)
    if sponsor not in ("1", "2", "3", "4", "5"):
        raise ValueError(f"there is no sponsor {sponsor}")
    sides = mode.advanced | {sponsor} if advanced else mode.advanced - {sponsor}
    mode = replace(mode, advanced=sides)
    if mode.start is not None:
        mode = replace(mode, start=_with_sides(mode.start, sides))
    evening.change(mode)


def next_step(evening: Evening) -> None:
    mode = _mode(evening)
    following = STEPS[min(STEPS.index(mode.step) + 1, len(STEPS) - 1)]
    mode = replace(mode, step=following)
    if following == "table" and not evening.camera:
        mode = replace(mode, start=_blank(mode, _cards(evening)), checked=False, missing=())
    evening.change(mode)


def back(evening: Evening) -> None:
    mode = _mode(evening)
    if mode.step == "players":
        evening.show(welcome(evening))
    else:
        evening.change(replace(mode, step=STEPS[STEPS.index(mode.step) - 1], checked=False))


def seen(evening: Evening, reading: Reading) -> None:
    """One of the live readings of the table being set up."""
    mode = _mode(evening)
    try:
        cards = _cards(evening)
    except ValueError:
        return  # It was said; once the file is right, the next reading goes on.
    start, missing = evening.referee.read_start(
        reading, mode.seats, mode.first, Rules.from_json(mode.rules), cards
    )
    evening.reading = reading
    told = {slot for slot, _ in mode.told}
    for slot, label in mode.told:
        start = _placed(start, slot, label)
    missing = tuple(piece for piece in missing if piece.slot not in told)
    evening.change(replace(mode, start=start, missing=missing, checked=True))


def check(evening: Evening) -> None:
    mode = _mode(evening)
    evening.change(replace(mode, checked=False))


def tell(evening: Evening, slot: str, label: Any) -> None:
    """What lies somewhere, told by hand."""
    mode, cards = _mode(evening), _cards(evening)
    start = _placed(mode.start or _blank(mode, cards), slot, label)
    left = tuple(piece for piece in mode.missing if piece.slot != slot)
    told = (*(kept for kept in mode.told if kept[0] != slot), (slot, label))
    evening.change(replace(mode, start=start, missing=left, told=told))


def start(evening: Evening) -> None:
    """The start position stands: the game begins."""
    mode, cards = _mode(evening), _cards(evening)
    if mode.start is None:
        raise ValueError("the start position is not complete yet")
    position = mode.start.as_seen_at_table()
    record = evening.journal.begin(
        [seat.name for seat in mode.seats],
        [seat.colour for seat in mode.seats],
        evening.state.settings.pack,
        cards.to_json(),
        position.to_json(),
    )
    evening.open_record(record, cards)
    if mode.checked and evening.reading is not None:
        # What the camera took for something else while people saw it was right, it may go on taking for that.
        evening.belief = evening.belief.accepted(evening.reading)
    evening.say_troubles()
    evening.show(Playing())


def welcome(evening: Evening) -> Welcome:
    """The way in, with the game that can be gone on with: the last one, unless it ended."""
    games = evening.journal.games()
    return Welcome(games[0] if games and not games[0].over else None)


def _seats(count: int) -> tuple[Seat, ...]:
    return tuple(Seat(*seat) for seat in list(zip(NAMES, COLOURS, strict=True))[:count])


def _with(seats: tuple[Seat, ...], seat: int, changed: Seat) -> tuple[Seat, ...]:
    return (*seats[:seat], changed, *seats[seat + 1 :])


def _check_seat(mode: SettingUp, seat: int) -> None:
    if not 0 <= seat < len(mode.seats):
        raise ValueError(f"nobody sits at {seat}")


def _mode(evening: Evening) -> SettingUp:
    if not isinstance(evening.mode, SettingUp):
        raise ValueError("no game is being set up")
    return evening.mode


def _cards(evening: Evening) -> Cards:
    """Raises ValueError with what the players are told."""
    try:
        return evening.cards_of(evening.state.settings.pack)
    except (OSError, ValueError) as error:
        said = notice("no-cards", pack=evening.state.settings.pack, why=error)
        evening.say(said)
        raise ValueError(str(said)) from error


def _placed(position: Position, slot: str, label: Any) -> Position:
    return Position.from_json(place(position.to_json(), slot, label), position.cards)


def _with_sides(position: Position, advanced: frozenset[str]) -> Position:
    return position._replace(
        sponsors=tuple(tile[0] + ("a" if tile[0] in advanced else "") for tile in position.sponsors)
    )


def _blank(mode: SettingUp, cards: Cards) -> Position:
    """A start as the rulebook draws it, with everything that is drawn still unknown: people tell the rest piece by piece."""
    rules = Rules.from_json(mode.rules)
    document = {
        "rules": rules.to_json(),
        "to_play": mode.first,
        "first": mode.first,
        "round": 1,
        "players": [
            {
                "name": seat.name,
                "colour": seat.colour,
                "score": 0,
                "credits": START_CREDITS,
                "batteries": START_BATTERIES,
                "keys": list(OWN_KEYS),
                "neutral_x": 0,
                "track": [],
                "hacker": 0,
                "mechanic": 0,
                "divers": list(DIVERS),
                "zone": ["", "m", "p", "f", "t"],
                "rewards": [None] * len(LEVELS),
                "private": [],
            }
            for seat in mode.seats
        ],
        "sponsors": ["1", "2", "3", "4", "5"],
        "display": [[None, None] for _ in LEVELS],
        "store": {"metal": 1, "plant": 1, "fuel": 2, "tech": 0},
        "public": [None] * (2 if len(mode.seats) == 2 else 3),
        "supply_x": rules.neutral_x,
    }
    return _with_sides(Position.from_json(document, cards), mode.advanced)

"""Setting up: who plays, by which rules, and whether the table is laid right."""

from collections.abc import Sequence
from typing import Final, Literal

from companion import actions
from companion.rules import Rules
from companion.state import SettingUp, State
from companion.view.boards import drawing, misplaced_words, piece_state
from companion.view.box import Box, schematic
from companion.view.language import Say
from companion.view.parts import bar, mark_of, seat_players, voice
from companion.view.screens import (
    BoardDrawing,
    CheckScreen,
    Choice,
    Option,
    OptionsScreen,
    Player,
    PlayersScreen,
    SeatRow,
)
from companion.view.words import colour

COLOURS: Final = ("red", "blue", "green", "yellow")
_MOST_SEATS: Final = 4
_FEWEST_SEATS: Final = 2
_FURTHEST: Final = 7
_DEAREST: Final = 5
_FINEST: Final = 3


def draw(state: State, box: Box) -> PlayersScreen | OptionsScreen | CheckScreen:
    """Needs `SettingUp`; one screen for each step."""
    assert isinstance(state.mode, SettingUp)
    match state.mode.step:
        case "players":
            return _players(state, state.mode, box)
        case "rules":
            return _rules(state, state.mode)
        case "table":
            return _check(state, state.mode, box)


def _players(state: State, mode: SettingUp, box: Box) -> PlayersScreen:
    say = voice(state)
    colours = tuple(name for name in box.sizes_mm if name != "colony") or COLOURS
    ready = _FEWEST_SEATS <= len(mode.seats) <= _MOST_SEATS
    more = len(mode.seats) < min(_MOST_SEATS, max(len(colours), _FEWEST_SEATS))
    return PlayersScreen(
        bar(state, say("Who plays?"), say("Step {n} of 3", n=1), with_status=False),
        tuple(_seat(say, mode, seat, colours) for seat in range(len(mode.seats))),
        Choice(say("Add a player"), actions.ADD_SEAT, icon="plus", enabled=more) if more else None,
        say("Name of the player"),
        say("OK"),
        (Choice(say("Next"), actions.NEXT, icon="next", tone="strong", enabled=ready),),
    )


def _seat(say: Say, mode: SettingUp, seat: int, colours: Sequence[str]) -> SeatRow:
    player = seat_players(mode.seats)[seat]
    return SeatRow(
        player,
        seat,
        tuple(
            (
                Player(colour(say, name), mark_of(name, colours), name),
                Choice(
                    action=actions.COLOUR_SEAT,
                    value=(seat, name),
                    chosen=name == player.colour,
                ),
            )
            for name in colours
        ),
        Choice(player.name, actions.NAME_SEAT, seat, icon="edit"),
        Choice(say("starts"), actions.FIRST_PLAYER, seat, icon="flag", chosen=seat == mode.first),
        Choice(action=actions.MOVE_SEAT, value=(seat, seat - 1), icon="up", tone="quiet", enabled=seat > 0),
        Choice(action=actions.REMOVE_SEAT, value=seat, icon="cross", tone="quiet")
        if len(mode.seats) > _FEWEST_SEATS
        else None,
    )


def _rules(state: State, mode: SettingUp) -> OptionsScreen:
    say = voice(state)
    rules = Rules.from_json(mode.rules)
    return OptionsScreen(
        bar(state, say("Which rules?"), say("Step {n} of 3", n=2), with_status=False),
        (
            Option(
                say("Sponsors on their advanced side"),
                say("The others lie on their basic side. The camera sees it for itself."),
                tuple(
                    Choice(
                        number,
                        actions.SPONSOR_SIDE,
                        (number, number not in mode.advanced),
                        chosen=number in mode.advanced,
                    )
                    for number in "12345"
                ),
            ),
            Option(
                say("Edition"),
                say("Sponsor 5 advanced swaps two cubes, sponsor 2 advanced uses a reward of any level.")
                if rules.german
                else say(
                    "Sponsor 5 advanced moves a cube into a free space, sponsor 2 advanced uses a reward of this level."
                ),
                (
                    Choice(say("French, English"), actions.EDITION, "fr", chosen=not rules.german),
                    Choice(say("German"), actions.EDITION, "de", chosen=rules.german),
                ),
            ),
            Option(
                say("Designer's variant for the Spy"),
                say("The copied diver resurfaces too; its owner gets the credit."),
                tuple(
                    Choice(text, actions.SPY_VARIANT, on, chosen=rules.spy_variant == on)
                    for text, on in ((say("off"), False), (say("on"), True))
                ),
            ),
            Option(
                say("Keys on the track until all come back"),
                say("Before the Hacker is improved; each step takes one off."),
                tuple(_constant("keys_to_recover", n, rules.keys_to_recover) for n in (4, 5, 6)),
            ),
            Option(
                say("How far a propeller moves"),
                say("After 0, 1, 2 and 3 steps of the Mechanic. Tap a number to change it."),
                tuple(
                    Choice(str(far), actions.CONSTANT, ("mechanic", _turned(rules.mechanic, at, _FURTHEST)))
                    for at, far in enumerate(rules.mechanic)
                ),
            ),
            Option(
                say("Store: credits of each row"),
                say("From the top row down. Tap a number to change it."),
                _store_choices(rules, "credit"),
            ),
            Option(
                say("Store: prestige of each row"),
                say("From the top row down. Tap a number to change it."),
                _store_choices(rules, "prestige"),
            ),
            Option(
                say("Prestige that ends the game"),
                say("The round in which somebody reaches it is the last."),
                tuple(_constant("trigger", n, rules.trigger) for n in (12, 15, 18, 21)),
            ),
            Option(
                say("Neutral X keys in the supply"),
                say("16 X keys less one for each colour make 12."),
                tuple(_constant("neutral_x", n, rules.neutral_x) for n in (8, 10, 12, 14)),
            ),
        ),
        (Choice(say("Next"), actions.NEXT, icon="next", tone="strong"),),
    )


def _constant(name: str, value: int, now: int) -> Choice:
    return Choice(str(value), actions.CONSTANT, (name, value), chosen=value == now)


def _turned(numbers: Sequence[int], at: int, most: int) -> list[int]:
    """The same numbers with one counted up, from the most back to 1."""
    turned = list(numbers)
    turned[at] = turned[at] % most + 1
    return turned


def _store_choices(rules: Rules, what: Literal["credit", "prestige"]) -> tuple[Choice, ...]:
    choices = []
    for at, (worth, prestige) in enumerate(rules.store):
        rows = [list(row) for row in rules.store]
        rows[at] = [worth % _DEAREST + 1, prestige] if what == "credit" else [worth, (prestige + 1) % _FINEST]
        shown = worth if what == "credit" else prestige
        choices.append(Choice(str(shown), actions.CONSTANT, ("store", rows), icon=what))
    return tuple(choices)


def _check(state: State, mode: SettingUp, box: Box) -> CheckScreen:
    say = voice(state)
    missing, start = mode.missing, mode.start
    ready = mode.checked and not missing
    choices: tuple[Choice, ...] = (
        Choice(say("Look again"), actions.CHECK, icon="camera"),
        Choice(
            say("Play"),
            actions.START,
            icon="play",
            tone="strong" if ready or not mode.checked else "plain",
            enabled=start is not None,
        ),
    )
    if ready:
        headline = say("Everything lies as it should. Have a good dive!")
    elif mode.checked:
        headline = say.many("{n} thing is not right yet", "{n} things are not right yet", len(missing))
    elif state.camera_trouble:
        headline = say("Without a camera: tap what lies differently on your boards.")
    else:
        headline = say("Lay the boards as in the rulebook, then take your hands away.")
    wrong = {piece.slot: piece for piece in missing}
    boards: tuple[BoardDrawing, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    if start is not None:
        colours = tuple(player.colour for player in start.players)
        places = box if set(box.sizes_mm) >= {"colony", *colours} else schematic(colours)
        boards = tuple(drawing(say, start, places, name, wrong, tell=True) for name in ("colony", *colours))
        lines = tuple((piece_state(piece), misplaced_words(say, start, piece)) for piece in missing)
    if ready:
        lines = (("right", say("Press Play, or tap what lies differently.")),)
    return CheckScreen(
        bar(state, say("Is the table laid?"), say("Step {n} of 3", n=3)),
        headline,
        ready,
        boards,
        lines,
        None,
        choices,
    )

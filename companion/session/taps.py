"""What each action of the screen does. A tap that comes too late or carries nonsense is answered with a sentence."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion import actions
from companion.journal.bgstats import bgstats_link
from companion.journal.figures import cards_of, game_figures
from companion.journal.podium import podium
from companion.journal.settings import is_setting
from companion.journal.statistics import lifetime
from companion.messages import Leave, Tapped
from companion.notices import notice
from companion.rules import Position
from companion.session import correcting, entering, past, setup, table
from companion.session.evening import Evening, entry_of
from companion.session.turnover import finish
from companion.state import (
    Asking,
    Calibrating,
    ChoosingSettings,
    Entering,
    Faulted,
    Hidden,
    History,
    PastGames,
    Playing,
    Restoring,
    SettingUp,
    Welcome,
)


def tapped(evening: Evening, tap: Tapped) -> None:
    act = _ACTIONS.get(tap.action)
    try:
        if act is None:
            raise ValueError(f"no action is called {tap.action!r}")
        act(evening, tap.value)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        # The value of a tap may be of any shape; what it cannot be used for shows in one of these.
        evening.say(notice("not-understood", why=str(error) or type(error).__name__))


def resume(evening: Evening) -> None:
    """The last game, same turn; through the camera the table is compared with it."""
    mode = evening.mode
    if not isinstance(mode, Welcome) or mode.resumable is None:
        raise ValueError("there is no game to go on with")
    record = evening.journal.open_game(mode.resumable.id)
    evening.open_record(record, cards_of(record))
    if evening.position.over is not None:
        finish(evening)
    else:
        evening.show(Restoring("resume") if evening.camera else Playing())


def back(evening: Evening, _: Any) -> None:
    mode = evening.mode
    if isinstance(mode, SettingUp):
        setup.back(evening)
    elif isinstance(mode, History):
        past.back_from_history(evening)
    elif isinstance(mode, PastGames) and mode.selected is not None:
        evening.change(_past_games(evening))
    elif isinstance(mode, Entering):
        entering.cancel(evening)
    elif evening.under:
        evening.go_back()
    elif isinstance(mode, Asking | Faulted | Hidden | Restoring) or (
        isinstance(mode, Playing) and mode.verdict
    ):
        evening.show(Playing())
    else:
        _leave_table(evening)


def _leave_table(evening: Evening) -> None:
    """To the welcome screen; a game that did not end can be gone on with from there."""
    evening.close_record()
    evening.show(setup.welcome(evening))


def _dismiss(evening: Evening, _: Any) -> None:
    evening.say(None)
    if isinstance(evening.mode, Playing):
        evening.change(Playing())


def _place(evening: Evening, value: Any) -> None:
    slot, label = value
    if isinstance(evening.mode, SettingUp):
        setup.tell(evening, slot, label)
    elif isinstance(evening.mode, Entering):
        entering.place(evening, slot, label)
    else:
        correcting.tell(evening, slot, label)


def _check(evening: Evening, _: Any) -> None:
    if isinstance(evening.mode, SettingUp):
        setup.check(evening)
    else:
        table.pressed(evening, evening.position.to_play)


def _done(evening: Evening, value: Any) -> None:
    table.pressed(evening, evening.position.to_play if value is None else value)


def _enter_turn(evening: Evening, _: Any) -> None:
    if evening.position.over is not None or not evening.at_table:
        raise ValueError("no turn can be entered now")
    evening.stop_looking()
    entering.begin(evening, entering.BY_HAND if evening.camera else entering.NO_CAMERA)


def _end_game(evening: Evening, _: Any) -> None:
    if evening.record is not None and not evening.record.ended:
        evening.step("ended", {"winners": []})
    _leave_table(evening)


def _change_setting(evening: Evening, value: Any) -> None:
    name, chosen = value
    if not is_setting(name, chosen):
        raise ValueError(f"{name} cannot be {chosen!r}")
    settings = replace(evening.state.settings, **{name: chosen})
    evening.state = replace(evening.state, settings=settings)
    try:
        evening.save_settings(settings)
    except OSError as error:
        evening.say(notice("settings-not-kept", why=error.strerror or error))


def _past_games(evening: Evening) -> PastGames:
    return PastGames(evening.journal.games(), lifetime=lifetime(evening.journal.results()))


def _select_game(evening: Evening, game_id: Any) -> None:
    if not isinstance(evening.mode, PastGames):
        raise ValueError("the list of games is not up")
    record = evening.journal.read_game(game_id)
    cards = cards_of(record)
    places, figures = podium(Position.from_json(record.position(), cards)), game_figures(record, cards)
    evening.change(
        replace(
            evening.mode,
            selected=game_id,
            history=tuple(entry_of(link, cards) for link in record.line()),
            podium=places,
            figures=figures,
            bgstats=bgstats_link(record, places, figures),
        )
    )


def _calibration(evening: Evening, value: Any) -> None:
    """The guide's own progress; the application drives the guide and hands its values in."""
    if isinstance(evening.mode, Calibrating):
        evening.change(Calibrating(value))


_Action = Callable[[Evening, Any], Any]
_ACTIONS: dict[str, _Action] = {
    actions.BACK: back,
    actions.DISMISS: _dismiss,
    actions.RESUME: lambda evening, _: resume(evening),
    actions.NEW_GAME: lambda evening, _: setup.begin(evening),
    actions.CALIBRATE: lambda evening, _: evening.put_over(Calibrating()),
    actions.PAST_GAMES: lambda evening, _: evening.put_over(_past_games(evening)),
    actions.SETTINGS: lambda evening, _: evening.put_over(ChoosingSettings()),
    actions.LEAVE: lambda evening, _: evening.effect(Leave()),
    actions.ADD_SEAT: lambda evening, _: setup.add_seat(evening),
    actions.REMOVE_SEAT: setup.remove_seat,
    actions.MOVE_SEAT: lambda evening, value: setup.move_seat(evening, *value),
    actions.NAME_SEAT: lambda evening, value: setup.name_seat(evening, *value),
    actions.COLOUR_SEAT: lambda evening, value: setup.colour_seat(evening, *value),
    actions.FIRST_PLAYER: setup.first_player,
    actions.SPONSOR_SIDE: lambda evening, value: setup.sponsor_side(evening, *value),
    actions.EDITION: lambda evening, value: setup.constant(evening, "edition", value),
    actions.SPY_VARIANT: lambda evening, value: setup.constant(evening, "spy_variant", value),
    actions.CONSTANT: lambda evening, value: setup.constant(evening, *value),
    actions.NEXT: lambda evening, _: setup.next_step(evening),
    actions.CHECK: _check,
    actions.PLACE: _place,
    actions.START: lambda evening, _: setup.start(evening),
    actions.DONE: _done,
    actions.UNDO: lambda evening, _: past.undo(evening),
    actions.REDO: lambda evening, _: past.redo(evening),
    actions.HISTORY: lambda evening, _: past.open_history(evening),
    actions.ENTER_TURN: _enter_turn,
    actions.END_GAME: _end_game,
    actions.ANSWER: table.answer,
    actions.MEANT: lambda evening, _: table.meant(evening),
    actions.OVERRULE: lambda evening, _: table.overrule(evening),
    actions.RESTORED: lambda evening, _: table.restored(evening),
    actions.SELECT_ENTRY: past.select,
    actions.CORRECT_ENTRY: past.correct,
    actions.UNDO_TO: past.undo_to,
    actions.CHOOSE_STEP: entering.choose,
    actions.STEP_BACK: lambda evening, _: entering.step_back(evening),
    actions.ENTERED: lambda evening, _: entering.entered(evening),
    actions.CANCEL: lambda evening, _: entering.cancel(evening),
    actions.SELECT_GAME: _select_game,
    actions.CHANGE_SETTING: _change_setting,
    actions.CALIBRATION: _calibration,
}

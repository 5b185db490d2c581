"""Setting up a game, what people choose, and the journal's troubles as sentences at the table."""

from pathlib import Path

import pytest
from session_tables import Table, looks, reading_of

from companion import actions
from companion.journal.settings import load_settings, save_settings
from companion.messages import Leave, Pressed, Seen, Sound, StopLooking, UndoHeld
from companion.referee import Answer, Ask, Misplaced
from companion.rules import new_game
from companion.state import (
    Calibrating,
    ChoosingSettings,
    Playing,
    Seat,
    Settings,
    SettingUp,
    Welcome,
)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path)
    table.tap(actions.NEW_GAME)
    return table


def at_the_table(table: Table) -> None:
    table.tap(actions.NEXT)
    table.tap(actions.NEXT)


def test_seats_are_added_named_coloured_moved_and_removed(table: Table) -> None:
    assert len(table.mode.seats) == 2
    table.tap(actions.ADD_SEAT)
    table.tap(actions.NAME_SEAT, (2, "  Noémie "))
    table.tap(actions.COLOUR_SEAT, (2, "red"))
    assert table.mode.seats == (Seat("Ana", "green"), Seat("Ben", "blue"), Seat("Noémie", "red"))
    table.tap(actions.FIRST_PLAYER, 1)
    table.tap(actions.MOVE_SEAT, (2, 0))
    assert [seat.name for seat in table.mode.seats] == ["Noémie", "Ana", "Ben"]
    assert table.mode.seats[table.mode.first].name == "Ben"
    table.tap(actions.REMOVE_SEAT, 0)
    assert [seat.name for seat in table.mode.seats] == ["Ana", "Ben"]
    assert table.mode.seats[table.mode.first].name == "Ben"
    table.tap(actions.REMOVE_SEAT, 0)
    assert len(table.mode.seats) == 2
    for _ in range(5):
        table.tap(actions.ADD_SEAT)
    assert len({seat.colour for seat in table.mode.seats}) == len(table.mode.seats) == 4


def test_two_players_cannot_have_the_same_name(table: Table) -> None:
    table.tap(actions.NAME_SEAT, (1, "Ana"))
    assert "somebody else is called Ana" in table.state.notice
    assert table.mode.seats[1].name == "Ben"


def test_the_players_of_the_last_game_are_proposed(table: Table) -> None:
    table.tap(actions.NAME_SEAT, (0, "Zoë"))
    table.tap(actions.CHECK)
    at_the_table(table)
    table.tap(actions.PLACE, ("colony.contract.1", "c01"))
    table.tap(actions.START)
    table.tap(actions.END_GAME)
    table.tap(actions.NEW_GAME)
    assert table.mode.seats[0].name == "Zoë"


def test_the_rules_chosen_are_the_rules_played(table: Table) -> None:
    table.tap(actions.NEXT)
    table.tap(actions.EDITION, "de")
    table.tap(actions.SPY_VARIANT, True)
    table.tap(actions.CONSTANT, ("keys_to_recover", 5))
    table.tap(actions.CONSTANT, ("trigger", 18))
    assert table.mode.rules == {"edition": "de", "spy_variant": True, "keys_to_recover": 5}
    table.tap(actions.CONSTANT, ("keys_to_recover", 9))
    assert "keys_to_recover" in table.state.notice
    table.tap(actions.SPONSOR_SIDE, ("3", True))
    table.tap(actions.NEXT)
    table.tap(actions.PLACE, ("colony.contract.1", "c01"))
    table.tap(actions.START)
    assert table.position.rules.german and table.position.rules.spy_variant
    assert table.position.rules.keys_to_recover == 5
    assert "3a" in table.position.sponsors


def test_the_table_is_watched_live_until_the_game_starts(table: Table) -> None:
    table.tap(actions.NEXT)
    assert looks(table.tap(actions.NEXT), live=True)
    start = new_game(2, players=(("Ana", "red"), ("Ben", "blue")))
    lacking = Misplaced("red.diver.3", "empty", "?")
    table.referee.start = (start, (lacking,))
    table.do(Seen(reading_of(start)))
    assert table.mode.missing == (lacking,) and table.mode.checked
    table.referee.start = (start, ())
    table.do(Seen(reading_of(start)))
    assert table.mode.missing == ()
    effects = table.tap(actions.START)
    assert StopLooking() in effects
    assert table.position == start.as_seen_at_table()


def test_what_is_told_by_hand_stays_whatever_the_camera_sees(table: Table) -> None:
    at_the_table(table)
    start = new_game(2, players=(("Ana", "red"), ("Ben", "blue")))
    unseen = start._replace(public=(None, start.public[1]))
    table.referee.start = (unseen, (Misplaced("colony.contract.1", "?", "?"),))
    table.do(Seen(reading_of(unseen)))
    table.tap(actions.PLACE, ("colony.contract.1", start.public[0]))
    assert table.mode.missing == ()
    table.do(Seen(reading_of(unseen)))
    assert table.mode.missing == ()
    table.tap(actions.START)
    assert table.position.public == start.public


def test_the_first_player_chosen_plays_first(table: Table) -> None:
    table.tap(actions.FIRST_PLAYER, 1)
    at_the_table(table)
    table.tap(actions.PLACE, ("colony.contract.1", "c01"))
    table.tap(actions.START)
    assert (table.position.to_play, table.position.first) == (1, 1)


@pytest.mark.parametrize(
    ("slot", "label"),
    [
        ("red.diver.9", "spy"),
        ("red.diver.1", "whale"),
        ("colony.contract.1", "c99"),
        ("moon.zone.1", "m"),
        ("red.zone.1", "mmmm"),
    ],
)
def test_what_cannot_lie_there_is_refused_with_a_sentence(table: Table, slot: str, label: str) -> None:
    at_the_table(table)
    before = table.mode
    table.tap(actions.PLACE, (slot, label))
    assert table.state.said.id == "not-understood"
    assert table.mode == before


def test_back_leads_through_the_steps_to_the_welcome_screen(table: Table) -> None:
    at_the_table(table)
    table.tap(actions.BACK)
    table.tap(actions.BACK)
    assert isinstance(table.mode, SettingUp) and table.mode.step == "players"
    table.tap(actions.BACK)
    assert isinstance(table.mode, Welcome)


def test_settings_are_kept_and_the_table_comes_back(tmp_path: Path) -> None:
    table = Table(tmp_path, save_settings=lambda settings: save_settings(tmp_path, settings))
    table.start()
    table.tap(actions.SETTINGS)
    assert isinstance(table.mode, ChoosingSettings)
    table.tap(actions.CHANGE_SETTING, ("language", "fr"))
    table.tap(actions.CHANGE_SETTING, ("sound", False))
    table.tap(actions.CHANGE_SETTING, ("gravity", 0))
    table.tap(actions.BACK)
    assert isinstance(table.mode, Playing)
    assert load_settings(tmp_path) == table.state.settings == Settings(language="fr", sound=False)
    table.play()
    assert not any(isinstance(effect, Sound) for effect in table.effects)


def test_settings_that_cannot_be_written_hold_for_the_evening(tmp_path: Path) -> None:
    def full(settings: Settings) -> None:
        raise OSError(28, "No space left on device")

    table = Table(tmp_path, save_settings=full)
    table.tap(actions.CHANGE_SETTING, ("theme", "light"))
    assert table.state.settings.theme == "light"
    assert "No space left on device" in table.state.notice


def test_calibration_and_leaving_are_handed_on(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.tap(actions.CALIBRATE)
    table.tap(actions.CALIBRATION, "step 2")
    assert table.mode == Calibrating("step 2")
    table.tap(actions.BACK)
    assert isinstance(table.mode, Welcome)
    assert Leave() in table.tap(actions.LEAVE)


def test_a_folder_that_cannot_be_written_is_told_the_game_goes_on_and_is_written_later(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "data"
    folder.write_text("in the way")
    table = Table(folder)
    assert table.state.said.id == "journal-unwritable"
    table.tap(actions.DISMISS)
    table.start()
    assert table.state.said.id == "journal-unwritable"
    table.play(3)
    assert not table.journal.durable
    folder.unlink()
    table.wait(10)
    assert table.state.said.id == "journal-back"
    assert table.journal.durable
    game = table.state.game
    again = table.again()
    again.tap(actions.RESUME)
    assert again.position == game.position
    assert again.state.game.history == game.history


def test_a_damaged_journal_is_told_once_and_the_evening_begins(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"\xff" * 5000)
    table = Table(tmp_path)
    assert table.state.said.id == "journal-damaged"
    table.tap(actions.DISMISS)
    table.start()
    table.play()
    assert table.state.notice == ""
    assert table.journal.durable


def test_the_undo_button_does_nothing_while_another_game_is_set_up(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.start()
    table.play(2)
    events = len(table.journal.events(table.state.game.id))
    game = table.state.game.id
    table.tap(actions.NEW_GAME)
    table.do(UndoHeld())
    table.do(Pressed(0))
    assert isinstance(table.mode, SettingUp)
    assert len(table.journal.events(game)) == events


def test_a_piece_cannot_be_told_in_the_middle_of_a_question(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.start()
    table.press_and_see(Ask("credits", (Answer(*table.next_turn(), p=0.5),)))
    table.tap(actions.PLACE, ("red.tray", {"credit": 9}))
    assert table.state.said.id == "not-understood"
    table.tap(actions.ANSWER, 0)
    table.tap(actions.PLACE, ("red.tray", {"credit": 9}))
    assert table.position.players[0].credits == 9

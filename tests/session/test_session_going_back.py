"""Undo, redo, the history, corrections, and the game that goes on after a power cut."""

from pathlib import Path

import pytest
from session_tables import Table, looks, reading_of

from companion import actions
from companion.messages import Pressed, Seen, StopLooking, UndoHeld
from companion.referee import Belief, Played, Unchanged
from companion.rules import PlayKey, Position, Turn, new_game
from companion.state import Entering, History, Over, PastGames, Playing, Restoring, Welcome


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path)
    table.start()
    return table


def test_undo_goes_back_to_the_set_up_and_redo_brings_everything_back(table: Table) -> None:
    positions = [table.position]
    for _ in range(4):
        table.play()
        positions.append(table.position)
    for wanted in reversed(positions[:-1]):
        table.do(UndoHeld())
        assert table.position == wanted
        assert isinstance(table.mode, Restoring) and table.mode.why == "undo"
        assert table.state.said.id == "undone"
    table.do(UndoHeld())
    assert table.state.said.id == "nothing-to-undo"
    assert len(table.state.game.undone) == 4
    for wanted in positions[1:]:
        table.tap(actions.REDO)
        assert table.position == wanted
    table.tap(actions.REDO)
    assert table.state.said.id == "nothing-to-redo"


def test_an_undone_turn_is_put_back_piece_by_piece_before_the_live_camera(table: Table) -> None:
    start = table.position
    table.play()
    shown = table.position
    assert looks(table.do(UndoHeld()), live=True)
    table.do(Seen(reading_of(shown)))
    listed = {piece.slot for piece in table.mode.misplaced}
    assert listed
    assert StopLooking() in table.do(Seen(reading_of(start)))
    assert isinstance(table.mode, Playing)


def test_another_turn_may_be_played_instead_of_the_one_undone(table: Table) -> None:
    table.play()
    table.do(UndoHeld())
    turn, after = table.next_turn()
    table.press_and_see(Played((turn,), after, 0.99), after)
    assert isinstance(table.mode, Playing)
    assert table.position == after
    assert table.state.game.undone == ()


def test_undo_to_an_entry_can_be_redone_step_by_step(table: Table) -> None:
    table.play(4)
    last = table.position
    second = table.state.game.history[2]
    table.tap(actions.UNDO_TO, second.number)
    assert table.state.game.history[-1] == second
    table.tap(actions.REDO)
    table.tap(actions.REDO)
    assert table.position == last


def test_undo_from_the_podium_opens_the_game_again_and_redo_ends_it_again(tmp_path: Path) -> None:
    table = Table(tmp_path)
    start = new_game(3)
    for seat in range(3):
        start = start.with_player(seat, score=17)
    table.start(start)
    while not isinstance(table.mode, Over):
        table.play()
    podium = table.mode.podium
    table.do(UndoHeld())
    assert table.position.over is None
    table.tap(actions.REDO)
    assert isinstance(table.mode, Over)
    assert table.mode.podium == podium
    assert table.journal.games()[0].over


def key_of(turn: Turn) -> str:
    return next(str(step) for step in turn.steps if isinstance(step, PlayKey))


def enter_again(table: Table, number: int, turn: str) -> None:
    table.tap(actions.HISTORY)
    table.tap(actions.CORRECT_ENTRY, number)
    assert isinstance(table.mode, Entering) and table.mode.correcting == number
    for step in turn.split():
        table.tap(actions.CHOOSE_STEP, [str(choice) for choice in table.mode.choices].index(step))
    table.tap(actions.ENTERED)


def test_correcting_a_turn_plays_the_later_ones_again_after_it(table: Table) -> None:
    before = table.position
    table.play(6)
    entry = table.state.game.history[1]
    key = key_of(entry.turns[0])
    enter_again(table, entry.number, f"{key} dive")
    assert isinstance(table.mode, History)
    history = table.state.game.history
    assert [str(turn) for turn in history[1].turns] == [f"{key} dive"]
    assert history[1].kind == "corrected"
    assert [old.number for old in history] == [1, 2, 3, 4, 5, 6, 7]
    position: Position = before.play_turn(history[1].turns[0])
    for later in history[2:]:
        if later.fits:
            assert later.player == position.to_play
        if not later.fits:
            break
        position = position.play_turn(later.turns[0])
    else:
        assert position.players == table.position.players
    assert table.mode.unfit == tuple(later.number for later in history if not later.fits)


def test_a_later_turn_that_the_correction_makes_impossible_is_named_and_kept(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.start(new_game(1, players=(("Ana", "red"), ("Ben", "blue"))))
    first = "key1 dive"
    for told in (first, "key2 dive", "key3 dive", "key4 dive"):
        table.tap(actions.ENTER_TURN)
        for step in told.split():
            table.tap(actions.CHOOSE_STEP, [str(choice) for choice in table.mode.choices].index(step))
        table.tap(actions.ENTERED)
    enter_again(table, 2, "key3 dive")
    assert table.mode.unfit == (4,)
    assert "4" in table.state.notice
    kept = table.state.game.history[3]
    assert not kept.fits and [str(turn) for turn in kept.turns] == ["key3 dive"]
    assert table.state.game.history[4].fits
    assert table.position.to_play == 0
    table.tap(actions.UNDO)
    assert str(table.state.game.history[1].turns[0]) == first


def test_leaving_the_history_after_a_correction_compares_the_table(table: Table) -> None:
    table.play(2)
    entry = table.state.game.history[2]
    key = key_of(entry.turns[0])
    enter_again(table, entry.number, f"{key} dive")
    table.tap(actions.BACK)
    assert isinstance(table.mode, Restoring)
    table.do(Seen(reading_of(table.position)))
    assert isinstance(table.mode, Playing)


def test_cancelling_a_correction_changes_nothing(table: Table) -> None:
    table.play(2)
    before = table.state.game.history
    table.tap(actions.HISTORY)
    table.tap(actions.SELECT_ENTRY, 2)
    table.tap(actions.CORRECT_ENTRY, 2)
    table.tap(actions.CANCEL)
    assert isinstance(table.mode, History)
    table.tap(actions.BACK)
    assert isinstance(table.mode, Playing)
    assert table.state.game.history == before


def test_a_card_nobody_saw_is_told_by_hand_and_becomes_usable(table: Table) -> None:
    table.play()
    hidden = table.position._replace(public=(None, *table.position.public[1:]))
    table.wait(2)
    turn, after = table.next_turn()
    after = after._replace(public=hidden.public)
    table.press_and_see(Played((turn,), after, 0.99), after)
    assert ("contract-replace", "colony.contract.1") in table.state.game.reminders
    unused = next(card.id for card in table.position.cards.contracts if card.id not in table.position.public)
    table.tap(actions.PLACE, ("colony.contract.1", unused))
    assert table.position.public[0] == unused
    assert len(table.state.game.history) == 3


def test_a_card_that_is_seen_later_is_filled_in(table: Table) -> None:
    turn, after = table.next_turn()
    known = after.public[0]
    hidden = after._replace(public=(None, *after.public[1:]))
    table.press_and_see(Played((turn,), hidden, 0.99), hidden)
    assert table.position.public[0] is None
    table.wait(2)
    table.referee.believes = Belief.of(after)
    table.press_and_see(Unchanged(), after)
    assert table.position.public[0] == known
    assert table.state.game.reminders == ()
    assert [entry.number for entry in table.state.game.history] == [1, 2]


def test_after_a_power_cut_the_same_game_goes_on_at_the_same_turn(table: Table) -> None:
    table.play(5)
    table.do(UndoHeld())
    game = table.state.game
    table = table.again()
    assert isinstance(table.mode, Welcome) and table.mode.resumable.id == game.id
    assert looks(table.tap(actions.RESUME), live=True)
    assert table.position == game.position
    assert table.state.game.history == game.history
    assert table.state.game.undone == game.undone
    table.do(Seen(reading_of(table.position)))
    assert isinstance(table.mode, Playing)


def test_a_turn_made_during_the_power_cut_is_judged_when_its_player_presses(table: Table) -> None:
    table.play(2)
    table = table.again()
    table.tap(actions.RESUME)
    turn, after = table.next_turn()
    table.do(Seen(reading_of(after)))
    assert isinstance(table.mode, Restoring) and table.mode.why == "resume"
    table.press_and_see(Played((turn,), after, 0.99), after)
    assert table.position == after
    assert isinstance(table.mode, Playing)


def test_a_power_cut_between_the_last_turn_and_the_podium_loses_neither(tmp_path: Path) -> None:
    table = Table(tmp_path)
    start = new_game(3)
    for seat in range(3):
        start = start.with_player(seat, score=18)
    table.start(start)
    table.play(2)
    turn, after = table.next_turn()
    journal, record = table.journal, table.journal.read_game(table.state.game.id)
    journal.add(record, "played", {"player": 2, "turns": [str(turn)]}, after.to_json())
    table = table.again()
    table.tap(actions.RESUME)
    assert isinstance(table.mode, Over)
    assert table.journal.games()[0].over


def test_without_a_camera_a_game_goes_on_at_once(table: Table) -> None:
    table.play(2)
    table = table.again(camera=False)
    table.tap(actions.RESUME)
    assert isinstance(table.mode, Playing)
    table.enter()
    assert len(table.state.game.history) == 4


def test_a_game_that_ended_is_not_resumed_but_stands_in_the_list(table: Table) -> None:
    table.play(3)
    table.tap(actions.END_GAME)
    assert isinstance(table.mode, Welcome) and table.mode.resumable is None
    table.tap(actions.PAST_GAMES)
    assert isinstance(table.mode, PastGames)
    table.tap(actions.SELECT_GAME, table.mode.games[0].id)
    assert len(table.mode.history) == 4
    assert table.mode.figures.turns == 3
    table.tap(actions.BACK)
    assert table.mode.selected is None
    table.tap(actions.BACK)
    assert isinstance(table.mode, Welcome)


def test_presses_on_the_welcome_screen_do_nothing(tmp_path: Path) -> None:
    table = Table(tmp_path)
    assert not looks(table.do(Pressed(0)))
    table.do(UndoHeld())
    assert isinstance(table.mode, Welcome)


def test_the_last_turn_can_be_corrected_straight_from_the_table(table: Table) -> None:
    table.play(2)
    entry = table.state.game.history[-1]
    key = key_of(entry.turns[0])
    table.tap(actions.CORRECT_ENTRY, entry.number)
    for step in (key, "dive"):
        table.tap(actions.CHOOSE_STEP, [str(choice) for choice in table.mode.choices].index(step))
    table.tap(actions.ENTERED)
    assert isinstance(table.mode, Restoring)
    table.do(Seen(reading_of(table.position)))
    assert isinstance(table.mode, Playing)
    assert str(table.state.game.history[-1].turns[0]) == f"{key} dive"


def test_undo_while_a_look_waits_lets_the_look_go(table: Table) -> None:
    table.play(1)
    table.wait(2)
    table.do(Pressed(1))
    effects = table.do(UndoHeld())
    stopped = effects.index(StopLooking())
    assert looks(effects[stopped:], live=True) == 1
    assert isinstance(table.mode, Restoring)

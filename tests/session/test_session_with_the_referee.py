"""The session with the referee of the house: readings of the table in, turns of the game out."""

from dataclasses import replace
from pathlib import Path
from random import Random

from session_tables import reading_of

from companion import actions
from companion.journal.journal import Journal
from companion.messages import Pressed, Seen, Tapped, Tick
from companion.referee import expected
from companion.rules import Position, Turn, choose_turn, new_game, sample_cards
from companion.session import Session
from companion.state import Asking, Faulted, Playing


def test_a_game_is_set_up_and_played_from_readings_alone(tmp_path: Path) -> None:
    session = Session(Journal(tmp_path), lambda pack: sample_cards())
    table = new_game(6, players=(("Ana", "red"), ("Ben", "blue")))
    for action in (actions.NEW_GAME, actions.NEXT, actions.NEXT):
        session.handle(Tapped(action))
    session.handle(Seen(reading_of(table)))
    session.handle(Tapped(actions.START))
    rng = Random(6)
    for turn_number in range(1, 9):
        session.handle(Tick(30.0 * turn_number))
        table = table.play_turn(choose_turn(table, rng))
        session.handle(Pressed(1 - table.to_play))
        session.handle(Seen(reading_of(table)))
        mode = session.state.mode
        if isinstance(mode, Asking):
            right = [expected(answer.position) == expected(table) for answer in mode.ask.answers]
            session.handle(Tapped(actions.ANSWER, right.index(True)))
        assert isinstance(session.state.mode, Playing)
        assert session.state.game is not None
        assert expected(session.state.game.position) == expected(table)
    assert [entry.scores for entry in session.state.game.history][-1] == tuple(p.score for p in table.players)


def test_two_keys_in_a_turn_are_a_fault_and_overruling_takes_the_table_as_it_lies(tmp_path: Path) -> None:
    session = Session(Journal(tmp_path), lambda pack: sample_cards())
    table = new_game(6, players=(("Ana", "red"), ("Ben", "blue")))
    for action in (actions.NEW_GAME, actions.NEXT, actions.NEXT):
        session.handle(Tapped(action))
    session.handle(Seen(reading_of(table)))
    session.handle(Tapped(actions.START))
    after = table.play_turn(Turn.parse("key3 dive"))
    keys = tuple(key for key in after.players[0].keys if key != 4)
    moved = after.with_player(0, keys=keys, track=(3, 4))
    session.handle(Tick(30.0))
    session.handle(Pressed(0))
    session.handle(Seen(reading_of(moved)))
    assert isinstance(session.state.mode, Faulted)
    session.handle(Tapped(actions.OVERRULE))
    assert session.state.game is not None
    assert session.state.game.position.players[0].track == (3, 4)
    assert session.state.game.position.to_play == 1


def test_a_piece_misread_from_the_start_is_no_fault_at_every_turn(tmp_path: Path) -> None:
    session = Session(Journal(tmp_path), lambda pack: sample_cards())
    table = new_game(6, players=(("Ana", "red"), ("Ben", "blue")))
    for action in (actions.NEW_GAME, actions.NEXT, actions.NEXT):
        session.handle(Tapped(action))

    def seen_without_bens_x(position: Position) -> Seen:
        reading = reading_of(position)
        return Seen(replace(reading, counts={**reading.counts, "blue.x": {"X": {0: 1.0}, "N": {0: 1.0}}}))

    session.handle(seen_without_bens_x(table))
    session.handle(Tapped(actions.START))
    for number in (1, 2, 3):
        table = table.play_turn(choose_turn(table, Random(number)))
        session.handle(Tick(30.0 * number))
        session.handle(Pressed((number - 1) % 2))
        session.handle(seen_without_bens_x(table))
        assert isinstance(session.state.mode, Playing), session.state.mode
        assert session.state.game is not None
        assert session.state.game.position.to_play == table.to_play


def test_an_x_key_that_was_never_seen_can_be_played(tmp_path: Path) -> None:
    session = Session(Journal(tmp_path), lambda pack: sample_cards())
    table = new_game(6, players=(("Ana", "red"), ("Ben", "blue")))
    for action in (actions.NEW_GAME, actions.NEXT, actions.NEXT):
        session.handle(Tapped(action))
    unseen = {"red.x": {"X": {0: 1.0}, "N": {0: 1.0}}}
    start = reading_of(table)
    session.handle(Seen(replace(start, counts={**start.counts, **unseen})))
    session.handle(Tapped(actions.START))
    table = table.play_turn(Turn.parse("x4 dive"))
    after = reading_of(table)
    session.handle(Tick(30.0))
    session.handle(Pressed(0))
    session.handle(Seen(replace(after, counts={**after.counts, **unseen})))
    assert isinstance(session.state.mode, Playing), session.state.mode
    assert session.state.game is not None
    assert session.state.game.position.players[0].track == ("X",)

"""A game at the table: buttons, looks and verdicts."""

from dataclasses import replace
from pathlib import Path

import pytest
from session_tables import Table, looks, reading_of

from companion import actions
from companion.journal.podium import podium, still_to_play
from companion.messages import (
    CameraBack,
    CameraLost,
    CannotSee,
    Expect,
    Lights,
    Pressed,
    Seen,
    Sound,
    Tapped,
    Watch,
)
from companion.referee.verdict import Answer, Ask, Fault, Illegal, Played, Unchanged, Unclear, Verdict
from companion.rules import SEATS, new_game
from companion.state import Asking, Faulted, Hidden, Over, Playing, Restoring

SPUN = (
    Illegal((Fault("technician-without-right", ("red.hacker",)),), None),
    Unclear(("red.hacker", "red.mechanic"), "The boards do not fit together."),
)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path)
    table.start()
    return table


FAULT = Illegal((Fault("not-resurfaced", ("red.diver.1",)),), None)


def test_a_press_asks_for_a_look_and_the_verdict_is_confirmed_before_it_is_shown(table: Table) -> None:
    turn, after = table.next_turn()
    assert looks(table.do(Pressed(0)))
    table.referee.verdicts = [Played((turn,), after, 0.99)]
    effects = table.do(Seen(reading_of(after), b"jpeg"))
    assert Sound("played") in effects
    assert Lights(1) in effects
    assert isinstance(table.mode, Playing) and table.mode.verdict.turns == (turn,)
    assert table.position == after
    assert table.state.picture == b"jpeg"
    assert table.journal.read_game(table.state.game.id).position() == after.to_json()
    assert table.journal.durable


def test_the_history_names_who_played_what_and_how_long_it_took(table: Table) -> None:
    table.wait(3)
    table.play(2)
    setup, first, second = table.state.game.history
    assert (setup.kind, setup.player) == ("setup", None)
    assert (first.player, second.player) == (0, 1)
    assert (first.seconds, second.seconds) == (5.0, 2.0)
    assert second.scores == tuple(player.score for player in table.position.players)


@pytest.mark.parametrize("presses", [1, 50])
def test_presses_while_a_look_is_under_way_are_one_press(table: Table, presses: int) -> None:
    for number in range(presses):
        effects = table.do(Pressed(number % 3))
        assert looks(effects) == (number == 0)
    turn, after = table.next_turn()
    table.referee.verdicts = [Played((turn,), after, 0.99)]
    table.do(Seen(reading_of(after)))
    assert len(table.state.game.history) == 2


def test_a_button_that_bounces_just_after_its_turn_is_ignored(table: Table) -> None:
    table.play()
    for _ in range(50):
        assert table.do(Pressed(0)) == ()
    assert table.state.notice == ""


def test_a_button_held_down_for_a_minute_plays_one_turn(table: Table) -> None:
    turn, after = table.next_turn()
    asked = 0
    for _ in range(600):
        effects = table.do(Pressed(0))
        asked += looks(effects)
        if looks(effects):
            table.referee.verdicts = [Played((turn,), after, 0.99)] if asked == 1 else [Unchanged()]
            table.do(Seen(reading_of(after)))
        table.wait(0.1, 0.1)
    assert len(table.state.game.history) == 2
    assert table.position == after
    assert table.state.notice == "It is Ben's turn."


def test_the_wrong_player_is_told_whose_turn_it_is_and_it_is_no_fault(table: Table) -> None:
    assert looks(table.do(Pressed(2)))
    table.referee.verdicts = [Unchanged()]
    table.do(Seen(reading_of(table.position)))
    assert table.state.notice == "It is Ana's turn."
    assert table.state.said.id == "not-your-turn"
    assert isinstance(table.mode, Playing)


def test_the_wrong_button_after_a_legal_turn_still_counts_for_the_right_player(table: Table) -> None:
    turn, after = table.next_turn()
    table.do(Pressed(2))
    table.referee.verdicts = [Played((turn,), after, 0.99)]
    table.do(Seen(reading_of(after)))
    assert table.state.game.history[-1].player == 0


def test_pressing_without_having_played_says_so(table: Table) -> None:
    table.press_and_see(Unchanged())
    assert table.state.notice == "The boards stand as before: play a key first, Ana."


def test_after_a_fault_the_next_press_is_judged_from_the_same_position(table: Table) -> None:
    start = table.position
    table.press_and_see(FAULT)
    assert isinstance(table.mode, Faulted)
    assert Lights(0, "fault") in table.effects
    turn, after = table.next_turn()
    table.press_and_see(Played((turn,), after, 0.99), after)
    assert table.referee.judged_from == [start, start]
    assert isinstance(table.mode, Playing)


def test_an_overruled_fault_takes_the_table_as_it_lies(table: Table) -> None:
    _, after = table.next_turn()
    table.referee.lies = after.with_player(0, credits=9)
    table.press_and_see(FAULT, after)
    table.tap(actions.OVERRULE)
    assert table.position.players[0].credits == 9
    assert table.state.game.history[-1].kind == "overruled"
    assert table.position.to_play == 1


def test_a_turn_called_a_fault_is_taken_for_the_nearest_legal_one(table: Table) -> None:
    turn, after = table.next_turn()
    misread = after.with_player(1, zone=("m", *after.players[1].zone[1:]))
    table.press_and_see(replace(FAULT, nearest=Answer(turn, after, 0.0)), misread)
    assert isinstance(table.mode, Faulted)
    table.tap(actions.MEANT)
    assert isinstance(table.mode, Playing) and table.mode.verdict.turns == (turn,)
    assert table.position == after
    entry = table.state.game.history[-1]
    assert (entry.kind, entry.player, entry.turns) == ("answered", 0, (turn,))
    table.wait(2)
    table.press_and_see(Unchanged(), misread)
    assert [slot for slot, *_ in table.referee.beliefs[-1].quirks] == ["blue.zone.1"]
    # And all of the reading, to see later what has newly come into doubt.
    seen = table.referee.beliefs[-1].seen
    assert seen is not None and seen.best("blue.zone.1") == {"m": 1, "p": 0, "f": 0, "t": 0}


def test_without_a_nearest_turn_there_is_none_to_take_a_fault_for(table: Table) -> None:
    start = table.position
    table.press_and_see(FAULT)
    table.tap(actions.MEANT)
    assert isinstance(table.mode, Faulted)
    assert "no turn that may have been meant" in table.state.notice
    assert table.position == start


@pytest.mark.parametrize("players", [2, 3])
def test_two_turns_are_not_offered_as_one(tmp_path: Path, players: int) -> None:
    table = Table(tmp_path)
    table.start(new_game(1, SEATS[:players]))
    _, after_one = table.next_turn()
    second, after_two = table.next_turn(after_one)
    table.press_and_see(replace(FAULT, nearest=Answer(second, after_two, 0.0)), after_two)
    assert isinstance(table.mode, Faulted) and table.mode.illegal.nearest is None


def test_a_question_is_confirmed_by_its_answer(table: Table) -> None:
    answers = tuple(Answer(*table.next_turn(), p=0.5) for _ in range(2))
    table.press_and_see(Ask("credits", answers))
    assert isinstance(table.mode, Asking)
    assert Lights(0, "question") in table.effects
    assert len(table.state.game.history) == 1
    table.tap(actions.ANSWER, 1)
    assert table.position == answers[1].position
    assert table.state.game.history[-1].kind == "answered"


def test_an_answer_that_was_not_offered_changes_nothing(table: Table) -> None:
    table.press_and_see(Ask("credits", (Answer(*table.next_turn(), p=0.5),)))
    table.tap(actions.ANSWER, 7)
    assert isinstance(table.mode, Asking)
    assert "no answer 7" in table.state.notice


def test_a_hidden_table_is_looked_at_again_with_the_next_press(table: Table) -> None:
    table.press_and_see(Unclear(("red.zone.5",), "a hand"))
    assert isinstance(table.mode, Hidden)
    table.play()
    assert isinstance(table.mode, Playing)


def test_a_look_that_fails_says_why_and_the_next_press_tries_again(table: Table) -> None:
    table.do(Pressed(0))
    table.do(CannotSee("It is too dark to read the boards: switch on a lamp."))
    assert table.state.notice == "It is too dark to read the boards: switch on a lamp."
    assert looks(table.do(Pressed(0)))


def test_the_corners_are_told_in_the_pixels_of_the_picture_that_is_shown(table: Table) -> None:
    turn, after = table.next_turn()
    table.do(Pressed(0))
    table.referee.verdicts = [Played((turn,), after, 0.99)]
    table.do(Seen(reading_of(after), b"jpeg", 0.25))
    assert table.state.corners_px["red"] == ((0.0, 0.0), (25.0, 0.0), (25.0, 20.0), (0.0, 20.0))


def test_a_button_nobody_plays_with_does_nothing(table: Table) -> None:
    assert not looks(table.do(Pressed(3)))


@pytest.mark.parametrize("verdict", SPUN)
def test_a_knocked_board_is_a_list_of_what_belongs_where_not_a_fault(table: Table, verdict: Verdict) -> None:
    table.play()
    spun = table.position.with_player(0, hacker=2, mechanic=1)
    table.wait(2)
    table.press_and_see(verdict, spun, red=30.0)
    assert isinstance(table.mode, Restoring) and table.mode.why == "knock"
    assert [piece.slot for piece in table.mode.misplaced] == ["red.hacker", "red.mechanic"]
    half = table.position.with_player(0, mechanic=1)
    table.do(Seen(reading_of(half, {"red": 30.0})))
    assert [piece.slot for piece in table.mode.misplaced] == ["red.mechanic"]
    table.do(Seen(reading_of(table.position, {"red": 30.0})))
    assert isinstance(table.mode, Playing)


def test_boards_that_stand_right_by_the_players_word_are_not_knocked_again(table: Table) -> None:
    table.play()
    spun = table.position.with_player(0, hacker=2, mechanic=1)
    table.wait(2)
    table.press_and_see(SPUN[0], spun, red=30.0)
    assert isinstance(table.mode, Restoring)
    table.do(Seen(reading_of(spun, {"red": 32.0})))
    table.tap(actions.RESTORED)
    assert isinstance(table.mode, Playing)
    table.wait(2)
    table.press_and_see(SPUN[0], spun, red=32.0)
    assert isinstance(table.mode, Faulted)


def test_what_is_still_wrong_at_the_press_after_a_knock_is_a_fault(table: Table) -> None:
    table.play()
    spun = table.position.with_player(0, hacker=2, mechanic=1)
    for shown in (Restoring, Faulted):
        table.wait(2)
        table.press_and_see(SPUN[0], spun, red=30.0)
        assert isinstance(table.mode, shown)


def test_a_board_knocked_again_after_the_players_word_is_a_knock(table: Table) -> None:
    table.play()
    spun = table.position.with_player(0, hacker=2)
    table.wait(2)
    table.press_and_see(SPUN[0], spun, red=30.0)
    table.tap(actions.RESTORED)
    table.wait(2)
    table.press_and_see(SPUN[0], spun, red=60.0)
    assert isinstance(table.mode, Restoring) and table.mode.why == "knock"


def test_a_fault_on_a_board_that_stayed_is_a_fault(table: Table) -> None:
    table.play()
    table.wait(2)
    table.press_and_see(Illegal((Fault("technician-too-far", ("red.hacker",)),), None), blue=30.0)
    assert isinstance(table.mode, Faulted)


def test_a_press_over_the_history_goes_back_to_the_table(table: Table) -> None:
    table.tap(actions.HISTORY)
    turn, after = table.next_turn()
    table.press_and_see(Played((turn,), after, 0.99), after)
    assert isinstance(table.mode, Playing)
    assert table.position == after


def test_the_last_round_is_announced_once_and_the_podium_says_what_decided(tmp_path: Path) -> None:
    table = Table(tmp_path)
    start = new_game(3)
    close = start.with_player(0, score=17).with_player(1, score=16).with_player(2, score=17)
    table.start(close)
    while not isinstance(table.mode, Over):
        announced = table.state.game.last_round_announced
        assert announced == any(player.score >= 18 for player in table.position.players)
        if announced:
            assert still_to_play(table.position)[-1] == 2
        table.play()
    assert table.effects.count(Sound("last-round")) == 1
    assert table.effects.count(Sound("over")) == 1
    assert table.mode.podium == podium(table.position)
    assert table.mode.podium.winners == table.position.over
    assert table.mode.figures.turns == len(table.state.game.history) - 1
    assert table.mode.bgstats.startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B")
    assert table.journal.games()[0].over


def test_a_tap_that_means_nothing_is_answered_with_a_sentence(table: Table) -> None:
    before = table.mode
    for tap in (
        Tapped("fly"),
        Tapped(actions.ANSWER, 0),
        Tapped(actions.NAME_SEAT, 3),
        Tapped(actions.PLACE, ()),
    ):
        table.do(tap)
        assert table.state.said.id == "not-understood"
        assert table.mode == before


def test_what_was_just_played_is_shown_until_the_next_hand(table: Table) -> None:
    table.play()
    table.do(Watch("hand"))
    assert table.mode.verdict is not None
    table.wait(3)
    table.do(Pressed(1))
    table.do(Watch("hand"))
    assert table.mode.verdict is not None
    table.do(CannotSee("a hand"))
    table.do(Watch("hand"))
    assert table.mode == Playing()


def test_a_press_is_expected_on_the_boards_in_play_while_the_camera_sees_and_the_game_goes_on(
    table: Table,
) -> None:
    def expected() -> list[frozenset[str]]:
        said = [effect.boards for effect in table.effects if isinstance(effect, Expect)]
        table.effects.clear()
        return said

    boards = frozenset({"colony", *(player.colour for player in table.position.players)})
    assert expected() == [boards]
    table.play()
    assert expected() == []
    table.do(CameraLost("The cable is loose."))
    assert expected() == [frozenset()]
    table.do(CameraBack())
    assert expected() == [boards]
    table.tap(actions.END_GAME)
    assert expected() == [frozenset()]

"""Manual play: the whole game by touch, and a camera that goes and comes back."""

from pathlib import Path

import pytest
from session_tables import Table, looks, reading_of

from companion import actions
from companion.messages import CameraBack, CameraLost, Look, Pressed, Seen, StopLooking, Watch
from companion.referee.verdict import Fault, Illegal, Played, Unchanged
from companion.rules import EndTurn, PlayKey, new_game
from companion.state import Entering, Over, Playing, Restoring, SettingUp


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path)
    table.start()
    return table


def set_up_by_hand(table: Table) -> None:
    """The start of a game of two, told piece by piece."""
    start = new_game(5, players=(("Ana", "red"), ("Ben", "blue")))
    for action in (actions.NEW_GAME, actions.NEXT, actions.NEXT):
        table.tap(action)
    for player in start.players:
        for place, diver in enumerate(player.divers, 1):
            table.tap(actions.PLACE, (f"{player.colour}.diver.{place}", diver))
        for level, cubes in enumerate(player.zone, 1):
            table.tap(actions.PLACE, (f"{player.colour}.zone.{level}", cubes))
    for level, sponsor in enumerate(start.sponsors, 1):
        table.tap(actions.PLACE, (f"colony.sponsor.{level}", sponsor))
    for level, pair in enumerate(start.display, 1):
        for which, token in enumerate(pair, 1):
            table.tap(actions.PLACE, (f"colony.display.{level}.{which}", token))
    for space, card in enumerate(start.public, 1):
        table.tap(actions.PLACE, (f"colony.contract.{space}", card))
    for colour, filled in start.store._asdict().items():
        for row in range(1, filled + 1):
            table.tap(actions.PLACE, (f"colony.store.{colour}.{row}", colour[0]))
        table.tap(actions.PLACE, (f"colony.store.{colour}.{filled + 1}", ""))
    assert table.mode.start == start.as_seen_at_table()


def test_a_whole_game_from_set_up_to_podium_without_a_camera(tmp_path: Path) -> None:
    table = Table(tmp_path, camera=False)
    set_up_by_hand(table)
    table.tap(actions.START)
    turns = 0
    while not isinstance(table.mode, Over):
        table.enter()
        turns += 1
        for kind, slot in table.state.game.reminders:
            if kind == "contract-replace":
                used = {card for player in table.position.players for card in player.private}
                used |= {card for card in table.position.public if card}
                fresh = next(card.id for card in table.position.cards.contracts if card.id not in used)
                table.tap(actions.PLACE, (slot, fresh))
            elif kind == "reward-replace":
                table.tap(actions.PLACE, (slot, "battery:credits"))
        assert turns < 300
    assert table.state.game.history[-1].scores == tuple(player.score for player in table.position.players)
    assert not any(isinstance(effect, Look) for effect in table.effects)
    assert table.journal.games()[0].over


def test_each_step_is_chosen_from_what_the_rules_allow_and_can_be_taken_back(table: Table) -> None:
    table.tap(actions.ENTER_TURN)
    assert isinstance(table.mode, Entering) and not table.mode.complete
    assert all(isinstance(step, PlayKey) for step in table.mode.choices)
    table.tap(actions.CHOOSE_STEP, table.mode.choices.index(PlayKey(3, 3)))
    assert table.mode.partial.so_far == "key3"
    assert PlayKey(3, 3) not in table.mode.choices
    table.tap(actions.STEP_BACK)
    assert PlayKey(3, 3) in table.mode.choices
    table.tap(actions.STEP_BACK)
    assert table.mode.partial == table.position
    table.tap(actions.CANCEL)
    assert isinstance(table.mode, Playing)


def test_a_turn_that_is_not_complete_cannot_be_ended(table: Table) -> None:
    table.tap(actions.ENTER_TURN)
    table.tap(actions.CHOOSE_STEP, 0)
    table.tap(actions.ENTERED)
    assert "not complete" in table.state.notice
    assert len(table.state.game.history) == 1


def test_choosing_the_end_of_the_turn_confirms_it(table: Table) -> None:
    turn, after = table.next_turn()
    table.tap(actions.ENTER_TURN)
    for step in (*turn.steps, EndTurn()):
        table.tap(actions.CHOOSE_STEP, table.mode.choices.index(step))
    assert table.position == after
    assert table.state.game.history[-1].turns == (turn,)


def test_the_button_ends_a_turn_that_is_complete(table: Table) -> None:
    turn, after = table.next_turn()
    table.tap(actions.ENTER_TURN)
    for step in turn.steps:
        table.tap(actions.CHOOSE_STEP, table.mode.choices.index(step))
    table.do(Pressed(0))
    assert table.position == after


def test_a_lost_camera_leads_to_entering_by_touch_and_back(table: Table) -> None:
    table.play()
    table.do(CameraLost("the cable"))
    assert isinstance(table.mode, Entering) and table.mode.why == "no-camera"
    assert table.state.camera_trouble == "the cable"
    assert "the cable" in table.state.notice
    table.enter()
    table.do(CameraBack())
    assert isinstance(table.mode, Playing)
    assert table.state.camera_trouble == ""
    table.play()
    assert [entry.kind for entry in table.state.game.history] == ["setup", "played", "played", "played"]


def test_a_camera_that_comes_back_does_not_interrupt_a_turn_being_entered(table: Table) -> None:
    table.do(CameraLost("the cable"))
    turn, _ = table.next_turn()
    table.tap(actions.CHOOSE_STEP, table.mode.choices.index(turn.steps[0]))
    table.do(CameraBack())
    assert isinstance(table.mode, Entering) and table.mode.partial.so_far == str(turn.steps[0])


def test_a_camera_that_hangs_is_given_up_within_five_seconds(table: Table) -> None:
    table.wait(60)
    assert isinstance(table.mode, Playing)
    table.do(Pressed(0))
    table.wait(3.5)
    assert isinstance(table.mode, Playing)
    table.wait(1.5)
    assert isinstance(table.mode, Entering)
    assert StopLooking() in table.effects
    assert table.state.said.id == "camera-silent"


def test_a_reading_that_comes_after_the_camera_was_given_up_brings_it_back_and_is_not_judged(
    table: Table,
) -> None:
    table.do(Pressed(0))
    table.wait(5)
    table.do(Seen(reading_of(table.position)))
    assert isinstance(table.mode, Playing)
    assert table.referee.judged_from == []
    table.play()
    assert len(table.state.game.history) == 2


def test_a_camera_that_hung_and_stirs_again_is_used_again(table: Table) -> None:
    table.do(Pressed(0))
    table.wait(5)
    table.do(Watch("watching"))
    assert isinstance(table.mode, Playing)
    assert looks(table.do(Pressed(0)))


def test_a_hand_over_the_boards_is_waited_for(table: Table) -> None:
    table.do(Pressed(0))
    table.do(Watch("hand"))
    table.wait(60)
    assert isinstance(table.mode, Playing)
    turn, after = table.next_turn()
    table.do(Watch("still"))
    table.referee.verdicts = [Played((turn,), after, 0.99)]
    table.do(Seen(reading_of(after)))
    assert table.position == after


def test_a_machine_that_slept_does_not_blame_the_camera(table: Table) -> None:
    table.do(Pressed(0))
    table.wait(3600, step_s=3600)
    assert isinstance(table.mode, Playing)


def test_what_was_misread_is_remembered_when_the_turn_is_entered_after_a_fault(table: Table) -> None:
    _, after = table.next_turn()
    misread = after.with_player(1, zone=("m", *after.players[1].zone[1:]))
    table.rng.seed(1)  # the same turn again
    table.press_and_see(Illegal((Fault("no-key", ("red.key.1",)),), None), misread)
    table.enter()
    assert table.position == after
    table.wait(2)
    table.press_and_see(Unchanged(), misread)
    assert [slot for slot, *_ in table.referee.beliefs[-1].quirks] == ["blue.zone.1"]


def test_a_turn_entered_before_it_lies_on_the_table_blames_no_camera(table: Table) -> None:
    table.press_and_see(Unchanged())
    table.enter()
    table.wait(2)
    table.press_and_see(Unchanged())
    assert table.referee.beliefs[-1].quirks == ()


def test_a_fault_can_be_answered_by_entering_the_turn(table: Table) -> None:
    table.press_and_see(Illegal((Fault("no-key", ("red.key.1",)),), None))
    table.enter()
    assert isinstance(table.mode, Playing)
    assert table.state.game.history[-1].kind == "played"


def test_after_a_turn_by_touch_hands_are_reminded_of_what_the_camera_did_not_see(table: Table) -> None:
    table.do(CameraLost("the cable"))
    keys = [step for step in table.mode.choices if step == PlayKey("X", 2)]
    table.tap(actions.CHOOSE_STEP, table.mode.choices.index(keys[0]))
    dive = next(i for i, step in enumerate(table.mode.choices) if str(step) == "dive")
    table.tap(actions.CHOOSE_STEP, dive)
    table.tap(actions.ENTERED)
    order = " ".join(table.position.sponsors)
    assert ("sponsors-rotate", order) in table.state.game.reminders
    table.do(CameraBack())
    table.wait(2)
    table.press_and_see(Unchanged())
    assert ("sponsors-rotate", order) not in table.state.game.reminders


def test_a_player_whose_next_key_meets_the_hacker_is_reminded(tmp_path: Path) -> None:
    start = new_game(1).with_player(1, keys=(5, "X"), track=(1, 2, 3, 4), hacker=1)
    table = Table(tmp_path)
    table.start(start)
    table.play()
    assert ("hacker-in-the-way", "Ben") in table.state.game.reminders


def test_a_camera_lost_at_set_up_leaves_the_table_to_be_told(tmp_path: Path) -> None:
    table = Table(tmp_path)
    for action in (actions.NEW_GAME, actions.NEXT, actions.NEXT):
        table.tap(action)
    table.do(CameraLost("the cable"))
    assert isinstance(table.mode, SettingUp)
    table.tap(actions.PLACE, ("colony.contract.1", "c04"))
    table.tap(actions.START)
    assert table.position.public == ("c04", None)


def test_undo_without_a_camera_lists_what_has_to_be_moved_until_somebody_says_it_is_done(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path, camera=False)
    set_up_by_hand(table)
    table.tap(actions.START)
    start = table.position
    table.enter()
    table.tap(actions.UNDO)
    assert isinstance(table.mode, Restoring) and table.mode.misplaced
    assert all(piece.seen != piece.wanted for piece in table.mode.misplaced)
    table.tap(actions.RESTORED)
    assert isinstance(table.mode, Playing)
    assert table.position == start

"""A finger walks through the evening: set-up, a game, a question, a fault, an undo, a turn by hand, the podium."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Hearing
from evenings import Evening

from companion import actions
from companion.messages import UndoHeld
from companion.referee import Answer, Ask, Illegal
from companion.referee.faults import fault
from companion.state import (
    Asking,
    Entering,
    Faulted,
    History,
    Over,
    Playing,
    Restoring,
    SettingUp,
    Welcome,
)
from companion.ui.window import Touchscreen
from companion.view.screens import OptionsScreen, PodiumScreen, TableScreen, VerdictScreen


@pytest.fixture
def evening(seven_inch: Touchscreen, heard: Hearing, tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(seven_inch, tmp_path)
    heard.answer = evening.hear
    yield evening
    heard.answer = lambda message: None


@pytest.fixture
def by_hand(seven_inch: Touchscreen, heard: Hearing, tmp_path: Path) -> Iterator[Evening]:
    """An evening without a camera."""
    evening = Evening(seven_inch, tmp_path, camera=False)
    heard.answer = evening.hear
    yield evening
    heard.answer = lambda message: None


def test_set_up_from_the_first_name_to_the_first_turn(evening: Evening, heard: Hearing) -> None:
    press = evening.finger.press
    press(actions.NEW_GAME)
    assert isinstance(evening.state.mode, SettingUp)
    while len(evening.state.mode.seats) < 3:
        press(actions.ADD_SEAT)
    press(actions.NAME_SEAT, 0)
    for letter in "Zoé":
        press("type", text=letter)
    press("done")
    press(actions.COLOUR_SEAT, (0, "yellow"))
    press(actions.FIRST_PLAYER, 1)
    seats = evening.state.mode.seats
    assert (seats[0].name, seats[0].colour) == ("Zoé", "yellow")
    assert len({seat.colour for seat in seats}) == 3
    press(actions.NEXT)
    press(actions.SPONSOR_SIDE, ("3", True))
    press(actions.EDITION, "de")
    press(actions.NEXT)
    assert evening.state.mode.rules["edition"] == "de"
    evening.look()
    press(actions.START)
    assert isinstance(evening.state.mode, Playing)
    assert evening.position.players[0].name == "Zoé"
    assert isinstance(evening.touchscreen.stage.screen, TableScreen)


def test_a_slot_of_the_drawn_board_is_told_by_hand(by_hand: Evening) -> None:
    press = by_hand.finger.press
    press(actions.NEW_GAME)
    press(actions.NEXT)
    press(actions.NEXT)
    assert isinstance(by_hand.state.mode, SettingUp) and by_hand.state.mode.start is not None
    sponsors = by_hand.state.mode.start.sponsors
    by_hand.finger.press_slot("colony.sponsor.1")
    press(actions.PLACE, ("colony.sponsor.1", sponsors[4]))
    assert by_hand.state.mode.start.sponsors[0] == sponsors[4]


def test_a_turn_is_shown_moves_the_score_and_can_be_taken_back(evening: Evening) -> None:
    evening.start_game()
    first = evening.position
    evening.play_turn()
    assert isinstance(evening.touchscreen.stage.screen, VerdictScreen)
    assert evening.touchscreen.stage.screen.player.name == first.player.name
    evening.finger.press(actions.UNDO)
    assert evening.position == first
    assert isinstance(evening.state.mode, Restoring)
    evening.finger.press(actions.RESTORED)
    assert isinstance(evening.state.mode, Playing)
    evening.finger.press(actions.HISTORY)
    evening.finger.press(actions.REDO)
    assert evening.position != first


def test_a_question_is_answered_with_one_touch(evening: Evening) -> None:
    evening.start_game()
    turns = {str(turn): turn for turn in (evening.turn() for _ in range(12))}
    answers = tuple(Answer(turn, evening.position.play_turn(turn), 0.4) for turn in turns.values())[:4]
    assert len(answers) > 1
    evening.press_button(Ask("turn", answers))
    assert isinstance(evening.state.mode, Asking)
    evening.finger.press(actions.ANSWER, 1)
    assert evening.position == answers[1].position


def test_a_fault_can_be_looked_at_again_or_overruled(evening: Evening) -> None:
    evening.start_game()
    colour, name = evening.position.player.colour, evening.position.player.name
    wrong = fault("not-resurfaced", (f"{colour}.diver.4",), player=name, piece="spy", level="1")
    evening.press_button(Illegal((wrong,), None))
    assert isinstance(evening.state.mode, Faulted)
    assert actions.CHECK in evening.finger.actions()
    before = evening.position
    evening.finger.press(actions.OVERRULE)
    assert evening.position != before


def test_a_fault_is_taken_for_the_nearest_turn_with_one_touch(evening: Evening) -> None:
    evening.start_game()
    colour, name = evening.position.player.colour, evening.position.player.name
    wrong = fault("not-resurfaced", (f"{colour}.diver.4",), player=name, piece="spy", level="1")
    evening.press_button(Illegal((wrong,), None))
    assert actions.MEANT not in evening.finger.actions()
    turn = evening.turn()
    after = evening.position.play_turn(turn)
    evening.press_button(Illegal((wrong,), Answer(turn, after, 0.0)))
    evening.finger.press(actions.MEANT)
    assert evening.position == after


def test_a_turn_is_entered_step_by_step_without_a_camera(by_hand: Evening) -> None:
    by_hand.start_game()
    before = by_hand.position
    if not isinstance(by_hand.state.mode, Entering):
        by_hand.finger.press(actions.ENTER_TURN)
    assert isinstance(by_hand.state.mode, Entering)
    by_hand.finger.press(actions.CHOOSE_STEP)
    by_hand.finger.press(actions.STEP_BACK)
    by_hand.finger.press(actions.CHOOSE_STEP)
    diver = next(tab for tab, _ in tabs(by_hand) if tab.value[1].icon == "diver")
    by_hand.finger.touch(*diver.center)
    by_hand.finger.press(actions.CHOOSE_STEP)
    by_hand.finger.press(actions.ENTERED)
    assert by_hand.position.to_play != before.to_play


def tabs(evening: Evening) -> Iterator[tuple[object, object]]:
    from companion.ui.entering import GroupTab

    for widget in evening.touchscreen.stage.walk(restrict=True):
        if isinstance(widget, GroupTab):
            yield widget, widget.value


def test_a_wrong_turn_of_before_is_corrected_from_the_history(evening: Evening) -> None:
    evening.start_game()
    for _ in range(4):
        evening.play_turn()
    evening.finger.press(actions.BACK)
    evening.finger.press(actions.HISTORY)
    assert isinstance(evening.state.mode, History)
    number = evening.state.game.history[-1].number  # type: ignore[union-attr]
    evening.finger.press(actions.SELECT_ENTRY, number)
    evening.finger.press(actions.CORRECT_ENTRY, number)
    assert isinstance(evening.state.mode, Entering)
    evening.finger.press(actions.CANCEL)
    assert not isinstance(evening.state.mode, Entering)


def test_a_whole_game_ends_on_the_podium(evening: Evening) -> None:
    evening.start_game()
    for _ in range(200):
        if evening.position.over is not None:
            break
        evening.play_turn()
    assert isinstance(evening.state.mode, Over)
    screen = evening.touchscreen.stage.screen
    assert isinstance(screen, PodiumScreen)
    assert screen.places[0].score >= screen.places[1].score
    assert sum(points for _, points in screen.places[0].sources) == screen.places[0].score
    evening.finger.press(actions.BACK)
    assert isinstance(evening.state.mode, Welcome)
    evening.finger.press(actions.PAST_GAMES)
    evening.finger.press(actions.SELECT_GAME)
    assert isinstance(evening.touchscreen.stage.screen, PodiumScreen)


def test_the_language_changes_in_the_middle_of_a_game(evening: Evening) -> None:
    evening.start_game()
    evening.finger.press(actions.SETTINGS)
    evening.finger.press(actions.CHANGE_SETTING, ("language", "de"))
    screen = evening.touchscreen.stage.screen
    assert isinstance(screen, OptionsScreen) and screen.bar.title == "Einstellungen"
    evening.finger.press(actions.CHANGE_SETTING, ("theme", "light"))
    evening.finger.press(actions.BACK)
    table = evening.touchscreen.stage.screen
    assert isinstance(table, TableScreen)
    assert table.bar.title == f"{evening.position.player.name} ist am Zug"
    assert table.store.title == "Laden"


def test_a_notice_is_put_away_with_a_touch(evening: Evening) -> None:
    evening.start_game()
    evening.hear(UndoHeld())
    assert evening.state.said is not None
    evening.finger.press(actions.DISMISS)
    assert evening.state.said is None


def test_a_card_nobody_has_seen_is_told_on_the_table(by_hand: Evening) -> None:
    from dataclasses import replace

    by_hand.start_game()
    game = by_hand.state.game
    assert game is not None
    position = game.position._replace(public=(None, *game.position.public[1:]))
    shown = replace(by_hand.state, mode=Playing(), game=replace(game, position=position))
    by_hand.touchscreen.show(shown)
    by_hand.touchscreen.settle(3)
    contracts = next(
        widget for widget in by_hand.touchscreen.stage.walk() if type(widget).__name__ == "ContractsView"
    )
    by_hand.finger.touch(contracts.x + 12, contracts.center_y)
    offered = [choice.value for _, choice in by_hand.finger.touchable() if choice.action == actions.PLACE]
    assert offered and all(slot == "colony.contract.1" for slot, _ in offered)
    assert not {card for _, card in offered} & set(position.public)


def test_a_turn_entered_by_hand_asks_for_the_cards_it_uncovered() -> None:
    from companion.state import State
    from companion.view import draw
    from companion.view.samples import played_game

    position = played_game("four", 20).position
    position = position._replace(display=((None, position.display[0][1]), *position.display[1:]))
    screen = draw(State(Entering(position, position.steps())))
    (told,) = screen.groups[-1].choices
    assert told.value == "colony.display.1.1" and len(told.options) > 5


def test_credits_are_told_on_the_board_of_their_owner(by_hand: Evening) -> None:
    from companion.ui.boards import BoardTab

    press = by_hand.finger.press
    press(actions.NEW_GAME)
    press(actions.NEXT)
    press(actions.NEXT)
    start = by_hand.state.mode.start
    assert start is not None
    owner = start.players[1]
    tab = next(
        widget
        for widget in by_hand.touchscreen.stage.walk()
        if isinstance(widget, BoardTab) and widget.value[1].title == owner.name
    )
    by_hand.finger.touch(*tab.center)
    by_hand.finger.press_slot(f"{owner.colour}.tray")
    press(actions.PLACE, (f"{owner.colour}.tray", {"credit": 5, "battery": owner.batteries}))
    by_hand.finger.press_slot(f"{owner.colour}.hacker")
    press(actions.PLACE, (f"{owner.colour}.hacker", 2))
    told = by_hand.state.mode.start.players[1]
    assert (told.credits, told.batteries, told.hacker) == (5, owner.batteries, 2)


def test_players_with_long_names_and_many_points_find_room(seven_inch: Touchscreen) -> None:
    from dataclasses import replace

    from companion.ui.widgets import clipped_below
    from companion.view.samples import samples

    names = ("Maximiliane-", "Wilhelmine W", "Bartholomäus", "Constantinos")
    for shown in ("table", "table-last-round", "verdict", "history"):
        state = samples()[shown]
        assert state.game is not None
        position = state.game.position
        for seat, name in enumerate(names):
            position = position.with_player(
                seat, name=name, score=30 + seat, credits=14, batteries=11, neutral_x=3
            )
        settings = replace(state.settings, language="de", text_size="large")
        seven_inch.show(
            replace(
                state,
                game=replace(state.game, position=position, history=state.game.history[:9]),
                settings=settings,
            )
        )
        seven_inch.settle(3)
        assert [text for _, text in clipped_below(seven_inch.stage)] == [], shown

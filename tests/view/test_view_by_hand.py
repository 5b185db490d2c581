"""A game without a camera: everything that can lie on the table, and every legal turn, can be told by touch."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion import actions
from companion.referee.verdict import Answer, Ask
from companion.rules import Position, Turn, choose_turn
from companion.rules.steps import CompleteContract, Dive, Draw, EndTurn, PlayKey, Step
from companion.session.placing import place
from companion.state import Asking, Entering, Settings, SettingUp, State
from companion.view import draw
from companion.view.box import Box
from companion.view.language import LANGUAGES
from companion.view.samples import played_game
from companion.view.screens import Choice


def entered_by(position: Position, language: Any = "en") -> list[Choice]:
    """What a finger is offered in the middle of a turn."""
    screen = draw(State(Entering(position, position.steps()), settings=Settings(language=language)))
    return [choice for group in screen.groups for choice in group.choices]


def wealthy(position: Position) -> Position:
    """Whoever plays can afford almost anything: many ways to pay for a contract, propellers, every diver."""
    return position.with_player(
        position.to_play, credits=5, batteries=1, zone=("mp", "mmp", "mpft", "mmppt", "mmpft")
    )


def drawn(step: Step) -> bool:
    """Whether a step names a card that was drawn: private cards share one nameless button."""
    return "draw=" in str(step)


def partials(seed: int) -> Iterator[Position]:
    random = Random(seed)
    for turns in range(2, 60, 9):
        position = wealthy(played_game("four", turns).position)
        for step in choose_turn(position, random).steps:
            yield position
            position = position.play(step)
        yield position


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_legal_step_has_a_button_of_its_own(language: str) -> None:
    for position in partials(3):
        steps = position.steps()
        offered = entered_by(position, language)
        reached = {steps[choice.value] for choice in offered if choice.action == actions.CHOOSE_STEP}
        missing = [
            str(step) for step in steps if step not in reached and step != EndTurn() and not drawn(step)
        ]
        assert missing == []
        assert len({choice.text for choice in offered}) == len(offered)


def test_a_contract_says_where_it_is_paid_from_when_there_is_a_choice() -> None:
    position = played_game("four", 20).position
    card = next(card for card in position.cards.contracts if card.need == "mp" or len(card.payments[0]) == 2)
    paid = card.payments[0]
    position = position._replace(public=(card.id, *position.public[1:]))
    twice = position.with_player(position.to_play, zone=("", paid, "", paid, ""))
    texts = [choice.text for choice in entered_by(twice) if f"ontract {card.id}" in choice.text]
    assert len(texts) == 2 and "level 2" in texts[0] and "level 4" in texts[1]
    once = position.with_player(position.to_play, zone=("", paid, "", "", ""))
    assert not any("level" in choice.text for choice in entered_by(once) if card.id in choice.text)


def test_two_answers_in_the_same_words_are_told_apart() -> None:
    position = played_game("four", 20).position
    card = next(card for card in position.cards.contracts if len(card.payments[0]) == 2)
    paid = card.payments[0]
    position = position._replace(public=(card.id, *position.public[1:])).with_player(
        position.to_play, zone=("", paid, "", paid, "")
    )
    key = next(step for step in position.steps() if isinstance(step, PlayKey))
    ways = [step for step in position.steps() if isinstance(step, CompleteContract) and step.card == card.id]
    turns = [Turn((way, key, Dive())) for way in ways[:2]]
    answers = tuple(Answer(turn, position.play_turn(turn), 0.5) for turn in turns)
    game = played_game("four", 20)
    screen = draw(State(Asking(Ask("turn", answers)), game.__class__(game.id, position, game.history)))
    first, second = (card.choice.text for card in screen.answers)
    assert first != second and "level 2" in first and "level 4" in second


def test_a_card_that_was_drawn_unseen_is_told_when_it_is_completed() -> None:
    position = wealthy(played_game("four", 20).position)
    assert not any("private" in str(choice.value) for choice in entered_by(position))
    hidden = position.with_player(position.to_play, private=(None,))
    (told,) = [choice for choice in entered_by(hidden) if "private" in str(choice.value)]
    assert told.value == f"{hidden.player.colour}.private.1" and told.options
    slot, card = told.options[0].value
    assert card not in hidden.public
    shown = hidden.with_player(hidden.to_play, private=(card,))
    assert any(isinstance(step, CompleteContract) and step.card == card for step in shown.steps())
    assert slot == told.value


def test_a_drawn_card_is_never_named_on_a_button() -> None:
    for position in partials(5):
        kept = [step for step in position.steps() if isinstance(step, Dive) and isinstance(step.effect, Draw)]
        if len(kept) > 1:
            buttons = [choice for choice in entered_by(position) if "drew contracts" in choice.text]
            assert len(buttons) == len({step.copied for step in kept})
            return
    pytest.fail("nobody could draw in any of these positions")


@pytest.mark.parametrize("with_tray", [True, False])
def test_credits_batteries_and_technicians_are_told_on_the_drawn_board(with_tray: bool) -> None:
    from companion.view.box import schematic

    start = played_game("two", 0).position
    colours = tuple(player.colour for player in start.players)
    whole = schematic(colours)
    kept = {slot: spot for slot, spot in whole.slots.items() if with_tray or not slot.endswith(".tray")}
    screen = draw(State(SettingUp("table", start=start, checked=True)), Box(whole.sizes_mm, kept))
    board = next(board for board in screen.boards if board.player is not None)
    told = [piece.choice for piece in board.pieces if piece.choice is not None]
    options = {str(option.value[1]): option for choice in told for option in choice.options}
    document = start.to_json()
    for wanted, name, number in (
        ({"credit": 7, "battery": start.players[0].batteries}, "credits", 7),
        ({"credit": start.players[0].credits, "battery": 2}, "batteries", 2),
    ):
        slot, label = options[str(wanted)].value
        assert place(document, slot, label)["players"][0][name] == number
    technicians = {
        slot: label
        for choice in told
        for slot, label in (option.value for option in choice.options)
        if slot.endswith(("hacker", "mechanic"))
    }
    assert technicians == {f"{colours[0]}.hacker": 3, f"{colours[0]}.mechanic": 3}
    assert place(document, f"{colours[0]}.mechanic", 3)["players"][0]["mechanic"] == 3

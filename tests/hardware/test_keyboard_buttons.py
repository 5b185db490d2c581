"""The keyboard does what the buttons do."""

import pytest

from hardware.controls import open_controls
from hardware.keyboard import Keyboard
from hardware.pins import DEFAULTS


class Heard:
    def __init__(self) -> None:
        self.events: list[int | str] = []

    def keyboard(self) -> Keyboard:
        return Keyboard(self.events.append, lambda: self.events.append("undo"), hold_s=2.0)


@pytest.mark.parametrize(("key", "seat"), [("1", 0), ("4", 3), ("numpad2", 1)])
def test_a_digit_is_that_players_button(key: str, seat: int) -> None:
    heard = Heard()
    assert heard.keyboard().key_down(key, 0.0)
    assert heard.events == [seat]


def test_a_key_that_repeats_while_held_counts_once_and_again_after_release() -> None:
    heard = Heard()
    keyboard = heard.keyboard()
    for now_s in (0.0, 0.5, 0.53, 0.56):
        keyboard.key_down("1", now_s)
    keyboard.key_up("1")
    keyboard.key_down("1", 1.0)
    assert heard.events == [0, 0]


def test_undo_needs_two_seconds_and_happens_once() -> None:
    heard = Heard()
    keyboard = heard.keyboard()
    keyboard.key_down("backspace", 10.0)
    keyboard.tick(11.9)
    assert heard.events == []
    keyboard.tick(12.0)
    keyboard.tick(14.5)
    assert heard.events == ["undo"]


def test_undo_let_go_too_early_is_nothing() -> None:
    heard = Heard()
    keyboard = heard.keyboard()
    keyboard.key_down("backspace", 10.0)
    keyboard.key_up("backspace")
    keyboard.tick(20.0)
    assert heard.events == []


def test_other_keys_are_left_to_the_window() -> None:
    heard = Heard()
    assert not heard.keyboard().key_down("5", 0.0)
    assert not heard.keyboard().key_down("escape", 0.0)
    assert heard.events == []


def test_the_keyboard_is_chosen_by_name_and_holds_as_long_as_the_pins_say() -> None:
    undone: list[bool] = []
    controls = open_controls("keyboard", DEFAULTS, lambda s: None, lambda: undone.append(True), print)
    assert controls.name == "keyboard"
    assert controls.keyboard is not None
    controls.keyboard.key_down("backspace", 0.0)
    controls.keyboard.tick(DEFAULTS.hold_s)
    assert undone == [True]

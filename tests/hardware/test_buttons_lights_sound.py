"""Buttons, lamps and the buzzer on gpiozero's mock pins: real presses, holds, bounces and PWM."""

import os
import queue
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.buttons import Buttons, Debounce
from hardware.controls import OnPins, open_controls
from hardware.gpio import NoGpio, pin_factory
from hardware.lights import Lights
from hardware.pins import DEFAULTS
from hardware.sound import TUNES, Sounds

PATIENT_S = 30.0  # only ever waited for in full when the test fails


class ToldPin(MockPWMPin):
    """A mock pin that tells every change of its level."""

    def __init__(self, factory: Any, info: Any) -> None:
        self.changes: queue.Queue[float] = queue.Queue()
        super().__init__(factory, info)

    def _change_state(self, value: float) -> bool:
        changed: bool = super()._change_state(value)
        if changed:
            self.changes.put(float(value))
        return changed


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    made = MockFactory(pin_class=ToldPin)
    yield made
    made.reset()


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class Fingers:
    """Presses buttons as contacts do: with `bounces` in between, one millisecond each."""

    def __init__(self, factory: MockFactory) -> None:
        self.clock = Clock()
        self.presses: queue.Queue[int] = queue.Queue()
        self.undone: queue.Queue[bool] = queue.Queue()
        self.factory = factory

    def buttons(self, hold_s: float = 2.0) -> Buttons:
        pins = replace(DEFAULTS, hold_s=hold_s)
        return Buttons(pins, self.factory, self.presses.put, lambda: self.undone.put(True), self.clock)

    def press(self, gpio: int, bounces: int = 0) -> None:
        self._contact(gpio, "drive_low", "drive_high", bounces)

    def release(self, gpio: int, bounces: int = 0) -> None:
        self._contact(gpio, "drive_high", "drive_low", bounces)

    def wait(self, seconds: float) -> None:
        self.clock.now_s += seconds

    def heard(self) -> list[int]:
        return [self.presses.get() for _ in range(self.presses.qsize())]

    def _contact(self, gpio: int, to: str, fro: str, bounces: int) -> None:
        pin = self.factory.pin(gpio)
        for move in (to, fro) * bounces + (to,):
            getattr(pin, move)()
            self.wait(0.001)


def test_each_players_button_calls_with_the_seat(factory: MockFactory) -> None:
    fingers = Fingers(factory)
    fingers.buttons()
    for gpio in DEFAULTS.buttons:
        fingers.press(gpio)
        fingers.release(gpio)
    assert fingers.heard() == [0, 1, 2, 3]


def test_a_bouncing_press_and_a_bouncing_release_are_one_press(factory: MockFactory) -> None:
    fingers = Fingers(factory)
    fingers.buttons()
    gpio = DEFAULTS.buttons[1]
    fingers.press(gpio, bounces=5)
    fingers.wait(0.3)
    fingers.release(gpio, bounces=5)
    assert fingers.heard() == [1]


def test_two_quick_presses_are_two(factory: MockFactory) -> None:
    fingers = Fingers(factory)
    fingers.buttons()
    gpio = DEFAULTS.buttons[0]
    for _ in range(2):
        fingers.press(gpio, bounces=2)
        fingers.wait(0.08)
        fingers.release(gpio, bounces=2)
        fingers.wait(0.08)
    assert fingers.heard() == [0, 0]


def test_bounces_of_one_button_do_not_deafen_another(factory: MockFactory) -> None:
    fingers = Fingers(factory)
    fingers.buttons()
    fingers.press(DEFAULTS.buttons[0], bounces=3)
    fingers.press(DEFAULTS.buttons[2])
    assert fingers.heard() == [0, 2]


def test_contacts_that_chatter_without_end_count_once() -> None:
    debounce = Debounce(settle_s=0.025)
    pressed = [debounce.edge(bool(n % 2 == 0), n * 0.010) for n in range(100)]
    assert pressed == [True] + [False] * 99


def test_undo_happens_while_the_button_is_held(factory: MockFactory) -> None:
    fingers = Fingers(factory)
    fingers.buttons(hold_s=0.01)
    fingers.press(DEFAULTS.undo, bounces=2)
    assert fingers.undone.get(timeout=PATIENT_S)
    assert fingers.heard() == []


def test_a_short_press_of_undo_does_nothing(factory: MockFactory) -> None:
    fingers = Fingers(factory)
    buttons = fingers.buttons(hold_s=2.0)
    fingers.press(DEFAULTS.undo)
    fingers.release(DEFAULTS.undo)
    buttons.close()
    assert fingers.undone.empty()


def test_only_the_lamp_of_the_player_to_play_is_lit(factory: MockFactory) -> None:
    lights = Lights(DEFAULTS, factory)
    for to_play in (2, 0, None):
        lights.show(to_play)
        lit = [seat for seat, gpio in enumerate(DEFAULTS.lamps) if factory.pin(gpio).state]
        assert lit == ([] if to_play is None else [to_play])
    lights.close()


def test_a_question_breathes_and_a_fault_blinks(factory: MockFactory) -> None:
    lights = Lights(DEFAULTS, factory)
    lamp = factory.pin(DEFAULTS.attention)
    lights.show(0, "question")
    # Breathing passes through levels between off and on.
    assert any(0 < lamp.changes.get(timeout=PATIENT_S) < 1 for _ in range(3))
    lights.show(0, "none")
    assert lamp.state == 0
    while not lamp.changes.empty():
        lamp.changes.get()
    lights.show(0, "fault")
    assert [lamp.changes.get(timeout=PATIENT_S) for _ in range(3)] == [1, 0, 1]
    lights.close()


def test_lamps_go_out_when_the_program_ends(factory: MockFactory) -> None:
    lights = Lights(DEFAULTS, factory)
    lights.show(1)
    lamp = factory.pin(DEFAULTS.lamps[1])
    assert lamp.changes.get(timeout=PATIENT_S) == 1
    lights.close()
    assert lamp.changes.get(timeout=PATIENT_S) == 0


@pytest.mark.parametrize("name", sorted(TUNES))
def test_every_tune_sounds_with_its_notes_and_then_is_silent(factory: MockFactory, name: str) -> None:
    heard: queue.Queue[tuple[float | None, float]] = queue.Queue()

    def pause(seconds: float) -> bool:
        heard.put((factory.pin(DEFAULTS.buzzer).frequency, seconds))
        return False

    sounds = Sounds(18, factory, pause)
    sounds.play(name)
    notes = [heard.get(timeout=PATIENT_S) for _ in TUNES[name]]
    assert [seconds for _, seconds in notes] == [seconds for _, seconds in TUNES[name]]
    for (sounded, _), (wanted, _) in zip(notes, TUNES[name], strict=True):
        assert sounded == (pytest.approx(wanted) if wanted is not None else None)
    sounds.close()
    assert factory.pin(18).state == 0


def test_a_sound_that_does_not_exist_is_our_own_mistake(factory: MockFactory) -> None:
    sounds = Sounds(18, factory, lambda seconds: False)
    with pytest.raises(KeyError):
        sounds.play("fanfare")
    sounds.close()


def test_the_newest_sound_cuts_the_one_before_short(factory: MockFactory) -> None:
    started: queue.Queue[float | None] = queue.Queue()
    sounds = Sounds(18, factory)
    wait = sounds._interrupt.wait

    def pause(seconds: float) -> bool:
        started.put(factory.pin(18).frequency)
        return wait(PATIENT_S)  # every note lasts until it is interrupted

    sounds._pause = pause
    sounds.play("over")
    assert started.get(timeout=PATIENT_S) == pytest.approx(523)
    sounds.play("fault")
    assert started.get(timeout=PATIENT_S) == pytest.approx(440)
    sounds.close()


def test_all_of_it_together_on_the_pins(factory: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", factory)
    pressed: queue.Queue[int] = queue.Queue()
    said: list[str] = []
    controls = open_controls("gpio", DEFAULTS, pressed.put, lambda: None, said.append)
    assert isinstance(controls, OnPins)
    assert controls.name == "gpio"
    factory.pin(DEFAULTS.buttons[3]).drive_low()
    assert pressed.get(timeout=PATIENT_S) == 3
    controls.show(3)
    assert factory.pin(DEFAULTS.lamps[3]).state == 1
    controls.play("played")
    assert factory.pin(18).changes.get(timeout=PATIENT_S) > 0
    controls.close()
    assert said == []
    # Everything is given back, so it can be opened again.
    open_controls("gpio", DEFAULTS, pressed.put, lambda: None, said.append).close()


def test_without_pins_it_says_so_once_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "no-such-factory")
    said: list[str] = []
    controls = open_controls("gpio", DEFAULTS, lambda seat: None, lambda: None, said.append)
    assert len(said) == 1
    assert "no-such-factory" in said[0]
    assert controls.name == "none"
    controls.show(1, "fault")
    controls.play("fault")
    controls.close()
    assert len(said) == 1


def test_a_machine_without_lgpio_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(NoGpio, match="apt install python3-lgpio"):
        pin_factory()


# What the real one does when it is imported, and how it answers on a machine without pins.
LGPIO = """
import os
os.mkfifo(".lgd-nfy0")
pipe = os.open(".lgd-nfy0", os.O_RDWR)
folder = os.getcwd()
class error(Exception): pass
def gpiochip_open(chip): raise error("can not open gpiochip")
SET_PULL_NONE = SET_PULL_UP = SET_PULL_DOWN = BOTH_EDGES = RISING_EDGE = FALLING_EDGE = 0
"""


@pytest.fixture
def lgpio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for lgpio that can be imported; the folder in which somebody starts the companion."""
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "lgpio.py").write_text(LGPIO)
    (tmp_path / "here").mkdir()
    monkeypatch.syspath_prepend(tmp_path / "modules")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xD04170)  # a Pi 5
    for name in ("lgpio", "gpiozero.pins.lgpio"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path / "here"


def test_lgpio_leaves_nothing_in_the_folder_the_companion_is_started_in(lgpio: Path) -> None:
    with pytest.raises(NoGpio, match=r"can not open gpiochip.*usermod -aG gpio"):
        pin_factory()
    assert list(lgpio.iterdir()) == []
    assert Path.cwd() == lgpio
    assert not Path(sys.modules["lgpio"].folder).exists()
    os.fstat(sys.modules["lgpio"].pipe)  # still open


def test_a_start_in_somebody_elses_home_does_not_keep_the_pins_from_opening(
    lgpio: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = os.chdir

    def chdir(folder: str) -> None:
        if Path(folder) == lgpio:
            raise PermissionError(13, "Permission denied")
        really(folder)

    monkeypatch.setattr(os, "chdir", chdir)
    with pytest.raises(NoGpio, match="can not open gpiochip"):
        pin_factory()
    assert Path.cwd() == Path("/")


def test_a_pin_that_somebody_else_holds_is_said_once_and_the_game_goes_on(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Device, "pin_factory", factory)
    said: list[str] = []
    held = open_controls("gpio", DEFAULTS, lambda seat: None, lambda: None, said.append)
    second = open_controls("gpio", DEFAULTS, lambda seat: None, lambda: None, said.append)
    assert second.name == "none"
    assert len(said) == 1
    assert "systemctl stop otys-companion" in said[0]
    held.close()


def test_a_spelling_that_does_not_exist_names_those_that_do() -> None:
    with pytest.raises(ValueError, match="gpio, keyboard, none"):
        open_controls("bluetooth", DEFAULTS, lambda seat: None, lambda: None, lambda sentence: None)

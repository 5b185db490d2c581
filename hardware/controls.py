"""Buttons, lamps and buzzer as one thing, as `--buttons` names it. Without pins it says so once and goes on."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Protocol

from hardware.buttons import Buttons
from hardware.gpio import NoGpio, claiming, pin_factory
from hardware.keyboard import Keyboard
from hardware.lights import Attention, Lights
from hardware.pins import Pins
from hardware.sound import Sounds

SPELLINGS = ("gpio", "keyboard", "none")


class Controls(Protocol):
    """What the application holds. `name` says what was chosen; `keyboard` wants the window's key events."""

    name: str
    keyboard: Keyboard | None

    def show(self, to_play: int | None, attention: Attention = "none") -> None: ...

    def play(self, sound: str) -> None: ...

    def close(self) -> None: ...


class Silent:
    """No lamps and no buzzer: the screen does it all."""

    def __init__(self, name: str, keyboard: Keyboard | None = None) -> None:
        self.name = name
        self.keyboard = keyboard

    def show(self, to_play: int | None, attention: Attention = "none") -> None:
        pass

    def play(self, sound: str) -> None:
        pass

    def close(self) -> None:
        pass


class OnPins:
    """The real ones. Either everything opens or nothing stays claimed."""

    name = "gpio"
    keyboard: Keyboard | None = None

    def __init__(self, pins: Pins, on_press: Callable[[int], None], on_undo: Callable[[], None]) -> None:
        factory = pin_factory()
        with claiming(), ExitStack() as opened:
            self._lights = Lights(pins, factory)
            opened.callback(self._lights.close)
            self._sounds = Sounds(pins.buzzer, factory) if pins.buzzer is not None else None
            if self._sounds is not None:
                opened.callback(self._sounds.close)
            buttons = Buttons(pins, factory, on_press, on_undo)
            opened.callback(buttons.close)
            self._opened = opened.pop_all()

    def show(self, to_play: int | None, attention: Attention = "none") -> None:
        self._lights.show(to_play, attention)

    def play(self, sound: str) -> None:
        if self._sounds is not None:
            self._sounds.play(sound)

    def close(self) -> None:
        self._opened.close()


def open_controls(
    spelling: str,
    pins: Pins,
    on_press: Callable[[int], None],
    on_undo: Callable[[], None],
    say: Callable[[str], None],
) -> Controls:
    """`gpio`, `keyboard` or `none`. Callbacks come from other threads. `say` hears one sentence if there are no pins."""
    match spelling:
        case "gpio":
            try:
                return OnPins(pins, on_press, on_undo)
            except NoGpio as error:
                say(str(error))
                return Silent("none")
        case "keyboard":
            return Silent("keyboard", Keyboard(on_press, on_undo, pins.hold_s))
        case "none":
            return Silent("none")
        case _:
            raise ValueError(f"--buttons {spelling!r} is not known: choose {', '.join(SPELLINGS)}")

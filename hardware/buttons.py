"""The players' buttons and the shared undo button, on the pins."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from hardware.pins import Pins


class Debounce:
    """Takes a press at its first contact and ignores whatever the contact does for `settle_s` after any change.

    >>> edge = Debounce(settle_s=0.025).edge
    >>> [edge(True, 1.000), edge(False, 1.002), edge(True, 1.003), edge(False, 1.2), edge(True, 1.201), edge(True, 2.0)]
    [True, False, False, False, False, True]
    """

    def __init__(self, settle_s: float) -> None:
        self._settle_s = settle_s
        self._changed_s = float("-inf")

    def edge(self, pressed: bool, now_s: float) -> bool:
        """One change of the contact; whether it is a press that counts."""
        quiet = now_s - self._changed_s >= self._settle_s
        self._changed_s = now_s
        return pressed and quiet


class Buttons:
    """Calls `on_press(seat)` and `on_undo()` from gpiozero's own thread. Buttons connect the pin to ground."""

    def __init__(
        self,
        pins: Pins,
        factory: Any,
        on_press: Callable[[int], None],
        on_undo: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        from gpiozero import Button

        self._on_press = on_press
        self._clock = clock
        self._devices: list[Any] = []
        for seat, gpio in enumerate(pins.buttons):
            button = Button(gpio, pull_up=True, pin_factory=factory)
            debounce = Debounce(pins.debounce_s)
            button.when_pressed = partial(self._edge, seat, debounce, True)
            button.when_released = partial(self._edge, seat, debounce, False)
            self._devices.append(button)
        undo = Button(pins.undo, pull_up=True, hold_time=pins.hold_s, pin_factory=factory)
        # A bounce lets go for an instant, which starts the two seconds afresh: holding needs no debounce.
        undo.when_held = on_undo
        self._devices.append(undo)

    def _edge(self, seat: int, debounce: Debounce, pressed: bool) -> None:
        if debounce.edge(pressed, self._clock()):
            self._on_press(seat)

    def close(self) -> None:
        for device in self._devices:
            device.close()

"""The lamp of the player to play, and one lamp that asks for attention."""

from typing import Any, Literal

from hardware.pins import Pins

Attention = Literal["none", "question", "fault"]

QUESTION_FADE_S = 0.8  # breathing: look when you have a moment
FAULT_BLINK_S = 0.2  # blinking: something is wrong


class Lights:
    def __init__(self, pins: Pins, factory: Any) -> None:
        from gpiozero import LED, PWMLED

        self._lamps = [LED(gpio, pin_factory=factory) for gpio in pins.lamps]
        self._attention = PWMLED(pins.attention, pin_factory=factory)
        self._shown: Attention = "none"

    def show(self, to_play: int | None, attention: Attention = "none") -> None:
        """Lights the lamp of seat `to_play` alone, and the attention lamp as asked."""
        for seat, lamp in enumerate(self._lamps):
            lamp.value = seat == to_play
        if attention == self._shown:
            return  # the same rhythm goes on undisturbed
        self._shown = attention
        match attention:
            case "none":
                self._attention.off()
            case "question":
                self._attention.pulse(QUESTION_FADE_S, QUESTION_FADE_S)
            case "fault":
                self._attention.blink(FAULT_BLINK_S, FAULT_BLINK_S)

    def close(self) -> None:
        for lamp in (*self._lamps, self._attention):
            lamp.off()
            lamp.close()

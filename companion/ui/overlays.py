"""What lies over a screen for a moment: a notice, a sheet of options, the keyboard for names."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from kivy.properties import BooleanProperty, ListProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from companion.ui.kv import load_kv
from companion.ui.pen import Painted, Pen, inset, letter, split_left
from companion.ui.theme import BODY, theme
from companion.view.screens import Choice

_KEYS: Final = "abcdefghijklmnopqrstuvwxyzéèêëäâàçîïôöüßñ"
_LONGEST_NAME: Final = 12
_EDGE: Final = 14
_CROSS: Final = 34


class NoticeView(ButtonBehavior, Painted):
    """One sentence over the top of the screen; a tap puts it away."""

    def __init__(self, on_choice: Callable[[Choice], None], **kwargs: Any) -> None:
        self._on_choice = on_choice
        super().__init__(**kwargs)

    def paint(self, pen: Pen) -> None:
        choice: Choice = self.value
        u = theme.u
        pen.panel(self.box, "text", 12 * u)
        x, y, width, height = inset(self.box, _EDGE * u, 6 * u)
        words, cross = split_left((x, y, width, height), width - _CROSS * u, 10 * u)
        pen.text(words, choice.text, BODY, "background", True, wrap=True)
        pen.icon("cross", (cross[0], cross[1], 22 * u, cross[3]), "background")

    def high(self, width: float) -> float:
        """How high the whole sentence is at this width: a camera's complaint may take several lines."""
        room = width - (2 * _EDGE + _CROSS) * theme.u
        laid = letter(self.value.text, room, None, theme.sp(BODY), True, wrap=True, shrink=False)
        return float(laid.size_px[1] + 14 * theme.u)

    def on_release(self) -> None:
        self._on_choice(self.value)


class Sheet(FloatLayout):
    """Options to choose from; a touch beside them closes it."""

    title = StringProperty("")
    options = ListProperty()
    close_choice = ObjectProperty(Choice(action="", icon="cross", tone="quiet"))

    def __init__(
        self, on_choice: Callable[[Choice], None], on_close: Callable[[], None], **kwargs: Any
    ) -> None:
        self._on_choice, self._on_close = on_choice, on_close
        super().__init__(**kwargs)

    def chosen(self, choice: Choice) -> None:
        self._on_close()
        if choice.action:
            self._on_choice(choice)

    def on_touch_down(self, touch: Any) -> bool:
        if not self.ids.panel.collide_point(*touch.pos):
            self._on_close()
            return True
        super().on_touch_down(touch)
        return True


class Keyboard(FloatLayout):
    """Names by one finger. What is typed goes out as `(seat, name)`."""

    prompt = StringProperty("")
    typed = StringProperty("")
    upper = BooleanProperty(True)
    choice = ObjectProperty(None)
    erase_choice = ObjectProperty(Choice(action="erase", icon="erase"))
    shift_choice = ObjectProperty(Choice(action="shift", icon="shift"))
    space_choice = ObjectProperty(Choice(action="type", value=" ", text="–"))
    close_choice = ObjectProperty(Choice(action="close", icon="cross", tone="quiet"))
    done_choice = ObjectProperty(Choice())

    def __init__(
        self, on_choice: Callable[[Choice], None], on_close: Callable[[], None], **kwargs: Any
    ) -> None:
        self._on_choice, self._on_close = on_choice, on_close
        super().__init__(**kwargs)

    def rows(self, upper: bool, portrait: bool) -> list[list[Choice]]:
        """The keys, as many in a row as a finger can tell apart."""
        across = 7 if portrait else 11
        keys = [Choice(_shown(key, upper), "type", _shown(key, upper)) for key in _KEYS]
        return [keys[at : at + across] for at in range(0, len(keys), across)]

    def chosen(self, choice: Choice) -> None:
        match choice.action:
            case "type" if len(self.typed) < _LONGEST_NAME:
                self.typed += choice.value
                self.upper = self.typed.endswith(" ")
            case "erase":
                self.typed = self.typed[:-1]
                self.upper = not self.typed
            case "shift":
                self.upper = not self.upper
            case "done":
                self._on_close()
                name = self.typed.strip()
                if name:
                    self._on_choice(replace(self.choice, value=(self.choice.value, name)))
            case "close":
                self._on_close()

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        return True


class KeyRow(BoxLayout):
    value = ListProperty()


def _shown(key: str, upper: bool) -> str:
    return key.upper() if upper and key != "ß" else key


load_kv("overlays")

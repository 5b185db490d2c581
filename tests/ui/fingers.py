"""A finger for the tests: finds what can be touched on the screen and touches it, as a person would."""

from collections.abc import Callable, Iterator
from typing import Any

from kivy.core.window import Window
from kivy.tests.common import UnitTestTouch

from companion.ui.boards import BoardView
from companion.ui.window import Touchscreen
from companion.view.screens import Choice


class Finger:
    def __init__(self, touchscreen: Touchscreen, after: Callable[[], None] = lambda: None) -> None:
        self.touchscreen, self.after = touchscreen, after

    def touchable(self) -> Iterator[tuple[Any, Choice]]:
        """Every widget on the screen that carries a choice, topmost layer first."""
        for child in self.touchscreen.stage.children:
            for widget in child.walk(restrict=True):
                choice = _choice_of(getattr(widget, "value", None))
                if choice is not None and choice.enabled and widget.width > 1 and widget.height > 1:
                    yield widget, choice

    def actions(self) -> set[str]:
        return {choice.action for _, choice in self.touchable()}

    def press(self, action: str, value: Any = None, text: str | None = None) -> None:
        """Touches the choice with this action (and value or text)."""
        for widget, choice in self.touchable():
            if (
                choice.action == action
                and (value is None or choice.value == value)
                and text in (None, choice.text)
            ):
                self.touch(*widget.to_window(*widget.center))
                return
        raise AssertionError(
            f"nothing on the screen does {action!r} {value!r}; there is {sorted(self.actions())}"
        )

    def press_slot(self, slot: str) -> None:
        """Touches a slot of the board that is drawn."""
        for child in self.touchscreen.stage.children:
            for board in (widget for widget in child.walk(restrict=True) if isinstance(widget, BoardView)):
                for (x, y, width, height), piece in board._spots:
                    if piece.choice is not None and piece.choice.value == slot:
                        self.touch(x + width / 2, y + height / 2)
                        return
        raise AssertionError(f"no board on the screen has {slot}")

    def touch(self, x: float, y: float) -> None:
        assert 0 <= x <= Window.width and 0 <= y <= Window.height, "that is off the screen"
        touch = UnitTestTouch(x, y)
        touch.touch_down()
        touch.touch_up()
        self.after()
        self.touchscreen.settle(2)


def _choice_of(value: Any) -> Choice | None:
    if isinstance(value, Choice):
        return value
    for name in ("choice", "select"):
        if isinstance(getattr(value, name, None), Choice):
            found: Choice = getattr(value, name)
            return found
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], Choice):
        return value[1]
    return None

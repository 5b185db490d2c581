"""A turn by touch: what was chosen so far, and the legal next steps in groups."""

from typing import Any

from kivy.properties import ObjectProperty
from kivy.uix.behaviors import ButtonBehavior

from companion.ui.kv import load_kv
from companion.ui.pen import Painted, Pen, inset, split_left
from companion.ui.theme import theme
from companion.ui.widgets import Tabbed
from companion.view.screens import Choice, EnteringScreen, StepGroup


class EnteringView(Tabbed):
    """One group at a time; the group with the next step of the turn is open."""

    screen = ObjectProperty(None, rebind=True)

    def on_screen(self, *_: object) -> None:
        self.at = 0

    def open_group(self, screen: EnteringScreen, at: int) -> tuple[Choice, ...]:
        return screen.groups[min(int(at), len(screen.groups) - 1)].choices if screen.groups else ()

    def tabs(self, screen: EnteringScreen, at: int) -> list[tuple[int, StepGroup, bool]]:
        return [(number, group, number == at) for number, group in enumerate(screen.groups)]


class GroupTab(ButtonBehavior, Painted):
    def paint(self, pen: Pen) -> None:
        _, group, chosen = self.value
        u = theme.u
        pen.panel(self.box, "accent" if chosen else "surface", 10 * u)
        icon_box, words = split_left(inset(self.box, 12 * u, 4 * u), 24 * u, 10 * u)
        ink = "accent_ink" if chosen else "text"
        pen.icon(group.icon, icon_box, ink)
        pen.text(words, f"{group.title} ({len(group.choices)})", 17, ink, True)

    def on_release(self) -> None:
        above: Any = self.parent
        while above is not None and not isinstance(above, EnteringView):
            above = above.parent
        if above is not None:
            above.at = self.value[0]


class SoFar(Painted):
    """The turn as entered."""

    def paint(self, pen: Pen) -> None:
        screen: EnteringScreen = self.value
        u = theme.u
        pen.panel(self.box, "surface", 12 * u)
        icon_box, words = split_left(inset(self.box, 12 * u, 4 * u), 28 * u, 10 * u)
        pen.icon(screen.player.mark, icon_box, screen.player.colour)
        pen.text(words, screen.so_far[:1].upper() + screen.so_far[1:], 19, "text", True, wrap=True)


load_kv("entering")

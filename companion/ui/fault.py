"""Something cannot be: what, the place on the picture, the rule, and how to put it right."""

from kivy.properties import ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.ui.kv import load_kv
from companion.ui.pen import Painted, Pen, inset, letter, split_left, split_right
from companion.ui.theme import theme
from companion.view.screens import FaultScreen


class FaultView(BoxLayout):
    screen = ObjectProperty(None, rebind=True)


class FaultHead(Painted):
    """The sentence that matters, with its sign."""

    def paint(self, pen: Pen) -> None:
        screen: FaultScreen = self.value
        u = theme.u
        pen.panel(self.box, screen.tone, 12 * u)
        sign, words = split_left(inset(self.box, 14 * u, 6 * u), 38 * u, 14 * u)
        pen.icon("fault" if screen.tone == "fault" else "question", sign, "mark_ink")
        if screen.more:
            more, words = split_right(words, min(150 * u, words[2] * 0.3), 12 * u)
            pen.text(more, screen.more, 16, "mark_ink", False, "right", wrap=True)
        pen.text(words, screen.headline, 22, "mark_ink", True, wrap=True)


class RuleView(Painted):
    """Rule and remedy, the remedy larger: it is what hands do next."""

    def paint(self, pen: Pen) -> None:
        screen: FaultScreen = self.value
        u = theme.u
        pen.panel(self.box, "surface", 12 * u)
        x, y, width, height = inset(self.box, 14 * u, 12 * u)
        top = y + height
        blocks = (
            (screen.remedy_title, "good", screen.remedy, 20, True, 0.55),
            (screen.rule_title, "muted", screen.rule, 17, False, 0.45),
        )
        for title, ink, text, units, bold, share in blocks:
            room = height * share - 26 * u
            pen.text((x, top - 22 * u, width, 22 * u), title, 15, ink, True)
            high = min(room, letter(text, width, room, theme.sp(units), bold, "left", True).size_px[1] + 1)
            pen.text(
                (x, top - 26 * u - high, width, high), text, units, "text", bold, valign="top", wrap=True
            )
            top -= height * share


class NoPicture(Painted):
    """Where it is, in words, when there is no picture."""

    def paint(self, pen: Pen) -> None:
        u = theme.u
        pen.panel(self.box, "surface", 12 * u)
        x, y, width, height = inset(self.box, 16 * u)
        side = min(64 * u, height * 0.4)
        pen.icon("off", (x, y + height * 0.55, width, side), "muted")
        pen.text((x, y, width, height * 0.5), self.value, 18, "text", False, "center", "top", wrap=True)


load_kv("fault")

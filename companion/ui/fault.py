"""Something cannot be: what, the place on the picture, the rule, and how to put it right."""

from typing import Final

from kivy.properties import ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.ui.kv import load_kv
from companion.ui.pen import Painted, Pen, inset, letter, split_left, split_right
from companion.ui.theme import TOUCH, theme
from companion.ui.widgets import Tap
from companion.view.screens import Choice, FaultScreen

# Units of a text, and whether it is bold.
_REMEDY: Final = (20, True)
_RULE: Final = (17, False)
_REMEDY_SHARE: Final = 0.55
# Units, by whether the screen stands upright.
_HIGHEST: Final = {False: 70, True: 150}


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
        share = self._share(screen, width, height)
        blocks = (
            (screen.remedy_title, "good", screen.remedy, *_REMEDY, share),
            (screen.rule_title, "muted", screen.rule, *_RULE, 1 - share),
        )
        for title, ink, text, units, bold, share in blocks:
            room = height * share - 26 * u
            pen.text((x, top - 22 * u, width, 22 * u), title, 15, ink, True)
            high = min(room, letter(text, width, room, theme.sp(units), bold, "left", True).size_px[1] + 1)
            pen.text(
                (x, top - 26 * u - high, width, high), text, units, "text", bold, valign="top", wrap=True
            )
            top -= height * share

    def _share(self, screen: FaultScreen, width: float, height: float) -> float:
        """What the remedy takes: a little more than half, unless one of the two needs more than that leaves it."""
        remedy, rule = (
            26 * theme.u
            + letter(text, width, None, theme.sp(units), bold, wrap=True, shrink=False).size_px[1]
            for text, (units, bold) in ((screen.remedy, _REMEDY), (screen.rule, _RULE))
        )
        fits = remedy <= _REMEDY_SHARE * height and rule <= (1 - _REMEDY_SHARE) * height
        return _REMEDY_SHARE if fits else remedy / (remedy + rule)


class MeantTap(Tap):
    """The legal turn that may have been meant, right below what to put right: one touch takes it for what was played."""

    def units_high(self, choice: Choice | None, width: float, _scale: float) -> float:
        """As high as the words need, so long as the picture and the rule keep their room; very long ones get smaller."""
        if choice is None:
            return 0.0
        words = letter(
            choice.text, width - 48 * theme.u, None, theme.sp(self.units), True, wrap=True, shrink=False
        )
        return float(max(TOUCH, min(_HIGHEST[theme.portrait], words.size_px[1] / theme.u + 16)))

    def narrow(self, choice: Choice) -> bool:
        """The sign stays beside the words, however long they are."""
        return False


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

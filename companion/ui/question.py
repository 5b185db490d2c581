"""One sentence and at most four answers, each with a drawing."""

from kivy.properties import ObjectProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.ui.kv import load_kv
from companion.ui.pen import Painted, Pen, inset, split_left, split_top
from companion.ui.theme import theme
from companion.ui.widgets import paint_glyphs, tap
from companion.view.screens import AnswerCard


class QuestionView(BoxLayout):
    screen = ObjectProperty(None, rebind=True)


class AnswerTap(ButtonBehavior, Painted):
    """An answer: large drawing, words below. Letters name the answers aloud."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.fbind("state", self._trigger)

    def paint(self, pen: Pen) -> None:
        card: AnswerCard = self.value
        u = theme.u
        box = inset(self.box, 2 * u) if self.state == "down" else self.box
        pen.panel(box, "raised", 14 * u)
        inside = inset(box, 14 * u, 10 * u)
        letter, inside = split_left(inside, 36 * u, 12 * u)
        pen.icon("disc", letter, "accent")
        pen.text(letter, "ABCD"[card.choice.value], 20, "accent_ink", True, "center", check_height=False)
        drawing, words = split_top(inside, inside[3] * 0.46, 4 * u)
        high = min(drawing[3], 54 * u)
        paint_glyphs(
            pen, (drawing[0], drawing[1] + drawing[3] - high, drawing[2], high), card.glyphs, 8, centre=False
        )
        pen.text(words, card.choice.text[:1].upper() + card.choice.text[1:], 20, "text", True, wrap=True)

    def on_release(self) -> None:
        tap(self, self.value.choice)


load_kv("question")

"""One sentence and at most four answers, each with a drawing."""

from typing import Final

from kivy.properties import ObjectProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.ui.kv import load_kv
from companion.ui.pen import Box, Painted, Pen, inset, split_left, split_top
from companion.ui.theme import theme
from companion.ui.widgets import paint_glyphs, tap
from companion.view.screens import AnswerCard

_WORDS: Final = 20


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
        inside = inset(box, 14 * u, 12 * u)
        if box[3] > 0.62 * box[2]:
            self._upright(pen, inside, card)
        else:
            self._across(pen, inside, card)

    def _upright(self, pen: Pen, box: Box, card: AnswerCard) -> None:
        """A tall card: the drawing in the middle, the words below it."""
        u = theme.u
        drawing, words = split_top(box, box[3] * 0.5, 6 * u)
        self._letter(pen, (drawing[0], drawing[1] + drawing[3] - 36 * u, 36 * u, 36 * u), card)
        high = min(drawing[3] - 36 * u, 64 * u)
        paint_glyphs(pen, (drawing[0], drawing[1], drawing[2], high), card.glyphs, 8)
        pen.text(words, _sentence(card), _WORDS, "text", True, "center", wrap=True)

    def _across(self, pen: Pen, box: Box, card: AnswerCard) -> None:
        """A wide card: the letter at the left, drawing and words beside it."""
        u = theme.u
        letter, rest = split_left(box, 36 * u, 12 * u)
        self._letter(pen, letter, card)
        drawing, words = split_top(rest, rest[3] * 0.5, 10 * u)
        high = min(drawing[3], 54 * u)
        paint_glyphs(pen, (*drawing[:3], high), card.glyphs, 8, centre=False)
        pen.text(words, _sentence(card), _WORDS, "text", True, valign="top", wrap=True)

    def _letter(self, pen: Pen, box: Box, card: AnswerCard) -> None:
        pen.icon("disc", box, "accent")
        pen.text(box, "ABCD"[card.choice.value], 20, "accent_ink", True, "center", check_height=False)

    def on_release(self) -> None:
        tap(self, self.value.choice)


def _sentence(card: AnswerCard) -> str:
    return card.choice.text[:1].upper() + card.choice.text[1:]


load_kv("question")

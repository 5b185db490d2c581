"""What was just played: the words, the places on the picture, and who is next."""

from typing import Final

from kivy.properties import ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.ui.kv import load_kv
from companion.ui.pen import Box, Painted, Pen, columns, inset, letter, rows, split_left, split_top
from companion.ui.theme import BODY, CAPTION, theme
from companion.ui.widgets import paint_player
from companion.view.screens import PlayerCard, Store, VerdictScreen

_SIZES: Final = (28, 25, 22, 20, 18)


class VerdictView(BoxLayout):
    screen = ObjectProperty(None, rebind=True)


class ScoresView(Painted):
    """All scores in one line, large; the player to play stands out."""

    def paint(self, pen: Pen) -> None:
        cards: tuple[PlayerCard, ...] = self.value
        u = theme.u
        lines = 2 if theme.portrait and len(cards) > 2 else 1
        cells = [
            cell
            for line in rows(self.box, lines, 8 * u)
            for cell in columns(line, -(-len(cards) // lines), 8 * u)
        ]
        for cell, card in zip(cells, cards, strict=False):
            pen.panel(cell, "raised" if card.to_play else "surface", 12 * u)
            if card.to_play:
                pen.panel((cell[0], cell[1] + 10 * u, 5 * u, cell[3] - 20 * u), card.player.colour, 2 * u)
            inside = inset(cell, 12 * u, 4 * u)
            score_wide = min(112 * u, inside[2] * 0.56)
            name, score = split_left(inside, inside[2] - score_wide, 0)
            mark, words = split_top(name, name[3] * 0.5)
            pen.icon(card.player.mark, (mark[0], mark[1], 26 * u, mark[3]), card.player.colour)
            pen.text(words, card.player.name, BODY, card.player.colour, True, elide=True)
            pen.text(
                score,
                str(card.score),
                78 / theme.text_scale,
                "text",
                True,
                "right",
                shrink=False,
                check_height=False,
            )


class PlayedView(Painted):
    """The turn, phrase by phrase, and what it was worth."""

    def paint(self, pen: Pen) -> None:
        screen: VerdictScreen = self.value
        u = theme.u
        pen.panel(self.box, "surface", 12 * u)
        inside = inset(self.box, 14 * u, 10 * u)
        head, body = split_top(inside, 34 * u, 4 * u)
        paint_player(pen, (head[0], head[1], head[2] - 90 * u, head[3]), screen.player, 22)
        if screen.gained:
            badge = (head[0] + head[2] - 84 * u, head[1], 84 * u, head[3])
            pen.icon("prestige", (badge[0], badge[1] + 2 * u, 28 * u, badge[3] - 4 * u), "gold")
            pen.text(
                (badge[0] + 34 * u, badge[1], 50 * u, badge[3]),
                screen.gained,
                28,
                "text",
                True,
                check_height=False,
            )
        reminders = min(len(screen.reminders), 1)
        foot = 46 * u * reminders
        x, y, width, height = body
        lines = (x, y + foot, width, height - foot)
        self._phrases(pen, lines, [phrase[:1].upper() + phrase[1:] for phrase in screen.lines])
        if reminders:
            note = (x, y, width, foot - 6 * u)
            pen.panel(note, "warn", 8 * u)
            pen.text(inset(note, 10 * u, 3 * u), screen.reminders[0], 16, "mark_ink", True, wrap=True)

    def _phrases(self, pen: Pen, box: Box, phrases: list[str]) -> None:
        """All as large as the longest of them allows: they are read across the table."""
        u = theme.u
        x, y, width, height = box
        gap, room = 10 * u, width - 20 * u
        for units in _SIZES:
            high = [
                letter(phrase, room, None, theme.sp(units), wrap=True, shrink=False).size_px[1]
                for phrase in phrases
            ]
            if sum(high) + gap * len(high) <= height:
                break
        else:
            high = [height / max(1, len(phrases)) - gap] * len(phrases)
        top = y + height
        for phrase, line in zip(phrases, high, strict=True):
            top -= gap / 2 + line
            first = letter("X", None, None, theme.sp(units)).size_px[1]
            pen.icon("disc", (x, top + line - first / 2 - 4 * u, 8 * u, 8 * u), "accent")
            pen.text((x + 20 * u, top, room, line), phrase, units, "text", wrap=True)
            top -= gap / 2


class PricesView(Painted):
    """The new prices of the Store in one line: what each cube sells for now."""

    def paint(self, pen: Pen) -> None:
        store: Store = self.value
        u = theme.u
        pen.panel(self.box, "surface", 12 * u)
        inside = inset(self.box, 12 * u, 4 * u)
        title, rest = split_left(inside, min(74 * u, inside[2] * 0.22), 6 * u)
        pen.text(title, store.sell, CAPTION + 2, "muted", True)
        for cell, column in zip(columns(rest, len(store.columns), 4 * u), store.columns, strict=True):
            cube, words = split_left(cell, 26 * u, 6 * u)
            pen.cube(column.resource, cube, column.letter)
            text = column.sell or "–"
            used = pen.text(words, text, 20, "text", True)
            if column.prestige:
                star = (words[0] + used + 5 * u, words[1], 16 * u, words[3])
                pen.icon("prestige", star, "accent")


load_kv("verdict")

"""History and past games: lists with a choice for each row."""

from typing import Final

from kivy.properties import ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.ui.kv import load_kv
from companion.ui.pen import Pen, columns, inset, split_left
from companion.ui.theme import theme
from companion.ui.widgets import TapRow, paint_player
from companion.view.screens import GameRow, HistoryRow

_SEATS: Final = 4  # games of fewer players leave places free: names stand below each other


class HistoryView(BoxLayout):
    screen = ObjectProperty(None, rebind=True)


class PastGamesView(BoxLayout):
    screen = ObjectProperty(None, rebind=True)


class HistoryRowView(TapRow):
    """One turn: number, player, words, what it was worth, all scores after it."""

    def paint(self, pen: Pen) -> None:
        row: HistoryRow = self.value
        u = theme.u
        pen.panel(self.box, "raised" if row.select.chosen else "surface", 10 * u)
        if row.select.chosen:
            pen.outline(inset(self.box, 1.5 * u), "accent", 2, 9 * u)
        ink = "muted" if row.undone else "text"
        number, rest = split_left(inset(self.box, 10 * u, 4 * u), 34 * u, 4 * u)
        if row.undone or row.unfit:
            pen.icon(
                "undo" if row.undone else "fault", inset(number, 7 * u, 0), "muted" if row.undone else "fault"
            )
        else:
            pen.text(number, str(row.number), 15, "muted", False, "center")
        mark, rest = split_left(rest, 28 * u, 10 * u)
        if row.player:
            pen.icon(row.player.mark, mark, row.player.colour)
        side = 142 * u
        words, scores = split_left(rest, rest[2] - side, 8 * u)
        pen.text(words, row.text[:1].upper() + row.text[1:], 17, ink, wrap=True)
        gained, total = split_left(scores, 34 * u, 0)
        pen.text(gained, row.gained, 19, "good", True)
        pen.text(total, row.scores, 15, "muted", False, "right")


class GameRowView(TapRow):
    """One game: when, how long, and how it ended."""

    def paint(self, pen: Pen) -> None:
        row: GameRow = self.value
        u = theme.u
        pen.panel(self.box, "raised" if row.select.chosen else "surface", 10 * u)
        if row.select.chosen:
            pen.outline(inset(self.box, 1.5 * u), "accent", 2, 9 * u)
        when, result = split_left(inset(self.box, 14 * u, 6 * u), min(170 * u, self.width * 0.36), 10 * u)
        x, y, width, height = when
        pen.text((x, y + height / 2, width, height / 2), row.title, 16, "text", True)
        pen.text((x, y, width, height / 2), row.detail, 14, "muted")
        best = max((score for _, score in row.players), default=0)
        count = len(row.players)
        half = 2 if self.width < 500 * u else _SEATS
        lines = -(-count // half)
        for at, (player, score) in enumerate(row.players):
            line = (
                result[0],
                result[1] + result[3] * (lines - 1 - at // half) / lines,
                result[2],
                result[3] / lines,
            )
            cell = tuple(columns(line, half, 8 * u))[at % half]
            points, name = split_left(cell, 30 * u, 8 * u)
            pen.text(points, str(score), 22, "text", score == best, "right", check_height=False)
            paint_player(pen, name, player, 16, bold=score == best)


load_kv("lists")

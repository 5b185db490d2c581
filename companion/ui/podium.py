"""The end of the game: who won and why, how it went, and a code to take home."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from kivy.graphics import Rectangle
from kivy.graphics.texture import Texture
from kivy.properties import ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.ui.icons import white
from companion.ui.kv import load_kv
from companion.ui.pen import Box, Painted, Pen, columns, inset, letter, rows, split_left, split_top
from companion.ui.theme import theme
from companion.ui.widgets import paint_player
from companion.view.screens import Curve, Place, PodiumScreen


class PodiumView(BoxLayout):
    screen = ObjectProperty(None, rebind=True)


class WinnerView(Painted):
    """The winner, and in words what decided it."""

    def paint(self, pen: Pen) -> None:
        screen: PodiumScreen = self.value
        u = theme.u
        pen.panel(self.box, "raised", 12 * u)
        cup, words = split_left(inset(self.box, 14 * u, 6 * u), 48 * u, 16 * u)
        pen.icon("trophy", cup, "gold")
        top, bottom = split_top(words, words[3] * 0.56)
        pen.text(top, screen.headline, 30, "text", True)
        pen.text(bottom, screen.decided, 18, "text", wrap=True)


class PlacesView(Painted):
    """Every player's place, score, and where the prestige came from."""

    _icons: Sequence[str] = ()

    def paint(self, pen: Pen) -> None:
        screen: PodiumScreen = self.value
        u = theme.u
        pen.panel(self.box, "surface", 12 * u)
        inside = inset(self.box, 12 * u, 8 * u)
        legend = 24 * u if any(place.sources for place in screen.places) else 0
        body = (inside[0], inside[1] + legend, inside[2], inside[3] - legend)
        best = max([1, *(place.score for place in screen.places)])
        given = {icon for place in screen.places for icon, _ in place.sources}
        self._icons = [icon for icon, _ in screen.sources if icon in given]
        cells = rows(body, max(len(screen.places), 3), 4 * u)
        for cell, place in zip(cells, screen.places, strict=False):
            self._place(pen, cell, place, best)
        if legend:
            self._legend(pen, (inside[0], inside[1], inside[2], legend - 4 * u), screen)

    def _place(self, pen: Pen, box: Box, place: Place, best: int) -> None:
        u = theme.u
        rank, rest = split_left(box, 30 * u, 4 * u)
        pen.text(rank, f"{place.rank}.", 22, "muted", True)
        score, rest = split_left(rest, 54 * u, 10 * u)
        pen.text(score, str(place.score), 38, "text", True, "right", check_height=False)
        top, bottom = split_top(rest, rest[3] * 0.48)
        used = paint_player(pen, top, place.player, 19)
        detail = (top[0] + used + 10 * u, top[1], top[2] - used - 10 * u, top[3])
        if letter(place.detail, detail[2], None, theme.sp(14)).fits:
            pen.text(detail, place.detail, 14, "muted")
        amounts, bar = split_top(bottom, bottom[3] - 9 * u, 2 * u)
        self._amounts(pen, amounts, place)
        self._bar(pen, bar, place, best)

    def _amounts(self, pen: Pen, box: Box, place: Place) -> None:
        """What each source gave, one below the other over all players."""
        u = theme.u
        points = dict(place.sources)
        for cell, icon in zip(columns(box, len(self._icons)), self._icons, strict=True):
            side = min(17 * u, cell[3])
            sign, words = split_left(cell, side, 4 * u)
            given = points.get(icon, 0)
            pen.icon(icon, sign, place.player.colour if given else "line")
            pen.text(
                words,
                str(given) if given else "–",
                16,
                "text" if given else "muted",
                bool(given),
                check_height=False,
            )

    def _bar(self, pen: Pen, box: Box, place: Place, best: int) -> None:
        """The same as lengths, in the order of the amounts."""
        u = theme.u
        x, y, width, height = box
        unit = width / best
        for _, points in place.sources:
            pen.panel((x, y, points * unit - 2 * u, min(height, 6 * u)), place.player.colour, 2 * u)
            x += points * unit

    def _legend(self, pen: Pen, box: Box, screen: PodiumScreen) -> None:
        u = theme.u
        shown = [(icon, name) for icon, name in screen.sources if icon in self._icons]
        lengths = [letter(name, None, None, theme.sp(13)).size_px[0] + 27 * u for _, name in shown]
        squeeze = min(1.0, box[2] / sum(lengths))
        at = box[0]
        for (icon, name), length in zip(shown, lengths, strict=True):
            icon_box, words = split_left((at, box[1], length * squeeze, box[3]), 15 * u, 4 * u)
            pen.icon(icon, icon_box, "muted")
            pen.text((words[0], words[1], words[2] - 5 * u, words[3]), name, 13, "muted")
            at += length * squeeze


class CurveView(Painted):
    """The scores over the turns. Lines end in the player's mark; the turning point is a dotted line."""

    def paint(self, pen: Pen) -> None:
        screen: PodiumScreen = self.value
        curve: Curve = screen.curve
        u = theme.u
        pen.panel(self.box, "surface", 12 * u)
        inside = inset(self.box, 12 * u, 8 * u)
        head, body = split_top(inside, 24 * u, 2 * u)
        pen.text(head, screen.curve_title, 16, "text", True)
        foot = 40 * u
        x, y, width, height = body
        pen.text((x, y, width, foot - 6 * u), screen.turning, 14, "muted", wrap=True)
        plot = (x + 20 * u, y + foot, width - 46 * u, height - foot - 4 * u)
        steps = max(1, max((len(points) for _, points in curve.lines), default=1) - 1)
        top = max([curve.goal, *(max(points) for _, points in curve.lines if points)])
        px, py, pw, ph = plot
        goal = py + ph * curve.goal / top
        pen.line((px, py, px + pw, py), "line", 0.8)
        pen.line((px, goal, px + pw, goal), "accent", 0.8)
        pen.text(
            (x - 4 * u, goal - 8 * u, 20 * u, 16 * u), str(curve.goal), 13, "accent", True, check_height=False
        )
        if curve.turning is not None:
            at = px + pw * curve.turning / steps
            for dash in range(0, int(ph), max(1, int(8 * u))):
                pen.line((at, py + dash, at, min(py + ph, py + dash + 4 * u)), "muted", 0.8)
        ends: list[tuple[float, float, str, str]] = []
        for player, points in curve.lines:
            if len(points) > 1:
                path = [
                    value
                    for n, score in enumerate(points)
                    for value in (px + pw * n / steps, py + ph * score / top)
                ]
                pen.line(path, player.colour, 1.6)
                ends.append((path[-2], path[-1], player.mark, player.colour))
        self._ends(pen, ends, py)

    def _ends(self, pen: Pen, ends: list[tuple[float, float, str, str]], bottom: float) -> None:
        side = 20 * theme.u
        lowest = bottom - side / 2
        for x, y, mark, colour in sorted(ends, key=lambda end: end[1]):
            lowest = max(lowest + side * 0.0, y - side / 2, lowest)
            pen.icon(mark, (x + 4 * theme.u, lowest, side, side), colour)
            lowest += side


class QrView(Painted):
    """A code for a phone: dark on light in every theme, or no phone reads it."""

    def paint(self, pen: Pen) -> None:
        screen: PodiumScreen = self.value
        if not screen.qr:
            return
        u = theme.u
        pen.panel(self.box, "surface", 12 * u)
        words = 38 * u
        inside = inset(self.box, 8 * u)
        side = min(inside[2], inside[3] - words)
        x, y = inside[0] + (inside[2] - side) / 2, inside[1] + words + (inside[3] - words - side) / 2
        pen.panel((x, y, side, side), (1, 1, 1, 1), 4 * u)
        module = max(1, int((side - 12 * u) // len(screen.qr)))
        across = module * len(screen.qr)
        corner = (side - across) / 2
        pen.ink((0, 0, 0, 1))
        Rectangle(
            texture=_code(screen.qr, module),
            pos=(round(x + corner), round(y + corner)),
            size=(across, across),
        )
        pen.text(
            (inside[0], inside[1], inside[2], words - 4 * u),
            screen.qr_text,
            14,
            "muted",
            False,
            "center",
            wrap=True,
        )


@lru_cache(maxsize=4)
def _code(lines: tuple[str, ...], module_px: int) -> Texture:
    """The dark dots of a code, each of them so many pixels wide."""
    dots = np.array([[255 * (dot == "1") for dot in line] for line in lines], np.uint8)
    return white(np.kron(dots, np.ones((module_px, module_px), np.uint8)))


load_kv("podium")

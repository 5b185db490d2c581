"""Boards drawn as values say: the start position at set-up, what belongs where when pieces are put back."""

import math
from typing import Any, Final

from kivy.properties import ListProperty, ObjectProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.ui.kv import load_kv
from companion.ui.pen import Box, Painted, Pen, inset, letter, split_left, split_top
from companion.ui.theme import theme
from companion.ui.widgets import Tabbed, paint_glyph, paint_glyphs, tap
from companion.view.screens import BoardDrawing, BoardPiece, Choice, Glyph

INKS: Final = {"right": "line", "missing": "accent", "wrong": "fault", "extra": "warn"}
_FINGER: Final = 24  # units: half of what a finger covers
SIGNS: Final = {"missing": "plus", "wrong": "fault", "extra": "minus", "right": "check"}


class CheckView(BoxLayout):
    """Set-up and restoring: a board, what is wrong with it in words, and what to do."""

    screen = ObjectProperty(None, rebind=True)

    def lines(self, screen: Any) -> list[tuple[str, str]]:
        """What is wrong; when nothing is, that it is all right."""
        all_right = getattr(screen, "all_right", "")
        return list(screen.lines) or ([("right", all_right)] if all_right else [])


class BoardTabs(Tabbed):
    """One board at a time, as large as it goes; a tab for each."""

    boards = ListProperty()

    def shown(self, boards: list[BoardDrawing], at: int) -> BoardDrawing | None:
        return boards[min(at, len(boards) - 1)] if boards else None

    def titles(self, boards: list[BoardDrawing], at: int) -> list[tuple[int, BoardDrawing, bool]]:
        chosen = min(at, len(boards) - 1)
        return [(number, board, number == chosen) for number, board in enumerate(boards)]

    def turn_to(self, number: int) -> None:
        self.at = number


class BoardTab(ButtonBehavior, Painted):
    """The name of a board, with how many pieces on it are not right."""

    def paint(self, pen: Pen) -> None:
        _, board, chosen = self.value
        u = theme.u
        pen.panel(self.box, "accent" if chosen else "raised", 10 * u)
        inside = inset(self.box, 4 * u, 3 * u)
        if board.player:
            icon_box, inside = split_top(inside, 21 * u)
            pen.icon(board.player.mark, icon_box, "accent_ink" if chosen else board.player.colour)
        wrong = sum(piece.state != "right" for piece in board.pieces)
        ink = "accent_ink" if chosen else "text"
        x, y, width, height = inside
        count = f" ({wrong})" if wrong else ""
        behind = letter(count, None, None, theme.sp(15), True).size_px[0] if count else 0.0
        room = width - behind
        name = min(room, letter(board.title, None, None, theme.sp(15), True).size_px[0])
        start = x + (room - name) / 2
        used = pen.text((start, y, name + 1, height), board.title, 15, ink, True, elide=True)
        pen.text((start + used, y, behind + 1, height), count, 15, ink, True, check_height=False)

    def on_release(self) -> None:
        above: Any = self.parent
        while above is not None and not isinstance(above, BoardTabs):
            above = above.parent
        if above is not None:
            above.turn_to(self.value[0])


class BoardView(ButtonBehavior, Painted):
    """A board from above. What is not right stands out by its frame and sign, not by colour alone."""

    def __init__(self, **kwargs: Any) -> None:
        self._spots: list[tuple[Box, BoardPiece]] = []
        super().__init__(**kwargs)

    def paint(self, pen: Pen) -> None:
        board: BoardDrawing = self.value
        u = theme.u
        pen.panel(self.box, "surface", 12 * u)
        boxes = [piece.rect_mm for piece in board.pieces] + [(0.0, 0.0, *board.size_mm)]
        left, top = min(r[0] for r in boxes), min(r[1] for r in boxes)
        wide = max(r[0] + r[2] for r in boxes) - left
        high = max(r[1] + r[3] for r in boxes) - top
        room = inset(self.box, 10 * u)
        scale = min(room[2] / wide, room[3] / high)
        x0 = room[0] + (room[2] - wide * scale) / 2
        y0 = room[1] + (room[3] + high * scale) / 2

        def to_px(rect: tuple[float, float, float, float]) -> Box:
            x, y, width, height = rect
            return x0 + (x - left) * scale, y0 - (y - top + height) * scale, width * scale, height * scale

        outline = to_px((0.0, 0.0, *board.size_mm))
        pen.panel(outline, "background", 8 * u)
        if board.player:
            pen.outline(outline, board.player.colour, 1.5, 8 * u)
        self._spots = [(to_px(piece.rect_mm), piece) for piece in board.pieces]
        for spot, piece in sorted(self._spots, key=lambda found: found[1].state != "right"):
            self._piece(pen, spot, piece)

    def _piece(self, pen: Pen, spot: Box, piece: BoardPiece) -> None:
        u = theme.u
        pen.panel(spot, "raised" if piece.glyphs else "surface", 4 * u)
        paint_pair(pen, inset(spot, 2 * u), piece.glyphs)
        if piece.state == "right":
            return
        pen.outline(inset(spot, -1.5 * u), INKS[piece.state], 3.2, 5 * u)
        side = 18 * u
        sign = (spot[0] + spot[2] - side * 0.6, spot[1] + spot[3] - side * 0.6, side, side)
        pen.icon("disc", sign, INKS[piece.state])
        pen.icon(SIGNS[piece.state], inset(sign, side * 0.22), "mark_ink")

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is self and self.collide_point(*touch.pos):
            choice = self.under(*touch.pos)
            if choice is not None:
                tap(self, choice)
        return bool(super().on_touch_up(touch))

    def under(self, x: float, y: float) -> Choice | None:
        """What a finger means: the nearest piece that can be told, for pieces are smaller than fingertips."""
        near = [(_apart(spot, x, y), piece.choice) for spot, piece in self._spots if piece.choice is not None]
        apart, choice = min(near, key=lambda found: found[0], default=(0.0, None))
        return choice if apart <= _FINGER * theme.u else None


def paint_pair(pen: Pen, box: Box, glyphs: tuple[Glyph, ...]) -> None:
    """What lies in a slot; two in a square place stand across its corners, larger than side by side."""
    x, y, width, height = box
    if len(glyphs) != 2 or width > 1.4 * height:
        paint_glyphs(pen, box, glyphs, 2)
        return
    side = 0.62 * min(width, height)
    paint_glyph(pen, (x, y + height - side, side, side), glyphs[0])
    paint_glyph(pen, (x + width - side, y, side, side), glyphs[1])


def _apart(box: Box, x: float, y: float) -> float:
    """How far a point is from a box; 0 inside."""
    left, bottom, width, height = box
    return math.hypot(max(left - x, 0, x - left - width), max(bottom - y, 0, y - bottom - height))


class LineView(Painted):
    """What is wrong with one piece, in words."""

    def paint(self, pen: Pen) -> None:
        state, words = self.value
        u = theme.u
        icon_box, rest = split_left(self.box, 22 * u, 8 * u)
        pen.icon("disc", icon_box, INKS[state] if state != "right" else "good")
        pen.icon(SIGNS[state], inset(icon_box, 5 * u, 5 * u), "mark_ink")
        pen.text(rest, words, 16, "text", wrap=True)


load_kv("boards")

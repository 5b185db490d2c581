"""Painting by hand: dense panels are one widget that paints itself, not fifty labels that lay themselves out.

Boxes are `(x, y, width, height)` in pixels, y up, as Kivy has them.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.graphics import BorderImage, Color, Rectangle, SmoothLine
from kivy.graphics.texture import Texture
from kivy.properties import ObjectProperty
from kivy.uix.widget import Widget

from companion.ui.icons import corners, icon
from companion.ui.theme import CAPTION, theme

Box = tuple[float, float, float, float]
Ink = str | Sequence[float]

# A sentence that is too long may become this much smaller before it counts as clipped …
_SMALLEST = 0.72
_SHRINK = 0.93
# … but never smaller than this (2.1 mm on the 7-inch screen).
SMALLEST_UNITS = 11
# The last line of a short text is lonely below this share of its place.
_LONELY = 0.3
_FEW_LINES = 4
_GLUE = "\N{NO-BREAK SPACE}"
_NUMBERED = re.compile(r"(\w) (\d+(?: ?[:,;.)…]|$))")
_COUNTED = re.compile(r"(\b\d+) (?=\w)")
_COLON = re.compile(r" ([:;?!])")


@dataclass(frozen=True)
class Clipped:
    """A text that does not fit its box, for the test that looks for them."""

    text: str
    wanted_px: tuple[float, float]
    box_px: tuple[float, float]


@dataclass(frozen=True)
class Lettering:
    """A text laid out: the texture, the size it took, and whether all of it is there."""

    texture: Texture
    size_px: tuple[float, float]
    fits: bool
    font_px: int


def letter(
    text: str,
    width_px: float | None,
    height_px: float | None,
    font_px: float,
    bold: bool = False,
    halign: str = "left",
    wrap: bool = False,
    shrink: bool = True,
) -> Lettering:
    """Lays a text out into a box, smaller if it must be."""
    smallest = min(font_px, max(font_px * _SMALLEST, SMALLEST_UNITS * theme.u)) if shrink else font_px
    size = font_px
    while True:
        laid = _lay_out(
            text, round(width_px) if wrap and width_px else None, max(1, round(size)), bold, halign
        )
        fits = (width_px is None or (laid.size_px[0] <= width_px + 1 and laid.fits)) and (
            height_px is None or laid.size_px[1] <= height_px + 1
        )
        if fits or size <= smallest:
            return Lettering(laid.texture, laid.size_px, fits, laid.font_px)
        size = max(smallest, size * _SHRINK)


@lru_cache(maxsize=2048)
def _lay_out(text: str, wrap_px: int | None, font_px: int, bold: bool, halign: str) -> Lettering:
    text = _glued(text)
    label = CoreLabel(text=text, font_size=font_px, bold=bold, halign=halign, line_height=1.05)
    if wrap_px is None or ("\n" not in text and label.get_extents(text)[0] <= wrap_px):
        label.refresh()
        return Lettering(label.texture, label.texture.size, True, font_px)
    if any(label.get_extents(word)[0] > wrap_px for word in text.split(" ")):
        text = label.text = text.replace(_GLUE, " ")
    # With grace: Kivy counts the space behind a word, and words side by side are not always as wide as their sum.
    grace = int(label.get_extents(" ")[0]) + 2
    line_px = _even(
        text, wrap_px, halign == "center", lambda words: float(label.get_extents(words)[0]), grace
    )
    label.options["text_size"] = (line_px, None)
    label.text_size = (line_px, None)
    # A word wider than the line would be broken anywhere: that is clipping too.
    words_fit = all(label.get_extents(word)[0] <= wrap_px for word in text.split(" "))
    label.refresh()
    return Lettering(label.texture, label.texture.size, words_fit, font_px)


def _glued(text: str) -> str:
    """A number stays with the word it counts or numbers, a French colon with the word before it.

    >>> _glued("Diver space 2: put 1 metal from 3 rows").replace(_GLUE, "_")
    'Diver space_2: put 1_metal from 3_rows'
    """
    text = _NUMBERED.sub(rf"\1{_GLUE}\2", text)
    text = _COUNTED.sub(rf"\1{_GLUE}", text)
    return _COLON.sub(rf"{_GLUE}\1", text)


def _even(text: str, wrap_px: int, always: bool, wide: Callable[[str], float], grace: int = 0) -> int:
    """The width to break a text at: narrower than its place when a word would be left alone in the last line.

    >>> _even("one two three four", 14, False, len)
    10
    >>> _even("one two three", 8, False, len)
    8
    """
    words = text.split(" ")
    lengths, space = [wide(word) for word in words], wide("a a") - wide("aa")
    if "\n" in text or max(lengths) > wrap_px:
        return wrap_px
    lines = _broken(lengths, space, wrap_px)
    if len(lines) > _FEW_LINES or not (always or lines[-1] < _LONELY * wrap_px):
        return wrap_px
    narrowest, widest = math.ceil(max(lengths)), wrap_px
    while narrowest < widest:
        middle = (narrowest + widest) // 2
        if len(_broken(lengths, space, middle)) > len(lines):
            narrowest = middle + 1
        else:
            widest = middle
    return min(wrap_px, widest + grace)


def _broken(lengths: Sequence[float], space: float, wrap_px: float) -> list[float]:
    """How long the lines are when as many words as fit go on each."""
    lines: list[float] = []
    for length in lengths:
        if lines and lines[-1] + space + length <= wrap_px:
            lines[-1] += space + length
        else:
            lines.append(length)
    return lines


@dataclass
class Pen:
    """Draws onto the canvas that is open; gathers what did not fit."""

    clipped: list[Clipped] = field(default_factory=list)
    _ink: tuple[float, ...] | None = None

    def ink(self, colour: Ink, alpha: float = 1.0) -> None:
        """What is drawn from now on has this colour."""
        wanted = tuple(theme.colour(colour, alpha) if isinstance(colour, str) else colour)
        if wanted != self._ink:
            self._ink = wanted
            Color(*wanted)

    def panel(self, box: Box, colour: Ink, radius: float | None = None, alpha: float = 1.0) -> None:
        x, y, width, height = box
        if width <= 0 or height <= 0:
            return
        self.ink(colour, alpha)
        x, y, width, height = round(x), round(y), round(width), round(height)
        corner = int(min(radius if radius is not None else 10 * theme.u, width / 2, height / 2))
        if corner < 1:
            Rectangle(pos=(x, y), size=(width, height))
        else:
            # One stretched texture: a rounded shape of its own would be drawn from dozens of triangles.
            BorderImage(texture=corners(corner), pos=(x, y), size=(width, height), border=(corner,) * 4)

    def outline(self, box: Box, colour: Ink, width: float = 1.5, radius: float | None = None) -> None:
        x, y, wide, high = box
        self.ink(colour)
        corner = min(radius if radius is not None else 10 * theme.u, wide / 2, high / 2)
        SmoothLine(
            rounded_rectangle=(x, y, wide, high, max(1.0, corner), 12), width=max(1.0, width * theme.u * 0.7)
        )

    def line(self, points: Sequence[float], colour: Ink, width: float = 1.0, close: bool = False) -> None:
        self.ink(colour)
        SmoothLine(
            points=list(points), width=max(1.0, width * theme.u), close=close, joint="round", cap="round"
        )

    def icon(self, name: str, box: Box, colour: Ink, alpha: float = 1.0) -> None:
        """An icon centred in the box, as large as fits."""
        x, y, width, height = box
        side = max(4, int(min(width, height)))
        self.ink(colour, alpha)
        Rectangle(
            texture=icon(name, side),
            pos=(round(x + (width - side) / 2), round(y + (height - side) / 2)),
            size=(side, side),
        )

    def text(
        self,
        box: Box,
        text: str,
        units: float,
        colour: Ink = "text",
        bold: bool = False,
        halign: Literal["left", "center", "right"] = "left",
        valign: Literal["top", "middle", "bottom"] = "middle",
        wrap: bool = False,
        shrink: bool = True,
        check_height: bool = True,
        elide: bool = False,
    ) -> float:
        """A text in a box; returns the width it took. With `elide`, for names, what is too long ends in dots."""
        if not text:
            return 0.0
        x, y, width, height = box
        laid = letter(
            text, width, height if check_height else None, theme.sp(units), bold, halign, wrap, shrink
        )
        if not laid.fits and elide and len(text) > 2:
            return self.text(
                box,
                text.rstrip("…")[:-1].rstrip() + "…",
                units,
                colour,
                bold,
                halign,
                valign,
                wrap,
                shrink,
                check_height,
                True,
            )
        if not laid.fits:
            self.clipped.append(Clipped(text, laid.size_px, (width, height)))
        wide, high = laid.size_px
        left = {"left": x, "center": x + (width - wide) / 2, "right": x + width - wide}[halign]
        bottom = {"top": y + height - high, "middle": y + (height - high) / 2, "bottom": y}[valign]
        self.ink(colour)
        # Letters are drawn into their texture now: in the middle of a frame everything drawn so far would be finished first.
        laid.texture.bind()
        Rectangle(texture=laid.texture, pos=(round(left), round(bottom)), size=laid.texture.size)
        return wide

    def cube(self, resource: str, box: Box, mark: str, faint: bool = False) -> None:
        """A cube of a resource: its shape, its colour and its letter."""
        x, y, width, height = box
        side = min(width, height)
        square = (x + (width - side) / 2, y + (height - side) / 2, side, side)
        if faint:
            self.icon(resource, square, "line")
            return
        edge = "cube_edge_dark" if resource == "fuel" else "cube_edge"
        self.icon(resource, square, edge)
        rim = max(1.5, side * 0.07)
        self.icon(resource, inset(square, rim), resource)
        nudge = -0.06 * side if resource == "fuel" else 0.0
        units = side / theme.u / theme.text_scale * (0.5 if len(mark) == 1 else 0.4)
        sx, sy, _, _ = square
        self.text(
            (sx, sy + nudge, side, side), mark, units, edge, True, "center", shrink=False, check_height=False
        )


class Painted(Widget):
    """A widget that paints `value` in `paint`, again only when the value, the size or the theme changes."""

    value = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: Any) -> None:
        self.clipped: list[Clipped] = []
        self._stale = False
        self._trigger = Clock.create_trigger(self._repaint, -1)
        super().__init__(**kwargs)
        for name in ("value", "pos", "size"):
            self.fbind(name, self._trigger)
        # Through a trigger, which holds its widget weakly: the theme outlives every view.
        self._dress = Clock.create_trigger(self._dressed, -1)
        for name in ("u", "name", "text_scale"):
            theme.fbind(name, self._dress)
        self.fbind("parent", self.repaint_if_stale)
        self._trigger()

    def _dressed(self, *_: object) -> None:
        """Another theme: at once where it is seen, else when the view comes up again (`repaint_if_stale`)."""
        if self.get_parent_window() is None:
            self._stale = True
        else:
            self._trigger()

    def repaint_if_stale(self, *_: object) -> None:
        if self._stale:
            self._trigger()

    def _repaint(self, *_: object) -> None:
        self.canvas.clear()
        self.clipped = []
        self._stale = False
        if self.value is None or self.width <= 1 or self.height <= 1:
            return
        pen = Pen()
        with self.canvas:
            self.paint(pen)
        self.clipped = pen.clipped

    def paint(self, pen: Pen) -> None:
        """Draws `self.value` inside `self.box`."""
        raise NotImplementedError

    @property
    def box(self) -> Box:
        return self.x, self.y, self.width, self.height


def inset(box: Box, by: float, by_y: float | None = None) -> Box:
    x, y, width, height = box
    up = by if by_y is None else by_y
    return x + by, y + up, width - 2 * by, height - 2 * up


def columns(box: Box, count: int, gap: float = 0.0) -> Iterator[Box]:
    """A box cut into equal columns, left to right."""
    x, y, width, height = box
    wide = (width - gap * (count - 1)) / max(1, count)
    return ((x + at * (wide + gap), y, wide, height) for at in range(count))


def rows(box: Box, count: int, gap: float = 0.0) -> Iterator[Box]:
    """A box cut into equal rows, top to bottom."""
    x, y, width, height = box
    high = (height - gap * (count - 1)) / max(1, count)
    return ((x, y + height - (at + 1) * high - at * gap, width, high) for at in range(count))


def split_left(box: Box, width: float, gap: float = 0.0) -> tuple[Box, Box]:
    """A box of this width at the left, and the rest."""
    x, y, wide, high = box
    return (x, y, width, high), (x + width + gap, y, wide - width - gap, high)


def split_right(box: Box, width: float, gap: float = 0.0) -> tuple[Box, Box]:
    """A box of this width at the right, and the rest."""
    x, y, wide, high = box
    return (x + wide - width, y, width, high), (x, y, wide - width - gap, high)


def split_top(box: Box, height: float, gap: float = 0.0) -> tuple[Box, Box]:
    """A box of this height at the top, and the rest."""
    x, y, wide, high = box
    return (x, y + high - height, wide, height), (x, y, wide, high - height - gap)


def caption_height() -> float:
    return float(theme.sp(CAPTION) * 1.3)

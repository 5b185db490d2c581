"""The few widgets all screens are made of. Each shows one value; none knows a rule."""

from collections.abc import Iterator
from typing import Any, cast

from kivy.properties import BooleanProperty, ListProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.layout import Layout
from kivy.uix.recycleview import RecycleView
from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget

from companion.ui.kv import load_kv
from companion.ui.pen import Box, Painted, Pen, inset, letter, split_left
from companion.ui.theme import BODY, CAPTION, GAP, TITLE, TOUCH, theme
from companion.view.screens import Bar, Choice, Glyph, Player

TONES = {  # tone -> (ground, ink)
    "plain": ("raised", "text"),
    "strong": ("accent", "accent_ink"),
    "quiet": ("surface", "muted"),
    "warn": ("surface", "fault"),
}


class Tap(ButtonBehavior, Painted):
    """A button: paints a Choice, and tells the shell above it when a finger lets go."""

    units = NumericProperty(BODY)
    stacked = BooleanProperty(False)  # the icon above the text

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for name in ("state", "stacked"):
            self.fbind(name, self._trigger)

    def paint(self, pen: Pen) -> None:
        choice: Choice = self.value
        ground, ink = TONES[choice.tone]
        if choice.chosen:
            ground, ink = "accent", "accent_ink"
        if not choice.enabled:
            ground, ink = "background", "muted"
        box = self.box
        if self.state == "down" and choice.enabled:
            box = inset(box, 2 * theme.u)
        pen.panel(box, ground)
        if choice.tone == "warn" and choice.enabled:
            pen.outline(inset(box, 1.5 * theme.u), "fault")
        self._paint_words(pen, choice, box, ink)

    def _paint_words(self, pen: Pen, choice: Choice, box: Box, ink: str) -> None:
        inside = inset(box, 8 * theme.u, 4 * theme.u)
        if not choice.icon:
            pen.text(inside, choice.text, self.units, ink, True, "center", wrap=True)
        elif not choice.text:
            pen.icon(choice.icon, _centred(box, 24 * theme.u), ink)
        elif self.stacked or self.narrow(choice):
            self._above(pen, choice, inside, ink)
        else:
            side, gap = 22 * theme.u * self.units / BODY, 10 * theme.u
            _, words = split_left(inside, side, gap)
            laid = letter(choice.text, words[2], words[3], theme.sp(self.units), True, "left", True)
            start = inside[0] + max(0.0, (inside[2] - side - gap - laid.size_px[0]) / 2)
            pen.icon(choice.icon, (start, inside[1], side, inside[3]), ink)
            rest = (start + side + gap, inside[1], inside[0] + inside[2] - start - side - gap, inside[3])
            pen.text(rest, choice.text, self.units, ink, True, "left", wrap=True)

    def _above(self, pen: Pen, choice: Choice, inside: Box, ink: str) -> None:
        """The icon above the words, both in the middle."""
        x, y, width, height = inside
        side = min(height * 0.5, 44 * theme.u)
        gap = min(10 * theme.u, height * 0.06)
        room = height - side - gap
        laid = letter(choice.text, width, room, theme.sp(self.units), True, "center", True)
        if not laid.fits:
            # Words matter more than their icon.
            pen.text(inside, choice.text, self.units, ink, True, "center", wrap=True)
            return
        words = laid.size_px[1]
        spare = max(0.0, room - words) / 2
        pen.icon(choice.icon, (x, y + height - spare - side, width, side), ink)
        low = (x, y + spare - 1, width, min(room, words) + 2)
        pen.text(low, choice.text, self.units, ink, True, "center", wrap=True)

    def narrow(self, choice: Choice) -> bool:
        return self.height >= 46 * theme.u and self.narrow_at(choice, self.width)

    def narrow_at(self, choice: Choice, width: float) -> bool:
        """Whether the words would have to shrink or break beside the icon."""
        if not (choice.icon and choice.text):
            return False
        room = width - 48 * theme.u
        return not letter(choice.text, room, None, theme.sp(self.units), True, shrink=False).fits

    def on_release(self) -> None:
        if self.value is not None and self.value.enabled:
            tap(self, self.value)


class ChoiceRow(BoxLayout):
    """The choices at the foot of a screen, the strongest at the right, where the thumb is.

    When one of them has to stand below its icon, all do.
    """

    value = ListProperty()

    def on_value(self, *_: object) -> None:
        self._trigger_layout()

    def do_layout(self, *args: Any, **kwargs: Any) -> None:
        super().do_layout(*args, **kwargs)
        taps = [child for child in self.walk(restrict=True) if isinstance(child, Tap)]
        wide = (self.width - (len(taps) - 1) * GAP * theme.u) / max(1, len(taps))
        stacked = any(child.value is not None and child.narrow_at(child.value, wide) for child in taps)
        for child in taps:
            child.stacked = stacked


def tap(source: Widget, choice: Choice) -> None:
    """Tells the nearest ancestor that listens (`chosen`) what a finger chose."""
    above = source.parent
    while above is not None:
        listen = getattr(above, "chosen", None)
        if callable(listen):
            listen(choice)
            return
        above = above.parent if above.parent is not above else None


class Words(Painted):
    """A text that wraps, shrinks a little when it must, and says when it does not fit."""

    text = StringProperty("")
    units = NumericProperty(BODY)
    ink = StringProperty("text")
    bold = BooleanProperty(False)
    halign = StringProperty("left")
    valign = StringProperty("middle")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for name in ("text", "units", "ink", "bold", "halign", "valign"):
            self.fbind(name, self._trigger)
        self.value = ""

    def paint(self, pen: Pen) -> None:
        pen.text(self.box, self.text, self.units, self.ink, self.bold, self.halign, self.valign, wrap=True)


class Tall(Words):
    """Words that are as high as they need, for lists that scroll."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("size_hint_y", None)
        super().__init__(**kwargs)
        for name in ("text", "units", "bold", "width"):
            self.fbind(name, self._measure)
        theme.fbind("text_scale", self._measure)
        self._measure()

    def _measure(self, *_: object) -> None:
        if self.text:
            self.height = letter(
                self.text, self.width, None, theme.sp(self.units), self.bold, self.halign, True, False
            ).size_px[1]
        else:
            self.height = 0


class Panel(BoxLayout):
    """A calm ground for what belongs together."""

    ground = StringProperty("surface")
    edge = StringProperty("")


class Filled(Layout):
    """A layout with one child of class `make` for each of `values`, refilled rather than made anew.

    Children that are not needed just now are kept: the next screen may want them back.
    """

    values = ListProperty()
    make = ObjectProperty(None)

    def __init__(self, **kwargs: Any) -> None:
        self._spare: list[Any] = []
        super().__init__(**kwargs)
        self.fbind("values", self._fill)
        self.fbind("make", self._fill)
        self._fill()

    def _fill(self, *_: object) -> None:
        make, values = self.make, self.values
        if make is None:
            return
        if any(type(child) is not make for child in (*self.children, *self._spare)):
            self.clear_widgets()
            self._spare = []
        kept = list(reversed(self.children))
        for child in kept[len(values) :]:
            self.remove_widget(child)
            self._spare.append(child)
        for child, value in zip(kept, values, strict=False):
            if child.value != value:
                child.value = value
        for value in values[len(kept) :]:
            child = self._spare.pop() if self._spare else make(value=value)
            child.value = value
            self.add_widget(child)
            start_over(child)


class Each(Filled, BoxLayout):
    """In a row or a column."""


class EachGrid(Filled, GridLayout):
    """In rows and columns."""


class Tabbed(BoxLayout):
    """One of several at a time: `at` is the one that is open."""

    at = NumericProperty(0)


class Scroller(ScrollView):
    """Scrolls without an animation that would keep the screen awake."""


class TapRow(ButtonBehavior, Painted):
    """A row of a list that can be chosen: its value has a `select` choice."""

    def on_release(self) -> None:
        if self.value is not None and self.value.select.enabled:
            tap(self, self.value.select)


class Rows(RecycleView):
    """A list of any length: only the rows that are seen exist."""

    values = ListProperty()
    row_units = NumericProperty(64)
    columns = NumericProperty(1)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.fbind("values", self._fill)
        self._fill()

    def _fill(self, *_: object) -> None:
        self.data = [{"value": value} for value in self.values]


class BarView(BoxLayout):
    """The top of a screen: back, title, what the camera is doing, and a few choices."""

    value = ObjectProperty(Bar(), rebind=True)


class BarTap(Tap):
    """A choice of the bar, as wide as its word."""

    def units_wide(self, choice: Choice | None, _scale: float) -> float:
        if choice is None or not choice.text:
            return float(TOUCH)
        words = letter(choice.text, None, None, theme.sp(self.units), True).size_px[0] / theme.u
        return float(max(TOUCH, words + 28 + (32 if choice.icon else 0)))


class BarTitle(Painted):
    """Title and detail, with the mark of the player they are about."""

    def paint(self, pen: Pen) -> None:
        bar: Bar = self.value
        box = self.box
        ink = "text"
        if bar.player:
            side = 34 * theme.u
            icon_box, box = split_left(box, side, GAP * theme.u)
            pen.icon(bar.player.mark, icon_box, bar.player.colour)
            ink = bar.player.colour
        units = TITLE if box[3] < 50 * theme.u else TITLE + 2
        detail_px = letter(bar.detail, None, None, theme.sp(BODY)).size_px[0] if bar.detail else 0
        both = box[2] - detail_px - 14 * theme.u
        if bar.detail and letter(bar.title, both, box[3], theme.sp(units), True).fits and both > 0:
            used = pen.text((box[0], box[1], both, box[3]), bar.title, units, ink, True)
            pen.text((box[0] + used + 14 * theme.u, box[1], detail_px + 2, box[3]), bar.detail, BODY, "muted")
        else:
            pen.text(inset(box, 0, -2 * theme.u), bar.title, units, ink, True, wrap=True)


class StatusView(Painted):
    """What the camera is doing: an icon and a word."""

    centred = BooleanProperty(False)

    def paint(self, pen: Pen) -> None:
        status = self.value
        ink = "fault" if status.trouble else "muted"
        side, gap = 22 * theme.u, 8 * theme.u
        _, words = split_left(self.box, side, gap)
        laid = letter(status.text, words[2], words[3], theme.sp(CAPTION), wrap=True)
        # In a bar against its right edge, where it stays while its words come and go.
        spare = words[2] - laid.size_px[0]
        at = words[0] + (spare / 2 if self.centred else spare)
        pen.icon(
            "off" if status.trouble else status.watching, (at - gap - side, self.y, side, self.height), ink
        )
        pen.text((at, self.y, laid.size_px[0] + 1, self.height), status.text, CAPTION, ink, wrap=True)


class PlayerName(Painted):
    """A player's mark and name in one line."""

    units = NumericProperty(BODY)

    def paint(self, pen: Pen) -> None:
        paint_player(pen, self.box, cast(Player, self.value), self.units)


def paint_player(pen: Pen, box: Box, player: Player, units: float = BODY, bold: bool = True) -> float:
    """Mark and name; returns the width taken."""
    side = min(box[3], units * theme.u * 1.25)
    icon_box, words = split_left(box, side, 6 * theme.u)
    pen.icon(player.mark, icon_box, player.colour)
    return float(side + 6 * theme.u) + pen.text(words, player.name, units, player.colour, bold, elide=True)


def paint_glyph(pen: Pen, box: Box, glyph: Glyph) -> None:
    """A glyph as large as its box: a cube with its letter, a number beside an icon, or an icon alone."""
    x, y, width, height = box
    side = min(width if not glyph.text or glyph.cube else width * 0.6, height)
    if glyph.cube:
        pen.cube(glyph.icon, box, glyph.text)
    elif glyph.text and glyph.icon:
        pen.icon(glyph.icon, (x, y, side, height), glyph.colour)
        units = side / theme.u / theme.text_scale * 0.72
        pen.text(
            (x + side + 2 * theme.u, y, width - side - 2 * theme.u, height),
            glyph.text,
            units,
            "text",
            True,
            check_height=False,
        )
    elif glyph.icon:
        pen.icon(glyph.icon, box, glyph.colour)
    else:
        units = height / theme.u / theme.text_scale * 0.72
        pen.text(box, glyph.text, units, glyph.colour, True, "center", check_height=False)
    if glyph.plus:
        small = height * 0.42
        corner = (x + (width + side) / 2 - small * 0.8, y + (height + side) / 2 - small, small, small)
        pen.icon("disc", corner, "accent")
        pen.icon("plus", inset(corner, small * 0.2), "accent_ink")


def paint_glyphs(
    pen: Pen, box: Box, glyphs: tuple[Glyph, ...], gap: float = 4.0, centre: bool = True
) -> None:
    """Glyphs in a row, square unless they carry a number."""
    if not glyphs:
        return
    x, y, width, height = box
    shares = [1.7 if glyph.text and glyph.icon and not glyph.cube else 1.0 for glyph in glyphs]
    space = gap * theme.u
    side = min(height, (width - space * (len(glyphs) - 1)) / sum(shares))
    taken = side * sum(shares) + space * (len(glyphs) - 1)
    at = x + ((width - taken) / 2 if centre else 0)
    for glyph, share in zip(glyphs, shares, strict=True):
        paint_glyph(pen, (at, y + (height - side) / 2, side * share, side), glyph)
        at += side * share + space


def _centred(box: Box, side: float) -> Box:
    x, y, width, height = box
    side = min(side, width, height)
    return x + (width - side) / 2, y + (height - side) / 2, side, side


def start_over(view: Widget) -> None:
    """Brings a view that is shown again to its beginning: lists at the top, the first tab open, today's colours."""
    for child in view.walk(restrict=True):
        if isinstance(child, ScrollView):
            child.scroll_y = 1
        elif isinstance(child, Tabbed):
            child.at = 0
        elif isinstance(child, Painted):
            child.repaint_if_stale()


def clipped_below(widget: Widget) -> Iterator[tuple[Widget, Any]]:
    """Every text under a widget that does not fit, with the widget that painted it."""
    for child in widget.walk(restrict=True):
        if isinstance(child, Painted):
            yield from ((child, text) for text in child.clipped)


load_kv("widgets")

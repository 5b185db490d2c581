"""The guided calibration: the picture, where in the list of steps we are, and the figures that tell how good it is."""

import math
from typing import Any, Final

from kivy.graphics import Rectangle
from kivy.properties import ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion import actions
from companion.ui.kv import load_kv
from companion.ui.palette import DARK, rgba
from companion.ui.pen import Box, Painted, Pen, inset, letter, rows, split_left, split_top
from companion.ui.picture import PictureView, cut, decode
from companion.ui.theme import theme
from companion.ui.widgets import tap
from companion.view.screens import CalibrationScreen, Choice, Mark

_STILL: Final = 12  # units a finger may slip and still be a tap: 2 mm
_LOUPE: Final = 170  # units: 28 mm on the 7-inch screen, larger than the fingertip it stands in for
_MAGNIFIED: Final = 3.5
_WRITING: Final = 14


class CalibrationView(BoxLayout):
    screen = ObjectProperty(None, rebind=True)


class TouchedPicture(PictureView):
    """A finger on the picture goes to the guide in pixels of the picture: `("tap", at)` or `("drag", start, end)`.

    While the finger is down, a loupe shows what it hides, or the frame that it pulls follows it.
    """

    touch_does = StringProperty("")

    def on_touch_down(self, touch: Any) -> bool:
        at = self.to_picture(*touch.pos)
        if at is None or not self.touch_does or self._finger is not None:
            return False
        touch.grab(self)
        self._finger = touch.uid
        touch.ud["from_px"] = at
        self._follow(touch)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        self._follow(touch)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        self._finger = None
        self.canvas.after.clear()
        start, end = touch.ud["from_px"], self.to_picture(*touch.pos)
        if end is None:
            return True
        # A corner is where the finger leaves: until then the loupe was there to aim with.
        aimed = self.touch_does == "corner"
        moved = not aimed and math.dist(start, end) * self._zoom > _STILL * theme.u
        value = ("drag", start, end) if moved else ("tap", end if aimed else start)
        tap(self, Choice(action=actions.CALIBRATION, value=value))
        return True

    _finger: Any = None

    def paint(self, pen: Pen) -> None:
        super().paint(pen)
        if decode(self.value.jpeg) is None:
            return
        for mark in self.value.marks:
            self._write(pen, mark)

    def to_window_px(self, at_px: tuple[float, float]) -> tuple[float, float]:
        """The point of the window over a pixel of the picture."""
        left, bottom, _, height = self._shown
        return (
            left + (at_px[0] - self._corner[0]) * self._zoom,
            bottom + height - (at_px[1] - self._corner[1]) * self._zoom,
        )

    def _write(self, pen: Pen, mark: Mark) -> None:
        """What belongs in a place, where there is room to read it; seen large there is."""
        points = [self.to_window_px(point) for point in mark.corners_px]
        if len(points) == 1:
            # The first corner of a board: a line needs two.
            (x, y), arm = points[0], 7 * theme.u
            pen.line((x - arm, y, x + arm, y), rgba(getattr(DARK, mark.tone)), 2)
            pen.line((x, y - arm, x, y + arm), rgba(getattr(DARK, mark.tone)), 2)
        if not mark.text:
            return
        xs, ys = [x for x, _ in points], [y for _, y in points]
        box = inset((min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)), 2 * theme.u)
        for words in (mark.text, mark.short) if self._inside(box) else ():
            if letter(words, box[2], box[3], theme.sp(_WRITING), True, wrap=True).fits:
                pen.panel(box, (0, 0, 0, 0.62), 3 * theme.u)
                pen.text(box, words, _WRITING, (1, 1, 1, 1), True, "center", wrap=True)
                return

    def _inside(self, box: Box) -> bool:
        x, y, width, height = self._shown
        return x <= box[0] and y <= box[1] and box[0] + box[2] <= x + width and box[1] + box[3] <= y + height

    def _follow(self, touch: Any) -> None:
        """Draws over the picture what the finger does."""
        self.canvas.after.clear()
        at = self.to_picture(*touch.pos)
        if at is None or self.value is None or decode(self.value.jpeg) is None:
            return
        pen = Pen()
        with self.canvas.after:
            if self.touch_does == "corner":
                self._loupe(pen, at, touch.pos)
            elif self.touch_does == "frame":
                self._pulled(pen, touch.ud["from_px"], at)

    def _loupe(self, pen: Pen, at: tuple[float, float], finger: tuple[float, float]) -> None:
        """What is under the finger, larger, in the corner of the picture that is furthest from it."""
        left, bottom, width, height = self._shown
        side = min(_LOUPE * theme.u, width / 2, height / 2)
        x = left if finger[0] > left + width / 2 else left + width - side
        y = bottom if finger[1] > bottom + height / 2 else bottom + height - side
        decoded = decode(self.value.jpeg)
        assert decoded is not None, "asked before"
        pixels, scale = decoded
        wide = side / (self._zoom * _MAGNIFIED)
        high_px, wide_px = pixels.shape[0] * scale, pixels.shape[1] * scale
        wide = min(wide, wide_px, high_px)
        from_x = min(max(0.0, at[0] - wide / 2), wide_px - wide)
        from_y = min(max(0.0, at[1] - wide / 2), high_px - wide)
        pen.panel((x - 3, y - 3, side + 6, side + 6), (0, 0, 0, 1), 6 * theme.u)
        pen.ink((1, 1, 1, 1))
        part = cut(self.value.jpeg, tuple(v / scale for v in (from_x, from_y, wide, wide)))
        Rectangle(texture=part, pos=(x, y), size=(side, side))
        cross_x = x + (at[0] - from_x) / wide * side
        cross_y = y + side - (at[1] - from_y) / wide * side
        gap, arm = 4 * theme.u, 26 * theme.u
        for ink, thick in (((0, 0, 0, 0.8), 3.0), (rgba(DARK.accent), 1.4)):
            for way in (-1, 1):
                pen.line((cross_x + way * gap, cross_y, cross_x + way * arm, cross_y), ink, thick)
                pen.line((cross_x, cross_y + way * gap, cross_x, cross_y + way * arm), ink, thick)
        pen.outline((x, y, side, side), rgba(DARK.accent), 2.5, 6 * theme.u)

    def _pulled(self, pen: Pen, start: tuple[float, float], at: tuple[float, float]) -> None:
        """The smallest frame under the finger as it would lie."""
        by = (at[0] - start[0], at[1] - start[1])
        under = [mark for mark in self.value.marks if _around(mark, start)]
        mark = min(under, key=_area, default=None)
        if mark is None:
            return
        points = [v for x, y in mark.corners_px for v in self.to_window_px((x + by[0], y + by[1]))]
        pen.line(points, (0, 0, 0, 0.8), 4, close=True)
        pen.line(points, rgba(DARK.accent), 2.4, close=True)


def _box(mark: Mark) -> Box:
    xs, ys = [x for x, _ in mark.corners_px], [y for _, y in mark.corners_px]
    return min(xs), min(ys), max(xs), max(ys)


def _around(mark: Mark, at: tuple[float, float]) -> bool:
    left, top, right, bottom = _box(mark)
    return left <= at[0] <= right and top <= at[1] <= bottom


def _area(mark: Mark) -> float:
    left, top, right, bottom = _box(mark)
    return (right - left) * (bottom - top)


class GuideView(Painted):
    """What to do now, how far we are, and the figures."""

    def paint(self, pen: Pen) -> None:
        screen: CalibrationScreen = self.value
        u = theme.u
        pen.panel(self.box, "surface", 12 * u)
        rest = inset(self.box, 14 * u, 12 * u)
        steps, rest = split_top(rest, 26 * u, 8 * u)
        self._steps(pen, steps, screen)
        headline, rest = split_top(rest, 58 * u * theme.text_scale, 4 * u)
        pen.text(headline, screen.headline, 21, "text", True, valign="top", wrap=True)
        high = 27 * u * theme.text_scale
        figures = (*rest[:3], high * len(screen.figures))
        detail = (rest[0], rest[1] + figures[3], rest[2], rest[3] - figures[3])
        pen.text(detail, screen.detail, 17, "text", valign="top", wrap=True)
        for row, (name, value, tone) in zip(rows(figures, len(screen.figures)), screen.figures, strict=True):
            x, y, width, height = row
            ink = tone if tone in ("good", "warn", "fault") else "text"
            value_wide = pen.text(row, value, 17, ink, True, "right")
            pen.text((x, y, width - value_wide - 10 * u, height), name, 16, "muted")

    def _steps(self, pen: Pen, box: Box, screen: CalibrationScreen) -> None:
        """A mark for each step, and the name of the one that is on."""
        u = theme.u
        for part in screen.steps:
            ink = {"done": "good", "now": "accent", "later": "muted"}[part.state]
            place, box = split_left(box, 20 * u, 6 * u)
            pen.icon({"done": "check", "now": "play", "later": "ring"}[part.state], inset(place, 1 * u), ink)
            if part.state == "now":
                wide = pen.text(box, part.text, 17, "accent", True)
                box = (box[0] + wide + 10 * u, box[1], box[2] - wide - 10 * u, box[3])


load_kv("calibration")

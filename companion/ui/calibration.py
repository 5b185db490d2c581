"""The guided calibration: the picture, where in the list of steps we are, and the figures that tell how good it is."""

import math
from typing import Any, Final

from kivy.properties import ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion import actions
from companion.ui.kv import load_kv
from companion.ui.pen import Painted, Pen, inset, split_left
from companion.ui.picture import PictureView
from companion.ui.theme import theme
from companion.ui.widgets import tap
from companion.view.screens import CalibrationScreen, Choice

_STILL: Final = 12  # units a finger may slip and still be a tap: 2 mm


class CalibrationView(BoxLayout):
    screen = ObjectProperty(None, rebind=True)


class TouchedPicture(PictureView):
    """A finger on the picture goes to the guide in pixels of the picture: `("tap", at)` or `("drag", start, end)`."""

    def on_touch_down(self, touch: Any) -> bool:
        at = self.to_picture(*touch.pos)
        if at is None:
            return False
        touch.grab(self)
        touch.ud["from_px"] = at
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        start, end = touch.ud["from_px"], self.to_picture(*touch.pos)
        if end is None:
            return True
        moved = math.dist(start, end) * self._zoom > _STILL * theme.u
        value = ("drag", start, end) if moved else ("tap", start)
        tap(self, Choice(action=actions.CALIBRATION, value=value))
        return True


class GuideView(Painted):
    """What to do now, the steps, the figures."""

    def paint(self, pen: Pen) -> None:
        screen: CalibrationScreen = self.value
        u = theme.u
        pen.panel(self.box, "surface", 12 * u)
        x, y, width, height = inset(self.box, 14 * u, 10 * u)
        top = y + height
        pen.text((x, top - 52 * u, width, 52 * u), screen.headline, 21, "text", True, valign="top", wrap=True)
        top -= 56 * u
        pen.text((x, top - 62 * u, width, 62 * u), screen.detail, 16, "muted", valign="top", wrap=True)
        top -= 68 * u
        lines = len(screen.steps) + len(screen.figures)
        step = min(34 * u, (top - y) / max(1, lines))
        for at, part in enumerate(screen.steps):
            row = (x, top - (at + 1) * step, width, step)
            icon_box, words = split_left(row, 18 * u, 8 * u)
            ink = {"done": "good", "now": "accent", "later": "muted"}[part.state]
            pen.icon({"done": "check", "now": "play", "later": "ring"}[part.state], icon_box, ink)
            pen.text(words, part.text, 16, "text" if part.state == "now" else "muted", part.state == "now")
        top -= len(screen.steps) * step
        for at, (name, value, tone) in enumerate(screen.figures):
            row = (x, top - (at + 1) * step, width, step)
            pen.text((row[0], row[1], width * 0.62, step), name, 15, "muted")
            pen.text(
                (row[0] + width * 0.62, row[1], width * 0.38, step),
                value,
                16,
                tone if tone in ("good", "warn", "fault") else "text",
                True,
                "right",
            )


load_kv("calibration")

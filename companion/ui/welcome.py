"""The first screen: one big button, the rest beside it, and the sea."""

import math
from functools import lru_cache
from typing import Any

import numpy as np
from kivy.graphics import Rectangle
from kivy.graphics.texture import Texture
from kivy.properties import ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.ui.kv import load_kv
from companion.ui.palette import palette, rgba
from companion.ui.pen import Painted, Pen
from companion.ui.theme import theme

_BUBBLES = (
    (0.16, 0.34, 9),
    (0.22, 0.46, 5),
    (0.78, 0.3, 12),
    (0.84, 0.44, 6),
    (0.7, 0.52, 4),
    (0.3, 0.18, 6),
    (0.64, 0.22, 8),
)


class WelcomeView(BoxLayout):
    screen = ObjectProperty(None, rebind=True)


class Sea(Painted):
    """Waves that grow darker with the depth, a diver's helmet and a few bubbles. Nothing moves."""

    def paint(self, pen: Pen) -> None:
        u = theme.u
        pen.ink((1, 1, 1, 1))
        Rectangle(
            texture=sea(max(2, int(self.width)), max(2, int(self.height)), theme.name),
            pos=self.pos,
            size=self.size,
        )
        side = min(self.width, self.height) * 0.34
        x, y = self.center_x, self.y + self.height * 0.40
        pen.icon("diver", (x - side / 2, y - side / 2, side, side), "text")
        for across, up, size in _BUBBLES:
            bubble = size * u * 2
            pen.icon(
                "ring",
                (self.x + self.width * across, self.y + self.height * up, bubble, bubble),
                "accent",
                0.8,
            )
        title = (self.x, self.y + self.height * 0.70, self.width, self.height * 0.2)
        pen.text(title, self.value.title, 64, "text", True, "center", check_height=False)
        pen.text(
            (self.x + 10 * u, self.y + 14 * u, self.width - 20 * u, 40 * u),
            self.value.subtitle,
            18,
            "text",
            False,
            "center",
            wrap=True,
        )


@lru_cache(maxsize=4)
def sea(width: int, height: int, name: str) -> Texture:
    """The sea of a theme as a texture: four bands with a wavy, soft edge."""
    colours = palette("light" if name == "light" else "dark")
    top, deep = (np.array(rgba(hex_colour)[:3]) for hex_colour in (colours.raised, colours.background))
    across = np.linspace(0, 2 * math.pi, width)[None, :]
    down = np.arange(height, dtype=np.float64)[:, None]
    picture: Any = np.broadcast_to(np.array(rgba(colours.surface)[:3]), (height, width, 3)).copy()
    for band in range(4):
        edge = height * (0.34 + 0.17 * band) + height * 0.018 * np.sin(
            across * (1.5 + band * 0.4) + band * 2.1
        )
        cover = np.clip(down - edge + 0.5, 0, 1)[..., None]
        share = band / 3
        picture = picture * (1 - cover) + (top * (1 - share) + deep * share) * cover
    texture = Texture.create(size=(width, height), colorfmt="rgb")
    texture.blit_buffer((picture * 255).astype(np.uint8).tobytes(), colorfmt="rgb", bufferfmt="ubyte")
    texture.flip_vertical()
    return texture


load_kv("welcome")

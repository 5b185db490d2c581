"""The one theme: colours, sizes and which way the screen stands, as properties that kv rules bind to.

Sizes are counted in units `u`: on an 800 x 480 screen one unit is one pixel, on any other screen what looks the same.
A 7-inch screen of 800 x 480 shows 5.25 units per millimetre, so 9 mm, the least a finger hits, are 47 units.
"""

from typing import Any, Final

from kivy.event import EventDispatcher
from kivy.properties import BooleanProperty, ColorProperty, NumericProperty, StringProperty

from companion.ui.palette import PARTS, palette, rgba

UNITS_PER_MM: Final = 5.25
TOUCH: Final = 48  # units; 9.1 mm
GAP: Final = 8
LARGE_TEXT: Final = 1.15  # what still fits everywhere; more would push German off its buttons

BODY: Final = 18
CAPTION: Final = 14
TITLE: Final = 24
HERO: Final = 40
# Roboto's digits are 0.711 em high: 112 units make 79.6, which is 15.2 mm on the 7-inch screen.
SCORE: Final = 112


class Theme(EventDispatcher):
    """Bound by kv as `theme`. `fit` follows the window, `wear` the settings."""

    u = NumericProperty(1.0)
    text_scale = NumericProperty(1.0)
    portrait = BooleanProperty(False)
    name = StringProperty("dark")

    def fit(self, width_px: float, height_px: float) -> None:
        """One unit for a window of this size."""
        self.portrait = height_px > width_px
        self.u = min(max(width_px, height_px) / 800, min(width_px, height_px) / 480)

    def wear(self, name: str, text_size: str) -> None:
        self.text_scale = LARGE_TEXT if text_size == "large" else 1.0
        chosen = palette("light" if name == "light" else "dark")
        for part in PARTS:
            setattr(self, part, rgba(getattr(chosen, part)))
        # Last, for painted widgets repaint when the name changes.
        self.name = name

    def colour(self, part: str, alpha: float = 1.0) -> tuple[float, ...]:
        """A colour by name, e.g. a player's; an unknown one is drawn in the text's colour."""
        found: tuple[float, ...] = tuple(getattr(self, part if part in PARTS else "text"))
        return (*found[:3], alpha)

    def sp(self, units: float) -> float:
        """Pixels of a text that is `units` high in the normal size."""
        return float(units * self.u * self.text_scale)


def _with_colours(theme: type[Theme]) -> Any:
    return type(
        "Theme", (theme,), {part: ColorProperty(rgba(getattr(palette("dark"), part))) for part in PARTS}
    )


theme: Final[Any] = _with_colours(Theme)()

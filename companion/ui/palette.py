"""Every colour of the screen, in two lights. Plain values: the tests measure their contrast without a window."""

from dataclasses import dataclass, fields
from typing import Literal

Rgba = tuple[float, float, float, float]


@dataclass(frozen=True)
class Palette:
    """Hex colours by the part they play. Deep water in the dark, a pale lagoon in the light."""

    background: str
    surface: str  # cards and panels
    raised: str  # buttons, the card of the player to play
    line: str  # hairlines; never carries meaning alone
    text: str
    muted: str  # captions
    accent: str  # what a finger should find first
    accent_ink: str
    good: str
    warn: str
    fault: str
    mark_ink: str  # text on good, warn, fault and on players' colours
    gold: str  # credits
    red: str
    blue: str
    green: str
    yellow: str
    purple: str
    orange: str
    black: str
    white: str
    # Cubes keep the colours they have on the table; the letter and the shape say the rest.
    metal: str = "#5B97F7"
    plant: str = "#4DB463"
    fuel: str = "#11181C"
    tech: str = "#F3F6F4"
    cube_edge: str = "#0A1A22"
    cube_edge_dark: str = "#B9CBD1"  # around fuel, which is black


DARK = Palette(
    background="#061A24",
    surface="#0C2936",
    raised="#16404F",
    line="#23505F",
    text="#EEF7F6",
    muted="#A3C4CB",
    accent="#4FD8CE",
    accent_ink="#04242B",
    good="#7FDD95",
    warn="#FFCB5C",
    fault="#FF8C7A",
    mark_ink="#06212B",
    gold="#F2C14E",
    red="#FF7E72",
    blue="#78B8FF",
    green="#6FD98B",
    yellow="#FFD84F",
    purple="#C79BFF",
    orange="#FFA95C",
    black="#B4C2C8",
    white="#FFFFFF",
)
LIGHT = Palette(
    background="#E3EFF1",
    surface="#FAFDFD",
    raised="#D3E7EA",
    line="#A9C8CE",
    text="#062A36",
    muted="#335863",
    accent="#00636B",
    accent_ink="#FFFFFF",
    good="#1A6B34",
    warn="#7A4B00",
    fault="#A92415",
    mark_ink="#FFFFFF",
    gold="#7D5600",
    red="#B3261A",
    blue="#1656A8",
    green="#1A6B34",
    yellow="#735300",
    purple="#6A36A8",
    orange="#8F4400",
    black="#26343A",
    white="#4A6068",
)

PARTS = tuple(field.name for field in fields(Palette))
PLAYER_COLOURS = ("red", "blue", "green", "yellow", "purple", "orange", "black", "white")

# Which ink is written on which ground: the tests hold each pair to 4.5 : 1.
WRITTEN_ON: tuple[tuple[str, str], ...] = (
    *((ink, ground) for ink in ("text", "muted") for ground in ("background", "surface", "raised")),
    *((ink, ground) for ink in ("accent", "good", "warn", "fault") for ground in ("background", "surface")),
    *((colour, ground) for colour in (*PLAYER_COLOURS, "gold") for ground in ("background", "surface")),
    ("accent_ink", "accent"),
    *(("mark_ink", ground) for ground in ("good", "warn", "fault", "gold", *PLAYER_COLOURS)),
    ("cube_edge", "metal"),
    ("cube_edge", "plant"),
    ("cube_edge", "tech"),
    ("cube_edge_dark", "fuel"),
)


def palette(theme: Literal["dark", "light"]) -> Palette:
    return DARK if theme == "dark" else LIGHT


def rgba(hex_colour: str, alpha: float = 1.0) -> Rgba:
    """Kivy's four numbers.

    >>> rgba("#FF0080")
    (1.0, 0.0, 0.5019607843137255, 1.0)
    """
    red, green, blue = (int(hex_colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue, alpha


def contrast(ink: str, ground: str) -> float:
    """WCAG contrast ratio, 1 (the same) to 21 (black on white).

    >>> round(contrast("#FFFFFF", "#000000"))
    21
    """
    light, dark = sorted((_luminance(ink), _luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(hex_colour: str) -> float:
    channels = rgba(hex_colour)[:3]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

"""The colours of one edition, from its seed. Blue first, 0..255, as printed."""

import colorsys
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from hardware.simulated.canvas import Bgr, Pen

_PLAYER_HUES = {"red": 0.985, "blue": 0.60, "yellow": 0.125, "green": 0.37, "purple": 0.77, "orange": 0.06}


@dataclass(frozen=True)
class Palette:
    shallow: Bgr  # water near the surface
    deep: Bgr
    abyss: Bgr
    rock: Bgr
    sand: Bgr
    plant: Bgr
    coral: Bgr
    glow: Bgr  # lamps and windows of the city
    metal: Bgr  # engraved frames
    paper: Bgr
    ink: Bgr
    credits: Bgr
    prestige: Bgr
    cubes: dict[str, Bgr]
    pen: Pen
    title_pen: Pen


def hsv(hue: float, saturation: float, value: float) -> Bgr:
    red, green, blue = colorsys.hsv_to_rgb(hue % 1.0, min(1, max(0, saturation)), min(1, max(0, value)))
    return blue * 255, green * 255, red * 255


def mix(first: Bgr, second: Bgr, share: float) -> Bgr:
    return tuple(a + (b - a) * share for a, b in zip(first, second, strict=True))  # type: ignore[return-value]


def player_colour(name: str) -> Bgr:
    """The printed colour of a player's things."""
    if name in _PLAYER_HUES:
        return hsv(_PLAYER_HUES[name], 0.78, 0.80)
    return {"white": (225.0, 225.0, 228.0), "black": (52.0, 46.0, 44.0)}.get(
        name, hsv(sum(map(ord, name)) * 0.137, 0.7, 0.75)
    )


@lru_cache(maxsize=32)
def palette(seed: int) -> Palette:
    """Seed 0 is the teal and brass of the edition that ships; others lie anywhere a sea can be painted."""
    rng = np.random.default_rng([seed, 23])
    hue = 0.49 if seed == 0 else float(rng.uniform(0.36, 0.86))
    warm = 0.115 if seed == 0 else float(rng.uniform(0.03, 0.16))
    coral = 0.96 if seed == 0 else (hue + float(rng.uniform(0.38, 0.62))) % 1.0

    def near(base: float, spread: float) -> float:
        return base + float(rng.uniform(-spread, spread))

    fuel = hsv(0.66, 0.30, 0.17) if seed == 0 or rng.random() < 0.6 else hsv(near(0.78, 0.03), 0.55, 0.42)
    weight = 0.14 if seed == 0 else float(rng.uniform(0.10, 0.19))
    width = 0.6 if seed == 0 else float(rng.uniform(0.46, 0.74))
    slant = 0.0 if seed == 0 or rng.random() < 0.6 else float(rng.uniform(0.1, 0.25))
    return Palette(
        shallow=hsv(near(hue, 0.02), near(0.38, 0.08), near(0.86, 0.06)),
        deep=hsv(near(hue + 0.045, 0.03), near(0.66, 0.08), near(0.48, 0.06)),
        abyss=hsv(near(hue + 0.09, 0.03), near(0.62, 0.08), near(0.20, 0.04)),
        rock=hsv(near(hue + 0.10, 0.08), near(0.28, 0.1), near(0.30, 0.06)),
        sand=hsv(warm, near(0.32, 0.08), near(0.74, 0.06)),
        plant=hsv(near(0.34, 0.07), near(0.55, 0.1), near(0.52, 0.08)),
        coral=hsv(coral, near(0.62, 0.1), near(0.84, 0.06)),
        glow=hsv(warm + 0.01, near(0.55, 0.1), 0.98),
        metal=hsv(warm, near(0.50, 0.1), near(0.72, 0.08)),
        paper=hsv(warm, near(0.09, 0.04), near(0.93, 0.03)),
        ink=hsv(near(hue + 0.09, 0.04), 0.45, 0.14),
        credits=hsv(near(0.065, 0.015), near(0.78, 0.06), near(0.90, 0.04)),
        prestige=hsv(near(0.36, 0.03), near(0.62, 0.08), near(0.58, 0.06)),
        cubes={
            "m": hsv(near(0.60, 0.02), near(0.82, 0.08), near(0.80, 0.08)),
            "p": hsv(near(0.35, 0.03), near(0.78, 0.1), near(0.62, 0.08)),
            "f": fuel,
            "t": hsv(near(0.12, 0.05), 0.04, near(0.94, 0.03)),
        },
        pen=Pen(weight, width, slant, 0.30),
        title_pen=Pen(weight * 1.25, width * 0.95, slant, 0.30),
    )

"""How hard the table is to see: lights, table top, carelessness, glare, blur, noise, clutter.

`easy`, `livingroom` and `hard` say how much of each; what exactly comes from a generator.
"""

from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from hardware.simulated.arrange import Sloppiness
from hardware.simulated.canvas import Bgr
from hardware.simulated.tabletop import TABLES

NAMES = ("easy", "livingroom", "hard")
CLUTTER = ("mug", "box", "dice", "supply", "phone", "pencil", "bowl")


@dataclass(frozen=True)
class Lamp:
    """A light somewhere above the table. `bgr` is its colour with mean 1, `power` what it gives straight below."""

    x_mm: float
    y_mm: float
    z_mm: float
    size_mm: float  # radius: a large one throws soft shadows
    power: float
    bgr: Bgr


@dataclass(frozen=True)
class Conditions:
    name: str
    table: str
    light: str
    lamps: tuple[Lamp, ...]
    ambient: Bgr
    exposure: float = 1.0
    glare: float = 0.3  # how strongly varnish mirrors the lamps
    grain: float = 1.0  # sensor noise in grey levels
    blur_px: float = 0.5  # at 4608 pixels across
    jpeg: int = 92
    vignette: float = 0.18
    clutter: tuple[str, ...] = ()
    sloppy: Sloppiness = field(default_factory=Sloppiness)
    wild_deg: float = 3.0  # how far boards lie from square
    lean_deg: float = 1.5  # how far the camera is from plumb
    knocked: float = 0.0  # how often a board is knocked in a turn
    left_behind: float = 0.0  # how often a knock leaves the technicians behind when the button is pressed
    nudged: float = 0.0  # how often the camera is nudged in a turn
    relit: float = 0.0  # how often the light changes between two turns
    hand: float = 0.0  # how often a hand is still over the table when the button is pressed

    def to_json(self) -> dict[str, Any]:
        """What truth.jsonl says of them: words and the few numbers that matter."""
        doc = asdict(self)
        return {
            key: doc[key]
            for key in ("name", "table", "light", "exposure", "glare", "grain", "blur_px", "jpeg", "clutter")
        }


# colour of the light as (blue, green, red), mean 1
_TINTS: dict[str, Bgr] = {
    "daylight": (1.02, 1.01, 0.97),
    "overcast": (1.14, 1.02, 0.84),
    "warm": (0.62, 0.98, 1.40),
    "candle": (0.45, 0.95, 1.60),
    "tube": (0.98, 1.12, 0.90),
    "evening": (1.20, 0.95, 0.85),
}


def conditions(name: str, rng: np.random.Generator) -> Conditions:
    """Conditions of an evening: what stays the same from turn to turn."""
    if name not in NAMES:
        raise ValueError(f"conditions are one of {', '.join(NAMES)}, not {name!r}")
    table = str(rng.choice(["oak", "walnut"] if name == "easy" else TABLES))
    if name == "easy":
        base = Conditions(
            name,
            table,
            "",
            (),
            (0.0, 0.0, 0.0),
            glare=0.12,
            grain=0.8,
            blur_px=0.4,
            sloppy=Sloppiness(0.4, 1.0, 20),
            wild_deg=1.5,
            lean_deg=0.8,
        )
    elif name == "livingroom":
        base = Conditions(
            name,
            table,
            "",
            (),
            (0.0, 0.0, 0.0),
            glare=0.35,
            grain=1.6,
            blur_px=0.7,
            jpeg=90,
            vignette=0.25,
            clutter=_clutter(rng, 3),
            sloppy=Sloppiness(0.8, 2.0, 40),
            wild_deg=5.0,
            lean_deg=2.0,
            knocked=0.05,
            nudged=0.03,
            relit=0.06,
        )
    else:
        base = Conditions(
            name,
            table,
            "",
            (),
            (0.0, 0.0, 0.0),
            glare=0.55,
            grain=3.2,
            blur_px=1.3,
            jpeg=84,
            vignette=0.35,
            clutter=_clutter(rng, 5),
            sloppy=Sloppiness(1.2, 3.5, 60),
            wild_deg=9.0,
            lean_deg=3.5,
            knocked=0.12,
            left_behind=0.15,
            nudged=0.08,
            relit=0.15,
            hand=0.03,
        )
    return relight(base, rng)


def _clutter(rng: np.random.Generator, most: int) -> tuple[str, ...]:
    chosen = rng.choice([c for c in CLUTTER if c != "supply"], int(rng.integers(1, most)), replace=False)
    return ("supply", *sorted(str(c) for c in chosen))


def relight(base: Conditions, rng: np.random.Generator) -> Conditions:
    """Another light on the same table."""
    kinds = {
        "easy": ["daylight"],
        "livingroom": ["daylight", "overcast", "warm", "tube"],
        "hard": ["overcast", "warm", "candle", "tube", "evening"],
    }[base.name]
    light = str(rng.choice(kinds))
    tint = _TINTS[light]
    harsh = {"easy": 0.35, "livingroom": 0.6, "hard": 0.85}[base.name]
    lamps = [_lamp(rng, tint, harsh, base.name)]
    if base.name != "easy" and rng.random() < 0.45:
        other = _TINTS[str(rng.choice(list(_TINTS)))]
        lamps.append(replace(_lamp(rng, other, harsh * 0.5, base.name), power=float(rng.uniform(0.15, 0.35))))
    share = float(rng.uniform(0.35, 0.55)) * (1.25 - harsh)
    sky = _TINTS["daylight"] if light == "daylight" else tuple(0.5 + 0.5 * c for c in tint)
    dim = {"easy": 0.0, "livingroom": 0.25, "hard": 0.5}[base.name]
    exposure = float(rng.uniform(1 - dim, 1.08))
    return replace(
        base,
        light=light,
        lamps=tuple(lamps),
        ambient=tuple(share * c for c in sky),  # type: ignore[arg-type]
        exposure=exposure,
        # A dark room is photographed with more gain than the light before, and gain is noise.
        grain=base.grain * (base.exposure / exposure) ** 0.8,
    )


_CAMERA_MM = 950.0  # about how high the camera hangs


def _lamp(rng: np.random.Generator, tint: Bgr, harsh: float, name: str) -> Lamp:
    bearing = float(rng.uniform(0, 2 * np.pi))
    if name == "easy" or rng.random() < 0.5:  # a window or a standing lamp beside the table
        away, high = float(rng.uniform(1300, 2200)), float(rng.uniform(900, 1600))
    else:  # a lamp above it: varnish mirrors it somewhere among the boards
        high = float(rng.uniform(1300, 1900))
        away = float(rng.uniform(120, 520)) * (1 + high / _CAMERA_MM)
    size = float(rng.uniform(40, 160)) if rng.random() < harsh else float(rng.uniform(200, 450))
    return Lamp(
        float(np.cos(bearing)) * away,
        float(np.sin(bearing)) * away,
        high,
        size,
        float(rng.uniform(0.45, 0.7)) * (0.6 + 0.6 * harsh),
        tint,
    )

"""Contract cards: what they ask for, what they give, and a picture of the place that asks."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hardware.simulated import art_icons, art_people
from hardware.simulated.art_pieces import generator
from hardware.simulated.art_sea import Sea, dome, halo, jelly, paint, tower
from hardware.simulated.canvas import Bgr, Canvas, rounded
from hardware.simulated.layout import Layout
from hardware.simulated.palette import Palette, mix

WHITE: Bgr = (255.0, 255.0, 255.0)
BLACK: Bgr = (0.0, 0.0, 0.0)
_FIRST = (
    "ABYSSAL",
    "REEF",
    "PEARL",
    "NAUTILUS",
    "LANTERN",
    "KELP",
    "SILENT",
    "TIDAL",
    "CORAL",
    "OUTER",
    "SUNKEN",
    "GLASS",
    "BASALT",
    "MANTA",
    "NORTH",
    "OLD",
)
_SECOND = (
    "RELAY",
    "VAULT",
    "DOCK",
    "LAB",
    "FARM",
    "WORKS",
    "HAVEN",
    "LOCK",
    "FORGE",
    "ARCHIVE",
    "MARKET",
    "DYNAMO",
    "WELL",
    "GARDEN",
    "SHIPYARD",
    "SCHOOL",
)


def contract(seed: int, card: Mapping[str, Any], at: Layout, colours: Palette, ppm: float) -> Canvas:
    """A card drawn from its entry in cards.json."""
    rng = generator(seed, "contract", card["id"])
    width, height = at.card_mm
    canvas = Canvas(at.card_mm, ppm, colours.paper)
    picture = Canvas((width - 4.4, height * 0.44), ppm)
    tints = (colours.coral, colours.glow, colours.plant, colours.deep, colours.sand)
    paint(
        picture,
        Sea(ridges=2, city=0.4, life=0.6, horizon=0.62, tint=tints[int(rng.integers(0, 5))]),
        colours,
        rng,
    )
    _landmark(picture, colours, rng)
    picture.cut(rounded((0, 0, *picture.size_mm), 1.6))
    title_bar = height * 0.115
    specific = isinstance(card["need"], str)
    banner = mix(colours.deep if specific else colours.coral, BLACK, 0.25)
    canvas.box((0, 0, width, title_bar + 1), banner)
    canvas.text(
        _title(seed, card["id"]),
        (width / 2, title_bar * 0.56),
        title_bar * 0.34,
        colours.paper,
        colours.pen,
        fit_mm=width * 0.84,
    )
    canvas.paste(picture, (2.2, title_bar + 1.4))
    canvas.frame((2.2, title_bar + 1.4, width - 4.4, height * 0.44), 0.4, colours.ink, round_mm=1.6)
    panel = (3.0, height * 0.60, width - 6.0, height * 0.2)
    canvas.box(panel, mix(colours.paper, colours.shallow, 0.35), round_mm=2.0)
    canvas.frame(panel, 0.4, mix(colours.ink, colours.paper, 0.3), round_mm=2.0)
    _need(canvas, panel, card["need"], colours)
    _points(canvas, (width - 7.2, title_bar + 7.2), int(card["points"]), colours)
    _bonus(canvas, card["bonus"], (7.0, height * 0.885), colours)
    canvas.text(
        card["id"].upper(),
        (width - 7.5, height * 0.945),
        2.1,
        mix(colours.ink, colours.paper, 0.35),
        colours.pen,
    )
    for row in range(2):
        y = height * (0.865 + 0.03 * row)
        canvas.line(
            [(width * 0.52, y), (width * (0.9 - 0.12 * row), y)], 0.3, mix(colours.ink, colours.paper, 0.5)
        )
    canvas.frame((0.7, 0.7, width - 1.4, height - 1.4), 0.5, mix(colours.metal, BLACK, 0.2), round_mm=2.2)
    canvas.cut(rounded((0, 0, width, height), 2.6))
    return canvas


def back(seed: int, at: Layout, colours: Palette, ppm: float) -> Canvas:
    """The back of the contract deck."""
    rng = generator(seed, "cardback")
    width, height = at.card_mm
    canvas = Canvas(at.card_mm, ppm)
    paint(canvas, Sea(ridges=3, city=1, life=0.4, horizon=0.5, tint=colours.coral), colours, rng)
    canvas.box((0, 0, width, height), mix(colours.coral, colours.abyss, 0.6), 0.4)
    for inset, weight in ((2.0, 0.8), (3.4, 0.35)):
        canvas.frame(
            (inset, inset, width - 2 * inset, height - 2 * inset), weight, colours.metal, round_mm=2.0
        )
    art_icons.compass(canvas, (width / 2, height * 0.32), width * 0.16, colours)
    canvas.text(
        "OTYS",
        (width / 2, height * 0.58),
        height * 0.11,
        colours.paper,
        colours.title_pen,
        outline=colours.ink,
    )
    canvas.cut(rounded((0, 0, width, height), 2.6))
    return canvas


def _title(seed: int, card_id: str) -> str:
    """A name for each card; no two of one edition share one."""
    order = generator(seed, "titles").permutation(len(_FIRST) * len(_SECOND))
    which = int(order[int("".join(filter(str.isdigit, card_id)) or 0) % len(order)])
    return f"{_FIRST[which // len(_SECOND)]} {_SECOND[which % len(_SECOND)]}"


def _landmark(canvas: Canvas, colours: Palette, rng: np.random.Generator) -> None:
    width, height = canvas.size_mm
    x = float(rng.uniform(0.25, 0.6)) * width
    ground = height * float(rng.uniform(0.8, 0.98))
    size = height * float(rng.uniform(0.22, 0.4))
    kind = int(rng.integers(0, 4))
    halo(canvas, (x, ground - size * 0.8), size * 1.6, colours.glow, 0.5)
    if kind == 0:
        dome(canvas, (x, ground), size * 1.3, colours, rng)
    elif kind == 1:
        tower(canvas, (x, ground), size * 0.55, size * 2.0, colours, rng)
    elif kind == 2:
        _submarine(canvas, (x, ground - size), size * 1.2, colours, rng)
    else:
        jelly(canvas, (x, ground - size), size * 0.8, mix(colours.coral, WHITE, 0.3), rng)


def _submarine(
    canvas: Canvas, at: tuple[float, float], size: float, colours: Palette, rng: np.random.Generator
) -> None:
    x, y = at
    hull = mix(colours.coral, colours.metal, float(rng.random()))
    canvas.box(
        (x - size * 0.25, y - size * 0.62, size * 0.5, size * 0.4), mix(hull, BLACK, 0.2), round_mm=size * 0.1
    )
    canvas.line(
        [(x, y - size * 0.6), (x, y - size * 0.9), (x + size * 0.2, y - size * 0.9)], size * 0.07, colours.ink
    )
    canvas.box((x - size, y - size * 0.36, size * 2, size * 0.72), hull, round_mm=size * 0.36)
    canvas.box((x - size, y, size * 2, size * 0.36), BLACK, 0.25, round_mm=size * 0.18)
    for port in (-0.55, -0.05, 0.45):
        canvas.circle((x + port * size, y - size * 0.03), size * 0.16, mix(colours.metal, BLACK, 0.3))
        canvas.circle((x + port * size, y - size * 0.03), size * 0.11, colours.glow)
    canvas.poly(
        [(x - size * 0.95, y), (x - size * 1.3, y - size * 0.3), (x - size * 1.3, y + size * 0.3)],
        mix(hull, BLACK, 0.35),
    )


def _need(
    canvas: Canvas, panel: tuple[float, float, float, float], need: str | list[int], colours: Palette
) -> None:
    x, y, width, height = panel
    step = min(width / (len(need) + 0.4), height * 0.9)
    start = x + width / 2 - step * (len(need) - 1) / 2
    for i, what in enumerate(need):
        at = (start + i * step, y + height / 2)
        if isinstance(what, str):
            art_icons.cube(canvas, at, step * 0.44, colours.cubes[what])
        else:
            canvas.box(
                (at[0] - step * 0.36, at[1] - step * 0.36, step * 0.72, step * 0.72),
                mix(colours.rock, colours.paper, 0.35),
                round_mm=step * 0.12,
            )
            canvas.frame(
                (at[0] - step * 0.36, at[1] - step * 0.36, step * 0.72, step * 0.72),
                0.4,
                colours.ink,
                round_mm=step * 0.12,
            )
            canvas.text(str(what), at, step * 0.4, WHITE, colours.title_pen, outline=colours.ink)


def _points(canvas: Canvas, at: tuple[float, float], points: int, colours: Palette) -> None:
    canvas.circle(at, 5.4, colours.ink)
    canvas.circle(at, 5.0, mix(colours.metal, WHITE, 0.25))
    canvas.ring(at, 4.2, 0.3, mix(colours.metal, BLACK, 0.3))
    canvas.text(str(points), at, 4.6, colours.ink, colours.title_pen)


def _bonus(canvas: Canvas, bonus: str, at: tuple[float, float], colours: Palette) -> None:
    for i, letter in enumerate(bonus):
        spot = (at[0] + i * 7.0, at[1])
        if letter == "c":
            art_icons.coin(canvas, spot, 2.9, colours)
        else:
            art_icons.battery(canvas, spot, 2.9, colours)


def plate_words(
    canvas: Canvas, rect: tuple[float, float, float, float], words: str, colours: Palette
) -> None:
    """A name plate with words in it."""
    art_people.plate(canvas, rect, colours.ink, colours.metal)
    canvas.text(
        words,
        (rect[0] + rect[2] / 2, rect[1] + rect[3] / 2),
        rect[3] * 0.5,
        colours.paper,
        colours.pen,
        fit_mm=rect[2] * 0.85,
    )

"""The two kinds of board, printed over the drowned world: spaces, tracks, frames and lettering."""

import numpy as np

from hardware.simulated import art_icons, art_people, noise
from hardware.simulated.art_cards import plate_words
from hardware.simulated.art_pieces import generator, key_outline
from hardware.simulated.art_sea import Sea, dome, halo, paint, tower
from hardware.simulated.canvas import Bgr, Canvas, rounded
from hardware.simulated.layout import CAPACITIES, CUBE_OF, RESOURCES, Layout, Rect
from hardware.simulated.palette import Palette, mix, player_colour

WHITE: Bgr = (255.0, 255.0, 255.0)
BLACK: Bgr = (0.0, 0.0, 0.0)
STORE_VALUES = ("3", "2", "1")


def player_board(seed: int, colour: str, at: Layout, colours: Palette, ppm: float) -> Canvas:
    """Sky and quay above, five levels of darkening water below; the owner's colour tints everything a little."""
    rng = generator(seed, "board", "player")
    tone = player_colour(colour)
    width, height = at.player_mm
    slots = at.by_id
    canvas = Canvas(at.player_mm, ppm)
    first = slots[f"{colour}.diver.4"].rect_mm
    waterline = (first[1] - 2.0) / height
    paint(
        canvas, Sea(waterline=waterline, ridges=3, city=1.2, life=1.1, tint=tone, horizon=0.56), colours, rng
    )
    _quay(canvas, colours, rng, waterline * height, tone)
    column = slots[f"{colour}.diver.1"].rect_mm
    canvas.box(
        (column[0] - 3, column[1] - 2.5, column[2] + 6, height - 2 * column[1] + 5),
        mix(colours.abyss, tone, 0.22),
        0.78,
        3,
    )
    canvas.frame(
        (column[0] - 3, column[1] - 2.5, column[2] + 6, height - 2 * column[1] + 5),
        0.8,
        colours.metal,
        0.9,
        3,
    )
    for row in range(8):
        _diver_space(canvas, slots[f"{colour}.diver.{row + 1}"].rect_mm, row, colours)
    for level in range(5):
        _level(canvas, at, colour, level, colours, tone)
    _x_space(canvas, slots[f"{colour}.x"].rect_mm, colours, tone)
    words = ("STATION " + colour).upper()
    last = slots[f"{colour}.reward.1"].rect_mm
    right = (column[0] + column[2] + 8, column[1] + 3, last[0] + last[2] - column[0] - column[2] - 8, 11)
    plate_words(canvas, right, words, colours)
    canvas.text(
        "SELL  BUY  DIVE  BREATHE",
        (right[0] + right[2] / 2, right[1] + 18),
        2.6,
        mix(colours.ink, tone, 0.3),
        colours.pen,
    )
    for i, name in enumerate(RESOURCES):
        spot = (right[0] + right[2] * (0.2 + 0.2 * i), right[1] + 28)
        halo(canvas, spot, 5.5, WHITE, 0.5)
        art_icons.cube(canvas, spot, 3.8, colours.cubes[CUBE_OF[name]])
    _engraved_frame(canvas, mix(tone, colours.metal, 0.25), colours)
    canvas.cut(rounded((0, 0, width, height), 2.0))
    return canvas


def colony_board(seed: int, at: Layout, colours: Palette, ppm: float) -> Canvas:
    rng = generator(seed, "board", "colony")
    width, height = at.colony_mm
    canvas = Canvas(at.colony_mm, ppm)
    paint(canvas, Sea(ridges=4, city=2.2, life=1.5, horizon=0.40), colours, rng)
    _great_city(canvas, at, colours, rng)
    _display(canvas, at, colours)
    _store(canvas, at, colours)
    _score(canvas, at, colours)
    _title(canvas, at, colours)
    _engraved_frame(canvas, colours.metal, colours)
    canvas.cut(rounded((0, 0, width, height), 2.0))
    return canvas


def _quay(canvas: Canvas, colours: Palette, rng: np.random.Generator, line_mm: float, tone: Bgr) -> None:
    """A floating quay on the left with a crane and lamps."""
    width = canvas.size_mm[0] * 0.25
    wood = mix(colours.sand, colours.rock, 0.35)
    canvas.box((0, line_mm - 5, width, 3.4), wood)
    for x in np.arange(3, width, 5):
        canvas.line([(x, line_mm - 5), (x, line_mm - 1.6)], 0.25, mix(wood, BLACK, 0.5), 0.7)
    for x in np.linspace(6, width - 6, 4):
        canvas.box((x - 1, line_mm - 2, 2, 9), mix(wood, BLACK, 0.45))
        lamp = (float(x), line_mm - 12 - float(rng.uniform(0, 3)))
        canvas.line([(x, line_mm - 5), lamp], 0.4, colours.ink)
        halo(canvas, lamp, 3.5, colours.glow, 0.7)
        canvas.circle(lamp, 0.9, mix(colours.glow, WHITE, 0.5))
    canvas.box((width * 0.1, line_mm - 10, 8, 5), mix(tone, colours.sand, 0.3))
    canvas.box((width * 0.1 + 9, line_mm - 9, 6, 4), mix(colours.coral, colours.rock, 0.4))


def _diver_space(canvas: Canvas, rect: Rect, row: int, colours: Palette) -> None:
    x, y, width, height = rect
    canvas.box(rect, colours.ink, 0.5, 2)
    canvas.frame(rect, 0.35, mix(colours.shallow, WHITE, 0.2), 0.6, 2)
    middle = (x + width / 2, y + height / 2)
    if row < 3:
        art_icons.wave(canvas, middle, height * 0.28, colours)
    else:
        canvas.text(
            str(row - 2),
            middle,
            height * 0.42,
            mix(colours.shallow, colours.deep, 0.4),
            colours.title_pen,
            0.7,
        )
    for side in (-1, 1):
        canvas.circle((middle[0] + side * width * 0.43, middle[1]), 0.8, colours.metal, 0.7)


def _level(canvas: Canvas, at: Layout, colour: str, level: int, colours: Palette, tone: Bgr) -> None:
    slots = at.by_id
    key = slots[f"{colour}.key.{level + 1}"].rect_mm
    zone = slots[f"{colour}.zone.{level + 1}"].rect_mm
    reward = slots[f"{colour}.reward.{level + 1}"].rect_mm
    outline = key_outline(at.seed, key[2]) + np.array(key[:2])
    canvas.poly(outline, mix(tone, colours.abyss, 0.6), 0.85)
    canvas.line(outline, 0.7, mix(tone, WHITE, 0.35), closed=True)
    centre = (key[0] + key[2] / 2, key[1] + key[3] / 2)
    canvas.text(str(level + 1), centre, key[3] * 0.36, mix(tone, WHITE, 0.55), colours.pen, 0.9)
    canvas.line(
        [(centre[0] + key[2] / 2 + 0.5, centre[1]), (zone[0] - 1, centre[1])], 0.5, colours.metal, 0.4
    )
    ground = mix(colours.shallow, colours.abyss, 0.25 + 0.16 * level)
    canvas.box(zone, ground, 0.72, 2.5)
    canvas.frame(zone, 0.5, mix(ground, WHITE, 0.4), 0.9, 2.5)
    capacity = CAPACITIES[level]
    cell = zone[2] / capacity
    side = min(cell, zone[3]) - 3.0
    for i in range(capacity):
        spot = (zone[0] + (i + 0.5) * cell, zone[1] + zone[3] / 2)
        canvas.box((spot[0] - side / 2, spot[1] - side / 2, side, side), mix(ground, BLACK, 0.35), 0.6, 1)
        canvas.frame(
            (spot[0] - side / 2, spot[1] - side / 2, side, side), 0.3, mix(ground, WHITE, 0.5), 0.7, 1
        )
    middle = (reward[0] + reward[2] / 2, reward[1] + reward[3] / 2)
    canvas.circle(middle, reward[2] / 2, mix(colours.abyss, tone, 0.15), 0.7)
    canvas.ring(middle, reward[2] / 2 - 0.3, 0.5, colours.metal, 0.9)
    canvas.ring(middle, reward[2] * 0.36, 0.25, mix(colours.shallow, WHITE, 0.3), 0.6)
    for turn in np.deg2rad(np.arange(0, 360, 60)):
        canvas.circle(
            (middle[0] + np.cos(turn) * reward[2] * 0.22, middle[1] + np.sin(turn) * reward[2] * 0.22),
            0.7,
            colours.metal,
            0.7,
        )


def _x_space(canvas: Canvas, rect: Rect, colours: Palette, tone: Bgr) -> None:
    canvas.box(rect, mix(colours.paper, tone, 0.35), 0.62, 3)
    canvas.frame(rect, 0.7, mix(tone, BLACK, 0.25), 0.9, 3)
    canvas.frame(
        (rect[0] + 1.5, rect[1] + 1.5, rect[2] - 3, rect[3] - 3), 0.3, mix(tone, BLACK, 0.25), 0.6, 2.2
    )
    canvas.text(
        "X",
        (rect[0] + rect[2] / 2, rect[1] + rect[3] / 2),
        rect[3] * 0.34,
        mix(tone, BLACK, 0.3),
        colours.title_pen,
        0.55,
    )


def _great_city(canvas: Canvas, at: Layout, colours: Palette, rng: np.random.Generator) -> None:
    """The colony itself, in the part of the board that no space covers."""
    width, height = canvas.size_mm
    store = at.by_id["colony.store.fuel.1"].rect_mm
    x, floor = store[0], store[1] - 6
    halo(canvas, (x, floor - 14), 46, colours.glow, 0.45)
    for side, size in ((-1.9, 13), (1.9, 14), (-0.95, 19), (1.0, 17)):
        dome(canvas, (x + side * 17, floor), size, colours, rng)
    tower(canvas, (x, floor), 8, 34, colours, rng)
    tower(canvas, (x + 24, floor), 4, 22, colours, rng)
    for _ in range(9):
        spot = (float(rng.uniform(0.1, 0.9)) * width, float(rng.uniform(0.86, 0.93)) * height)
        dome(canvas, spot, float(rng.uniform(5, 10)), colours, rng)


def _display(canvas: Canvas, at: Layout, colours: Palette) -> None:
    slots = at.by_id
    for level in range(1, 6):
        sponsor = slots[f"colony.sponsor.{level}"].rect_mm
        spaces = [slots[f"colony.display.{level}.{which}"].rect_mm for which in (1, 2)]
        left = min(sponsor[0], spaces[0][0]) - 2.5
        right = max(sponsor[0] + sponsor[2], spaces[1][0] + spaces[1][2]) + 2.5
        band = (left, sponsor[1] - 1.6, right - left, sponsor[3] + 3.2)
        ground = mix(colours.deep, colours.abyss, 0.15 * level)
        canvas.box(band, ground, 0.78, 2.5)
        canvas.frame(band, 0.45, mix(colours.shallow, colours.metal, 0.4), 0.9, 2.5)
        canvas.box(sponsor, mix(ground, BLACK, 0.45), 0.7, 1.8)
        canvas.frame(sponsor, 0.35, colours.metal, 0.8, 1.8)
        centre = (sponsor[0] + sponsor[2] / 2, sponsor[1] + sponsor[3] / 2)
        canvas.ring(centre, sponsor[3] * 0.3, 0.35, colours.metal, 0.6)
        canvas.text(str(level), centre, sponsor[3] * 0.32, colours.metal, colours.title_pen, 0.8)
        for x, y, size, _ in spaces:
            middle = (x + size / 2, y + size / 2)
            canvas.circle(middle, size / 2, mix(ground, BLACK, 0.5), 0.8)
            canvas.ring(middle, size / 2 - 0.2, 0.4, colours.metal, 0.9)
            canvas.line(
                [(middle[0] - size * 0.2, middle[1]), (middle[0] + size * 0.2, middle[1])],
                0.3,
                colours.metal,
                0.6,
            )
            canvas.line(
                [(middle[0], middle[1] - size * 0.2), (middle[0], middle[1] + size * 0.2)],
                0.3,
                colours.metal,
                0.6,
            )


def _store(canvas: Canvas, at: Layout, colours: Palette) -> None:
    slots = at.by_id
    for name in RESOURCES:
        tone = colours.cubes[CUBE_OF[name]]
        top = slots[f"colony.store.{name}.1"].rect_mm
        low = slots[f"colony.store.{name}.3"].rect_mm
        column = (top[0] - 3, top[1] - 12.5, top[2] + 6, low[1] + low[3] - top[1] + 16)
        canvas.box(column, mix(tone, colours.abyss, 0.45), 0.9, 2.5)
        canvas.frame(column, 0.7, mix(tone, colours.metal, 0.5), 1, 2.5)
        art_icons.cube(canvas, (top[0] + top[2] / 2, top[1] - 6), 4.0, tone)
        for row in range(3):
            x, y, side, _ = slots[f"colony.store.{name}.{row + 1}"].rect_mm
            canvas.box((x, y, side, side), mix(tone, colours.paper, 0.55), 0.6, 1.5)
            canvas.frame((x, y, side, side), 0.4, mix(tone, BLACK, 0.4), 0.9, 1.5)
            art_icons.coin(canvas, (x + side * 0.34, y + side * 0.5), side * 0.2, colours)
            canvas.text(
                STORE_VALUES[row],
                (x + side * 0.72, y + side * 0.5),
                side * 0.36,
                colours.ink,
                colours.title_pen,
            )
            if row == 0:
                art_icons.prestige(canvas, (x + side * 0.84, y + side * 0.16), side * 0.11, colours)


def _score(canvas: Canvas, at: Layout, colours: Palette) -> None:
    slot = at.by_id["colony.score"]
    width, height = slot.size_mm
    for place, (x, y) in enumerate(slot.places_mm):
        tone = mix(colours.shallow, colours.deep, 0.25 if place % 2 else 0.6)
        if place % 5 == 0:
            tone = mix(colours.metal, colours.glow, 0.3)
        if place == 18:
            tone = mix(colours.coral, (40, 40, 200), 0.3)
        rect = (x - width / 2 + 0.25, y - height / 2 + 0.25, width - 0.5, height - 0.5)
        canvas.box(rect, tone, 0.95, 1.2)
        canvas.box((rect[0], rect[1], rect[2], rect[3] * 0.4), WHITE, 0.14, 1.2)
        canvas.frame(rect, 0.35, colours.ink, 0.8, 1.2)
        canvas.text(
            str(place),
            (x, y),
            width * 0.26,
            colours.ink if place % 5 == 0 else colours.paper,
            colours.title_pen,
        )


def _title(canvas: Canvas, at: Layout, colours: Palette) -> None:
    store = at.by_id["colony.store.metal.1"].rect_mm
    last = at.by_id["colony.store.tech.1"].rect_mm
    middle = (store[0] + last[0] + last[2]) / 2
    score = at.by_id["colony.score"].size_mm[1]
    y = score + 22
    canvas.text("OTYS", (middle, y), 15, colours.paper, colours.title_pen, outline=colours.ink)
    canvas.text(
        "THE DROWNED COLONY",
        (middle, y + 14),
        3.6,
        mix(colours.metal, WHITE, 0.35),
        colours.pen,
        outline=colours.ink,
    )


def _engraved_frame(canvas: Canvas, tone: Bgr, colours: Palette) -> None:
    width, height = canvas.size_mm
    for inset, weight, shade in (
        (1.1, 1.9, mix(tone, BLACK, 0.45)),
        (1.0, 1.1, tone),
        (0.75, 0.35, mix(tone, WHITE, 0.55)),
    ):
        canvas.frame((inset, inset, width - 2 * inset, height - 2 * inset), weight, shade, round_mm=2.0)
    for x in (4.2, width - 4.2):
        for y in (4.2, height - 4.2):
            canvas.circle((x, y), 1.7, mix(tone, BLACK, 0.4))
            canvas.circle((x, y), 1.3, tone)
            canvas.line([(x - 0.7, y - 0.7), (x + 0.7, y + 0.7)], 0.3, mix(tone, BLACK, 0.6))
    art_people.plate(canvas, (width / 2 - 9, 0.4, 18, 2.6), mix(tone, BLACK, 0.2), tone)
    wear = noise.grain(np.random.default_rng(5), canvas.size_px, 0.012)
    canvas.tint((1 + wear).astype(np.float32))

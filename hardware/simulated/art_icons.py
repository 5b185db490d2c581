"""The signs of the game: cubes, coins, batteries, stars, cards, tools. Each is drawn at a place with a radius."""

from collections.abc import Callable

import numpy as np

from hardware.simulated.canvas import Bgr, Canvas, oval, polygon, rounded, star
from hardware.simulated.palette import Palette, mix

Point = tuple[float, float]
Icon = Callable[[Canvas, Point, float, Palette], None]
WHITE: Bgr = (255.0, 255.0, 255.0)
BLACK: Bgr = (0.0, 0.0, 0.0)


def cube(canvas: Canvas, at: Point, radius: float, bgr: Bgr) -> None:
    """A cube seen from a corner."""
    x, y = at
    corners = [(x + radius * np.cos(t), y + radius * np.sin(t)) for t in np.deg2rad(np.arange(-90, 270, 60))]
    centre = (x, y)
    canvas.poly([corners[0], corners[1], centre, corners[5]], mix(bgr, WHITE, 0.34))
    canvas.poly([corners[5], centre, corners[3], corners[4]], bgr)
    canvas.poly([corners[1], corners[2], corners[3], centre], mix(bgr, BLACK, 0.38))
    edge = mix(bgr, BLACK, 0.62) if sum(bgr) > 260 else mix(bgr, WHITE, 0.45)
    canvas.line(corners, max(0.18, radius * 0.09), edge, closed=True)
    for i in (1, 3, 5):
        canvas.line([centre, corners[i]], max(0.12, radius * 0.06), edge, 0.6)


def coin(canvas: Canvas, at: Point, radius: float, colours: Palette) -> None:
    gold = mix(colours.credits, (40, 190, 240), 0.6)
    canvas.circle(at, radius, mix(gold, BLACK, 0.45))
    canvas.circle(at, radius * 0.92, gold)
    canvas.ring(at, radius * 0.74, radius * 0.08, mix(gold, BLACK, 0.35))
    canvas.ring(at, radius * 0.68, radius * 0.06, mix(gold, WHITE, 0.6))
    canvas.text("C", at, radius * 0.78, mix(gold, BLACK, 0.6), colours.title_pen)
    canvas.poly(
        oval((at[0] - radius * 0.3, at[1] - radius * 0.45), (radius * 0.4, radius * 0.14), -30), WHITE, 0.4
    )


def battery(canvas: Canvas, at: Point, radius: float, colours: Palette) -> None:
    x, y = at
    shell = mix(colours.ink, colours.rock, 0.25)
    canvas.box((x - radius * 0.22, y - radius, radius * 0.44, radius * 0.3), shell)
    canvas.box(
        (x - radius * 0.56, y - radius * 0.82, radius * 1.12, radius * 1.8), shell, round_mm=radius * 0.15
    )
    charge = (70.0, 225.0, 130.0)
    canvas.box(
        (x - radius * 0.42, y - radius * 0.66, radius * 0.84, radius * 1.48), charge, round_mm=radius * 0.08
    )
    canvas.box((x - radius * 0.42, y - radius * 0.66, radius * 0.26, radius * 1.48), WHITE, 0.35)
    bolt = [(0.1, -0.5), (-0.3, 0.16), (-0.02, 0.16), (-0.12, 0.68), (0.3, 0.0), (0.04, 0.0)]
    canvas.poly([(x + dx * radius, y + dy * radius) for dx, dy in bolt], mix(colours.ink, charge, 0.1))


def prestige(canvas: Canvas, at: Point, radius: float, colours: Palette) -> None:
    gold = (70.0, 215.0, 250.0)
    canvas.poly(star(at, radius * 1.08), mix(gold, BLACK, 0.55))
    canvas.poly(star(at, radius * 0.92), gold)
    for point in star(at, radius * 0.9)[::2]:
        canvas.line([at, (float(point[0]), float(point[1]))], radius * 0.06, mix(gold, BLACK, 0.25), 0.7)
    canvas.poly(star(at, radius * 0.45), mix(gold, WHITE, 0.6), 0.8)


def contracts(canvas: Canvas, at: Point, radius: float, colours: Palette) -> None:
    x, y = at
    for i, turn in enumerate((-24, -8, 8, 24)):
        angle = np.deg2rad(turn)
        spin = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        body = rounded((-radius * 0.34, -radius * 0.95, radius * 0.68, radius * 1.15), radius * 0.1)
        moved = body @ spin + (x, y + radius * 0.55)
        canvas.poly(moved, mix(colours.paper, colours.shallow, 0.15 * i))
        canvas.line(moved, radius * 0.07, colours.ink, closed=True)
    canvas.text("+1", (x, y + radius * 0.72), radius * 0.45, WHITE, colours.title_pen, outline=colours.ink)


def upgrade(canvas: Canvas, at: Point, radius: float, colours: Palette) -> None:
    x, y = at
    arrow = [(0, -1), (0.85, -0.1), (0.38, -0.1), (0.38, 0.9), (-0.38, 0.9), (-0.38, -0.1), (-0.85, -0.1)]
    points = [(x + dx * radius, y + dy * radius) for dx, dy in arrow]
    canvas.poly(points, mix(colours.coral, (40, 40, 230), 0.35))
    canvas.line(points, radius * 0.12, mix(colours.ink, colours.coral, 0.2), closed=True)
    canvas.line(
        [(x, y - radius * 0.7), (x, y + radius * 0.7)], radius * 0.12, mix(colours.coral, WHITE, 0.7), 0.8
    )


def eye(canvas: Canvas, at: Point, radius: float, colours: Palette) -> None:
    x, y = at
    bend = np.linspace(-1, 1, 15)
    lid = np.vstack(
        [
            np.stack([bend, -0.58 * (1 - bend**2)], axis=1),
            np.stack([bend[::-1], 0.58 * (1 - bend**2)], axis=1),
        ]
    )
    canvas.poly(lid * radius + (x, y), colours.paper)
    canvas.line(lid * radius + (x, y), radius * 0.13, colours.ink, closed=True)
    canvas.circle(at, radius * 0.42, mix(colours.plant, colours.shallow, 0.4))
    canvas.circle(at, radius * 0.2, colours.ink)
    canvas.circle((x - radius * 0.14, y - radius * 0.15), radius * 0.1, WHITE)


def gear(canvas: Canvas, at: Point, radius: float, colours: Palette) -> None:
    tone = mix(colours.shallow, (200, 200, 200), 0.6)
    for turn in range(0, 360, 45):
        a = np.deg2rad(turn)
        tooth = polygon(
            (at[0] + np.cos(a) * radius * 0.78, at[1] + np.sin(a) * radius * 0.78), radius * 0.3, 4, turn + 45
        )
        canvas.poly(tooth, mix(tone, BLACK, 0.25))
    canvas.circle(at, radius * 0.78, tone)
    canvas.ring(at, radius * 0.62, radius * 0.08, mix(tone, BLACK, 0.4))
    canvas.circle(at, radius * 0.3, colours.ink)


def compass(canvas: Canvas, at: Point, radius: float, colours: Palette) -> None:
    x, y = at
    canvas.circle(at, radius, colours.metal)
    canvas.circle(at, radius * 0.82, colours.paper)
    for turn in range(0, 360, 30):
        a = np.deg2rad(turn)
        canvas.line(
            [
                (x + np.cos(a) * radius * 0.68, y + np.sin(a) * radius * 0.68),
                (x + np.cos(a) * radius * 0.8, y + np.sin(a) * radius * 0.8),
            ],
            radius * 0.05,
            colours.ink,
        )
    canvas.poly(
        [
            (x + radius * 0.42, y - radius * 0.52),
            (x + radius * 0.16, y + radius * 0.12),
            (x - radius * 0.14, y - radius * 0.12),
        ],
        (50, 50, 220),
    )
    canvas.poly(
        [
            (x - radius * 0.42, y + radius * 0.52),
            (x + radius * 0.16, y + radius * 0.12),
            (x - radius * 0.14, y - radius * 0.12),
        ],
        colours.ink,
    )


def key(canvas: Canvas, at: Point, radius: float, colours: Palette) -> None:
    x, y = at
    for tone, weight in ((colours.ink, 0.36), (mix(colours.metal, (60, 210, 250), 0.35), 0.2)):
        canvas.ring((x - radius * 0.5, y), radius * 0.32, weight * radius, tone)
        canvas.line([(x - radius * 0.2, y), (x + radius * 0.85, y)], weight * radius, tone)
        canvas.line(
            [(x + radius * 0.8, y), (x + radius * 0.8, y + radius * 0.38)], weight * radius * 0.9, tone
        )
        canvas.line(
            [(x + radius * 0.48, y), (x + radius * 0.48, y + radius * 0.3)], weight * radius * 0.9, tone
        )


def scales(canvas: Canvas, at: Point, radius: float, colours: Palette) -> None:
    """The Trader: a coin between two arrows."""
    x, y = at
    for side in (-1, 1):
        tone = colours.prestige if side > 0 else colours.credits
        arc = np.deg2rad(np.linspace(-60, 60, 14)) + (0 if side > 0 else np.pi)
        line = np.stack([x + np.cos(arc) * radius * 0.88, y + np.sin(arc) * radius * 0.88], axis=1)
        canvas.line(line, radius * 0.2, tone)
        canvas.poly(polygon((float(line[-1][0]), float(line[-1][1])), radius * 0.26, 3, 90 * side + 55), tone)
    coin(canvas, at, radius * 0.58, colours)


def wave(canvas: Canvas, at: Point, radius: float, colours: Palette) -> None:
    x, y = at
    for row in (-0.45, 0.0, 0.45):
        t = np.linspace(-1, 1, 24)
        canvas.line(
            np.stack([x + t * radius, y + row * radius + 0.16 * radius * np.sin(t * 9)], axis=1),
            radius * 0.14,
            mix(colours.shallow, WHITE, 0.4),
        )


def double(canvas: Canvas, at: Point, radius: float, colours: Palette) -> None:
    for dx in (-0.32, 0.32):
        canvas.circle((at[0] + dx * radius, at[1]), radius * 0.58, colours.ink)
        canvas.circle((at[0] + dx * radius, at[1]), radius * 0.5, mix(colours.coral, colours.paper, 0.3))
    canvas.text("x2", at, radius * 0.62, colours.ink, colours.title_pen)


def resurface(canvas: Canvas, at: Point, radius: float, colours: Palette) -> None:
    wave(canvas, (at[0], at[1] + radius * 0.5), radius * 0.9, colours)
    upgrade(canvas, (at[0], at[1] - radius * 0.2), radius * 0.62, colours)


def free(canvas: Canvas, at: Point, radius: float, colours: Palette) -> None:
    coin(canvas, at, radius * 0.8, colours)
    canvas.line(
        [(at[0] - radius * 0.8, at[1] + radius * 0.8), (at[0] + radius * 0.8, at[1] - radius * 0.8)],
        radius * 0.22,
        (40, 40, 215),
    )


def move(canvas: Canvas, at: Point, radius: float, colours: Palette) -> None:
    x, y = at
    cube(canvas, (x - radius * 0.45, y + radius * 0.3), radius * 0.46, colours.cubes["m"])
    canvas.line(
        [(x - radius * 0.2, y - radius * 0.5), (x + radius * 0.55, y - radius * 0.5)],
        radius * 0.16,
        colours.ink,
    )
    canvas.poly(polygon((x + radius * 0.62, y - radius * 0.5), radius * 0.3, 3), colours.ink)
    battery(canvas, (x + radius * 0.45, y + radius * 0.32), radius * 0.5, colours)


def shown_reward(canvas: Canvas, at: Point, radius: float, colours: Palette) -> None:
    canvas.circle(at, radius * 0.9, mix(colours.credits, colours.prestige, 0.5))
    canvas.circle(at, radius * 0.7, colours.paper)
    prestige(canvas, at, radius * 0.5, colours)


DIVER_ICONS: dict[str, Icon] = {
    "trader": scales,
    "spy": eye,
    "engineer": gear,
    "explorer": compass,
}
SPONSOR_ICONS: dict[str, Icon] = {
    "1": coin,
    "1a": free,
    "2": double,
    "2a": shown_reward,
    "3": key,
    "3a": resurface,
    "4": upgrade,
    "4a": upgrade,
    "5": battery,
    "5a": move,
}

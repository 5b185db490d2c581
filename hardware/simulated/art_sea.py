"""The drowned world behind everything: water with light in it, ridges, domes, kelp, coral and what swims there."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated import noise
from hardware.simulated.canvas import Bgr, Canvas, oval
from hardware.simulated.lettering import through
from hardware.simulated.palette import Palette, mix


@dataclass(frozen=True)
class Sea:
    """What to paint. `waterline` is the share of the height that is sky; life and city are densities."""

    waterline: float = 0.0
    ridges: int = 3
    city: float = 1.0
    life: float = 1.0
    tint: Bgr | None = None
    horizon: float = 0.45  # where the farthest ridge stands, as a share of the height


def paint(canvas: Canvas, sea: Sea, colours: Palette, rng: np.random.Generator) -> None:
    """Fills the canvas. The picture depends on the generator alone, not on the resolution, save for fine noise."""
    _water(canvas, sea, colours, rng)
    _shafts(canvas, sea, colours, rng)
    for layer in range(sea.ridges):
        near = (layer + 1) / sea.ridges
        ridge = _ridge(canvas, sea, colours, rng, near)
        if rng.random() < sea.city * 0.9:
            _settlement(canvas, sea, colours, rng, ridge, near)
        _growth(canvas, sea, colours, rng, ridge, near)
        if layer < sea.ridges - 1:
            _swimmers(canvas, sea, colours, rng, near)
    _bubbles(canvas, sea, colours, rng)
    if sea.waterline:
        _surface(canvas, sea, colours, rng)
    _print(canvas, rng)


def _water(canvas: Canvas, sea: Sea, colours: Palette, rng: np.random.Generator) -> None:
    width, height = canvas.size_px
    y = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    drift = noise.clouds(rng, (width, height), (4, 3), 5, 0.58)
    depth = np.clip((y - sea.waterline) / (1 - sea.waterline), 0, 1) + 0.34 * (drift - 0.5)
    shallow, deep, abyss = (np.array(c, np.float32) for c in (colours.shallow, colours.deep, colours.abyss))
    picture = noise.mixed(
        shallow * np.ones((height, width, 1), np.float32), deep, noise.ramp(depth, 0.0, 0.55)
    )
    picture = noise.mixed(picture, abyss, noise.ramp(depth, 0.45, 1.05))
    # Caustics: bright seams of folded noise, strongest just under the surface.
    seams = np.zeros((height, width), np.float32)
    for cells, strength in (((13, 10), 1.0), ((22, 17), 0.7)):
        folds = noise.clouds(rng, (width, height), cells, 3, 0.42)
        seams += strength * np.clip(1 - np.abs(folds - 0.5) * 13, 0, 1) ** 1.5
    picture += (seams * np.clip(1 - depth * 1.6, 0, 1) ** 1.4)[..., None] * 34
    if sea.tint is not None:
        # As a thin glaze of the colour over the water: its brightness stays.
        tint = np.array(sea.tint, np.float32)
        picture *= 1 + 0.30 * (tint / max(float(tint.mean()), 1.0) - 1)
    canvas.img[:] = np.clip(picture, 0, 255)


def _shafts(canvas: Canvas, sea: Sea, colours: Palette, rng: np.random.Generator) -> None:
    width, height = canvas.size_px
    small = np.zeros((96, 160), np.float32)
    lean = rng.uniform(-50, 50)
    for _ in range(7):
        x, spread = rng.uniform(-20, 180), rng.uniform(3, 12)
        quad = np.array([(x, 0), (x + spread, 0), (x + spread * 2.4 + lean, 96), (x - spread + lean, 96)])
        beam = np.zeros_like(small)
        cv2.fillConvexPoly(beam, quad.astype(np.int32), 1.0)
        small += beam * rng.uniform(0.3, 0.8)
    fade = np.clip(1 - (np.linspace(0, 1, 96)[:, None] - sea.waterline) * 1.5, 0, 1)
    field = cv2.resize(
        cv2.GaussianBlur(small, (0, 0), 3.5) * fade.astype(np.float32),
        (width, height),
        interpolation=cv2.INTER_CUBIC,
    )
    canvas.paint(
        np.array(mix(colours.shallow, (255, 255, 255), 0.5), np.float32), np.clip(field, 0, 1) * 0.24
    )


def _ridge(canvas: Canvas, sea: Sea, colours: Palette, rng: np.random.Generator, near: float) -> NDArray[Any]:
    """One line of rock across the picture; nearer ones stand lower and darker. Returns its crest in millimetres."""
    width, height = canvas.size_mm
    base = height * (sea.horizon + (0.97 - sea.horizon) * near**0.8)
    count = 72
    crest = np.zeros(count)
    for octave in range(5):
        knots = rng.uniform(-1, 1, 4 * 2**octave)
        crest += np.interp(np.linspace(0, 1, count), np.linspace(0, 1, len(knots)), knots) * 0.55**octave
    x = np.linspace(-1, width + 1, count)
    y = base + crest * height * 0.10
    shade = mix(mix(colours.deep, colours.rock, 0.55), colours.abyss, near * 0.85)
    line = np.stack([x, y], axis=1)
    body = np.vstack([line, [(width + 1, height + 1), (-1, height + 1)]])
    before = canvas.img.copy()
    canvas.poly(body, shade)
    # Strata and facets: the same rock lit from the upper left, seen through its own noise.
    size = canvas.size_px
    rough = noise.clouds(rng, size, (9, 16), 6, 0.68)
    relief = cv2.Sobel(rough, cv2.CV_32F, 1, 1, ksize=3)
    relief = np.clip(relief * 26 * canvas.ppm / 4, -0.5, 0.5)
    inside = cv2.absdiff(canvas.img, before).max(axis=2) > 0
    gain = np.where(inside, 1 + 0.30 * (rough - 0.5) + relief * 0.55, 1).astype(np.float32)
    canvas.tint(gain)
    canvas.line(line, 0.5, mix(shade, colours.shallow, 0.35), 0.55)
    canvas.line(line + np.array((0.3, 0.7)), 0.35, mix(shade, (0, 0, 0), 0.4), 0.5)
    return line


def _settlement(
    canvas: Canvas,
    sea: Sea,
    colours: Palette,
    rng: np.random.Generator,
    ridge: NDArray[Any],
    near: float,
) -> None:
    width, height = canvas.size_mm
    unit = min(width, height) * (0.05 + 0.07 * near)
    for _ in range(max(1, round(sea.city * 2.4))):
        x = float(rng.uniform(0.06, 0.94)) * width
        ground = float(np.interp(x, ridge[:, 0], ridge[:, 1])) + unit * 0.15
        size = unit * float(rng.uniform(0.7, 1.35))
        if rng.random() < 0.62:
            dome(canvas, (x, ground), size, colours, rng)
        else:
            tower(canvas, (x, ground), size * 0.42, size * 2.1, colours, rng)


def dome(
    canvas: Canvas, at: tuple[float, float], radius: float, colours: Palette, rng: np.random.Generator
) -> None:
    """A glass dome with houses in it: ribs, lit windows, a rim and a highlight."""
    x, y = at
    turn = np.linspace(np.pi, 2 * np.pi, 40)
    arch = np.stack([x + radius * np.cos(turn), y + radius * 0.92 * np.sin(turn)], axis=1)
    canvas.poly(arch, mix(colours.deep, colours.glow, 0.22), 0.55)
    houses = int(rng.integers(5, 9))
    for i in range(houses):
        span = 1.5 * radius / houses
        left = x - 0.75 * radius + i * span
        room = np.sqrt(max(0.05, 1 - ((left + span / 2 - x) / radius) ** 2)) * radius * 0.92
        tall = room * float(rng.uniform(0.35, 0.85))
        wall = mix(colours.abyss, colours.rock, float(rng.uniform(0, 0.7)))
        canvas.box((left, y - tall, span * 0.82, tall), wall)
        canvas.poly(
            [(left, y - tall), (left + span * 0.41, y - tall - span * 0.5), (left + span * 0.82, y - tall)],
            mix(wall, colours.coral, 0.3),
        )
        rows = max(1, int(tall / (radius * 0.16)))
        for row in range(rows):
            if rng.random() < 0.7:
                lit = mix(colours.glow, colours.coral, float(rng.random()) * 0.5)
                canvas.box(
                    (left + span * 0.22, y - tall + (row + 0.4) * tall / rows, span * 0.34, radius * 0.055),
                    lit,
                )
    for share in (-0.62, -0.22, 0.22, 0.62):
        rib = np.stack(
            [
                x + radius * share * np.cos(np.linspace(-np.pi / 2, np.pi / 2, 18)) ** 0.6,
                y - radius * 0.92 * np.cos(np.linspace(np.pi / 2, 0, 18)) * 1.0,
            ],
            axis=1,
        )
        canvas.line(rib, 0.3, mix(colours.shallow, colours.metal, 0.4), 0.45)
    canvas.line(arch, 0.65, mix(colours.shallow, (255, 255, 255), 0.25), 0.85)
    gloss = np.linspace(1.12 * np.pi, 1.38 * np.pi, 14)
    canvas.line(
        np.stack([x + 0.86 * radius * np.cos(gloss), y + 0.8 * radius * np.sin(gloss)], axis=1),
        0.9,
        (255, 255, 255),
        0.5,
    )
    canvas.box(
        (x - radius * 1.06, y - radius * 0.05, radius * 2.12, radius * 0.15),
        mix(colours.metal, colours.abyss, 0.35),
        1,
        radius * 0.06,
    )
    for bolt in np.linspace(-0.95, 0.95, 9):
        canvas.circle(
            (x + bolt * radius, y + radius * 0.02), radius * 0.022, mix(colours.metal, (255, 255, 255), 0.4)
        )


def tower(
    canvas: Canvas,
    at: tuple[float, float],
    half: float,
    tall: float,
    colours: Palette,
    rng: np.random.Generator,
) -> None:
    """A stack of decks narrowing upwards, with portholes and a lamp on a mast."""
    x, y = at
    decks = int(rng.integers(3, 6))
    for deck in range(decks):
        low, high = y - tall * deck / decks, y - tall * (deck + 0.86) / decks
        wide = half * (1 - 0.6 * deck / decks)
        shade = mix(colours.abyss, colours.rock, 0.25 + 0.12 * deck)
        canvas.poly(
            [(x - wide, low), (x - wide * 0.86, high), (x + wide * 0.86, high), (x + wide, low)], shade
        )
        canvas.poly(
            [(x + wide * 0.3, low), (x + wide * 0.26, high), (x + wide * 0.86, high), (x + wide, low)],
            (0, 0, 0),
            0.22,
        )
        canvas.box(
            (x - wide * 1.12, high - tall * 0.012, wide * 2.24, tall * 0.03), mix(colours.metal, shade, 0.35)
        )
        for port in np.linspace(-0.55, 0.55, 4):
            if rng.random() < 0.8:
                centre = (x + wide * port, (low + high) / 2)
                canvas.circle(centre, half * 0.15, mix(colours.metal, shade, 0.5))
                canvas.circle(centre, half * 0.10, colours.glow)
    top = y - tall
    canvas.line([(x, top + tall * 0.05), (x, top - tall * 0.2)], 0.45, mix(colours.metal, colours.rock, 0.3))
    for radius, alpha in ((half * 0.55, 0.14), (half * 0.32, 0.28), (half * 0.14, 1.0)):
        canvas.circle((x, top - tall * 0.2), radius, mix(colours.glow, (255, 255, 255), 0.3), alpha)


def _growth(
    canvas: Canvas,
    sea: Sea,
    colours: Palette,
    rng: np.random.Generator,
    ridge: NDArray[Any],
    near: float,
) -> None:
    width, height = canvas.size_mm
    unit = min(width, height) * (0.035 + 0.06 * near)
    for _ in range(round(sea.life * 7)):
        x = float(rng.uniform(0, width))
        ground = float(np.interp(x, ridge[:, 0], ridge[:, 1])) + unit * 0.2
        kind = rng.random()
        haze = (1 - near) * 0.5
        if kind < 0.45:
            leaf = mix(mix(colours.plant, colours.deep, haze), colours.abyss, float(rng.uniform(0, 0.4)))
            for strand in range(int(rng.integers(2, 5))):
                kelp(
                    canvas, (x + strand * unit * 0.3, ground), unit * float(rng.uniform(1.2, 2.9)), leaf, rng
                )
        elif kind < 0.75:
            tone = mix(mix(colours.coral, colours.sand, float(rng.random()) * 0.6), colours.deep, haze)
            coral(canvas, (x, ground), unit * 0.55, -np.pi / 2, tone, rng, 4)
        else:
            tone = mix(colours.rock, colours.abyss, 0.3 + 0.3 * near)
            canvas.poly(oval((x, ground), (unit * 0.8, unit * 0.42)), tone)
            canvas.poly(
                oval((x - unit * 0.15, ground - unit * 0.12), (unit * 0.5, unit * 0.18)),
                mix(tone, colours.shallow, 0.3),
                0.5,
            )
            for _ in range(4):
                spot = (x + float(rng.uniform(-0.6, 0.6)) * unit, ground - float(rng.uniform(0, 0.3)) * unit)
                canvas.circle(spot, unit * 0.07, mix(colours.coral, colours.sand, float(rng.random())), 0.8)


def kelp(canvas: Canvas, at: tuple[float, float], tall: float, bgr: Bgr, rng: np.random.Generator) -> None:
    knots = 5
    sway = np.cumsum(rng.uniform(-0.12, 0.12, knots)) * tall
    spine = through(np.stack([at[0] + sway - sway[0], at[1] - np.linspace(0, tall, knots)], axis=1), 5)
    canvas.line(spine, tall * 0.022 + 0.15, mix(bgr, (0, 0, 0), 0.25))
    for i, (x, y) in enumerate(spine[2:-1]):
        side = 1 if i % 2 else -1
        length = tall * 0.13 * (1 - i / len(spine) * 0.5)
        lean = side * (35 + float(rng.uniform(-12, 12)))
        tip = np.array([np.cos(np.deg2rad(lean)) * side, -abs(np.sin(np.deg2rad(lean)))]) * length
        canvas.poly(
            oval((x + tip[0] * 0.5, y + tip[1] * 0.5), (length * 0.55, length * 0.17), -lean),
            mix(bgr, (255, 255, 255), 0.10 * (i % 3)),
        )


def coral(
    canvas: Canvas,
    at: tuple[float, float],
    length: float,
    heading: float,
    bgr: Bgr,
    rng: np.random.Generator,
    depth: int,
) -> None:
    tip = (at[0] + np.cos(heading) * length, at[1] + np.sin(heading) * length)
    canvas.line([at, tip], max(0.35, length * 0.2), bgr)
    if depth == 0:
        canvas.circle(tip, max(0.3, length * 0.24), mix(bgr, (255, 255, 255), 0.4))
        return
    for side in (-1, 1):
        bend = heading + side * float(rng.uniform(0.2, 0.65))
        coral(
            canvas,
            tip,
            length * float(rng.uniform(0.62, 0.8)),
            bend,
            mix(bgr, (255, 255, 255), 0.05),
            rng,
            depth - 1,
        )


def fish(canvas: Canvas, at: tuple[float, float], size: float, bgr: Bgr, heading: int = 1) -> None:
    x, y = at
    canvas.poly(
        [
            (x - heading * size * 0.8, y),
            (x - heading * size * 1.45, y - size * 0.42),
            (x - heading * size * 1.3, y),
            (x - heading * size * 1.45, y + size * 0.42),
        ],
        mix(bgr, (0, 0, 0), 0.25),
    )
    canvas.poly(oval((x, y), (size, size * 0.42)), bgr)
    canvas.poly(oval((x, y + size * 0.14), (size * 0.8, size * 0.2)), mix(bgr, (255, 255, 255), 0.5), 0.55)
    canvas.poly(
        [
            (x - size * 0.2, y - size * 0.36),
            (x - heading * size * 0.5, y - size * 0.72),
            (x + heading * size * 0.25, y - size * 0.34),
        ],
        mix(bgr, (0, 0, 0), 0.15),
    )
    for stripe in (-0.3, 0.05, 0.35):
        canvas.line(
            [
                (x + heading * stripe * size, y - size * 0.3),
                (x + heading * (stripe - 0.06) * size, y + size * 0.28),
            ],
            size * 0.08,
            mix(bgr, (0, 0, 0), 0.4),
            0.5,
        )
    canvas.circle((x + heading * size * 0.62, y - size * 0.1), size * 0.11, (240, 240, 240))
    canvas.circle((x + heading * size * 0.65, y - size * 0.1), size * 0.06, (15, 15, 15))


def jelly(canvas: Canvas, at: tuple[float, float], size: float, bgr: Bgr, rng: np.random.Generator) -> None:
    x, y = at
    for i in range(7):
        foot = x + (i - 3) * size * 0.26
        sway = rng.uniform(-0.25, 0.25, 4) * size
        canvas.line(
            through(np.stack([foot + sway, y + np.linspace(0, size * 2.1, 4)], axis=1), 4), 0.3, bgr, 0.5
        )
    turn = np.linspace(np.pi, 2 * np.pi, 24)
    bell = np.stack([x + size * np.cos(turn), y + size * 0.95 * np.sin(turn)], axis=1)
    canvas.poly(bell, bgr, 0.7)
    canvas.poly(oval((x - size * 0.25, y - size * 0.5), (size * 0.4, size * 0.2), -25), (255, 255, 255), 0.4)
    canvas.line(bell, 0.35, mix(bgr, (255, 255, 255), 0.5), 0.8)


def _swimmers(canvas: Canvas, sea: Sea, colours: Palette, rng: np.random.Generator, near: float) -> None:
    width, height = canvas.size_mm
    unit = min(width, height) * (0.010 + 0.016 * near)
    top = max(sea.waterline + 0.05, 0.12)
    for _ in range(round(sea.life * 3)):
        x, y = float(rng.uniform(0, width)), float(rng.uniform(top, 0.95)) * height
        tone = mix(mix(colours.coral, colours.sand, float(rng.random())), colours.deep, 0.45 * (1 - near))
        if rng.random() < 0.3:
            jelly(canvas, (x, y), unit * 1.3, mix(tone, (255, 255, 255), 0.3), rng)
            continue
        heading = 1 if rng.random() < 0.5 else -1
        for _ in range(int(rng.integers(2, 7))):
            spot = (x + float(rng.normal(0, 3.2)) * unit, y + float(rng.normal(0, 1.5)) * unit)
            fish(
                canvas,
                spot,
                unit * float(rng.uniform(0.7, 1.2)),
                mix(tone, colours.glow, float(rng.random()) * 0.3),
                heading,
            )


def _bubbles(canvas: Canvas, sea: Sea, colours: Palette, rng: np.random.Generator) -> None:
    width, height = canvas.size_mm
    for _ in range(round(sea.life * 5)):
        x, y = float(rng.uniform(0, width)), float(rng.uniform(sea.waterline + 0.1, 1)) * height
        for i in range(int(rng.integers(3, 9))):
            radius = float(rng.uniform(0.35, 1.25)) * min(1.0, min(width, height) / 90 + 0.3)
            spot = (x + float(rng.normal(0, 1.1)), y - i * radius * 3)
            if spot[1] < (sea.waterline + 0.02) * height:
                break
            canvas.circle(spot, radius, mix(colours.shallow, (255, 255, 255), 0.3), 0.25)
            canvas.ring(spot, radius, 0.22, (255, 255, 255), 0.55)
            canvas.circle(
                (spot[0] - radius * 0.35, spot[1] - radius * 0.35), radius * 0.25, (255, 255, 255), 0.8
            )


def _surface(canvas: Canvas, sea: Sea, colours: Palette, rng: np.random.Generator) -> None:
    """Sky above the waterline, with clouds, a low sun and waves that glitter."""
    width, height = canvas.size_mm
    px = canvas.size_px
    line_mm = sea.waterline * height
    x = np.linspace(-1, width + 1, 90)
    wave = line_mm + 1.1 * np.sin(x * 0.16 + rng.uniform(0, 6)) + 0.6 * np.sin(x * 0.43 + rng.uniform(0, 6))
    shore = np.stack([x, wave], axis=1)
    mask = np.zeros((px[1], px[0]), np.uint8)
    body = np.vstack([[(-1, -1)], [(width + 1, -1)], shore[::-1]])
    cv2.fillPoly(mask, [np.round(body * canvas.ppm).astype(np.int32)], 255, cv2.LINE_AA)
    y = np.linspace(0, 1 / max(sea.waterline, 0.05), px[1], dtype=np.float32)[:, None] * np.ones(
        (1, px[0]), np.float32
    )
    low = np.array(mix(colours.glow, colours.paper, 0.55), np.float32)
    high = np.array(mix(colours.shallow, colours.deep, 0.35), np.float32)
    sky = noise.mixed(high * np.ones((*y.shape, 1), np.float32), low, noise.ramp(y, 0.0, 1.0))
    puffs = noise.ramp(noise.clouds(rng, px, (5, 9), 6, 0.58), 0.48, 0.78)
    sky = noise.mixed(sky, np.array((250, 248, 246), np.float32), puffs * 0.75)
    if sea.tint is not None:
        sky = noise.mixed(sky, np.array(sea.tint, np.float32), np.full(y.shape, 0.16, np.float32))
    canvas.paint(sky, mask.astype(np.float32) / 255)
    for offset, weight, alpha in ((0.0, 0.8, 0.95), (1.3, 0.4, 0.6), (2.6, 0.3, 0.4)):
        canvas.line(shore + np.array((0.0, offset)), weight, (255, 255, 255), alpha)
    for _ in range(70):
        spot = float(rng.uniform(0, width)), line_mm + float(rng.exponential(4.0)) + 1.5
        canvas.line([spot, (spot[0] + float(rng.uniform(1, 5)), spot[1])], 0.3, (255, 255, 255), 0.35)


def _print(canvas: Canvas, rng: np.random.Generator) -> None:
    """Paper grain and a slight darkening towards the edges, as of ink on board."""
    width, height = canvas.size_px
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    edge = 1.04 - 0.16 * (x**2 * 0.6 + y**2 * 0.6)
    canvas.tint((edge + noise.grain(rng, (width, height), 0.022)).astype(np.float32))


def halo(canvas: Canvas, at: tuple[float, float], radius: float, bgr: Bgr, alpha: float = 0.5) -> None:
    """A soft glow."""
    ppm = canvas.ppm
    x0, y0 = max(0, int((at[0] - radius) * ppm)), max(0, int((at[1] - radius) * ppm))
    part = canvas.img[y0 : int((at[1] + radius) * ppm) + 1, x0 : int((at[0] + radius) * ppm) + 1]
    y, x = np.mgrid[: part.shape[0], : part.shape[1]].astype(np.float32)
    away = np.hypot((x + x0) / ppm - at[0], (y + y0) / ppm - at[1]) / radius
    share = (np.clip(1 - away, 0, 1) ** 2 * alpha)[..., None]
    part[:] = part * (1 - share) + np.array(bgr, np.float32) * share

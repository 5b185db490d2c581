"""Portraits: divers in helmets and sponsors of the colony, put together from a generator so that no two look alike."""

from dataclasses import dataclass

import numpy as np

from hardware.simulated.canvas import Bgr, Canvas, oval, rounded
from hardware.simulated.palette import Palette, hsv, mix

Point = tuple[float, float]
WHITE: Bgr = (255.0, 255.0, 255.0)
BLACK: Bgr = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Person:
    skin: Bgr
    hair: Bgr
    suit: Bgr
    trim: Bgr
    hair_cut: int
    mouth: float
    brow: float
    beard: bool
    glasses: bool


def person(rng: np.random.Generator, suit: Bgr, colours: Palette) -> Person:
    dark = float(rng.uniform(0, 1))
    return Person(
        skin=hsv(float(rng.uniform(0.04, 0.08)), 0.30 + 0.30 * dark, 0.95 - 0.55 * dark),
        hair=hsv(
            float(rng.choice([0.06, 0.09, 0.03, 0.6, 0.95])),
            float(rng.uniform(0.1, 0.6)),
            float(rng.uniform(0.12, 0.75)),
        ),
        suit=suit,
        trim=mix(colours.metal, suit, float(rng.uniform(0, 0.4))),
        hair_cut=int(rng.integers(0, 5)),
        mouth=float(rng.uniform(-0.5, 1.0)),
        brow=float(rng.uniform(-0.5, 0.6)),
        beard=bool(rng.random() < 0.25),
        glasses=bool(rng.random() < 0.2),
    )


def bust(canvas: Canvas, at: Point, size: float, who: Person, colours: Palette, helmet: int | None) -> None:
    """Head and shoulders; `size` is the head's half height and `at` its centre. `helmet` 0..3 is a diving helmet's make."""
    x, y = at
    _shoulders(canvas, at, size, who, colours, helmet is not None)
    if helmet is not None:
        canvas.circle((x, y), size * 1.48, mix(who.trim, BLACK, 0.45))
        canvas.circle((x, y), size * 1.4, who.trim)
        canvas.circle((x, y), size * 1.2, mix(colours.deep, WHITE, 0.12))
    _head(canvas, at, size, who, colours, helmet is None)
    if helmet is not None:
        _helmet(canvas, at, size, who, colours, helmet)


def _shoulders(canvas: Canvas, at: Point, size: float, who: Person, colours: Palette, diving: bool) -> None:
    x, y = at
    base = y + size * 3.0
    body = [
        (x - 2.1 * size, base),
        (x - 1.75 * size, y + 1.7 * size),
        (x - 0.7 * size, y + 1.12 * size),
        (x + 0.7 * size, y + 1.12 * size),
        (x + 1.75 * size, y + 1.7 * size),
        (x + 2.1 * size, base),
    ]
    canvas.poly(body, who.suit)
    canvas.poly([body[3], body[4], body[5], (x + 0.5 * size, base)], BLACK, 0.22)
    canvas.line(body[1:5], size * 0.12, mix(who.suit, WHITE, 0.4), 0.7)
    if diving:
        canvas.poly(oval((x, y + 1.45 * size), (1.25 * size, 0.42 * size)), mix(who.trim, BLACK, 0.25))
        for bolt in np.linspace(-0.95, 0.95, 6):
            canvas.circle(
                (x + bolt * size, y + (1.52 + 0.18 * (1 - bolt**2)) * size),
                size * 0.09,
                mix(who.trim, WHITE, 0.5),
            )
    else:
        canvas.poly(
            [(x - 0.5 * size, y + 1.1 * size), (x, y + 2.0 * size), (x + 0.5 * size, y + 1.1 * size)],
            mix(colours.paper, who.suit, 0.2),
        )
        canvas.circle((x - 1.1 * size, y + 2.05 * size), size * 0.2, mix(colours.metal, WHITE, 0.3))


def _head(canvas: Canvas, at: Point, size: float, who: Person, colours: Palette, hair_free: bool) -> None:
    x, y = at
    if who.hair_cut in (1, 3) and hair_free:
        canvas.poly(oval((x, y + 0.15 * size), (1.0 * size, 1.2 * size)), mix(who.hair, BLACK, 0.2))
    canvas.box((x - 0.3 * size, y + 0.6 * size, 0.6 * size, 0.7 * size), mix(who.skin, BLACK, 0.2))
    canvas.poly(oval((x, y), (0.76 * size, 0.98 * size)), who.skin)
    canvas.poly(oval((x + 0.36 * size, y + 0.1 * size), (0.36 * size, 0.8 * size)), BLACK, 0.12)
    for side in (-1, 1):
        canvas.poly(
            oval((x + side * 0.42 * size, y + 0.3 * size), (0.2 * size, 0.13 * size)), (120, 120, 235), 0.25
        )
        eye = (x + side * 0.31 * size, y - 0.06 * size)
        canvas.poly(oval(eye, (0.17 * size, 0.11 * size)), WHITE)
        canvas.circle((eye[0] + 0.02 * size, eye[1]), 0.09 * size, mix(who.hair, colours.ink, 0.7))
        brow_y = eye[1] - 0.26 * size
        canvas.line(
            [
                (eye[0] - side * 0.2 * size, brow_y + who.brow * 0.16 * size),
                (eye[0] + side * 0.22 * size, brow_y),
            ],
            size * 0.1,
            mix(who.hair, BLACK, 0.35),
        )
        if who.glasses:
            canvas.ring(eye, 0.25 * size, 0.07 * size, colours.ink)
    if who.beard:
        canvas.poly(oval((x, y + 0.68 * size), (0.52 * size, 0.4 * size)), who.hair)
    canvas.line(
        [(x, y - 0.02 * size), (x + 0.1 * size, y + 0.26 * size), (x - 0.03 * size, y + 0.29 * size)],
        size * 0.07,
        mix(who.skin, BLACK, 0.35),
    )
    t = np.linspace(-1, 1, 9)
    smile = np.stack([x + t * 0.26 * size, y + 0.55 * size - who.mouth * 0.12 * size * t**2], axis=1)
    canvas.line(smile, size * 0.09, mix(who.skin, (40, 20, 120), 0.6))
    _hair(canvas, at, size, who)


def _hair(canvas: Canvas, at: Point, size: float, who: Person) -> None:
    x, y = at
    turn = np.linspace(np.pi * 0.98, np.pi * 2.02, 22)
    cap = np.stack([x + 0.82 * size * np.cos(turn), y - 0.1 * size + 1.0 * size * np.sin(turn)], axis=1)
    fringe = {
        0: [(x + 0.5 * size, y - 0.5 * size), (x - 0.3 * size, y - 0.62 * size)],
        1: [(x + 0.3 * size, y - 0.3 * size), (x, y - 0.72 * size), (x - 0.3 * size, y - 0.3 * size)],
        2: [(x + 0.2 * size, y - 0.75 * size), (x - 0.65 * size, y - 0.4 * size)],
        3: [(x + 0.62 * size, y - 0.35 * size), (x - 0.1 * size, y - 0.66 * size)],
        4: [(x + 0.4 * size, y - 0.8 * size), (x - 0.4 * size, y - 0.8 * size)],
    }[who.hair_cut]
    canvas.poly([*map(tuple, cap), *fringe], who.hair)
    canvas.line(cap[4:12], size * 0.08, mix(who.hair, WHITE, 0.35), 0.6)


def _helmet(canvas: Canvas, at: Point, size: float, who: Person, colours: Palette, make: int) -> None:
    x, y = at
    canvas.ring(at, size * 1.24, size * 0.16, mix(who.trim, BLACK, 0.2))
    canvas.ring(at, size * 1.32, size * 0.08, mix(who.trim, WHITE, 0.5))
    arc = np.deg2rad(np.linspace(195, 255, 12))
    glint = np.stack([x + 1.02 * size * np.cos(arc), y + 1.02 * size * np.sin(arc)], axis=1)
    canvas.line(glint, size * 0.15, WHITE, 0.6)
    bolts = (6, 8, 4, 10)[make]
    for turn in np.linspace(0, 2 * np.pi, bolts, endpoint=False) + 0.3 * make:
        canvas.circle(
            (x + np.cos(turn) * size * 1.4, y + np.sin(turn) * size * 1.4),
            size * 0.1,
            mix(who.trim, WHITE, 0.55),
        )
    if make in (0, 3):
        canvas.box(
            (x - 0.24 * size, y - 1.95 * size, 0.48 * size, 0.55 * size),
            mix(who.trim, BLACK, 0.3),
            round_mm=size * 0.1,
        )
        canvas.circle((x, y - 1.9 * size), size * 0.2, mix(colours.glow, WHITE, 0.3))
    if make in (1, 2):
        for side in (-1, 1):
            canvas.circle((x + side * 1.45 * size, y), size * 0.3, mix(who.suit, BLACK, 0.2))
            canvas.circle((x + side * 1.45 * size, y), size * 0.18, mix(who.trim, WHITE, 0.3))
    if make == 2:
        canvas.line(
            [(x - 0.9 * size, y - 1.1 * size), (x, y - 1.62 * size), (x + 0.9 * size, y - 1.1 * size)],
            size * 0.18,
            mix(who.suit, WHITE, 0.2),
        )


def plate(canvas: Canvas, rect: tuple[float, float, float, float], bgr: Bgr, edge: Bgr) -> None:
    """A riveted name plate."""
    canvas.poly(rounded(rect, rect[3] * 0.2), bgr)
    canvas.line(rounded(rect, rect[3] * 0.2), max(0.25, rect[3] * 0.07), edge, closed=True)

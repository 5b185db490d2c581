"""Upright bodies on the layers: their faces in their own light, and their shadow."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.canvas import Bgr
from hardware.simulated.layers import Layers
from hardware.simulated.palette import mix

WHITE: Bgr = (255.0, 255.0, 255.0)
ROOM = 0.5  # of the light of the room reaches an upright face: it sees half of it, and the table
BRIGHTEST = 2.5  # times the light of the ground: no more is drawn on a face, however low the lamp stands


def sheet(layers: Layers, outline: NDArray[Any], z_mm: float, bgr: Bgr) -> NDArray[Any]:
    """Something flat and plain held up by what lies under it; returns its mask on the canvas."""
    layers.shade(outline, 0.0, z_mm)
    face = layers.px(outline, z_mm)
    layers.fill(face, bgr)
    mask = np.zeros(layers.open.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(face).astype(np.int32), 255)
    return mask


def pillar(
    layers: Layers, outline: NDArray[Any], base_mm: float, top_mm: float, bgr: Bgr, top_bgr: Bgr
) -> None:
    """Anything upright with a convex ground plan, its shadow included."""
    layers.shade(outline, base_mm, top_mm, floor_mm=0.0)
    sides(layers, outline, base_mm, top_mm, bgr)
    layers.fill(layers.px(outline, top_mm), top_bgr)


def sides(
    layers: Layers, outline: NDArray[Any], base_mm: float, top_mm: float, bgr: Bgr, boxy: bool = True
) -> None:
    """The upright faces that the camera sees: all in one when the body is thin, each in its own light when not."""
    low, high = layers.px(outline, base_mm), layers.px(outline, top_mm)
    if not boxy:
        layers.fill(np.vstack([low, high]), mix(bgr, (0.0, 0.0, 0.0), 0.35))
        return
    count = len(outline)
    middle = outline.mean(axis=0)
    for i in range(count):
        j = (i + 1) % count
        face = np.array([low[i], low[j], high[j], high[i]])
        if cv2.contourArea(face.astype(np.float32), oriented=True) <= 0:
            continue  # turned away from the camera
        normal = (outline[i] + outline[j]) / 2 - middle
        normal /= max(float(np.hypot(*normal)), 1e-9)
        _upright(layers, face, normal, middle, bgr)


def _upright(layers: Layers, face: NDArray[Any], normal: NDArray[Any], at: NDArray[Any], bgr: Bgr) -> None:
    """A face in what it gets of each lamp and of the room, beside what the flat ground there gets."""
    ways = [(np.array((lamp.x_mm, lamp.y_mm)) - at) / lamp.z_mm for lamp in layers.lamps]
    lit = [min(max(0.0, float(normal @ way)), BRIGHTEST) for way in ways]
    most = max([1.0, *lit])
    # Layers hold no more than full light: what a low lamp gives beyond that is in the colour, after gamma.
    colour: Bgr = tuple(min(255.0, c * most**0.5) for c in bgr)
    layers.fill(face, colour, [one / most for one in lit], ROOM / most)


def cube(
    layers: Layers,
    outline: NDArray[Any],
    spin: NDArray[Any],
    middle: tuple[float, float],
    base_mm: float,
    side_mm: float,
    bgr: Bgr,
    gloss: float,
) -> None:
    """A painted wooden cube: four sides, a bevelled top that is lighter at the edges and mirrors lamps a little."""
    top = base_mm + side_mm
    at = np.array(middle)
    half = side_mm / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) @ spin + at
    sides(layers, square, base_mm, top, bgr)
    layers.fill(layers.px(outline @ spin + at, top), mix(bgr, WHITE, 0.16))
    layers.fill(layers.px(outline * 0.86 @ spin + at, top), bgr)
    layers.shine(outline @ spin + at, top, gloss)

"""A hand and forearm reaching over the table: a relief of rounded limbs, lit, with a sleeve, and the shadow it throws."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated import noise
from hardware.simulated.layers import Layers
from hardware.simulated.palette import hsv

Shape = NDArray[Any]
PPM = 1.6
_LEFT, _TOP, _WIDTH, _HEIGHT = -75.0, -12.0, 150.0, 660.0  # the sprite, in millimetres around the finger tips
FLOAT_MM = 34.0  # how high the hand is held on average

# Limbs as (x, y, radius) -> (x, y, radius), finger tips at y = 0, the wrist near y = 165. Two poses: a flat reach and a pinch.
_PALM = [((-20, 92, 21), (-14, 150, 21)), ((0, 88, 22), (0, 155, 23)), ((20, 95, 20), (14, 150, 20))]
_POSES = {
    "reach": [
        *_PALM,
        ((-30, 84, 9), (-39, 38, 8)),
        ((-39, 38, 8), (-43, 14, 6.5)),
        ((-11, 76, 10), (-14, 26, 8.5)),
        ((-14, 26, 8.5), (-15, 2, 7)),
        ((9, 74, 10), (10, 20, 8.5)),
        ((10, 20, 8.5), (10, -4, 7)),
        ((28, 82, 9.5), (32, 34, 8)),
        ((32, 34, 8), (33, 10, 6.5)),
        ((-28, 130, 13), (-56, 92, 10)),
        ((-56, 92, 10), (-60, 66, 8)),
    ],
    "pinch": [
        *_PALM,
        ((-24, 82, 10), (-22, 36, 9)),
        ((-22, 36, 9), (-7, 8, 7)),
        ((-4, 74, 10.5), (0, 24, 9)),
        ((0, 24, 9), (0, 2, 7)),
        ((14, 76, 10), (20, 36, 8.5)),
        ((20, 36, 8.5), (18, 16, 7)),
        ((30, 86, 9), (34, 52, 8)),
        ((34, 52, 8), (30, 34, 6.5)),
        ((-28, 128, 13), (-40, 74, 10.5)),
        ((-40, 74, 10.5), (-17, 28, 8)),
    ],
}
_ARM = [((0, 150, 25), (0, 190, 23)), ((0, 190, 23), (6, 420, 36)), ((6, 420, 36), (14, 680, 44))]


@dataclass(frozen=True)
class Hand:
    """Finger tips at a point of the table, the arm coming from `bearing_deg` (0: from below the picture)."""

    x_mm: float
    y_mm: float
    bearing_deg: float
    seed: int = 0
    pose: str = "reach"


def draw(layers: Layers, hand: Hand) -> NDArray[Any]:
    """Puts the hand over everything and returns its mask on the canvas."""
    sprite = _sprite(hand.pose, hand.seed)
    turn = np.deg2rad(hand.bearing_deg)
    mirror = -1.0 if hand.seed % 2 else 1.0
    local = np.array(
        [[mirror / PPM, 0, mirror * (_LEFT + 0.5 / PPM)], [0, 1 / PPM, _TOP + 0.5 / PPM], [0, 0, 1]]
    )
    placed = np.array(
        [[np.cos(turn), -np.sin(turn), hand.x_mm], [np.sin(turn), np.cos(turn), hand.y_mm], [0, 0, 1]]
    )
    to_table = placed @ local
    _shadow(layers, sprite[..., 3], to_table)
    edge = np.array([(0, 0), (sprite.shape[1], 0), (sprite.shape[1], sprite.shape[0]), (0, sprite.shape[0])])
    outline = (np.column_stack([edge, np.ones(4)]) @ to_table.T)[:, :2]
    layers.cover(sprite, to_table, outline, FLOAT_MM, 0.0)
    height, width = layers.open.shape
    drawn = np.zeros((height, width), np.uint8)
    at, mask = _thrown(sprite[..., 3], layers.plane(FLOAT_MM) @ to_table, (width, height), 0.0)
    drawn[at] = mask
    return drawn


def _shadow(layers: Layers, mask: Shape, to_table: Shape) -> None:
    """Every lamp throws the outline away from itself; the higher the hand, the softer."""
    height, width = layers.open.shape
    down = max(1, int(2.5 * layers.rig.scale))
    small = (width // down + 1, height // down + 1)
    shrink = np.diag([1 / down, 1 / down, 1.0])

    def darken(plane: Shape, stretch: Shape, soft_mm: float, strength: float) -> None:
        matrix = shrink @ layers.plane(2.0) @ stretch @ to_table
        (rows, columns), soft = _thrown(mask, matrix, small, max(0.6, soft_mm * layers.rig.scale / down))
        part = plane[down * rows.start : down * rows.stop, down * columns.start : down * columns.stop]
        if part.size == 0:
            return
        size = (soft.shape[1] * down, soft.shape[0] * down)
        shade = cv2.resize(soft, size, interpolation=cv2.INTER_LINEAR)[: part.shape[0], : part.shape[1]]
        part[:] = cv2.multiply(part, cv2.convertScaleAbs(shade, alpha=-strength, beta=255.0), scale=1 / 255)

    for lamp, lit in zip(layers.lamps, layers.lit, strict=True):
        far = FLOAT_MM / max(lamp.z_mm - FLOAT_MM, 200.0)
        stretch = np.array([[1 + far, 0, -lamp.x_mm * far], [0, 1 + far, -lamp.y_mm * far], [0, 0, 1]])
        darken(lit, stretch, 2.0 + FLOAT_MM * lamp.size_mm / lamp.z_mm * 0.6, 0.97)
    darken(layers.open, np.eye(3), 14.0, 0.5)


def _thrown(
    mask: Shape, matrix: Shape, size: tuple[int, int], soft_px: float
) -> tuple[tuple[slice, slice], Shape]:
    """A mask warped and blurred, and the window of a picture of `size` outside of which nothing of it is seen."""
    height, width = mask.shape
    edge = np.array([(0.0, 0.0, 1.0), (width, 0.0, 1.0), (width, height, 1.0), (0.0, height, 1.0)])
    corners = edge @ matrix.T
    corners = corners[:, :2] / corners[:, 2:]
    grow = 4 * soft_px + 3
    left, top = np.clip(np.floor(corners.min(axis=0) - grow), 0, size).astype(int)
    right, low = np.clip(np.ceil(corners.max(axis=0) + grow), 0, size).astype(int)
    back = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]])
    at = slice(int(top), int(low)), slice(int(left), int(right))
    if right <= left or low <= top:
        return at, np.zeros((low - top, right - left), np.uint8)
    warped = cv2.warpPerspective(mask, back @ matrix, (int(right - left), int(low - top)))
    return at, np.asarray(cv2.GaussianBlur(warped, (0, 0), soft_px) if soft_px else warped)


@lru_cache(maxsize=32)
def _sprite(pose: str, seed: int) -> Shape:
    """The hand as a picture with a mask: skin to the wrist, a sleeve from there."""
    rng = np.random.default_rng([seed, 41])
    size = round(_WIDTH * PPM), round(_HEIGHT * PPM)
    xs = (np.arange(size[0]) + 0.5) / PPM + _LEFT
    ys = (np.arange(size[1]) + 0.5) / PPM + _TOP
    x, y = np.meshgrid(xs.astype(np.float32), ys.astype(np.float32))
    cuff = float(rng.uniform(195, 300))
    relief = np.full(x.shape, -1e3, np.float32)
    for limb in [*_POSES[pose], *_ARM]:
        relief = _join(relief, _capsule(x, y, *limb))
    sleeve = _join(_capsule(x, y, *_ARM[1]), _capsule(x, y, *_ARM[2])) + 5
    ripple = noise.clouds(rng, size, (6, 16), 4, 0.6)
    sleeve += (ripple - 0.5) * 9
    dressed = noise.ramp(y + 6 * (ripple - 0.5), cuff - 1, cuff + 1)
    surface = relief + (np.maximum(relief, sleeve) - relief) * dressed
    surface = np.asarray(cv2.GaussianBlur(surface, (0, 0), 1.2))
    light = _lit(surface)
    tone = float(rng.uniform(0, 1))
    skin = np.array(hsv(0.055 + 0.015 * tone, 0.34 + 0.24 * tone, 0.88 - 0.46 * tone), np.float32)
    mottle = 0.93 + 0.14 * noise.clouds(rng, size, (14, 60), 4, 0.6)
    pink = noise.ramp(-y, -30, 6)[..., None] * np.array((-14, -10, 8), np.float32) * (1 - 0.5 * tone)
    picture = (skin + pink) * (mottle * light)[..., None]
    cloth = np.array(
        hsv(float(rng.random()), float(rng.uniform(0.1, 0.6)), float(rng.uniform(0.2, 0.75))), np.float32
    )
    weave = 0.9 + 0.2 * noise.smooth(rng, size, (size[0] / 3, size[1] / 3))
    picture = noise.mixed(picture, cloth * (weave * light)[..., None], dressed)
    _nails(picture, pose, skin)
    edge = np.clip(relief + (np.maximum(relief, sleeve) - relief) * dressed, -2, 2)
    mask = noise.ramp(edge, -0.9, 1.2) * 255
    return np.dstack([np.clip(picture, 0, 255), mask]).astype(np.uint8)


def _capsule(x: Shape, y: Shape, start: tuple[float, ...], end: tuple[float, ...]) -> Shape:
    """The height of a rounded limb above its own axis plane; below zero outside it."""
    (x0, y0, r0), (x1, y1, r1) = start, end
    dx, dy = x1 - x0, y1 - y0
    t = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0, 1)
    radius = r0 + (r1 - r0) * t
    off = (x - x0 - t * dx) ** 2 + (y - y0 - t * dy) ** 2
    inside = radius**2 - off
    return np.asarray(
        np.where(inside > 0, np.sqrt(np.maximum(inside, 0)), -np.sqrt(np.abs(inside))), np.float32
    )


def _join(one: Shape, other: Shape, soft: float = 5.0) -> Shape:
    """The higher of two reliefs, with a smooth crease between them."""
    gap = np.clip(0.5 + 0.5 * (other - one) / soft, 0, 1)
    return np.asarray(one * (1 - gap) + other * gap + soft * gap * (1 - gap) * 0.6, np.float32)


def _lit(surface: Shape) -> Shape:
    """Soft light from above and a little from the upper left: steep flanks are dark."""
    gx = cv2.Sobel(surface, cv2.CV_32F, 1, 0, ksize=3) * PPM / 8
    gy = cv2.Sobel(surface, cv2.CV_32F, 0, 1, ksize=3) * PPM / 8
    upright = 1 / np.sqrt(1 + gx**2 + gy**2)
    slanted = (0.25 * gx + 0.18 * gy + 1) * upright
    return np.asarray(np.clip(0.42 + 0.62 * slanted, 0.3, 1.12), np.float32)


def _nails(picture: Shape, pose: str, skin: Shape) -> None:
    starts = {limb[0] for limb in _POSES[pose]}
    tips = [limb[1] for limb in _POSES[pose] if limb[1][1] < 70 and limb[1] not in starts]
    for x, y, radius in tips:
        at = (round((x - _LEFT) * PPM), round((y + 1 - _TOP) * PPM))
        axes = (round(radius * 0.55 * PPM), round(radius * 0.75 * PPM))
        part = picture.copy()
        cv2.ellipse(
            part, at, axes, 0, 0, 360, (skin * 1.02 + np.array((26, 22, 22))).tolist(), -1, cv2.LINE_AA
        )
        cv2.addWeighted(part, 0.6, picture, 0.4, 0, dst=picture)

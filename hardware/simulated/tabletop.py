"""Table tops: wood, cloth, paper, felt. A patch that is mirrored over the whole table."""

from functools import lru_cache
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated import noise
from hardware.simulated.palette import hsv

PATCH_MM = (1100.0, 720.0)
TABLES = ("oak", "walnut", "linen", "felt", "paper", "check")
GLOSS = {"oak": 0.16, "walnut": 0.22, "linen": 0.0, "felt": 0.0, "paper": 0.04, "check": 0.02}


@lru_cache(maxsize=6)
def tabletop(kind: str, seed: int, ppm: float) -> NDArray[Any]:
    """A patch of PATCH_MM at `ppm` pixels per millimetre."""
    rng = np.random.default_rng([seed, TABLES.index(kind), 37])
    size = round(PATCH_MM[0] * ppm), round(PATCH_MM[1] * ppm)
    if kind in ("oak", "walnut"):
        picture = _wood(rng, size, ppm, kind)
    elif kind in ("linen", "check"):
        picture = _cloth(rng, size, ppm, kind)
    else:
        picture = _matte(rng, size, kind)
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def _wood(rng: np.random.Generator, size: tuple[int, int], ppm: float, kind: str) -> NDArray[Any]:
    """Planks along x, each with its own rings: a slow field folded into bands, and fibres drawn out along it."""
    width, height = size
    hue = float(rng.uniform(0.065, 0.095))
    light = np.array(hsv(hue, 0.42, 0.72) if kind == "oak" else hsv(hue - 0.02, 0.52, 0.45), np.float32)
    dark = np.array(hsv(hue - 0.01, 0.55, 0.50) if kind == "oak" else hsv(hue - 0.03, 0.60, 0.24), np.float32)
    share = np.zeros((height, width), np.float32)
    seam = np.zeros((height, width), np.float32)
    planks = int(rng.integers(5, 9))
    edges = np.linspace(0, height, planks + 1).astype(int)
    for top, low in pairwise(edges):
        part = (width, int(low - top))
        rings = noise.clouds(rng, part, (2.5, 3.0), 4, 0.42) * float(rng.uniform(9, 17))
        bands = np.abs(rings - np.round(rings)) * 2
        fibre = noise.clouds(rng, part, (8, part[1] / ppm / 1.6), 3, 0.7)
        share[top:low] = 0.22 + 0.42 * bands**1.6 + 0.30 * (fibre - 0.5) + float(rng.uniform(-0.14, 0.14))
        seam[top : top + max(1, round(0.9 * ppm))] = 0.75
    pores = noise.clouds(rng, size, (width / ppm / 7, height / ppm / 0.7), 2, 0.8)
    share += 0.35 * noise.ramp(pores, 0.66, 0.9)
    picture = noise.mixed(light * np.ones((height, width, 1), np.float32), dark, np.clip(share, 0, 1))
    picture *= (1 - cv2.GaussianBlur(seam, (0, 0), 0.35 * ppm))[..., None]
    return np.asarray(picture * (1 + noise.grain(rng, size, 0.02))[..., None])


def _cloth(rng: np.random.Generator, size: tuple[int, int], ppm: float, kind: str) -> NDArray[Any]:
    """A woven ground: threads both ways with their own thickness, and slow folds that shade it."""
    width, height = size
    hue = float(rng.random())
    base = np.array(hsv(hue, float(rng.uniform(0.04, 0.25)), float(rng.uniform(0.62, 0.86))), np.float32)
    warp = noise.smooth(rng, size, (width / ppm / 0.9, height / ppm / 40))
    weft = noise.smooth(rng, size, (width / ppm / 40, height / ppm / 0.9))
    slubs = noise.ramp(noise.smooth(rng, size, (width / ppm / 60, height / ppm / 2.2)), 0.78, 1.0)
    weave = 0.93 + 0.07 * warp + 0.07 * weft - 0.10 * np.abs(warp - weft) - 0.05 * slubs
    folds = 0.92 + 0.16 * noise.clouds(rng, size, (3, 2), 3, 0.4)
    picture = base * (weave * folds)[..., None]
    if kind == "check":
        # One colour woven both ways over the light ground: full where bands cross, half where only one runs.
        second = np.array(hsv(hue, float(rng.uniform(0.5, 0.7)), float(rng.uniform(0.35, 0.6))), np.float32)
        step = float(rng.uniform(16, 40)) * ppm
        columns = (np.arange(width) // step % 2)[None, :]
        rows = (np.arange(height) // step % 2)[:, None]
        bands = cv2.GaussianBlur(((columns + rows) / 2).astype(np.float32), (0, 0), 0.4 * ppm)
        twill = np.clip(bands * (0.75 + 0.5 * warp), 0, 1) * 0.85
        picture = noise.mixed(picture, second * (weave * folds)[..., None], twill)
    return np.asarray(picture * (1 + noise.grain(rng, size, 0.03))[..., None])


def _matte(rng: np.random.Generator, size: tuple[int, int], kind: str) -> NDArray[Any]:
    width, height = size
    if kind == "felt":
        base = hsv(
            float(rng.choice([0.36, 0.6, 0.98, 0.08])),
            float(rng.uniform(0.3, 0.6)),
            float(rng.uniform(0.22, 0.4)),
        )
        rough = 0.11
    else:
        base = hsv(0.1, float(rng.uniform(0.0, 0.12)), float(rng.uniform(0.82, 0.93)))
        rough = 0.018
    stains = 0.94 + 0.12 * noise.clouds(rng, size, (4, 3), 6, 0.6)
    fuzz = cv2.GaussianBlur(noise.grain(rng, size, rough * 2.2), (0, 0), 0.9)
    picture = np.array(base, np.float32) * (stains + fuzz + noise.grain(rng, size, rough * 0.5))[..., None]
    return np.asarray(picture, np.float32).reshape(height, width, 3)

"""Icons as textures, rasterised at the very size they are shown: smooth edges without multisampling."""

import re
from functools import lru_cache

import cv2
import numpy as np
from kivy.graphics.texture import Texture

from companion.ui.shapes import SHAPES

_GRID = 24
_OVERSAMPLE = 4  # sixteen samples a pixel: edges as smooth as the text beside them
_CURVE_STEPS = 16  # a curve spans at most the icon; sixteen chords bend invisibly
_FIXED_POINT_BITS = 4  # cv2 draws between pixels with four binary places
_TOKEN = re.compile(r"[MLCQZA]|-?\d+(?:\.\d+)?")

Mask = np.ndarray[tuple[int, int], np.dtype[np.uint8]]
Points = list[tuple[float, float]]


def mask(name: str, size_px: int) -> Mask:
    """Coverage 0–255 of an icon, top row first.

    >>> int(mask("disc", 9)[4, 4]), int(mask("disc", 9)[0, 0])
    (255, 0)
    """
    side = size_px * _OVERSAMPLE
    drawn = np.zeros((side, side), np.uint8)
    for how, path in SHAPES[name]:
        contours = _flatten(path)
        scaled = [
            np.round((np.array(points) * side / _GRID - 0.5) * 2**_FIXED_POINT_BITS).astype(np.int32)
            for points, _ in contours
        ]
        if isinstance(how, str):
            cv2.fillPoly(drawn, scaled, 255 if how == "fill" else 0, cv2.LINE_8, _FIXED_POINT_BITS)
            continue
        thickness = max(1, round(abs(how) * side / _GRID))
        for points_px, (_, closed) in zip(scaled, contours, strict=True):
            cv2.polylines(
                drawn, [points_px], closed, 255 if how > 0 else 0, thickness, cv2.LINE_8, _FIXED_POINT_BITS
            )
    return np.asarray(cv2.resize(drawn, (size_px, size_px), interpolation=cv2.INTER_AREA), np.uint8)


@lru_cache(maxsize=1024)
def icon(name: str, size_px: int) -> Texture:
    """A white texture with the icon as its alpha, to be tinted by a Color."""
    return white(mask(name, size_px))


@lru_cache(maxsize=64)
def corners(radius_px: int) -> Texture:
    """The four rounded corners of a panel and one pixel between them, to be stretched."""
    side = 2 * radius_px + 1
    drawn = np.zeros((side * _OVERSAMPLE, side * _OVERSAMPLE), np.uint8)
    radius, across = radius_px * _OVERSAMPLE, side * _OVERSAMPLE
    rows, columns = np.ogrid[:across, :across]
    # How far a sample is outside the square that the corners are rounded around.
    down, right = (
        np.maximum(np.maximum(radius - at - 0.5, at + 0.5 - (across - radius)), 0) for at in (rows, columns)
    )
    drawn[down**2 + right**2 <= radius**2] = 255
    return white(np.asarray(cv2.resize(drawn, (side, side), interpolation=cv2.INTER_AREA), np.uint8))


def white(coverage: Mask) -> Texture:
    """A white texture with this alpha, top row first."""
    high, wide = coverage.shape
    pixels = np.full((high, wide, 4), 255, np.uint8)
    pixels[..., 3] = coverage
    texture = Texture.create(size=(wide, high), colorfmt="rgba")
    texture.blit_buffer(pixels.tobytes(), colorfmt="rgba", bufferfmt="ubyte")
    texture.flip_vertical()
    return texture


def _flatten(path: str) -> list[tuple[Points, bool]]:
    """A path as polylines, each with whether it closes."""
    contours: list[tuple[Points, bool]] = []
    points: Points = []
    tokens = iter(_TOKEN.findall(path))

    def number() -> float:
        return float(next(tokens))

    def point() -> tuple[float, float]:
        return number(), number()

    for command in tokens:
        match command:
            case "M":
                points = [point()]
                contours.append((points, False))
            case "L":
                points.append(point())
            case "C":
                points.extend(_bezier(points[-1], point(), point(), point()))
            case "Q":
                start, bend, end = points[-1], point(), point()
                inner = [
                    tuple((a + 2 * b) / 3 for a, b in zip(side, bend, strict=True)) for side in (start, end)
                ]
                points.extend(_bezier(start, inner[0], inner[1], end))  # type: ignore[arg-type]
            case "Z":
                contours[-1] = (points, True)
            case "A":
                (x, y), radius = point(), number()
                turns = np.linspace(0, 2 * np.pi, 4 * _CURVE_STEPS, endpoint=False)
                contours.append(
                    ([(x + radius * float(np.cos(t)), y + radius * float(np.sin(t))) for t in turns], True)
                )
            case _:
                raise ValueError(f"cannot draw {command!r} in the path {path!r}")
    return contours


def _bezier(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], d: tuple[float, float]
) -> Points:
    curve: Points = []
    for step in range(1, _CURVE_STEPS + 1):
        t = step / _CURVE_STEPS
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        x, y = (sum(w * p[axis] for w, p in zip(weights, (a, b, c, d), strict=True)) for axis in (0, 1))
        curve.append((x, y))
    return curve

"""Drawing in millimetres: filled and stroked shapes with smooth edges, transparency, lettering and texture."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated import lettering

Bgr = tuple[float, float, float]
Points = Sequence[tuple[float, float]] | NDArray[Any]
_SHIFT = 4  # OpenCV draws at sixteenths of a pixel
_ONE = 1 << _SHIFT


@dataclass(frozen=True)
class Pen:
    """How an edition writes: stroke weight and body width as shares of the letter height, and slant."""

    weight: float = 0.15
    width: float = 0.62
    slant: float = 0.0
    spacing: float = 0.32


class Canvas:
    """A picture of `size_mm` at `ppm` pixels per millimetre, blue first, with an outline mask."""

    def __init__(self, size_mm: tuple[float, float], ppm: float, bgr: Bgr = (0, 0, 0)) -> None:
        self.size_mm = size_mm
        self.ppm = ppm
        shape = (max(1, round(size_mm[1] * ppm)), max(1, round(size_mm[0] * ppm)))
        self.img: NDArray[Any] = np.empty((*shape, 3), np.uint8)
        self.img[:] = bgr
        self.mask: NDArray[Any] = np.full(shape, 255, np.uint8)

    @property
    def size_px(self) -> tuple[int, int]:
        return self.img.shape[1], self.img.shape[0]

    def _px(self, points: Points) -> NDArray[Any]:
        return np.round(np.asarray(points, np.float64) * self.ppm * _ONE - _ONE / 2).astype(np.int32)

    def _blend(
        self,
        points: NDArray[Any],
        grow_px: float,
        alpha: float,
        draw: Callable[[NDArray[Any], NDArray[Any]], object],
    ) -> None:
        """Runs `draw(picture, points)` on the part of the picture it touches, `alpha` opaque."""
        if alpha >= 1:
            draw(self.img, points)
            return
        x0, y0 = (points.reshape(-1, 2).min(axis=0) // _ONE - grow_px - 2).astype(int)
        x1, y1 = (points.reshape(-1, 2).max(axis=0) // _ONE + grow_px + 3).astype(int)
        x0, y0 = max(0, x0), max(0, y0)
        part = self.img[y0 : max(y0, y1), x0 : max(x0, x1)]
        if part.size == 0:
            return
        drawn = part.copy()
        draw(drawn, points - np.array([x0, y0]) * _ONE)
        cv2.addWeighted(drawn, alpha, part, 1 - alpha, 0, dst=drawn)
        part[:] = drawn

    def poly(self, points: Points, bgr: Bgr, alpha: float = 1.0) -> None:
        px = self._px(points)
        self._blend(px, 0, alpha, lambda img, at: cv2.fillPoly(img, [at], bgr, cv2.LINE_AA, _SHIFT))

    def line(
        self, points: Points, width_mm: float, bgr: Bgr, alpha: float = 1.0, closed: bool = False
    ) -> None:
        px = self._px(points)
        thick = max(1, round(width_mm * self.ppm))
        self._blend(
            px,
            thick,
            alpha,
            lambda img, at: cv2.polylines(img, [at], closed, bgr, thick, cv2.LINE_AA, _SHIFT),
        )

    def circle(self, at: tuple[float, float], radius_mm: float, bgr: Bgr, alpha: float = 1.0) -> None:
        self.poly(disc(at, radius_mm), bgr, alpha)

    def ring(
        self, at: tuple[float, float], radius_mm: float, width_mm: float, bgr: Bgr, alpha: float = 1.0
    ) -> None:
        self.line(disc(at, radius_mm), width_mm, bgr, alpha, closed=True)

    def box(
        self, rect: tuple[float, float, float, float], bgr: Bgr, alpha: float = 1.0, round_mm: float = 0
    ) -> None:
        self.poly(rounded(rect, round_mm), bgr, alpha)

    def frame(
        self,
        rect: tuple[float, float, float, float],
        width_mm: float,
        bgr: Bgr,
        alpha: float = 1.0,
        round_mm: float = 0,
    ) -> None:
        self.line(rounded(rect, round_mm), width_mm, bgr, alpha, closed=True)

    def text(
        self,
        words: str,
        at: tuple[float, float],
        height_mm: float,
        bgr: Bgr,
        pen: Pen,
        alpha: float = 1.0,
        outline: Bgr | None = None,
        fit_mm: float = 0.0,
        turn_deg: float = 0.0,
    ) -> None:
        """Centred on `at`; squeezed to `fit_mm` when longer."""
        width = text_width(words, height_mm, pen)
        squeeze = fit_mm / width if fit_mm and width > fit_mm else 1.0
        turn = np.deg2rad(turn_deg)
        rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        lines = []
        x = -width / 2
        for glyph in words:
            body = pen.width * lettering.advance(glyph) * height_mm
            for stroke in lettering.strokes(glyph):
                points = np.array(stroke)
                px = (x + points[:, 0] * body) * squeeze + pen.slant * (0.5 - points[:, 1]) * height_mm
                local = np.stack([px, (points[:, 1] - 0.5) * height_mm], axis=1)
                lines.append(local @ rotation + at)
            x += body + pen.spacing * height_mm
        weight = pen.weight * height_mm * min(1.0, squeeze * 1.25)
        if outline is not None:
            for stroke_mm in lines:
                self.line(stroke_mm, weight * 2.1, outline, alpha)
        for stroke_mm in lines:
            self.line(stroke_mm, weight, bgr, alpha)

    def paint(self, picture: NDArray[Any], share: NDArray[Any] | float = 1.0) -> None:
        """Mixes a picture (or one colour) over the whole canvas by a field of shares 0..1."""
        weight = share[..., None] if isinstance(share, np.ndarray) else share
        self.img[:] = np.clip(self.img + (picture - self.img.astype(np.float32)) * weight, 0, 255)

    def tint(self, gain: NDArray[Any]) -> None:
        """Multiplies brightness by a field."""
        field = gain[..., None] if gain.ndim == 2 else gain
        self.img[:] = np.clip(self.img * field, 0, 255)

    def cut(self, outline: Points) -> None:
        """Everything outside the outline becomes transparent."""
        self.mask[:] = 0
        cv2.fillPoly(self.mask, [self._px(outline)], 255, cv2.LINE_AA, _SHIFT)

    def paste(self, other: "Canvas", at: tuple[float, float]) -> None:
        """Puts another canvas of the same resolution with its top left corner at `at`."""
        x, y = round(at[0] * self.ppm), round(at[1] * self.ppm)
        height, width = other.img.shape[:2]
        part = self.img[y : y + height, x : x + width]
        share = other.mask[: part.shape[0], : part.shape[1], None].astype(np.float32) / 255
        part[:] = part * (1 - share) + other.img[: part.shape[0], : part.shape[1]] * share

    @property
    def bgra(self) -> NDArray[Any]:
        return np.dstack([self.img, self.mask])


def text_width(words: str, height_mm: float, pen: Pen) -> float:
    bodies = sum(pen.width * lettering.advance(glyph) for glyph in words)
    return height_mm * (bodies + pen.spacing * max(0, len(words) - 1))


def disc(at: tuple[float, float], radius: float, count: int = 48) -> NDArray[Any]:
    turn = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.stack([at[0] + radius * np.cos(turn), at[1] + radius * np.sin(turn)], axis=1)


def oval(
    at: tuple[float, float], radii: tuple[float, float], turn_deg: float = 0.0, count: int = 40
) -> NDArray[Any]:
    unit = disc((0, 0), 1, count) * np.array(radii)
    turn = np.deg2rad(turn_deg)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.asarray(unit @ spin + np.array(at))


def polygon(at: tuple[float, float], radius: float, sides: int, turn_deg: float = 0.0) -> NDArray[Any]:
    turn = np.deg2rad(turn_deg) + np.linspace(0, 2 * np.pi, sides, endpoint=False)
    return np.stack([at[0] + radius * np.cos(turn), at[1] + radius * np.sin(turn)], axis=1)


def star(at: tuple[float, float], radius: float, points: int = 5, inner: float = 0.45) -> NDArray[Any]:
    turn = -np.pi / 2 + np.linspace(0, 2 * np.pi, 2 * points, endpoint=False)
    length = np.where(np.arange(2 * points) % 2 == 0, radius, radius * inner)
    return np.stack([at[0] + length * np.cos(turn), at[1] + length * np.sin(turn)], axis=1)


def rounded(rect: tuple[float, float, float, float], radius: float, count: int = 6) -> NDArray[Any]:
    """A rectangle with round corners, clockwise."""
    x, y, width, height = rect
    if radius <= 0:
        return np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    radius = min(radius, width / 2, height / 2)
    centres = [
        (x + radius, y + radius, 180),
        (x + width - radius, y + radius, 270),
        (x + width - radius, y + height - radius, 0),
        (x + radius, y + height - radius, 90),
    ]
    points = []
    for cx, cy, start in centres:
        turn = np.deg2rad(np.linspace(start, start + 90, count))
        points.append(np.stack([cx + radius * np.cos(turn), cy + radius * np.sin(turn)], axis=1))
    return np.vstack(points)

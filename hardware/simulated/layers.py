"""What the renderer accumulates for every pixel, and how one thing is put on top of what is there.

A picture is kept in parts: the colour of the surface, how much of each lamp reaches it, how open it is to the room,
and what its varnish mirrors. Light is applied once, at the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.canvas import Bgr
from hardware.simulated.conditions import Lamp
from hardware.simulated.stage import Rig

MIRROR_FULL = 2.0  # the mirrored light that the value 255 stands for
Window = tuple[slice, slice]  # rows and columns of the canvas
_SHIFT = 4
_ROUGH = (0.16, 0.045)  # width of the broad and of the sharp part of a varnish highlight, as slope
_ROUGH_SHARE = (0.3, 2.2)


@dataclass
class Layers:
    """`origin_px` is where the frame's own corner lies: the canvas is larger, because the lens looks around it."""

    rig: Rig
    lamps: tuple[Lamp, ...]
    glare: float
    origin_px: NDArray[Any]
    colour: NDArray[Any]
    lit: list[NDArray[Any]]
    open: NDArray[Any]
    mirror: NDArray[Any]
    touched: Window | None = None  # around all that was drawn since somebody set it to None

    @classmethod
    def blank(cls, rig: Rig, lamps: tuple[Lamp, ...], glare: float) -> "Layers":
        width, height = rig.size_px
        edge = np.linspace(0, 1, 9)
        rim = np.vstack(
            [np.column_stack([edge * width, np.full(9, y)]) for y in (-0.5, height - 0.5)]
            + [np.column_stack([np.full(9, x), edge * height]) for x in (-0.5, width - 0.5)]
        )
        seen = rig.unbent(rim)
        low = np.floor(np.minimum(seen.min(axis=0), 0)) - 2
        high = np.ceil(np.maximum(seen.max(axis=0), (width, height))) + 2
        shape = int(high[1] - low[1]), int(high[0] - low[0])
        return cls(
            rig,
            lamps,
            glare,
            -low,
            np.zeros((*shape, 3), np.uint8),
            [np.full(shape, 255, np.uint8) for _ in lamps],
            np.full(shape, 255, np.uint8),
            np.zeros(shape, np.uint8),
        )

    def copy(self) -> "Layers":
        return Layers(
            self.rig,
            self.lamps,
            self.glare,
            self.origin_px,
            self.colour.copy(),
            [lit.copy() for lit in self.lit],
            self.open.copy(),
            self.mirror.copy(),
        )

    def take(self, other: "Layers", at: Window) -> None:
        """Part of another drawing of the same size."""
        for mine, its in zip(self._planes(), other._planes(), strict=True):
            mine[at] = its[at]

    def _planes(self) -> tuple[NDArray[Any], ...]:
        return self.colour, *self.lit, self.open, self.mirror

    def px(self, points_mm: NDArray[Any], z_mm: float) -> NDArray[Any]:
        """Points of the plane at height z on the canvas."""
        return np.asarray(self.rig.straight(points_mm, z_mm) + self.origin_px)

    def plane(self, z_mm: float) -> NDArray[Any]:
        shift = np.array([[1, 0, self.origin_px[0]], [0, 1, self.origin_px[1]], [0, 0, 1]])
        return np.asarray(shift @ self.rig.plane(z_mm))

    def window(self, points_px: NDArray[Any], grow_px: float = 2.0) -> Window | None:
        """The part of the canvas around some points, to be drawn on; None when it lies outside."""
        height, width = self.open.shape
        x0, y0 = np.floor(points_px.min(axis=0) - grow_px).astype(int)
        x1, y1 = np.ceil(points_px.max(axis=0) + grow_px).astype(int) + 1
        x0, y0, x1, y1 = max(0, x0), max(0, y0), min(width, x1), min(height, y1)
        if x1 <= x0 or y1 <= y0:
            return None
        at = slice(int(y0), int(y1)), slice(int(x0), int(x1))
        self.touched = at if self.touched is None else _around(self.touched, at)
        return at

    # -- light ---------------------------------------------------------------------------------------
    def shade(
        self, outline_mm: NDArray[Any], base_mm: float, top_mm: float, floor_mm: float | None = None
    ) -> None:
        """Throws the shadow of an upright body on what lies below it, and dims the light of the room at its foot."""
        floor = base_mm if floor_mm is None else floor_mm
        rise = top_mm - floor
        for lamp, lit in zip(self.lamps, self.lit, strict=True):
            drop = max(lamp.z_mm - top_mm, 200.0)
            away = (outline_mm - (lamp.x_mm, lamp.y_mm)) / drop
            tip = outline_mm + away * rise
            foot = outline_mm + away * max(0.0, base_mm - floor)
            soft_mm = 0.18 + lamp.size_mm / drop * rise * 0.5
            self._darken(lit, np.vstack([foot, tip]), floor, soft_mm, 1.0)
        reach = min(rise, 14.0)
        self._darken(self.open, outline_mm, floor, 0.35 + 0.4 * reach, min(0.62, 0.30 + 0.05 * reach))

    def _darken(
        self, plane: NDArray[Any], points_mm: NDArray[Any], z_mm: float, soft_mm: float, strength: float
    ) -> None:
        soft_px = max(0.4, soft_mm * self.rig.scale)
        points = self.px(points_mm, z_mm)
        at = self.window(points, 2.6 * soft_px)
        if at is None:
            return
        part = plane[at]
        # A soft shadow is drawn small and enlarged: nobody can tell, and it costs a fraction.
        down = max(1, int(soft_px // 3))
        shape = (-(-part.shape[0] // down), -(-part.shape[1] // down))
        mask = np.zeros(shape, np.uint8)
        local = (points - (at[1].start, at[0].start)) / down
        hull = cv2.convexHull(np.round(local * (1 << _SHIFT)).astype(np.int32))
        cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, _SHIFT)
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.5, soft_px / down)))
        if down > 1:
            mask = np.asarray(
                cv2.resize(mask, (shape[1] * down, shape[0] * down), interpolation=cv2.INTER_LINEAR)
            )[: part.shape[0], : part.shape[1]]
        keep = cv2.convertScaleAbs(mask, alpha=-strength, beta=255.0) if strength < 1 else 255 - mask
        part[:] = cv2.multiply(part, keep, scale=1 / 255)

    # -- things --------------------------------------------------------------------------------------
    def fill(
        self, points_px: NDArray[Any], bgr: Bgr, lit: Sequence[float] | None = None, room: float = 1.0
    ) -> None:
        """A face in one colour; `lit` is what it gets of each lamp beside flat ground, all of it unless told."""
        at = self.window(points_px)
        if at is None:
            return
        corner = (at[1].start, at[0].start)
        face = cv2.convexHull(np.round((points_px - corner) * (1 << _SHIFT)).astype(np.int32))
        cv2.fillConvexPoly(self.colour[at], face, bgr, cv2.LINE_AA, _SHIFT)
        shares = [*(lit or [1.0] * len(self.lit)), room, 0.0]
        for plane, share in zip((*self.lit, self.open, self.mirror), shares, strict=True):
            cv2.fillConvexPoly(plane[at], face, round(255 * share), cv2.LINE_AA, _SHIFT)

    def cover(
        self,
        picture: NDArray[Any],
        to_table: NDArray[Any],
        outline_mm: NDArray[Any],
        z_mm: float,
        gloss: float,
        tilt: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Lays a picture with an outline mask flat at height z; `to_table` maps its pixels to millimetres."""
        at = self.window(self.px(outline_mm, z_mm))
        if at is None:
            return
        back = np.eye(3)
        back[:2, 2] = (-at[1].start, -at[0].start)
        matrix = back @ self.plane(z_mm) @ to_table
        part = self.colour[at]
        size = (part.shape[1], part.shape[0])
        drawn = cv2.warpPerspective(
            picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0
        )
        share = drawn[..., 3]
        blend(part, drawn[..., :3], share)
        for plane in (*self.lit, self.open):
            plane[at] = cv2.max(plane[at], share)
        shine = self.highlight(at, z_mm, gloss, tilt)
        mirror = self.mirror[at]
        mirror[:] = cv2.multiply(mirror, 255 - share, scale=1 / 255)
        if shine is not None:
            mirror[:] = cv2.add(mirror, cv2.multiply(shine, share, scale=1 / 255))

    def shine(self, outline_mm: NDArray[Any], z_mm: float, gloss: float) -> None:
        """Varnish or glass over a flat outline."""
        points = self.px(outline_mm, z_mm)
        at = self.window(points)
        mirrored = None if at is None else self.highlight(at, z_mm, gloss, (0.0, 0.0))
        if at is None or mirrored is None:
            return
        mask = np.zeros(mirrored.shape, np.uint8)
        face = np.round((points - (at[1].start, at[0].start)) * (1 << _SHIFT)).astype(np.int32)
        cv2.fillConvexPoly(mask, face, 255, cv2.LINE_AA, _SHIFT)
        self.mirror[at] = cv2.max(self.mirror[at], cv2.multiply(mirrored, mask, scale=1 / 255))

    def highlight(
        self, at: Window, z_mm: float, gloss: float, tilt: tuple[float, float]
    ) -> NDArray[Any] | None:
        """What a varnished surface mirrors there, None where it mirrors nothing."""
        if gloss * self.glare <= 0:
            return None
        height, width = at[0].stop - at[0].start, at[1].stop - at[1].start
        step = max(1, min(width, height) // 7)
        xs = np.arange(at[1].start, at[1].stop + step, step) - self.origin_px[0]
        ys = np.arange(at[0].start, at[0].stop + step, step) - self.origin_px[1]
        grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2).astype(np.float64)
        back = np.linalg.inv(self.rig.plane(z_mm))
        ground = np.column_stack([grid, np.ones(len(grid))]) @ back.T
        ground = ground[:, :2] / ground[:, 2:]
        total = np.zeros(len(grid))
        eye = np.array((self.rig.x_mm, self.rig.y_mm, self.rig.height_mm - z_mm))
        view = np.column_stack([eye[:2] - ground, np.full(len(ground), eye[2])])
        view /= np.linalg.norm(view, axis=1, keepdims=True)
        for lamp in self.lamps:
            light = np.column_stack(
                [np.array((lamp.x_mm, lamp.y_mm)) - ground, np.full(len(ground), lamp.z_mm - z_mm)]
            )
            light /= np.linalg.norm(light, axis=1, keepdims=True)
            half = view + light
            slope = half[:, :2] / half[:, 2:] - np.deg2rad(np.array(tilt)) * 2
            wide = lamp.size_mm / lamp.z_mm / 2
            square = (slope**2).sum(axis=1)
            for rough, share in zip(_ROUGH, _ROUGH_SHARE, strict=True):
                total += share * lamp.power * np.exp(-square / (2 * (rough + wide) ** 2))
        total *= gloss * self.glare / MIRROR_FULL * 255
        if total.max() < 0.5:
            return None
        small = np.clip(total, 0, 255).reshape(len(ys), len(xs)).astype(np.uint8)
        big = cv2.resize(small, (len(xs) * step, len(ys) * step), interpolation=cv2.INTER_LINEAR)
        return np.asarray(big)[:height, :width]


def _around(one: Window, other: Window) -> Window:
    rows, columns = (
        slice(min(a.start, b.start), max(a.stop, b.stop)) for a, b in zip(one, other, strict=True)
    )
    return rows, columns


def blend(under: NDArray[Any], over: NDArray[Any], share: NDArray[Any]) -> None:
    """Puts `over` on `under` in place, by a mask of 0..255."""
    mask = cv2.merge([share, share, share])
    kept = cv2.multiply(under, 255 - mask, scale=1 / 255)
    under[:] = cv2.add(kept, cv2.multiply(over, mask, scale=1 / 255))

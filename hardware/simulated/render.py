"""Draws the table as the camera sees it: the table top, the boards, every piece, in the order of their heights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrange import Placed
from hardware.simulated.art import Art
from hardware.simulated.canvas import Bgr
from hardware.simulated.conditions import Conditions
from hardware.simulated.develop import develop
from hardware.simulated.layers import Layers
from hardware.simulated.layout import Layout
from hardware.simulated.palette import mix
from hardware.simulated.pieces import Body, body
from hardware.simulated.stage import Pose, Rig, on_table
from hardware.simulated.tabletop import GLOSS, PATCH_MM, tabletop


@dataclass(frozen=True)
class Scene:
    """Everything that lies on the table at one moment."""

    poses: Mapping[str, Pose]
    placed: tuple[Placed, ...]
    seed: int = 0  # of the table top and of what stands around


@dataclass
class Renderer:
    """Renders scenes of one edition. The table with its boards is kept from one frame to the next."""

    art: Art
    _ground: tuple[Any, Layers] | None = field(default=None, repr=False)

    @property
    def layout(self) -> Layout:
        return self.art.layout

    def render(self, scene: Scene, rig: Rig, conditions: Conditions, seed: int = 0) -> NDArray[Any]:
        layers = self.ground(scene, rig, conditions).copy()
        self.draw(layers, scene)
        return develop(layers, conditions, seed)

    def ground(self, scene: Scene, rig: Rig, conditions: Conditions) -> Layers:
        """Table top and boards, from the last frame when nothing of it changed."""
        key = (
            tuple(scene.poses.items()),
            scene.seed,
            rig,
            conditions.lamps,
            conditions.glare,
            conditions.table,
        )
        if self._ground is None or self._ground[0] != key:
            layers = Layers.blank(rig, conditions.lamps, conditions.glare)
            self._table(layers, conditions.table, scene.seed)
            for board, pose in scene.poses.items():
                self._put(layers, f"board:{board}", (pose.x_mm, pose.y_mm), pose.turn_deg, 0.0, (0.0, 0.0))
            self._ground = (key, layers)
        return self._ground[1]

    def draw(self, layers: Layers, scene: Scene) -> None:
        """All pieces, low ones first; among equals the one nearest to the camera's foot last, since it stands in front."""
        rig = layers.rig
        located = []
        for piece in scene.placed:
            middle, turn = self.where(piece, scene.poses)
            top = piece.base_mm + body(piece.picture, self.layout).thick_mm
            away = float(np.hypot(middle[0] - rig.x_mm, middle[1] - rig.y_mm))
            located.append((round(top, 1), -away, piece, middle, turn))
        for _, _, piece, middle, turn in sorted(located, key=lambda item: item[:2]):
            self._put(layers, piece.picture, middle, turn, piece.base_mm, piece.tilt)

    def where(self, piece: Placed, poses: Mapping[str, Pose]) -> tuple[tuple[float, float], float]:
        """A piece's middle on the table and its turn there."""
        if not piece.board:
            return (piece.x_mm, piece.y_mm), piece.turn_deg
        pose = poses[piece.board]
        x, y = on_table(self.layout, piece.board, pose, np.array([(piece.x_mm, piece.y_mm)]))[0]
        return (float(x), float(y)), pose.turn_deg + piece.turn_deg

    def _table(self, layers: Layers, table: str, seed: int) -> None:
        ppm = min(2.2, max(0.8, layers.rig.scale))
        patch = tabletop(table, seed, round(ppm, 1))
        to_mm = np.array(
            [
                [PATCH_MM[0] / patch.shape[1], 0, -PATCH_MM[0] / 2],
                [0, PATCH_MM[1] / patch.shape[0], -PATCH_MM[1] / 2],
                [0, 0, 1],
            ]
        )
        height, width = layers.open.shape
        layers.colour[:] = cv2.warpPerspective(
            patch,
            layers.plane(0.0) @ to_mm,
            (width, height),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT,
        )
        shine = layers.highlight((slice(0, height), slice(0, width)), 0.0, GLOSS[table], (0.0, 0.0))
        if shine is not None:
            layers.mirror[:] = shine

    def _put(
        self,
        layers: Layers,
        picture: str,
        middle: tuple[float, float],
        turn_deg: float,
        base_mm: float,
        tilt: tuple[float, float],
    ) -> None:
        shape = body(picture, self.layout)
        turn = np.deg2rad(turn_deg)
        spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        outline = shape.outline_mm @ spin + np.array(middle)
        top = base_mm + shape.thick_mm
        layers.shade(outline, base_mm, top)
        if picture.startswith("cube:"):
            draw_box(layers, shape.outline_mm, spin, middle, base_mm, shape)
            return
        sides(layers, outline, base_mm, top, shape.edge, shape.boxy)
        image, ppm = self.art.scaled(picture, layers.rig.scale)
        width, height = shape.size_mm
        local = np.array(
            [[1 / ppm, 0, 0.5 / ppm - width / 2], [0, 1 / ppm, 0.5 / ppm - height / 2], [0, 0, 1]]
        )
        placed = np.array(
            [
                [np.cos(turn), -np.sin(turn), middle[0]],
                [np.sin(turn), np.cos(turn), middle[1]],
                [0, 0, 1],
            ]
        )
        layers.cover(image, placed @ local, outline, top, shape.gloss, tilt)


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
        layers.fill(face, tuple(c * _lit(layers, normal, middle) for c in bgr))  # type: ignore[arg-type]


def _lit(layers: Layers, normal: NDArray[Any], at: NDArray[Any]) -> float:
    """How bright an upright face is beside a flat one, after gamma."""
    light = 0.30
    for lamp in layers.lamps:
        way = np.array((lamp.x_mm, lamp.y_mm)) - at
        light += 0.6 * max(0.0, float(normal @ way) / lamp.z_mm) * min(1.0, lamp.power * 1.6)
    return float(np.clip(np.sqrt(light), 0.4, 1.1))


def draw_box(
    layers: Layers,
    outline: NDArray[Any],
    spin: NDArray[Any],
    middle: tuple[float, float],
    base_mm: float,
    shape: Body,
) -> None:
    """A painted wooden cube: four sides, a bevelled top that is lighter at the edges, a hint of grain."""
    top = base_mm + shape.thick_mm
    at = np.array(middle)
    half = shape.size_mm[0] / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) @ spin + at
    sides(layers, square, base_mm, top, shape.edge)
    layers.fill(layers.px(outline @ spin + at, top), mix(shape.edge, (255.0, 255.0, 255.0), 0.16))
    layers.fill(layers.px(outline * 0.86 @ spin + at, top), shape.edge)


def outlines(
    layers: Layers, at: Layout, placed: Sequence[Placed], poses: Mapping[str, Pose]
) -> dict[int, NDArray[Any]]:
    """Where each piece's top is drawn, on the canvas."""
    found = {}
    for i, piece in enumerate(placed):
        shape = body(piece.picture, at)
        turn = np.deg2rad(piece.turn_deg)
        spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        local = shape.outline_mm @ spin + (piece.x_mm, piece.y_mm)
        flat = on_table(at, piece.board, poses[piece.board], local) if piece.board else local
        found[i] = layers.px(flat, piece.base_mm + shape.thick_mm)
    return found

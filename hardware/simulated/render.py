"""Draws the table as the camera sees it: the table top, the boards, every piece, in the order of their heights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated import clutter, hand, shapes
from hardware.simulated.arrange import Placed
from hardware.simulated.art import Art
from hardware.simulated.canvas import Bgr
from hardware.simulated.clutter import Thing
from hardware.simulated.conditions import Conditions
from hardware.simulated.develop import develop, through_lens
from hardware.simulated.hand import Hand
from hardware.simulated.layers import MIRROR_FULL, Layers
from hardware.simulated.layout import Layout
from hardware.simulated.pieces import Body, body
from hardware.simulated.stage import Pose, Rig, on_table
from hardware.simulated.tabletop import GLOSS, PATCH_MM, tabletop
from hardware.simulated.truth import Covers, coarse

NAPKIN_MM = 6.0  # it lies over pieces
NAPKIN: Bgr = (226.0, 230.0, 233.0)
KEPT_PX = 1000  # width up to which the still table is kept as well
BURNT = 0.62  # mirrored light beyond which print cannot be read any more


@dataclass(frozen=True)
class Scene:
    """Everything that lies on the table at one moment."""

    poses: Mapping[str, Pose]
    placed: tuple[Placed, ...]
    things: tuple[Thing, ...] = ()
    carried: tuple[Placed, ...] = ()  # pieces in somebody's fingers
    hands: tuple[Hand, ...] = ()
    napkins: tuple[NDArray[Any], ...] = ()
    seed: int = 0  # of the table top


@dataclass(frozen=True)
class Picture:
    """A frame, and masks of it: what a hand covers, and where glare burns out."""

    bgr: NDArray[Any]
    covers: Covers


@dataclass
class Renderer:
    """Renders scenes of one edition. The table with its boards is kept from one frame to the next."""

    art: Art
    _ground: tuple[Any, Layers] | None = field(default=None, repr=False)
    _still: tuple[Any, Layers] | None = field(default=None, repr=False)
    _bodies: dict[str, Body] = field(default_factory=dict, repr=False)

    @property
    def layout(self) -> Layout:
        return self.art.layout

    def render(self, scene: Scene, rig: Rig, conditions: Conditions, seed: int = 0) -> Picture:
        layers = self.still(scene, rig, conditions).copy()
        self.draw(layers, scene.carried, scene.poses)
        clutter.draw(layers, scene.things)
        covered = None
        for outline in scene.napkins:
            mask = shapes.sheet(layers, outline, NAPKIN_MM, NAPKIN)
            covered = mask if covered is None else cv2.max(covered, mask)
        for reaching in scene.hands:
            mask = hand.draw(layers, reaching)
            covered = mask if covered is None else cv2.max(covered, mask)
        _, burnt = cv2.threshold(layers.mirror, 255 * BURNT / MIRROR_FULL, 255, cv2.THRESH_BINARY)
        return Picture(
            develop(layers, conditions, seed),
            Covers(
                None if covered is None else coarse(through_lens(covered, layers)),
                coarse(through_lens(burnt, layers)) if cv2.countNonZero(burnt) else None,
            ),
        )

    def still(self, scene: Scene, rig: Rig, conditions: Conditions) -> Layers:
        """Everything that lies still. Small pictures keep it: they come ten times a second and seldom change."""
        key = (self._key(scene, rig, conditions), scene.placed)
        if self._still is not None and self._still[0] == key:
            return self._still[1]
        layers = self.ground(scene, rig, conditions).copy()
        self.draw(layers, scene.placed, scene.poses)
        if rig.size_px[0] <= KEPT_PX:
            self._still = (key, layers)
        return layers

    @staticmethod
    def _key(scene: Scene, rig: Rig, conditions: Conditions) -> tuple[object, ...]:
        return (
            tuple(scene.poses.items()),
            scene.seed,
            rig,
            conditions.lamps,
            conditions.glare,
            conditions.table,
        )

    def ground(self, scene: Scene, rig: Rig, conditions: Conditions) -> Layers:
        """Table top and boards, from the last frame when nothing of it changed."""
        key = self._key(scene, rig, conditions)
        if self._ground is None or self._ground[0] != key:
            layers = Layers.blank(rig, conditions.lamps, conditions.glare)
            self._table(layers, conditions.table, scene.seed)
            for board, pose in scene.poses.items():
                self._put(layers, f"board:{board}", (pose.x_mm, pose.y_mm), pose.turn_deg, 0.0, (0.0, 0.0))
            self._ground = (key, layers)
        return self._ground[1]

    def draw(self, layers: Layers, placed: Sequence[Placed], poses: Mapping[str, Pose]) -> None:
        """All pieces, low ones first; among equals the one nearest to the camera's foot last, since it stands in front."""
        rig = layers.rig
        located = []
        for piece in placed:
            middle, turn = self.where(piece, poses)
            top = piece.base_mm + self._body(piece.picture).thick_mm
            away = float(np.hypot(middle[0] - rig.x_mm, middle[1] - rig.y_mm))
            located.append((round(top, 1), -away, piece, middle, turn))
        for _, _, piece, middle, turn in sorted(located, key=lambda item: item[:2]):
            self._put(layers, piece.picture, middle, turn, piece.base_mm, piece.tilt)

    def _body(self, picture: str) -> Body:
        if picture not in self._bodies:
            self._bodies[picture] = body(picture, self.layout)
        return self._bodies[picture]

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
        shape = self._body(picture)
        turn = np.deg2rad(turn_deg)
        spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        outline = shape.outline_mm @ spin + np.array(middle)
        top = base_mm + shape.thick_mm
        layers.shade(outline, base_mm, top)
        if picture.startswith("cube:"):
            shapes.cube(layers, shape.outline_mm, spin, middle, base_mm, shape.thick_mm, shape.edge)
            return
        shapes.sides(layers, outline, base_mm, top, shape.edge, shape.boxy)
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

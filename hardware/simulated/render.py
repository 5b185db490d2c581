"""Draws the table as the camera sees it: the table top, the boards, every piece, in the order of their heights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
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
from hardware.simulated.develop import expose, sensor, through_lens
from hardware.simulated.hand import Hand
from hardware.simulated.layers import MIRROR_FULL, Layers
from hardware.simulated.layout import Layout
from hardware.simulated.painting import Painting
from hardware.simulated.pieces import Body, body
from hardware.simulated.stage import Pose, Rig, on_table
from hardware.simulated.tabletop import GLOSS, PATCH_MM, tabletop
from hardware.simulated.truth import Covers, coarse

NAPKIN_MM = 6.0  # it lies over pieces
NAPKIN: Bgr = (226.0, 230.0, 233.0)
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


@dataclass(frozen=True)
class Standing:
    """A board or a piece where it is on the table."""

    picture: str
    middle_mm: tuple[float, float]
    turn_deg: float
    base_mm: float = 0.0
    tilt: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Shadow:
    """What a board or a piece takes of the light around it."""

    of: Standing


Stroke = Standing | Shadow | Thing


@dataclass
class Renderer:
    """Renders scenes of one edition. What did not change since the last frame is not drawn again."""

    art: Art
    _painting: tuple[Any, Painting[Stroke]] | None = field(default=None, repr=False)
    _kept: tuple[tuple[Scene, Rig, Conditions], Picture] | None = field(default=None, repr=False)
    _bodies: dict[str, Body] = field(default_factory=dict, repr=False)

    @property
    def layout(self) -> Layout:
        return self.art.layout

    def render(self, scene: Scene, rig: Rig, conditions: Conditions, seed: int = 0) -> Picture:
        exposed = self.exposed(scene, rig, conditions)
        return Picture(sensor(exposed.bgr, conditions, seed), exposed.covers)

    def exposed(self, scene: Scene, rig: Rig, conditions: Conditions) -> Picture:
        """The picture without the noise of the sensor; the last one when nothing at all has changed."""
        key = (scene, rig, conditions)
        if self._kept is not None and self._kept[0] == key:
            return self._kept[1]
        layers = self._painted(rig, conditions, scene.seed).show(self._strokes(scene, rig))
        if scene.napkins or scene.hands:
            return _covered(layers.copy(), scene, conditions)
        self._kept = (key, _covered(layers, scene, conditions))
        return self._kept[1]

    def _painted(self, rig: Rig, conditions: Conditions, seed: int) -> Painting[Stroke]:
        """The table top to paint on, the last one as long as camera and lamps stay where they are."""
        key = (rig, conditions.lamps, conditions.glare, conditions.table, seed)
        if self._painting is None or self._painting[0] != key:
            ground = Layers.blank(rig, conditions.lamps, conditions.glare)
            _table(ground, conditions.table, seed)
            self._painting = (key, Painting(ground, self._put))
        return self._painting[1]

    def _strokes(self, scene: Scene, rig: Rig) -> list[Stroke]:
        """Everything in the order it is drawn: boards, pieces, pieces in the air, what else stands around."""
        boards = _after_shadows(
            [
                Standing(f"board:{board}", (pose.x_mm, pose.y_mm), pose.turn_deg)
                for board, pose in scene.poses.items()
            ]
        )
        lying = self._by_height(scene.placed, scene.poses, rig)
        carried = self._by_height(scene.carried, scene.poses, rig)
        return [*boards, *lying, *carried, *scene.things]

    def _by_height(self, placed: Sequence[Placed], poses: Mapping[str, Pose], rig: Rig) -> list[Stroke]:
        """Low ones first; among equals the one nearest to the camera's foot last, since it stands in front."""
        located = []
        for piece in placed:
            middle, turn = self.where(piece, poses)
            top = piece.base_mm + self._body(piece.picture).thick_mm
            away = float(np.hypot(middle[0] - rig.x_mm, middle[1] - rig.y_mm))
            located.append(
                (round(top, 1), -away, Standing(piece.picture, middle, turn, piece.base_mm, piece.tilt))
            )
        located.sort(key=lambda item: item[:2])
        levels = groupby(located, key=lambda item: item[0])
        return [stroke for _, level in levels for stroke in _after_shadows([item[2] for item in level])]

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

    def _put(self, layers: Layers, stroke: Stroke) -> None:
        if isinstance(stroke, Thing):
            clutter.draw(layers, (stroke,))
            return
        standing = stroke.of if isinstance(stroke, Shadow) else stroke
        shape = self._body(standing.picture)
        middle, base_mm = standing.middle_mm, standing.base_mm
        turn = np.deg2rad(standing.turn_deg)
        spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        outline = shape.outline_mm @ spin + np.array(middle)
        top = base_mm + shape.thick_mm
        if isinstance(stroke, Shadow):
            layers.shade(outline, base_mm, top)
            return
        if stroke.picture.startswith("cube:"):
            shapes.cube(
                layers, shape.outline_mm, spin, middle, base_mm, shape.thick_mm, shape.edge, shape.gloss
            )
            return
        shapes.sides(layers, outline, base_mm, top, shape.edge, shape.boxy)
        image, ppm = self.art.scaled(stroke.picture, layers.rig.scale)
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
        layers.cover(image, placed @ local, outline, top, shape.gloss, stroke.tilt)


def _after_shadows(level: Sequence[Standing]) -> list[Stroke]:
    """Pieces of one height, over the shadows of all of them: none of them can darken the top of another."""
    return [*(Shadow(one) for one in level), *level]


def _covered(layers: Layers, scene: Scene, conditions: Conditions) -> Picture:
    """Napkins and hands over the layers, in their light."""
    covered = None
    for outline in scene.napkins:
        mask = shapes.sheet(layers, outline, NAPKIN_MM, NAPKIN)
        covered = mask if covered is None else cv2.max(covered, mask)
    for reaching in scene.hands:
        mask = hand.draw(layers, reaching)
        covered = mask if covered is None else cv2.max(covered, mask)
    _, burnt = cv2.threshold(layers.mirror, 255 * BURNT / MIRROR_FULL, 255, cv2.THRESH_BINARY)
    return Picture(
        expose(layers, conditions),
        Covers(
            None if covered is None else coarse(through_lens(covered, layers)),
            coarse(through_lens(burnt, layers)) if cv2.countNonZero(burnt) else None,
        ),
    )


def _table(layers: Layers, table: str, seed: int) -> None:
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

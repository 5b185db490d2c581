"""Where the boards lie on the table, and the camera above them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.layout import Layout, Point

Matrix = NDArray[Any]


@dataclass(frozen=True)
class Pose:
    """A board's middle on the table and its turn; 0 means its top points away from the bottom edge of the picture."""

    x_mm: float
    y_mm: float
    turn_deg: float


@dataclass(frozen=True)
class Rig:
    """One camera stand. x runs right, y down the picture, heights towards the camera.

    The field of view is that of the Raspberry Pi Camera Module 3; `bend` are the radial terms of its lens.
    """

    size_px: tuple[int, int] = (4608, 2592)
    height_mm: float = 900.0
    x_mm: float = 0.0
    y_mm: float = 0.0
    pitch_deg: float = 0.0
    yaw_deg: float = 0.0
    roll_deg: float = 0.0
    view_deg: float = 66.0
    bend: tuple[float, float] = (-0.035, 0.008)

    @property
    def focal_px(self) -> float:
        return float(self.size_px[0] / 2 / np.tan(np.deg2rad(self.view_deg) / 2))

    @property
    def scale(self) -> float:
        """Pixels per millimetre on the table, near the middle."""
        return self.focal_px / self.height_mm

    def intrinsics(self) -> Matrix:
        width, height = self.size_px
        focal = self.focal_px
        return np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])

    def distortion(self) -> Matrix:
        return np.array([self.bend[0], self.bend[1], 0.0, 0.0])

    def turned(self) -> Matrix:
        pitch, yaw, roll = np.deg2rad([self.pitch_deg, self.yaw_deg, self.roll_deg])
        about_x = np.array([[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]])
        about_y = np.array([[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]])
        about_z = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
        return np.asarray(about_z @ about_y @ about_x)

    def plane(self, z_mm: float) -> Matrix:
        """The homography from the plane at height z to the picture of a lens without distortion."""
        return _plane(self, round(z_mm, 3))

    def straight(self, points_mm: Matrix, z_mm: float) -> Matrix:
        """Points of the plane at height z in pixels, before the lens bends them."""
        flat = np.asarray(points_mm, np.float64).reshape(-1, 2)
        plane = self.plane(z_mm)
        mapped = flat @ plane[:, :2].T + plane[:, 2]
        return np.asarray(mapped[:, :2] / mapped[:, 2:])

    def seen(self, points_mm: Matrix, z_mm: float) -> Matrix:
        """Points of the plane at height z in pixels of the frame."""
        return self.bent(self.straight(points_mm, z_mm))

    def bent(self, points_px: Matrix) -> Matrix:
        camera = self.intrinsics()
        rays = (np.asarray(points_px) - camera[:2, 2]) / camera[0, 0]
        square = (rays**2).sum(axis=1, keepdims=True)
        factor = 1 + self.bend[0] * square + self.bend[1] * square**2
        return np.asarray(rays * factor * camera[0, 0] + camera[:2, 2])

    def unbent(self, points_px: Matrix) -> Matrix:
        points = np.asarray(points_px, np.float64).reshape(-1, 1, 2)
        return np.asarray(
            cv2.undistortPoints(points, self.intrinsics(), self.distortion(), P=self.intrinsics())
        ).reshape(-1, 2)


@lru_cache(maxsize=256)
def _plane(rig: Rig, z_mm: float) -> Matrix:
    """Worked out once for each height: a table has few of them and many pieces."""
    turned = rig.turned()
    offset = turned @ np.array([-rig.x_mm, -rig.y_mm, rig.height_mm - z_mm])
    return np.asarray(rig.intrinsics() @ np.column_stack([turned[:, 0], turned[:, 1], offset]))


def on_table(at: Layout, board: str, pose: Pose, points_mm: Matrix) -> Matrix:
    """Points given from a board's top left corner, in table coordinates."""
    width, height = at.size_mm(board)
    turn = np.deg2rad(pose.turn_deg)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.asarray((np.asarray(points_mm) - (width / 2, height / 2)) @ spin + (pose.x_mm, pose.y_mm))


def corners(at: Layout, board: str) -> Matrix:
    width, height = at.size_mm(board)
    return np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])


def reach(at: Layout, board: str) -> Matrix:
    """The corners of everything that belongs to a board: its outline and the slots beside it."""
    points = list(corners(at, board))
    for slot in at.of_board(board):
        for x, y, width, height in slot.areas():
            points += [np.array((x, y)), np.array((x + width, y + height))]
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    return np.array([low, (high[0], low[1]), high, (low[0], high[1])])


def seat(at: Layout, rng: np.random.Generator, wild: float) -> dict[str, Pose]:
    """Boards around the colony, each facing its player; `wild` is how far from square they may lie, in degrees."""
    poses = {"colony": Pose(0.0, 0.0, float(rng.normal(0, wild * 0.3)))}
    sides = {
        2: [(-1, 0, 90.0), (1, 0, -90.0)],
        3: [(-1, 0, 90.0), (0, 1, 0.0), (1, 0, -90.0)],
        4: [(-1, -1, 90.0), (-1, 1, 90.0), (1, 1, -90.0), (1, -1, -90.0)],
    }[len(at.colours)]
    taken = [on_table(at, "colony", poses["colony"], reach(at, "colony"))]
    for colour, (dx, dy, facing) in zip(at.colours, sides, strict=True):
        turn = facing + float(np.clip(rng.normal(0, wild), -2 * wild, 2 * wild))
        way = np.array((dx, dy), float)
        if len(at.colours) == 4:
            pose = _beside(at, colour, turn, way, taken, stacked=True)
        else:
            along = float(rng.uniform(-18, 18))
            pose = _beside(at, colour, turn, way, taken, along=along)
        poses[colour] = pose
        taken.append(on_table(at, colour, pose, reach(at, colour)))
    return poses


def _beside(
    at: Layout,
    board: str,
    turn: float,
    way: Matrix,
    taken: Sequence[Matrix],
    stacked: bool = False,
    along: float = 0.0,
) -> Pose:
    """As near to the middle as the things already lying there allow, walking outwards."""
    outline = reach(at, board)
    start, step = np.array((-way[1], way[0])) * along, way
    if stacked:
        # Two boards on one side: one above the middle line of the table, one below.
        y = on_table(at, board, Pose(0.0, 0.0, turn), outline)[:, 1]
        start = np.array((0.0, 5.0 - y.min() if way[1] > 0 else -5.0 - y.max()))
        step = np.array((way[0], 0.0))
    for distance in range(100, 700, 3):
        middle = start + step * distance
        pose = Pose(float(middle[0]), float(middle[1]), turn)
        mine = on_table(at, board, pose, outline)
        if not any(_overlap(mine, other) for other in taken):
            return pose
    raise ValueError(f"no room on the table for the {board} board")


def _overlap(one: Matrix, other: Matrix, gap_mm: float = 7.0) -> bool:
    """Whether two convex outlines come closer than the gap, by separating axes."""
    for shape in (one, other):
        for i in range(len(shape)):
            edge = shape[(i + 1) % len(shape)] - shape[i]
            normal = np.array((-edge[1], edge[0])) / max(float(np.hypot(*edge)), 1e-9)
            a, b = one @ normal, other @ normal
            if a.max() + gap_mm < b.min() or b.max() + gap_mm < a.min():
                return False
    return True


def overlap(one: Matrix, other: Matrix, gap_mm: float = 0.0) -> bool:
    return _overlap(np.asarray(one), np.asarray(other), gap_mm)


def extent(at: Layout, poses: Mapping[str, Pose]) -> tuple[Point, Point]:
    """The corner points of the rectangle that holds all boards and their slots."""
    points = np.vstack([on_table(at, board, pose, reach(at, board)) for board, pose in poses.items()])
    low, high = points.min(axis=0), points.max(axis=0)
    return (float(low[0]), float(low[1])), (float(high[0]), float(high[1]))


def stand(
    at: Layout, poses: Mapping[str, Pose], size_px: tuple[int, int], rng: np.random.Generator, lean_deg: float
) -> Rig:
    """A camera high enough to see everything, over the middle, not quite plumb."""
    low, high = extent(at, poses)
    rig = Rig(
        size_px=size_px,
        x_mm=(low[0] + high[0]) / 2 + float(rng.uniform(-6, 6)),
        y_mm=(low[1] + high[1]) / 2 + float(rng.uniform(-6, 6)),
        pitch_deg=float(rng.uniform(-lean_deg, lean_deg)),
        yaw_deg=float(rng.uniform(-lean_deg, lean_deg)),
        roll_deg=float(rng.uniform(-lean_deg, lean_deg)),
        bend=(float(rng.uniform(-0.06, -0.015)), float(rng.uniform(0.0, 0.012))),
    )
    box = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    margin = np.array(size_px) * 0.02
    aim = np.array((rig.x_mm, rig.y_mm))
    ahead = np.linalg.inv(rig.turned()) @ np.array((0.0, 0.0, 1.0))
    for height in range(480, 2400, 12):
        # Whoever puts up a stand that leans moves it until the boards are in the middle of the picture.
        foot = aim - ahead[:2] / ahead[2] * height
        rig = replace(rig, height_mm=float(height), x_mm=float(foot[0]), y_mm=float(foot[1]))
        seen = rig.seen(box, 0.0)
        if (seen >= margin).all() and (seen <= np.array(size_px) - margin).all():
            return rig
    raise ValueError("the boards lie too far apart for one camera")

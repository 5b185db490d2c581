"""Where the boards lie in one frame."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.lens import Lens, Points
from vision.reading import BoardSeen

Matrix = NDArray[np.float64]  # 3 x 3


@dataclass(frozen=True, eq=False)
class Fix:
    """One board found: `flat_from_mm` takes board millimetres to flat pixels (see `vision.lens`).

    `sure` is the probability that it lies there, in the eyes of the finder.
    """

    flat_from_mm: Matrix
    size_mm: tuple[float, float]
    sure: float = 1.0


@dataclass(frozen=True, eq=False)
class Located:
    """All boards of one frame. A board that is absent, hidden or in doubt has no fix."""

    size_px: tuple[int, int]
    lens: Lens
    fixes: Mapping[str, Fix]
    missing: Mapping[str, str] = field(default_factory=dict)  # board -> why it has no fix, as a sentence

    def mm_to_px(self, board: str, points_mm: ArrayLike, height_mm: float = 0.0) -> Points:
        """Frame pixels of points given in the board's millimetres, `height_mm` above the board."""
        flat_from_mm = self.fixes[board].flat_from_mm
        if height_mm:
            flat_from_mm = raised(flat_from_mm, self.lens, self.size_px, height_mm)
        return self.lens.bend(project(flat_from_mm, points_mm), self.size_px)

    def px_to_mm(self, board: str, frame_px: ArrayLike) -> Points:
        """Board millimetres of points of the picture, as if they lay on the board's plane."""
        mm_from_flat = np.asarray(np.linalg.inv(self.fixes[board].flat_from_mm), np.float64)
        return project(mm_from_flat, self.lens.flatten(frame_px, self.size_px))

    def corners_px(self, board: str) -> Points:
        """The board's corners in the frame, clockwise from its own top left."""
        width, height = self.fixes[board].size_mm
        return self.mm_to_px(board, [(0, 0), (width, 0), (width, height), (0, height)])

    def px_per_mm(self, board: str) -> float:
        """How many frame pixels a millimetre has in the middle of the board."""
        width, height = self.fixes[board].size_mm
        x, y = width / 2, height / 2
        a, b, c = self.mm_to_px(board, [(x, y), (x + 1, y), (x, y + 1)])
        return float(np.sqrt(abs(np.linalg.det(np.stack([b - a, c - a])))))

    def seen(self, boards: Mapping[str, object]) -> dict[str, BoardSeen]:
        """The same as plain values for a `Reading`; boards without a fix are not found."""
        return {
            name: BoardSeen(
                True,
                tuple((float(x), float(y)) for x, y in self.corners_px(name)),
                self.fixes[name].sure,
            )
            if name in self.fixes
            else BoardSeen(False, (), 0.0)
            for name in boards
        }


def project(matrix: Matrix, points: ArrayLike) -> Points:
    """A homography applied to N x 2 points."""
    xy = np.asarray(points, np.float64).reshape(-1, 2)
    xyw = xy @ matrix[:, :2].T + matrix[:, 2]
    projected: Points = xyw[:, :2] / xyw[:, 2:]
    return projected


def homography(source: ArrayLike, target: ArrayLike) -> Matrix:
    """The homography through four point pairs."""
    return np.asarray(
        cv2.getPerspectiveTransform(
            np.asarray(source, np.float32).reshape(4, 2), np.asarray(target, np.float32).reshape(4, 2)
        ),
        np.float64,
    )


def raised(flat_from_mm: Matrix, lens: Lens, size_px: tuple[int, int], height_mm: float) -> Matrix:
    """The homography of the plane `height_mm` above the board, towards the camera.

    The top of a cube far from the middle of the picture stands several millimetres outside its foot.
    """
    width, height = size_px[0] / lens.cameras, size_px[1]
    # A board lies wholly in one camera's part of the picture, so its corner tells which.
    part = np.clip(flat_from_mm[0, 2] / flat_from_mm[2, 2] // width, 0, lens.cameras - 1)
    focal = lens.focal * width
    middle = part * width + (width - 1) / 2
    camera = np.array([[focal, 0, middle], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
    columns = np.linalg.inv(camera) @ flat_from_mm
    columns /= np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1]))
    if columns[2, 2] < 0:
        columns = -columns
    up = np.cross(columns[:, 0], columns[:, 1])
    # Board x is right and y is down, so x cross y points away from the camera for a board seen from above.
    columns[:, 2] -= up / np.linalg.norm(up) * np.sign(up[2]) * height_mm
    lifted: Matrix = camera @ columns
    lifted /= lifted[2, 2]
    return lifted

"""A board's printed picture, as taught from one photograph of the bare board.

`Reference` is the picture itself, upright and at a fixed scale, with the points it is followed by;
`BoardModel` adds the features it is found by when nothing is known about where it lies.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import read_arrays
from vision.fix import Fix, Located, Matrix, homography
from vision.lens import Lens
from vision.pack import Board, Point, Rect
from vision.rectify import Picture, Scale, crop
from vision.rig import load_rigs

FORMAT = 1
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class TeachSettings:
    """How a board's picture is kept."""

    # Long side of the reference, about that of the board in a 1536 px frame: points are tracked to a tenth of it.
    side_px: int = 560
    # Table kept around the board, so that points near the edge have a whole window.
    margin_mm: float = 5.0
    # Pieces overhang their slot and throw shadows; points closer than this to a slot may be covered.
    slot_margin_mm: float = 4.0
    # Points nearer to the edge than this would look at the table, which changes.
    edge_mm: float = 2.5
    points: int = 260
    # Share of the board that must be free of slots for colour to be judged by the free part alone.
    least_free: float = 0.1
    # Contrast below which a corner is noise, as a share of the best corner.
    corner_quality: float = 0.004
    # ... and whatever the best is: sensor noise of three grey levels stays below this.
    corner_floor: float = 0.0007
    features: int = 1100
    # Frame width at which features are taught; lost boards are searched at half and at twice that.
    find_width_px: int = 1024


SETTINGS = TeachSettings()


@dataclass(frozen=True, eq=False)
class Reference:
    """The upright picture; pixel = (mm + margin_mm) * px_per_mm - 0.5. `flat` is `even_out` of it."""

    bgr: Picture
    flat: Picture
    px_per_mm: float
    margin_mm: float
    points_mm: Floats  # N x 2, textured places
    free: NDArray[np.bool_]  # N, whether no piece can cover the point
    free_area: Picture  # the same for every pixel: 255 or 0

    def to_px(self, points_mm: ArrayLike) -> Floats:
        return ((np.asarray(points_mm) + self.margin_mm) * self.px_per_mm - 0.5).astype(np.float32)

    def to_mm(self, points_px: ArrayLike) -> NDArray[np.float64]:
        return (np.asarray(points_px, np.float64) + 0.5) / self.px_per_mm - self.margin_mm

    def scale(self) -> Scale:
        return Scale(self.px_per_mm, self.margin_mm)


@dataclass(frozen=True, eq=False)
class BoardModel:
    """Everything needed to find one board again."""

    name: str
    size_mm: tuple[float, float]
    reference: Reference
    keypoints: Floats  # N x 4: x mm, y mm, size mm, angle degrees
    descriptors: Floats  # N x 128
    pose: Matrix  # where it lay when it was taught: millimetres -> flat pixels
    pose_size_px: tuple[int, int]

    @property
    def rect_mm(self) -> Rect:
        return 0.0, 0.0, *self.size_mm


@dataclass(frozen=True, eq=False)
class Models:
    """The boards of a pack and the lens they were taught through."""

    boards: Mapping[str, BoardModel]
    lens: Lens
    markers: Mapping[str, Mapping[int, Point]] = field(default_factory=dict)  # ArUco, by board


def teach_board(
    bgr: Picture,
    corners_px: ArrayLike,
    board: Board,
    covered_mm: Sequence[Rect] = (),
    lens: Lens | None = None,
    settings: TeachSettings = SETTINGS,
) -> BoardModel:
    """Learns a board from a photograph and its four corners, clockwise from the board's own top left.

    `covered_mm` are the rectangles where pieces may lie later.
    """
    lens = lens or Lens()
    size_px = bgr.shape[1], bgr.shape[0]
    pose = homography(board.corners_mm, lens.flatten(corners_px, size_px))
    located = Located(size_px, lens, {board.name: Fix(pose, board.size_mm)})
    here = located.px_per_mm(board.name)
    px_per_mm = min(settings.side_px / max(board.size_mm), here)
    picture = upright(bgr, located, board.name, Scale(px_per_mm, settings.margin_mm))
    reference = _reference(picture, px_per_mm, board, covered_mm, settings)
    keypoints, descriptors = _teach_features(bgr, located, board, settings)
    return BoardModel(
        board.name,
        board.size_mm,
        reference,
        keypoints,
        descriptors,
        pose,
        size_px,
    )


def upright(frame: Picture, located: Located, board: str, scale: Scale) -> Picture:
    """The whole board through the lens, exactly: a grid of strips, each a perspective warp of its own."""
    width, height = located.fixes[board].size_mm
    across, down = (1, 1) if located.lens.is_perfect else (4, 3)
    full = -scale.margin_mm, -scale.margin_mm, width + 2 * scale.margin_mm, height + 2 * scale.margin_mm
    columns, rows = Scale(scale.px_per_mm).size_px(full)
    result = np.zeros((rows, columns, *frame.shape[2:]), np.uint8)
    xs = np.linspace(0, columns, across + 1).round().astype(int)
    ys = np.linspace(0, rows, down + 1).round().astype(int)
    for left, right in pairwise(xs):
        for top, bottom in pairwise(ys):
            rect = (
                full[0] + left / scale.px_per_mm,
                full[1] + top / scale.px_per_mm,
                (right - left) / scale.px_per_mm,
                (bottom - top) / scale.px_per_mm,
            )
            result[top:bottom, left:right] = crop(frame, located, board, rect, Scale(scale.px_per_mm))
    return result


def even_out(bgr: Picture, radius_px: int) -> Picture:
    """Grey with the light taken out: local mean 128, local contrast 1. Noise stays small in plain areas."""
    grey = bgr if bgr.ndim == 2 else cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    values = grey.astype(np.float32)
    box = (2 * radius_px + 1, 2 * radius_px + 1)
    mean = cv2.boxFilter(values, -1, box)
    spread = cv2.sqrBoxFilter(values, -1, box) - mean * mean
    # Sensor noise is a few grey levels; contrast below it is not lifted.
    deviation = np.sqrt(np.maximum(spread, 0)) + 3.0 + 0.02 * mean
    return np.clip(128 + 45 * (values - mean) / deviation, 0, 255).astype(np.uint8)


def radius_px(px_per_mm: float) -> int:
    """Window of `even_out`: some millimetres, so that print stays and shadows go."""
    return max(4, round(6 * px_per_mm))


def describe(grey: Picture, features: int) -> tuple[Floats, Floats]:
    """SIFT keypoints (x, y, size, angle) and their root-normalised descriptors."""
    found, raw = cv2.SIFT.create(features, contrastThreshold=0.02).detectAndCompute(grey, None)
    if raw is None or not len(found):
        return np.zeros((0, 4), np.float32), np.zeros((0, 128), np.float32)
    keypoints = np.array([(*k.pt, k.size, k.angle) for k in found], np.float32)
    # Hellinger distance between histograms: the usual gain over Euclid for nothing.
    rooted = np.sqrt(raw / np.maximum(raw.sum(axis=1, keepdims=True), 1e-6))
    return keypoints, rooted.astype(np.float32)


def save_boards(models: Models, path: Path) -> None:
    """Writes `taught/boards.npz`; whole or not at all."""
    arrays: dict[str, Any] = {
        "format": np.array(FORMAT),
        "lens": np.array([models.lens.k1, models.lens.k2, models.lens.focal]),
        "names": np.array(list(models.boards)),
    }
    for index, model in enumerate(models.boards.values()):
        reference = model.reference
        arrays |= {
            f"{index}.size_mm": np.array(model.size_mm),
            f"{index}.bgr": reference.bgr,
            f"{index}.scale": np.array([reference.px_per_mm, reference.margin_mm]),
            f"{index}.points_mm": reference.points_mm,
            f"{index}.free": reference.free,
            f"{index}.free_area": reference.free_area,
            f"{index}.keypoints": model.keypoints,
            # A descriptor value needs no more than eight bits.
            f"{index}.descriptors": np.clip(model.descriptors * 255, 0, 255).astype(np.uint8),
            f"{index}.pose": model.pose,
            f"{index}.pose_size_px": np.array(model.pose_size_px),
        }
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".part.npz")
    np.savez(half, **arrays)
    half.replace(path)


def load_boards(path: Path) -> Models:
    """Reads what `save_boards` wrote. Raises ValueError when the file is of another kind.

    The focal length is that of the pack's `rig.toml`, where there is one; the bend of the lens stays as taught.
    """
    if not path.exists():
        raise FileNotFoundError(
            f"{path}: the pack is not taught yet; run: otys-companion enrol {path.parents[1]}"
        )
    try:
        stored = read_arrays(path)
        if int(stored["format"]) != FORMAT:
            raise KeyError("taught by another version")
        k1, k2, focal = (float(v) for v in stored["lens"])
        boards = {
            str(name): _load_board(stored, index, str(name)) for index, name in enumerate(stored["names"])
        }
    except (KeyError, ValueError, OSError, IndexError, TypeError, cv2.error) as error:
        why = " ".join(str(error).split())
        raise ValueError(f"{path}: cannot be used ({why}); run enrol again") from None
    rigs = load_rigs(path.parents[1])
    if rigs:
        focal = rigs[0].focal
    return Models(boards, Lens(k1, k2, focal, max(1, len(rigs))))


def _load_board(stored: Mapping[str, NDArray[Any]], index: int, name: str) -> BoardModel:
    px_per_mm, margin_mm = (float(v) for v in stored[f"{index}.scale"])
    bgr = stored[f"{index}.bgr"]
    reference = Reference(
        bgr,
        even_out(bgr, radius_px(px_per_mm)),
        px_per_mm,
        margin_mm,
        stored[f"{index}.points_mm"],
        stored[f"{index}.free"],
        stored[f"{index}.free_area"],
    )
    width, height = (float(v) for v in stored[f"{index}.size_mm"])
    columns, rows = (int(v) for v in stored[f"{index}.pose_size_px"])
    descriptors = stored[f"{index}.descriptors"].astype(np.float32)
    descriptors /= np.maximum(np.linalg.norm(descriptors, axis=1, keepdims=True), 1e-6)
    return BoardModel(
        name,
        (width, height),
        reference,
        stored[f"{index}.keypoints"],
        descriptors,
        stored[f"{index}.pose"],
        (columns, rows),
    )


def _reference(
    picture: Picture, px_per_mm: float, board: Board, covered_mm: Sequence[Rect], settings: TeachSettings
) -> Reference:
    flat = even_out(picture, radius_px(px_per_mm))
    nothing = np.zeros((0, 2), np.float32), np.zeros(0, np.bool_), np.zeros_like(flat)
    bare = Reference(picture, flat, px_per_mm, settings.margin_mm, *nothing)
    edge = settings.edge_mm
    on_board = np.zeros(flat.shape, np.uint8)
    _fill(on_board, bare, (edge, edge, board.size_mm[0] - 2 * edge, board.size_mm[1] - 2 * edge), 255)
    free = on_board.copy()
    for x, y, width, height in covered_mm:
        wide = settings.slot_margin_mm
        _fill(free, bare, (x - wide, y - wide, width + 2 * wide, height + 2 * wide), 0)
    points_px = _spread(flat, on_board, free, settings)
    is_free = free[points_px[:, 1].astype(int), points_px[:, 0].astype(int)] > 0
    points_mm = bare.to_mm(points_px).astype(np.float32)
    # A board that is nothing but slots has to be known by what shows between and under the pieces.
    if (free > 0).sum() < settings.least_free * (on_board > 0).sum():
        free = on_board
    return replace(bare, points_mm=points_mm, free=is_free, free_area=free)


def _spread(flat: Picture, on_board: Picture, free: Picture, settings: TeachSettings) -> Floats:
    """Corners of the print, the best of each cell of a grid, so that no corner of the board is left out.

    Free places come first; between slots and inside them are kept too, for boards that are all slots.
    """
    strength = cv2.cornerMinEigenVal(cv2.GaussianBlur(flat, (0, 0), 1.0), 9)
    area = int((on_board > 0).sum())
    cell = max(10, int(np.sqrt(area / (settings.points * 0.75))))
    best = float(strength[on_board > 0].max(initial=0.0))
    floor = max(best * settings.corner_quality, settings.corner_floor)
    picked: list[tuple[int, int]] = []
    for top in range(0, flat.shape[0], cell):
        for left in range(0, flat.shape[1], cell):
            window = strength[top : top + cell, left : left + cell]
            for mask in (free, on_board):
                masked = np.where(mask[top : top + cell, left : left + cell] > 0, window, 0)
                y, x = np.unravel_index(int(masked.argmax()), masked.shape)
                if masked[y, x] > floor:
                    picked.append((left + int(x), top + int(y)))
                    break
    return np.array(picked, np.float32).reshape(-1, 2)


def _fill(mask: Picture, reference: Reference, rect_mm: Rect, value: int) -> None:
    x, y, width, height = rect_mm
    (left, top), (right, bottom) = reference.to_px([(x, y), (x + width, y + height)]).round().astype(int)
    mask[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)] = value


def _teach_features(
    bgr: Picture, located: Located, board: Board, settings: TeachSettings
) -> tuple[Floats, Floats]:
    shrink = min(1.0, settings.find_width_px / located.size_px[0])
    px_per_mm = located.px_per_mm(board.name) * shrink
    margin = settings.margin_mm
    grey = cv2.cvtColor(upright(bgr, located, board.name, Scale(px_per_mm, margin)), cv2.COLOR_BGR2GRAY)
    keypoints, descriptors = describe(np.asarray(grey, np.uint8), settings.features)
    keypoints[:, :2] = (keypoints[:, :2] + 0.5) / px_per_mm - margin
    keypoints[:, 2] /= px_per_mm
    inside = ((keypoints[:, :2] > 0) & (keypoints[:, :2] < board.size_mm)).all(axis=1)
    return keypoints[inside], descriptors[inside]

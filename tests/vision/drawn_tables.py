"""Boards drawn with a pencil, photographed by arithmetic: known corners, known lens, any light."""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.fix import Matrix, homography
from vision.lens import Lens

Picture = NDArray[np.uint8]
PX_PER_MM = 4


def art_board(size_mm: tuple[float, float], tint: tuple[int, int, int], seed: int) -> Picture:
    """Random shapes and words; boards of one seed share them and differ in tint only."""
    rng = np.random.default_rng(seed)
    width, height = (round(side * PX_PER_MM) for side in size_mm)
    board = np.full((height, width, 3), (90, 110, 100), np.uint8)
    for _ in range(140):
        x, y = int(rng.integers(width)), int(rng.integers(height))
        colour = tuple(int(c) for c in rng.integers(30, 225, 3))
        shape = rng.integers(3)
        reach = int(rng.integers(10, 70))
        if shape == 0:
            cv2.circle(board, (x, y), reach, colour, -1, cv2.LINE_AA)
        elif shape == 1:
            cv2.rectangle(board, (x, y), (x + reach, y + reach // 2), colour, -1)
        else:
            cv2.putText(board, "OTYS"[int(rng.integers(4)) :], (x, y), 0, reach / 30, colour, 3, cv2.LINE_AA)
    cv2.rectangle(board, (8, 8), (width - 9, height - 9), tint, 24)
    cv2.rectangle(board, (width // 3, height // 3), (width // 2, height // 2), tint, -1)
    return board


def letter_board(seed: int = 0) -> Picture:
    """320 mm square, 15 x 15 squares, premium squares in fourfold symmetry: much of the same everywhere."""
    side = 320 * PX_PER_MM
    board = np.full((side, side, 3), (60, 95, 35), np.uint8)
    cell, edge = 20 * PX_PER_MM, 10 * PX_PER_MM
    colours = {2: (230, 200, 150), 3: (90, 60, 200), 1: (170, 180, 190)}
    for row in range(15):
        for column in range(15):
            r, c = min(row, 14 - row), min(column, 14 - column)
            kind = 3 if r % 7 == 0 and c % 7 == 0 else 2 if r == c or (r * c) % 6 == 3 else 1
            x, y = edge + column * cell, edge + row * cell
            cv2.rectangle(board, (x + 3, y + 3), (x + cell - 4, y + cell - 4), colours[kind], -1)
            if kind > 1:
                cv2.putText(board, f"{kind}W", (x + 18, y + 50), 0, 1.0, (40, 40, 40), 2, cv2.LINE_AA)
    cv2.putText(board, "LETTERS", (edge + 30, side - 8), 0, 1.0, (240, 240, 240), 3, cv2.LINE_AA)
    return board


def chess_board() -> Picture:
    """400 mm square with letters and figures on two sides."""
    side = 400 * PX_PER_MM
    board = np.full((side, side, 3), (40, 60, 90), np.uint8)
    cell, edge = 46 * PX_PER_MM, 16 * PX_PER_MM
    for row in range(8):
        for column in range(8):
            colour = (170, 205, 225) if (row + column) % 2 == 0 else (60, 90, 130)
            x, y = edge + column * cell, edge + row * cell
            cv2.rectangle(board, (x, y), (x + cell, y + cell), colour, -1)
    for i in range(8):
        at = edge + i * cell + cell // 2
        cv2.putText(board, "abcdefgh"[i], (at, side - 16), 0, 1.4, (220, 220, 220), 3, cv2.LINE_AA)
        cv2.putText(board, str(8 - i), (14, at), 0, 1.4, (220, 220, 220), 3, cv2.LINE_AA)
    return board


@dataclass(frozen=True)
class Placed:
    """A board on the table: its picture, and where its middle lies and how it is turned (millimetres)."""

    picture: Picture
    middle_mm: tuple[float, float]
    turned_deg: float = 0.0

    @property
    def size_mm(self) -> tuple[float, float]:
        return self.picture.shape[1] / PX_PER_MM, self.picture.shape[0] / PX_PER_MM

    def table_from_board(self) -> Matrix:
        width, height = self.size_mm
        a = np.deg2rad(self.turned_deg)
        turn = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
        there = np.array([[1, 0, self.middle_mm[0]], [0, 1, self.middle_mm[1]], [0, 0, 1]])
        back = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]])
        placed: Matrix = there @ turn @ back
        return placed


@dataclass(frozen=True)
class Shot:
    """How the table is photographed."""

    size_px: tuple[int, int] = (1536, 864)
    px_per_mm: float = 1.6
    tilt_px: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)  # how far the corners are pulled in
    shift_px: tuple[float, float] = (0.0, 0.0)
    lens: Lens = field(default_factory=Lens)
    gains: tuple[float, float, float] = (1.0, 1.0, 1.0)
    side_light: float = 0.0
    noise: float = 2.0
    seed: int = 1


def photograph(boards: dict[str, Placed], shot: Shot) -> tuple[Picture, dict[str, NDArray[np.float64]]]:
    """The picture, and each board's corners in it."""
    rng = np.random.default_rng(shot.seed)
    width, height = shot.size_px
    flat_from_table = _camera(shot)
    flat = _table(shot, rng)
    corners = {}
    for name, board in boards.items():
        pixels = np.array(
            [[1 / PX_PER_MM, 0, 0.5 / PX_PER_MM], [0, 1 / PX_PER_MM, 0.5 / PX_PER_MM], [0, 0, 1]]
        )
        flat_from_mm = flat_from_table @ board.table_from_board()
        small = cv2.GaussianBlur(board.picture, (0, 0), 0.4 * PX_PER_MM / shot.px_per_mm)
        shade = np.full(board.picture.shape[:2], 255, np.uint8)
        matrix = flat_from_mm @ pixels
        drawn = cv2.warpPerspective(small, matrix, shot.size_px, flags=cv2.INTER_LINEAR)
        mask = cv2.warpPerspective(shade, matrix, shot.size_px).astype(np.float32)[..., None] / 255
        flat = flat * (1 - mask) + drawn * mask
        w, h = board.size_mm
        mm = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float64)
        xyw = np.column_stack([mm, np.ones(4)]) @ flat_from_mm.T
        corners[name] = shot.lens.bend(xyw[:, :2] / xyw[:, 2:], shot.size_px)
    bent = _through(flat.astype(np.float32), shot)
    across = np.linspace(1 - shot.side_light, 1 + shot.side_light, width, dtype=np.float32)
    lit = bent * np.array(shot.gains, np.float32) * across[None, :, None]
    noisy = lit + rng.normal(0, shot.noise, (height, width, 1)) + rng.normal(0, shot.noise / 2, lit.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), corners


def _camera(shot: Shot) -> Matrix:
    width, height = shot.size_px
    scale = np.array([[shot.px_per_mm, 0, width / 2], [0, shot.px_per_mm, height / 2], [0, 0, 1]])
    square = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    a, b, c, d = shot.tilt_px
    pulled = square + np.array([(a, a), (-b, b), (-c, -c), (d, -d)]) + np.array(shot.shift_px)
    camera: Matrix = homography(square, pulled) @ scale
    return camera


def _table(shot: Shot, rng: np.random.Generator) -> NDArray[np.float32]:
    width, height = shot.size_px
    grain = rng.normal(0, 1, (height // 8, width // 64)).astype(np.float32)
    wood = cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC)[..., None]
    return np.array([90, 130, 165], np.float32) + 10 * wood


def _through(flat: NDArray[np.float32], shot: Shot) -> NDArray[np.float32]:
    if shot.lens.is_perfect:
        return flat
    width, height = shot.size_px
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2)
    source = shot.lens.flatten(grid, shot.size_px).astype(np.float32).reshape(height, width, 2)
    bent = cv2.remap(flat, source[..., 0], source[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bent, np.float32)

"""The last pixel of alignment, on letters drawn by arithmetic."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.read import fine
from vision.read.pixels import turn_about, warped

Floats = NDArray[np.float32]
SIZE_PX = (40, 36)
MASK = np.ones((SIZE_PX[1], SIZE_PX[0]), np.float32)


def drawn(letter: str, right: float = 0.0, down: float = 0.0, angle: float = 0.0) -> Floats:
    picture = np.full((SIZE_PX[1], SIZE_PX[0], 3), (150, 200, 220), np.float32)
    cv2.putText(picture, letter, (9, 28), 0, 0.9, (30, 40, 60), 3, cv2.LINE_AA)
    turn = turn_about(((SIZE_PX[0] - 1) / 2, (SIZE_PX[1] - 1) / 2), angle)
    turn[:, 2] += right, down
    return warped(picture, turn, SIZE_PX)


@pytest.mark.parametrize(
    ("right", "down", "angle"), [(1.4, 0.0, 0.0), (0.0, -1.5, 0.0), (0.0, 0.0, 3.0), (-1.0, 0.9, -2.5)]
)
@pytest.mark.parametrize("letter", "AEMQ")
def test_a_letter_a_little_off_is_moved_onto_itself(
    letter: str, right: float, down: float, angle: float
) -> None:
    template = fine.shades(drawn(letter)[None], MASK)
    solver = fine.solvers(template, MASK)
    dim = drawn(letter, right, down, angle) * 0.6
    way = np.eye(3)
    for _ in range(fine.SETTINGS.rounds):
        seen = fine.shades(warped(dim, way[:2], SIZE_PX)[None], MASK)
        way = fine.moves(seen, template, solver, SIZE_PX)[0] @ way
    there = turn_about(((SIZE_PX[0] - 1) / 2, (SIZE_PX[1] - 1) / 2), angle)
    there[:, 2] += right, down
    corners = np.array([(8.0, 8.0, 1.0), (31.0, 8.0, 1.0), (31.0, 27.0, 1.0), (8.0, 27.0, 1.0)]).T
    assert np.abs((way @ np.vstack([there @ corners, np.ones(4)]))[:2] - corners[:2]).max() < 0.4


def test_a_plain_piece_is_not_moved_by_its_noise() -> None:
    rng = np.random.default_rng(3)
    plain, again = (rng.normal(180, 1.5, (1, SIZE_PX[1], SIZE_PX[0], 3)).astype(np.float32) for _ in range(2))
    template = fine.shades(plain, MASK)
    way = fine.moves(fine.shades(again, MASK), template, fine.solvers(template, MASK), SIZE_PX)[0]
    assert np.abs(way[:2, 2]).max() < 0.5

"""Boards that hardly moved are followed by patches of their print: exactly, and never when they are gone."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_tables import Placed, Shot, art_board, photograph

from vision.boards import BoardModel, teach_board
from vision.fix import Fix, Located
from vision.follow import follow
from vision.lens import Lens
from vision.pack import Board

LENS = Lens(-0.03, 0.004)
SHOT = Shot(lens=LENS, px_per_mm=1.5, noise=2)
ART = art_board((280, 210), (50, 40, 210), 31)
TABLE = {"red": Placed(ART, (-120, 40), 12)}


@pytest.fixture(scope="module")
def board() -> BoardModel:
    frame, corners = photograph(TABLE, SHOT)
    return teach_board(frame, corners["red"], Board("red", (280, 210)), lens=LENS)


def corners_off(frame: np.ndarray, board: BoardModel, pose: np.ndarray, corners: np.ndarray) -> float:
    located = Located((frame.shape[1], frame.shape[0]), LENS, {"red": Fix(pose, board.size_mm)})
    return float(np.linalg.norm(located.corners_px("red") - corners, axis=1).max())


@pytest.mark.parametrize(
    "shot",
    [
        replace(SHOT, seed=5),
        replace(SHOT, gains=(0.5, 0.8, 1.1), side_light=0.35, seed=6),
        replace(SHOT, gains=(0.3, 0.3, 0.33), noise=4, seed=7),
    ],
    ids=["only noise differs", "a warm lamp from one side", "dim"],
)
def test_a_board_that_has_not_moved_keeps_its_pose_in_any_light(board: BoardModel, shot: Shot) -> None:
    here = follow(photograph(TABLE, shot)[0], board, board.pose, LENS)
    assert here is not None
    assert here.flat_from_mm is board.pose
    assert here.sure() == 1.0


def test_a_board_nudged_by_half_a_pixel_is_followed(board: BoardModel) -> None:
    frame, corners = photograph(TABLE, replace(SHOT, shift_px=(0.6, -0.5), seed=8))
    here = follow(frame, board, board.pose, LENS)
    assert here is not None
    assert here.flat_from_mm is not board.pose
    assert corners_off(frame, board, here.flat_from_mm, corners["red"]) < 0.3


@pytest.mark.parametrize(
    "now",
    [
        {},
        {"red": Placed(ART, (-115, 40), 12)},
        {"red": Placed(ART, (-120, 40), 14)},
        {"red": Placed(art_board((280, 210), (50, 40, 210), 32), (-120, 40), 12)},
    ],
    ids=["taken away", "shifted by five millimetres", "turned by two degrees", "another board in its place"],
)
def test_what_is_not_there_any_more_is_not_vouched_for(board: BoardModel, now: dict[str, Placed]) -> None:
    frame, _ = photograph(now, replace(SHOT, seed=9))
    assert follow(frame, board, board.pose, LENS) is None


def test_pieces_on_a_part_of_the_board_do_not_move_it_but_half_a_board_is_too_little(
    board: BoardModel,
) -> None:
    frame, corners = photograph(TABLE, replace(SHOT, seed=10))
    outline = corners["red"]
    quarter = np.array(
        [outline[0], outline[:2].mean(axis=0), outline.mean(axis=0), outline[[0, 3]].mean(axis=0)]
    )
    cv2.fillPoly(frame, [quarter.astype(np.int32)], (90, 90, 90))
    here = follow(frame, board, board.pose, LENS)
    assert here is not None
    assert here.flat_from_mm is board.pose
    assert here.share < 0.9
    half = np.array([outline[0], outline[1], outline[[1, 2]].mean(axis=0), outline[[0, 3]].mean(axis=0)])
    cv2.fillPoly(frame, [half.astype(np.int32)], (90, 90, 90))
    assert follow(frame, board, board.pose, LENS) is None


def test_a_camera_that_sinks_and_tilts_a_little_at_a_time_is_noticed(board: BoardModel) -> None:
    frame, corners = photograph(TABLE, replace(SHOT, tilt_px=(6, 0, 6, 0), seed=11))
    here = follow(frame, board, board.pose, LENS)
    assert here is None or corners_off(frame, board, here.flat_from_mm, corners["red"]) < 0.6

"""A board that looks the same from all sides is taught the way round that its list of pieces says."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.boards import TaughtPhoto, teach_boards
from calibration.enrolment import Content, Photo
from calibration.listed import located_as_listed
from vision.boards import Models
from vision.pack import Board, Kind, Pack, Slot

Picture = NDArray[np.uint8]
SIDE_MM, CELL_MM, PX, EDGE_PX = 160, 20, 4, 60
SQUARES = SIDE_MM // CELL_MM
CORNERS = EDGE_PX + PX * np.array([(0, 0), (SIDE_MM, 0), (SIDE_MM, SIDE_MM), (0, SIDE_MM)], np.float64)
SLOTS = [(row, column) for row in range(SQUARES) for column in range(SQUARES)]
PIECES = ((0, 1), (0, 2), (1, 2), (2, 2), (3, 5), (0, 6))


def photograph(pieces: tuple[tuple[int, int], ...], turns: int, seed: int) -> Picture:
    board = np.full((SIDE_MM * PX, SIDE_MM * PX, 3), (60, 105, 40), np.uint8)
    cell = CELL_MM * PX
    for row, column in SLOTS:
        r, c = min(row, SQUARES - 1 - row), min(column, SQUARES - 1 - column)
        colour = (50, 40, 190) if r == c else (190, 120, 60) if r + c == 3 else (60, 105, 40)
        square = (column * cell, row * cell), (column * cell + cell, row * cell + cell)
        cv2.rectangle(board, *square, (220, 220, 220) if (row, column) in pieces else colour, -1)
        cv2.rectangle(board, *square, (10, 25, 10), 3)
    turned = np.rot90(board, turns)
    frame = np.full((SIDE_MM * PX + 2 * EDGE_PX, SIDE_MM * PX + 2 * EDGE_PX, 3), 205, np.uint8)
    frame[EDGE_PX:-EDGE_PX, EDGE_PX:-EDGE_PX] = turned
    noisy = cv2.GaussianBlur(frame, (0, 0), 0.9) + np.random.default_rng(seed).normal(0, 2, frame.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    slots = {
        f"{r}.{c}": Slot(
            f"{r}.{c}", "grid", Kind.TILE, "disc", ("disc",), (c * CELL_MM, r * CELL_MM, CELL_MM, CELL_MM)
        )
        for r, c in SLOTS
    }
    boards = {"grid": Board("grid", (SIDE_MM, SIDE_MM))}
    folder = tmp_path_factory.mktemp("grid")
    return Pack(folder, "grid", "grid", boards, {"disc": ("disc",)}, slots)


@pytest.fixture(scope="module")
def models(pack: Pack) -> Models:
    return teach_boards(pack, [TaughtPhoto(photograph((), 0, 1), {"grid": CORNERS})])


@pytest.mark.parametrize("turns", range(4))
def test_pieces_say_which_way_round_a_board_lies(pack: Pack, models: Models, turns: int) -> None:
    listed: dict[str, Content] = {f"{r}.{c}": "disc" if (r, c) in PIECES else "empty" for r, c in SLOTS}
    found = located_as_listed(
        pack, models, Photo(Path("seen.png"), slots=listed), photograph(PIECES, turns, 2 + turns)
    )
    corners = np.array(found.seen(pack.boards)["grid"].corners_px)
    # Turned anticlockwise by a quarter, the board's own top left corner lies at the bottom left.
    assert np.abs(corners - np.roll(CORNERS, turns, axis=0)).max() < 2


def test_a_board_that_stays_where_it_lay_says_nothing_about_the_lens(pack: Pack) -> None:
    bare = photograph((), 0, 1)
    rows, columns = np.indices(bare.shape[:2], np.float32)
    # A ripple of two pixels, as from a page that is not flat: no lens does that.
    ripple = 2 * np.sin(columns / 90)
    wavy = np.asarray(cv2.remap(bare, columns, rows + ripple, cv2.INTER_LINEAR), np.uint8)
    taught = teach_boards(pack, [TaughtPhoto(bare, {"grid": CORNERS}), TaughtPhoto(wavy, {})])
    assert taught.lens.is_perfect

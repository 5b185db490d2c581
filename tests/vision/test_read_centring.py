"""Pieces shown side by side are cut out as if each lay alone."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.read import tile
from vision.read.tile_training import Example, centred

Floats = NDArray[np.float32]
SQUARE = tile.geometry((20.0, 20.0))
IVORY, GREEN = (190, 210, 215), (60, 110, 40)
SIDE_PX = 37  # of a piece: a little less than its square


def bare() -> Floats:
    width, height = SQUARE.whole_px
    rng = np.random.default_rng(3)
    return np.asarray(np.full((height, width, 3), GREEN) + rng.normal(0, 2, (height, width, 3)), np.float32)


def piece(letter: str, off_px: tuple[int, int], *neighbours: tuple[int, int]) -> Floats:
    """A letter lying off the middle of its square, with pieces pushed up to it."""
    picture, step = bare(), SIDE_PX + 1
    for right, down in ((0, 0), *neighbours):
        x, y = (
            SQUARE.whole_px[0] // 2 - SIDE_PX // 2 + shift + step * squares
            for shift, squares in zip(off_px, (right, down), strict=True)
        )
        cv2.rectangle(picture, (x, y), (x + SIDE_PX - 1, y + SIDE_PX - 1), IVORY, cv2.FILLED)
        cv2.putText(picture, letter, (x + 9, y + 27), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (30, 30, 30), 2)
    return picture


def lies_at(example: Example) -> tuple[float, float]:
    """The middle of the piece in the middle of a picture."""
    light = (example.whole.mean(axis=2) > 150).astype(np.uint8)
    y, x = (side // 2 for side in light.shape)
    row, column = light[y - SIDE_PX // 2 + 3], light[:, x - SIDE_PX // 2 + 3]

    def middle(line: NDArray[np.uint8], at: int) -> float:
        dark = np.flatnonzero(line == 0)
        return float(dark[dark < at].max() + dark[dark > at].min()) / 2

    return middle(row, x), middle(column, y)


def test_a_piece_is_not_drawn_to_its_neighbour() -> None:
    alone = [
        Example(i, piece(letter, off), bare())
        for i, (letter, off) in enumerate(
            zip("ABCDEF", [(0, 0), (2, 1), (-2, 0), (1, -2), (0, 2), (-1, -1)], strict=True)
        )
    ]
    beside = [
        Example(6, piece("H", (0, 0), (1, 0)), bare()),
        Example(7, piece("L", (1, -1), (0, -1)), bare()),
        Example(8, piece("T", (-1, 1), (1, 0), (-1, 0)), bare()),
        Example(9, piece("X", (2, 0), (0, 1), (1, 0)), bare()),
    ]
    places = [lies_at(example) for example in centred([*alone, *beside], SQUARE)]
    assert np.abs(np.array(places) - middle_px()).max() < 1.0


def test_a_piece_whose_corners_were_given_stays_where_it_is() -> None:
    given = replace(Example(0, piece("A", (3, 0), (1, 0)), bare()), exact=True)
    assert centred([given, Example(1, piece("B", (0, 0)), bare())], SQUARE)[0] is given


def beside_whole_ones(partly: list[Example]) -> np.ndarray:
    """How far off the middle pieces are put of which not all has changed, six that have changed wholly among them."""
    offs = [(0, 0), (2, 1), (-2, 0), (1, -2), (0, 2), (-1, -1)]
    whole = [Example(i, piece("ABCDEF"[i], off), bare()) for i, off in enumerate(offs)]
    return np.abs(np.array([lies_at(one) for one in centred([*whole, *partly], SQUARE)]) - middle_px())


def middle_px() -> float:
    return (SQUARE.whole_px[0] - 1) / 2


def corner_px(off: tuple[int, int]) -> list[int]:
    """The left top corner of a piece that lies so far off the middle."""
    return [side // 2 - SIDE_PX // 2 + by for side, by in zip(SQUARE.whole_px, off, strict=True)]


def test_a_piece_of_which_only_parts_have_changed_is_centred_by_its_outline() -> None:
    """Paint like the print, or a lamp mirrored in both, and only three sides of a piece stand out."""
    partly = []
    for i, off in enumerate([(2, -2), (-1, 2)]):
        picture, beneath, (x, y) = piece("G", off), bare(), corner_px(off)
        # Print that looks as the piece does, all but strips at its left, top and right.
        inner = slice(y + 5, y + SIDE_PX), slice(x + 5, x + SIDE_PX - 5)
        beneath[inner] = picture[inner]
        partly.append(Example(6 + i, picture, beneath))
    assert beside_whole_ones(partly).max() < 1.0


def test_where_only_a_corner_has_changed_a_piece_is_put_where_it_resembles_the_others() -> None:
    partly = []
    for i, off in enumerate([(2, -2), (-1, 2)]):
        picture, beneath, (x, y) = piece("G", off), piece("G", off), corner_px(off)
        beneath[y : y + 20, x : x + 20] = bare()[y : y + 20, x : x + 20]
        partly.append(Example(6 + i, picture, beneath))
    assert beside_whole_ones(partly).max() < 1.0

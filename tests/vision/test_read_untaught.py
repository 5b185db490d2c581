"""Where a camera shows every piece farther from what was taught, distance alone makes none of them unknown."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.read import tile
from vision.read.untaught import strayed

NOTHING = np.zeros((0, 0), np.float32)
# Pieces lay about 4 from their taught pictures, those of other labels about 8.
MODEL = tile.TileModel(
    labels=("A", "B", "Z"),
    geometry=tile.geometry((20.0, 20.0)),
    mask=np.ones((40, 40), np.float32),
    coarse_templates=NOTHING,
    coarse_mask=NOTHING,
    owners=np.array([0, 1]),
    means=NOTHING,
    noise=NOTHING,
    sway=NOTHING,
    sway_shrink=NOTHING,
    usual=5.0,
    untaught=("Z",),
    foreign=(6.0, 0.5),
)


def pieces(*far: float) -> NDArray[np.float32]:
    return np.array(far * 4, np.float32)


def test_pieces_as_near_as_at_teaching_have_not_strayed() -> None:
    assert strayed(MODEL, pieces(3.0, 4.0, 5.0)) == 1.0


def test_pieces_of_another_camera_have_all_strayed_alike() -> None:
    assert strayed(MODEL, pieces(8.0, 8.0, 9.0)) == pytest.approx(2.0)


def test_many_unknown_pieces_among_known_ones_are_not_another_camera() -> None:
    assert strayed(MODEL, pieces(4.0, 12.0, 12.0, 12.0)) == 1.0


def test_few_pieces_tell_nothing_of_a_camera() -> None:
    assert strayed(MODEL, np.array([12.0, 12.0], np.float32)) == 1.0


def test_a_set_of_which_all_labels_were_shown_knows_no_stranger() -> None:
    assert strayed(replace(MODEL, foreign=None), pieces(8.0, 9.0)) == 1.0

"""A piece is laid on the pictures of several labels, a marker sought on several places: which are tried, and which way of lying stays."""

from types import SimpleNamespace
from typing import cast

import numpy as np

from vision.read.seek import Aligned, Glance, _first, _take_best
from vision.read.tile import TileModel
from vision.read.track import _promising


def ways(exemplars: list[int], told: list[float]) -> Aligned:
    """Pieces laid on exemplars, and how far each then lies from its likeliest label."""
    n = len(exemplars)
    nothing = np.zeros((n, 1), np.float32)
    far = np.array(told, np.float32)[:, None]
    return Aligned(
        nothing, nothing, nothing, nothing, nothing, far, far.copy(), np.array(exemplars), np.zeros((n, 3, 3))
    )


def test_of_all_ways_in_which_a_piece_was_laid_the_best_stays() -> None:
    found, tries = ways([0, 1, 2], [5.0, 5.0, 5.0]), ways([3, 4, 5, 6], [2.0, 1.0, 3.0, 9.0])
    some = np.array([0, 0, 0, 2])  # the first piece was tried three times, the last once and in vain
    _take_best(found, some, tries, found.told[:, 0], tries.told[:, 0])
    assert found.exemplar.tolist() == [4, 1, 2]
    assert found.told[:, 0].tolist() == [1.0, 5.0, 5.0]


def test_only_the_likeliest_of_what_is_worth_a_try_is_tried() -> None:
    behind = np.array([[0.3, 0.1, 0.2, 0.0], [0.1, 0.2, 0.3, 0.4]], np.float32)
    worth = np.array([[True, True, True, False], [False, False, True, False]])
    pieces, labels = _first(worth, behind, 2)
    assert list(zip(pieces.tolist(), labels.tolist(), strict=True)) == [(0, 1), (0, 2), (1, 2)]


def test_a_marker_that_is_plainly_seen_is_sought_on_no_other_place() -> None:
    alike = [0.9, 0.45, 0.4, 0.2, 0.5, 0.35, 0.3, 0.1, 0.5, 0.45, 0.44, 0.1]  # four places of three tracks
    glance = Glance(np.array(alike, np.float32)[:, None, None], (1, 1), 1)
    model = cast(TileModel, SimpleNamespace(owners=np.array([0])))
    (places,) = _promising(model, glance, np.repeat([0, 1, 2], 4), [0])
    assert places.tolist() == [0, 4, 5, 8, 9, 10]

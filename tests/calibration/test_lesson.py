"""The size of cubes is what shape sees clearly, whatever their colours suggest."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.enrol import unclear
from calibration.lesson import clearest
from vision.read.area import AreaModel
from vision.read.colours import Lesson, learn
from vision.read.cut import Cut

TRUE_MM = 8.0


@pytest.fixture(scope="module")
def model() -> AreaModel:
    grey = np.zeros((8, 8, 3), np.float32)
    colours = learn(1, [Lesson(grey, np.full((8, 8), -4.0, np.float32), frozenset({0}))])
    return AreaModel(("m",), colours, TRUE_MM, upright=True)


def by_shape(model: AreaModel) -> Cut:
    """Cubes are seen the better the nearer their size comes to the true one, and not at all far from it."""
    off = abs(model.size_mm / TRUE_MM - 1)
    return Cut(clear=10.0 - 60 * off if off < 0.5 else -9.0)


def test_a_size_at_which_nothing_is_seen_gives_way_to_the_next(model: AreaModel) -> None:
    asked = (replace(model, size_mm=size) for size in (24.0, 20.0, 8.5, 6.0))
    best = clearest(asked, by_shape)
    assert best.size_mm == pytest.approx(TRUE_MM, rel=0.03)
    assert best.cut.clear > 8
    assert next(asked).size_mm == 6.0  # sizes beyond the one that is seen are not tried


def test_cubes_that_are_seen_at_no_size_are_wanted_again(model: AreaModel) -> None:
    unseen = clearest([replace(model, size_mm=24.0)], by_shape)
    seen = clearest([model], by_shape)
    assert list(unclear({"cubes:cube": unseen})) == ["cube:m"]
    assert unclear({"cubes:cube": seen}) == {}

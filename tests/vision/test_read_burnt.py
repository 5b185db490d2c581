"""What is burnt out is not believed as much as what is seen."""

import numpy as np
import pytest

from vision.read.burnt import SETTINGS, burnt_shares, doubt, doubted_counts, doubted_tile
from vision.read.cuts import SHEET_PX_PER_MM, Sheet


def test_a_colour_at_the_top_of_its_scale_is_burnt_out_in_that_part_of_a_slot() -> None:
    side = round(40 * SHEET_PX_PER_MM)
    picture = np.full((side, side, 3), 120, np.uint8)
    picture[:, side // 2 :, 2] = 255
    sheet = Sheet(picture, (-10.0, -10.0))
    left, across, right = burnt_shares(sheet, [(-8, 0, 12, 12), (5, 0, 10, 12), (15, 0, 10, 12)])
    assert (left, right) == (0.0, 1.0)
    assert across == pytest.approx(0.5, abs=0.1)


def test_white_paint_under_a_lamp_is_no_reason_for_doubt() -> None:
    assert doubt(0.35) == 0.0
    assert 0 < doubt(0.6) < doubt(1.0) == SETTINGS.most_doubt


def test_no_answer_is_surer_than_the_doubt_leaves_it() -> None:
    tile = doubted_tile({"credits": 0.999, "prestige": 0.0005, "empty": 0.0005}, 0.15)
    assert tile["credits"] < 0.9
    assert sum(tile.values()) == pytest.approx(1)
    none = {label: {0: 1.0} for label in "mpft"}
    counts = doubted_counts(none, 0.15, range(2))
    assert all(sum(numbers.values()) == pytest.approx(1) for numbers in counts.values())
    assert np.prod([numbers[0] for numbers in counts.values()]) < 0.9
    assert counts["m"][1] > 0.01

"""What the times of a look are taken on."""

import numpy as np

from companion.bench.looks import Looks, turns_apart
from hardware.simulated.record import Order


def test_frames_are_a_turn_apart_and_only_the_last_is_in_another_light() -> None:
    before, after, relit = turns_apart(
        Order(seed=401, players=2, turns=3, conditions="livingroom", size_px=(768, 432))
    )
    same, other = (
        float(np.median(np.abs(one.astype(float) - after.astype(float)))) for one in (before, relit)
    )
    # Noise is all that most pixels differ by in one light; a turn changes few of them, but some a good deal.
    assert same <= 3 < other
    assert np.abs(before.astype(float) - after.astype(float)).max() > 60


def test_a_look_that_takes_as_long_as_warping_costs_what_it_must() -> None:
    looks = Looks(first=400.0, next=20.0, relit=140.0, decode=100.0, warp=20.0)
    assert looks.ratio(looks.next) == 1.0
    assert looks.ratio(looks.relit) == 2.0

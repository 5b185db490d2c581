"""What is concluded from how much a picture resembles pieces and its own bare print."""

import numpy as np

from vision.read.compare import SETTINGS, bare_by_default

BOUND = 0.7


def odds(alike: float, bare_alike: float) -> float:
    return float(bare_by_default(BOUND, np.array([alike], np.float32), np.array([bare_alike], np.float32))[0])


def test_a_place_that_shows_its_print_and_no_piece_is_bare_whatever_its_colours() -> None:
    assert odds(0.3, 0.8) == SETTINGS.clear


def test_it_is_the_less_sure_the_nearer_either_is_to_its_bound() -> None:
    assert 0 < odds(0.65, 0.8) < odds(0.6, 0.8) < SETTINGS.clear
    assert 0 < odds(0.3, SETTINGS.print_likeness + 0.05) < odds(0.3, SETTINGS.print_likeness + 0.1)


def test_likeness_alone_says_nothing_where_a_piece_is_seen_or_the_print_is_not() -> None:
    assert odds(0.8, 0.9) == -np.inf
    assert odds(0.3, 0.4) == -np.inf

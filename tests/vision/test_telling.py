"""What tells labels apart: features that differ from label to label, not those that differ anyway."""

import numpy as np

from vision.read.tile import telling


def test_a_rim_that_differs_from_piece_to_piece_tells_less_than_the_print() -> None:
    rng = np.random.default_rng(3)
    owners = np.repeat(np.arange(6), 4)
    print_ = rng.normal(0, 3, (6, 40))[owners] + rng.normal(0, 0.5, (24, 40))
    rim = rng.normal(0, 3, (24, 40))
    weights = telling(np.concatenate([print_, rim], axis=1).astype(np.float32), owners)
    assert weights[:40].mean() > 0.75
    assert weights[40:].mean() < 0.15


def test_where_no_label_was_shown_twice_all_that_differs_tells() -> None:
    means = np.random.default_rng(4).normal(0, 3, (5, 30)).astype(np.float32)
    means[:, 20:] = 1.0
    weights = telling(means, np.arange(5))
    assert (weights[:20] > 0.15).all()
    assert (weights[20:] == 0).all()


def test_a_single_label_is_told_from_no_other() -> None:
    assert (telling(np.ones((3, 7), np.float32), np.zeros(3, np.int64)) == 1).all()

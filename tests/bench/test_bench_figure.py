"""Figures: shares with intervals."""

import pytest

from companion.bench.figure import rate, wilson


@pytest.mark.parametrize("count", [7, 900, 308, 1331])
def test_an_interval_begins_at_nothing_where_nothing_was_hit_and_ends_at_all_where_all_was(
    count: int,
) -> None:
    assert wilson(0, count)[0] == 0.0
    assert wilson(count, count)[1] == 1.0


def test_an_interval_holds_its_share_and_narrows_with_the_count() -> None:
    few, many = rate("few", 1, 10, None, "at most"), rate("many", 100, 1000, None, "at most")
    for share in (few, many):
        assert share.low is not None and share.high is not None
        assert share.low < 10 < share.high
    assert (many.high or 0) - (many.low or 0) < (few.high or 0) - (few.low or 0)

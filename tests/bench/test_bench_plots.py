"""`make bench` leaves plots for the documents, the same for the same figures."""

from pathlib import Path

import pytest

from companion.bench import plots
from companion.bench.growth import Series, Stages, resuming

MEASURED = [
    Series("look", "players", "ms", "a look", ((2.0, 30.0), (3.0, 40.0))),
    Series("look", "players", "ms", "its half", ((2.0, 15.0), (3.0, 20.0))),
    Stages("press", (("decode", 40.0), ("read", 90.0)), (("decode", 40.0), ("warp", 20.0))),
]


def test_series_share_a_plot_and_stages_have_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plots, "grow", lambda progress: MEASURED)
    first = {path.name: path.read_bytes() for path in plots.draw_plots(tmp_path, print)}
    assert set(first) == {"look.svg", "press.svg"}
    assert b"its half" in first["look.svg"] and b"read, 90 ms" in first["press.svg"]
    assert first == {path.name: path.read_bytes() for path in plots.draw_plots(tmp_path, print)}


def test_resuming_is_measured_on_games_that_grow() -> None:
    turns, ms = zip(*resuming(lambda what: None).points, strict=True)
    assert turns == (10, 20, 30, 40)
    assert min(ms) > 0

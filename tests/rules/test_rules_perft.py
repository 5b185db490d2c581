"""Counts of results for known positions: a change in the rules shows here first."""

import json
from pathlib import Path

import pytest

from companion.rules import Position, turns
from companion.rules.perft import perft

TABLES = sorted(Path(__file__).parent.joinpath("perft").glob("*.json"))
MOST_LISTED = 4_000  # results that are listed as well as counted


def test_there_are_at_least_twelve_tables() -> None:
    assert len(TABLES) >= 12


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_position_has_as_many_results_as_ever(path: Path) -> None:
    table = json.loads(path.read_text(encoding="utf-8"))
    position = Position.from_json(table["position"])
    for depth, expected in enumerate(table["counts"], 1):
        assert perft(position, depth) == expected
    if table["counts"][0] <= MOST_LISTED:
        assert len({after for _, after in turns(position)}) == table["counts"][0]

"""Games recorded at the simulated table, with what the camera saw at every press, are judged again."""

from collections import Counter
from pathlib import Path

import pytest

from companion.bench.corpus import judge_again, load

CORPUS = sorted((Path(__file__).parent.parent / "corpus").glob("*.jsonl.gz"))


@pytest.mark.parametrize("path", CORPUS, ids=[path.name for path in CORPUS])
def test_a_recorded_game_is_judged_as_it_was_played(path: Path) -> None:
    said = Counter(what for _, what in judge_again(*load(path)))
    assert said["wrong"] == 0, "a wrong turn was accepted in silence"
    assert said["missed"] == 0, "a mistake was accepted in silence"
    turns = sum(said[what] for what in said if what != "caught")
    assert said["right"] >= 0.9 * turns, said


def test_there_are_recorded_games() -> None:
    assert len(CORPUS) >= 2

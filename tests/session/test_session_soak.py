"""A long evening in short: nothing grows with the games played."""

import gc
from collections import Counter
from pathlib import Path

from companion.bench.journal import Evening, soak
from companion.journal.record import Link
from companion.state import Entry


def held(kinds: tuple[type, ...]) -> Counter[str]:
    gc.collect()
    return Counter(type(thing).__name__ for thing in gc.get_objects() if isinstance(thing, kinds))


def test_only_the_running_game_is_held_in_memory(tmp_path: Path) -> None:
    others = held((Entry, Link))  # of modules and tests that ran before in the same process
    evening = Evening(tmp_path, seed=1)
    for _ in range(3):
        turns = len(list(evening.play_game()))
        found = held((Entry, Link))
        assert found["Entry"] - others["Entry"] <= turns + 2
        assert found["Link"] - others["Link"] <= turns + 2
    assert len(evening.journal.games()) == 3
    evening.journal.close()


def test_the_journal_grows_by_less_than_4_kb_a_turn(tmp_path: Path) -> None:
    figures = {figure.name: figure for figure in soak(tmp_path, 100)}
    assert figures["journal per turn"].reached
    assert figures["journal per turn"].count >= 100

"""A turn entered by hand by somebody who sees the table and knows the cards, into a companion that has not seen them."""

from pathlib import Path
from random import Random

import pytest
from session_tables import Table

from companion.agreement import agree
from companion.dictation import dictate
from companion.rules import Turn, choose_turn, new_game
from companion.state import Over


@pytest.mark.parametrize("seed", [3, 4])
def test_a_whole_game_is_entered_by_hand_as_it_was_played(tmp_path: Path, seed: int) -> None:
    table, rng, truth = Table(tmp_path), Random(seed), new_game(seed)
    table.start(truth)
    while truth.over is None:
        turn = choose_turn(truth, rng)
        for tap in dictate(table.position, truth, turn):
            table.do(tap)
            assert table.state.said is None or table.state.said.id != "not-understood", (turn, tap)
        truth = truth.play_turn(turn)
        assert agree(table.position, truth), turn
    assert isinstance(table.mode, Over)
    assert [player.score for player in table.position.players] == [player.score for player in truth.players]


def test_a_turn_that_cannot_follow_from_what_is_believed_cannot_be_entered() -> None:
    truth = new_game(3)
    keys = tuple(key for key in truth.player.keys if key != 3)
    believed = truth.as_seen_at_table().with_player(0, keys=keys, track=(3,))
    with pytest.raises(ValueError, match="key3 of key3 dive cannot be entered"):
        dictate(believed, truth, Turn.parse("key3 dive"))

"""Outcomes: results without listing columns."""

import pytest
from odd_positions import odd_position
from rules_tables import after, column, table

from companion.rules import PlayKey, new_game, outcomes, turns
from companion.rules.columns import PLAIN, RESURFACING, appliers, orders, path, surfacing
from companion.rules.effects import propel, resurface


@pytest.mark.parametrize("seed", range(8))
def test_outcomes_have_together_exactly_the_turns(seed: int) -> None:
    position = odd_position(seed, batteries=(1, 2))
    found = [reached for outcome in outcomes(position) for _, reached in outcome]
    assert len(found) == sum(map(len, outcomes(position))) == len(set(found))
    assert set(found) == {reached for _, reached in turns(position)}


def test_an_outcome_differs_only_in_column_and_batteries() -> None:
    position = new_game(seed=7).with_player(0, batteries=2)
    for outcome in outcomes(position):
        seen = outcome.table
        for _, reached in outcome:
            me = reached.players[0]
            assert (
                reached.with_player(0, divers=seen.players[0].divers, batteries=seen.players[0].batteries)
                == seen
            )
            assert me.batteries in outcome.batteries
            assert sorted(me.divers) == sorted(outcome.tiles)


def test_a_column_seen_is_found_without_listing_them() -> None:
    position = table(me={"batteries": 1, "keys": (1,), "track": (2, 3, 4, 5, "X")})
    wanted = after(position, "key1 sponsor:credit propel:plant-1 dive:cube")
    divers = wanted.players[0].divers
    hits = [
        outcome
        for outcome in outcomes(position)
        if outcome.has(divers, 0) and outcome.position(divers, 0) == wanted
    ]
    assert len(hits) == 1
    assert position.play_turn(hits[0].turn(divers, 0)) == wanted
    assert not hits[0].has(divers, 7)
    assert not hits[0].has(column({1: "spy+"}), 0)
    with pytest.raises(ValueError, match="does not end with 7 batteries"):
        hits[0].turn(divers, 7)


def test_outcomes_can_be_narrowed_to_a_key() -> None:
    position = new_game(seed=7)
    for outcome in outcomes(position, [PlayKey(2, 2), PlayKey("X", 4)]):
        for turn, _ in outcome:
            assert str(turn).split()[0] in ("key2", "x4")


def test_outcomes_begin_between_turns() -> None:
    with pytest.raises(ValueError, match="already begun"):
        next(outcomes(after(table(), "key1")))


@pytest.mark.parametrize("kind", [PLAIN, RESURFACING, surfacing(5)])
@pytest.mark.parametrize("spent", [0, 1, 2])
def test_the_path_to_an_order_leads_there(kind: int, spent: int) -> None:
    start = table().player.divers
    for number in orders(2, kind, spent):
        divers, surfaced, moves = start, kind == PLAIN, 0
        for move in path(2, kind, spent, number):
            if move is not None:
                divers, moves = propel(divers, *move), moves + 1
            elif kind == RESURFACING:
                divers, surfaced = resurface(divers, 7), True
            else:
                surfaced = start[5] in divers[:3]
        assert divers == appliers[number](start) and surfaced and moves == spent


def test_how_many_orders_propellers_reach() -> None:
    assert [len(orders(1, PLAIN, spent)) for spent in (0, 1, 2)] == [1, 7, 28]
    assert len(orders(4, PLAIN, 1)) == 7 + 2 * (6 + 5 + 4)

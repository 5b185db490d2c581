"""The search against brute force over `turns()`: same best, same set within the window."""

from dataclasses import replace
from random import Random

import pytest
from referee_tables import game, shown, stage

from companion.bench.synthetic import Noise
from companion.referee.habits import is_wasted
from companion.referee.search import Inquiry, explain, outcome
from companion.referee.settings import RefereeSettings
from companion.referee.sight import Sight
from companion.referee.weighing import Weigher
from companion.rules import Rules, Turn, choose_turn, turns
from companion.rules.steps import Propel

NO_HABITS = replace(RefereeSettings(), decline_cost=0.0, propel_cost=0.0, wasted_cost=0.0, oxygen_cost=0.0)
HAZE = Noise(doubt=(0.01, 0.4), misread_p=0.05, covered_p=1.0, covered_slots=6)


def _taken(position):
    hands = [card for player in position.players for card in player.private]
    return {card for card in (*position.public, *hands) if card}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    "rules",
    [Rules(), Rules(edition="de"), Rules(spy_variant=True)],
    ids=["french", "german", "designer's variant"],
)
def test_the_best_turn_is_the_best_of_all_turns(seed, rules):
    before = game(seed, 2 + seed % 2, turns=seed, rules=rules).as_seen_at_table()
    before = before.with_player(before.to_play, batteries=seed % 2)
    after = before.play_turn(choose_turn(before, Random(seed)))
    sight = Sight(shown(after, seed=seed, noise=HAZE), NO_HABITS, taken=_taken(before))
    weigher = Weigher(sight, 3)
    costs = {}
    for _, position in turns(before):
        costs.setdefault(outcome(position), weigher.position(position))
    found = explain(before, sight, window_cost=0.0, most=1)
    assert found.complete
    assert found.explanations[0].cost == pytest.approx(min(costs.values()))
    assert costs[outcome(found.explanations[0].position)] == pytest.approx(min(costs.values()))


@pytest.mark.parametrize("seed", range(4))
def test_everything_within_the_window_is_found(seed):
    before = game(seed, 2, turns=2 + seed).as_seen_at_table()
    before = before.with_player(before.to_play, batteries=0)
    after = before.play_turn(choose_turn(before, Random(seed)))
    sight = Sight(shown(after, seed=seed, noise=HAZE), NO_HABITS, taken=_taken(before))
    weigher = Weigher(sight, 3)
    costs = {outcome(position): weigher.position(position) for _, position in turns(before)}
    limit = min(costs.values()) + 3.0
    near = {key for key, cost in costs.items() if cost < limit - 1e-9}
    found = explain(before, sight, window_cost=3.0, most=10_000)
    assert near <= {outcome(turn.position) for turn in found.explanations}
    assert [turn.cost for turn in found.explanations] == sorted(turn.cost for turn in found.explanations)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("facet", ["column", "keys", "zone", "score", "contract", "display", "store"])
def test_with_part_of_the_table_covered_the_best_turn_is_still_the_best_of_all(seed, facet):
    before = game(seed, 2, turns=4 + seed).as_seen_at_table()
    before = before.with_player(before.to_play, batteries=0)
    after = before.play_turn(choose_turn(before, Random(seed)))
    sight = Sight(shown(after, seed=seed, noise=HAZE), NO_HABITS, taken=_taken(before))
    weigher, covered = Weigher(sight, 3), frozenset({facet})
    best = min(
        weigher.position(position) - weigher.covered(position, before.to_play, covered)
        for _, position in turns(before)
    )
    found = Inquiry(before, weigher).explain(window_cost=0.0, most=1, covered=covered)
    assert found.explanations[0].cost == pytest.approx(best)
    assert not Inquiry(before, weigher).explain(covered=covered, limit=best - 0.01).explanations


def test_a_turn_found_can_be_played():
    before = game(5, 3, turns=9).as_seen_at_table()
    after = before.play_turn(choose_turn(before, Random(5)))
    for found in explain(before, Sight(shown(after), RefereeSettings())).explanations:
        assert outcome(before.play_turn(found.turn)) == outcome(found.position)


def test_a_search_that_runs_out_of_steps_says_so():
    before = game(5, 3, turns=9).as_seen_at_table()
    found = explain(before, Sight(shown(before), RefereeSettings()), steps=20)
    assert not found.complete


def test_who_is_thrifty_finds_every_turn_but_those_that_waste_batteries():
    before = game(5, 2, turns=9).as_seen_at_table()
    before = before.with_player(before.to_play, batteries=2, mechanic=1)
    after = before.play_turn(choose_turn(before, Random(5)))
    inquiry = Inquiry(before, Weigher(Sight(shown(after), RefereeSettings()), 3))
    every = inquiry.explain(window_cost=12.0, most=10_000, steps=200_000)
    thrifty = inquiry.explain(window_cost=12.0, most=10_000, steps=200_000, thrifty=True)
    assert every.complete and thrifty.complete
    wasted = {outcome(turn.position) for turn in every.explanations if _wastes(before, turn.turn)}
    found = {outcome(turn.position) for turn in thrifty.explanations}
    assert wasted and wasted.isdisjoint(found)
    assert found | wasted == {outcome(turn.position) for turn in every.explanations}
    assert thrifty.steps_tried < every.steps_tried


def _wastes(before, turn):
    position, wasted = before, False
    for step in turn.steps:
        wasted = wasted or (isinstance(step, Propel) and is_wasted(position, step))
        position = position.play(step)
    return wasted


def test_a_card_nobody_showed_does_not_take_the_cubes_a_paid_upgrade_needs():
    """c02 gives the battery that brings the upgraded Spy to the key: its cubes cannot pay for another card before."""
    before = stage(batteries=0, credits=4, private=(None,), zone=("", "", "ft", "", ""))
    before = before._replace(sponsors=("4", "2", "3", "1", "5"), public=("c02", "c05"))
    after = before.play_turn(Turn.parse("key1 sponsor:upgrade=spy contract:c02@3 propel:spy+1 dive:draw=?"))
    sight = Sight(shown(after), RefereeSettings(), taken=_taken(before))
    found = explain(before, sight, unseen=(before.cards["c23"],))
    assert all("contract:c23" in str(turn.turn) for turn in found.explanations)
    best = explain(before, sight).explanations[0].turn
    assert {"contract:c02@3", "propel:spy+1"} <= set(str(best).split())


def test_a_propeller_is_not_tried_again_after_a_contract_that_gives_no_battery():
    before = stage(batteries=1)
    card = next(c for c in before.cards.contracts if isinstance(c.need, str) and not c.bonus)
    before = before._replace(public=(card.id, "c02")).with_player(0, zone=("", "m", "p", "f", card.need))
    after = before.play_turn(Turn.parse(f"key2 contract:{card.id}@5 propel:plant+1 dive:cube"))
    found = explain(before, Sight(shown(after), RefereeSettings())).explanations
    assert outcome(after) in [outcome(turn.position) for turn in found]
    assert not any(f"contract:{card.id}@5 propel" in str(turn.turn) for turn in found)

from dataclasses import replace
from math import inf
from random import Random

import pytest
from referee_tables import SPY_AT_1, game, judged, shown, stage

from companion.referee import Ask, Belief, Illegal, Played, Unchanged, Unclear, expected, judge
from companion.referee.eyes import Eyes
from companion.referee.judging import _completed, _two_turns
from companion.referee.settings import RefereeSettings
from companion.referee.sight import Sight
from companion.rules import Turn, choose_turn
from companion.rules.revealing import play_revealing
from companion.rules.steps import EndTurn


def test_a_game_is_followed_from_turn_to_turn():
    rng, position = Random(4), game(4, 3)
    belief = Belief.of(position)
    for number in range(10):
        position = position.play_turn(choose_turn(position, rng))
        judgement = judge(belief, shown(position, seed=number))
        assert isinstance(judgement.verdict, Played)
        assert expected(judgement.verdict.position) == expected(position)
        belief = judgement.belief


def test_how_many_unseen_cards_a_hand_holds_does_not_lengthen_the_search(searched):
    before = stage(private=(None, None), zone=("", "", "mmp", "", ""), public=("c02", "c03"))
    steps = (*Turn.parse("key1 sponsor:credit dive:cube contract:c07@3").steps, EndTurn())
    after = shown(play_revealing(before, steps))
    assert isinstance(judge(Belief.of(before), after).verdict, Played)
    once = len(searched)
    more = before.with_player(0, private=(None,) * 3)
    several = judge(Belief.among([(0.6, before), (0.4, more)]), after)
    assert sorted(len(position.players[0].private) for _, position in several.belief.weighted) == [1, 2]
    assert len(searched) == 2 * once


def test_an_untouched_table_is_unchanged():
    assert judged(stage(), shown(stage())) == Unchanged()


def test_a_drawn_card_is_taken_from_what_is_seen():
    before = stage(zone=("", "m", "pft", "m", ""), public=("c06", "c02"))  # c06 may be anything payable
    card = before.cards["c06"]
    before = before.with_player(0, zone=("", "", card.payments[0], "", ""))
    after = before.play_turn(Turn.parse(f"key1 sponsor:credit contract:c06@3{_cubes(card)} dive:cube"))
    verdict = judged(before, shown(after, {"colony.contract.1": "c20"}))
    assert isinstance(verdict, Played)
    assert verdict.position.public == ("c20", "c02")


def _cubes(card):
    return f"={card.payments[0]}" if card.free else ""


def test_a_covered_card_is_filled_in_at_the_next_press():
    before = game(4, 2)
    after = before.play_turn(choose_turn(before, Random(1)))
    known = after._replace(public=(None, after.public[1])).as_seen_at_table()
    reading = shown(known, {"colony.contract.1": "c31"})
    judgement = judge(Belief.of(known), reading)
    assert judgement.verdict == Unchanged()
    assert judgement.belief.likeliest.public[0] == "c31"


def test_a_turn_that_nothing_speaks_against_is_no_fault_however_unusual():
    """Both cubes refused and both bonuses taken; a cube that was not seen is a little likelier, one thrown away more so."""
    divers = ("trader", "metal", "spy", "tech", "plant+", "engineer", "fuel", "explorer")
    before = stage(divers=divers, zone=("", "ff", "", "", ""))
    turn = Turn.parse("key2 sponsor:double dive:bonus dive:bonus")
    after = before.play_turn(turn)
    verdict = judged(before, shown(after))
    assert isinstance(verdict, Ask)
    assert expected(after) in [expected(answer.position) for answer in verdict.answers]


def test_a_sponsor_that_pays_for_the_diver_is_used_by_who_has_no_money():
    before = stage(credits=0, divers=SPY_AT_1, sponsors=("1a", "2", "3", "4", "5"))
    after = before.play_turn(Turn.parse("key1 sponsor:free dive:draw=?"))
    verdict = judged(before, shown(after))
    assert isinstance(verdict, Played)
    assert str(verdict.turns[0]) == "key1 sponsor:free dive:draw=?"


def test_a_token_that_looks_like_the_one_it_replaces_is_told_at_the_next_look():
    """The camera may not have noticed the change; until it looks again the token may be used as the one it looks like."""
    before = stage(divers=("trader", "metal", "spy", "explorer", "tech", "engineer", "fuel", "plant"))
    after = before.play_turn(Turn.parse("key1 sponsor:credit dive:explore=1/f"))
    old, other = before.display[0]
    assert after.display[0] == (None, other)
    judgement = judge(Belief.of(before), shown(after, {"colony.display.1.1": old}))
    assert isinstance(judgement.verdict, Played)
    assert judgement.verdict.position.display[0] == (old, other)
    assert {position.display[0] for _, position in judgement.belief.weighted} == {(None, other), (old, other)}
    later = judgement.verdict.position.play_turn(Turn.parse("key5 dive:cube"))
    seen = judge(judgement.belief, shown(later, {"colony.display.1.1": "upgrade:credits"})).verdict
    assert isinstance(seen, Played)
    assert seen.position.display[0] == ("upgrade:credits", other)


def test_a_token_that_was_drawn_anew_just_alike_may_be_missed_when_it_is_taken():
    """Slips are looked for from the likeliest position: the token is taken for the one it looks like."""
    before = stage(sponsors=("2a", "1", "3", "4", "5"))._replace(to_play=1)
    before = before.with_player(1, divers=before.players[0].divers)
    old, other = before.display[0]
    drawn = before.play_turn(Turn.parse("key1 sponsor:reward=1/f dive:cube"))
    belief = judge(Belief.of(before), shown(drawn, {"colony.display.1.1": old})).belief
    known = drawn._replace(display=((old, other), *drawn.display[1:]))
    after = known.play_turn(Turn.parse("key1 sponsor:reward=1/f dive:cube"))
    verdict = judge(belief, shown(after, {"colony.display.1.1": "empty"})).verdict
    assert isinstance(verdict, Illegal)
    assert [fault.id for fault in verdict.faults] == ["reward-not-replaced"]


@pytest.mark.parametrize("token", ["battery:credits", "prestige:prestige"])
def test_a_token_in_doubt_may_be_taken_before_it_is_seen_any_better(token):
    """It is one of the two it looks like, and which of them shows when it is used."""
    before = stage(sponsors=("2a", "1", "3", "4", "5"))._replace(to_play=1)
    before = before.with_player(1, divers=before.players[0].divers)
    old, other = before.display[0]
    assert other not in (token, old)
    drawn = before.play_turn(Turn.parse("key1 sponsor:reward=1/f dive:cube"))
    reading = shown(drawn)
    tiles = {**reading.tiles, "colony.display.1.1": {"battery:credits": 0.85, "prestige:prestige": 0.14}}
    belief = judge(Belief.of(before), replace(reading, tiles=tiles)).belief
    assert belief.likeliest.display[0][0] == "battery:credits"
    assert [round(weight, 2) for weight, _ in belief.weighted] == [0.86, 0.14]
    known = drawn._replace(display=((token, other), *drawn.display[1:]))
    after = known.play_turn(Turn.parse("key1 sponsor:reward=1 dive:cube"))
    verdict = judge(belief, shown(after)).verdict
    assert isinstance(verdict, Played)
    assert verdict.position.players == after.players


def test_two_cards_nobody_showed_may_be_completed_in_one_turn():
    before = stage(private=(None, None), zone=("", "", "mmp", "ttt", ""), public=("c02", "c03"))
    steps = Turn.parse("key1 sponsor:credit dive:cube contract:c07@3 contract:c25@4=ttt").steps
    after = play_revealing(before, (*steps, EndTurn()))
    verdict = judged(before, shown(after))
    assert isinstance(verdict, Played)
    assert verdict.position.players[0].score == after.players[0].score
    assert verdict.position.players[0].private == ()


def test_a_card_nobody_showed_may_be_completed():
    before = stage(private=(None,), zone=("", "m", "p", "f", "t"))
    card = next(c for c in before.cards.contracts if c.need == "mpf")
    before = before.with_player(0, zone=("", "", "mpf", "", ""))
    known = before.with_player(0, private=(card.id,))._replace(public=("c02", "c03"))
    before = before._replace(public=("c02", "c03"))
    after = known.play_turn(Turn.parse(f"key1 sponsor:credit dive:cube contract:{card.id}@3"))
    verdict = judged(before, shown(after))
    assert isinstance(verdict, Played)
    assert verdict.position.players[0].score == card.points
    assert verdict.position.players[0].private == ()


def test_two_turns_with_one_press():
    before = stage()
    rng = Random(3)
    first = Turn.parse("key1 sponsor:credit dive:cube")
    between = before.play_turn(first)
    second = choose_turn(between, rng)
    verdict = judged(before, shown(between.play_turn(second)))
    assert isinstance(verdict, Played)
    assert len(verdict.turns) == 2
    assert str(verdict.turns[0]) == str(first)
    assert verdict.position.to_play == before.to_play


def test_too_much_hidden_is_unclear():
    slots = tuple(slot for slot in expected(stage()) if slot.startswith("red."))
    verdict = judged(stage(), shown(stage(), hidden=slots))
    assert isinstance(verdict, Unclear)
    assert "red.key.1" in verdict.slots


def test_nothing_is_judged_after_the_end():
    over = stage()._replace(over=(0,))
    assert judged(over, shown(over)) == Unchanged()


def test_who_pays_for_a_propeller_to_have_a_diver_at_the_key_uses_it():
    """The tray hardly says whether the Spy's credit was paid; that the Spy was brought there says more."""
    before = stage(sponsors=("2", "1a", "3", "4", "5"), credits=1)
    after = before.play_turn(Turn.parse("key1 propel:spy+1 dive:draw=?"))
    reading = shown(after)
    coins = {**reading.counts["red.tray"], "credit": {1: 0.8, 0: 0.2}}
    verdict = judged(before, replace(reading, counts={**reading.counts, "red.tray": coins}))
    assert isinstance(verdict, Played)
    assert len(verdict.position.players[0].private) == 1


def test_a_card_nobody_showed_is_looked_for_among_those_the_marker_has_moved_for():
    before = stage(private=(None,), zone=("", "", "mmp", "ttt", ""), public=("c02", "c03"))
    assert _completed(before, Sight(shown(before), RefereeSettings())) == ()
    moved = Sight(shown(before.with_player(0, score=2)), RefereeSettings())
    assert {card.points for card in _completed(before, moved)} == {1, 2}
    covered = Sight(shown(before, hidden=("colony.score",)), RefereeSettings())
    assert len(_completed(before, covered)) == len(before.cards.contracts)


def test_two_turns_are_not_looked_for_when_only_the_next_player_has_played(searched):
    before = stage()
    after = before._replace(to_play=1).play_turn(Turn.parse("key1 dive"))
    assert _two_turns(before, Eyes(Sight(shown(after), RefereeSettings()), 3), inf) is None
    assert not searched

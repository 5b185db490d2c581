"""Slots that show what cannot be: misread, not played."""

from dataclasses import replace
from random import Random

import pytest
from referee_tables import ALPHABET, DIVERS, WHOLE_TURN, cubes, game, in_doubt, judged, shown, stage

from companion.bench.synthetic import corrupt
from companion.referee import Ask, Belief, Illegal, Played, Unclear, expected, judge
from companion.referee.settings import RefereeSettings
from companion.referee.sight import Sight
from companion.referee.weighing import Weigher
from companion.rules import Turn, choose_turn


def test_two_doubtful_slots_do_not_change_the_verdict():
    rng = Random(8)
    before = game(8, 4, turns=6)
    after = before.play_turn(choose_turn(before, rng))
    reading = shown(after)
    for _ in range(10):
        spoilt = rng.sample(sorted([*reading.tiles, *reading.counts]), 2)
        verdict = judged(before, corrupt(reading, spoilt, ALPHABET, rng))
        assert isinstance(verdict, Played)
        assert expected(verdict.position) == expected(after)


def test_a_diver_read_twice_is_a_misread_slot():
    """Two spies cannot be: the reading is wrong, however sure it is."""
    before = stage()
    after = before.play_turn(Turn.parse("key1 sponsor:credit dive:cube"))
    assert isinstance(judged(before, shown(after, {"red.diver.8": "spy"})), Played)


def test_a_tray_misread_again_and_again_is_one_witness():
    """Another look at untouched coins does not make what was unlikely once likelier every time."""
    rng, position = Random(7), game(7, 4)
    held = position.players[3].batteries
    belief = Belief.among([(0.98, position), (0.02, position.with_player(3, batteries=held + 1))])
    for number in range(3):
        position = position.play_turn(choose_turn(position, rng))
        seen = in_doubt(shown(position, seed=number), "yellow.tray", "battery", {held + 1: 0.85, held: 0.15})
        belief = judge(belief, seen).belief
    assert belief.likeliest.players[3].batteries == held


def test_a_battery_overlooked_in_the_tray_is_asked_about_and_no_fault():
    """A diver brought up by mistake, and a battery paid for another's oxygen, would explain the tray; so would bad light."""
    before = game(45, 2, turns=2)
    after = before.play_turn(Turn.parse("key2 dive:cube contract:c14@2"))
    me, other = after.players[before.to_play], (before.to_play + 1) % 2
    reading = in_doubt(
        shown(after), f"{me.colour}.tray", "battery", {me.batteries - 1: 0.994, me.batteries: 0.006}
    )
    richer = before.with_player(other, credits=before.players[other].credits + 1)
    belief = Belief.among([(0.75, before.as_seen_at_table()), (0.25, richer.as_seen_at_table())])
    verdict = judge(belief, reading).verdict
    assert isinstance(verdict, Ask)
    assert "key2 dive:cube contract:c14@2" in {str(answer.turn) for answer in verdict.answers}


def test_a_cube_taken_for_one_of_another_colour_is_misread_once():
    """Both of its labels are wrong then, but no more unlikely than one: a question, unless the colour is beyond doubt."""
    before = stage()
    turn = "key1 sponsor:credit dive:cube"
    after = shown(before.play_turn(Turn.parse(turn)))
    letter = next(letter for letter, numbers in after.counts["red.zone.1"].items() if numbers.get(1, 0) > 0.5)
    other = "f" if letter != "f" else "t"

    def taken_for_another(sure):
        gone = in_doubt(after, "red.zone.1", letter, {0: sure, 1: 1 - sure})
        return in_doubt(gone, "red.zone.1", other, {1: sure, 0: 1 - sure})

    sight = Sight(taken_for_another(0.97), RefereeSettings())
    misread = sight.cost(("red.zone.1", other, 0))
    assert Weigher(sight, 3).level("red", 1, letter) == pytest.approx(misread)
    assert Weigher(sight, 3).level("red", 1, letter + other) == sight.cost(("red.zone.1", letter, 1))
    verdict = judged(before, taken_for_another(0.97))
    assert isinstance(verdict, Ask)
    assert str(verdict.answers[0].turn) == turn
    verdict = judged(before, taken_for_another(0.9995))
    assert isinstance(verdict, Illegal)
    assert verdict.faults[0].id == "cube-wrong-colour"


def test_a_slot_misread_as_at_the_last_press_has_not_changed():
    """A shadow taken for a cube on Ana's board: accepted once, it is no news the next time."""
    before = stage()
    shadow = {"red.zone.2": cubes("mf")}
    first = before.play_turn(Turn.parse("key1 sponsor:credit dive:cube"))
    belief = Belief.of(first).accepted(shown(first, shadow))
    assert belief.quirks == (("red.zone.2", "f", 1),)
    rng = Random(2)
    second = first.play_turn(choose_turn(first, rng))
    assert isinstance(judge(belief, shown(second, shadow)).verdict, Played)
    assert isinstance(judge(Belief.of(first), shown(second, shadow)).verdict, Illegal)


def test_a_shadow_taken_for_a_cube_goes_on_being_one_when_another_cube_comes():
    before = stage(zone=("", "", "p", "f", "t"), batteries=0, sponsors=("1", "4", "3", "2", "5"))
    shadow = shown(before, {"red.zone.2": cubes("t")})
    after = before.play_turn(Turn.parse("key2 dive:cube"))
    assert after.players[0].zone[1] == "t"
    two = shown(after, {"red.zone.2": cubes("tt")})
    verdict = judge(Belief.of(before).accepted(shadow), two).verdict
    assert isinstance(verdict, Played)
    assert verdict.position.players[0].zone[1] == "t"
    assert isinstance(judge(Belief.of(before), two).verdict, Illegal)


def test_a_marker_in_doubt_at_the_last_press_may_have_moved_since():
    """The camera took it for one far away, with little confidence: that is no news, and no proof that it stood still."""
    before = stage(credits=3, sponsors=("1", "4", "3", "2", "5"))
    after = before.play_turn(Turn.parse("key2 sponsor:upgrade=tech dive:cube"))
    assert after.players[0].score == 1

    def in_doubt(position):
        reading = shown(position)
        places = {35: 0.38, 1: 0.24, 0: 0.14, -1: 0.14, 10: 0.1}
        score = {**reading.counts["colony.score"], "red": places}
        return replace(reading, counts={**reading.counts, "colony.score": score})

    belief = Belief.of(before).accepted(in_doubt(before))
    assert belief.quirks == (("colony.score", "red", 35),)
    verdict = judge(belief, in_doubt(after)).verdict
    assert isinstance(verdict, Played)
    assert verdict.position.players[0].score == 1


def test_no_slip_is_read_from_a_marker_that_can_hardly_be_made_out():
    before = stage()
    after = before.play_turn(Turn.parse(WHOLE_TURN))
    reading = shown(after)
    points = after.players[0].score
    for p, verdict in ((0.4, Played), (0.99, Illegal)):
        score = {**reading.counts["colony.score"], "red": {points + 1: p, 30: 0.001}}
        seen = replace(reading, counts={**reading.counts, "colony.score": score})
        assert isinstance(judged(before, seen), verdict)


def test_one_marker_is_misread_as_before_while_another_moves():
    before = stage(credits=3, sponsors=("1", "4", "3", "2", "5"))
    after = before.play_turn(Turn.parse("key2 sponsor:upgrade=tech dive:cube"))
    misread = {"colony.score": {"red": 0, "blue": 7}}
    belief = Belief.of(before).accepted(shown(before, misread))
    verdict = judge(belief, shown(after, {"colony.score": {"red": 1, "blue": 7}})).verdict
    assert isinstance(verdict, Played)
    assert [player.score for player in verdict.position.players] == [1, 0]


MISREAD = [
    ("a second spy", {"red.diver.8": "spy"}),
    ("a sponsor twice", {"colony.sponsor.1": "5"}),
    ("a sponsor's other side", {"colony.sponsor.3": "3a"}),
    ("a key out of thin air", {"blue.track.4": "back"}),
    ("a card nobody laid there", {"colony.contract.1": "c30"}),
    ("a reward nobody took", {"red.reward.4": "credits"}),
    ("a tile turned back", {"red.diver.7": "fuel"}),
]


@pytest.mark.parametrize("changes", [case[1] for case in MISREAD], ids=[case[0] for case in MISREAD])
def test_what_no_hand_does_was_misread(changes):
    """However sure the camera is, the turn stands as it was played."""
    before = stage(batteries=0, divers=(*DIVERS[:6], "fuel+", "explorer"))
    after = before.play_turn(Turn.parse(WHOLE_TURN))
    verdict = judged(before, shown(after, changes))
    assert isinstance(verdict, Played)
    assert expected(verdict.position) == expected(after)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("sure", [0.99, 0.9999, 1 - 1e-6])
def test_unrelated_slots_misread_beyond_doubt_do_not_change_the_turn(seed, sure):
    """Any of them alone could be a slip; so many at once, all over the table, are a poor look."""
    rng, before = Random(seed), game(8, 3, turns=6)
    after = before.play_turn(choose_turn(before, Random(3)))
    reading = shown(after)
    impossible = ["blue.diver.2", "colony.sponsor.4", "green.reward.1"]
    doubtful = rng.sample(["green.zone.1", "blue.key.4", "green.hacker", "colony.store.plant.2"], 2)
    spoilt = corrupt(reading, [rng.choice(impossible), *doubtful], ALPHABET, rng, sure)
    verdict = judged(before, spoilt)
    assert isinstance(verdict, Played)
    assert expected(verdict.position) == expected(after)


def test_another_game_on_the_table_does_not_fit_together():
    verdict = judged(game(4, 4, turns=9), shown(game(5, 4, turns=30)))
    assert isinstance(verdict, Unclear)

"""Slips: which are named, what is offered in their place, and what is a slip at all."""

from random import Random

import pytest
from referee_tables import DIVERS, cubes, judged, shown, stage

from companion.referee import Belief, Illegal, Played, judge
from companion.referee.settings import RefereeSettings
from companion.rules import Turn, choose_turn
from companion.rules.revealing import play_revealing
from companion.rules.steps import EndTurn


def test_a_cube_that_nobody_may_leave_out_and_is_not_there_is_a_fault():
    before = stage()
    after = before.play_turn(Turn.parse("key1 sponsor:credit dive:cube"))
    verdict = judged(before, shown(after, {"red.zone.3": cubes("")}))
    assert isinstance(verdict, Illegal)
    assert verdict.faults[0].id == "cube-thrown-away"


TURN = "key2 dive:cube"  # the Tech expert's cube


X_TURN = "x2 dive:cube"


def column(divers):
    return {f"red.diver.{n}": diver for n, diver in enumerate(divers, 1)}


FAULTS = [
    ("not-resurfaced", TURN, column(DIVERS), 5),
    (
        "wrong-diver-resurfaced",
        TURN,
        column(("fuel", "trader", "metal", "spy", "plant", "tech", "engineer", "explorer")),
        None,
    ),
    ("no-key", TURN, {"red.key.2": "key", "red.track.1": "empty"}, 2),
    ("key-not-flipped", TURN, {"red.track.1": "empty"}, 1),
    ("key-not-left", TURN, {"red.track.1": "empty", "red.track.3": "back"}, 2),
    ("two-keys", TURN, {"red.key.4": "empty", "red.track.2": "back"}, 2),
    ("score-wrong", TURN, {"colony.score": {"red": 2, "blue": 0}}, 1),
    ("cube-wrong-colour", TURN, {"red.zone.2": cubes("mf")}, 1),
    ("cube-wrong-level", TURN, {"red.zone.2": cubes("m"), "red.zone.4": cubes("ft")}, 2),
    ("too-many-cubes", "key1 sponsor:credit dive:cube", {"red.zone.1": cubes("pp")}, 1),
    ("cube-thrown-away", TURN, {"red.zone.5": cubes("")}, 1),
    ("upgrade-without-right", TURN, {"red.diver.8": "explorer+"}, 1),
    ("technician-without-right", TURN, {"red.mechanic": {"mechanic": 1}}, 1),
    ("technician-too-far", "key3 dive:engineer=hacker", {"red.hacker": {"hacker": 2}}, 1),
    ("sponsors-wrong", TURN, {"colony.sponsor.1": "2", "colony.sponsor.2": "1"}, 2),
    (
        "sponsors-not-rotated",
        X_TURN,
        {f"colony.sponsor.{n}": str(n) for n in range(1, 6)},
        5,
    ),
    ("other-board-changed", TURN, {"blue.hacker": {"hacker": 1}}, 1),
]


@pytest.mark.parametrize(("fault", "turn", "changes", "slots"), FAULTS, ids=[case[0] for case in FAULTS])
def test_a_slip_is_named(fault, turn, changes, slots):
    before = stage(batteries=0)
    verdict = judged(before, shown(before.play_turn(Turn.parse(turn)), changes))
    assert isinstance(verdict, Illegal)
    assert [found.id for found in verdict.faults] == [fault]
    if slots is not None:
        assert len(verdict.faults[0].slots) == slots
        assert set(verdict.faults[0].slots) <= changes.keys()


PROPELLED = "key5 sponsor:battery propel:fuel+1 dive:cube"
# Two neighbours of the column changed over, which brings nobody under the key who would not have been there.
NEIGHBOURS = [
    pytest.param(0, TURN, 3, id="no battery"),
    pytest.param(1, TURN, 3, id="a battery lies in the tray"),
    pytest.param(0, TURN, 5, id="the activated diver stood between them"),
    pytest.param(0, "key5 sponsor:battery dive", 3, id="a battery came in this turn"),
    pytest.param(1, "key2 propel:plant+1 dive:cube", 5, id="a battery was laid down"),
    pytest.param(0, PROPELLED, 3, id="the one battery of the turn was laid down"),
    pytest.param(1, PROPELLED, 7, id="a move too far in vain"),
]


@pytest.mark.parametrize(("batteries", "turn", "upper"), NEIGHBOURS)
def test_neighbours_changed_over_for_nothing_are_out_of_order(batteries, turn, upper):
    before = stage(batteries=batteries)
    after = before.play_turn(Turn.parse(turn))
    places = f"red.diver.{upper}", f"red.diver.{upper + 1}"
    one, other = after.players[0].divers[upper - 1 : upper + 1]
    verdict = judged(before, shown(after, {places[0]: other, places[1]: one}))
    assert isinstance(verdict, Illegal)
    assert [found.id for found in verdict.faults] == ["column-order"]
    assert set(verdict.faults[0].slots) == set(places)


def test_a_diver_brought_under_the_key_without_a_battery():
    before = stage(batteries=0)
    after = stage(batteries=1).play_turn(Turn.parse("key2 propel:plant+1 dive:cube"))
    verdict = judged(before, shown(after))
    assert isinstance(verdict, Illegal)
    assert [found.id for found in verdict.faults] == ["propeller-without-battery"]


def test_a_diver_brought_under_the_key_from_too_far():
    before = stage(batteries=1)
    longer = before._replace(rules=before.rules._replace(mechanic=(7, 7, 7, 7)))
    after = longer.play_turn(Turn.parse("key1 sponsor:credit propel:engineer-2 dive:engineer=hacker"))
    verdict = judged(before, shown(after))
    assert isinstance(verdict, Illegal)
    assert [found.id for found in verdict.faults] == ["propeller-too-far"]


def test_propellers_that_move_nothing_yet_are_too_far_at_once():
    before = stage(batteries=1)
    still = before._replace(rules=before.rules._replace(mechanic=(0, 1, 2, 3)))
    after = before.play_turn(Turn.parse(PROPELLED))
    verdict = judged(still, shown(after))
    assert isinstance(verdict, Illegal)
    assert [found.id for found in verdict.faults] == ["propeller-too-far"]


def test_what_sponsor_3_moved_is_no_part_of_an_unpaid_propeller():
    before = stage(batteries=0, sponsors=("1", "2", "3a", "4", "5"))
    after = before.play_turn(Turn.parse("key3 sponsor:resurface dive:cube"))
    one, other = after.players[0].divers[2:4]
    verdict = judged(before, shown(after, {"red.diver.3": other, "red.diver.4": one}))
    assert isinstance(verdict, Illegal)
    assert set(verdict.faults[0].slots) == {"red.diver.3", "red.diver.4"}


def test_money_that_was_not_there():
    before = stage(credits=1, zone=("", "", "", "", ""))
    rich = before.with_player(0, credits=3)
    after = rich.play_turn(Turn.parse("key4 sponsor:upgrade=fuel dive:cube"))
    verdict = judged(before, shown(after.with_player(0, credits=1)))
    assert isinstance(verdict, Illegal)
    assert verdict.faults[0].id == "upgrade-without-money"


def test_nobody_buys_without_money_what_is_sold_again():
    """With sponsor 2 a Trader might buy a cube and sell it for prestige: nothing would be left of it but a marker moved."""
    trader_at_5 = (*DIVERS[1:], "trader")
    before = stage(batteries=0, credits=0, divers=trader_at_5, sponsors=("1", "3", "5", "4", "2"))
    before = before._replace(store=before.store._replace(metal=1))
    after = before.play_turn(Turn.parse("key5 dive"))
    verdict = judged(before, shown(after, {"colony.score": {"red": 1, "blue": 0}}))
    assert isinstance(verdict, Illegal)
    assert [found.id for found in verdict.faults] == ["score-wrong"]


def test_keys_not_taken_back_tell_which_of_two_keys_was_played():
    """Key 4 finds the Engineer where it stands, key 3 after a propeller: with all keys back, the two come to the same."""
    divers = ("plant", "explorer", "trader", "spy", "tech", "fuel", "engineer", "metal")
    played = {"keys": (3, 4), "track": ("X", 2, 5, 1)}
    before = stage(batteries=0, divers=divers, sponsors=("1", "2", "5", "4", "3"), **played)
    turn = "key3 sponsor:battery propel:fuel+1 dive:engineer=hacker"
    rest = {f"red.key.{n}": "empty" for n in (1, 2, 3, 5)} | {f"red.track.{n}": "back" for n in range(1, 6)}
    kept = rest | {"red.x": {"X": 0, "N": 0}}
    verdict = judged(before, shown(before.play_turn(Turn.parse(turn)), kept))
    assert isinstance(verdict, Illegal)
    assert [found.id for found in verdict.faults] == ["keys-not-returned"]


def test_a_cube_left_of_those_a_contract_asks_for_was_not_paid():
    """The Tech expert's second cube might be one of the wrong colour, were no contract paid from its level."""
    before = stage(batteries=0, zone=("", "m", "", "", ""), public=("c05", "c01"))
    after = before.play_turn(Turn.parse("key2 sponsor:double dive:cube contract:c05@2 dive:cube"))
    verdict = judged(before, shown(after, {"red.zone.2": cubes("m")}))
    assert isinstance(verdict, Illegal)
    assert [found.id for found in verdict.faults] == ["contract-wrong-cubes"]


def test_a_key_that_lay_on_the_track():
    before = stage(keys=(1, 3, 4, 5), track=(2, "X"))
    other = before.with_player(0, keys=(1, 2, 3, 4, 5), track=("X",))
    after = other.play_turn(Turn.parse("key2 dive:cube"))
    verdict = judged(before, shown(after))
    assert isinstance(verdict, Illegal)
    assert verdict.faults[0].id == "key-not-available"


def test_playing_out_of_turn():
    before = stage()
    theirs = before._replace(to_play=1)
    verdict = judged(before, shown(theirs.play_turn(choose_turn(theirs, Random(5)))))
    assert isinstance(verdict, Illegal)
    assert [fault.id for fault in verdict.faults] == ["out-of-turn"]


def test_playing_out_of_turn_with_a_card_just_drawn():
    before = stage()._replace(to_play=1)
    divers = ("trader", "metal", "tech", "plant", "spy", "engineer", "fuel", "explorer")
    before = before.with_player(1, divers=divers, credits=3, zone=("", "m", "mm", "f", "t"))
    after = play_revealing(before, (*Turn.parse("key2 dive:draw=? contract:c24@3=mm").steps, EndTurn()))
    verdict = judged(before._replace(to_play=0), shown(after))
    assert isinstance(verdict, Illegal)
    assert [fault.id for fault in verdict.faults] == ["out-of-turn"]


def test_playing_out_of_turn_is_told_with_a_key_misread():
    before = stage()
    theirs = before._replace(to_play=1)
    after = theirs.play_turn(Turn.parse("key2 dive"))
    verdict = judged(before, shown(after, {"blue.track.1": "empty"}))
    assert isinstance(verdict, Illegal)
    assert [fault.id for fault in verdict.faults] == ["out-of-turn"]


def test_the_nearest_legal_turn_is_offered():
    before = stage(batteries=0)
    after = before.play_turn(Turn.parse(TURN))
    verdict = judged(before, shown(after, {"red.zone.5": cubes("")}))
    assert isinstance(verdict, Illegal)
    assert verdict.nearest is not None
    assert str(verdict.nearest.turn).startswith("key2")


def test_what_a_slip_was_a_slip_of_is_offered():
    """A dive without its cube would look more like the table than a cube of another colour does."""
    turn, changes = next(case[1:3] for case in FAULTS if case[0] == "cube-wrong-colour")
    before = stage(batteries=0)
    after = before.play_turn(Turn.parse(turn))
    verdict = judged(before, shown(after, changes))
    assert isinstance(verdict, Illegal)
    assert verdict.nearest is not None
    assert verdict.nearest.position.players[0].zone == after.players[0].zone


def test_cubes_out_of_nowhere_on_several_levels_are_a_fault():
    before = stage(batteries=0, sponsors=("1", "4", "3", "2", "5"))  # nothing that gives a second cube
    after = before.play_turn(Turn.parse(TURN))
    spilt = {"red.zone.3": cubes("pf"), "red.zone.4": cubes("fm"), "red.zone.5": cubes("tt")}
    verdict = judged(before, shown(after, spilt))
    assert isinstance(verdict, Illegal)
    assert {slot for fault in verdict.faults for slot in fault.slots} <= spilt.keys()


def test_nobody_takes_an_improvement_back_on_another_board():
    before = stage(batteries=0, sponsors=("1", "4", "3", "2", "5")).with_player(1, hacker=2)
    after = before.play_turn(Turn.parse(TURN))
    assert isinstance(judged(before, shown(after, {"blue.hacker": {"hacker": 1}})), Played)
    assert isinstance(judged(before, shown(after, {"blue.hacker": {"hacker": 3}})), Illegal)


def test_a_slip_is_seen_in_a_poor_look_too():
    before = stage(batteries=0)
    after = before.play_turn(Turn.parse(TURN))
    changes = {**column(DIVERS), "colony.sponsor.1": "5", "blue.track.4": "back"}
    verdict = judged(before, shown(after, changes))
    assert isinstance(verdict, Illegal)
    assert [fault.id for fault in verdict.faults] == ["not-resurfaced"]


def test_a_level_used_as_if_its_key_were_there():
    """Key 2 lies on the track; the X key that opens the level stayed in its space and the sponsors stayed too."""
    before = stage(keys=(1, 3, 4, 5, "X"), track=(2,), batteries=0)
    after = before.play_turn(Turn.parse("x2 dive:cube"))
    unplayed = {"red.x": {"X": 1, "N": 0}, "red.track.2": "empty"}
    sponsors = {f"colony.sponsor.{n}": str(n) for n in range(1, 6)}
    verdict = judged(before, shown(after, {**unplayed, **sponsors}))
    assert isinstance(verdict, Illegal)
    assert [fault.id for fault in verdict.faults] == ["key-not-available"]


def test_what_another_player_holds_does_not_lengthen_the_search(searched):
    """A fault is looked for once, however many positions are believed in that the player to play cannot tell apart."""
    before = stage()
    after = before.play_turn(Turn.parse("key1 sponsor:credit dive:cube"))
    slip = shown(after, {"red.zone.1": cubes("pp")})
    alone = judge(Belief.of(before), slip).verdict
    assert isinstance(alone, Illegal)
    once = len(searched)
    several = Belief.among([(1.0, before.with_player(1, private=(None,) * held)) for held in range(5)])
    assert judge(several, slip).verdict.faults == alone.faults
    assert len(searched) == 2 * once


def test_a_plain_slip_is_told_without_taking_the_look_for_a_poor_one(searched):
    """A poor look costs more than the slip, whatever is found in it."""
    before = stage()
    after = before.play_turn(Turn.parse("key1 sponsor:credit dive:cube"))
    assert isinstance(judged(before, shown(after, {"red.zone.1": cubes("pp")})), Illegal)
    assert {inquiry.settings.misread_p for inquiry in searched} == {RefereeSettings().misread_p}


def test_playing_out_of_turn_is_told_without_taking_the_look_for_a_poor_one(searched):
    before = stage()
    theirs = before._replace(to_play=1)
    assert isinstance(judged(before, shown(theirs.play_turn(choose_turn(theirs, Random(5))))), Illegal)
    assert {inquiry.settings.misread_p for inquiry in searched} == {RefereeSettings().misread_p}

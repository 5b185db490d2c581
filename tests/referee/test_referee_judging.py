from dataclasses import replace
from math import inf
from random import Random

import pytest
from referee_tables import ALPHABET, cubes, game, shown, stage

from companion.bench.synthetic import corrupt
from companion.referee import Ask, Belief, Illegal, Played, Unchanged, Unclear, answered, expected, judge
from companion.referee.eyes import Eyes
from companion.referee.judging import _completed, _two_turns
from companion.referee.search import Inquiry, play_revealing
from companion.referee.settings import RefereeSettings
from companion.referee.sight import Sight
from companion.referee.weighing import Weigher
from companion.rules import Store, Turn, choose_turn
from companion.rules.steps import EndTurn
from vision.reading import Reading


def judged(before, reading):
    return judge(Belief.of(before), reading).verdict


def test_a_game_is_followed_from_turn_to_turn():
    rng, position = Random(4), game(4, 3)
    belief = Belief.of(position)
    for number in range(10):
        position = position.play_turn(choose_turn(position, rng))
        judgement = judge(belief, shown(position, seed=number))
        assert isinstance(judgement.verdict, Played)
        assert expected(judgement.verdict.position) == expected(position)
        belief = judgement.belief


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


def test_selling_asks_when_the_score_is_covered():
    before = stage(divers=("metal", "plant", "spy", "tech", "trader", "engineer", "fuel", "explorer"))
    before = before._replace(store=before.store._replace(metal=0))
    after = before.play_turn(Turn.parse("key2 dive:sell=m/prestige"))
    belief = Belief.of(before)
    verdict = judge(belief, shown(after, hidden=("colony.score", "red.tray"))).verdict
    assert isinstance(verdict, Ask)
    assert verdict.about == "sale"
    assert {str(answer.turn).split()[-1] for answer in verdict.answers} == {
        "dive:sell=m/prestige",
        "dive:sell=m/credits",
    }
    chosen = verdict.answers[1]
    assert answered(belief, chosen).likeliest == chosen.position.as_seen_at_table()


def test_no_question_about_credits_in_a_fist():
    before = stage()
    after = before.play_turn(Turn.parse("key1 sponsor:credit dive:cube"))
    verdict = judged(before, shown(after, hidden=("red.tray",)))
    assert isinstance(verdict, Played)
    assert str(verdict.turns[0]) == "key1 sponsor:credit dive:cube"


def test_a_later_purchase_settles_what_a_fist_held():
    divers = ("metal", "plant", "spy", "tech", "trader", "engineer", "fuel", "explorer")
    store = Store(fuel=1)
    poor = stage(credits=1, divers=divers, store=store)
    rich = stage(credits=3, divers=divers, store=store)
    after = rich.play_turn(Turn.parse("key2 dive:buy=f"))
    belief = Belief.among([(0.7, poor), (0.3, rich)])
    judgement = judge(belief, shown(after, hidden=("red.tray",)))
    assert isinstance(judgement.verdict, Played)
    assert [position.players[0].credits for _, position in judgement.belief.weighted] == [
        after.players[0].credits
    ]


def in_doubt(reading, slot, label, numbers):
    counts = {**reading.counts, slot: {**reading.counts[slot], label: numbers}}
    return Reading(reading.boards, reading.tiles, counts, reading.hidden)


SPY_AT_1 = ("trader", "metal", "plant", "spy", "tech", "engineer", "fuel", "explorer")


def test_a_card_drawn_in_secret_is_asked_for_when_the_tray_is_in_doubt():
    """Nothing but the credit paid for it tells that a card was drawn."""
    before = stage(divers=SPY_AT_1, sponsors=("4", "2", "3", "1", "5"))
    after = before.play_turn(Turn.parse("key1 dive:draw=?"))
    for sure in (0.7, 0.9):
        verdict = judged(before, in_doubt(shown(after), "red.tray", "credit", {3: sure, 2: 1 - sure}))
        assert isinstance(verdict, Ask)
        assert {str(answer.turn) for answer in verdict.answers} == {"key1 dive:draw=?", "key1 dive"}


def test_a_card_that_may_have_been_drawn_stays_in_the_belief():
    before = stage(divers=SPY_AT_1, sponsors=("4", "2", "3", "1", "5"))
    after = before.play_turn(Turn.parse("key1 dive:draw=?"))
    judgement = judge(Belief.of(before), shown(after, hidden=("red.tray",)))
    assert isinstance(judgement.verdict, Played)
    assert judgement.belief.likeliest.players[0].private == (None,)
    assert {position.players[0].private for _, position in judgement.belief.weighted} == {(None,), ()}


@pytest.mark.parametrize(
    ("sponsor", "turn"), [("1", "key1 sponsor:credit dive:draw=?"), ("1a", "key1 sponsor:free dive:draw=?")]
)
def test_a_present_is_not_left_out_in_silence_for_a_doubtful_tray(sponsor, turn):
    before = stage(divers=SPY_AT_1, sponsors=(sponsor, "2", "3", "4", "5"))
    after = before.play_turn(Turn.parse(turn))
    held = after.players[0].credits
    verdict = judged(before, in_doubt(shown(after), "red.tray", "credit", {held - 1: 0.8, held: 0.2}))
    assert isinstance(verdict, Ask)
    assert turn in {str(answer.turn) for answer in verdict.answers}


def test_a_sponsor_that_pays_for_the_diver_is_used_by_who_has_no_money():
    before = stage(credits=0, divers=SPY_AT_1, sponsors=("1a", "2", "3", "4", "5"))
    after = before.play_turn(Turn.parse("key1 sponsor:free dive:draw=?"))
    verdict = judged(before, shown(after))
    assert isinstance(verdict, Played)
    assert str(verdict.turns[0]) == "key1 sponsor:free dive:draw=?"


def test_a_credit_that_stayed_in_the_supply_was_forgotten_when_the_tray_is_clear_and_asked_about_when_not():
    before = stage(batteries=2)
    turn = "key1 propel:trader+1 dive:cube oxygen"
    after = shown(before.play_turn(Turn.parse(turn)))
    clear = judged(before, in_doubt(after, "red.tray", "credit", {3: 0.99, 4: 0.01}))
    assert isinstance(clear, Played)
    assert str(clear.turns[0]) == turn
    doubtful = judged(before, in_doubt(after, "red.tray", "credit", {3: 0.85, 4: 0.15}))
    assert isinstance(doubtful, Ask)
    assert {str(answer.turn) for answer in doubtful.answers} == {
        turn,
        "key1 sponsor:credit propel:trader+1 dive:cube oxygen",
    }


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


def test_a_card_completed_at_once_may_come_from_the_hand_or_from_the_table():
    """Both leave the same table; the hand holds a card more or less, and a later contract would miss it."""
    before = stage(private=(None,), zone=("", "", "mpf", "tt", ""), public=("c11", "c03"))
    after = play_revealing(
        before,
        (*Turn.parse("key1 sponsor:credit dive:cube contract:c11@3 contract:c24@4=tt").steps, EndTurn()),
    )
    verdict = judged(before, shown(after))
    assert isinstance(verdict, Ask)
    assert {answer.position.players[0].private for answer in verdict.answers} == {(), (None,)}


def test_what_a_fist_held_is_asked_about_when_nothing_says_which_is_likelier():
    """A bonus without its cube, or neither: only the battery tells, and it lies in a fist."""
    before = stage(divers=("trader", "metal", "spy", "plant", "fuel+", "engineer", "tech", "explorer"))
    before = before._replace(sponsors=("1", "4", "3", "2", "5"))
    after = before.play_turn(Turn.parse("key2 dive:bonus"))
    verdict = judged(before, shown(after, hidden=("red.tray",)))
    assert isinstance(verdict, Ask)
    assert {str(answer.turn) for answer in verdict.answers} >= {"key2 dive:bonus", "key2 dive"}


def test_more_turns_than_fit_on_the_screen_are_asked_about_likeliest_first():
    before = stage(
        divers=("trader", "metal", "plant", "spy", "tech", "engineer", "fuel", "explorer"), batteries=0
    )
    settings = RefereeSettings(clear_cost=12.0, window_cost=12.0, answers=2)
    after = before.play_turn(Turn.parse("key1 dive:draw=?"))
    verdict = judge(Belief.of(before), shown(after, hidden=("red.tray", "red.mechanic")), settings).verdict
    assert isinstance(verdict, Ask)
    assert len(verdict.answers) == 2
    assert verdict.answers[0].p >= verdict.answers[1].p


def test_a_token_that_looks_like_the_one_it_replaces_is_told_at_the_next_look():
    """The camera may not have noticed the change; until it looks again the token may be used as the one it looks like."""
    before = stage(divers=("trader", "metal", "spy", "explorer", "tech", "engineer", "fuel", "plant"))
    after = before.play_turn(Turn.parse("key1 sponsor:credit dive:explore=1/f"))
    old, other = before.display[0]
    assert after.display[0] == (None, other)
    judgement = judge(Belief.of(before), shown(after, {"colony.display.1.1": old}))
    assert isinstance(judgement.verdict, Played)
    assert judgement.verdict.position.display[0] == (None, other)
    assert {position.display[0] for _, position in judgement.belief.weighted} == {(None, other), (old, other)}
    later = judgement.verdict.position.play_turn(Turn.parse("key5 dive:cube"))
    seen = judge(judgement.belief, shown(later, {"colony.display.1.1": "upgrade:credits"})).verdict
    assert isinstance(seen, Played)
    assert seen.position.display[0] == ("upgrade:credits", other)


def test_a_cube_that_vision_is_in_doubt_about_is_asked_about_and_no_fault():
    """Bought, and not to be seen on its level: thrown away if the level is clear, but this one is not."""
    divers = ("metal", "plant", "spy", "trader", "tech", "engineer", "fuel", "explorer")
    before = stage(divers=divers, store=Store(tech=1), zone=("t", "m", "p", "f", "t"))
    turn = "key1 sponsor:credit dive:buy=t"
    after = shown(before.play_turn(Turn.parse(turn)))
    murky = judged(before, in_doubt(after, "red.zone.1", "t", {1: 0.8896, 0: 0.11, 2: 0.0004}))
    assert isinstance(murky, Ask)
    assert turn in {str(answer.turn) for answer in murky.answers}
    clear = judged(before, in_doubt(after, "red.zone.1", "t", {1: 0.999, 0: 0.0006, 2: 0.0004}))
    assert isinstance(clear, Illegal)


@pytest.mark.parametrize("sure", [0.99, 0.9999, 1 - 1e-6])
def test_an_expert_s_cube_that_is_not_seen_is_asked_about(sure):
    before = stage()
    after = before.play_turn(Turn.parse("key1 sponsor:credit dive:cube"))
    left_out = before.play_turn(Turn.parse("key1 sponsor:credit dive"))
    letter = after.players[0].zone[0]
    reading = shown(after)
    counts = {
        **reading.counts,
        "red.zone.1": {**reading.counts["red.zone.1"], letter: {0: sure, 1: 1 - sure}},
    }
    verdict = judged(before, replace(reading, counts=counts))
    assert isinstance(verdict, Ask)
    assert [expected(answer.position) for answer in verdict.answers[:2]] == [
        expected(left_out),
        expected(after),
    ]


def test_a_cube_that_nobody_may_leave_out_and_is_not_there_is_a_fault():
    before = stage()
    after = before.play_turn(Turn.parse("key1 sponsor:credit dive:cube"))
    verdict = judged(before, shown(after, {"red.zone.3": cubes("")}))
    assert isinstance(verdict, Illegal)
    assert verdict.faults[0].id == "cube-thrown-away"


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


def test_two_cards_nobody_showed_may_be_completed_in_one_turn():
    before = stage(private=(None, None), zone=("", "", "mmp", "ttt", ""), public=("c02", "c03"))
    steps = Turn.parse("key1 sponsor:credit dive:cube contract:c07@3 contract:c25@4=ttt").steps
    after = play_revealing(before, (*steps, EndTurn()))
    verdict = judged(before, shown(after))
    assert isinstance(verdict, Played)
    assert verdict.position.players[0].score == after.players[0].score
    assert verdict.position.players[0].private == ()


def test_an_answer_leaves_open_what_nobody_can_see():
    divers = ("metal", "plant", "spy", "tech", "trader", "engineer", "fuel", "explorer")
    before = stage(divers=divers, store=Store(metal=0))
    after = before.play_turn(Turn.parse("key2 dive:sell=m/prestige"))
    belief = Belief.among([(0.7, before), (0.3, before.with_player(0, batteries=2))])
    verdict = judge(belief, shown(after, hidden=("colony.score", "red.tray"))).verdict
    assert isinstance(verdict, Ask)
    for answer in verdict.answers:
        said = answered(belief, answer)
        assert said.likeliest == answer.position
        assert [round(weight, 2) for weight, _ in said.weighted] == [0.7, 0.3]


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


TURN = "key2 dive:cube"  # the Tech expert's cube
WHOLE_TURN = "key1 sponsor:credit dive:cube"  # nothing that is to be had is left out
X_TURN = "x2 dive:cube"
DIVERS = ("trader", "metal", "spy", "plant", "tech", "engineer", "fuel", "explorer")


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


def test_money_that_was_not_there():
    before = stage(credits=1, zone=("", "", "", "", ""))
    rich = before.with_player(0, credits=3)
    after = rich.play_turn(Turn.parse("key4 sponsor:upgrade=fuel dive:cube"))
    verdict = judged(before, shown(after.with_player(0, credits=1)))
    assert isinstance(verdict, Illegal)
    assert verdict.faults[0].id == "upgrade-without-money"


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


def test_who_took_a_neutral_x_for_an_own_one_asks_which_was_played():
    before = stage(neutral_x=1)
    confused = shown(before, {"red.x": {"X": 2, "N": 0}})
    after = before.play_turn(Turn.parse("x2 dive"))
    verdict = judge(Belief.of(before).accepted(confused), shown(after, {"red.x": {"X": 1, "N": 0}})).verdict
    assert isinstance(verdict, Ask)
    assert {str(answer.turn).split()[0] for answer in verdict.answers} == {"x2", "n2"}


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


def test_who_pays_for_a_propeller_to_have_a_diver_at_the_key_uses_it():
    """The tray hardly says whether the Spy's credit was paid; that the Spy was brought there says more."""
    before = stage(sponsors=("2", "1a", "3", "4", "5"), credits=1)
    after = before.play_turn(Turn.parse("key1 propel:spy+1 dive:draw=?"))
    reading = shown(after)
    coins = {**reading.counts["red.tray"], "credit": {1: 0.8, 0: 0.2}}
    verdict = judged(before, replace(reading, counts={**reading.counts, "red.tray": coins}))
    assert isinstance(verdict, Played)
    assert len(verdict.position.players[0].private) == 1


def test_one_marker_is_misread_as_before_while_another_moves():
    before = stage(credits=3, sponsors=("1", "4", "3", "2", "5"))
    after = before.play_turn(Turn.parse("key2 sponsor:upgrade=tech dive:cube"))
    misread = {"colony.score": {"red": 0, "blue": 7}}
    belief = Belief.of(before).accepted(shown(before, misread))
    verdict = judge(belief, shown(after, {"colony.score": {"red": 1, "blue": 7}})).verdict
    assert isinstance(verdict, Played)
    assert [player.score for player in verdict.position.players] == [1, 0]


def test_cubes_out_of_nowhere_on_several_levels_are_a_fault():
    before = stage(batteries=0, sponsors=("1", "4", "3", "2", "5"))  # nothing that gives a second cube
    after = before.play_turn(Turn.parse(TURN))
    spilt = {"red.zone.3": cubes("pf"), "red.zone.4": cubes("fm"), "red.zone.5": cubes("tt")}
    verdict = judged(before, shown(after, spilt))
    assert isinstance(verdict, Illegal)
    assert {slot for fault in verdict.faults for slot in fault.slots} <= spilt.keys()


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


def test_a_turn_that_slots_speak_against_is_asked_about_when_the_search_gave_up():
    before = stage()
    after = before.play_turn(Turn.parse(WHOLE_TURN))
    reading = shown(after, {"red.diver.8": "spy"})
    assert isinstance(judged(before, reading), Played)
    hurried = RefereeSettings(legal_steps=0, least_steps=0)
    verdict = judge(Belief.of(before), reading, hurried).verdict
    assert isinstance(verdict, Ask)
    assert expected(after) in [expected(answer.position) for answer in verdict.answers]


def test_nobody_takes_an_improvement_back_on_another_board():
    before = stage(batteries=0, sponsors=("1", "4", "3", "2", "5")).with_player(1, hacker=2)
    after = before.play_turn(Turn.parse(TURN))
    assert isinstance(judged(before, shown(after, {"blue.hacker": {"hacker": 1}})), Played)
    assert isinstance(judged(before, shown(after, {"blue.hacker": {"hacker": 3}})), Illegal)


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


def test_another_game_on_the_table_does_not_fit_together():
    verdict = judged(game(4, 4, turns=9), shown(game(5, 4, turns=30)))
    assert isinstance(verdict, Unclear)


def test_a_card_nobody_showed_can_be_played_again_from_what_was_believed():
    before = stage(private=(None,), zone=("", "", "mpf", "", ""), public=("c02", "c03"))
    card = next(c for c in before.cards.contracts if c.need == "mpf")
    turn = Turn.parse(f"key1 sponsor:credit dive:cube contract:{card.id}@3")
    after = play_revealing(before, (*turn.steps, EndTurn()))
    assert after.players[0].score == card.points
    assert after.players[0].private == ()


def test_positions_that_play_on_alike_are_one_in_the_belief():
    """Which front lies face down on the board, or was discarded, is nothing a later turn could tell."""
    one, other = (
        stage(rewards=(token, None, None, None, None)) for token in ("battery:credits", "?:credits")
    )
    discarded = one._replace(reward_discard=("upgrade:credits",))
    assert Belief.among([(0.5, one), (0.3, other), (0.2, discarded)]).weighted == ((1.0, one),)
    assert len(Belief.among([(0.5, one), (0.5, one.with_player(1, credits=0))]).weighted) == 2


@pytest.fixture
def searched(monkeypatch):
    """The inquiries that were made, in order."""
    made, honest = [], Inquiry.explain

    def explain(inquiry, *args, **options):
        made.append(inquiry)
        return honest(inquiry, *args, **options)

    monkeypatch.setattr(Inquiry, "explain", explain)
    return made


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

"""Questions, and what stays open in the belief when nobody asks."""

from dataclasses import replace

import pytest
from referee_tables import SPY_AT_1, WHOLE_TURN, in_doubt, judged, shown, stage

from companion.referee import Ask, Belief, Illegal, Played, answered, expected, judge
from companion.referee.settings import RefereeSettings
from companion.rules import Store, Turn
from companion.rules.revealing import play_revealing
from companion.rules.steps import EndTurn


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


@pytest.mark.parametrize("slot", ["red.zone.1", "red.zone.4"])
def test_a_cube_too_many_that_vision_is_not_sure_of_is_asked_about_once(slot):
    before = stage()
    turn = "key1 sponsor:credit dive:cube"
    after = before.play_turn(Turn.parse(turn))
    held = after.players[0].zone[int(slot[-1]) - 1].count("f")
    extra = {held + 1: 0.7, held: 0.3}
    verdict = judged(before, in_doubt(shown(after), slot, "f", extra))
    assert isinstance(verdict, Ask)
    assert str(verdict.answers[0].turn) == turn
    even = judged(before, in_doubt(shown(after), slot, "f", {held + 1: 0.51, held: 0.49}))
    assert isinstance(even, Played)
    # Whoever has said that it was this turn is not asked again as long as the shadow stays.
    told = answered(Belief.of(before), verdict.answers[0]).accepted(in_doubt(shown(after), slot, "f", extra))
    theirs = told.likeliest.play_turn(Turn.parse("key1 dive"))
    again = theirs.play_turn(Turn.parse("key2 sponsor:double dive:cube dive:cube"))
    told = judge(told, in_doubt(shown(theirs), slot, "f", extra)).belief
    assert isinstance(judge(told, in_doubt(shown(again), slot, "f", extra)).verdict, Played)


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


def test_who_took_a_neutral_x_for_an_own_one_asks_which_was_played():
    before = stage(neutral_x=1)
    confused = shown(before, {"red.x": {"X": 2, "N": 0}})
    after = before.play_turn(Turn.parse("x2 dive"))
    verdict = judge(Belief.of(before).accepted(confused), shown(after, {"red.x": {"X": 1, "N": 0}})).verdict
    assert isinstance(verdict, Ask)
    assert {str(answer.turn).split()[0] for answer in verdict.answers} == {"x2", "n2"}


def test_a_turn_that_slots_speak_against_is_asked_about_when_the_search_gave_up():
    before = stage()
    after = before.play_turn(Turn.parse(WHOLE_TURN))
    reading = shown(after, {"red.diver.8": "spy"})
    assert isinstance(judged(before, reading), Played)
    hurried = RefereeSettings(legal_steps=0, least_steps=0)
    verdict = judge(Belief.of(before), reading, hurried).verdict
    assert isinstance(verdict, Ask)
    assert expected(after) in [expected(answer.position) for answer in verdict.answers]


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


@pytest.mark.parametrize(("dive", "verdict"), [("dive", Ask), ("dive:engineer=hacker", Played)])
def test_a_card_nobody_had_seen_completed_while_the_diver_is_idle_is_asked_about(dive, verdict):
    """Some card explains many a slip; whoever completes one has otherwise played an ordinary turn."""
    divers = ("metal", "plant", "spy", "engineer", "trader", "tech", "fuel", "explorer")
    before = stage(divers=divers, private=(None,), zone=("", "", "mpf", "", ""), public=("c02", "c03"))
    card = next(card for card in before.cards.contracts if card.need == "mpf")
    turn = f"key1 sponsor:credit {dive} contract:{card.id}@3"
    known = before.with_player(0, private=(card.id,))
    assert isinstance(judged(before, shown(known.play_turn(Turn.parse(turn)))), verdict)
    # A card that had been seen before explains nothing but itself.
    assert isinstance(judged(known, shown(known.play_turn(Turn.parse(turn)))), Played)


def test_a_cube_on_another_board_is_asked_about_when_the_camera_has_just_come_into_doubt_about_it():
    before = stage().with_player(1, zone=("", "f", "", "", ""))
    after = before.play_turn(Turn.parse(WHOLE_TURN))
    murky = in_doubt(shown(after), "blue.zone.2", "f", {1: 0.56, 2: 0.36, 0: 0.08})
    verdict = judge(Belief.of(before).accepted(shown(before)), murky).verdict
    assert isinstance(verdict, Ask)
    assert str(verdict.answers[0].turn) == WHOLE_TURN
    # It was in doubt all along: whatever makes it so, this turn did not.
    as_ever = in_doubt(shown(before), "blue.zone.2", "f", {1: 0.7, 2: 0.3})
    assert isinstance(judge(Belief.of(before).accepted(as_ever), murky).verdict, Played)
    # Out of sight says nothing, and what is far less likely no more.
    covered = shown(after, hidden=("blue.zone.2",))
    assert isinstance(judge(Belief.of(before).accepted(shown(before)), covered).verdict, Played)
    clear = in_doubt(shown(after), "blue.zone.2", "f", {1: 0.8, 2: 0.2})
    assert isinstance(judge(Belief.of(before).accepted(shown(before)), clear).verdict, Played)


def test_a_doubt_that_has_been_asked_about_is_asked_about_once():
    before = stage().with_player(1, zone=("", "f", "", "", ""))
    after = before.play_turn(Turn.parse(WHOLE_TURN))
    doubt = {1: 0.56, 2: 0.36, 0: 0.08}
    murky = in_doubt(shown(after), "blue.zone.2", "f", doubt)
    belief = Belief.of(before).accepted(shown(before))
    verdict = judge(belief, murky).verdict
    assert isinstance(verdict, Ask)
    told = answered(belief, verdict.answers[0]).accepted(murky)
    again = told.likeliest.play_turn(Turn.parse("key1 dive"))
    assert isinstance(judge(told, in_doubt(shown(again), "blue.zone.2", "f", doubt)).verdict, Played)


def test_a_tile_that_hands_cannot_have_changed_so_is_not_asked_about():
    """A sponsor that looks a little like another: pieces are neither made nor lost."""
    before = stage()
    after = before.play_turn(Turn.parse(WHOLE_TURN))
    reading = shown(after)
    murky = replace(reading, tiles={**reading.tiles, "colony.sponsor.3": {"3": 0.55, "3a": 0.45}})
    assert isinstance(judge(Belief.of(before).accepted(shown(before)), murky).verdict, Played)


def test_oxygen_that_only_a_doubtful_tray_tells_from_a_diver_left_below_is_asked_about():
    before = stage(batteries=2)
    oxygen = f"{WHOLE_TURN} oxygen"
    after = before.play_turn(Turn.parse(oxygen))
    assert after.players[0].batteries == 1
    for batteries, verdict in (({1: 0.55, 2: 0.45}, Ask), ({1: 0.9, 2: 0.1}, Played)):
        told = judged(before, in_doubt(shown(after), "red.tray", "battery", batteries))
        assert isinstance(told, verdict)
        assert oxygen in {str(answer.turn) for answer in getattr(told, "answers", ())} or verdict is Played


def test_a_slot_as_likely_misread_as_a_slip_is_asked_about():
    before = stage()
    after = before.play_turn(Turn.parse(WHOLE_TURN))
    letter = after.players[0].zone[0]
    for two, verdict in ((0.9604, Ask), (0.9999, Illegal)):
        reading = in_doubt(shown(after), "red.zone.1", letter, {2: two, 1: 1 - two})
        assert isinstance(judged(before, reading), verdict)

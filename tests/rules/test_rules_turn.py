"""A turn: keys, propellers, the three steps, the end of the game."""

import pytest
from rules_tables import after, column, me_after, table

from companion.rules import IllegalStep, PlayKey, Propel, Rules, turns


def refused(position: object, turn: str, why: str) -> None:
    with pytest.raises(IllegalStep, match=why):
        after(position, turn)  # type: ignore[arg-type]


def test_a_numbered_key_is_played_at_its_own_level_and_an_x_key_at_any() -> None:
    keys = [step for step in table(me={"neutral_x": 1}).steps() if isinstance(step, PlayKey)]
    assert [str(key) for key in keys if isinstance(key.key, int)] == ["key1", "key2", "key3", "key4", "key5"]
    assert {str(key) for key in keys if key.key == "X"} == {"x1", "x2", "x3", "x4", "x5"}
    assert {str(key) for key in keys if key.key == "N"} == {"n1", "n2", "n3", "n4", "n5"}


def test_a_key_on_the_track_cannot_be_played() -> None:
    refused(
        table(me={"keys": (1, 2, 4, 5, "X"), "track": (3,)}), "key3 dive", "key 3 lies on the Hacker track"
    )


def test_only_one_key_is_played() -> None:
    refused(table(), "key3 key4", "already played")


def test_an_x_key_rotates_the_sponsors_first() -> None:
    position = after(table(sponsors=("1", "2", "3", "4", "5")), "x2")
    assert position.sponsors == ("5", "1", "2", "3", "4")
    assert "sponsor:credit" in {str(step) for step in position.steps()}, "sponsor 1 now lies at level 2"


def test_a_neutral_x_key_rotates_too_and_leaves_the_board() -> None:
    position = after(table(me={"neutral_x": 2}), "n4 dive")
    assert position.sponsors[0] == "5"
    assert position.players[0].neutral_x == 1 and position.players[0].track == ("N",)


def test_an_x_key_may_be_played_where_the_numbered_key_is_available() -> None:
    assert me_after(table(), "x3 dive").keys == (1, 2, 3, 4, 5)


@pytest.mark.parametrize(("improvements", "furthest"), [(0, 1), (1, 2), (2, 3), (3, 4)])
def test_a_propeller_moves_as_far_as_the_mechanic_allows(improvements: int, furthest: int) -> None:
    position = after(table(me={"mechanic": improvements}), "key1")
    moves = [step.by for step in position.steps() if isinstance(step, Propel)]
    assert max(moves) == furthest and min(moves) == -furthest and 0 not in moves


def test_a_propelled_diver_shifts_those_it_passes() -> None:
    before = table(me={"mechanic": 1})
    assert after(before, "key1 propel:spy+2").player.divers == (
        "trader", "engineer", "metal", "spy", "plant", "fuel", "tech", "explorer",
    )  # fmt: skip
    assert after(before, "key1 propel:plant-2").player.divers == (
        "trader", "spy", "plant", "engineer", "metal", "fuel", "tech", "explorer",
    )  # fmt: skip


def test_a_propeller_stays_within_the_column() -> None:
    refused(table(), "key1 propel:trader-1", "1 from the top")
    refused(table(), "key1 propel:explorer+1", "8 from the top")


def test_each_propeller_costs_a_battery_and_any_number_may_be_used() -> None:
    assert after(table(me={"batteries": 2}), "key1 propel:spy+1 propel:spy+1").player.batteries == 0
    refused(table(me={"batteries": 1}), "key1 propel:spy+1 propel:spy+1", "no battery")


def test_propellers_come_before_or_after_the_sponsor_but_in_step_1() -> None:
    rich = table(me={"batteries": 3})
    after(rich, "key1 propel:spy+1 sponsor:credit propel:spy+1 dive")
    refused(rich, "propel:spy+1", "no key was played")
    with pytest.raises(IllegalStep, match="step 1 is over"):
        rich.play_turn(steps("key1 dive propel:spy+1"))


def steps(text: str) -> tuple[object, ...]:
    from companion.rules import parse_steps

    return parse_steps(text)


def test_two_moves_may_undo_each_other() -> None:
    results = [
        position
        for _, position in turns(table(me={"batteries": 2, "keys": (1,), "track": (2, 3, 4, 5, "X")}))
    ]
    same = table().player.divers
    metal_up = ("metal", *(diver for diver in same if diver != "metal"))
    assert any(p.players[0].divers == metal_up and p.players[0].batteries == 0 for p in results)


def test_the_diver_activated_is_the_one_at_the_level_when_step_2_begins() -> None:
    assert me_after(table(), "key1 propel:plant-1 dive:cube").zone[0] == "p"


def test_the_activated_diver_resurfaces_also_when_its_effect_is_declined() -> None:
    assert me_after(table(), "key4 dive").divers[0] == "tech"


def test_resurfacing_shifts_only_those_above() -> None:
    done = me_after(table(), "key2 dive")
    assert done.divers == ("plant", "trader", "spy", "engineer", "metal", "fuel", "tech", "explorer")


def test_a_battery_pays_for_oxygen() -> None:
    done = me_after(table(), "key2 dive oxygen")
    assert done.divers == table().player.divers and done.batteries == 0
    refused(table(me={"batteries": 0}), "key2 dive oxygen", "no battery")


def test_a_battery_won_in_the_dive_pays_for_oxygen() -> None:
    breather = table(me={"batteries": 0, "divers": column({3: "fuel+"})})
    assert me_after(breather, "key3 dive:bonus oxygen").diver_at(3) == "fuel+"


def test_the_key_goes_to_the_leftmost_free_place() -> None:
    assert me_after(table(me={"keys": (1, 2, 3, 4), "track": ("X", 5)}), "key2 dive").track == ("X", 5, 2)


@pytest.mark.parametrize(("hacker", "played"), [(0, 5), (1, 4), (2, 3), (3, 2)])
def test_all_keys_return_when_the_track_reaches_the_hacker(hacker: int, played: int) -> None:
    track = (2, 3, 4, 5, "X")[:played]
    keys = tuple(key for key in (1, 2, 3, 4, 5, "X") if key not in track)
    assert me_after(table(me={"keys": keys, "track": track, "hacker": hacker}), "key1 dive").track == ()
    fewer = {"keys": tuple(sorted((*keys, track[-1]), key=str)), "track": track[:-1], "hacker": hacker}
    assert me_after(table(me=fewer), "key1 dive").track == (*track[:-1], 1)


def test_neutral_keys_return_to_the_supply_and_own_ones_to_their_places() -> None:
    me = {"keys": (1, 2, 3), "track": ("N", 4, "N", 5, "X"), "neutral_x": 1}
    position = after(table(me=me, supply_x=9), "n1 dive")
    done = position.players[0]
    assert done.keys == (1, 2, 3, 4, 5, "X") and done.track == () and done.neutral_x == 0
    assert position.supply_x == 12


def test_improving_the_hacker_over_a_key_returns_all_at_the_end_of_the_turn() -> None:
    me = {"keys": (1, "X"), "track": (2, 3, 4, 5), "divers": column({1: "engineer"})}
    assert me_after(table(me=me), "key1 dive:engineer=hacker").track == ()


def test_the_key_in_play_cannot_be_taken_back() -> None:
    position = table(me={"divers": column({3: "tech+"})})
    refused(position, "key3 sponsor:take=3", "does not lie on the Hacker track")
    refused(position, "key3 dive:take=3", "does not lie on the Hacker track")


def test_turns_pass_to_the_left_and_the_round_counts_up_at_the_first_player() -> None:
    position = table(to_play=1, first=0)
    assert (after(position, "key1 dive").to_play, after(position, "key1 dive").round) == (2, 3)
    last = table(to_play=2, first=0)
    assert (after(last, "key1 dive").to_play, after(last, "key1 dive").round) == (0, 4)


def test_at_18_the_round_is_finished_first() -> None:
    leading = table(me={"score": 17}, rules=Rules())
    position = leading.with_player(0, score=18)
    assert after(position, "key1 dive").over is None
    last = position._replace(to_play=2)
    done = after(last, "key1 dive")
    assert done.over == (0,) and done.to_play == 0 and done.round == 3
    assert done.steps() == () and list(turns(done)) == []
    with pytest.raises(IllegalStep, match="the game is over"):
        done.play(PlayKey(1, 1))


def test_the_last_to_play_is_the_player_before_the_first_player() -> None:
    position = table(to_play=0, first=1).with_player(1, score=20)
    assert after(position, "key1 dive").over == (1,)


def test_most_prestige_wins_then_most_cubes_then_it_is_shared() -> None:
    position = table(to_play=2).with_player(0, score=18).with_player(1, score=18)
    assert after(position, "key1 dive").over == (0, 1)
    assert after(position.with_player(1, zone=("", "m", "", "", "")), "key1 dive").over == (1,)
    assert after(position.with_player(2, score=19), "key1 dive").over == (2,)


def test_prestige_is_not_capped() -> None:
    rich = table(me={"score": 17, "zone": ("", "", "", "", "mpf"), "private": ("free111",)})
    assert me_after(rich, "contract:free111@5=mpf key1 dive").score == 22


def test_a_turn_needs_a_key_and_a_dive() -> None:
    with pytest.raises(IllegalStep, match="a turn needs a key"):
        table().play_turn(steps("key1"))
    refused(table(), "dive:cube", "no key was played")


def test_a_turn_can_be_followed_step_by_step() -> None:
    position = after(table(), "key1 propel:plant-1")
    assert position.player.divers[3] == "plant" and position.so_far == "key1 propel:plant-1"
    assert position.start_of_turn == table()
    assert {str(step) for step in position.steps()} >= {"dive", "dive:cube", "sponsor:credit"}
    assert "propel:spy+1" not in {str(step) for step in position.steps()}, "the only battery is spent"

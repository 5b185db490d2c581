"""Contracts, rewards, deck and bag."""

import pytest
from rules_tables import after, column, me_after, table

from companion.rules import IllegalStep, Position, turns


def refused(position: Position, turn: str, why: str) -> None:
    with pytest.raises(IllegalStep, match=why):
        after(position, turn)


def holding(*cards: str, zone: tuple[str, ...] = ("", "", "", "", "mmppft"), **me: object) -> Position:
    return table(me={"private": cards, "zone": zone, **me})


def test_a_specific_contract_takes_exactly_its_cubes_from_one_level() -> None:
    done = me_after(holding("mp"), "contract:mp@5 key1 dive")
    assert done.zone[4] == "mpft" and done.score == 2 and done.private == ()
    refused(holding("mp", zone=("m", "p", "", "", "")), "contract:mp@1", "level 1 holds m, not mp")


def test_a_free_contract_takes_each_number_in_a_different_colour() -> None:
    position = holding("free21")
    offered = {str(step) for step in position.steps() if "free21" in str(step)}
    assert offered == {f"contract:free21@5={cubes}" for cubes in ("mmp", "mmf", "mmt", "mpp", "ppf", "ppt")}
    assert me_after(position, "contract:free21@5=ppt key1 dive").zone[4] == "mmf"
    refused(holding("free21", zone=("", "", "", "", "mmm")), "contract:free21@5=mmm", "does not pay")
    refused(position, "contract:free21@5", "say which cubes")


def test_the_bonus_is_a_credit_a_battery_or_both() -> None:
    position = holding("f-credit", "t-battery", zone=("f", "t", "", "", ""))
    done = me_after(position, "contract:f-credit@1 contract:t-battery@2 key3 dive")
    assert (done.score, done.credits, done.batteries) == (2, 4, 2)
    both = me_after(holding("ft-both"), "contract:ft-both@5 key3 dive")
    assert (both.score, both.credits, both.batteries) == (2, 4, 2)


@pytest.mark.parametrize(("token", "score", "money"), [("?:credits", 2, 5), ("battery:prestige", 3, 3)])
def test_the_permanent_reward_of_the_level_is_gained(token: str, score: int, money: int) -> None:
    position = holding("mp", rewards=(None, None, None, None, token))
    done = me_after(position, "contract:mp@5 key1 dive")
    assert (done.score, done.credits) == (score, money)
    elsewhere = holding("mp", rewards=(token, token, token, token, None))
    assert me_after(elsewhere, "contract:mp@5 key1 dive").score == 2


def test_a_public_contract_is_replaced_at_once() -> None:
    position = table(me={"zone": ("", "", "", "", "mp")}, public=("big0", "mp", "big1"))
    done = after(position, "contract:mp@5 key1 dive")
    assert done.public == ("big0", "big3", "big1") and done.deck == ("big4", "big5", "big6", "big7")
    assert after(position.as_seen_at_table(), "contract:mp@5 key1 dive").public == ("big0", None, "big1")
    assert after(position._replace(deck=()), "contract:mp@5 key1 dive").public == ("big0", "", "big1")


def test_the_card_that_replaces_one_can_be_completed_in_the_same_turn() -> None:
    position = table(
        me={"zone": ("", "", "", "", "mmpp")}, public=("mp", "big1", "big2"), deck=("ppm", "big3")
    )
    assert me_after(position, "contract:mp@5 key1 dive").score == 2
    rich = position.with_player(0, zone=("", "", "", "mp", "mpp"))
    assert me_after(rich, "contract:mp@4 contract:ppm@5 key1 dive").score == 5


def test_an_unknown_card_cannot_be_used() -> None:
    position = table(me={"private": (None,), "zone": ("", "", "", "", "mmppft")}, public=(None, "", "big0"))
    assert not any("contract" in str(step) for step in position.steps() if "big0" not in str(step))


def test_contracts_come_at_any_moment_of_the_own_turn() -> None:
    position = holding("mp", batteries=2)
    for turn in (
        "contract:mp@5 key5 sponsor:battery propel:tech+1 dive:cube oxygen",
        "key5 contract:mp@5 sponsor:battery propel:tech+1 dive:cube oxygen",
        "key5 sponsor:battery contract:mp@5 propel:tech+1 dive:cube oxygen",
        "key5 sponsor:battery propel:tech+1 contract:mp@5 dive:cube oxygen",
    ):
        assert me_after(position, turn).zone[4] == "mpftt"
    full = "key5 sponsor:battery propel:tech+1 dive:cube"
    refused(position, full, "level 5 is full")
    late = holding("mp", zone=("", "", "", "", "mmpft"), batteries=2)
    assert me_after(late, f"{full} oxygen contract:mp@5") == me_after(late, f"{full} contract:mp@5 oxygen")


def test_several_contracts_in_one_turn_and_none_is_forced() -> None:
    position = holding("mp", "ppm", zone=("", "", "", "", "mmppp"))
    assert me_after(position, "contract:mp@5 contract:ppm@5 key1 dive").score == 5
    assert me_after(position, "key1 dive").score == 0


def test_a_contract_not_in_reach_is_refused() -> None:
    other = table(me={"zone": ("", "", "", "", "mp")}).with_player(1, private=("mp",))
    refused(other, "contract:mp@5", "neither public nor in Ana's hand")
    refused(table(), "contract:c99@5", "there is no contract c99")


def test_no_contract_comes_between_an_explorers_front_and_its_back() -> None:
    me = {"divers": column({5: "explorer"}), "private": ("mp",), "zone": ("", "", "", "", "p")}
    display = (("battery:credits", "battery:credits"),) * 4 + (("metal|fuel:credits", "battery:credits"),)
    done = me_after(table(me=me, display=display), "key5 dive:explore=1/m contract:mp@5")
    assert (done.score, done.credits) == (2, 3 - 2 + 2), "the back already lies there"


# Fronts


def exploring(token: str, **changes: object) -> Position:
    me = {"divers": column({3: "explorer"}), **changes.pop("me", {})}  # type: ignore[dict-item]
    return table(me=me, display=((token, ""),) * 5, **changes)  # type: ignore[arg-type]


def offered(position: Position) -> set[str]:
    return {str(step) for step in after(position, "key3").steps() if "explore=" in str(step)}


def test_a_cube_front_asks_for_one_of_two_colours() -> None:
    assert offered(exploring("metal|tech:credits")) == {"dive:explore=1/m", "dive:explore=1/t"}
    assert me_after(exploring("metal|tech:credits"), "key3 dive:explore=1/t").zone[2] == "t"
    refused(exploring("metal|tech:credits"), "key3 dive:explore=1/p", "asks for a colour of its own")


def test_battery_and_prestige_fronts_ask_for_nothing() -> None:
    assert me_after(exploring("battery:credits"), "key3 dive:explore=1").batteries == 2
    assert me_after(exploring("prestige:credits"), "key3 dive:explore=1").score == 1


def test_a_contracts_front_draws_four_and_keeps_one() -> None:
    position = after(exploring("contracts:credits"), "key3 dive:explore=1/draw=big5")
    assert position.players[0].private == ("big5",) and position.deck == ("big7", "big3", "big4", "big6")


def test_an_upgrade_front_upgrades_any_own_diver_without_prestige() -> None:
    position = exploring("upgrade:credits")
    assert len(offered(position)) == 8
    done = me_after(position, "key3 dive:explore=1/upgrade=spy")
    assert "spy+" in done.divers and done.score == 0


def test_a_front_that_can_do_something_may_not_be_declined() -> None:
    refused(exploring("metal|tech:credits"), "key3 dive:explore=1/none", "may not be declined")


def test_a_front_that_can_do_nothing_does_nothing_and_the_token_is_taken() -> None:
    full = exploring("metal|tech:credits", me={"zone": ("", "", "mmmm", "", "")})
    assert offered(full) == {"dive:explore=1/none"}
    assert me_after(full, "key3 dive:explore=1/none").rewards[2] == "metal|tech:credits"
    assert offered(exploring("contracts:credits", deck=())) == {"dive:explore=1/none"}
    better = tuple(f"{tile.removesuffix('+')}+" for tile in column({3: "explorer"}))
    assert offered(exploring("upgrade:credits", me={"divers": better})) == {"dive:explore=1/none"}


@pytest.mark.parametrize("token", ["", None, "?:credits"])
def test_an_empty_or_unknown_place_of_the_display_cannot_be_used(token: str | None) -> None:
    position = exploring(token)  # type: ignore[arg-type]
    assert offered(position) == set()
    refused(position, "key3 dive:explore=1", "reward token")


def test_an_older_reward_is_discarded_before_the_new_one_is_drawn() -> None:
    me = {"rewards": (None, None, "upgrade:prestige", None, None)}
    position = after(exploring("battery:credits", me=me, bag=()), "key3 dive:explore=1")
    assert position.players[0].rewards[2] == "battery:credits"
    assert position.display[2][0] == "upgrade:prestige", "it went into the empty bag and was drawn"
    assert position.bag == () and position.reward_discard == ()


def test_discarded_rewards_fill_an_empty_bag_in_the_order_discarded() -> None:
    discard = ("prestige:credits", "contracts:credits")
    position = after(exploring("battery:credits", bag=(), reward_discard=discard), "key3 dive:explore=1")
    assert position.display[2][0] == "prestige:credits"
    assert position.bag == ("contracts:credits",) and position.reward_discard == ()


def test_an_empty_bag_with_nothing_discarded_leaves_the_place_empty() -> None:
    assert after(exploring("battery:credits", bag=()), "key3 dive:explore=1").display[2][0] == ""


def test_an_unknown_bag_is_never_empty() -> None:
    position = after(exploring("battery:credits", bag=None), "key3 dive:explore=1")
    assert position.display[2][0] is None and position.bag is None


def test_sponsor_2_advanced_on_an_empty_bag_draws_its_own_token_again() -> None:
    position = table(sponsors=("1", "3", "2a", "4", "5"), bag=())
    done = after(position, "key3 sponsor:reward=1 dive")
    assert done.display[2][0] == "battery:credits" and done.reward_discard == () and done.bag == ()


def test_every_moment_of_a_contract_is_among_the_turns() -> None:
    me = {
        "divers": column({3: "spy"}),
        "keys": (3,),
        "track": (1, 2, 4, 5, "X"),
        "zone": ("", "", "", "", "mp"),
        "batteries": 0,
    }
    position = table(me=me, public=("mp", "big1", "big2"))
    decks = {
        p.deck for _, p in turns(position) if p.players[0].private == ("big4",) and p.players[0].score == 2
    }
    contract_first = ("big5", "big6", "big7")  # big3 replaced the contract, then big4 to big7 were drawn
    draw_first = ("big3", "big5", "big6")  # big3 to big6 were drawn, then big7 replaced the contract
    assert decks == {contract_first, draw_first}

"""The eight divers, both sides, and the Spy's copying with its variant."""

import pytest
from rules_tables import after, column, me_after, table

from companion.rules import IllegalStep, Position, Rules, Store, turns


def refused(position: Position, turn: str, why: str) -> None:
    with pytest.raises(IllegalStep, match=why):
        after(position, turn)


def diver(tile: str, players: int = 3, **me: object) -> Position:
    """The tile at level 3."""
    return table(players, me={"divers": column({3: tile}), **me})


def offered(position: Position, turn: str = "key3") -> set[str]:
    return {str(step) for step in after(position, turn).steps() if str(step).startswith("dive:")}


@pytest.mark.parametrize(("expert", "cube"), [("metal", "m"), ("plant", "p"), ("fuel", "f"), ("tech", "t")])
def test_an_expert_finds_a_cube_of_its_colour_at_its_level(expert: str, cube: str) -> None:
    assert me_after(diver(expert), "key3 dive:cube").zone == ("", "", cube, "", "")
    assert offered(diver(expert)) == {"dive:cube"}


@pytest.mark.parametrize(("level", "room"), [(1, 3), (2, 3), (3, 4), (4, 5), (5, 6)])
def test_a_level_holds_so_many_cubes(level: int, room: int) -> None:
    zone = tuple("m" * room if i == level else "" for i in range(1, 6))
    position = table(me={"zone": zone, "divers": column({level: "metal"})})
    refused(position, f"key{level} dive:cube", f"level {level} is full")


def test_cubes_are_kept_in_the_order_metal_plant_fuel_tech() -> None:
    assert me_after(diver("plant", zone=("", "", "mft", "", "")), "key3 dive:cube").zone[2] == "mpft"


def test_cube_and_bonus_are_each_optional() -> None:
    position = diver("plant+")
    assert offered(position) == {"dive:cube", "dive:bonus", "dive:cube+bonus"}
    assert me_after(position, "key3 dive:bonus").credits == 4
    assert me_after(position, "key3 dive:cube").credits == 3
    refused(diver("plant"), "key3 dive:bonus", "not upgraded")


def test_the_bonus_does_not_need_the_cube() -> None:
    assert me_after(diver("fuel+", zone=("", "", "mmmm", "", "")), "key3 dive:bonus").batteries == 2


def test_an_upgraded_metal_expert_gains_a_neutral_x_key_for_the_next_turn() -> None:
    position = after(diver("metal+"), "key3 dive:cube+bonus")
    assert position.players[0].neutral_x == 1 and position.supply_x == 11


def test_no_neutral_x_key_is_gained_from_an_empty_supply() -> None:
    position = diver("metal+")._replace(supply_x=0)
    assert offered(position) == {"dive:cube"}
    refused(position, "key3 dive:bonus", "no neutral X key is left")


def test_an_upgraded_tech_expert_takes_back_an_own_key() -> None:
    position = diver("tech+", keys=(3, 4, 5), track=(1, "N", 2, "X"))
    assert offered(position) == {
        "dive:cube",
        *(f"dive:{cube}take={key}" for cube in ("", "cube+") for key in (1, 2, "X")),
    }
    done = me_after(position, "key3 dive:cube+take=2")
    assert done.keys == (2, 4, 5) and done.track == (1, "N", "X", 3)
    refused(position, "key3 dive:bonus", "write take=")


def test_the_trader_sells_only_what_lies_at_its_level_to_a_column_with_room() -> None:
    position = diver("trader", zone=("p", "", "m", "", ""))
    refused(position, "key3 dive:sell=p/credits", "no p cube at level 3")
    refused(position._replace(store=Store(metal=3)), "key3 dive:sell=m/credits", "column is full")


@pytest.mark.parametrize(("filled", "worth", "prestige"), [(0, 3, 1), (1, 2, 0), (2, 1, 0)])
def test_a_sale_gives_the_rows_credits_or_prestige(filled: int, worth: int, prestige: int) -> None:
    position = diver("trader", zone=("", "", "m", "", ""))._replace(store=Store(metal=filled))
    assert me_after(position, "key3 dive:sell=m/credits").credits == 3 + worth
    assert after(position, "key3 dive:sell=m/credits").store.metal == filled + 1
    if prestige:
        assert me_after(position, "key3 dive:sell=m/prestige").score == prestige
    else:
        refused(position, "key3 dive:sell=m/prestige", "gives no prestige")
    better = diver("trader+", zone=("", "", "m", "", ""))._replace(store=Store(metal=filled))
    assert me_after(better, "key3 dive:sell=m/credits").credits == 3 + worth + 1
    assert me_after(better, "key3 dive:sell=m/prestige").score == prestige + 1


@pytest.mark.parametrize(("filled", "price"), [(1, 3), (2, 2), (3, 1)])
def test_a_cube_is_bought_from_the_lowest_filled_row(filled: int, price: int) -> None:
    position = diver("trader")._replace(store=Store(fuel=filled))
    done = after(position, "key3 dive:buy=f")
    assert done.players[0].credits == 3 - price and done.players[0].zone[2] == "f"
    assert done.store.fuel == filled - 1
    assert (
        me_after(diver("trader+")._replace(store=Store(fuel=filled)), "key3 dive:buy=f").credits == 4 - price
    )


def test_an_upgraded_trader_never_pays_less_than_nothing() -> None:
    position = diver("trader+")._replace(store=Store(fuel=1), rules=Rules(store=((0, 0),)))
    assert me_after(position, "key3 dive:buy=f").credits == 3


def test_nothing_is_bought_without_stock_room_or_money() -> None:
    position = diver("trader")._replace(store=Store(metal=1))
    refused(position, "key3 dive:buy=p", "no p cube")
    refused(position.with_player(0, credits=2), "key3 dive:buy=m", "costs 3")
    refused(position.with_player(0, zone=("", "", "pppp", "", "")), "key3 dive:buy=m", "level 3 is full")


def test_the_spy_draws_4_keeps_1_and_puts_the_rest_under_the_deck() -> None:
    position = after(diver("spy"), "key3 dive:draw=big4")
    assert position.players[0].private == ("big4",) and position.players[0].credits == 2
    assert position.deck == ("big7", "big3", "big5", "big6")
    assert me_after(diver("spy+"), "key3 dive:draw=big4").credits == 3
    refused(diver("spy"), "key3 dive:draw=big7", "the cards drawn are big3, big4, big5, big6")


def test_the_spy_draws_what_is_left_but_at_least_one() -> None:
    position = diver("spy")._replace(deck=("big3", "big4"))
    assert {step for step in offered(position) if "draw" in step} == {"dive:draw=big3", "dive:draw=big4"}
    assert after(position, "key3 dive:draw=big4").deck == ("big3",)
    refused(position._replace(deck=()), "key3 dive:draw=big3", "deck is empty")


def test_a_card_drawn_from_an_unknown_deck_is_unknown_until_somebody_shows_it() -> None:
    position = diver("spy").as_seen_at_table()
    assert {step for step in offered(position) if "draw" in step} == {"dive:draw=?"}
    assert me_after(position, "key3 dive:draw=?").private == (None,)
    assert me_after(position, "key3 dive:draw=big5").private == ("big5",)
    refused(position, "key3 dive:draw=big0", "not in the deck")


def test_the_engineer_improves_one_technician_by_one_step_for_a_credit() -> None:
    done = me_after(diver("engineer"), "key3 dive:engineer=hacker")
    assert (done.hacker, done.mechanic, done.credits) == (1, 0, 2)
    assert me_after(diver("engineer+"), "key3 dive:engineer=mechanic").credits == 3
    refused(diver("engineer", mechanic=3), "key3 dive:engineer=mechanic", "already improved 3 times")
    refused(diver("engineer", credits=0), "key3 dive:engineer=hacker", "costs 1")


def test_the_explorer_pays_2_or_upgraded_1() -> None:
    assert me_after(diver("explorer"), "key3 dive:explore=2").credits == 1
    assert me_after(diver("explorer+"), "key3 dive:explore=2").credits == 2


def test_the_explorer_places_the_token_it_took_and_a_new_one_is_drawn() -> None:
    position = after(diver("explorer"), "key3 dive:explore=2")
    assert position.players[0].score == 1 and position.players[0].rewards[2] == "prestige:prestige"
    assert position.display[2] == ("battery:credits", "battery:credits")
    assert position.bag == ("prestige:prestige",) and position.reward_discard == ()


def neighbours(left: str, right: str, **me: object) -> Position:
    position = diver("spy", **me)
    position = position.with_player(1, divers=column({3: left}))
    return position.with_player(2, divers=column({3: right}))


def test_the_spy_uses_the_neighbours_diver_at_its_level_as_if_it_stood_on_the_own_board() -> None:
    position = neighbours("plant", "fuel+")
    done = after(position, "key3 dive:left/cube")
    assert done.players[0].zone[2] == "p" and done.players[0].credits == 2
    assert done.players[1] == position.players[1], "the neighbour's board does not change"
    right = me_after(position, "key3 dive:right/cube+bonus")
    assert right.zone[2] == "f" and right.batteries == 2
    refused(position, "key3 dive:left/bonus", "not upgraded")


def test_copying_pays_the_copied_divers_cost_too() -> None:
    position = neighbours("engineer", "explorer+")
    assert me_after(position, "key3 dive:left/engineer=hacker").credits == 1
    assert me_after(position, "key3 dive:right/explore=1").credits == 1
    refused(position.with_player(0, credits=1), "key3 dive:left/engineer=hacker", "costs 1")


def test_copying_a_spy_draws_for_its_cost_but_copies_no_further() -> None:
    position = neighbours("spy", "spy+")
    assert me_after(position, "key3 dive:left/draw=big3").credits == 1
    assert me_after(position, "key3 dive:right/draw=big3").credits == 2
    assert not any("left/left" in step or "left/cube" in step for step in offered(position))


def test_a_copy_must_do_something() -> None:
    full = neighbours("plant", "metal+", zone=("", "", "mmmm", "", ""))._replace(supply_x=0)
    assert not any("left" in step or "right" in step for step in offered(full))


def test_left_is_the_next_player_and_with_two_players_there_is_only_left() -> None:
    pair = table(2, to_play=1, me={"divers": column({3: "spy"})}).with_player(0, divers=column({3: "plant"}))
    assert {step for step in offered(pair) if "/" in step} == {"dive:left/cube"}
    refused(pair, "key3 dive:right/cube", "on the left")


def test_only_a_spy_copies() -> None:
    refused(diver("plant"), "key3 dive:left/cube", "only a Spy copies")


VARIANT = Rules(spy_variant=True)


def test_in_the_variant_the_credit_goes_to_the_neighbour_and_its_diver_resurfaces() -> None:
    position = neighbours("plant", "fuel")._replace(rules=VARIANT)
    done = after(position, "key3 dive:left/cube")
    assert done.players[1].credits == 4 and done.players[1].divers[0] == "plant"
    kept = after(position, "key3 dive:left/cube oxygen:left")
    assert kept.players[1].divers == position.players[1].divers and kept.players[1].batteries == 0
    refused(position.with_player(1, batteries=0), "key3 dive:left/cube oxygen:left", "Ben has no battery")
    refused(position, "key3 dive:left/cube oxygen:right", "has to resurface")


def test_without_the_variant_nobody_else_breathes() -> None:
    refused(neighbours("plant", "fuel"), "key3 dive:left/cube oxygen:left", "has to resurface")


def test_in_the_variant_a_free_spy_pays_the_neighbour_nothing() -> None:
    position = neighbours("plant", "fuel")._replace(rules=VARIANT).with_player(0, divers=column({3: "spy+"}))
    done = after(position, "key3 dive:left/cube")
    assert done.players[1].credits == 3 and done.players[1].divers[0] == "plant"


def test_in_the_variant_the_copied_divers_cost_goes_to_the_supply() -> None:
    done = after(neighbours("engineer", "fuel")._replace(rules=VARIANT), "key3 dive:left/engineer=hacker")
    assert done.players[0].credits == 1 and done.players[1].credits == 4


def test_in_the_variant_a_diver_copied_twice_resurfaces_once() -> None:
    position = neighbours("plant", "fuel")._replace(rules=VARIANT, sponsors=("1", "3", "2", "4", "5"))
    twice = "key3 sponsor:double dive:left/cube dive:left/cube"
    assert after(position, twice).players[1].divers == (
        "plant",
        *(d for d in position.players[1].divers if d != "plant"),
    )
    assert after(position, twice).players[1].credits == 5
    kept = after(position, f"{twice} oxygen:left")
    assert kept.players[1].batteries == 0 and kept.players[1].divers == position.players[1].divers
    both = after(position, "key3 sponsor:double dive:left/cube dive:right/cube oxygen:right")
    assert both.players[1].divers[0] == "plant" and both.players[2].divers == position.players[2].divers


def test_in_the_variant_drawing_pays_no_neighbour() -> None:
    position = neighbours("plant", "fuel")._replace(rules=VARIANT)
    assert [p.credits for p in after(position, "key3 dive:draw=big3").players] == [2, 3, 3]


def test_both_answers_of_the_neighbour_are_among_the_turns() -> None:
    position = neighbours("plant", "fuel", keys=(3,), track=(1, 2, 4, 5, "X"))._replace(rules=VARIANT)
    endings = {
        (p.players[1].divers[0], p.players[1].batteries)
        for _, p in turns(position)
        if p.players[1].credits == 4
    }
    assert endings == {("plant", 1), ("trader", 0)}

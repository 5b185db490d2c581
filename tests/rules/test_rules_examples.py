"""The worked examples of the rulebook, by the names they have there (the French edition's)."""

from rules_tables import after, column, me_after, table

from companion.rules import Rules, Store


def test_noelie_improves_her_mechanic_and_gets_all_keys_back() -> None:
    noelie = table(
        me={"keys": (1,), "track": (2, 3, 4, 5, "X"), "divers": column({1: "engineer"})},
        sponsors=("3", "1", "2", "4", "5"),
    )
    done = me_after(noelie, "key1 dive:engineer=mechanic")
    assert done.credits == 2
    assert noelie.rules.mechanic[done.mechanic] == 2
    assert done.keys == (1, 2, 3, 4, 5, "X") and done.track == ()
    assert done.divers[0] == "engineer"


def test_pauline_plays_her_x_key_for_a_key_already_played() -> None:
    pauline = table(
        me={"keys": (1, 3, 5, "X"), "track": (2, 4), "divers": column({2: "fuel+"}), "batteries": 0},
        sponsors=("3", "1", "2", "4", "5"),
    )
    position = after(pauline, "x2 sponsor:take=4 dive:cube+bonus")
    done = position.players[0]
    assert position.sponsors == ("5", "3", "1", "2", "4")
    assert done.keys == (1, 3, 4, 5) and done.track == (2, "X")
    assert done.zone == ("", "f", "", "", "")
    assert done.batteries == 1
    assert done.divers[0] == "fuel+"


def test_delphine_propels_her_metal_expert_and_keeps_it_below() -> None:
    delphine = table(
        me={"divers": column({2: "metal"}), "mechanic": 2, "batteries": 2},
        sponsors=("2", "3", "4", "1", "5"),
    )
    assert delphine.rules.mechanic[2] == 3
    done = me_after(delphine, "key4 sponsor:credit propel:metal+2 dive:cube oxygen")
    assert done.credits == 4 and done.batteries == 0
    assert done.zone == ("", "", "", "m", "")
    assert done.diver_at(4) == "metal"
    passed = delphine.player.divers[5:7]
    assert done.divers[4:6] == passed, "the divers it passed went up one place"


def test_rodrigue_completes_a_contract_with_the_plant_he_just_found() -> None:
    rodrigue = table(
        me={"divers": column({5: "plant"}), "zone": ("", "", "", "", "mpt"), "private": ("ppm",)},
    )
    done = me_after(rodrigue, "key5 sponsor:battery dive:cube contract:ppm@5")
    assert done.batteries == 2
    assert done.score == 3
    assert done.zone[4] == "t", "other resources of the level stay in place"
    assert done.private == ()
    assert done.divers[0] == "plant" and done.track == (5,)


def _trader(tile: str, zone: str = "mff") -> dict[str, object]:
    return {"divers": column({5: tile}), "zone": ("", "", "", "", zone), "credits": 3}


def test_noelie_sells_metal_to_the_second_row() -> None:
    store = Store(metal=1, plant=1, fuel=2, tech=0)
    position = after(table(me=_trader("trader"), store=store), "key5 dive:sell=m/credits")
    assert position.players[0].credits == 3 + 2
    assert position.store == Store(metal=2, plant=1, fuel=2, tech=0)
    fuel = after(table(me=_trader("trader"), store=store), "key5 dive:sell=f/credits")
    assert fuel.players[0].credits == 3 + 1


def test_noelie_could_have_bought_instead() -> None:
    store = Store(metal=1, plant=1, fuel=2, tech=0)
    noelie = table(me=_trader("trader"), store=store)
    offered = {str(step) for step in after(noelie, "key5").steps()}
    assert {"dive:buy=m", "dive:buy=p", "dive:buy=f"} <= offered
    assert "dive:buy=t" not in offered
    for cube, price in (("m", 3), ("p", 3), ("f", 2)):
        assert me_after(noelie, f"key5 dive:buy={cube}").credits == 3 - price


def test_noelie_could_have_sold_tech_for_credits_or_prestige() -> None:
    store = Store(metal=1, plant=1, fuel=2, tech=0)
    noelie = table(me=_trader("trader", "mfft"), store=store)
    assert me_after(noelie, "key5 dive:sell=t/credits").credits == 3 + 3
    assert me_after(noelie, "key5 dive:sell=t/prestige").score == 1


def test_noelie_with_an_upgraded_trader() -> None:
    store = Store(metal=1, plant=1, fuel=2, tech=0)
    noelie = table(me=_trader("trader+"), store=store)
    assert me_after(noelie, "key5 dive:sell=m/credits").credits == 3 + 3
    assert me_after(noelie, "key5 dive:sell=m/prestige").score == 1


def test_pauline_explores_level_4() -> None:
    display = [("battery:credits", "battery:credits")] * 5
    display[3] = ("metal|fuel:credits", "battery:prestige")
    pauline = table(
        rules=Rules(),
        me={"divers": column({4: "explorer"}), "private": ("mp",), "zone": ("", "", "", "p", "")},
        display=tuple(display),
    )
    position = after(pauline, "key4 dive:explore=1/m")
    done = position.players[0]
    assert done.credits == 3 - 2
    assert done.zone[3] == "mp"
    assert done.rewards[3] == "metal|fuel:credits"
    assert position.display[3] == ("battery:credits", "battery:prestige"), "a new token was drawn"
    again = position._replace(to_play=0)
    assert me_after(again, "contract:mp@4 key1 dive").credits == 1 + 2, (
        "from now on 2 credits with a contract there"
    )

"""The five sponsors, both sides, both editions."""

import pytest
from rules_tables import after, column, me_after, table

from companion.rules import IllegalStep, Position, Rules, turns


def with_sponsor(sponsor: str, **arguments: object) -> Position:
    """The sponsor at level 3."""
    others = [number for number in "12345" if number != sponsor[0]]
    sponsors = (*others[:2], sponsor, *others[2:])
    return table(sponsors=sponsors, **arguments)  # type: ignore[arg-type]


def offered(position: Position) -> set[str]:
    return {str(step) for step in position.steps()}


def test_a_sponsor_may_be_declined_and_is_used_once() -> None:
    assert me_after(with_sponsor("1"), "key3 dive").credits == 3
    with pytest.raises(IllegalStep, match="already used"):
        after(with_sponsor("1"), "key3 sponsor:credit sponsor:credit")


def test_only_the_sponsor_at_the_keys_level_may_be_used() -> None:
    with pytest.raises(IllegalStep, match="not what sponsor"):
        after(with_sponsor("5"), "key3 sponsor:credit")


def test_sponsor_1_gives_a_credit() -> None:
    assert me_after(with_sponsor("1"), "key3 sponsor:credit dive").credits == 4


@pytest.mark.parametrize(
    ("tile", "dive"),
    [
        ("trader", "dive:buy=m"),
        ("spy", "dive:draw=big3"),
        ("engineer", "dive:engineer=hacker"),
        ("explorer", "dive:explore=1"),
    ],
)
def test_sponsor_1_advanced_waives_the_credits_of_the_own_diver(tile: str, dive: str) -> None:
    from companion.rules import Store

    position = with_sponsor("1a", me={"divers": column({3: tile}), "credits": 0}, store=Store(metal=1))
    assert me_after(position, f"key3 sponsor:free {dive}").credits == 0
    with pytest.raises(IllegalStep, match="it costs"):
        after(position, f"key3 {dive}")


def test_sponsor_1_advanced_does_not_pay_for_a_copied_diver() -> None:
    position = with_sponsor("1a", me={"divers": column({3: "spy"}), "credits": 1})
    position = position.with_player(1, divers=column({3: "engineer"}))
    assert me_after(position, "key3 sponsor:free dive:left/engineer=hacker").credits == 0
    with pytest.raises(IllegalStep, match="it costs"):
        after(position.with_player(0, credits=0), "key3 sponsor:free dive:left/engineer=hacker")


def test_sponsor_2_uses_the_effect_twice_each_paid_with_different_options() -> None:
    position = with_sponsor("2", me={"divers": column({3: "engineer"})})
    done = me_after(position, "key3 sponsor:double dive:engineer=hacker dive:engineer=mechanic")
    assert (done.hacker, done.mechanic, done.credits) == (1, 1, 1)
    assert me_after(position, "key3 sponsor:double dive:engineer=hacker").credits == 2


def test_sponsor_2_lets_a_contract_come_between() -> None:
    position = with_sponsor("2", me={"zone": ("", "", "mmpp", "", ""), "private": ("mp",)})
    done = me_after(position, "key3 sponsor:double contract:mp@3 dive:cube dive:cube")
    assert done.zone[2] == "mpff" and done.score == 2


def test_without_sponsor_2_there_is_one_effect() -> None:
    with pytest.raises(IllegalStep, match="already used or declined"):
        after(with_sponsor("1"), "key3 dive:cube dive:cube")


def test_sponsor_2_pays_less_for_an_explorer_upgraded_in_between() -> None:
    me = {"divers": column({3: "explorer"}), "credits": 3}
    position = with_sponsor("2", me=me, display=(("upgrade:credits", "battery:credits"),) * 5)
    done = me_after(position, "key3 sponsor:double dive:explore=1/upgrade=explorer dive:explore=2")
    assert done.credits == 0 and "explorer+" in done.divers


def test_sponsor_2_advanced_uses_a_reward_of_this_level_and_discards_it() -> None:
    position = with_sponsor("2a")
    done = after(position, "key3 sponsor:reward=1 dive")
    assert done.players[0].batteries == 2
    assert done.display[2] == ("battery:credits", "prestige:prestige") and done.bag == ("prestige:prestige",)
    assert done.reward_discard == ("battery:credits",)
    assert done.players[0].rewards == (None,) * 5, "only the Explorer places rewards"
    with pytest.raises(IllegalStep, match="has to lie at level 3"):
        after(position, "key3 sponsor:reward=4.1")


def test_sponsor_2_advanced_of_the_german_edition_uses_a_reward_of_any_level() -> None:
    display = [("battery:credits", "battery:credits")] * 5
    display[4] = ("metal|plant:credits", "battery:credits")
    position = with_sponsor("2a", rules=Rules(edition="de"), display=tuple(display))
    done = after(position, "key3 sponsor:reward=5.1/p dive")
    assert done.players[0].zone[2] == "p", "the cube goes to the key's level"
    assert done.display[4][0] == "battery:credits"


def test_sponsor_3_takes_back_an_own_key() -> None:
    position = with_sponsor("3", me={"keys": (2, 3, "X"), "track": (1, "N", 4, 5)})
    assert {step for step in offered(after(position, "key3")) if "take" in step} == {
        "sponsor:take=1",
        "sponsor:take=4",
        "sponsor:take=5",
    }
    done = me_after(position, "key3 sponsor:take=4 dive")
    assert done.keys == (2, 4, "X") and done.track == (1, "N", 5, 3)


def test_sponsor_3_takes_back_the_own_x_key() -> None:
    position = with_sponsor("3", me={"keys": (1, 2, 3, 4, 5), "track": ("X",)})
    assert me_after(position, "key3 sponsor:take=X dive").keys == (1, 2, 4, 5, "X")


def test_sponsor_3_advanced_brings_the_deepest_diver_to_the_top() -> None:
    position = after(with_sponsor("3a"), "key3 sponsor:resurface")
    assert position.player.divers == (
        "explorer",
        "trader",
        "spy",
        "engineer",
        "metal",
        "plant",
        "fuel",
        "tech",
    )
    assert me_after(with_sponsor("3a"), "key3 sponsor:resurface dive:cube").zone[2] == "p", (
        "another diver now"
    )


def test_sponsor_4_upgrades_the_diver_activated_for_2_credits_and_1_prestige() -> None:
    done = me_after(with_sponsor("4"), "key3 sponsor:upgrade=fuel dive:cube+bonus")
    assert (done.credits, done.score, done.batteries, done.divers[0]) == (1, 1, 2, "fuel+")


def test_sponsor_4_may_upgrade_a_diver_that_propellers_then_bring_to_the_level() -> None:
    position = with_sponsor("4")
    done = me_after(position, "key3 sponsor:upgrade=plant propel:plant+1 dive:cube+bonus")
    assert (done.zone[2], done.credits, done.score) == ("p", 2, 1)


def test_sponsor_4_is_refused_for_a_diver_that_cannot_be_activated() -> None:
    assert {step for step in offered(after(with_sponsor("4"), "key3")) if "upgrade" in step} == {
        "sponsor:upgrade=plant",
        "sponsor:upgrade=fuel",
        "sponsor:upgrade=tech",
    }
    with pytest.raises(IllegalStep, match="could not be activated"):
        after(with_sponsor("4"), "key3 sponsor:upgrade=trader")
    with pytest.raises(IllegalStep, match="has to be the one activated"):
        after(with_sponsor("4", me={"batteries": 2}), "key3 sponsor:upgrade=plant dive:cube")


def test_sponsor_4_counts_on_the_battery_of_a_contract() -> None:
    me = {"batteries": 0, "zone": ("", "", "", "", "t"), "private": ("t-battery",)}
    position = with_sponsor("4", me=me)
    turn = "key3 sponsor:upgrade=plant contract:t-battery@5 propel:plant+1 dive:bonus"
    assert me_after(position, turn).divers[0] == "plant+"


def test_sponsor_4_does_not_upgrade_twice() -> None:
    position = with_sponsor("4", me={"divers": column({3: "fuel+"}), "batteries": 0})
    assert not any("upgrade" in step for step in offered(after(position, "key3")))
    with pytest.raises(IllegalStep, match="already upgraded"):
        after(position, "key3 sponsor:upgrade=fuel")


def test_sponsor_4_advanced_upgrades_a_diver_on_the_surface() -> None:
    position = with_sponsor("4a")
    assert {step for step in offered(after(position, "key3")) if "upgrade" in step} == {
        "sponsor:upgrade=trader",
        "sponsor:upgrade=spy",
        "sponsor:upgrade=engineer",
    }
    done = me_after(position, "key3 sponsor:upgrade=spy dive")
    assert (done.credits, done.score) == (1, 1) and "spy+" in done.divers


def test_sponsor_4_advanced_after_a_propeller_brought_a_diver_up() -> None:
    results = {
        p.players[0].divers
        for _, p in turns(with_sponsor("4a", me={"keys": (3,), "track": (1, 2, 4, 5, "X")}))
    }
    up = ("fuel", "trader", "spy", "metal+", "engineer", "plant", "tech", "explorer")
    assert up in results


def test_sponsor_5_gives_a_battery() -> None:
    assert me_after(with_sponsor("5"), "key3 sponsor:battery dive").batteries == 2
    assert me_after(with_sponsor("5a"), "key3 sponsor:battery dive").batteries == 2


def test_sponsor_5_advanced_moves_a_cube_either_way_for_a_battery() -> None:
    position = with_sponsor("5a", me={"zone": ("p", "fft", "m", "", "")})
    done = me_after(position, "key3 sponsor:move=m3>1 dive")
    assert done.zone[:3] == ("mp", "fft", "") and done.batteries == 0
    assert me_after(position, "key3 sponsor:move=f2>3 dive").zone[:3] == ("p", "ft", "mf")
    for move, why in (
        ("m3>2", "level 2 is full"),
        ("p1>2", "one of the two levels has to be 3"),
        ("t1>3", "no t cube"),
    ):
        with pytest.raises(IllegalStep, match=why):
            after(position, f"key3 sponsor:move={move}")
    with pytest.raises(IllegalStep, match="no battery"):
        after(position.with_player(0, batteries=0), "key3 sponsor:move=m3>1")


def test_sponsor_5_advanced_of_the_german_edition_swaps_two_colours() -> None:
    zone = ("mpf", "", "mmtt", "", "")
    position = with_sponsor("5a", rules=Rules(edition="de"), me={"zone": zone})
    assert me_after(position, "key3 sponsor:swap=t3<>p1 dive").zone == ("mft", "", "mmpt", "", "")
    with pytest.raises(IllegalStep, match="two different colours"):
        after(position, "key3 sponsor:swap=m3<>m1")
    with pytest.raises(IllegalStep, match="not what sponsor 5a"):
        after(position, "key3 sponsor:move=m3>2")
    with pytest.raises(IllegalStep, match="not what sponsor 5a"):
        after(position._replace(rules=Rules()), "key3 sponsor:swap=t3<>p1")

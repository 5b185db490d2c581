"""The JSON form of positions and cards, both ways, and what it refuses."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from odd_positions import odd_position
from rules_tables import CARDS, after, table

from companion.rules import Cards, MalformedCards, MalformedPosition, Position, Rules, new_game, sample_cards

DOC = {
    "game": "otys",
    "rules": {"edition": "fr", "spy_variant": False, "keys_to_recover": 6, "mechanic": [1, 2, 3, 4],
              "store": [[3, 1], [2, 0], [1, 0]], "neutral_x": 12, "trigger": 18},
    "to_play": 0, "first": 0, "round": 1,
    "players": [
        {"name": name, "colour": colour, "score": 0, "credits": 3, "batteries": 1,
         "keys": [1, 2, 3, 4, 5, "X"], "neutral_x": 0, "track": [],
         "hacker": 0, "mechanic": 0,
         "divers": ["trader", "metal", "spy", "plant", "tech+", "engineer", "fuel", "explorer"],
         "zone": ["", "m", "p", "f", "t"],
         "rewards": [None, None, None, None, None],
         "private": []}
        for name, colour in (("Ana", "red"), ("Ben", "blue"), ("Cleo", "green"))
    ],
    "sponsors": ["3", "1a", "5", "2", "4a"],
    "display": [["metal|plant:credits", "battery:prestige"], ["contracts:credits", "upgrade:prestige"],
                ["prestige:credits", "fuel|tech:credits"], ["battery:credits", "metal|tech:prestige"],
                ["plant|fuel:credits", "battery:credits"]],
    "store": {"metal": 1, "plant": 1, "fuel": 2, "tech": 0},
    "public": ["c04", "c17", "c21"],
    "supply_x": 12,
    "deck": None, "bag": None, "reward_discard": [],
}  # fmt: skip


def test_the_example_of_the_rules_reads_and_writes_the_same_text() -> None:
    assert json.dumps(Position.from_json(DOC).to_json()) == json.dumps(DOC)


@pytest.mark.parametrize("seed", range(60))
def test_every_position_comes_back_from_its_document(seed: int) -> None:
    position = odd_position(seed, heavy=True)
    document = json.loads(json.dumps(position.to_json()))
    assert Position.from_json(document) == position
    assert Position.from_json(document).to_json() == document


def test_a_position_shows_itself_so_that_it_can_be_rebuilt() -> None:
    for position in (new_game(seed=3), table(), after(table(), "key1 sponsor:credit")):
        assert eval(repr(position), {"Position": Position, "Cards": Cards}) == position


def test_the_middle_of_a_turn_is_its_start_and_the_steps_so_far() -> None:
    position = after(table(), "key1 propel:plant-1")
    document = position.to_json()
    assert document["so_far"] == "key1 propel:plant-1"
    assert {**document, "so_far": None} == {**table().to_json(), "so_far": None}
    again = Position.from_json(document, CARDS)
    assert again == position and again.steps() == position.steps()
    assert "so_far" not in table().to_json()


def test_a_game_that_is_over_names_its_winners() -> None:
    done = after(table(to_play=2).with_player(1, score=18), "key1 dive")
    assert done.to_json()["over"] == {"winners": [1]}
    assert Position.from_json(done.to_json(), CARDS) == done
    assert "over" not in table().to_json()


def test_settings_left_out_take_their_defaults() -> None:
    assert Position.from_json({**DOC, "rules": {"edition": "de"}}).rules == Rules(edition="de")
    assert Position.from_json({k: v for k, v in DOC.items() if k != "rules"}).rules == Rules()


def test_positions_are_compared_by_the_table_and_not_by_the_cards() -> None:
    other = Cards(tuple(sample_cards().contracts), ())
    assert Position.from_json(DOC) == Position.from_json(DOC, other)
    assert hash(Position.from_json(DOC)) == hash(Position.from_json(DOC, other))
    assert Position.from_json(DOC) != Position.from_json({**DOC, "round": 2})


def test_forgetting_the_deck_and_the_bag() -> None:
    position = new_game(seed=2)
    seen = position.as_seen_at_table()
    assert seen.deck is None and seen.bag is None and seen.players == position.players
    assert after(table(), "key1").as_seen_at_table().to_json()["deck"] is None


def _set(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(doc: dict[str, Any]) -> None:
        *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        here: Any = doc
        for part in way:
            here = here[part]
        here[last] = value

    return change


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        ("game", "chess", "game: 'chess' is not 'otys'"),
        ("players.0.divers.3", "metal", r"players\[0\].divers\[3\]: metal stands in the column twice"),
        ("players.0.divers.3", "cook", "no diver is called 'cook'"),
        ("players.0.divers", ["metal"], "missing from the column"),
        ("players.1.zone.0", "mmmm", r"players\[1\].zone\[0\]: 4 cubes, level 1 has room for 3"),
        ("players.1.zone.0", "x", "not made of the letters"),
        ("players.1.zone", ["", ""], "expected 5 entries, got 2"),
        ("players.2.track", [3], r"players\[2\].track\[0\]: key 3 also lies in players\[2\].keys\[2\]"),
        ("players.2.keys", [1, 2], "key 3 is neither available nor on the Hacker track"),
        ("players.2.keys.0", 7, "7 is not a key"),
        ("players.2.track", ["N"] * 13, "more than the 12 neutral X keys"),
        ("players.0.credits", -1, r"players\[0\].credits: -1 is not at least 0"),
        ("players.0.batteries", "1", "expected a whole number, got '1'"),
        ("players.0.hacker", 4, "4 is not from 0 to 3"),
        ("players.0.colour", "blue", "2 of them play 'blue'"),
        (
            "players.0.private",
            ["c99"],
            r"players\[0\].private\[0\]: 'c99' is not among the 32 contract cards",
        ),
        ("players.0.private", ["c04"], "contract c04 also lies in public"),
        ("players.0.rewards.2", "gold:credits", r"players\[0\].rewards\[2\]: front 'gold'"),
        ("players", [], "2 to 4 players, this has 0"),
        ("sponsors.1", "3a", r"sponsors\[1\]: sponsor 3 lies in the Display twice"),
        ("sponsors.1", "6", "'6' is not a sponsor"),
        ("display.2.1", "tech|fuel:credits", r"display\[2\]\[1\]: front 'tech\|fuel'"),
        ("store.fuel", 4, "store.fuel: 4 is not from 0 to 3"),
        ("public", ["c04"], "public: expected 3 entries, got 1"),
        ("public.0", "c77", r"public\[0\]: 'c77' is not among"),
        ("deck", ["c01", "c01"], "contract c01 is in the deck twice"),
        ("to_play", 3, "to_play: 3 is not from 0 to 2"),
        ("round", 0, "round: 0 is not at least 1"),
        ("rules.edition", "it", "neither 'fr' nor 'de'"),
        ("rules.keys_to_recover", 7, "rules.keys_to_recover: 7 is not from 4 to 6"),
        ("rules.tempo", 1, "no setting is called 'tempo'"),
        ("rules.mechanic", [1], "rules.mechanic: expected 4 numbers"),
        ("so_far", "key1 sponsor:free", "so_far: cannot play sponsor:free"),
        ("so_far", "key9", "so_far: step 1 of 'key9'"),
        ("over", {"winners": [5]}, "5 is not from 0 to 2"),
        ("turn", 1, "no field is called 'turn'"),
    ],
)
def test_what_no_game_can_reach_is_refused_and_named(path: str, value: Any, complaint: str) -> None:
    document = json.loads(json.dumps(DOC))
    _set(path, value)(document)
    with pytest.raises(MalformedPosition, match=complaint):
        Position.from_json(document)


def test_a_missing_field_is_named() -> None:
    with pytest.raises(MalformedPosition, match="'supply_x' is missing"):
        Position.from_json({k: v for k, v in DOC.items() if k != "supply_x"})
    with pytest.raises(MalformedPosition, match="expected an object"):
        Position.from_json([])


def test_the_sample_is_spread_as_the_rulebook_says_and_says_that_it_is_invented() -> None:
    cards = sample_cards()
    assert len(cards.contracts) == 32 and len(cards.rewards) == 32
    assert {card.points for card in cards.contracts} == {1, 2, 3, 4, 5}
    assert {card.free for card in cards.contracts} == {True, False}
    assert {card.bonus for card in cards.contracts} == {"", "c", "b", "cb"}
    from importlib import resources

    text = resources.files("companion.rules").joinpath("sample_cards.json").read_text(encoding="utf-8")
    assert json.loads(text)["note"].startswith("Invented sample")


def test_cards_come_back_from_their_document() -> None:
    assert Cards.from_json(json.loads(json.dumps(CARDS.to_json()))) == CARDS


@pytest.mark.parametrize(
    ("contract", "complaint"),
    [
        ({"need": "m", "points": 1}, "with an 'id'"),
        ({"id": "a", "need": "mx", "points": 1}, "need 'mx' is not made of the letters"),
        ({"id": "a", "need": [0], "points": 1}, "not a list of numbers above 0"),
        ({"id": "a", "need": 3, "points": 1}, "neither letters nor one to four numbers"),
        ({"id": "a", "need": "m", "points": "1"}, "points '1'"),
        ({"id": "a", "need": "m", "points": 1, "bonus": "x"}, "bonus 'x'"),
        ({"id": "a b", "need": "m", "points": 1}, "an id has no space"),
    ],
)
def test_malformed_cards_are_refused(contract: dict[str, Any], complaint: str) -> None:
    with pytest.raises(MalformedCards, match=complaint):
        Cards.from_json({"contracts": [contract], "rewards": []})


def test_a_card_listed_twice_is_refused() -> None:
    card = {"id": "a", "need": "m", "points": 1}
    with pytest.raises(MalformedCards, match="a is listed twice"):
        Cards.from_json({"contracts": [card, card], "rewards": []})

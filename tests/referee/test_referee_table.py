from dataclasses import dataclass, replace

import pytest
from referee_tables import cubes, game, shown, stage

from companion.referee import FAULTS, PLACEHOLDERS, Belief, as_it_lies, expected, misplaced, read_start, text
from companion.referee.faults import fault
from companion.rules import Rules, new_game, sample_cards
from vision.reading import Reading


@dataclass(frozen=True)
class Seat:
    name: str
    colour: str


def test_a_table_that_stands_right_has_nothing_misplaced():
    assert misplaced(stage(), shown(stage())) == ()


def test_what_was_knocked_is_listed_and_the_list_shrinks():
    position = stage()
    knocked = {"red.diver.1": "metal", "red.diver.2": "trader", "red.zone.2": cubes("")}
    found = misplaced(position, shown(position, knocked))
    assert [(piece.slot, piece.seen, piece.wanted) for piece in found] == [
        ("red.diver.1", "metal", "trader"),
        ("red.diver.2", "trader", "metal"),
        ("red.zone.2", "empty", "m"),
    ]
    del knocked["red.zone.2"]
    assert len(misplaced(position, shown(position, knocked))) == 2


def test_a_tray_is_never_misplaced():
    assert misplaced(stage(), shown(stage(), {"red.tray": {"credit": 0, "battery": 0}})) == ()


def test_the_start_is_read_from_the_table():
    start = new_game(9, [("Zoe", "red"), ("Max", "blue")], sponsors="mixed")
    seats = [Seat("Zoe", "red"), Seat("Max", "blue")]
    position, missing = read_start(shown(start), seats, Rules(), sample_cards())
    assert missing == ()
    assert position == start.as_seen_at_table()


def test_a_start_with_a_cube_too_many_is_not_legal():
    start = new_game(9, [("Zoe", "red"), ("Max", "blue")])
    seats = [Seat("Zoe", "red"), Seat("Max", "blue")]
    reading = shown(start, {"red.zone.1": cubes("p")})
    position, missing = read_start(reading, seats, Rules(), sample_cards())
    assert position is None
    assert [(piece.slot, piece.seen, piece.wanted) for piece in missing] == [("red.zone.1", "p", "empty")]


def test_the_table_is_taken_as_it_lies():
    before = stage()
    reading = shown(before, {"red.zone.5": cubes("tt"), "colony.score": {"red": 4, "blue": 1}})
    position = as_it_lies(Belief.of(before), reading)
    assert position.players[0].zone[4] == "tt"
    assert [player.score for player in position.players] == [4, 1]
    assert position.to_play == 1


def test_what_cannot_be_is_not_taken():
    before = stage()
    position = as_it_lies(Belief.of(before), shown(before, {"red.diver.1": "spy"}))
    assert sorted(position.players[0].divers) == sorted(before.players[0].divers)


def test_every_fault_can_be_said():
    values = dict.fromkeys(PLACEHOLDERS, "x")
    for name, texts in FAULTS.items():
        for sentence in (texts.sentence, texts.rule, texts.remedy):
            assert sentence.format(**values).endswith((".", "?"))
        assert "{" not in text(fault(name, ("red.diver.1",), **values))


def test_a_position_says_what_every_slot_shows():
    position = game(2, 2)
    slots = expected(position)
    assert len(slots) == 2 * 33 + 31
    assert slots["red.tray"] == {"credit": 3, "battery": 1}
    assert slots["colony.contract.3"] == "empty"


def test_counts_left_out_of_a_document_are_none():
    position = stage()
    reading = Reading.from_json(shown(position).to_json())
    assert misplaced(position, reading) == ()


@pytest.mark.parametrize("place", [39, 1, -1], ids=["on the last place", "from 0 again", "beside the track"])
def test_a_marker_past_the_end_of_the_track_counts_for_its_points(place):
    position = stage(score=41)
    reading = shown(position)
    places = {n: float(n == place) for n in range(-1, 40)}
    score = {**reading.counts["colony.score"], "red": places}
    reading = replace(reading, counts={**reading.counts, "colony.score": score})
    assert misplaced(position, reading) == ()
    assert as_it_lies(Belief.of(position), reading).players[0].score == 41
    assert Belief.of(position).accepted(reading).quirks == ()


def test_a_marker_short_of_the_end_of_the_track_stands_where_it_stands():
    position = stage(score=30)
    reading = shown(position)
    places = {n: float(n == 28) for n in range(-1, 40)}
    score = {**reading.counts["colony.score"], "red": places}
    reading = replace(reading, counts={**reading.counts, "colony.score": score})
    assert [piece.slot for piece in misplaced(position, reading)] == ["colony.score"]


def test_a_marker_that_can_hardly_be_made_out_ends_no_game_when_a_fault_is_overruled():
    position = stage()
    reading = shown(position)
    for p, points in ((0.38, 1), (0.9999, 35)):
        places = {35: p, 1: (1 - p) / 2, 0: (1 - p) / 4, -1: (1 - p) / 4}
        score = {**reading.counts["colony.score"], "red": places}
        seen = replace(reading, counts={**reading.counts, "colony.score": score})
        assert as_it_lies(Belief.of(position), seen).players[0].score == points

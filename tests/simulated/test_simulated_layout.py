"""Every edition has all the slots of Otys, apart from one another, and elsewhere than in other editions."""

import tomllib

import numpy as np
import pytest

from hardware.simulated.enrolment import pack_toml
from hardware.simulated.layout import layout, piece_sets
from hardware.simulated.stage import extent, on_table, overlap, reach, seat, stand

COLOURS = ("red", "blue", "green", "yellow")
SEEDS = range(12)


def test_a_layout_has_every_slot_that_a_pack_of_otys_needs():
    names = {slot.id for slot in layout(0, ("red",)).slots}
    expected = {f"red.diver.{i}" for i in range(1, 9)} | {f"red.track.{i}" for i in range(1, 7)}
    expected |= {f"red.{kind}.{level}" for kind in ("key", "zone", "reward") for level in range(1, 6)}
    expected |= {"red.x", "red.hacker", "red.mechanic", "red.tray", "colony.score"}
    expected |= {f"colony.sponsor.{level}" for level in range(1, 6)}
    expected |= {f"colony.display.{level}.{which}" for level in range(1, 6) for which in (1, 2)}
    expected |= {
        f"colony.store.{name}.{row}" for name in ("metal", "plant", "fuel", "tech") for row in (1, 2, 3)
    }
    expected |= {f"colony.contract.{i}" for i in (1, 2, 3)}
    assert names == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_no_two_places_of_a_board_overlap(seed):
    at = layout(seed, ("red",))
    for board in at.boards:
        areas = [(slot.id, area) for slot in at.of_board(board) for area in slot.areas()]
        for i, (one, (x, y, w, h)) in enumerate(areas):
            for other, (x2, y2, w2, h2) in areas[i + 1 :]:
                apart = x + w <= x2 + 0.2 or x2 + w2 <= x + 0.2 or y + h <= y2 + 0.2 or y2 + h2 <= y + 0.2
                assert apart, f"{one} lies over {other} in edition {seed}"


def test_the_hacker_track_and_the_mechanic_lie_outside_the_board():
    at = layout(5, ("red",))
    width, height = at.player_mm
    assert all(y > height for slot in at.of_board("red") if "track" in slot.id for _, y, *_ in slot.areas())
    assert all(x > width for x, _ in at.slot("red.mechanic").places_mm)


def test_editions_differ_in_size_and_place():
    first, second = layout(0, COLOURS), layout(1, COLOURS)
    assert first.player_mm != second.player_mm
    moved = [slot.id for slot in first.slots if slot.areas() != second.slot(slot.id).areas()]
    assert len(moved) == len(first.slots)


def test_pack_toml_says_what_the_layout_says():
    at = layout(2, COLOURS[:3])
    doc = tomllib.loads(pack_toml(at, ["c01", "c02"]))
    assert list(doc["boards"]) == ["colony", "red", "blue", "green"]
    assert doc["pieces"]["marker"] == ["red", "blue", "green"]
    assert set(doc["pieces"]) == set(piece_sets(COLOURS, ()))
    zone = next(slot for slot in doc["slots"] if slot["id"] == "blue.zone.4")
    assert (zone["kind"], zone["capacity"]) == ("cubes", 5)
    assert tuple(zone["rect_mm"]) == at.slot("blue.zone.4").rect_mm


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_boards_lie_apart_face_their_players_and_are_all_in_the_picture(players, seed):
    at = layout(seed, COLOURS[:players])
    rng = np.random.default_rng(seed)
    poses = seat(at, rng, wild=9.0)
    outlines = [on_table(at, board, pose, reach(at, board)) for board, pose in poses.items()]
    assert not any(overlap(a, b) for i, a in enumerate(outlines) for b in outlines[i + 1 :])
    for colour in at.colours:
        bottom = on_table(at, colour, poses[colour], np.array([(at.player_mm[0] / 2, at.player_mm[1])]))[0]
        middle = np.array((poses[colour].x_mm, poses[colour].y_mm))
        assert np.hypot(*bottom) > np.hypot(*middle), f"{colour}'s board has its back to its player"
    rig = stand(at, poses, (4608, 2592), rng, 3.0)
    (left, top), (right, low) = extent(at, poses)
    seen = rig.seen(np.array([(left, top), (right, top), (right, low), (left, low)]), 0.0)
    assert (seen >= 0).all() and (seen <= np.array((4608, 2592))).all()

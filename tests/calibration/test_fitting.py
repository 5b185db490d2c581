"""Fitting the layout with a finger, snapping boards to their edges, finding loose cards."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.fitting import board_at, pulled
from vision.fix import Fix, Located, homography
from vision.lens import Lens
from vision.pack import Board, Kind, Pack, Point, Slot

SIZE = (280.0, 210.0)
PLACES = ((200.0, 20.0), (200.0, 60.0), (200.0, 100.0))


def slots_of(board: str) -> tuple[Slot, ...]:
    return (
        Slot(f"{board}.key.1", board, Kind.TILE, "key", ("key",), (20, 40, 30, 20)),
        Slot(f"{board}.key.2", board, Kind.TILE, "key", ("key",), (20, 80, 30, 20)),
        Slot(
            f"{board}.mechanic",
            board,
            Kind.TRACK,
            "mechanic",
            ("mechanic",),
            (190, 10, 20, 100),
            None,
            PLACES,
            (20.0, 20.0),
        ),
    )


PACK = Pack(
    Path(),
    "Ours",
    "otys",
    {name: Board(name, SIZE) for name in ("red", "blue")},
    {"key": ("key",), "mechanic": ("mechanic",)},
    {slot.id: slot for board in ("red", "blue") for slot in slots_of(board)},
)
MM = ((0.0, 0.0), (280.0, 0.0), (280.0, 210.0), (0.0, 210.0))
LOCATED = Located(
    (1500, 600),
    Lens(),
    {
        "red": Fix(homography(MM, [(100 + 2 * x, 50 + 2 * y) for x, y in MM]), SIZE),
        "blue": Fix(homography(MM, [(800 + 2 * x, 50 + 2 * y) for x, y in MM]), SIZE),
    },
)


def pull(pack: Pack, start_mm: Point, end_mm: Point, board: str = "red") -> Pack:
    start, end = LOCATED.mm_to_px(board, [start_mm, end_mm])
    return pulled(pack, LOCATED, (float(start[0]), float(start[1])), (float(end[0]), float(end[1])))


def test_a_frame_follows_the_finger_and_its_like_on_the_other_board_with_it() -> None:
    slots = pull(PACK, (30, 45), (34, 42)).slots
    for board in ("red", "blue"):
        assert slots[f"{board}.key.1"].rect_mm == pytest.approx((24, 37, 30, 20))
        assert slots[f"{board}.key.2"] == PACK.slots[f"{board}.key.2"]


def test_a_frame_that_lies_elsewhere_on_its_board_is_left_alone() -> None:
    own = replace(PACK.slots["blue.key.1"], rect_mm=(60, 40, 30, 20))
    slots = pull(replace(PACK, slots={**PACK.slots, own.id: own}), (30, 45), (34, 42)).slots
    assert slots["blue.key.1"] == own
    assert slots["red.key.1"] != PACK.slots["red.key.1"]


def test_the_lower_right_corner_changes_the_size_but_never_to_nothing() -> None:
    slots = pull(PACK, (48, 58), (58, 62)).slots
    assert slots["red.key.1"].rect_mm == pytest.approx((20, 40, 40, 24))
    assert min(pull(PACK, (48, 58), (-100, -100)).slots["red.key.1"].rect_mm[2:]) > 0


def test_the_last_place_of_a_track_spreads_it_and_the_first_moves_it() -> None:
    spread = pull(PACK, (200, 100), (200, 120)).slots["red.mechanic"]
    assert np.allclose(spread.places_mm, [(200, 20), (200, 70), (200, 120)])
    assert spread.rect_mm == pytest.approx((190, 10, 20, 120))
    moved = pull(PACK, (200, 20), (205, 20)).slots["red.mechanic"]
    assert np.allclose(moved.places_mm, [(205, 20), (205, 60), (205, 100)])


def test_beside_all_frames_the_whole_board_moves() -> None:
    slots = pull(PACK, (120, 150), (123, 149)).slots
    for name, slot in slots.items():
        assert slot.rect_mm[:2] == pytest.approx(
            (PACK.slots[name].rect_mm[0] + 3, PACK.slots[name].rect_mm[1] - 1)
        )


def test_a_finger_on_the_table_moves_nothing() -> None:
    assert board_at(PACK, LOCATED, (5.0, 5.0)) is None
    assert pulled(PACK, LOCATED, (5.0, 5.0), (50.0, 50.0)) == PACK

"""The guided calibration from the first picture to the files it writes."""

import tomllib
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.guide import Guide, Stage
from calibration.loose import loose_quads
from calibration.plan import plan
from calibration.snap import snap_board
from vision.pack import Board, Kind, Pack, Slot, load_pack

BOARD_PX = ((100.0, 80.0), (660.0, 100.0), (650.0, 510.0), (90.0, 500.0))
PACK = Pack(
    Path(),
    "Ours",
    "otys",
    {"red": Board("red", (280, 210))},
    {"diver": ("spy", "trader", "tech"), "cube": ("m", "p"), "card": tuple(f"c{n}" for n in range(9))},
    {
        slot.id: slot
        for slot in (
            Slot("red.diver.1", "red", Kind.TILE, "diver", ("spy", "trader", "tech"), (20, 20, 60, 20)),
            Slot("red.diver.2", "red", Kind.TILE, "diver", ("spy", "trader", "tech"), (20, 50, 60, 20)),
            Slot("red.zone.1", "red", Kind.CUBES, "cube", ("m", "p"), (120, 20, 60, 20), 4),
            Slot("red.card", "red", Kind.TILE, "card", tuple(f"c{n}" for n in range(9)), (200, 20, 60, 90)),
        )
    },
)


def photo() -> NDArray[np.uint8]:
    picture = np.full((600, 800, 3), (90, 130, 165), np.uint8)
    cv2.fillPoly(picture, [np.array(BOARD_PX, np.int32)], (60, 60, 30), cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)


def tapped(guide: Guide) -> Guide:
    for x, y in BOARD_PX:
        guide = guide.tap((x + 4, y - 3), photo())
    return guide


@pytest.fixture
def bare() -> Guide:
    return Guide(PACK).saw(photo()).shot("empty.jpg", photo())


def test_it_begins_with_the_camera_and_shows_sharpness_and_light() -> None:
    guide = Guide(PACK).saw(photo())
    assert guide.stage is Stage.FRAME
    assert {name for name, _, _ in guide.figures} == {"Sharpness", "Light"}
    assert guide.choices == (("Take a picture", "shoot"),)


def test_every_corner_is_asked_for_by_name_and_taps_snap_to_it(bare: Guide) -> None:
    assert bare.headline == "Tap the top left corner of the red board"
    guide = tapped(bare)
    assert np.abs(np.array(guide.corners_px["red"]) - BOARD_PX).max() < 1.0
    assert guide.choices[-1] == ("Next", "next")


def test_a_board_without_edges_stays_where_it_was_tapped() -> None:
    plain = np.full((600, 800, 3), 128, np.uint8)
    assert snap_board(plain, BOARD_PX) == BOARD_PX


def test_corners_in_the_wrong_order_are_refused_with_a_reason(bare: Guide) -> None:
    guide = bare
    for x, y in reversed(BOARD_PX):
        guide = guide.tap((x, y), photo())
    assert guide.corners_px["red"] == ()
    assert "clockwise" in guide.detail


def test_a_board_tapped_a_quarter_turned_is_refused(bare: Guide) -> None:
    guide = bare
    for x, y in (*BOARD_PX[1:], BOARD_PX[0]):
        guide = guide.tap((x, y), photo())
    assert "top left" in guide.detail


def test_back_takes_away_the_last_corner(bare: Guide) -> None:
    guide = bare.tap(BOARD_PX[0], photo()).tap(BOARD_PX[1], photo())
    assert len(guide.choose("back").corners_px["red"]) == 1


def test_with_boards_known_the_scale_is_shown(bare: Guide) -> None:
    guide = tapped(bare).choose("next").saw(photo())
    assert {name: tone for name, _, tone in guide.figures}["Scale"] == "good"


def test_a_dragged_slot_moves_by_what_the_finger_moved(bare: Guide) -> None:
    guide = tapped(bare).choose("next")
    located = guide.located
    assert located is not None
    start, end = located.mm_to_px("red", [(30, 30), (35, 28)])
    moved = guide.drag(tuple(start), tuple(end)).pack.slots
    assert moved["red.diver.1"].rect_mm == pytest.approx((25, 18, 60, 20))
    assert moved["red.diver.2"] == PACK.slots["red.diver.2"]


def test_pieces_are_asked_for_until_every_label_was_seen() -> None:
    asked = plan(PACK)
    shown = [content for wanted in asked for slot, content in wanted.slots.items() if "diver" in slot]
    assert sorted(str(content) for content in shown) == ["spy", "tech", "trader"]
    loose = [piece for wanted in asked for piece in wanted.loose]
    assert loose == [f"card:c{n}" for n in range(9)]


def test_loose_cards_are_found_in_reading_order() -> None:
    picture = np.full((900, 1400, 3), (90, 130, 165), np.uint8)
    places = [(100 + 260 * n, 90 + 8 * (n % 2)) for n in range(5)] + [(120 + 260 * n, 500) for n in range(4)]
    for x, y in places:
        cv2.rectangle(picture, (x, y), (x + 130, y + 200), (235, 235, 240), -1)
        cv2.circle(picture, (x + 60, y + 90), 30, (40, 40, 180), -1)
    quads = loose_quads(picture, (130.0, 200.0))
    assert [tuple(round(v / 10) for v in quad[0]) for quad in quads] == [
        (round(x / 10), round(y / 10)) for x, y in places
    ]


def test_too_few_cards_are_complained_about_and_not_taken(bare: Guide) -> None:
    guide = tapped(bare).choose("next").choose("next")
    while guide.showing and not guide.showing.loose:
        guide = guide.shot("setup.jpg", photo())
    again = guide.shot("cards.jpg", photo())
    assert again.taken == guide.taken
    assert "9 pieces should lie there" in again.detail


def test_what_was_done_is_written_as_files_that_are_read_back(bare: Guide, tmp_path: Path) -> None:
    guide = tapped(bare).choose("next").choose("next").shot("setup-1.jpg", photo())
    guide.write(tmp_path)
    assert load_pack(tmp_path).slots == PACK.slots
    photos = tomllib.loads((tmp_path / "enrol.toml").read_text(encoding="utf-8"))["photos"]
    assert photos[0]["empty"] is True
    assert np.abs(np.array(photos[0]["corners_px"]["red"]) - BOARD_PX).max() < 1.0
    assert photos[1]["slots"]["red.diver.1"] == "spy"
    assert photos[1]["slots"]["red.zone.1"] == "mmp"

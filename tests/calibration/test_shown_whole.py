"""Photographs that cannot show what is listed in them are refused with a sentence, and pieces cut off are not learnt."""

from pathlib import Path

import numpy as np
import pytest

from calibration.enrolment import Corners, Loose, Photo
from calibration.shown_whole import check_colours, check_photo, cut_off, without_cut_off
from vision.fix import Fix, Located, homography
from vision.lens import Lens
from vision.pack import Board, Kind, Pack, Slot
from vision.rectify import Picture

PATH = Path("photo.jpg")
WHOLE: Corners = ((20, 20), (300, 20), (300, 220), (20, 220))
BOARD = Board("board", (140.0, 100.0))


def speckled(width: int = 320, height: int = 240) -> Picture:
    return np.random.default_rng(0).integers(0, 255, (height, width, 3)).astype(np.uint8)


def said(photo: Photo, picture: Picture) -> str:
    with pytest.raises(ValueError, match=r".") as raised:
        check_photo(photo, picture)
    return str(raised.value)


def test_a_board_well_inside_its_photograph_is_no_matter() -> None:
    check_photo(Photo(PATH, corners_px={"board": WHOLE}), speckled())


def test_a_corner_just_beyond_the_edge_is_no_matter() -> None:
    check_photo(Photo(PATH, corners_px={"board": ((-3, -2), (322, 0), (321, 242), (0, 241))}), speckled())


def test_a_corner_far_outside_is_named_with_the_size_of_the_photograph() -> None:
    sentence = said(
        Photo(PATH, corners_px={"board": ((20, 20), (900, 20), (900, 220), (20, 220))}), speckled()
    )
    assert "enrol.toml: board board has a corner at [900, 20]" in sentence
    assert "photo.jpg of 320 x 240 pixels" in sentence


def test_corners_given_as_shares_of_the_picture_are_said_to_be_pixels() -> None:
    sentence = said(
        Photo(PATH, corners_px={"board": ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))}), speckled()
    )
    assert "only 0.8 pixels long" in sentence
    assert "corners_px are pixels" in sentence


def test_a_loose_piece_outside_the_photograph_is_named() -> None:
    loose = Loose("letter", "A", ((400, 20), (440, 20), (440, 60), (400, 60)))
    assert "letter:A has a corner at [400, 20]" in said(Photo(PATH, loose=(loose,)), speckled())


def test_a_black_photograph_is_refused() -> None:
    assert "photo.jpg: is black" in said(Photo(PATH, empty=True), np.zeros((240, 320, 3), np.uint8))


def test_cards_on_a_white_sheet_are_no_burnt_out_photograph() -> None:
    sheet = np.full((240, 320, 3), 255, np.uint8)
    check_photo(Photo(PATH, loose=(Loose("letter", "A", ((20, 20), (60, 20), (60, 60), (20, 60))),)), sheet)


def test_what_is_listed_in_a_slot_that_is_cut_off_is_not_learnt_and_a_lost_piece_is_named() -> None:
    slots = {
        name: Slot(name, "board", Kind.TILE, "letter", ("A",), (x, 10.0, 20.0, 20.0))
        for name, x in (("in", 10.0), ("out", 110.0), ("bare", 120.0))
    }
    pack = Pack(Path(), "p", "", {"board": BOARD}, {"letter": ("A",)}, slots)
    # The photograph ends 200 of the board's 280 pixels across.
    located = Located((220, 240), Lens(), {"board": Fix(homography(BOARD.corners_mm, WHOLE), BOARD.size_mm)})
    assert cut_off(pack, located) == {"out", "bare"}
    photo = Photo(PATH, slots={"in": "A", "out": "A", "bare": "empty"})
    (kept,), lost = without_cut_off(pack, [photo], {PATH: located})
    assert kept.slots == {"in": "A"}
    assert list(lost) == ["photo.jpg: out"]


def test_photographs_in_black_and_white_are_taught_by_themselves_but_not_among_coloured_ones() -> None:
    coloured = speckled()
    grey = np.repeat(coloured[..., :1], 3, axis=2)
    check_colours({PATH: coloured})
    check_colours({PATH: grey, Path("other.jpg"): grey})
    with pytest.raises(ValueError, match=r"photo\.jpg: is in black and white"):
        check_colours({Path("other.jpg"): coloured, PATH: grey})

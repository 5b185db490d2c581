"""Boards of one art are told apart by their colours, also in light that has a colour of its own."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_tables import Placed, Shot, art_board, photograph

from vision.align import align
from vision.boards import Models, teach_board
from vision.colour import own_colours
from vision.fix import Matrix
from vision.lens import Lens
from vision.locate import SETTINGS, _Search, locate
from vision.pack import Board

SHOT = Shot(px_per_mm=1.5)
RED, BLUE = (art_board((280, 210), tint, 22) for tint in ((50, 40, 210), (210, 110, 40)))
TABLE = {"red": Placed(RED, (-200, 0), 88), "blue": Placed(BLUE, (200, 0), -91)}


@pytest.fixture(scope="module")
def models() -> Models:
    frame, corners = photograph(TABLE, SHOT)
    boards = {name: teach_board(frame, corners[name], Board(name, (280, 210))) for name in TABLE}
    return Models(boards, Lens())


def in_lamplight(picture: np.ndarray) -> np.ndarray:
    """Two lamps of different colours over one board."""
    glow = np.zeros_like(picture)
    cv2.circle(glow, (300, 420), 330, (0, 60, 200), -1)
    cv2.circle(glow, (900, 300), 250, (150, 90, 0), -1)
    return cv2.addWeighted(picture, 1, cv2.GaussianBlur(glow, (0, 0), 60), 0.5, 0)


def own(models: Models, table: dict[str, Placed], elsewhere: dict[str, Matrix]) -> bool:
    frame, _ = photograph(table, replace(SHOT, seed=12))
    return own_colours(frame, models, "blue", models.boards["blue"].pose, Lens(), elsewhere)


def test_a_board_that_lamps_make_look_like_another_is_itself_when_the_other_lies_elsewhere(
    models: Models,
) -> None:
    reddish = replace(TABLE["blue"], picture=in_lamplight(art_board((280, 210), (80, 50, 180), 22)))
    table = {**TABLE, "blue": reddish}
    assert not own(models, table, {})
    assert own(models, table, {"red": models.boards["red"].pose})


def test_boards_that_changed_places_are_noticed_and_found_where_they_are(models: Models) -> None:
    lamps = {name: replace(placed, picture=in_lamplight(placed.picture)) for name, placed in TABLE.items()}
    swapped = {
        "red": replace(TABLE["blue"], picture=lamps["red"].picture),
        "blue": replace(TABLE["red"], picture=lamps["blue"].picture),
    }
    assert not own(models, swapped, {"red": models.boards["red"].pose})
    before = locate(photograph(TABLE, SHOT)[0], models)
    # Nobody lays a board down to a tenth of a millimetre where another lay.
    moved = {
        name: replace(placed, middle_mm=(placed.middle_mm[0] + 4, 3)) for name, placed in swapped.items()
    }
    frame, corners = photograph(moved, replace(SHOT, seed=13))
    located = locate(frame, models, before)
    for name in TABLE:
        assert np.abs(located.corners_px(name) - corners[name]).max() < 1.0


def test_a_board_in_the_place_of_its_like_makes_way_when_that_one_lies_nowhere_else(models: Models) -> None:
    lamps = {name: replace(placed, picture=in_lamplight(placed.picture)) for name, placed in TABLE.items()}
    frame, _ = photograph(lamps, SHOT)
    search = _Search(frame, models, Lens(), SETTINGS)
    mistaken = align(frame, models.boards["blue"], models.boards["red"].pose, Lens())
    assert mistaken is not None and mistaken.sure() > 0.9  # by shape alone nothing is wrong
    search.found["blue"] = mistaken
    search._make_way(["blue"])
    assert list(search.found) == ["red"]
    assert np.allclose(search.found["red"].flat_from_mm, mistaken.flat_from_mm, rtol=0.01, atol=0.01)

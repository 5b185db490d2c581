"""Slots that were not listed are bare where they look like none of the pieces that were."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.enrolment import Photo
from calibration.unlisted import supposed_bare
from vision.fix import Fix, Located, homography
from vision.lens import Lens
from vision.pack import Pack, load_pack
from vision.reading import EMPTY
from vision.rectify import Picture

SIDE, SQUARE_MM, PX_PER_MM = 4, 20, 3
PIECES = {"0.0": "A", "0.1": "B", "1.1": "C", "2.3": "D", "3.0": "E"}
FORGOTTEN = "3.2"  # a piece that nobody wrote down
PATH = Path("words.jpg")


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    lines = ["version = 1", 'name = "Words"', 'game = "words"', "[boards.field]"]
    lines += [f"size_mm = [{SIDE * SQUARE_MM}, {SIDE * SQUARE_MM}]", "[pieces]"]
    lines += ['letter = ["A", "B", "C", "D", "E", "F"]']
    for row in range(SIDE):
        for column in range(SIDE):
            rect = [SQUARE_MM * column, SQUARE_MM * row, SQUARE_MM, SQUARE_MM]
            lines += ["[[slots]]", f'id = "{row}.{column}"', 'board = "field"', 'kind = "tile"']
            lines += ['pieces = "letter"', f"rect_mm = {rect}"]
    (tmp_path / "pack.toml").write_text("\n".join(lines))
    return load_pack(tmp_path)


def photograph() -> Picture:
    square = SQUARE_MM * PX_PER_MM
    picture = np.full((SIDE * square, SIDE * square, 3), (50, 110, 40), np.uint8)
    for slot, letter in {**PIECES, FORGOTTEN: "F"}.items():
        y, x = (int(number) * square for number in slot.split("."))
        cv2.rectangle(picture, (x + 3, y + 3), (x + square - 4, y + square - 4), (195, 215, 220), cv2.FILLED)
        cv2.putText(picture, letter, (x + 18, y + 42), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (30, 30, 30), 3)
    return picture


def seen(pack: Pack, slots: dict[str, str]) -> dict[str, str]:
    picture = photograph()
    size = picture.shape[1], picture.shape[0]
    corners = [(0.0, 0.0), (size[0], 0.0), (float(size[0]), float(size[1])), (0.0, size[1])]
    board = pack.boards["field"]
    located = Located(size, Lens(), {"field": Fix(homography(board.corners_mm, corners), board.size_mm)})
    (photo,) = supposed_bare(pack, [Photo(PATH, slots=slots)], {PATH: picture}, {PATH: located})
    return {slot: str(content) for slot, content in photo.slots.items()}


def test_what_looks_like_no_piece_is_bare_and_a_forgotten_piece_is_not(pack: Pack) -> None:
    bare = {slot: EMPTY for slot in pack.slots if slot not in PIECES and slot != FORGOTTEN}
    assert seen(pack, PIECES) == {**PIECES, **bare}


def test_whoever_lists_bare_slots_means_all_that_are_known_to_be(pack: Pack) -> None:
    listed = {**PIECES, "2.2": EMPTY}
    assert seen(pack, listed) == listed


def test_too_few_pieces_do_not_tell_how_pieces_look(pack: Pack) -> None:
    listed = dict(list(PIECES.items())[:3])
    assert seen(pack, listed) == listed

"""`enrol.toml` is checked line by line, and every complaint says what to do."""

from pathlib import Path

import pytest

from calibration.enrolment import load_enrolment
from vision.pack import Pack, load_pack

PACK = """
version = 1
name = "small"
game = "none"
[boards.board]
size_mm = [200, 150]
[pieces]
letter = ["A", "B"]
cube = ["m", "p"]
marker = ["red", "blue"]
[[slots]]
id = "one"
board = "board"
kind = "tile"
pieces = "letter"
rect_mm = [10, 10, 20, 20]
[[slots]]
id = "zone"
board = "board"
kind = "cubes"
pieces = "cube"
capacity = 3
rect_mm = [40, 10, 50, 20]
[[slots]]
id = "score"
board = "board"
kind = "track"
pieces = "marker"
size_mm = [12, 12]
places_mm = [[20, 100], [40, 100]]
"""
EMPTY = """[[photos]]
file = "empty.jpg"
empty = true
[photos.corners_px]
board = [[10, 10], [210, 10], [210, 160], [10, 160]]
"""
SETUP = """[[photos]]
file = "setup.jpg"
[photos.slots]
"""


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    (tmp_path / "pack.toml").write_text(PACK)
    for name in ("empty.jpg", "setup.jpg"):
        (tmp_path / name).write_bytes(b"not read here")
    return load_pack(tmp_path)


def complaint(pack: Pack, text: str) -> str:
    (pack.dir / "enrol.toml").write_text(text)
    with pytest.raises(ValueError, match=r"enrol\.toml") as raised:
        load_enrolment(pack)
    return str(raised.value)


def test_contents_are_read_as_labels_numbers_and_places(pack: Pack) -> None:
    text = EMPTY + SETUP + 'one = "A"\nzone = "mmp"\nscore = { red = 1, blue = 0 }\n'
    (pack.dir / "enrol.toml").write_text(text)
    photos = load_enrolment(pack).photos
    assert photos[0].empty
    assert photos[0].corners_px["board"][2] == (210.0, 160.0)
    assert photos[1].slots == {"one": "A", "zone": {"m": 2, "p": 1}, "score": {"red": 1, "blue": 0}}


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('one = "C"\n', "one cannot hold 'C'"),
        ('onee = "A"\n', "did you mean 'one'?"),
        ('zone = "mmmm"\n', "room for 3"),
        ('zone = "mx"\n', "cannot hold 'x'"),
        ("score = { red = 2 }\n", "places 0 to 1"),
        ("score = { green = 0 }\n", "cannot hold 'green'"),
        ("one = 3\n", "one label"),
        ('one = "a"\n', "did you mean 'A'?"),
        ('two = "A"\n', "there are one, zone, score"),
    ],
)
def test_a_wrong_content_is_named_with_its_line(pack: Pack, lines: str, said: str) -> None:
    message = complaint(pack, EMPTY + SETUP + lines)
    assert said in message
    assert "enrol.toml:9:" in message


def test_a_photograph_that_is_empty_but_for_a_piece_names_every_other_slot_bare(pack: Pack) -> None:
    text = EMPTY + '[photos.slots]\none = "A"\n'
    (pack.dir / "enrol.toml").write_text(text, encoding="utf-8")
    photo = load_enrolment(pack).photos[0]
    assert not photo.empty
    assert photo.slots["one"] == "A"
    assert set(photo.slots) == set(pack.slots)
    assert not any(photo.slots[slot] not in ("empty", {}) for slot in pack.slots if slot != "one")


def test_a_loose_piece_without_its_set_says_how_it_is_written(pack: Pack) -> None:
    text = EMPTY + '[[photos.loose]]\npiece = "A"\ncorners_px = [[1, 1], [9, 1], [9, 9], [1, 9]]\n'
    assert 'write "set:label", e.g. "letter:A"' in complaint(pack, text)


def test_a_missing_photograph_is_named(pack: Pack) -> None:
    assert "there is no photograph gone.jpg" in complaint(
        pack, EMPTY + SETUP.replace("setup", "gone") + 'one = "A"\n'
    )


def test_corners_must_go_clockwise(pack: Pack) -> None:
    turned = EMPTY.replace("[210, 10], [210, 160], [10, 160]", "[10, 160], [210, 160], [210, 10]")
    assert "clockwise" in complaint(pack, turned + SETUP + 'one = "A"\n')


def test_a_board_without_corners_is_named(pack: Pack) -> None:
    bare = EMPTY.split("[photos.corners_px]")[0]
    assert "corners_px for board" in complaint(pack, bare + SETUP + 'one = "A"\n')


def test_nothing_said_about_contents_is_not_an_enrolment(pack: Pack) -> None:
    assert "what lies where" in complaint(pack, EMPTY)


def test_a_pack_without_enrolment_says_which_file_is_missing(pack: Pack) -> None:
    with pytest.raises(FileNotFoundError, match=r"no enrol\.toml"):
        load_enrolment(pack)

"""Packs: what is read, and how a mistake in one is pointed out."""

import re
from pathlib import Path

import pytest

from calibration.write import pack_toml
from vision.pack import Kind, check_as_taught, load_pack

GOOD = """\
version = 1
name = "Our game"
game = "otys"

[boards.colony]
size_mm = [330, 250]
[boards.red]
size_mm = [280, 210]

[pieces]
diver = ["trader", "trader+"]
cube = ["m", "p"]
marker = ["red"]

[[slots]]
id = "red.diver.1"
board = "red"
kind = "tile"
pieces = "diver"
rect_mm = [92, 10, 52, 20]

[[slots]]
id = "red.zone.3"
board = "red"
kind = "cubes"
pieces = "cube"
capacity = 4
rect_mm = [-60, 96, 60, 18]

[[slots]]
id = "colony.score"
board = "colony"
kind = "track"
pieces = "marker"
size_mm = [14, 10]
places_mm = [[12, 240], [27, 240]]
"""


def write(folder: Path, text: str) -> Path:
    (folder / "pack.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_pack_is_read(tmp_path: Path) -> None:
    pack = load_pack(write(tmp_path, GOOD))
    assert (pack.name, pack.game, list(pack.boards)) == ("Our game", "otys", ["colony", "red"])
    assert pack.boards["red"].corners_mm[2] == (280, 210)
    assert pack.slots["red.zone.3"].capacity == 4
    assert pack.slots["red.diver.1"].labels == ("trader", "trader+")
    assert [slot.id for slot in pack.slots_of("red")] == ["red.diver.1", "red.zone.3"]


def test_places_of_a_track_are_centres(tmp_path: Path) -> None:
    score = load_pack(write(tmp_path, GOOD)).slots["colony.score"]
    assert score.kind is Kind.TRACK
    assert score.place_rect_mm(1) == (20, 235, 14, 10)
    assert score.rect_mm == (5, 235, 29, 10)


def test_a_pack_that_is_written_is_read_back_the_same(tmp_path: Path) -> None:
    pack = load_pack(write(tmp_path, GOOD.replace('"Our game"', '"La \\"nôtre\\""')))
    assert load_pack(write(tmp_path, pack_toml(pack))) == pack


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("version = 1", "version = 7", 1, "version = 7"),
        ("size_mm = [280, 210]", "size_mm = [280]", 8, "2 numbers"),
        ("size_mm = [280, 210]", "size_mm = [0, 210]", 8, "0 x 210"),
        ("size_mm = [280, 210]", "size_mm = [nan, 210]", 8, "plain number"),
        ('board = "red"', 'board = "rde"', 17, "no board 'rde'; there are colony, red"),
        ('kind = "tile"', 'kind = "tiles"', 18, "tile, cubes, track or count"),
        ('pieces = "cube"', 'pieces = "cubs"', 26, "no pieces 'cubs'"),
        ("capacity = 4", "capacity = 0", 27, "capacity 0"),
        ("capacity = 4", "capcity = 4", 27, "did you mean capacity?"),
        ("rect_mm = [92, 10, 52, 20]", "rect_mm = [92, 10, 52]", 20, "4 numbers"),
        ("rect_mm = [92, 10, 52, 20]", "", 15, "has no rect_mm"),
        ("places_mm = [[12, 240], [27, 240]]", "places_mm = []", 36, "no places"),
        ('id = "red.zone.3"', 'id = "red.diver.1"', 23, "there twice"),
        ('cube = ["m", "p"]', 'cube = ["m", "m"]', 12, "twice"),
        ('name = "Our game"', "name = ", 2, "Invalid value"),
        (
            'name = "Our game"',
            "name = Ours",
            2,
            "'name = Ours' is no readable TOML: Invalid value; text stands in quotes",
        ),
        ('name = "Our game"', 'name = "a"\nname = "b"', 3, "it is there twice"),
        ("size_mm = [280, 210]", "size_mm = [-280, 210]", 8, "both must be more than 0"),
        ("size_mm = [280, 210]", "size_mm = [28000, 210]", 8, "cannot be meant"),
        ("size_mm = [280, 210]", "size_mm = [11, 8.3]", 8, "all sizes in millimetres"),
    ],
)
def test_a_mistake_is_named_with_file_and_line(
    tmp_path: Path, old: str, new: str, line: int, words: str
) -> None:
    assert old in GOOD
    folder = write(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(ValueError, match=re.escape(words)) as caught:
        load_pack(folder)
    assert str(caught.value).startswith(f"{folder / 'pack.toml'}:{line}: ")


def test_keys_of_other_programs_are_left_alone(tmp_path: Path) -> None:
    assert load_pack(write(tmp_path, GOOD.replace("capacity = 4", 'capacity = 4\ncolour_hint = "dark"')))


def test_a_folder_without_a_pack_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no pack\.toml"):
        load_pack(tmp_path)
    with pytest.raises(FileNotFoundError, match="no such pack folder"):
        load_pack(tmp_path / "nowhere")


def test_a_huge_file_is_not_even_opened(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="too large"):
        load_pack(write(tmp_path, "#" * 5_000_000))


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="UTF-8"):
        load_pack(tmp_path)


def test_markers_are_optional(tmp_path: Path) -> None:
    text = GOOD.replace("[boards.red]", "[boards.colony.markers]\n7 = [10, 12]\n[boards.red]")
    assert load_pack(write(tmp_path, text)).boards["colony"].markers == {7: (10, 12)}


SECOND = """
[[slots]]
id = "red.diver.2"
board = "red"
kind = "tile"
pieces = "diver"
rect_mm = {rect}
"""


def test_a_pack_without_its_version_says_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="write version = 1 into its first line"):
        load_pack(write(tmp_path, GOOD.replace("version = 1", "")))


def test_a_tile_slot_laid_over_another_is_named_with_both(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"slot red\.diver\.2 lies where slot red\.diver\.1 does"):
        load_pack(write(tmp_path, GOOD + SECOND.format(rect="[95, 12, 52, 20]")))


def test_pieces_of_two_sets_may_lie_in_one_place(tmp_path: Path) -> None:
    text = GOOD.replace("[pieces]\n", '[pieces]\nbadge = ["star"]\n')
    second = SECOND.format(rect="[95, 12, 52, 20]").replace('pieces = "diver"', 'pieces = "badge"')
    assert "red.diver.2" in load_pack(write(tmp_path, text + second)).slots


def test_tile_slots_that_touch_or_overlap_a_little_are_no_matter(tmp_path: Path) -> None:
    pack = load_pack(write(tmp_path, GOOD + SECOND.format(rect="[92, 28, 52, 20]")))
    assert "red.diver.2" in pack.slots


def test_a_tile_slot_many_times_as_large_as_its_like_is_a_slip_of_the_pen(tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match=r"diver\.[12] is .* mm, far from the size of others that hold diver"
    ):
        load_pack(write(tmp_path, GOOD + SECOND.format(rect="[10, 60, 520, 200]")))


def as_taught(folder: Path, now: str) -> None:
    (write(folder, now) / "taught").mkdir()
    (folder / "taught" / "pack.toml").write_text(GOOD, encoding="utf-8")
    check_as_taught(load_pack(folder))


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("rect_mm = [92, 10, 52, 20]", "rect_mm = [94, 10, 52, 20]", "slot red.diver.1"),
        ("size_mm = [280, 210]", "size_mm = [285, 210]", "board red"),
        ('cube = ["m", "p"]', 'cube = ["m", "p", "f"]', "pieces cube"),
    ],
)
def test_a_pack_changed_since_it_was_taught_is_to_be_taught_again(
    tmp_path: Path, old: str, new: str, what: str
) -> None:
    assert old in GOOD
    with pytest.raises(ValueError, match=f"{what} was changed since .* otys-companion enrol"):
        as_taught(tmp_path, GOOD.replace(old, new, 1))


def test_another_name_or_a_remark_is_no_change(tmp_path: Path) -> None:
    as_taught(tmp_path, "# ours\n" + GOOD.replace('"Our game"', '"Theirs"'))

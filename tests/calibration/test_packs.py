"""Where packs are looked for."""

from pathlib import Path

import pytest

from calibration import packs
from vision.rig import Rig, load_rig, save_rig


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(packs, "packs_dir", lambda: tmp_path / "own")
    monkeypatch.setattr(packs, "shipped_dir", lambda: tmp_path / "shipped")
    for folder in ("own/ours", "shipped/otys-sample", "elsewhere/theirs"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "pack.toml").write_text("version = 1\n")
    return tmp_path


def test_a_pack_is_found_by_name_by_folder_and_by_file(home: Path) -> None:
    assert packs.find_pack("ours") == home / "own" / "ours"
    assert packs.find_pack("otys-sample") == home / "shipped" / "otys-sample"
    assert packs.find_pack(home / "elsewhere" / "theirs") == home / "elsewhere" / "theirs"
    assert packs.find_pack(home / "elsewhere" / "theirs" / "pack.toml") == home / "elsewhere" / "theirs"


def test_an_unknown_pack_is_answered_with_the_known_ones(home: Path) -> None:
    with pytest.raises(FileNotFoundError, match="otys-sample, ours"):
        packs.find_pack("chess")
    with pytest.raises(FileNotFoundError, match=r"no pack\.toml in it"):
        packs.find_pack(home / "elsewhere")


def test_a_pack_that_is_still_being_made_is_not_among_the_known_ones(home: Path) -> None:
    unfinished = home / "own" / ".ours.making"
    unfinished.mkdir(parents=True)
    (unfinished / "pack.toml").write_text("")
    assert unfinished.name not in packs.list_packs()


def test_a_name_does_not_climb_out_of_the_folder(home: Path) -> None:
    with pytest.raises(FileNotFoundError):
        packs.find_pack("../elsewhere/theirs/nothing")


def test_a_rig_is_kept_and_read_back(tmp_path: Path) -> None:
    rig = Rig('the "oak" table', -0.02, 0.001, 0.8, lens_position=1.4, exposure_us=20000)
    save_rig(rig, tmp_path / "rig.toml")
    assert load_rig(tmp_path) == rig


@pytest.mark.parametrize(
    ("line", "words"),
    [("focal = 40", "0.2 to 5"), ('gain = "high"', "must be a number"), ("zoom = 2", "a rig has")],
)
def test_a_wrong_figure_in_a_rig_is_named_with_its_line(tmp_path: Path, line: str, words: str) -> None:
    (tmp_path / "rig.toml").write_text(f"version = 1\n{line}\n")
    with pytest.raises(ValueError, match=words) as caught:
        load_rig(tmp_path)
    assert ":2: " in str(caught.value)


def test_a_file_in_place_of_a_pack_is_said_to_be_one(tmp_path: Path) -> None:
    photograph = tmp_path / "empty.jpg"
    photograph.touch()
    with pytest.raises(ValueError, match="is a file; give the folder of the pack"):
        packs.find_pack(photograph)

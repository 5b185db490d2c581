"""`look`: what it prints, and one line with exit code 2 for what is no photograph of the boards."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli import main
from vision.boards import Models, teach_board
from vision.lens import Lens
from vision.look import Looker
from vision.pack import Board, Kind, Pack, Slot

CORNERS = [(100, 80), (660, 80), (660, 500), (100, 500)]


def table(seed: int, shift: int = 0) -> np.ndarray:
    """A board of random dots on a plain table, 560 x 420 pixels."""
    rng = np.random.default_rng(seed)
    picture = np.full((600, 800, 3), (90, 130, 165), np.uint8)
    cv2.rectangle(picture, (100 + shift, 80), (660 + shift, 500), (60, 60, 40), -1)
    for _ in range(150):
        x, y = (int(v) for v in rng.integers((125, 105), (635, 475)))
        colour = tuple(int(c) for c in rng.integers(0, 255, 3))
        cv2.circle(picture, (x + shift, y), int(rng.integers(4, 22)), colour, -1, cv2.LINE_AA)
    return picture


class Reader:
    """Reads every tile as a spy."""

    def __init__(self) -> None:
        self.memories: list[Any] = []

    def read(self, bgr: Any, located: Any, memory: Any) -> Any:
        self.memories.append(memory)
        return SimpleNamespace(
            tiles={"red.diver.1": {"spy": 0.97, "empty": 0.03}}, counts={}, hidden=frozenset()
        )


@pytest.fixture
def reader() -> Reader:
    return Reader()


@pytest.fixture
def pack_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: Reader) -> Path:
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "pack.toml").write_text("version = 1\n")
    board = Board("red", (280, 210))
    slot = Slot("red.diver.1", "red", Kind.TILE, "diver", ("spy",), (20, 20, 60, 30))
    pack = Pack(folder, "Plain", "", {"red": board}, {"diver": ("spy",)}, {slot.id: slot})
    models = Models({"red": teach_board(table(1), CORNERS, board)}, Lens())
    monkeypatch.setattr(Looker, "load", lambda _: Looker(pack, models, reader))  # type: ignore[arg-type]
    return folder


def photo(folder: Path, picture: np.ndarray, name: str = "photo.png") -> str:
    path = folder / name
    cv2.imwrite(str(path), picture)
    return str(path)


def test_a_photograph_as_json(pack_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = photo(tmp_path, table(1, shift=12))
    assert main(["look", file, "--pack", str(pack_dir), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["file"] == file
    assert document["boards"]["red"]["found"] is True
    moved = np.array(CORNERS) + np.array([12, 0])
    assert np.abs(np.array(document["boards"]["red"]["corners_px"]) - moved).max() < 1
    assert document["slots"]["red.diver.1"]["spy"] == pytest.approx(0.97)
    assert set(document["ms"]) == {"locate", "read"}


def test_several_photographs_are_one_document_of_one_table(
    pack_dir: Path, reader: Reader, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shifts = (0, 20, 120)
    files = [photo(tmp_path, table(1, shift), f"{shift}.png") for shift in shifts]
    assert main(["look", *files, "--pack", str(pack_dir), "--json"]) == 0
    documents = json.loads(capsys.readouterr().out)
    assert [entry["file"] for entry in documents] == files
    for shift, entry in zip(shifts, documents, strict=True):
        moved = np.array(CORNERS) + np.array([shift, 0])
        assert np.abs(np.array(entry["boards"]["red"]["corners_px"]) - moved).max() < 1
    assert all(memory is reader.memories[0] for memory in reader.memories)


def test_a_table_for_people_and_an_overlay(
    pack_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    overlay = tmp_path / "out" / "seen.png"
    file = photo(tmp_path, table(1))
    assert main(["look", file, "--pack", str(pack_dir), "--overlay", str(overlay)]) == 0
    printed = capsys.readouterr().out
    assert "red.diver.1" in printed
    assert "spy" in printed
    assert cv2.imread(str(overlay)).shape == (600, 800, 3)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda folder: str(folder / "nowhere.jpg"), "there is no such file"),
        (lambda folder: str(folder), "is a folder"),
        (lambda folder: photo(folder, np.zeros((400, 600, 3), np.uint8)), "is black"),
        (lambda folder: photo(folder, np.full((400, 600, 3), 255, np.uint8)), "is burnt out"),
        (lambda folder: photo(folder, table(99)), "none of the boards of the pack 'Plain' is in it"),
        (
            lambda folder: photo(folder, cv2.cvtColor(table(1), cv2.COLOR_BGR2GRAY), "grey.png"),
            "grey.png: is in black and white, but the pack 'Plain' was taught in colour",
        ),
        (
            lambda folder: str((folder / "a.jpg").write_text("a letter") and folder / "a.jpg"),
            "is not a picture",
        ),
    ],
    ids=["missing", "folder", "black", "burnt out", "another board", "black and white", "no picture"],
)
def test_what_cannot_be_read_is_one_line_and_exit_code_2(
    pack_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], make: Any, words: str
) -> None:
    assert main(["look", make(tmp_path), "--pack", str(pack_dir), "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_a_wrong_photograph_is_refused_before_a_pack_is_opened(capsys: pytest.CaptureFixture[str]) -> None:
    """The first time the sample has to be drawn and taught, which takes a minute."""
    assert main(["look", "nowhere.jpg", "--pack", "nothing-like-it"]) == 2
    assert "nowhere.jpg: there is no such file" in capsys.readouterr().err


def test_an_unknown_pack_and_an_overlay_that_is_no_picture_are_refused(
    pack_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = photo(tmp_path, table(1))
    assert main(["look", file, "--pack", "nothing-like-it"]) == 2
    assert "no pack 'nothing-like-it'" in capsys.readouterr().err
    assert main(["look", file, "--pack", str(pack_dir), "--overlay", "out.txt"]) == 2
    assert "out.png" in capsys.readouterr().err

"""Files from others, each made to do harm: one sentence that names the file, exit code 2, and little memory."""

import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.journal.compact import pack, parse, unpack
from companion.journal.settings import FILE, load_settings
from companion.rules import Game, MalformedNotation
from companion.state import Settings
from vision import arrays

Refused = Callable[..., str]

DEEP = "[" * 200_000
PACK = """
version = 1
name = "Trap"
game = "otys"
[boards.colony]
size_mm = [330, 250]
[pieces]
cube = ["m", "p"]
[[slots]]
id = "colony.store.metal.1"
board = "colony"
kind = "cubes"
pieces = "cube"
capacity = 1
rect_mm = [10, 10, 20, 20]
"""
ENROL = """
[[photos]]
file = "bomb.png"
empty = true
[photos.corners_px]
colony = [[10, 10], [340, 10], [340, 260], [10, 260]]
[[photos]]
file = "pieces.png"
[photos.slots]
"colony.store.metal.1" = "m"
"""


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Refused:
    """Runs a command that must end with a sentence about `name`; returns the sentence."""

    def run(name: str, *command: str | Path) -> str:
        assert main([str(word) for word in command]) == 2
        error = capsys.readouterr().err.strip()
        assert name in error
        assert "internal error" not in error
        assert len(error.splitlines()) == 1
        return error

    return run


def sparse(path: Path, size: int) -> Path:
    """A file that is large and takes no room."""
    with path.open("wb") as file:
        file.truncate(size)
    return path


def png(path: Path, width: int, height: int) -> Path:
    """A picture of a few bytes that unfolds into gigabytes."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b""))
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)
    return path


def test_a_toml_file_of_100_megabytes(tmp_path: Path, refused: Refused) -> None:
    sparse(tmp_path / "pack.toml", 100_000_000)
    assert "too large" in refused("pack.toml", "enrol", tmp_path)


def test_a_toml_file_nested_without_end(tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "pack.toml").write_text(f"a = {DEEP}")
    assert "nested too deeply" in refused("pack.toml", "enrol", tmp_path)


def test_a_picture_of_1600_megapixels(tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "pack.toml").write_text(PACK)
    (tmp_path / "enrol.toml").write_text(ENROL)
    png(tmp_path / "bomb.png", 40_000, 40_000)
    png(tmp_path / "pieces.png", 400, 300)
    assert "40000 x 40000 pixels is too large" in refused("bomb.png", "enrol", tmp_path)


def test_a_position_nested_without_end(tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "position.json").write_text(DEEP)
    assert "nested too deeply" in refused("position.json", "rules", "turns", tmp_path / "position.json")


def test_a_position_of_100_megabytes(tmp_path: Path, refused: Refused) -> None:
    position = sparse(tmp_path / "position.json", 100_000_000)
    assert "larger than 4 MB" in refused("position.json", "rules", "turns", position)


def test_a_position_without_end(refused: Refused) -> None:
    assert "larger than 4 MB" in refused("/dev/zero", "rules", "turns", "/dev/zero")


def test_a_pack_whose_taught_files_unfold_into_gigabytes(
    tmp_path: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "MOST_BYTES", 1_000_000)
    (tmp_path / "pack.toml").write_text(PACK)
    (tmp_path / "taught").mkdir()
    for name in ("boards", "slots"):
        with zipfile.ZipFile(tmp_path / "taught" / f"{name}.npz", "w", zipfile.ZIP_DEFLATED) as bomb:
            bomb.writestr("notes.npy", bytes(2_000_000))
    picture = tmp_path / "plain.png"
    cv2.imwrite(str(picture), np.random.default_rng(1).integers(0, 255, (300, 400, 3), np.uint8))
    assert "too large to be ours" in refused(".npz", "look", picture, "--pack", tmp_path)


def test_a_journal_entry_that_unfolds_or_nests_without_end() -> None:
    with pytest.raises(ValueError, match="damaged record"):
        unpack(zlib.compress(bytes(50_000_000)))
    with pytest.raises(ValueError, match="nested too deeply"):
        unpack(zlib.compress(DEEP.encode()))
    with pytest.raises(ValueError, match="too large"):
        parse(" " * 5_000_000)
    assert unpack(pack({"turn": "key3 dive"})) == {"turn": "key3 dive"}


@pytest.mark.parametrize("text", [DEEP, "{" * 10, " " * 5_000_000 + "{}"])
def test_settings_that_cannot_be_read_are_the_defaults(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    assert load_settings(tmp_path) == Settings()


def test_a_game_whose_first_position_is_nested_without_end() -> None:
    with pytest.raises(MalformedNotation, match="not JSON"):
        Game.parse(f"start {DEEP}\n")

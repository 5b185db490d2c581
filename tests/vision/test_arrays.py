"""Arrays from files that anybody may have made: what they claim is checked before anything is unpacked."""

import io
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

from vision import arrays
from vision.arrays import read_arrays
from vision.boards import FORMAT, load_boards
from vision.read.taught import load_taught


def npy(array: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def archive(path: Path, **entries: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in entries.items():
            made.writestr(f"{name}.npy", data)
    return path


def claiming(shape: tuple[int, ...]) -> bytes:
    """A few bytes that say they are an array of that shape."""
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, {"descr": "|u1", "fortran_order": False, "shape": shape})
    return out.getvalue() + b"abc"


def test_numbers_stored_with_three_digits_are_read_as_usual_ones(tmp_path: Path) -> None:
    rows = np.arange(12, dtype=np.float16).reshape(3, 4) / 8
    path = archive(tmp_path / "some.npz", rows=npy(rows), columns=npy(np.asfortranarray(rows)))
    for read in read_arrays(path).values():
        assert read.dtype == np.float32
        np.testing.assert_array_equal(read, rows)


def test_what_was_saved_is_read_again(tmp_path: Path) -> None:
    rows = np.arange(12, dtype=np.float32).reshape(3, 4)
    saved = {"rows": rows, "columns": np.asfortranarray(rows), "name": np.array("colony"), "none": rows[:0]}
    np.savez(tmp_path / "a.npz", **saved)  # type: ignore[arg-type]
    again = read_arrays(tmp_path / "a.npz")
    assert again.keys() == saved.keys()
    for name, array in saved.items():
        np.testing.assert_array_equal(again[name], array)
        assert again[name].dtype == array.dtype
    again["rows"] += 1  # and is ours to change


def test_a_small_file_that_unfolds_into_more_than_is_allowed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "MOST_BYTES", 5_000_000)
    bomb = archive(tmp_path / "bomb.npz", zeros=bytes(3_000_000), more=bytes(3_000_000))
    assert bomb.stat().st_size < 20_000
    with pytest.raises(ValueError, match="2 arrays of 6 MB are too large to be ours"):
        read_arrays(bomb)


def test_a_file_that_hides_its_size_yields_no_more_than_it_promised(tmp_path: Path) -> None:
    path = archive(tmp_path / "liar.npz", zeros=bytes(5_000_000))
    data = path.read_bytes().replace(struct.pack("<I", 5_000_000), struct.pack("<I", 1_000))
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"damaged|magic"):
        read_arrays(path)


@pytest.mark.parametrize("shape", [(40_000, 40_000, 40_000), (2, 2), (10**9, 0)])
def test_an_array_that_is_not_as_large_as_it_says_is_refused(tmp_path: Path, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"a\.npy does not hold what it says"):
        read_arrays(archive(tmp_path / "a.npz", a=claiming(shape)))


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", a=np.array([{"never": "run"}], dtype=object))
    with pytest.raises(ValueError, match="does not hold what it says"):
        read_arrays(tmp_path / "a.npz")


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 broken", b"\x93NUMPY\x01\x00", b"not a zip at all" * 99])
def test_taught_files_that_are_damaged_are_a_sentence_with_a_remedy(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "pack" / "taught" / "some.npz"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"some\.npz: .*run enrol again"):
        load_boards(path)
    with pytest.raises(ValueError, match=r"some\.npz: .*teach the pack again"):
        load_taught(path)


def test_notes_nested_without_end_and_boards_of_a_wrong_shape_are_refused(tmp_path: Path) -> None:
    deep = np.frombuffer(b"[" * 100_000, np.uint8)
    with pytest.raises(ValueError, match="teach the pack again"):
        load_taught(archive(tmp_path / "pack" / "taught" / "slots.npz", notes=npy(deep)))
    one = {f"0.{name}": npy(np.ones(2)) for name in ("scale", "bgr", "points_mm", "free", "free_area")}
    boards = archive(
        tmp_path / "pack" / "taught" / "boards.npz",
        format=npy(np.array(FORMAT)),
        lens=npy(np.zeros(3)),
        names=npy(np.array(["colony"])),
        **one,
    )
    with pytest.raises(ValueError, match="run enrol again"):
        load_boards(boards)

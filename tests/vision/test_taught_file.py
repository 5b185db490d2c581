"""The file of what was taught: small, and read as it was written."""

from pathlib import Path

import numpy as np
import pytest

from vision.read.taught import Taught, load_taught, save_taught


def test_large_arrays_take_half_the_room_and_keep_three_digits(tmp_path: Path) -> None:
    row = np.random.default_rng(5).normal(0, 20, 50_000).astype(np.float32)
    path = tmp_path / "pack" / "taught" / "slots.npz"
    save_taught(Taught(grounds={}, bare_tiles={"red.diver.1": row}), path)
    again = load_taught(path).bare_tiles["red.diver.1"]
    assert again.dtype == np.float32
    np.testing.assert_allclose(again, row, rtol=1e-3, atol=1e-4)
    assert path.stat().st_size < 0.6 * row.nbytes


def test_numbers_too_large_for_three_digits_are_kept_whole(tmp_path: Path) -> None:
    row = np.full(5_000, 1e6, np.float32)
    path = tmp_path / "slots.npz"
    save_taught(Taught(grounds={}, bare_tiles={"red.diver.1": row}), path)
    assert (load_taught(path).bare_tiles["red.diver.1"] == row).all()


def test_a_file_that_is_not_ours_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "taught" / "slots.npz"
    path.parent.mkdir()
    np.savez(path, notes=np.frombuffer(b'{"format": 0}', np.uint8))
    with pytest.raises(ValueError, match="teach the pack again"):
        load_taught(path)

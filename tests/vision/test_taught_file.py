"""The file of what was taught: small, and read as it was written."""

from pathlib import Path

import numpy as np
import pytest

from vision.read.area import AreaModel
from vision.read.colours import Colours
from vision.read.taught import Taught, load_taught, save_taught
from vision.read.tops import Tops


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


@pytest.mark.parametrize(
    "tops", [Tops(np.full((2, 3), 4.5, np.float32), np.full((2, 3), 0.1, np.float32)), None]
)
def test_the_colours_of_tops_are_kept_and_a_pack_taught_without_them_is_read(
    tmp_path: Path, tops: Tops | None
) -> None:
    colours = Colours(
        np.zeros((2, 1, 3), np.float32),
        np.tile(np.eye(3, dtype=np.float32), (2, 1, 1, 1)),
        np.ones((2, 1), np.float32),
        np.ones(2, bool),
        np.zeros((0, 3), np.float32),
        np.zeros((0, 3, 3), np.float32),
    )
    path = tmp_path / "slots.npz"
    save_taught(Taught({}, areas={"cubes:cube": AreaModel(("f", "t"), colours, 8.0, True, tops=tops)}), path)
    again = load_taught(path).areas["cubes:cube"].tops
    assert (again is None) is (tops is None)
    if tops is not None and again is not None:
        np.testing.assert_array_equal(again.means, tops.means)
        np.testing.assert_array_equal(again.spreads, tops.spreads)

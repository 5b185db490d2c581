"""Tracks of one marker each, read together: where it stands, that it is gone, on print and beside the board."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.read import tile, tile_training
from vision.read.features import features
from vision.read.hidden import all_bare
from vision.read.tile import whitened
from vision.read.track import ABSENT, Track, read_tracks

Floats = NDArray[np.float32]
GEO = tile.geometry((20.0, 15.0), tile.SETTINGS.track_margin_share)
LENGTHS = (4, 4, 3)
RECTS_MM = [(25.0 * place, 40.0 * track, 20.0, 15.0) for track, n in enumerate(LENGTHS) for place in range(n)]


def place(number: int, marker: bool, light: float = 1.0, shift: tuple[int, int] = (0, 0)) -> Floats:
    """A numbered place, perhaps with the marker on it."""
    width, height = GEO.whole_px
    picture = np.full((height, width, 3), (150, 130, 95), np.float32)
    cv2.putText(picture, str(number), (width // 2 - 8, height // 2 + 8), 0, 0.7, (70, 60, 50), 2, cv2.LINE_AA)
    if marker:
        middle = width // 2 + shift[0], height // 2 + shift[1]
        half = GEO.size_px[0] // 2, GEO.size_px[1] // 2
        corners = [(middle[0] - half[0], middle[1] - half[1]), (middle[0] + half[0], middle[1] + half[1])]
        cv2.rectangle(picture, corners[0], corners[1], (40, 45, 160), -1)
        cv2.circle(picture, middle, min(half) - 3, (60, 200, 230), 3, cv2.LINE_AA)
        cv2.line(picture, corners[0], middle, (230, 230, 230), 2, cv2.LINE_AA)
    noise = np.random.default_rng(number).normal(0, 2, picture.shape)
    return (picture * light + noise).clip(0, 255).astype(np.float32)


@pytest.fixture(scope="module")
def taught() -> tuple[tile.TileModel, list[Floats | None]]:
    """The model, and the print of all places; the last track lies beside the board."""
    examples = [tile_training.Example(0, place(i, True), place(i, False)) for i in (0, 2)]
    grounds = [place(i, False) for i in range(4)]
    quick = tile_training.TrainingSettings(pictures=120)
    model = tile_training.train(("hacker",), examples, grounds, GEO, quick)
    m = GEO.margin_px
    middles = np.stack([one[m : m + GEO.size_px[1], m : m + GEO.size_px[0]] for one in grounds])
    rows: list[Floats | None] = list(whitened(model, features(middles, model.mask)))
    return model, [*rows, *rows, None, None, None]


def tracks(
    taught: tuple[tile.TileModel, list[Floats | None]], standing: tuple[int, ...], light: float
) -> list[Track]:
    wholes = [
        place(i, i == at, light, shift=(3, -2))
        for at, length in zip(standing, LENGTHS, strict=True)
        for i in range(length)
    ]
    return read_tracks(taught[0], np.stack(wholes), taught[1], RECTS_MM, LENGTHS)


def read(
    taught: tuple[tile.TileModel, list[Floats | None]], standing: tuple[int, ...], light: float
) -> list[dict[int, float]]:
    return [one.counts["hacker"] for one in tracks(taught, standing, light)]


@pytest.mark.parametrize("light", [1.0, 0.8])
@pytest.mark.parametrize("standing", [(0, 3, 1), (2, 1, 0), (1, 1, 2)])
def test_each_marker_is_found_on_its_own_track(
    taught: tuple[tile.TileModel, list[Floats | None]], standing: tuple[int, ...], light: float
) -> None:
    found = read(taught, standing, light)
    assert tuple(max(p, key=p.__getitem__) for p in found) == standing
    assert all(sum(p.values()) == pytest.approx(1, abs=1e-3) for p in found)
    assert [len(p) - 1 for p in found] == list(LENGTHS)


def test_a_marker_that_stands_nowhere_is_off_its_track(
    taught: tuple[tile.TileModel, list[Floats | None]],
) -> None:
    found = read(taught, (ABSENT, 2, ABSENT), 1.0)
    assert tuple(max(p, key=p.__getitem__) for p in found) == (ABSENT, 2, ABSENT)


def test_where_its_marker_lay_is_told_of_each_track_that_has_one(
    taught: tuple[tile.TileModel, list[Floats | None]],
) -> None:
    found = [one.lie for one in tracks(taught, (1, ABSENT, 2), 1.0)]
    assert [lie is not None for lie in found] == [True, False, True]
    middle_px = np.array([(side - 1) / 2 for side in GEO.size_px] + [1.0])
    moved_mm = np.array([3, -2]) / GEO.px_per_mm
    for lie, (x, y, width, height) in zip(found[::2], (RECTS_MM[1], RECTS_MM[10]), strict=True):
        assert lie is not None
        standing_mm = np.array([x + width / 2, y + height / 2]) + moved_mm
        assert (lie.mm_from_px @ middle_px)[:2] == pytest.approx(standing_mm, abs=0.5)


def test_a_marker_burnt_out_by_a_lamp_leaves_its_track_other_than_bare_table() -> None:
    grain = np.random.default_rng(3).normal(0, 4, (4, 20, 16, 3)).astype(np.float32)
    table = np.array([60, 90, 130], np.float32) * np.linspace(0.9, 1.1, 4)[:, None, None, None] + grain
    assert all_bare(table)
    burnt = table.copy()
    burnt[1, 3:18, 2:14] = 240
    assert not all_bare(burnt)

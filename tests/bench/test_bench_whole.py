"""The running companion is measured on the photographs of a few turns, and against what its pixels need."""

import json
from pathlib import Path

import numpy as np
import pytest

from companion.bench.album import RELIT, SMALL_PX, Album, page, players, show_page
from companion.bench.photographs import photograph
from companion.bench.whole import Evening, figures
from hardware.simulated.record import Order
from vision.picture import load_picture


@pytest.fixture(scope="module")
def album(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("album") / "pages"
    photograph(Order(seed=402, players=2, turns=2, size_px=(768, 432)), folder)
    return folder


def test_an_album_has_the_set_table_and_a_page_for_each_turn(album: Path) -> None:
    pages = ["000.jpg", "001.jpg", "002.jpg", RELIT]
    assert sorted(shot.name for shot in album.glob("*.jpg")) == [*pages, *(f"small-{one}" for one in pages)]
    assert players(album) == [0, 1]
    assert json.loads((album / "start.json").read_text())["deck"] is None


def test_the_camera_over_an_album_shows_the_page_that_was_turned_to(album: Path) -> None:
    show_page(album, 0)
    camera = Album(album)
    camera.open()
    before = camera.full().bgr
    assert camera.small().bgr.shape == (SMALL_PX[1], SMALL_PX[0], 3)
    show_page(album, 1)
    after = camera.full().bgr
    assert np.abs(before.astype(float) - after.astype(float)).max() > 60


def test_pages_are_a_turn_apart_and_only_the_last_is_there_in_another_light(album: Path) -> None:
    before, after, relit = (load_picture(album / name).astype(float) for name in (page(1), page(2), RELIT))
    # Noise is all that most pixels differ by in one light; a turn changes few of them, but some a good deal.
    assert np.median(np.abs(before - after)) <= 3 < np.median(np.abs(relit - after))
    assert np.abs(before - after).max() > 60


def test_presses_of_all_evenings_are_set_against_decoding_and_warping() -> None:
    evenings = [
        Evening([180.0, 200.0], [350.0], 0.03, 310.0, 60.0),
        Evening([220.0], [410.0], 0.04, 290.0, 50.0),
    ]
    usual, longest, hasty, ratio, idle, memory, drawing = figures(evenings, needed_ms=100.0)
    assert (usual.value, longest.value, hasty.value, ratio.value) == (200.0, 220.0, 380.0, 2.0)
    assert (idle.value, memory.value, drawing.value) == (4.0, 310.0, 60.0)
    assert all(figure.reached is not False for figure in (usual, longest, ratio, idle, memory))

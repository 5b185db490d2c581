"""The running companion is measured on the photographs of a few turns, and against what its pixels need."""

import json
from pathlib import Path

import numpy as np
import pytest

from companion.bench.whole import SMALL_PX, Album, Evening, figures, photograph
from hardware.simulated.record import Order


@pytest.fixture(scope="module")
def album(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("album") / "pages"
    photograph(Order(seed=402, players=2, turns=2, size_px=(768, 432)), folder)
    return folder


def test_an_album_has_the_set_table_and_a_page_for_each_turn(album: Path) -> None:
    assert sorted(page.name for page in album.glob("*.jpg")) == ["000.jpg", "001.jpg", "002.jpg"]
    assert json.loads((album / "players.json").read_text()) == [0, 1]
    assert json.loads((album / "start.json").read_text())["deck"] is None


def test_the_camera_over_an_album_shows_the_page_that_was_turned_to(album: Path) -> None:
    (album / "page").write_text("000.jpg")
    camera = Album(album)
    camera.open()
    before = camera.full().bgr
    assert camera.small().bgr.shape == (SMALL_PX[1], SMALL_PX[0], 3)
    (album / "page").write_text("001.jpg")
    after = camera.full().bgr
    assert np.abs(before.astype(float) - after.astype(float)).max() > 60


def test_presses_of_all_evenings_are_set_against_decoding_and_warping() -> None:
    evenings = [Evening([180.0, 200.0], 0.03, 310.0), Evening([220.0], 0.04, 290.0)]
    usual, longest, ratio, idle, memory = figures(evenings, needed_ms=100.0)
    assert (usual.value, longest.value, ratio.value) == (200.0, 220.0, 2.0)
    assert (idle.value, memory.value) == (4.0, 310.0)
    assert all(figure.reached is not False for figure in (usual, longest, ratio, idle, memory))

"""Crops straight from the frame, through lens and tilt."""

import cv2
import numpy as np
import pytest
from drawn_tables import PX_PER_MM, Placed, Shot, art_board, photograph

from vision.fix import Fix, Located, homography, project, raised
from vision.lens import Lens
from vision.rectify import Scale, crop, crops, drawn, inside

SIZE_MM = (280.0, 210.0)
LENS = Lens(-0.04, 0.006)


@pytest.fixture(scope="module")
def scene() -> tuple[np.ndarray, np.ndarray, Located]:
    board = art_board((280, 210), (40, 40, 200), 1)
    shot = Shot(size_px=(2304, 1296), px_per_mm=3.2, tilt_px=(30, 10, 40, 0), lens=LENS, noise=1)
    frame, corners = photograph({"red": Placed(board, (150, -60), 25)}, shot)
    mm = [(0, 0), (280, 0), (280, 210), (0, 210)]
    pose = homography(mm, LENS.flatten(corners["red"], shot.size_px))
    return board, frame, Located(shot.size_px, LENS, {"red": Fix(pose, SIZE_MM)})


def printed(board: np.ndarray, rect: tuple[float, float, float, float], px_per_mm: float) -> np.ndarray:
    x, y, w, h = (round(v * PX_PER_MM) for v in rect)
    size = round(rect[2] * px_per_mm), round(rect[3] * px_per_mm)
    return cv2.resize(board[y : y + h, x : x + w], size, interpolation=cv2.INTER_AREA)


@pytest.mark.parametrize("px_per_mm", [0.8, 2.0, 3.0])
def test_a_crop_shows_what_is_printed_there(
    scene: tuple[np.ndarray, np.ndarray, Located], px_per_mm: float
) -> None:
    board, frame, located = scene
    rect = (40.0, 30.0, 90.0, 60.0)
    seen = crop(frame, located, "red", rect, Scale(px_per_mm))
    wanted = printed(board, rect, px_per_mm)
    assert seen.shape == wanted.shape
    assert np.abs(seen.astype(float) - wanted).mean() < 9


def test_many_crops_are_the_crops_one_by_one(scene: tuple[np.ndarray, np.ndarray, Located]) -> None:
    _, frame, located = scene
    rects = [(10.0, 10.0, 30.0, 20.0), (200.0, 150.0, 40.0, 40.0)]
    together = crops(frame, located, "red", rects, Scale(2.0, margin_mm=3))
    assert [c.shape[:2] for c in together] == [(52, 72), (92, 92)]
    for rect, one in zip(rects, together, strict=True):
        assert (crop(frame, located, "red", rect, Scale(2.0, margin_mm=3)) == one).all()
    assert crops(frame, located, "red", [], Scale(2.0)) == []


def test_a_crop_may_lie_outside_the_board_and_the_picture(
    scene: tuple[np.ndarray, np.ndarray, Located],
) -> None:
    _, frame, located = scene
    beside = crop(frame, located, "red", (-40.0, 20.0, 30.0, 30.0), Scale(2.0))
    assert abs(float(beside[..., 2].mean()) - 165) < 25  # the table's own colour
    away = crop(frame, located, "red", (2000.0, 2000.0, 30.0, 30.0), Scale(2.0))
    assert away.shape == (60, 60, 3)
    assert not away.any()
    assert inside(located, "red", (40.0, 30.0, 90.0, 60.0))
    assert not inside(located, "red", (900.0, 30.0, 90.0, 60.0))


@pytest.mark.parametrize("px_per_mm", [0.8, 2.0])
def test_a_whole_board_is_drawn_as_exactly_as_any_small_part_of_it(
    scene: tuple[np.ndarray, np.ndarray, Located], px_per_mm: float
) -> None:
    _, frame, located = scene
    whole = drawn(frame, located, "red", (-20.0, -10.0, 320.0, 240.0), px_per_mm)
    assert whole.shape == (round(240 * px_per_mm), round(320 * px_per_mm), 3)
    for rect in ((0.0, 0.0, 30.0, 20.0), (240.0, 180.0, 30.0, 20.0), (100.0, 150.0, 30.0, 20.0)):
        left, top, width, height = (
            round(v * px_per_mm) for v in (rect[0] + 20, rect[1] + 10, rect[2], rect[3])
        )
        part = crop(frame, located, "red", rect, Scale(px_per_mm))
        off = whole[top : top + height, left : left + width].astype(float) - part
        assert np.abs(off).mean() < 2


def test_what_is_drawn_beyond_the_picture_is_black(scene: tuple[np.ndarray, np.ndarray, Located]) -> None:
    _, frame, located = scene
    right = drawn(frame, located, "red", (100.0, 0.0, 1200.0, 100.0), 1.0)
    assert right[:, :50].any()
    assert not right[:, 1000:].any()
    assert not drawn(frame, located, "red", (4000.0, 4000.0, 30.0, 30.0), 2.0).any()


def test_pixels_and_millimetres_go_both_ways(scene: tuple[np.ndarray, np.ndarray, Located]) -> None:
    _, _, located = scene
    points = np.array([(0.0, 0.0), (140.0, 105.0), (300.0, -20.0)])
    assert np.allclose(located.px_to_mm("red", located.mm_to_px("red", points)), points, atol=1e-6)


def test_the_top_of_a_raised_piece_lies_further_from_the_middle(
    scene: tuple[np.ndarray, np.ndarray, Located],
) -> None:
    _, _, located = scene
    point = [(270.0, 100.0)]
    middle = (np.array(located.size_px) - 1) / 2
    foot, top = located.mm_to_px("red", point), located.mm_to_px("red", point, height_mm=10)
    assert np.linalg.norm(top - middle) > np.linalg.norm(foot - middle) + 1


def test_a_plane_raised_in_a_known_camera_is_where_geometry_says() -> None:
    size_px, focal_px, away_mm = (2000, 1000), 1540.0, 700.0
    camera = np.array([[focal_px, 0, 999.5], [0, focal_px, 499.5], [0, 0, 1]])
    pose = camera @ np.array([[1, 0, 100], [0, 1, 50], [0, 0, away_mm]])
    lifted = raised(pose, Lens(focal=focal_px / 2000), size_px, 20)
    expected = camera @ np.array([[1, 0, 100], [0, 1, 50], [0, 0, away_mm - 20]])
    assert np.allclose(project(lifted, [(30, 40)]), project(expected, [(30, 40)]), atol=1e-6)


def test_bending_and_flattening_undo_each_other() -> None:
    grid = np.stack(np.meshgrid(np.linspace(0, 2303, 9), np.linspace(0, 1295, 7)), axis=-1).reshape(-1, 2)
    assert np.allclose(LENS.bend(LENS.flatten(grid, (2304, 1296)), (2304, 1296)), grid, atol=1e-4)

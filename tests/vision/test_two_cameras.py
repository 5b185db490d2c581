"""Two cameras side by side in one picture: each looks down from the middle of its own half."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.fix import Fix, Located, project, raised
from vision.lens import Lens
from vision.lensfit import Corners, fit_lens
from vision.rig import FILES, Rig, load_rigs, save_rig

ONE_PX = (1600, 1200)
TWO_PX = (3200, 1200)
ONE = Lens(focal=0.8)
TWO = replace(ONE, cameras=2)
# A board to the right of a camera's middle, a little tilted.
POSE = np.array([[2.0, 0.1, 900.0], [-0.1, 2.0, 300.0], [2e-5, 1e-5, 1.0]])
TO_THE_RIGHT = np.array([[1.0, 0, ONE_PX[0]], [0, 1.0, 0], [0, 0, 1.0]])
POINTS_MM = [(0, 0), (200, 0), (200, 150), (0, 150)]


@pytest.mark.parametrize("half", [0, 1])
def test_the_top_of_a_cube_leans_away_from_the_camera_that_sees_it(half: int) -> None:
    alone = project(raised(POSE, ONE, ONE_PX, 8.0), POINTS_MM)
    pose = TO_THE_RIGHT @ POSE if half else POSE
    shared = project(raised(pose, TWO, TWO_PX, 8.0), POINTS_MM)
    np.testing.assert_allclose(shared, np.add(alone, (half * ONE_PX[0], 0)), atol=1e-6)


def test_below_the_right_camera_nothing_leans() -> None:
    straight = np.array([[2.0, 0, 2399.5 - 200], [0, 2.0, 599.5 - 200], [0, 0, 1.0]])
    located = Located(TWO_PX, TWO, {"red": Fix(straight, (200.0, 200.0))})
    np.testing.assert_allclose(
        located.mm_to_px("red", [(100, 100)], 8.0), located.mm_to_px("red", [(100, 100)]), atol=1e-6
    )


def test_lenses_that_share_a_picture_are_taken_as_straight() -> None:
    bent = np.array([(10.0, 10.0), (700.0, 30.0), (690.0, 500.0), (15.0, 480.0)])
    board = (np.array([(0.0, 0), (300, 0), (300, 200), (0, 200)]), bent)
    seen = Corners({"colony": board, "red": (board[0], np.add(bent, (1600, 0)))}, TWO_PX)
    assert fit_lens([], [seen], TWO) == TWO
    assert fit_lens([], [seen], replace(ONE, focal=0.4)).focal == 0.4


def test_a_pack_has_a_rig_for_each_camera_from_the_left(tmp_path: Path) -> None:
    assert load_rigs(tmp_path) == ()
    left, right = Rig(name="left", lens_position=1.5), Rig(name="right", lens_position=1.25)
    save_rig(left, tmp_path / FILES[0])
    assert load_rigs(tmp_path) == (left,)
    save_rig(right, tmp_path / FILES[1])
    assert load_rigs(tmp_path) == (left, right)

"""The lens, worked out from corners in one plane and from print seen in two places."""

import numpy as np
import pytest

from vision.fix import homography, project
from vision.lens import Lens
from vision.lensfit import Corners, Pair, fit_lens

SIZE_PX = (3072, 1728)
TRUE = Lens(-0.03, 0.0)
CAMERA = homography(
    [(-500, -280), (500, -280), (500, 280), (-500, 280)], [(20, 30), (3040, 0), (3072, 1700), (0, 1728)]
)
SPOTS = {"colony": (0.0, 0.0, 3.0), "red": (-330.0, 30.0, 88.0), "blue": (330.0, 10.0, -95.0)}


def placed(x: float, y: float, turned: float, points: np.ndarray) -> np.ndarray:
    a = np.deg2rad(turned)
    return points @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + (x, y)


def corners(noise_px: float, names: list[str]) -> Corners:
    rng = np.random.default_rng(1)
    mm = np.array([(-140, -105), (140, -105), (140, 105), (-140, 105)], np.float64)
    seen = {}
    for name in names:
        px = TRUE.bend(project(CAMERA, placed(*SPOTS[name], mm)), SIZE_PX)
        seen[name] = (mm, px + rng.normal(0, noise_px, px.shape))
    return Corners(seen, SIZE_PX)


@pytest.mark.parametrize("noise_px", [0.0, 0.7])
def test_the_corners_of_three_boards_give_the_lens(noise_px: float) -> None:
    assert fit_lens([], [corners(noise_px, list(SPOTS))]).k1 == pytest.approx(TRUE.k1, abs=0.008)


def test_print_that_moved_across_the_picture_gives_the_lens() -> None:
    rng = np.random.default_rng(2)
    grid = rng.uniform((-140, -105), (140, 105), (150, 2))
    views = [
        TRUE.bend(project(CAMERA, placed(x, y, turned, grid)), SIZE_PX)
        for x, y, turned in ((-330, -100, 80), (300, 130, -60), (0, 0, 10))
    ]
    pairs = [Pair(views[0], later + rng.normal(0, 0.3, later.shape), SIZE_PX) for later in views[1:]]
    assert fit_lens(pairs).k1 == pytest.approx(TRUE.k1, abs=0.008)


def test_without_evidence_the_lens_stays_perfect() -> None:
    assert fit_lens([]) == Lens()
    alone = fit_lens([], [corners(0.0, ["red"])])
    assert abs(alone.k1) < 1e-6


def test_a_board_that_never_moved_is_no_evidence() -> None:
    rng = np.random.default_rng(3)
    still = TRUE.bend(project(CAMERA, rng.uniform(-100, 100, (150, 2))), SIZE_PX)
    seen_again = still + rng.normal(0, 0.3, still.shape)
    assert abs(fit_lens([Pair(still, seen_again, SIZE_PX)]).k1) < 0.03

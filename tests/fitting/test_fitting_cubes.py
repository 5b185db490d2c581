"""The fit of the cube network: its slopes are true, it learns, and it sees what the reader sees."""

import numpy as np
import pytest

from companion.fitting.lessons import (
    LOW_SIZE_MM,
    MIRRORED_SIZE_MM,
    MIRRORED_SPOT_MM,
    Lesson,
    _harsh_lamp,
)
from companion.fitting.network import Fit, FitSettings, fresh, loss_and_slopes, varied, wrongness
from hardware.simulated.conditions import Lamp
from vision.read.cubes import heat, weights


def area(rng: np.random.Generator, cubes: int = 2) -> Lesson:
    """Noise, with a bright square for every cube."""
    inputs = rng.normal(0, 0.2, (40, 48, 8)).astype(np.float32)
    tops = np.array([(12.0 + 20 * i, 14.0 + 8 * i) for i in range(cubes)]).reshape(-1, 2)
    for x, y in tops.astype(int):
        inputs[y - 8 : y + 9, x - 8 : x + 9] += 1
    return Lesson(inputs, tops)


@pytest.mark.parametrize("name", ["w0", "b0", "w1", "w2", "w4", "b5", "wh", "bh"])
def test_slopes_are_those_of_small_steps(name: str) -> None:
    rng = np.random.default_rng(4)
    net, lesson = fresh(3), area(rng)
    slope = loss_and_slopes(net, lesson)[1][name]
    direction = np.sign(slope).astype(np.float32)
    step = 1e-4

    def loss(way: float) -> float:
        return loss_and_slopes({**net, name: net[name] + np.float32(way) * direction}, lesson)[0]

    assert (loss(step) - loss(-step)) / (2 * step) == pytest.approx(float(np.abs(slope).sum()), rel=0.03)


def test_the_right_answer_costs_next_to_nothing_and_a_miss_costs_much() -> None:
    answers = np.full((20, 24), -9, np.float32)
    answers[7, 6] = 9
    tops = np.array([(12.5, 14.5)])
    assert wrongness(answers, tops)[0] < 0.1
    assert wrongness(answers, tops + 8)[0] > 15
    assert wrongness(answers, np.zeros((0, 2)))[0] > 8


def test_a_few_steps_teach_it_what_a_cube_looks_like() -> None:
    rng = np.random.default_rng(6)
    running, quick = Fit(fresh(1), 60), FitSettings(rate=1e-2)
    before = np.mean([loss_and_slopes(running.net, area(rng))[0] for _ in range(4)])
    for _ in range(60):
        running.step([varied(area(rng, int(rng.integers(0, 3))), rng) for _ in range(4)], quick)
    after = np.mean([loss_and_slopes(running.net, area(rng))[0] for _ in range(4)])
    assert after < before / 2


def test_what_is_fitted_is_what_is_read() -> None:
    """The loss is taken from the very answers the reader gets."""
    lesson = area(np.random.default_rng(8))
    net = dict(weights())
    assert loss_and_slopes(net, lesson)[0] == pytest.approx(
        wrongness(heat(lesson.inputs), lesson.tops_px)[0], rel=1e-4
    )


@pytest.mark.parametrize("seed", range(6))
def test_a_varied_area_keeps_its_cubes(seed: int) -> None:
    lesson = area(np.random.default_rng(1))
    other = varied(lesson, np.random.default_rng(seed))

    bright = [other.inputs[round(y), round(x), 0] for x, y in other.tops_px]
    assert min(bright) > 0.5  # the ground is 0, a top 1


def test_lessons_show_lamps_low_beside_the_table_and_lamps_the_boards_mirror() -> None:
    rng = np.random.default_rng(5)
    lamp = Lamp(2000.0, 0.0, 1500.0, 100.0, 0.6, (1.0, 1.0, 1.0))
    drawn = [_harsh_lamp(lamp, 900.0, rng) for _ in range(300)]
    low = [one for one in drawn if one.size_mm <= LOW_SIZE_MM[1] and one != lamp]
    wide = [one for one in drawn if one.size_mm >= MIRRORED_SIZE_MM[0]]
    assert min(len(low), len(wide), drawn.count(lamp)) > 30
    assert max(np.hypot(one.x_mm, one.y_mm) / one.z_mm for one in low) > 2, "shadows longer than two cubes"
    # A mirror shows a lamp between it and the camera's foot, as far along as the camera is high beside the lamp.
    spots_mm = np.array([(one.x_mm, one.y_mm) for one in wide])
    spots_mm /= np.array([1 + one.z_mm / 900.0 for one in wide])[:, None]
    assert np.abs(spots_mm).max() <= MIRRORED_SPOT_MM[1] + 1e-6

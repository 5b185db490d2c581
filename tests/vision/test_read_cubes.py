"""Where cubes are, between the answers of the network, and whose colours they have."""

import numpy as np
import pytest

from calibration.lesson import AT_A_GLANCE
from vision.read import cubes
from vision.read.area import counts
from vision.read.colours import SETTINGS as COLOURS
from vision.read.colours import Colours, _without_strays
from vision.read.cubes import (
    SETTINGS,
    Area,
    Cube,
    CubeSettings,
    Face,
    _tops,
    find_cubes,
    heat,
    heat_every_way,
    other_shade,
    print_hidden,
    unseen_cube,
)
from vision.read.cut import Cut, learn_cut


def answers(*places: tuple[int, int, float]) -> np.ndarray:
    """Chances that are all but nothing, except at a few places (x, y)."""
    chances = np.full((24, 48), 1e-6, np.float32)
    for x, y, chance in places:
        chances[y, x] = chance
    return chances


@pytest.mark.parametrize("apart", [6, 7, 8])
def test_touching_cubes_stay_two(apart: int) -> None:
    found = _tops(answers((12, 11, 900.0), (12 + apart, 11, 30.0)), 5, SETTINGS)
    assert [at_px for at_px, _ in found] == [
        pytest.approx((24.5, 22.5), abs=0.1),
        pytest.approx((24.5 + 2 * apart, 22.5), abs=0.1),
    ]


def test_two_answers_on_one_cube_are_one_cube() -> None:
    found = _tops(answers((12, 11, 900.0), (16, 12, 30.0)), 5, SETTINGS)
    assert len(found) == 1


def test_a_middle_between_two_answers_is_found_there() -> None:
    (((x, y), _),) = _tops(answers((12, 11, 50.0), (13, 11, 50.0)), 5, SETTINGS)
    assert (x, y) == (pytest.approx(25.5, abs=0.1), pytest.approx(22.5, abs=0.1))


@pytest.mark.parametrize(("at", "found"), [((20, 2), 0), ((20, 4), 1), ((45, 11), 0), ((43, 11), 1)])
def test_a_cube_beyond_the_rim_is_the_neighbours(at: tuple[int, int], found: int) -> None:
    """Its answer is taken together with those inside the rim, and there looks as clear."""
    assert len(_tops(answers((*at, 900.0)), 5, SETTINGS)) == found


@pytest.mark.parametrize(
    ("what", "at_px", "label", "tone", "doubted"),
    [
        ("its flank, in the shade", (30.5, 8.5), 1, 3.9, True),
        ("its flank, in a low lamp's light", (30.5, 8.5), 1, 5.1, True),
        ("one like it beside it", (30.5, 8.5), 1, 4.55, False),
        ("one of another colour beside it", (30.5, 8.5), 2, 3.9, False),
        ("one like it elsewhere, under a sleeve", (60.5, 22.5), 1, 3.9, False),
    ],
)
def test_a_cube_lit_otherwise_than_its_like_beside_it_is_a_flank(
    what: str, at_px: tuple[float, float], label: int, tone: float, doubted: bool
) -> None:
    doubt = other_shade(Face(at_px, label, tone), [Face((30.5, 22.5), 1, 4.5)])
    assert (doubt > 3) if doubted else (doubt < 0.1), what


def test_a_colour_that_hardly_a_pixel_has_is_not_the_labels_own() -> None:
    means = np.array([[5.0, 5.0, 5.0], [5.1, 5.1, 5.2], [4.0, 5.0, 3.8]], np.float32)
    spreads = np.stack([np.eye(3, dtype=np.float32) * one for one in (0.1, 0.2, 0.9)])
    shares = np.array([0.2, 0.79, 0.01], np.float32)
    _without_strays(means, spreads, shares, COLOURS)
    assert means[2] == pytest.approx(means[1]) and spreads[2] == pytest.approx(spreads[1])
    assert means[0] == pytest.approx([5.0, 5.0, 5.0])


def test_an_area_that_shows_neither_its_print_nor_a_cube_is_in_doubt() -> None:
    plain = np.zeros((48, 48, 3), np.float32)
    lit = np.full((48, 48), 5.0, np.float32)
    lit[16:32, 16:32] = -4.0  # something hides the print there
    covered, bare = (Area(plain, plain, one, one) for one in (lit, np.full_like(lit, 5.0)))
    faint = Cube((24.0, 24.0), -6.0, -6.0, (0.0, -1.0))
    clear = Cube((24.0, 24.0), 5.0, 5.0, (0.0, -9.0))

    def none(area: Area, *cubes: Cube) -> float:
        found = counts(("m", "p"), [*cubes, *unseen_cube(area, 5.0, cubes)], 3)
        return found["m"].get(0, 0.0) * found["p"].get(0, 0.0)

    assert 0.7 < none(covered, faint) < 0.95
    assert none(bare, faint) > 0.99
    assert not unseen_cube(covered, 5.0, [clear])
    assert not unseen_cube(covered, 5.0, [])  # a shadow in which nothing resembles a cube


def lain(inputs: np.ndarray, way: str) -> np.ndarray:
    """A picture, or the answers to it, mirrored or turned."""
    return {
        "mirrored": lambda one: one[:, ::-1],
        "upside down": lambda one: one[::-1],
        "turned": lambda one: np.rot90(one),
    }[way](inputs)


@pytest.mark.parametrize("way", ["mirrored", "upside down", "turned"])
def test_an_area_looked_at_in_every_way_has_one_answer_however_it_lies(way: str) -> None:
    inputs = np.random.default_rng(2).normal(0, 0.5, (41, 57, 8)).astype(np.float32)
    other = np.ascontiguousarray(lain(inputs, way))
    assert np.allclose(heat_every_way(other), lain(heat_every_way(inputs), way), atol=1e-3)
    assert not np.allclose(heat(other), lain(heat(inputs), way), atol=0.1)  # the network alone has not


@pytest.mark.parametrize("size", [(40, 56), (41, 56), (40, 57)])
def test_answers_in_every_way_lie_where_those_of_one_look_lie(size: tuple[int, int]) -> None:
    inputs = np.zeros((*size, 8), np.float32)
    inputs[12:28, 20:36, 0] = 2.0  # a bright square
    inputs[12:28, 20:36, 6] = 1.0
    once, often = heat(inputs), heat_every_way(inputs)
    assert once.shape == often.shape
    (down, right), (y, x) = (np.unravel_index(one.argmax(), one.shape) for one in (once, often))
    assert abs(down - y) <= 1 and abs(right - x) <= 1


@pytest.mark.parametrize(
    ("settings", "once", "cubes_there"),
    [
        (SETTINGS, 3.0, False),  # in doubt: the second look, which sees none, counts
        (SETTINGS, 9.0, True),
        (AT_A_GLANCE, 3.0, True),
    ],
)
def test_only_an_area_in_doubt_is_looked_at_again(
    monkeypatch: pytest.MonkeyPatch, settings: CubeSettings, once: float, cubes_there: bool
) -> None:
    def answered(answer: float) -> np.ndarray:
        return np.log(answers((12, 11, float(np.exp(answer)))))

    monkeypatch.setattr(cubes, "heat", lambda inputs, settings: answered(once))
    monkeypatch.setattr(cubes, "heat_every_way", lambda inputs, settings: answered(-5.0))
    plain = np.full((48, 96, 3), 4.0, np.float32)
    area = Area(plain, plain, plain[..., 0], plain[..., 0])
    one = np.ones((1, 1), np.float32)
    paint = Colours(
        4 * np.ones((1, 1, 3), np.float32),
        np.eye(3, dtype=np.float32)[None, None],
        one,
        np.array([True]),
        np.zeros((0, 3), np.float32),
        np.zeros((0, 3, 3), np.float32),
    )
    (found, *_) = find_cubes(paint, Cut(), area, 2, settings=settings)
    assert (found.odds > 0) == cubes_there


def test_a_top_hides_the_pattern_of_the_print_and_a_shadow_does_not() -> None:
    rng = np.random.default_rng(3)
    pattern = rng.normal(4.5, 0.15, (9, 9, 3)).astype(np.float32)
    noise = rng.normal(0, 0.02, (9, 9, 3)).astype(np.float32)
    top, shadow = 3.8 + noise, pattern - 0.9 + noise
    assert print_hidden(top, pattern) > 4
    assert print_hidden(shadow, pattern) < -4
    assert abs(print_hidden(top, np.full_like(top, 4.5))) < 0.1  # plain print tells nothing
    assert print_hidden(top, 3 * pattern) == SETTINGS.most_pattern


def test_cubes_seen_clearly_by_day_do_not_raise_the_line_for_those_in_bad_light() -> None:
    """A place without a cube answers far below 0 in any light; a cube that is hardly seen, about 0."""
    cut = learn_cut([11.0, 12.0, 13.0, 14.0] * 9, [-5.0, -6.0, -7.0])
    assert cut.odds(0.0) > 0.5
    assert cut.odds(-5.0) < -2.5

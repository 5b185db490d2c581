"""Where cubes are, between the answers of the network, and whose colours they have."""

import numpy as np
import pytest

from vision.read.area import counts
from vision.read.colours import SETTINGS as COLOURS
from vision.read.colours import _without_strays
from vision.read.cubes import SETTINGS, Area, Cube, Face, _tops, other_shade, unseen_cube


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

"""The labels of cubes by the colour of their tops, which mirror lamps."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.read.colours import SETTINGS as COLOURS
from vision.read.tops import Tops, learn_tops, top_colour, votes

Floats = NDArray[np.float32]
PAINT = {"m": (146, 84, 35), "p": (54, 132, 48), "f": (42, 37, 36), "t": (173, 172, 179)}
LABELS = tuple(PAINT)


def top(paint: tuple[int, ...], mirrored: float = 0.0, seed: int = 0) -> Floats:
    """The log colour of a top, some light of a lamp mirrored in it."""
    light = (np.array(paint) / 255) ** 2.2 + mirrored
    values = 255 * light ** (1 / 2.2) + np.random.default_rng(seed).normal(0, 2, (9, 9, 3))
    return np.array(top_colour(np.log(values + COLOURS.offset).astype(np.float32)), np.float32)


@pytest.fixture(scope="module")
def tops() -> Tops:
    return learn_tops([[top(PAINT[label], seed=seed) for seed in range(6)] for label in LABELS])


def likelihoods(tops: Tops, *seen: Floats) -> Floats:
    return tops.likelihoods(np.stack(seen), np.ones(len(seen), bool))


@pytest.mark.parametrize("mirrored", [0.0, 0.03, 0.1, 0.15])
@pytest.mark.parametrize("label", LABELS)
def test_a_top_that_mirrors_a_lamp_keeps_its_label(tops: Tops, label: str, mirrored: float) -> None:
    odds = votes(likelihoods(tops, top(PAINT[label], mirrored, 7))[0])
    assert LABELS[int(np.argmax(odds))] == label
    assert sorted(odds)[-2] < -2


def test_a_white_top_in_a_shadow_is_white_beside_one_that_mirrors_nothing(tops: Tops) -> None:
    shaded = top((100, 99, 103))
    alone, beside_green = (likelihoods(tops, shaded, *others)[0] for others in ([], [top(PAINT["p"])]))
    assert LABELS[int(np.argmax(beside_green))] == "t"
    assert LABELS[int(np.argmax(alone))] == "f"  # nothing else tells it from black paint that mirrors a lamp


def test_a_white_top_where_the_sensor_is_full_is_white(tops: Tops) -> None:
    """Evened, a top that is burnt out looks darker than it was taught, as black paint that mirrors a lamp does."""
    burnt = top((100, 99, 103))
    full = np.array((np.exp(burnt) - COLOURS.offset) / 255, np.float32) ** 2.2
    assert LABELS[int(np.argmax(tops.likelihoods(burnt[None], np.ones(1, bool), full)))] == "t"
    mirroring = top(PAINT["f"], 0.03)
    assert LABELS[int(np.argmax(tops.likelihoods(mirroring[None], np.ones(1, bool), full)))] == "f"


def test_much_mirrored_light_is_less_likely_than_little(tops: Tops) -> None:
    black = LABELS.index("f")
    plain, lifted = (likelihoods(tops, top(PAINT["f"], mirrored))[0, black] for mirrored in (0.0, 0.3))
    assert lifted < plain - 0.9


def test_a_cube_dealt_out_wrongly_does_not_colour_the_others() -> None:
    own = [top(PAINT["f"], seed=seed) for seed in range(6)]
    right, mixed = learn_tops([own]), learn_tops([[*own, top(PAINT["t"])]])
    assert np.allclose(right.means, mixed.means, atol=0.05)
    assert mixed.spreads.max() < 0.1


def test_a_label_never_shown_is_never_the_likeliest() -> None:
    tops = learn_tops([[top(PAINT["m"])], []])
    assert np.argmax(likelihoods(tops, top(PAINT["t"]))) == 0


def test_a_colour_that_no_label_explains_is_in_doubt() -> None:
    """As when the light was measured wrongly: the likeliest label is the least wrong one, and no more."""
    apart = np.array([0.0, -2.4, -3.6, -3.0], np.float32)
    known, strange = votes(apart + 4.8), votes(apart + 0.2)
    assert known[1] < -15
    assert -5 < strange[1] < -2
    assert int(np.argmax(strange)) == 0

"""Glare over a row of places is told by its print and taken off; pieces and cloths keep their looks."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.read.colours import colour_logs
from vision.read.veil import unveiled

Floats = NDArray[np.float32]
SIDE_PX = 28
AT_MM = [(i * 17.0, 0.0) for i in range(12)]


def row(seed: int = 0) -> Floats:
    """Twelve printed places, dark and bright, no two alike."""
    rng = np.random.default_rng(seed)
    places = np.full((len(AT_MM), SIDE_PX, SIDE_PX, 3), 35, np.float32)
    for place in places:
        colour = rng.uniform(60, 190, 3).tolist()
        cv2.rectangle(place, (4, 4), (23, 23), colour, -1)
        cv2.putText(place, str(rng.integers(10)), (9, 19), 0, 0.5, (230, 230, 230), 1, cv2.LINE_AA)
    return places


def logs(places: Floats) -> Floats:
    return np.stack([colour_logs(place) for place in places])


def veiled(places: Floats) -> Floats:
    """A warm lamp mirrored in the varnish, more and more along the row."""
    share = np.linspace(0.1, 0.5, len(places), dtype=np.float32)[:, None, None, None]
    lamp = np.array([120, 140, 155], np.float32)
    return np.asarray(places * (1 - share) + lamp * share, np.float32)


def test_print_and_pieces_look_as_they_did_without_the_veil() -> None:
    bare, now = row(), row()
    colour = (60.0, 160.0, 190.0)
    for i in (1, 5, 6, 10):
        cv2.circle(now[i], (12, 15), 5, colour, -1)
    clear = unveiled(logs(veiled(now)), logs(bare), AT_MM)
    assert np.abs(clear - logs(now)).mean() < 0.03
    for i in (1, 5, 6, 10):
        np.testing.assert_allclose(np.exp(clear[i, 15, 12]) - 12, colour, rtol=0.06)


def test_without_a_veil_nothing_changes() -> None:
    seen = logs(row())
    np.testing.assert_allclose(unveiled(seen, seen, AT_MM), seen, atol=1e-3)


def test_a_cloth_over_a_few_places_does_not_become_their_print() -> None:
    bare, now = row(), row()
    now[4:8] = (90, 120, 150)
    clear = unveiled(logs(now), logs(bare), AT_MM)
    off = np.abs(clear - logs(bare)).max(axis=-1).mean(axis=(1, 2))
    assert (off[4:8] > 0.25).all()
    assert (off[[0, 1, 2, 9, 10, 11]] < 0.03).all()


def test_print_that_is_plain_in_one_colour_takes_no_tint() -> None:
    bare = row()
    bare[..., 2] = 180
    now = bare.copy()
    cv2.circle(now[5], (12, 15), 5, (120, 120, 120), -1)
    clear = unveiled(logs(veiled(now)), logs(bare), AT_MM)
    np.testing.assert_allclose(np.exp(clear[5, 15, 12]) - 12, (120, 120, 120), rtol=0.06)

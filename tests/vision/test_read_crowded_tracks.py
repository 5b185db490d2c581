"""Markers on a track: they share places, crowd each other, and stand on print of their own colour."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.read import area
from vision.read.colours import Print, colour_logs
from vision.read.marker_training import MarkerLesson, learn_markers
from vision.read.markers import read_markers
from vision.read.track import ABSENT
from vision.read.veil import unveiled

Floats = NDArray[np.float32]
MARKERS = {"red": (45, 40, 190), "blue": (190, 90, 40), "green": (70, 190, 60), "yellow": (40, 180, 220)}
PLACES = 6
SIDE_MM = 17.0
CORNERS = ((-4.0, -4.0), (4.0, 4.0), (4.0, -4.0), (-4.0, 4.0))


def strip(standing: dict[str, int], seed: int) -> Floats:
    """A row of places; every marker stands in its own corner of its place."""
    rng = np.random.default_rng(seed)
    scale, margin = area.SETTINGS.px_per_mm, area.SETTINGS.margin_mm
    size = round((PLACES * SIDE_MM + 2 * margin) * scale), round((SIDE_MM + 2 * margin) * scale)
    picture = np.full((size[1], size[0], 3), (40, 40, 40), np.float32)
    for place in range(PLACES):
        left, top = (margin + place * SIDE_MM + 0.5) * scale, (margin + 0.5) * scale
        # One place is printed in a marker's colour.
        colour = (60, 170, 205) if place == 3 else (130, 140, 70)
        far = (round(left + 16 * scale), round(top + 16 * scale))
        cv2.rectangle(picture, (round(left), round(top)), far, colour, -1)
        cv2.putText(picture, str(place), (round(left) + 7, round(top) + 14), 0, 0.35, (230, 230, 230), 1)
    for (name, place), (right, down) in zip(standing.items(), CORNERS, strict=False):
        x, y = (margin + (place + 0.5) * SIDE_MM + right) * scale, (margin + SIDE_MM / 2 + down) * scale
        cv2.circle(picture, (round(x), round(y)), round(3.8 * scale), MARKERS[name], -1, cv2.LINE_AA)
    return (picture + rng.normal(0, 3, picture.shape)).clip(0, 255).astype(np.float32)


def places(picture: Floats) -> list[Floats]:
    scale, margin = area.SETTINGS.px_per_mm, area.SETTINGS.margin_mm
    wide = round((SIDE_MM + 2 * margin) * scale)
    lefts = [round(i * SIDE_MM * scale) for i in range(PLACES)]
    return [colour_logs(np.ascontiguousarray(picture[:, left : left + wide])) for left in lefts]


AT_MM = [((i + 0.5) * SIDE_MM, SIDE_MM / 2) for i in range(PLACES)]


def lessons(*shown: dict[str, int]) -> list[MarkerLesson]:
    bare = np.stack(places(strip({}, 0)))
    result = []
    for seed, standing in enumerate(shown, 1):
        seen = unveiled(np.stack(places(strip(standing, seed))), bare, AT_MM)
        for i in set(standing.values()):
            content = tuple(int(standing.get(name) == i) for name in MARKERS)
            result.append(MarkerLesson(seen[i], bare[i], content))
    return result


@pytest.fixture(scope="module")
def taught() -> area.AreaModel:
    apart = {"red": 0, "blue": 1, "green": 2, "yellow": 4}
    return learn_markers(tuple(MARKERS), lessons(apart, {"blue": 0, "red": 2, "yellow": 5, "green": 4}))


def read(
    model: area.AreaModel,
    standing: dict[str, int],
    glare: Callable[[Floats], Floats] = lambda picture: picture,
) -> dict[str, dict[int, float]]:
    bare = np.stack(places(strip({}, 0)))
    seen = unveiled(np.stack(places(glare(strip(standing, 50)))), bare, AT_MM)
    return read_markers(model, seen, [Print.of(one) for one in bare])[0]


def likeliest(found: dict[str, dict[int, float]]) -> dict[str, int]:
    return {name: max(p, key=p.__getitem__) for name, p in found.items()}


def veil(picture: Floats) -> Floats:
    """A lamp mirrored in the varnish, from nothing on the left to half of all colour on the right."""
    share = np.linspace(0, 0.5, picture.shape[1], dtype=np.float32)[None, :, None]
    lamp = np.array([150, 170, 180], np.float32)
    return np.asarray(picture * (1 - share) + lamp * share, np.float32)


@pytest.mark.parametrize(
    "standing",
    [
        {"red": 0, "blue": 0, "green": 0, "yellow": 0},
        {"red": 1, "blue": 2, "green": 2, "yellow": 1},
        {"red": 5, "blue": 4, "green": 0, "yellow": 3},
        {"red": 5, "blue": 0, "green": 3, "yellow": 3},
        {"red": 3, "blue": 3, "green": 1, "yellow": 2},
    ],
)
def test_markers_are_told_apart_where_they_share_a_place_or_stand_side_by_side(
    taught: area.AreaModel, standing: dict[str, int]
) -> None:
    found = read(taught, standing)
    assert likeliest(found) == standing
    assert all(sum(p.values()) == pytest.approx(1, abs=1e-3) for p in found.values())
    assert all(max(p.values()) > 0.95 for p in found.values())


@pytest.mark.parametrize(
    "standing",
    [
        {"red": 5, "blue": 4, "green": 5, "yellow": 3},
        {"red": 4, "blue": 5, "green": 4, "yellow": 4},
        {"red": 3, "blue": 3, "green": 5, "yellow": 5},
    ],
)
def test_markers_keep_their_colours_under_a_veil_of_glare(
    taught: area.AreaModel, standing: dict[str, int]
) -> None:
    found = read(taught, standing, veil)
    assert likeliest(found) == standing
    assert all(max(p.values()) > 0.95 for p in found.values())


def test_a_marker_that_is_not_seen_is_off_the_track_or_beneath_another(taught: area.AreaModel) -> None:
    green = read(taught, {"red": 2, "blue": 4})["green"]
    assert green[ABSENT] + green[2] + green[4] > 0.95
    assert green[2] > 0.05
    assert green[4] > 0.05


def test_a_marker_whose_colour_is_burnt_out_stands_where_nothing_else_explains_what_is_seen(
    taught: area.AreaModel,
) -> None:
    def lamp(picture: Floats) -> Floats:
        burnt = picture.copy()
        scale, margin = area.SETTINGS.px_per_mm, area.SETTINGS.margin_mm
        at = (
            round((margin + 4.5 * SIDE_MM + CORNERS[1][0]) * scale),
            round((margin + SIDE_MM / 2 + CORNERS[1][1]) * scale),
        )
        cv2.circle(burnt, at, round(3.8 * scale), (255, 255, 255), -1)
        return burnt

    found = read(taught, {"red": 2, "blue": 4, "green": 1, "yellow": 0}, lamp)
    assert likeliest(found) == {"red": 2, "blue": 4, "green": 1, "yellow": 0}
    assert found["blue"][4] < 0.95


def test_the_size_of_a_marker_is_learnt_without_its_shadow(taught: area.AreaModel) -> None:
    assert taught.size_mm == pytest.approx(2 * 3.8, abs=1.2)


def test_markers_shown_only_together_are_told_apart_by_where_else_they_stand() -> None:
    shown = lessons(
        {"red": 0, "blue": 0, "green": 2, "yellow": 4}, {"red": 1, "green": 1, "yellow": 5, "blue": 4}
    )
    standing = {"red": 2, "blue": 4, "green": 5, "yellow": 1}
    assert likeliest(read(learn_markers(tuple(MARKERS), shown), standing)) == standing

"""Markers on a track: they share places, crowd each other, and stand on print of their own colour."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.read import area, track
from vision.read.colours import Print, colour_logs, print_density

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


@pytest.fixture(scope="module")
def taught() -> tuple[area.AreaModel, list[Floats]]:
    bare = places(strip({}, 0))
    lessons = []
    for seed, standing in enumerate(
        ({"red": 0, "blue": 1, "green": 2, "yellow": 4}, {"blue": 0, "red": 2, "yellow": 5, "green": 4}), 1
    ):
        for i, (seen, print_) in enumerate(zip(places(strip(standing, seed)), bare, strict=True)):
            content = tuple(int(standing[name] == i) for name in MARKERS)
            lessons.append(
                area.AreaLesson(area.Patch(seen, print_density(Print.of(print_).off(seen))), print_, content)
            )
    return area.train(tuple(MARKERS), lessons, upright=False), bare


def read(
    taught: tuple[area.AreaModel, list[Floats]], standing: dict[str, int]
) -> dict[str, dict[int, float]]:
    model, bare = taught
    patches, scores = [], []
    for seen, print_ in zip(places(strip(standing, 50)), bare, strict=True):
        ground = model.colours.ground(Print.of(print_).off(seen))
        patches.append(area.Patch(seen, ground))
        scores.append(track.expected_markers(model, print_))
    return track.read_markers(model, patches, scores)


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
    taught: tuple[area.AreaModel, list[Floats]], standing: dict[str, int]
) -> None:
    found = read(taught, standing)
    assert {name: max(p, key=p.__getitem__) for name, p in found.items()} == standing
    assert all(sum(p.values()) == pytest.approx(1, abs=1e-3) for p in found.values())


def test_a_marker_that_is_not_seen_is_off_the_track_or_beneath_another(
    taught: tuple[area.AreaModel, list[Floats]],
) -> None:
    found = read(taught, {"red": 2, "blue": 4})
    green = found["green"]
    assert green[track.ABSENT] + green[2] + green[4] > 0.95
    assert green[2] > 0.05
    assert green[4] > 0.05

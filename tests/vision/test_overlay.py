"""The picture of what was read."""

from pathlib import Path

import numpy as np

from vision.fix import Fix, Located, homography
from vision.lens import Lens
from vision.overlay import SETTINGS, content_words, draw_overlay
from vision.pack import Board, Kind, Pack, Slot
from vision.reading import BoardSeen, Reading

TILE = Slot("red.diver.1", "red", Kind.TILE, "diver", ("spy",), (20, 20, 60, 30))
CUBES = Slot("red.zone.1", "red", Kind.CUBES, "cube", ("m", "p"), (100, 20, 60, 30))
SCORE = Slot(
    "red.score",
    "red",
    Kind.TRACK,
    "marker",
    ("red",),
    (10, 150, 60, 20),
    None,
    ((20, 160), (60, 160)),
    (20, 20),
)
COVERED = Slot("red.key.1", "red", Kind.TILE, "key", ("key",), (200, 20, 40, 30))
SLOTS = {slot.id: slot for slot in (TILE, CUBES, SCORE, COVERED)}
PACK = Pack(Path(), "p", "", {"red": Board("red", (280, 210)), "blue": Board("blue", (280, 210))}, {}, SLOTS)
POSE = homography([(0, 0), (280, 0), (280, 210), (0, 210)], [(100, 80), (940, 80), (940, 710), (100, 710)])
LOCATED = Located((1200, 800), Lens(), {"red": Fix(POSE, (280, 210))})


def reading(p: float) -> Reading:
    return Reading(
        {"red": BoardSeen(True)},
        {"red.diver.1": {"spy": p, "empty": 1 - p}},
        {"red.zone.1": {"m": {2: p, 0: 1 - p}, "p": {0: 1.0}}, "red.score": {"red": {1: p, 0: 1 - p}}},
        frozenset({"red.key.1"}),
    )


def near(picture: np.ndarray, colour: tuple[int, int, int], rect_mm: tuple[float, ...]) -> bool:
    """Whether a line of this colour is drawn around the rectangle."""
    x, y, w, h = (v * 3 for v in rect_mm)
    part = picture[int(80 + y) - 6 : int(80 + y + h) + 6, int(100 + x) - 6 : int(100 + x + w) + 6]
    return bool((np.abs(part.astype(int) - colour).max(axis=2) < 30).sum() > 40)


def test_sure_is_green_and_a_guess_is_red() -> None:
    photo = np.full((800, 1200, 3), 60, np.uint8)
    sure = draw_overlay(photo, PACK, LOCATED, reading(0.99))
    guess = draw_overlay(photo, PACK, LOCATED, reading(0.6))
    assert near(sure, SETTINGS.sure, TILE.rect_mm)
    assert near(guess, SETTINGS.guessed, TILE.rect_mm)
    assert not near(guess, SETTINGS.sure, TILE.rect_mm)


def test_a_marker_is_drawn_on_its_place_only() -> None:
    photo = np.full((800, 1200, 3), 60, np.uint8)
    drawn = draw_overlay(photo, PACK, LOCATED, reading(0.99))
    assert near(drawn, SETTINGS.sure, SCORE.place_rect_mm(1))
    assert not near(drawn, SETTINGS.sure, (12, 152, 12, 12))


def test_hidden_slots_are_hatched_and_the_photograph_is_left_alone() -> None:
    photo = np.full((800, 1200, 3), 60, np.uint8)
    drawn = draw_overlay(photo, PACK, LOCATED, reading(0.99), "photo.jpg")
    assert near(drawn, SETTINGS.hidden, COVERED.rect_mm)
    assert (photo == 60).all()
    assert drawn.shape == photo.shape


def test_contents_in_a_few_characters() -> None:
    assert content_words(TILE, reading(0.9)) == ("spy", 0.9)
    assert content_words(CUBES, reading(0.9)) == ("mm", 0.9)
    assert content_words(TILE, reading(0.2)) == ("", 0.8)

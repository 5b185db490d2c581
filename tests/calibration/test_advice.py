"""What is said about a camera stand, and from which numbers."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.advice import Advice, Measured, Needs, advise, blur_px, measure, needs
from vision.fix import Fix, Located
from vision.lens import Lens
from vision.pack import Board, Kind, Pack, Slot

GOOD = Measured(px_per_mm=3.0, blur_px=0.9, light=180.0, burnt_share=0.0)
NEED = Needs(tiles=1.2, cubes=1.4)


def about(what: str, said: list[Advice]) -> Advice:
    return next(a for a in said if a.what == what)


def print_(seed: int = 0) -> NDArray[np.uint8]:
    picture = np.full((400, 600), 90, np.uint8)
    rng = np.random.default_rng(seed)
    for _ in range(60):
        x, y = (int(v) for v in rng.integers(0, (600, 400)))
        cv2.rectangle(picture, (x, y), (x + 40, y + 25), int(rng.integers(20, 230)), -1)
    return picture


def test_a_good_stand_gets_good_news_only() -> None:
    assert {a.tone for a in advise(GOOD, NEED)} == {"good"}


@pytest.mark.parametrize(
    ("measured", "what", "tone", "words"),
    [
        (Measured(1.2, 0.9, 180, 0), "height", "warn", "too high for the cubes"),
        (Measured(0.5, 0.9, 180, 0), "height", "fault", "too high"),
        (Measured(3.0, 2.4, 180, 0), "focus", "warn", "out of focus"),
        (Measured(3.0, 6.0, 180, 0), "focus", "fault", "out of focus"),
        (Measured(3.0, 0.9, 50, 0), "light", "warn", "too dark"),
        (Measured(3.0, 0.9, 20, 0), "light", "fault", "too dark"),
        (Measured(3.0, 0.9, 180, 0.05), "glare", "warn", "burnt out"),
        (Measured(3.0, 0.9, 180, 0, ("red.tray",)), "frame", "fault", "cuts off red.tray"),
    ],
)
def test_each_trouble_has_its_sentence_and_its_remedy(
    measured: Measured, what: str, tone: str, words: str
) -> None:
    said = about(what, advise(measured, NEED))
    assert said.tone == tone
    assert words in said.text
    assert said.remedy


def test_too_high_says_how_far_down() -> None:
    assert "86 %" in about("height", advise(Measured(1.2, 0.9, 180, 0), NEED)).remedy


@pytest.mark.parametrize("width", [1.5, 2.5, 4.0])
def test_blur_is_measured_in_pixels(width: float) -> None:
    blurred = np.asarray(cv2.GaussianBlur(print_(), (0, 0), width), np.uint8)
    assert blur_px(blurred) == pytest.approx(width, rel=0.25)


def test_noise_is_not_mistaken_for_sharpness() -> None:
    rng = np.random.default_rng(1)
    soft = cv2.GaussianBlur(print_(), (0, 0), 3.0) + rng.normal(0, 5, (400, 600))
    assert blur_px(np.clip(soft, 0, 255).astype(np.uint8)) > 2.0


def test_the_smallest_tile_and_the_cubes_say_what_is_needed() -> None:
    tile = Slot("a", "b", Kind.TILE, "t", ("x",), (0, 0, 40, 11))
    cubes = Slot("c", "b", Kind.CUBES, "t", ("x",), (0, 0, 40, 20))
    board = {"b": Board("b", (100, 100))}
    assert needs(Pack(Path(), "", "", board, {}, {"a": tile})) == Needs(2.0, 0.0)
    assert needs(Pack(Path(), "", "", board, {}, {"c": cubes})).cubes == pytest.approx(1.375)


def test_scale_and_what_is_cut_off_are_measured() -> None:
    tile = Slot("a", "b", Kind.TILE, "t", ("x",), (0, 0, 20, 20))
    beyond = Slot("z", "b", Kind.TILE, "t", ("x",), (-300, 0, 20, 20))
    pack = Pack(Path(), "", "", {"b": Board("b", (100, 100))}, {}, {"a": tile, "z": beyond})
    pose = np.array([[2.0, 0, 50], [0, 2.0, 50], [0, 0, 1]])
    located = Located((600, 400), Lens(), {"b": Fix(pose, (100, 100))})
    seen = measure(np.asarray(cv2.cvtColor(print_(), cv2.COLOR_GRAY2BGR), np.uint8), pack, located)
    assert seen.px_per_mm == pytest.approx(2.0)
    assert seen.outside == ("z",)

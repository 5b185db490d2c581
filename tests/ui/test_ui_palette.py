"""Legible for everybody: contrast, shapes that differ in grey, digits that read across the room."""

from itertools import combinations

import numpy as np
import pytest

from companion.ui.icons import mask
from companion.ui.palette import DARK, LIGHT, WRITTEN_ON, Palette, contrast
from companion.ui.shapes import SHAPES
from companion.ui.window import Touchscreen
from companion.view.parts import MARKS


@pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize(("ink", "ground"), WRITTEN_ON)
def test_every_ink_stands_out_from_every_ground_it_is_written_on(
    palette: Palette, ink: str, ground: str
) -> None:
    assert contrast(getattr(palette, ink), getattr(palette, ground)) >= 4.5


@pytest.mark.parametrize(
    "family", [("metal", "plant", "fuel", "tech"), tuple(MARKS.values())], ids=["cubes", "players"]
)
def test_shapes_are_told_apart_without_colour(family: tuple[str, ...]) -> None:
    drawn = {name: mask(name, 32) > 127 for name in family}
    for one, other in combinations(family, 2):
        shared = (
            np.logical_and(drawn[one], drawn[other]).sum() / np.logical_or(drawn[one], drawn[other]).sum()
        )
        assert shared < 0.87, (one, other)


@pytest.mark.parametrize("name", SHAPES)
def test_an_icon_is_drawn_and_stays_inside_its_square(name: str) -> None:
    coverage = mask(name, 48)
    assert 0.03 < (coverage > 127).mean() < 0.95
    rim = np.concatenate([coverage[0], coverage[-1], coverage[:, 0], coverage[:, -1]])
    assert (rim > 200).mean() < 0.35


def test_a_score_is_fifteen_millimetres_high_on_a_seven_inch_screen(touchscreen: Touchscreen) -> None:
    from companion.ui.pen import letter
    from companion.ui.theme import SCORE, UNITS_PER_MM

    texture = letter("18", None, None, SCORE, bold=True, shrink=False).texture
    width, height = texture.size
    rows = np.frombuffer(texture.pixels, np.uint8).reshape(height, width, 4)[:, :, 3].max(axis=1)
    assert (rows > 127).sum() >= 15 * UNITS_PER_MM

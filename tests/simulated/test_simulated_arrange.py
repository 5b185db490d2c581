"""Pieces lie a little off, and only what is touched moves."""

import numpy as np

from hardware.simulated.arrange import Sloppiness, arrange
from hardware.simulated.contents import contents
from hardware.simulated.pieces import body

SLOPPY = Sloppiness(1.2, 3.5, 60)


def test_only_the_slots_that_change_are_touched(edition, position):
    rng = np.random.default_rng(1)
    held = contents(position, edition.layout)
    before = arrange(edition.layout, held, (), rng, SLOPPY)
    after = arrange(edition.layout, {**held, "red.zone.3": "mp", "red.key.2": "empty"}, before, rng, SLOPPY)
    touched = {piece.slot for piece in set(before) ^ set(after)}
    assert touched == {"red.zone.3", "red.key.2"}


def test_a_cube_joins_others_without_moving_them(edition, position):
    rng = np.random.default_rng(2)
    held = {**contents(position, edition.layout), "red.zone.5": "mmpf"}
    before = arrange(edition.layout, held, (), rng, SLOPPY)
    after = arrange(edition.layout, {**held, "red.zone.5": "mmpft"}, before, rng, SLOPPY)
    assert set(before) < set(after)
    assert [piece.picture for piece in set(after) - set(before)] == ["cube:t"]


def test_cubes_lie_inside_their_level_and_not_in_one_another(edition, position):
    rng = np.random.default_rng(3)
    side = edition.layout.cube_mm
    for _ in range(20):
        held = {**contents(position, edition.layout), "red.zone.5": "mmpfft"}
        placed = arrange(edition.layout, held, (), rng, SLOPPY)
        x, y, width, height = edition.layout.slot("red.zone.5").rect_mm
        cubes = [(p.x_mm, p.y_mm) for p in placed if p.slot == "red.zone.5"]
        assert len(cubes) == 6
        assert all(x < cx < x + width and y < cy < y + height for cx, cy in cubes)
        nearest = min(np.hypot(a[0] - b[0], a[1] - b[1]) for i, a in enumerate(cubes) for b in cubes[:i])
        assert nearest > 0.75 * side


def test_markers_that_share_a_place_stand_side_by_side(edition, position):
    held = {**contents(position, edition.layout), "colony.score": {"red": 4, "blue": 4}}
    for seed in range(20):
        placed = arrange(edition.layout, held, (), np.random.default_rng(seed), SLOPPY)
        one, two = [p for p in placed if p.slot == "colony.score"]
        assert np.hypot(one.x_mm - two.x_mm, one.y_mm - two.y_mm) > 0.9 * edition.layout.marker_mm


def test_every_piece_has_a_body_and_a_picture(edition, position):
    placed = arrange(edition.layout, contents(position, edition.layout), (), np.random.default_rng(4), SLOPPY)
    for piece in placed:
        assert body(piece.picture, edition.layout).thick_mm > 0
        if not piece.picture.startswith("cube:"):
            assert edition.renderer.art.picture(piece.picture)[..., 3].max() == 255

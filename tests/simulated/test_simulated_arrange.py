"""Pieces lie a little off, and only what is touched moves."""

import numpy as np
import pytest

from hardware.simulated.arrange import Sloppiness, arrange
from hardware.simulated.contents import contents
from hardware.simulated.pieces import body
from hardware.simulated.solid import Stand, meet

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


def test_cubes_stand_inside_their_level_and_not_in_one_another(edition, position):
    rng = np.random.default_rng(3)
    side = edition.layout.cube_mm
    for cubes in ("mmpfft", "pt", "mft") * 10:
        zone = "red.zone.5" if len(cubes) > 3 else "red.zone.1"
        placed = arrange(edition.layout, {**contents(position, edition.layout), zone: cubes}, (), rng, SLOPPY)
        x, y, width, height = edition.layout.slot(zone).rect_mm
        stands = [Stand(p.x_mm, p.y_mm, p.turn_deg) for p in placed if p.slot == zone]
        assert len(stands) == len(cubes)
        assert all(x < one.x_mm < x + width and y < one.y_mm < y + height for one in stands)
        assert not any(meet(one, other, side) for i, one in enumerate(stands) for other in stands[:i])


def test_cubes_are_pushed_together_where_there_is_no_room_for_another(edition, position):
    held = contents(position, edition.layout)
    pushed = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        before = arrange(edition.layout, {**held, "red.zone.1": "mp"}, (), rng, SLOPPY)
        after = arrange(edition.layout, {**held, "red.zone.1": "mpt"}, before, rng, SLOPPY)
        pushed += len(set(after) - set(before)) == 3
    assert 0 < pushed < 20


@pytest.mark.parametrize(
    ("apart", "turn_deg", "expected"),
    [(0.99, 0, True), (1.01, 0, False), (1.15, 45, True), (1.22, 45, False)],
)
def test_cubes_meet_when_no_line_parts_them(apart, turn_deg, expected):
    assert meet(Stand(0, 0, 0), Stand(9 * apart, 0, turn_deg), 9.0) is expected


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

"""Frames have the geometry and the light of a real table, and the truth about them is true."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from hardware.simulated.arrange import Placed
from hardware.simulated.conditions import conditions, relight
from hardware.simulated.contents import bare, contents
from hardware.simulated.hand import Hand
from hardware.simulated.pieces import BOARD_THICK_MM
from hardware.simulated.stage import on_table
from hardware.simulated.truth import Covers


def _patch(frame, spot, side=4):
    x, y = (round(float(v)) for v in spot)
    return frame[y - side : y + side + 1, x - side : x + side + 1].astype(float)


def test_the_same_seed_gives_the_same_frame(studio, position):
    one = studio.photograph().bgr
    studio.shots = 0
    assert np.array_equal(one, studio.photograph().bgr)
    assert one.shape == (576, 1024, 3)


def test_another_press_of_the_same_table_differs_by_noise_alone(studio):
    one, two = studio.photograph().bgr, studio.photograph().bgr
    assert not np.array_equal(one, two)
    assert np.abs(one.astype(int) - two).mean() < 3


def test_the_true_corners_are_where_the_boards_are_drawn(studio):
    """Lift the print back from the true corners and it is the print that was drawn."""
    studio.lay(bare(studio.layout))
    shot = studio.photograph()
    art = studio.renderer.art
    for board, corners_px in shot.truth.boards.items():
        printed = cv2.cvtColor(art.picture(f"board:{board}")[..., :3], cv2.COLOR_BGR2GRAY)
        height, width = printed.shape
        square = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        back = cv2.getPerspectiveTransform(corners_px.astype(np.float32), square)
        lifted = cv2.cvtColor(cv2.warpPerspective(shot.bgr, back, (width, height)), cv2.COLOR_BGR2GRAY)
        small = [cv2.resize(p, (width // 3, height // 3)).astype(float) for p in (printed, lifted)]
        inner = [p[4:-4, 4:-4] for p in small]
        assert np.corrcoef(inner[0].ravel(), inner[1].ravel())[0, 1] > 0.9, board


def test_the_lens_can_be_undone(studio):
    points = np.array([(5.0, 5.0), (1000.0, 20.0), (512.0, 288.0), (30.0, 560.0)])
    assert np.allclose(studio.rig.bent(studio.rig.unbent(points)), points, atol=0.05)
    assert not np.allclose(studio.rig.unbent(points)[0], points[0], atol=1.0)


def test_what_stands_higher_is_seen_further_out(studio):
    rig = replace(studio.rig, pitch_deg=0.0, yaw_deg=0.0)
    middle = np.array(rig.size_px) / 2
    spot = np.array([(rig.x_mm + 200, rig.y_mm + 60)])
    low, high = rig.seen(spot, 0.0)[0], rig.seen(spot, 9.0)[0]
    assert np.hypot(*(high - middle)) > np.hypot(*(low - middle)) + 1


def test_a_cube_shows_its_side_and_throws_a_shadow(studio, position):
    studio.conditions = replace(studio.conditions, grain=0.0, blur_px=0.0)
    held = contents(position, studio.layout)
    studio.lay({**held, "red.zone.5": ""})
    without = studio.photograph().bgr
    studio.lay({**held, "red.zone.5": "t"})
    with_cube = studio.photograph().bgr
    changed = np.abs(with_cube.astype(int) - without).max(axis=2)
    cube_px = (studio.layout.cube_mm * studio.rig.scale) ** 2
    assert (changed > 12).sum() > 1.15 * cube_px
    darker = (with_cube.astype(int).sum(axis=2) < without.astype(int).sum(axis=2) - 20).sum()
    assert darker > 4


def _lit_from(studio, x_mm):
    """No noise, one bright lamp low beside the table, hardly any other light."""
    lamp = replace(studio.conditions.lamps[0], x_mm=x_mm, y_mm=0.0, z_mm=400.0, size_mm=40.0, power=0.7)
    studio.conditions = replace(
        studio.conditions,
        lamps=(lamp,),
        ambient=(0.06, 0.06, 0.06),
        grain=0.0,
        blur_px=0.0,
        glare=0.0,
        exposure=0.5,
    )


def _cube(studio, right_mm, down_mm=0.0, label="t"):
    """A cube on the table beside the point below the camera, and where the middle of its top is seen."""
    x_mm, y_mm = studio.rig.x_mm + right_mm, studio.rig.y_mm + down_mm
    top_px = studio.rig.seen(np.array([(x_mm, y_mm)]), studio.layout.cube_mm)[0]
    return Placed(f"cube:{label}", "", "", x_mm, y_mm, 0.0), top_px


@pytest.mark.parametrize("away", [-1, 1])
def test_a_cube_throws_no_shadow_on_the_top_of_an_equally_high_one(studio, away):
    _lit_from(studio, -900.0 * away)
    one, one_px = _cube(studio, away * (studio.layout.cube_mm + 0.3))
    other, _ = _cube(studio, 0.0)
    studio.poses, studio.placed, studio.things = {}, (one,), ()
    alone = _patch(studio.photograph().bgr, one_px, 2)
    studio.placed = (one, other)
    beside = _patch(studio.photograph().bgr, one_px, 2)
    assert beside.mean() > alone.mean() - 3


def test_a_side_that_faces_a_low_lamp_is_bright_and_one_turned_away_nearly_black(studio):
    brightness = {}
    for lamp_mm in (-1500.0, 1500.0):
        _lit_from(studio, lamp_mm)
        cube, _ = _cube(studio, 330.0, label="m")
        studio.poses, studio.placed, studio.things = {}, (cube,), ()
        # Right of the camera's foot its left side is seen.
        middle_mm = np.array([(cube.x_mm - studio.layout.cube_mm / 2, cube.y_mm)])
        side_px = studio.rig.seen(middle_mm, studio.layout.cube_mm / 2)[0]
        brightness[lamp_mm] = _patch(studio.photograph().bgr, side_px, 0).max()
    assert brightness[-1500.0] > 2.5 * brightness[1500.0]


def test_the_top_of_a_black_cube_mirrors_a_lamp_a_little(studio):
    _lit_from(studio, studio.rig.x_mm)
    cube, top_px = _cube(studio, 0.0, -studio.rig.y_mm, label="f")
    studio.poses, studio.placed, studio.things = {}, (cube,), ()
    matt = _patch(studio.photograph().bgr, top_px, 1).mean()
    studio.conditions = replace(studio.conditions, glare=0.6)
    assert _patch(studio.photograph().bgr, top_px, 1).mean() > matt + 10


def test_slots_under_a_hand_are_said_to_be_hidden(studio):
    slot = studio.layout.slot("red.diver.5")
    x, y, width, height = slot.rect_mm
    spot = on_table(studio.layout, "red", studio.poses["red"], np.array([(x + width / 2, y - 50)]))[0]
    hand = Hand(float(spot[0]), float(spot[1]), studio.poses["red"].turn_deg)
    bare = studio.photograph()
    shot = studio.photograph((hand,))
    assert "red.diver.5" in shot.truth.hidden
    assert not bare.truth.hidden and not any(slot.startswith("blue.") for slot in shot.truth.hidden)
    middle = studio.rig.seen(
        on_table(studio.layout, "red", studio.poses["red"], np.array([(x + width / 2, y + height / 2)])),
        BOARD_THICK_MM,
    )[0]
    assert np.abs(_patch(shot.bgr, middle) - _patch(bare.bgr, middle)).mean() > 10


def test_light_from_one_side_makes_the_table_uneven(studio):
    studio.conditions = replace(studio.conditions, grain=0.0, vignette=0.0)
    lamp = replace(studio.conditions.lamps[0], x_mm=-900.0, y_mm=0.0, z_mm=900.0, size_mm=300.0)
    studio.conditions = replace(studio.conditions, lamps=(lamp,), ambient=(0.1, 0.1, 0.1))
    frame = studio.photograph().bgr
    assert frame[:, :60].mean() > 1.3 * frame[:, -60:].mean()


def test_a_warm_lamp_makes_the_picture_redder(studio):
    def share_of_red():
        frame = studio.photograph().bgr.astype(float)
        return frame[..., 2].mean() / frame[..., 0].mean()

    before = share_of_red()
    lamps = tuple(replace(lamp, bgr=(0.6, 1.0, 1.4)) for lamp in studio.conditions.lamps)
    studio.conditions = replace(studio.conditions, lamps=lamps)
    assert share_of_red() > 1.1 * before


def test_a_knocked_board_turns_with_its_pieces_and_leaves_the_technicians(studio):
    before, old = studio.truth(Covers()), studio.poses["red"]
    studio.knock("red", leave_behind=True, turn_deg=4.0)
    after = studio.truth(Covers())
    assert studio.poses["red"] != old
    assert {"red.hacker", "red.mechanic"} <= set(after.displaced)
    assert not any(slot.startswith(("red.diver", "red.zone", "blue")) for slot in after.displaced)
    assert not np.allclose(before.boards["red"], after.boards["red"], atol=2)
    assert np.allclose(before.boards["blue"], after.boards["blue"])
    studio.tidy()
    assert not studio.truth(Covers()).displaced


def test_noise_follows_the_light_of_the_moment_and_not_all_lights_before() -> None:
    rng = np.random.default_rng(3)
    now = first = conditions("hard", rng)
    for _ in range(40):
        now = relight(now, rng)
    assert now.grain * now.exposure**0.8 == pytest.approx(first.grain * first.exposure**0.8)

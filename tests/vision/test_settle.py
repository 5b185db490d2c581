"""When the table is still, and when a hand is still there."""

from functools import lru_cache

import cv2
import numpy as np
import pytest
from drawn_tables import Picture, Placed, Shot, art_board, photograph

from vision.settle import Scene, Settle

PERIOD_S = 1 / 30


@lru_cache
def table() -> Picture:
    board = Placed(art_board((280, 210), (40, 40, 200), 3), (0, 0), 4)
    picture, _ = photograph({"red": board}, Shot(size_px=(320, 180), px_per_mm=0.4, noise=0))
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def with_hand(picture: Picture, reach_px: int) -> Picture:
    shown = picture.copy()
    cv2.line(shown, (0, 150), (reach_px, 110), 165, 30)
    cv2.circle(shown, (reach_px, 110), 22, 165, -1)
    return shown


class Stream:
    """Feeds pictures at thirty a second with the noise of a small sensor, and remembers the answers."""

    def __init__(self, noise: float = 4.0) -> None:
        self.settle = Settle()
        rng = np.random.default_rng(0)
        self.noise = [rng.normal(0, noise, (180, 320)).astype(np.float32) for _ in range(7)]
        self.count = 0
        self.time_s = 0.0

    def show(self, picture: Picture, seconds: float, gain: float = 1.0) -> list[tuple[float, Scene]]:
        answers = []
        for _ in range(max(1, round(seconds / PERIOD_S))):
            self.count += 1
            noisy = picture * gain + self.noise[self.count % 7][: len(picture)]
            scene = self.settle.see(np.clip(noisy, 0, 255).astype(np.uint8), self.time_s)
            answers.append((self.time_s, scene))
            self.time_s += PERIOD_S
        return answers

    def wave(self, picture: Picture) -> list[tuple[float, Scene]]:
        """A hand comes in."""
        return [self.show(with_hand(picture, reach), PERIOD_S)[-1] for reach in range(10, 130, 10)]


def test_a_table_nobody_touches_is_still() -> None:
    answers = Stream().show(table(), 2.0)
    assert {scene for _, scene in answers[6:]} == {Scene.STILL}


def test_it_is_still_within_fifteen_hundredths_of_a_second_of_the_last_motion() -> None:
    stream = Stream()
    stream.show(table(), 1.0)
    moving = stream.wave(table())
    gone = stream.show(table(), 0.5)
    last_motion_s = max(
        time_s for time_s, scene in moving + gone if scene is Scene.MOVING and time_s <= gone[0][0]
    )
    first_still_s = next(time_s for time_s, scene in gone if scene is Scene.STILL)
    assert first_still_s - last_motion_s <= 0.15


def test_a_hand_that_comes_in_is_motion() -> None:
    stream = Stream()
    stream.show(table(), 1.0)
    assert [scene for _, scene in stream.wave(table())][1:] == [Scene.MOVING] * 11


def test_a_resting_hand_is_never_still() -> None:
    stream = Stream()
    stream.show(table(), 1.0)
    stream.wave(table())
    resting = stream.show(with_hand(table(), 120), 10.0)
    assert Scene.STILL not in {scene for _, scene in resting}
    assert resting[-1][1] is Scene.HAND


def test_a_hand_that_was_there_from_the_start_is_forgotten_when_it_leaves() -> None:
    stream = Stream()
    stream.show(with_hand(table(), 120), 1.0)
    left = stream.show(table(), 0.5)
    first_still_s = next(time_s for time_s, scene in left if scene is Scene.STILL)
    assert first_still_s - left[0][0] <= 0.15
    stream.wave(table())
    assert stream.show(with_hand(table(), 120), 1.0)[-1][1] is Scene.HAND


def test_an_arm_that_rested_so_long_that_it_passed_for_furniture_is_forgotten_when_it_leaves() -> None:
    stream = Stream()
    stream.show(table(), 1.0)
    stream.wave(table())
    assert stream.show(with_hand(table(), 120), 25.0)[-1][1] is Scene.STILL
    assert stream.show(table(), 0.5)[-1][1] is Scene.STILL


def test_a_sleeve_as_dark_as_the_table_shows_by_its_colour() -> None:
    rng = np.random.default_rng(1)
    wood = np.full((180, 320, 3), (30, 38, 52), np.uint8)
    sleeve = wood.copy()
    cv2.line(sleeve, (0, 150), (120, 110), (62, 36, 40), 30)
    settle = Settle()
    answers = []
    for count, picture in enumerate([wood] * 12 + [sleeve] * 12):
        noisy = np.clip(picture + rng.normal(0, 3, picture.shape), 0, 255).astype(np.uint8)
        answers.append(settle.see(noisy, count * PERIOD_S))
    assert answers[11] is Scene.STILL
    assert answers[-1] is Scene.HAND


def test_pieces_that_were_moved_are_not_a_hand() -> None:
    stream = Stream()
    stream.show(table(), 1.0)
    stream.wave(table())
    changed = table().copy()
    cv2.rectangle(changed, (125, 75), (165, 100), 230, -1)
    cv2.circle(changed, (200, 110), 7, 20, -1)
    assert stream.show(changed, 1.0)[-1][1] is Scene.STILL


@pytest.mark.parametrize("noise", [1.0, 8.0, 14.0])
def test_sensor_noise_is_not_motion(noise: float) -> None:
    answers = Stream(noise).show(table(), 3.0)
    assert {scene for _, scene in answers[10:]} == {Scene.STILL}


def test_a_flickering_lamp_and_a_cloud_are_not_motion() -> None:
    stream = Stream()
    stream.show(table(), 1.0)
    flicker = [stream.show(table(), PERIOD_S, 1 + 0.05 * (n % 2))[0] for n in range(60)]
    cloud = [stream.show(table(), PERIOD_S, 1 - 0.4 * n / 120)[0] for n in range(120)]
    assert {scene for _, scene in flicker + cloud} == {Scene.STILL}


def test_after_a_nudge_of_the_camera_it_is_still_again_at_once() -> None:
    stream = Stream()
    stream.show(table(), 1.0)
    moved = cv2.warpAffine(
        table(), np.array([[1, 0, 9], [0, 1, 5.0]]), (320, 180), borderMode=cv2.BORDER_REFLECT
    )
    assert stream.show(np.asarray(moved, np.uint8), 0.5)[-1][1] is Scene.STILL


def test_pictures_of_another_size_start_afresh() -> None:
    stream = Stream()
    stream.show(table(), 1.0)
    assert stream.show(table()[:100], PERIOD_S)[0][1] is Scene.MOVING
    assert stream.show(table()[:100], 0.5)[-1][1] is Scene.STILL


def noisy(picture: Picture, seed: int, noise: float = 4.0) -> Picture:
    values = picture + np.random.default_rng(seed).normal(0, noise, picture.shape)
    return np.asarray(np.clip(values, 0, 255), np.uint8)


def test_two_pictures_of_an_untouched_table_are_the_same_in_noise_and_a_little_less_light() -> None:
    settle = Settle()
    assert settle.same(noisy(table(), 1), noisy(table(), 2))
    assert settle.same(noisy(table(), 1, 1.0), noisy(np.asarray(table() * 0.9, np.uint8), 2, 1.0))


def test_a_single_cube_that_was_moved_makes_another_table() -> None:
    moved = table().copy()
    moved[60:64, 100:104] += 40
    assert not Settle().same(noisy(table(), 1), noisy(moved, 2))


def test_a_camera_that_was_pushed_sees_another_table() -> None:
    assert not Settle().same(noisy(table(), 1), noisy(np.roll(table(), 3, axis=1), 2))

"""What a camera stand keeps beside its pack, and how the cameras get it back."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.rigs import keep_rig, lock_camera, locks_of
from hardware.choose import choose_camera
from hardware.locks import Locks
from hardware.optics import CAMERAS, focal_widths
from vision.rig import load_rig

LEFT = {"LensPosition": 1.25, "ExposureTime": 12000, "AnalogueGain": 2.0, "ColourGains": [1.7, 1.4]}
RIGHT = {"LensPosition": 1.5, "ExposureTime": 9000, "AnalogueGain": 1.0, "ColourGains": [1.9, 1.3]}
LEFT_LOCKS = Locks(1.25, 12000, 2.0, (1.7, 1.4))
RIGHT_LOCKS = Locks(1.5, 9000, 1.0, (1.9, 1.3))


class Bolted:
    """A camera that tells what it was locked to."""

    name = "test"

    def __init__(self) -> None:
        self.locked: list[Sequence[Locks]] = []

    def lock(self, locks: Sequence[Locks]) -> None:
        self.locked.append(locks)


def test_what_the_camera_settled_on_is_kept_and_loaded_with_the_pack(tmp_path: Path) -> None:
    assert locks_of(tmp_path) == ()
    keep_rig({"light": "daylight"}, tmp_path)
    assert list(tmp_path.iterdir()) == [], "a camera that tells nothing locks nothing"
    keep_rig(LEFT, tmp_path)
    assert locks_of(tmp_path) == (LEFT_LOCKS,)


def test_two_cameras_keep_a_rig_each(tmp_path: Path) -> None:
    keep_rig({**LEFT, "cameras": [LEFT, RIGHT]}, tmp_path)
    assert locks_of(tmp_path) == (LEFT_LOCKS, RIGHT_LOCKS)
    keep_rig(RIGHT, tmp_path)
    assert locks_of(tmp_path) == (RIGHT_LOCKS,), "the second camera is gone"


@pytest.mark.parametrize("sight", CAMERAS[:3], ids=lambda sight: sight.name)
def test_the_lens_is_known_by_the_cameras_model(tmp_path: Path, sight) -> None:  # type: ignore[no-untyped-def]
    keep_rig({**LEFT, "Model": sight.models[0]}, tmp_path)
    assert load_rig(tmp_path).focal == pytest.approx(sight.focal_widths)


def test_a_camera_of_another_maker_keeps_the_usual_lens(tmp_path: Path) -> None:
    assert focal_widths("ov64a40") is None
    keep_rig({**LEFT, "Model": "ov64a40"}, tmp_path)
    assert load_rig(tmp_path).focal == pytest.approx(0.77)


def test_a_running_camera_is_locked_to_its_stand_and_let_free(tmp_path: Path) -> None:
    camera = Bolted()
    lock_camera(camera, tmp_path)  # type: ignore[arg-type]
    assert camera.locked == [], "without a rig it stays as it is"
    keep_rig({**LEFT, "cameras": [LEFT, RIGHT]}, tmp_path)
    lock_camera(camera, tmp_path)  # type: ignore[arg-type]
    lock_camera(camera, None)  # type: ignore[arg-type]
    assert camera.locked == [(LEFT_LOCKS, RIGHT_LOCKS), ()]


def test_each_camera_is_made_with_its_own_locks() -> None:
    assert choose_camera("picamera:both", (LEFT_LOCKS, RIGHT_LOCKS)).name == (
        "Raspberry Pi and Raspberry Pi (number 1)"
    )
    assert choose_camera("picamera:both", (LEFT_LOCKS,)).name.endswith("(number 1)")
    assert choose_camera("picamera:1", (LEFT_LOCKS,)).name == "Raspberry Pi (number 1)"

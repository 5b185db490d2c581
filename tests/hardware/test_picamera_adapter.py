"""The adapter for the Pi's cameras, against a stand-in that behaves like the real picamera2."""

import sys
from collections.abc import Iterator

import fake_picamera2 as fake
import numpy as np
import pytest

from hardware.beside import Beside
from hardware.frame import CameraLost
from hardware.locks import AF_MANUAL, Locks
from hardware.picamera import PiCamera, PiCameraSettings, connected, to_bgr
from vision.rig import Rig

SCENE = (fake.BLUE, fake.GREEN, fake.RED)


@pytest.fixture(autouse=True)
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[fake.World]:
    world = fake.World()
    monkeypatch.setattr(fake, "WORLD", world)
    monkeypatch.setitem(sys.modules, "picamera2", fake)
    yield world


def opened(**arguments: object) -> PiCamera:
    camera = PiCamera(**arguments)  # type: ignore[arg-type]
    camera.open()
    return camera


def test_the_full_picture_has_the_sensors_size_and_blue_first(world: fake.World) -> None:
    frame = opened().full()
    assert frame.bgr.shape == (2592, 4608, 3)
    assert tuple(frame.bgr[1000, 3000]) == SCENE


def test_the_small_picture_shows_the_same_as_the_full_one(world: fake.World) -> None:
    camera = opened()
    small, full = camera.small().bgr, camera.full().bgr
    assert small.shape == (360, 640, 3)
    for x in (0.1, 0.6):
        a = small[180, int(640 * x)].astype(int)
        b = full[1296, int(4608 * x)].astype(int)
        assert np.abs(a - b).max() <= 4  # YUV rounds


def test_padding_at_the_end_of_the_rows_is_not_seen(world: fake.World) -> None:
    world.padding = 64
    small = opened().small().bgr
    assert small.shape == (360, 640, 3)
    assert np.abs(small[180, 639].astype(int) - SCENE).max() <= 4


@pytest.mark.parametrize("form", ["XBGR8888", "YUV420"])
def test_a_format_that_was_silently_changed_is_still_read_rightly(world: fake.World, form: str) -> None:
    world.formats = (form, "YUV420")
    frame = opened().full()
    assert frame.bgr.shape == (2592, 4608, 3)
    assert np.abs(frame.bgr[1000, 3000].astype(int) - SCENE).max() <= 4


def test_every_layout_becomes_blue_first() -> None:
    rgb = np.zeros((2, 4, 3), np.uint8) + np.uint8([1, 2, 3])
    rgbx = np.zeros((2, 4, 4), np.uint8) + np.uint8([1, 2, 3, 255])
    size = {"size": (4, 2)}
    assert tuple(to_bgr(rgb, {"format": "RGB888", **size})[0, 0]) == (1, 2, 3)
    assert tuple(to_bgr(rgb, {"format": "BGR888", **size})[0, 0]) == (3, 2, 1)
    assert tuple(to_bgr(rgbx, {"format": "XRGB8888", **size})[0, 0]) == (1, 2, 3)
    assert tuple(to_bgr(rgbx, {"format": "XBGR8888", **size})[0, 0]) == (3, 2, 1)
    grey = np.full((3, 4), 128, np.uint8)
    assert tuple(to_bgr(grey, {"format": "NV12", **size})[0, 0]) == (128, 128, 128)
    with pytest.raises(CameraLost, match="SRGGB10"):
        to_bgr(rgb, {"format": "SRGGB10", **size})


def test_it_is_configured_once_and_never_switches_modes(world: fake.World) -> None:
    camera = opened()
    for _ in range(4):
        camera.small()
        camera.full()
    assert world.cameras[0].calls == ["configure", "start", "autofocus"]
    config = world.cameras[0].camera_config
    assert config["queue"] is False
    assert config["raw"] is None
    assert config["lores"]["format"] == "YUV420"


def test_a_frame_exposed_before_it_was_asked_for_is_passed_over(world: fake.World) -> None:
    camera = opened(locks=Locks(lens_position=2.0))
    world.stale_frames = 2
    camera.full()
    assert world.cameras[0].captures == 3


def test_a_camera_without_timestamps_gives_the_next_frame(world: fake.World) -> None:
    world.timestamps = False
    assert opened(locks=Locks(lens_position=2.0)).full().metadata["ExposureTime"] == 9000


def test_buffers_are_always_given_back(world: fake.World) -> None:
    camera = opened()
    for _ in range(20):
        camera.small()
    assert world.cameras[0].free_buffers == PiCameraSettings().buffers


def test_it_focuses_once_and_holds_the_lens(world: fake.World) -> None:
    world.lens_position = 1.7
    opened()
    assert world.cameras[0].calls.count("autofocus") == 1
    assert world.cameras[0].set["LensPosition"] == 1.7
    assert world.cameras[0].set["AfMode"] == AF_MANUAL


def test_a_scan_that_never_ends_is_given_up_and_the_lens_held(world: fake.World) -> None:
    world.focuses = None
    camera = opened()
    assert world.cameras[0].calls[-1] == "flush"
    assert world.cameras[0].set["AfMode"] == AF_MANUAL
    assert camera.small().bgr.shape == (360, 640, 3)


def test_what_the_rig_keeps_is_locked_before_the_first_frame(world: fake.World) -> None:
    opened(locks=Locks(lens_position=1.5, exposure_us=12000, analogue_gain=2.0, colour_gains=(1.9, 1.4)))
    device = world.cameras[0]
    assert "autofocus" not in device.calls
    assert device.set == {
        "FrameDurationLimits": (100000, 100000),
        "AfMode": AF_MANUAL,
        "LensPosition": 1.5,
        "AeEnable": False,
        "ExposureTime": 12000,
        "AnalogueGain": 2.0,
        "AwbEnable": False,
        "ColourGains": (1.9, 1.4),
    }


def test_a_running_camera_can_be_let_free_and_locked_again(world: fake.World) -> None:
    camera = opened(locks=Locks(1.5, 12000, 2.0, (1.9, 1.4)))
    device = world.cameras[0]
    camera.lock([])
    assert device.calls.count("autofocus") == 1
    assert device.set["AeEnable"] and device.set["AwbEnable"]
    assert device.set["LensPosition"] == world.lens_position
    camera.lock([Locks(1.1, 8000, 1.5, (2.0, 1.5))])
    assert device.calls.count("autofocus") == 1
    assert not device.set["AeEnable"] and not device.set["AwbEnable"]
    assert device.set["LensPosition"] == 1.1
    assert device.set["ExposureTime"] == 8000
    camera.close()
    with pytest.raises(CameraLost, match="not open"):
        camera.lock([])


def test_each_of_two_cameras_has_locks_of_its_own(world: fake.World) -> None:
    both = Beside([PiCamera(0, Locks(lens_position=1.5)), PiCamera(1, Locks(lens_position=1.2))])
    both.open()
    assert [device.set["LensPosition"] for device in world.cameras] == [1.5, 1.2]
    both.lock([Locks(lens_position=1.4), Locks(lens_position=1.3)])
    assert [device.set["LensPosition"] for device in world.cameras] == [1.4, 1.3]
    assert [one["Model"] for one in both.full().metadata["cameras"]] == ["imx708", "imx477"]


def test_locks_are_taken_from_what_the_camera_chose_by_itself(world: fake.World) -> None:
    metadata = opened().full().metadata
    assert Locks.from_metadata(metadata) == Locks(2.0, 9000, 2.5, (1.8, 1.6))
    assert Locks.from_metadata({}) == Locks()


def test_locks_are_taken_from_the_rig() -> None:
    rig = Rig(lens_position=1.2, exposure_us=8000.4, gain=2.0, red_gain=1.7, blue_gain=1.5)
    assert Locks.from_rig(rig) == Locks(1.2, 8000, 2.0, (1.7, 1.5))
    assert Locks.from_rig(Rig()) == Locks()
    assert Locks.from_rig(Rig(red_gain=1.7)).colour_gains is None


def test_a_camera_without_autofocus_is_left_alone_and_a_lock_it_lacks_is_said(
    world: fake.World, caplog: pytest.LogCaptureFixture
) -> None:
    del world.controls["AfMode"], world.controls["LensPosition"]
    opened()
    assert "autofocus" not in world.cameras[0].calls
    opened(locks=Locks(lens_position=1.0))
    assert "cannot set AfMode, LensPosition" in caplog.text


def test_frames_that_cease_are_a_sentence(world: fake.World) -> None:
    camera = opened()
    world.dries_up_after = 0
    with pytest.raises(CameraLost, match="no picture in time"):
        camera.full(0.05)


def test_a_missing_camera_is_a_sentence_with_a_remedy(world: fake.World) -> None:
    world.models = []
    with pytest.raises(CameraLost, match=r"0 found.*ribbon cable"):
        PiCamera().open()


def test_a_camera_somebody_else_uses_is_a_sentence(world: fake.World) -> None:
    world.busy = True
    with pytest.raises(CameraLost, match="Another program may be using it"):
        PiCamera().open()


def test_without_picamera2_the_other_cameras_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraLost, match=r"apt install python3-picamera2.*--camera webcam"):
        PiCamera().open()


def test_closing_twice_is_closing(world: fake.World) -> None:
    camera = opened()
    camera.close()
    camera.close()
    assert world.cameras[0].calls.count("close") == 1
    with pytest.raises(CameraLost, match="not open"):
        camera.small()


def test_two_cameras_are_one_wide_picture(world: fake.World) -> None:
    assert connected() == ["imx708", "imx477"]
    both = Beside([PiCamera(0), PiCamera(1)])
    both.open()
    frame = both.full()
    assert frame.bgr.shape == (2592, 2 * 4608, 3)
    assert len(frame.metadata["cameras"]) == 2
    assert both.name == "Raspberry Pi and Raspberry Pi (number 1)"
    assert both.small().bgr.shape == (360, 1280, 3)
    both.close()
    assert all(camera.calls[-1] == "close" for camera in world.cameras)

"""The folder of pictures, webcams, and choosing a camera by its spelling."""

import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.choose import choose_camera
from hardware.folder import FolderCamera
from hardware.frame import CameraLost
from hardware.process import CameraProcess
from hardware.shrink import shrink
from hardware.webcam import Webcam


def save(folder: Path, name: str, level: int, size: tuple[int, int] = (1280, 960)) -> Path:
    path = folder / name
    cv2.imwrite(str(path), np.full((size[1], size[0], 3), level, np.uint8))
    return path


def level(bgr: np.ndarray) -> int:
    return round(float(bgr.mean()))


def test_each_full_picture_is_the_next_file_and_the_last_one_stays(tmp_path: Path) -> None:
    for number in (2, 1, 3):
        save(tmp_path, f"{number:03}.png", 10 * number)
    (tmp_path / "notes.txt").write_text("not a picture")
    camera = choose_camera(f"folder:{tmp_path}")
    camera.open()
    assert [level(camera.full().bgr) for _ in range(4)] == [10, 20, 30, 30]


def test_the_small_picture_is_of_what_comes_next(tmp_path: Path) -> None:
    save(tmp_path, "a.jpg", 40)
    save(tmp_path, "b.JPG", 80)
    camera = FolderCamera(tmp_path)
    camera.open()
    assert camera.small().bgr.shape == (480, 640, 3)
    assert level(camera.small().bgr) == 40
    camera.full()
    assert level(camera.small().bgr) == 80
    assert camera.full().metadata["file"].endswith("b.JPG")


def test_a_folder_that_is_not_there_or_empty_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CameraLost, match="no such folder"):
        FolderCamera(tmp_path / "gone").open()
    with pytest.raises(CameraLost, match="holds no JPEG or PNG"):
        FolderCamera(tmp_path).open()


def test_a_picture_of_40000_by_40000_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    chunk = b"IHDR" + struct.pack(">IIBBBBB", 40_000, 40_000, 8, 2, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    (tmp_path / "bomb.png").write_bytes(data)
    camera = FolderCamera(tmp_path)
    camera.open()
    with pytest.raises(CameraLost, match="40000 x 40000 pixels is too large"):
        camera.full()


def test_a_file_that_is_no_picture_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"GIF89a")
    camera = FolderCamera(tmp_path)
    camera.open()
    with pytest.raises(CameraLost, match=r"a\.jpg: is not a picture"):
        camera.small()


def test_shrinking_keeps_the_shape_and_leaves_small_pictures_alone() -> None:
    assert shrink(np.zeros((2592, 4608, 3), np.uint8)).shape == (360, 640, 3)
    assert shrink(np.zeros((10, 20, 3), np.uint8)).shape == (10, 20, 3)


class Capture:
    """OpenCV's reader with pictures waiting in the driver's buffer."""

    def __init__(self, opened: bool = True, pictures: int = 100) -> None:
        self.opened = opened
        self.taken = 0
        self.pictures = pictures
        self.released = False
        self.properties: dict[int, float] = {}

    def isOpened(self) -> bool:
        return self.opened

    def set(self, key: int, value: float) -> bool:
        self.properties[key] = value
        return True

    def grab(self) -> bool:
        self.taken += 1
        return True

    def read(self) -> tuple[bool, Any]:
        if self.taken >= self.pictures:
            return False, None
        self.taken += 1
        return True, np.full((1080, 1920, 3), self.taken, np.uint8)

    def release(self) -> None:
        self.released = True


def test_a_webcam_skips_the_pictures_that_waited_in_the_driver() -> None:
    capture = Capture()
    webcam = Webcam(0, capture=lambda index: capture)
    webcam.open()
    assert level(webcam.full().bgr) == 3
    assert webcam.small().bgr.shape == (360, 640, 3)
    assert capture.properties[cv2.CAP_PROP_FRAME_WIDTH] == 3840
    webcam.close()
    assert capture.released


def test_a_webcam_that_is_not_there_or_unplugged_is_a_sentence() -> None:
    with pytest.raises(CameraLost, match=r"No webcam number 3.*group video"):
        Webcam(3, capture=lambda index: Capture(opened=False)).open()
    webcam = Webcam(0, capture=lambda index: Capture(pictures=0))
    webcam.open()
    with pytest.raises(CameraLost, match="still plugged in"):
        webcam.full()


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("picamera", "Raspberry Pi"),
        ("picamera:1", "Raspberry Pi (number 1)"),
        ("picamera:both", "Raspberry Pi and Raspberry Pi (number 1)"),
        ("webcam", "webcam 0"),
        ("webcam:2", "webcam 2"),
    ],
)
def test_a_real_camera_is_given_a_process_of_its_own(spelling: str, name: str) -> None:
    camera = choose_camera(spelling)
    assert isinstance(camera, CameraProcess)
    assert camera.name == name


def test_the_simulated_table_is_a_camera_like_the_others() -> None:
    camera = choose_camera("simulated")
    camera.open()
    assert camera.name == "simulated"
    assert camera.small().bgr.shape == (360, 640, 3)
    camera.close()


@pytest.mark.parametrize("spelling", ["", "folder", "folder:", "simulated:3", "kinect", "Webcam"])
def test_a_spelling_that_does_not_exist_names_those_that_do(spelling: str) -> None:
    with pytest.raises(ValueError, match="choose picamera, picamera:N, picamera:both, webcam"):
        choose_camera(spelling)


@pytest.mark.parametrize("spelling", ["webcam:x", "webcam:-1", "picamera:²", "webcam:1000000"])
def test_a_camera_number_must_be_a_number(spelling: str) -> None:
    with pytest.raises(ValueError, match="a camera's number is wanted"):
        choose_camera(spelling)

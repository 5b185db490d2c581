"""Pictures that are none, too large, black or burnt out: one clear sentence each."""

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.picture import BadPicture, check_picture, is_grey, load_picture, shrunk, stated_size_px


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds next to nothing."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = b"IDAT" + zlib.compress(b"\0")
    chunks = b"".join(
        struct.pack(">I", len(c) - 4) + c + struct.pack(">I", zlib.crc32(c)) for c in (head, body, b"IEND")
    )
    return b"\x89PNG\r\n\x1a\n" + chunks


def noise(height: int = 300, width: int = 400) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 255, (height, width, 3)).astype(np.uint8)


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".bmp", ".webp"])
def test_pictures_are_loaded_and_their_stated_size_is_right(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"photo{suffix}"
    cv2.imwrite(str(path), noise())
    assert stated_size_px(path.read_bytes()) == (400, 300)
    assert load_picture(path).shape == (300, 400, 3)


def test_a_picture_of_forty_thousand_pixels_squared_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.png"
    path.write_bytes(png_header(40_000, 40_000))
    with pytest.raises(BadPicture, match="40000 x 40000 pixels is too large"):
        load_picture(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"hello, this is a letter", "is not a picture"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "is not a picture"),
        (png_header(300, 200), "is damaged"),
    ],
)
def test_what_is_no_picture_is_said_to_be_none(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(content)
    with pytest.raises(BadPicture, match=words):
        load_picture(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such file"):
        load_picture(tmp_path / "nowhere.jpg")
    with pytest.raises(BadPicture, match="is a folder"):
        load_picture(tmp_path)


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (np.zeros((300, 400, 3), np.uint8), "is black; take off the lens cap"),
        (np.full((300, 400, 3), 255, np.uint8), "is burnt out; lower the exposure"),
        (np.full((300, 400, 3), 120, np.uint8), "one colour"),
        (noise(60, 80), "too small"),
    ],
)
def test_a_picture_nothing_can_be_seen_in_says_what_to_do(picture: np.ndarray, words: str) -> None:
    with pytest.raises(BadPicture, match=words):
        check_picture(picture, "a.jpg")


def test_an_ordinary_and_a_dim_picture_pass() -> None:
    check_picture(noise())
    check_picture((noise() * 0.2).astype(np.uint8))


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.3, 0.3, 0.3), (0.3, 0.7, 1.0)])
def test_a_picture_in_black_and_white_is_told_from_any_other(light: tuple[float, ...]) -> None:
    coloured = (cv2.GaussianBlur(noise(), (0, 0), 2) * np.array(light)).astype(np.uint8)
    without = cv2.cvtColor(grey(coloured), cv2.COLOR_GRAY2BGR)
    assert not is_grey(coloured)
    assert not is_grey((0.9 * without + 0.1 * coloured).astype(np.uint8))
    assert is_grey(without)


@pytest.mark.parametrize("value", [0, 9, 252, 255])
def test_nothing_is_said_of_the_colour_of_a_black_or_burnt_out_picture(value: int) -> None:
    assert not is_grey(np.full((300, 400, 3), value, np.uint8))


def grey(picture: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))


@pytest.mark.parametrize("size_px", [(160, 90), (100, 60), (320, 180), (64, 90)])
def test_a_shrunk_picture_shows_the_mean_of_what_its_pixels_stand_for(size_px: tuple[int, int]) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (180, 320, 3), np.uint8)
    picture = np.asarray(
        cv2.GaussianBlur(noise, (0, 0), 3) // 2 + (np.arange(320) // 3).astype(np.uint8)[None, :, None]
    )
    at_once = cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA)
    small = shrunk(picture, size_px)
    assert small.shape == at_once.shape
    assert np.abs(small.astype(float) - at_once).max() <= 2


def test_a_png_that_ends_early_is_damaged_and_the_decoder_says_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (200, 300, 3)).astype(np.uint8)
    path = tmp_path / "photo.png"
    path.write_bytes(cv2.imencode(".png", noise)[1].tobytes()[:20_000])
    with pytest.raises(BadPicture, match="is damaged"):
        load_picture(path)
    assert capfd.readouterr().err == ""

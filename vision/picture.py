"""Pictures from files, loaded with care: a sentence instead of a crash, and nothing enormous is ever unpacked."""

import struct
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.rectify import Picture


@dataclass(frozen=True)
class PictureSettings:
    # The largest camera that fits a Pi gives 64 megapixels; a picture of 40,000 x 40,000 would need 5 GB.
    most_pixels: int = 80_000_000
    longest_px: int = 16_000
    most_bytes: int = 200_000_000
    least_side_px: int = 160
    # Grey levels: a lens cap gives 0-8, a dim room more than 15 in its brighter half.
    black: float = 14.0
    # A picture is burnt out when this share of it has no detail left.
    burnt_share: float = 0.6
    burnt: int = 250
    # Colour as a share of brightness: a black-and-white picture has none, a JPEG of one next to none, a table in a tinted light
    # or a dim one several times as much.
    colourless: float = 0.01


SETTINGS = PictureSettings()
PNG = b"\x89PNG\r\n\x1a\n"


class BadPicture(ValueError):
    """A picture that cannot be read; says which, why, and what to do."""


def shrunk(picture: Picture, size_px: tuple[int, int]) -> Picture:
    """A picture of this width and height, no larger than it was, every pixel the mean of those it stands for.

    Halved as often as that is possible first: two by two, pixels are averaged several times as quickly as otherwise.
    """
    width, height = size_px
    while (
        picture.shape[1] >= 2 * width
        and picture.shape[0] >= 2 * height
        and not any(side % 2 for side in picture.shape[:2])
    ):
        half = picture.shape[1] // 2, picture.shape[0] // 2
        picture = np.asarray(cv2.resize(picture, half, interpolation=cv2.INTER_AREA), np.uint8)
    if picture.shape[1::-1] == size_px:
        return picture
    return np.asarray(cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA), np.uint8)


def load_picture(path: Path, settings: PictureSettings = SETTINGS) -> Picture:
    """Blue-green-red pixels of a JPEG, PNG, BMP or WebP file. Raises BadPicture or OSError."""
    if path.is_dir():
        raise BadPicture(f"{path}: is a folder; give the picture files themselves")
    if not path.exists():
        raise FileNotFoundError(f"{path}: there is no such file")
    size = path.stat().st_size
    if size == 0:
        raise BadPicture(f"{path}: is empty; take the photograph again")
    if size > settings.most_bytes:
        raise BadPicture(f"{path}: {size / 1e6:.0f} MB is too large for a photograph")
    data = path.read_bytes()
    stated = stated_size_px(data)
    if stated is None:
        raise BadPicture(f"{path}: is not a picture; give a JPEG, PNG, BMP or WebP file")
    width, height = stated
    if width * height > settings.most_pixels or max(stated) > settings.longest_px:
        raise BadPicture(
            f"{path}: {width} x {height} pixels is too large; shrink it below {settings.most_pixels // 1_000_000} megapixels"
        )
    # A PNG that ends early makes the decoder complain on its own; nothing of it would be of use.
    whole = not data.startswith(PNG) or b"IEND" in data
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if whole else None
    if decoded is None:
        raise BadPicture(f"{path}: is damaged; copy it or take it again")
    return np.asarray(decoded, np.uint8)


def check_picture(bgr: Picture, name: str = "the picture", settings: PictureSettings = SETTINGS) -> None:
    """Raises BadPicture when nothing could be seen in it: too small, black, burnt out, or all of one colour."""
    height, width = bgr.shape[:2]
    if min(width, height) < settings.least_side_px:
        raise BadPicture(
            f"{name}: {width} x {height} pixels is too small to read boards from; use the full picture"
        )
    # Every eighth pixel says as much as all of them.
    sample = bgr[::8, ::8]
    grey = sample.max(axis=2) if sample.ndim == 3 else sample
    if np.percentile(grey, 99) <= settings.black:
        raise BadPicture(f"{name}: is black; take off the lens cap or turn on the light")
    darkest = sample.min(axis=2) if sample.ndim == 3 else sample
    if (darkest >= settings.burnt).mean() >= settings.burnt_share:
        raise BadPicture(f"{name}: is burnt out; lower the exposure or the light")
    if float(grey.std()) < 1.0:
        raise BadPicture(f"{name}: shows nothing but one colour; check what the camera looks at")


def is_grey(bgr: Picture, settings: PictureSettings = SETTINGS) -> bool:
    """Whether a picture is in black and white. One that is black, or burnt out, shows nothing that could be told by."""
    blue, green, red = cv2.split(np.ascontiguousarray(bgr[::16, ::16]))
    brightest = cv2.max(cv2.max(blue, green), red)
    darkest = cv2.min(cv2.min(blue, green), red)
    telling = (brightest > settings.black) & (darkest < settings.burnt)
    bright = int(brightest[telling].sum())
    coloured = bright - int(darkest[telling].sum())
    return bright > 0 and coloured <= settings.colourless * bright


def stated_size_px(data: bytes) -> tuple[int, int] | None:
    """Width and height as the file's header states them, without unpacking it; None when it is no picture."""
    try:
        if data.startswith(PNG):
            width, height = struct.unpack(">II", data[16:24])
        elif data[:2] == b"BM":
            width, height = struct.unpack("<ii", data[18:26])
        elif data[:3] == b"\xff\xd8\xff":
            return _jpeg_size_px(data)
        elif data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp_size_px(data)
        else:
            return None
    except (struct.error, IndexError):
        return None
    return (abs(width), abs(height)) if width and height else None


def _jpeg_size_px(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            return None
        kind = data[at + 1]
        if kind == 0xFF:
            at += 1
            continue
        # Start of frame: all kinds but the tables that share their numbers.
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return (width, height) if width and height else None
        if kind in (0x01, *range(0xD0, 0xD9)):
            at += 2
            continue
        (length,) = struct.unpack(">H", data[at + 2 : at + 4])
        at += 2 + length
    return None


def _webp_size_px(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + ((bits >> 14) & 0x3FFF)
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return None

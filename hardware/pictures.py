"""Picture files from outside, read with care: the size is looked up in the header before anything is decoded."""

from pathlib import Path

import cv2
import numpy as np

from hardware.frame import Picture

LARGEST_BYTES = 80_000_000  # a 24-megapixel PNG of a photograph is about 45 MB
LARGEST_PX = 70_000_000  # the largest camera for a Pi has 64 megapixels
SUFFIXES = frozenset({".jpg", ".jpeg", ".png"})

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # the start-of-frame markers
_JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD8)})  # markers without a length


def read_picture(path: Path) -> Picture:
    """A JPEG or PNG as height x width x 3, blue first. ValueError or OSError says what is wrong with it."""
    size = path.stat().st_size
    if size > LARGEST_BYTES:
        raise ValueError(f"{path}: {size / 1e6:.0f} MB is too large for a photograph of a table")
    data = path.read_bytes()
    width, height = picture_size(data, path)
    if width * height > LARGEST_PX:
        raise ValueError(
            f"{path}: a picture of {width} x {height} pixels is too large; at most {LARGEST_PX // 1_000_000} megapixels"
        )
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if decoded is None:
        raise ValueError(f"{path}: the picture is damaged and cannot be decoded")
    return decoded.astype(np.uint8, copy=False)


def picture_size(data: bytes, path: Path) -> tuple[int, int]:
    """Width and height as the header of a JPEG or PNG states them.

    >>> picture_size(_PNG + bytes(4) + b"IHDR" + (800).to_bytes(4, "big") + (480).to_bytes(4, "big"), Path("x"))
    (800, 480)
    """
    if data.startswith(_PNG) and data[12:16] == b"IHDR":
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data.startswith(b"\xff\xd8"):
        found = _jpeg_size(data)
        if found is not None:
            return found
    raise ValueError(f"{path}: is neither a JPEG nor a PNG picture")


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in _JPEG_BARE:
            at += 2
        elif marker in _JPEG_SIZES:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None

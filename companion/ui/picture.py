"""What the camera saw, with marks on it."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from kivy.graphics import Rectangle
from kivy.graphics.texture import Texture

from companion.ui.palette import DARK, rgba
from companion.ui.pen import Box, Painted, Pen, inset
from companion.ui.theme import theme
from companion.view.screens import Mark, Picture

# A screen shows at most 1280 pixels across: more is decoded for nothing.
_ENOUGH_PX = 2000

Pixels = np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]


@lru_cache(maxsize=2)
def decode(jpeg: bytes) -> tuple[Pixels, float] | None:
    """RGB pixels, top row first, and how many of the picture's pixels one of them is. None when it is no picture."""
    data = np.frombuffer(jpeg, np.uint8)
    whole: Any = cv2.imdecode(data, cv2.IMREAD_REDUCED_COLOR_2) if len(jpeg) else None
    if whole is None:
        return None
    scale = 2.0
    if max(whole.shape[:2]) * 2 <= _ENOUGH_PX:
        whole, scale = cv2.imdecode(data, cv2.IMREAD_COLOR), 1.0
    return np.ascontiguousarray(whole[:, :, ::-1]), scale


@lru_cache(maxsize=2)
def _texture(jpeg: bytes) -> Texture:
    decoded = decode(jpeg)
    assert decoded is not None
    pixels = decoded[0]
    texture = Texture.create(size=(pixels.shape[1], pixels.shape[0]), colorfmt="rgb")
    texture.blit_buffer(pixels.tobytes(), colorfmt="rgb", bufferfmt="ubyte")
    return texture


def cut(jpeg: bytes, part: Box) -> Texture:
    """A part of a decoded picture, in its own pixels from the top left."""
    region = _texture(jpeg).get_region(*part)
    # The buffer came top row first, which for a texture is upside down.
    region.flip_vertical()
    return region


class PictureView(Painted):
    """The picture, cut to what matters and as large as its place allows."""

    _shown: Box = (0.0, 0.0, 0.0, 0.0)
    _corner = (0.0, 0.0)
    _zoom = 1.0

    def to_picture(self, x: float, y: float) -> tuple[float, float] | None:
        """The pixel of the picture under a point of the window, None beside it."""
        left, bottom, width, height = self._shown
        if not (left <= x <= left + width and bottom <= y <= bottom + height):
            return None
        return self._corner[0] + (x - left) / self._zoom, self._corner[1] + (bottom + height - y) / self._zoom

    def paint(self, pen: Pen) -> None:
        picture: Picture = self.value
        decoded = decode(picture.jpeg)
        pen.panel(self.box, "surface", 12 * theme.u)
        if decoded is None:
            pen.icon("off", inset(self.box, self.width * 0.35, self.height * 0.35), "line")
            return
        pixels, scale = decoded
        high, wide = pixels.shape[:2]
        box = inset(self.box, 4 * theme.u)
        x, y, width, height = window(picture.crop_px, (wide * scale, high * scale), box[2] / box[3])
        region = cut(picture.jpeg, (x / scale, y / scale, width / scale, height / scale))
        zoom = min(box[2] / width, box[3] / height)
        shown = (
            box[0] + (box[2] - width * zoom) / 2,
            box[1] + (box[3] - height * zoom) / 2,
            width * zoom,
            height * zoom,
        )
        self._shown, self._corner, self._zoom = shown, (x, y), zoom
        pen.ink((1, 1, 1, 1))
        Rectangle(texture=region, pos=shown[:2], size=shown[2:])
        for mark in picture.marks:
            self._mark(pen, mark, (x, y), shown, zoom)

    def _mark(self, pen: Pen, mark: Mark, corner: tuple[float, float], shown: Box, zoom: float) -> None:
        left, bottom, width, height = shown
        at = [
            (left + (px - corner[0]) * zoom, bottom + height - (py - corner[1]) * zoom)
            for px, py in mark.corners_px
        ]
        if not (
            min(x for x, _ in at) < left + width
            and max(x for x, _ in at) > left
            and min(y for _, y in at) < bottom + height
            and max(y for _, y in at) > bottom
        ):
            return
        # What reaches over the edge of the picture runs along it.
        points = [
            v for x, y in at for v in (min(max(x, left), left + width), min(max(y, bottom), bottom + height))
        ]
        # Light on dark in every theme: a mark shows on any picture.
        pen.line(points, (0, 0, 0, 0.75), 4, close=True)
        pen.line(points, rgba(getattr(DARK, mark.tone)), 2.2, close=True)


def window(
    crop: tuple[float, float, float, float] | None, size: tuple[float, float], aspect: float
) -> tuple[float, float, float, float]:
    """The part of a picture to show: the crop, widened to the place's shape as far as the picture goes.

    >>> window((40, 40, 20, 20), (200, 100), 2.0)
    (30.0, 40.0, 40.0, 20.0)
    """
    wide, high = size
    if crop is None:
        return 0.0, 0.0, wide, high
    x, y, width, height = crop
    grown_w, grown_h = max(width, height * aspect), max(height, width / aspect)
    grown_w, grown_h = min(grown_w, wide), min(grown_h, high)
    left = min(max(0.0, x + width / 2 - grown_w / 2), wide - grown_w)
    top = min(max(0.0, y + height / 2 - grown_h / 2), high - grown_h)
    return left, top, grown_w, grown_h


def pictures_in(screen: object) -> Iterator[Picture]:
    """The picture a screen shows, to be decoded before the main thread needs it."""
    picture = getattr(screen, "picture", None)
    if isinstance(picture, Picture):
        yield picture

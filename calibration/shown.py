"""What a screen shows of a calibration: plain values and one picture, small enough to hand around."""

from dataclasses import dataclass, replace
from typing import Literal

import cv2

from calibration.guide import Guide, Stage
from calibration.marks import Mark
from vision.pack import Point, Rect
from vision.rectify import Picture

# A touchscreen shows at most 1280 pixels across; the loupe shows three times as much of what is under the finger.
SHOWN_PX = 1920
JPEG_QUALITY = 85
Touch = Literal["", "corner", "board", "frame"]


@dataclass(frozen=True)
class Shown:
    """The guide as the screen draws it; marks and `crop_px` are in pixels of the picture.

    `touch` is what a finger on the picture does: sets a corner, opens a board, pulls a frame.
    """

    headline: str
    sentences: tuple[str, ...]
    steps: tuple[str, ...]
    at: int
    figures: tuple[tuple[str, str, str], ...]
    choices: tuple[tuple[str, str], ...]
    picture: bytes | None = None
    marks: tuple[Mark, ...] = ()
    crop_px: Rect | None = None
    touch: Touch = ""


@dataclass(frozen=True)
class Print:
    """A picture made ready for the screen; a pixel of it is `scale` pixels of the one it came from."""

    jpeg: bytes
    scale: float

    @classmethod
    def of(cls, bgr: Picture, whole_px: int | None = None) -> "Print":
        """`whole_px` is the width of the full picture when this one is already a small one of it."""
        shrink = min(1.0, SHOWN_PX / bgr.shape[1])
        small = cv2.resize(bgr, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        _, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        return cls(jpeg.tobytes(), (whole_px or bgr.shape[1]) / small.shape[1])

    def to_whole(self, at_px: Point) -> Point:
        """A point of the print in the picture it came from; both count from the middle of the first pixel."""
        x, y = ((v + 0.5) * self.scale - 0.5 for v in at_px)
        return x, y

    def from_whole(self, at_px: Point) -> Point:
        x, y = ((v + 0.5) / self.scale - 0.5 for v in at_px)
        return x, y


def shown(guide: Guide, picture: Print | None) -> Shown:
    """The guide beside the picture it speaks about."""
    plain = Shown(
        guide.headline,
        guide.sentences,
        guide.steps,
        guide.at,
        guide.figures,
        guide.choices,
        touch=_touch(guide),
    )
    if picture is None:
        return plain
    crop = guide.crop_px
    return replace(
        plain,
        picture=picture.jpeg,
        marks=tuple(
            Mark(tuple(picture.from_whole(p) for p in mark.points_px), mark.words, mark.tone)
            for mark in guide.marks
        ),
        crop_px=None if crop is None else _scaled(crop, picture.scale),
    )


def _scaled(rect: Rect, scale: float) -> Rect:
    x, y, width, height = (v / scale for v in rect)
    return x, y, width, height


def _touch(guide: Guide) -> Touch:
    if guide.lesson:
        return ""
    if guide.stage is Stage.CORNERS and guide.board:
        return "corner"
    if guide.stage is Stage.LAYOUT:
        return "frame" if guide.zoomed else "board"
    return "board" if guide.stage in (Stage.PIECES, Stage.CHECK) else ""

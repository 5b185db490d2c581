"""Tells from the small stream when the hands are gone and the table is still.

`Settle` is fed one small picture after another and answers moving, hand or still. It knows nothing of skin or
boards: a hand is a large change that reaches the edge of the picture; pieces that were moved do not. A hand that lay
there when the background was taken leaves the same kind of change when it goes, but takes its outline with it.
"""

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import shrunk
from vision.read.pixels import strongest
from vision.rectify import Picture

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]


class Scene(StrEnum):
    """What the table is doing."""

    MOVING = "moving"
    HAND = "hand"  # nothing moves, but a hand (or a sleeve, or a cat) lies in view
    STILL = "still"


@dataclass(frozen=True)
class SettleSettings:
    width_px: int = 160  # pictures are shrunk to this: noise averages out, a finger still shows
    still_s: float = (
        0.095  # without motion for so long is still: one quiet picture at ten a second, three at thirty
    )
    # Change from one picture to the next, in grey levels after the light is taken out, that is not noise ...
    moved: float = 7.0
    # ... or this many times the middle change of the whole picture, which is its noise.
    moved_noise: float = 6.0
    # A finger tip over the boards covers more of the picture than this.
    moved_share: float = 0.0012
    # Change against the last still table, in any colour, that may be a hand or pieces; less in a picture that is
    # darker than this on average, where a sleeve differs less from the table.
    changed: float = 16.0
    bright: float = 100.0
    # A forearm in view covers at least this share of the picture and reaches its edge over so many pixels.
    hand_share: float = 0.006
    hand_edge_px: int = 3
    # What has left its outline in the background rather than in the picture is gone. Simulated hands: 1.08 and more;
    # hands that left: 0.92 and less.
    gone: float = 0.85
    outline_blur_px: float = 0.8
    # The whole picture moved by more than this, and clearly so, is the camera.
    nudge_px: float = 0.6
    nudge_response: float = 0.25
    # ... if undoing the move undoes at least half of the change.
    nudge_left: float = 0.5
    # Light drifts (clouds, dusk): the background follows what lies still, at this rate per second.
    drift_per_s: float = 0.25
    # What comes moves; that nothing has come unseen to a table that is still is made sure of this often.
    check_s: float = 0.35
    # A thing that has lain at the edge for so long without moving is furniture, not a hand.
    furniture_s: float = 20.0
    # Whether a single piece was moved is told at this width, where a cube still covers several pixels, by means over
    # squares of this side. Noise reaches half of this many times its middle; a picture read once more costs only time.
    piece_width_px: int = 320
    piece_px: int = 2
    piece_noise: float = 12.0
    # Grey levels: what JPEG and rounding do, and what is never noise. Simulated noise reaches 5, a turn changes 100.
    piece_least: float = 2.5
    piece_most: float = 20.0


SETTINGS = SettleSettings()
_NEIGHBOURS = np.ones((2, 2), np.uint8)
# Keeps what is nearly black from being all ratio and no light.
_LIFT = np.float32(8)


class Settle:
    """Feed with `see`. Times are monotonic seconds; the clock is the caller's."""

    def __init__(self, settings: SettleSettings = SETTINGS) -> None:
        self._settings = settings
        self._shape: tuple[int, ...] = ()
        self._last: Floats | None = None
        self._last_s = 0.0
        self._still_since_s = 0.0
        self._background: Floats | None = None
        self._free_s: float | None = None  # when no hand was in view, if nothing has moved since
        self._hand_since_s: float | None = None

    def see(self, picture: Picture, time_s: float) -> Scene:
        """One more picture of the stream, any size, grey or blue-green-red."""
        now = _shrunk(picture, self._settings.width_px)
        grey = _grey(now)
        if self._last is None or self._shape != now.shape or time_s < self._last_s:
            self._restart(now, time_s)
            return Scene.MOVING
        change = np.abs(_without_light(grey, self._last))
        passed_s = time_s - self._last_s
        self._last, self._last_s = grey, time_s
        if self._is_motion(change):
            self._still_since_s = time_s
            self._hand_since_s = self._free_s = None
            return Scene.MOVING
        if time_s - self._still_since_s < self._settings.still_s:
            return Scene.MOVING
        if self._background is None:
            self._background, self._free_s = now, time_s
            return Scene.STILL
        if self._free_s is not None:
            passed_s = time_s - self._free_s
            if passed_s < self._settings.check_s:
                return Scene.STILL
        changed = self._changed(now, self._background)
        if changed.any() and self._hand(now, self._background, changed, time_s):
            self._free_s = None
            return Scene.HAND
        self._hand_since_s, self._free_s = None, time_s
        self._background = self._remembered(now, self._background, changed, passed_s)
        return Scene.STILL

    def same(self, before: Picture, now: Picture) -> bool:
        """Whether not even a cube lies otherwise than before, as far as two small pictures can tell."""
        if before.shape != now.shape:
            return False
        settings = self._settings
        then, here = (_shrunk(picture, settings.piece_width_px) for picture in (before, now))
        change = np.abs(cv2.blur(_without_light(here, then), (settings.piece_px, settings.piece_px)))
        noise = settings.piece_noise * _middle(np.asarray(change, np.float32))
        return bool(change.max() <= np.clip(noise, settings.piece_least, settings.piece_most))

    def forget(self) -> None:
        """The camera or the table was changed: start afresh, taking the next still view as free of hands."""
        self._last = None
        self._background = None
        self._hand_since_s = self._free_s = None

    def _restart(self, now: Floats, time_s: float) -> None:
        if self._background is not None and self._background.shape != now.shape:
            self._background = None
        self._shape, self._last = now.shape, _grey(now)
        self._last_s = self._still_since_s = time_s
        self._hand_since_s = self._free_s = None

    def _is_motion(self, change: Floats) -> bool:
        limit = max(self._settings.moved, self._settings.moved_noise * _middle(change))
        loud = (change > limit).view(np.uint8)
        # Single pixels are noise; a moving thing changes neighbours together.
        together = cv2.morphologyEx(loud, cv2.MORPH_OPEN, _NEIGHBOURS)
        return cv2.countNonZero(together) > self._settings.moved_share * together.size

    def _hand(self, now: Floats, background: Floats, changed: Mask, time_s: float) -> bool:
        """Whether one lies in view. What has gone from the background is taken out of it."""
        entered = self._entered(changed)
        gone = [blob for blob in entered if self._is_gone(blob, now, background)]
        for blob in gone:
            background[blob] = now[blob]
        if len(gone) == len(entered) or self._nudged(now, background):
            return False
        if self._hand_since_s is None:
            self._hand_since_s = time_s
        return time_s - self._hand_since_s < self._settings.furniture_s

    def _changed(self, now: Floats, background: Floats) -> Mask:
        """Where the table does not look as it did."""
        off = np.abs(_without_light(now, background))
        change = off[..., 0] if off.shape[2] == 1 else strongest(off)
        darker = min(1.0, float(background.mean()) / self._settings.bright)
        noise = self._settings.moved_noise * _middle(change)
        return np.asarray(change > max(self._settings.changed * darker, noise), np.bool_)

    def _entered(self, changed: Mask) -> list[Mask]:
        """Large changes that come in over the edge. What lies along three sides is the table itself."""
        # A hand's shades may match the table here and there; close the holes so that it stays in one piece.
        whole = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(whole, connectivity=8)
        sides = labels[0], labels[-1], labels[:, 0], labels[:, -1]
        entered = []
        for label in range(1, count):
            large = stats[label, cv2.CC_STAT_AREA] >= self._settings.hand_share * labels.size
            touched = [int((side == label).sum()) for side in sides]
            from_outside = sum(touched) >= self._settings.hand_edge_px
            if large and from_outside and sum(t > 0 for t in touched) < 3:
                entered.append(np.asarray(labels == label, np.bool_))
        return entered

    def _is_gone(self, blob: Mask, now: Floats, background: Floats) -> bool:
        """Whether the outline of a change is to be seen in the background, and in the picture no longer."""
        rim = cv2.morphologyEx(blob.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
        inner = np.zeros_like(rim)
        inner[2:-2, 2:-2] = rim[2:-2, 2:-2]
        if not inner.any():
            return False
        here, before = (float(self._slopes(picture)[inner].mean()) for picture in (now, background))
        return here < self._settings.gone * before

    def _slopes(self, picture: Floats) -> Floats:
        soft = cv2.GaussianBlur(picture, (0, 0), self._settings.outline_blur_px)
        across, down = (cv2.Sobel(soft, cv2.CV_32F, *way) for way in ((1, 0), (0, 1)))
        return np.asarray(np.hypot(across, down).reshape(picture.shape).max(axis=2), np.float32)

    def _nudged(self, now: Floats, background: Floats) -> bool:
        """Whether the camera was pushed: everything has moved the same way, and moved back it looks as before."""
        window = cv2.createHanningWindow((now.shape[1], now.shape[0]), cv2.CV_32F)
        # phaseCorrelate lays the window over its inputs in place; these are nobody else's.
        (x, y), response = cv2.phaseCorrelate(_grey(background).copy(), _grey(now).copy(), window)
        if float(np.hypot(x, y)) <= self._settings.nudge_px or response <= self._settings.nudge_response:
            return False
        push = np.array([[1, 0, x], [0, 1, y]], np.float64)
        size = now.shape[1], now.shape[0]
        pushed = cv2.warpAffine(background, push, size, borderMode=cv2.BORDER_REPLICATE).reshape(now.shape)
        left = self._changed(now, np.asarray(pushed, np.float32)).mean()
        return bool(left < self._settings.nudge_left * self._changed(now, background).mean())

    def _remembered(self, now: Floats, background: Floats, changed: Mask, passed_s: float) -> Floats:
        """The still table as the background: at once where pieces changed, slowly where light drifts.

        Taking it over whole is right, because no hand is in view.
        """
        share = np.float32(min(1.0, self._settings.drift_per_s * passed_s))
        blended = background + share * (now - background)
        blended[changed] = now[changed]
        return np.asarray(blended, np.float32)


def _shrunk(picture: Picture, width_px: int) -> Floats:
    """Height x width x 1 or 3."""
    width = min(width_px, picture.shape[1])
    height = max(1, round(picture.shape[0] * width / picture.shape[1]))
    return shrunk(picture, (width, height)).astype(np.float32).reshape(height, width, -1)


def _grey(picture: Floats) -> Floats:
    if picture.shape[2] == 1:
        return picture[..., 0]
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)


def _without_light(now: Floats, before: Floats) -> Floats:
    """The difference that a lamp flickering or a cloud passing does not explain: one gain for each colour."""
    ratio = (_some(now) + _LIFT) / (_some(before) + _LIFT)
    colours = [ratio] if now.ndim == 2 else [ratio[..., i] for i in range(now.shape[2])]
    # OpenCV multiplies every colour by its own number several times as quickly as numpy does; it wants four of them.
    gain = np.zeros(4)
    gain[: len(colours)] = [_median(colour) for colour in colours]
    lit = np.asarray(cv2.multiply(before + _LIFT, gain), np.float32)
    return np.asarray(now + _LIFT - lit.reshape(now.shape), np.float32)


def _middle(values: Floats) -> float:
    """The median of a picture."""
    return _median(_some(values))


def _some(values: Floats) -> Floats:
    """Every sixteenth pixel: some hundreds say as well as thousands what is in the middle."""
    return values[::4, ::4]


def _median(values: Floats) -> float:
    flat = values.ravel()
    return float(np.partition(flat, len(flat) // 2)[len(flat) // 2])

"""Tells from the small stream when the hands are gone and the table is still.

`Settle` is fed one small grey picture after another and answers moving, hand or still. It knows nothing of skin or
boards: a hand is a large change that reaches the edge of the picture; pieces that were moved do not.
"""

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rectify import Picture

Floats = NDArray[np.float32]


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
    # Change against the last still table that may be a hand or pieces.
    changed: float = 16.0
    # A forearm in view covers at least this share of the picture and reaches its edge over so many pixels.
    hand_share: float = 0.006
    hand_edge_px: int = 3
    # The whole picture moved by more than this, and clearly so, is the camera.
    nudge_px: float = 0.6
    nudge_response: float = 0.25
    # Light drifts (clouds, dusk): the background follows what lies still, at this rate per second.
    drift_per_s: float = 0.25
    # A thing that has lain at the edge for so long without moving is furniture, not a hand.
    furniture_s: float = 20.0


SETTINGS = SettleSettings()


class Settle:
    """Feed with `see`. Times are monotonic seconds; the clock is the caller's."""

    def __init__(self, settings: SettleSettings = SETTINGS) -> None:
        self._settings = settings
        self._last: Floats | None = None
        self._last_s = 0.0
        self._still_since_s = 0.0
        self._background: Floats | None = None
        self._hand_since_s: float | None = None

    def see(self, picture: Picture, time_s: float) -> Scene:
        """One more picture of the stream, any size, grey or blue-green-red."""
        now = self._even(picture)
        if self._last is None or self._last.shape != now.shape or time_s < self._last_s:
            self._restart(now, time_s)
            return Scene.MOVING
        change = np.abs(_without_light(now, self._last))
        passed_s = time_s - self._last_s
        self._last, self._last_s = now, time_s
        if self._is_motion(change):
            self._still_since_s = time_s
            self._hand_since_s = None
            return Scene.MOVING
        if time_s - self._still_since_s < self._settings.still_s:
            return Scene.MOVING
        if self._hand(now, time_s):
            return Scene.HAND
        self._remember(now, passed_s)
        return Scene.STILL

    def forget(self) -> None:
        """The camera or the table was changed: start afresh, taking the next still view as free of hands."""
        self._last = None
        self._background = None
        self._hand_since_s = None

    def _restart(self, now: Floats, time_s: float) -> None:
        if self._background is not None and self._background.shape != now.shape:
            self._background = None
        self._last, self._last_s, self._still_since_s = now, time_s, time_s
        self._hand_since_s = None

    def _is_motion(self, change: Floats) -> bool:
        limit = max(self._settings.moved, self._settings.moved_noise * float(np.median(change)))
        loud = (change > limit).astype(np.uint8)
        # Single pixels are noise; a moving thing changes neighbours together.
        together = cv2.morphologyEx(loud, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        return bool(together.mean() > self._settings.moved_share)

    def _hand(self, now: Floats, time_s: float) -> bool:
        if self._background is None:
            return False
        change = np.abs(_without_light(now, self._background))
        limit = max(self._settings.changed, self._settings.moved_noise * float(np.median(change)))
        changed = (change > limit).astype(np.uint8)
        # A hand's shades may match the table here and there; close the holes so that it stays in one piece.
        whole = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        if not self._reaches_in(np.asarray(whole, np.uint8)) or self._nudged(now):
            self._hand_since_s = None
            return False
        if self._hand_since_s is None:
            self._hand_since_s = time_s
        return time_s - self._hand_since_s < self._settings.furniture_s

    def _reaches_in(self, changed: NDArray[np.uint8]) -> bool:
        """Whether something large comes in over the edge. What lies along three sides is the table itself."""
        count, labels, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
        sides = labels[0], labels[-1], labels[:, 0], labels[:, -1]
        for label in range(1, count):
            large = stats[label, cv2.CC_STAT_AREA] >= self._settings.hand_share * labels.size
            touched = [int((side == label).sum()) for side in sides]
            from_outside = sum(touched) >= self._settings.hand_edge_px
            if large and from_outside and sum(t > 0 for t in touched) < 3:
                return True
        return False

    def _nudged(self, now: Floats) -> bool:
        """Whether the camera was pushed: then everything has moved the same way, and the background is of no use."""
        if self._background is None:
            return False
        window = cv2.createHanningWindow((now.shape[1], now.shape[0]), cv2.CV_32F)
        # Copies: phaseCorrelate lays the window over its inputs in place.
        (x, y), response = cv2.phaseCorrelate(self._background.copy(), now.copy(), window)
        far = float(np.hypot(x, y)) > self._settings.nudge_px
        return far and response > self._settings.nudge_response

    def _remember(self, now: Floats, passed_s: float) -> None:
        """The still table becomes the background: at once where pieces changed, slowly where light drifts.

        Taking it over whole is right, because no hand is in view.
        """
        self._hand_since_s = None
        if self._background is None:
            self._background = now
            return
        share = min(1.0, self._settings.drift_per_s * passed_s)
        changed = np.abs(_without_light(now, self._background)) > self._settings.changed
        blended = self._background + share * (now - self._background)
        self._background = np.where(changed, now, blended).astype(np.float32)

    def _even(self, picture: Picture) -> Floats:
        grey = (
            picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        )
        width = min(self._settings.width_px, grey.shape[1])
        height = max(1, round(grey.shape[0] * width / grey.shape[1]))
        return np.asarray(cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA), np.float32)


def _without_light(now: Floats, before: Floats) -> Floats:
    """The difference that a lamp flickering or a cloud passing does not explain: one gain for the whole picture."""
    gain = float(np.median((now + 8.0) / (before + 8.0)))
    return np.asarray(now - (gain * (before + 8.0) - 8.0), np.float32)

"""Any USB camera, through OpenCV."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from hardware.frame import CameraLost, Frame
from hardware.shrink import shrink


@dataclass(frozen=True)
class WebcamSettings:
    width: int = 3840  # asked for; the driver gives the nearest it has
    height: int = 2160
    stale_frames: int = 2  # the driver holds older pictures even when told to keep one


DEFAULTS = WebcamSettings()


class Webcam:
    """Camera number `index` of the system. `capture` makes OpenCV's reader and can be replaced in tests."""

    def __init__(
        self,
        index: int = 0,
        settings: WebcamSettings = DEFAULTS,
        capture: Callable[[int], Any] = cv2.VideoCapture,
    ) -> None:
        self.name = f"webcam {index}"
        self._index = index
        self._settings = settings
        self._capture = capture
        self._device: Any = None

    def open(self) -> None:
        _hush()
        device = self._capture(self._index)
        if not device.isOpened():
            device.release()
            raise CameraLost(
                f"No webcam number {self._index} can be opened. Plug it in, close other programs that use it, and make "
                "sure that you are in the group video."
            )
        # Motion JPEG first: without it USB 2 carries large pictures at two a second.
        device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        device.set(cv2.CAP_PROP_FRAME_WIDTH, self._settings.width)
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, self._settings.height)
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._device = device

    def small(self, timeout_s: float = 1.0) -> Frame:
        frame = self.full(timeout_s)
        return Frame(shrink(frame.bgr), frame.time_s, frame.metadata)

    def full(self, timeout_s: float = 3.0) -> Frame:
        """OpenCV cannot be told to wait less; a reader that hangs is ended by its owner."""
        if self._device is None:
            raise CameraLost(f"The {self.name} is not open.")
        for _ in range(self._settings.stale_frames):
            self._device.grab()
        time_s = time.monotonic()
        seen, bgr = self._device.read()
        if not seen or bgr is None:
            raise CameraLost(f"The {self.name} gave no picture: check that it is still plugged in.")
        return Frame(np.asarray(bgr, np.uint8), time_s, {})

    def close(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            device.release()


def _hush() -> None:
    """OpenCV tries every library it knows and complains about each; we say what matters.

    Its switch has moved between the version of Raspberry Pi OS Bookworm and that of Trixie.
    """
    logging = getattr(cv2.utils, "logging", None)
    set_level: Callable[[int], object] = getattr(logging or cv2, "setLogLevel")  # noqa: B009
    set_level(0)

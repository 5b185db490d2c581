"""The Raspberry Pi's own cameras, through picamera2. One configuration, opened once.

Only here is it known that the format called "RGB888" has blue first in memory, that the small stream is YUV (the
Pi 4 gives nothing else), and that a format the camera lacks is silently changed.
"""

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from hardware.frame import CameraLost, Frame, Picture
from hardware.locks import AF_MANUAL, AUTOMATIC, UNLOCKED, Locks, locks_for
from hardware.shrink import shrink

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PiCameraSettings:
    small_width: int = 640  # a multiple of 128: the hardware then adds no padding
    frames_per_s: float = 10.0  # enough to see a hand; more only warms the Pi
    buffers: int = 3  # one being filled, one waiting, one in our hands; each is 36 MB at 12 megapixels
    autofocus_s: float = 6.0  # a whole scan of Camera Module 3 takes two to three


DEFAULTS = PiCameraSettings()


class PiCamera:
    """Camera number `index` of this Raspberry Pi."""

    def __init__(
        self, index: int = 0, locks: Locks = AUTOMATIC, settings: PiCameraSettings = DEFAULTS
    ) -> None:
        self.name = "Raspberry Pi" if index == 0 else f"Raspberry Pi (number {index})"
        self._index = index
        self._locks = locks
        self._settings = settings
        self._device: Any = None
        self._model = ""

    def open(self) -> None:
        picamera2 = _load()
        found = picamera2.Picamera2.global_camera_info()
        if self._index >= len(found):
            raise CameraLost(
                f"No Raspberry Pi camera number {self._index} is connected ({len(found)} found). Switch the Pi off, push both "
                "ends of the ribbon cable home, and check with: rpicam-hello --list-cameras"
            )
        self._model = str(found[self._index].get("Model", ""))
        try:
            self._device = picamera2.Picamera2(self._index)
            self._start(self._device)
        except RuntimeError as error:
            raise CameraLost(
                f"The {self.name} camera cannot be opened ({error}). Another program may be using it: close it, or "
                "restart the Raspberry Pi."
            ) from error

    def _start(self, device: Any) -> None:
        width, height = device.sensor_resolution
        small_height = round(self._settings.small_width * height / width / 2) * 2
        period_us = round(1e6 / self._settings.frames_per_s)
        device.configure(
            device.create_still_configuration(
                main={"format": "RGB888", "size": (width, height)},
                lores={"format": "YUV420", "size": (self._settings.small_width, small_height)},
                raw=None,
                buffer_count=self._settings.buffers,
                queue=False,  # a kept frame would be older than the press of the button
                display=None,
            )
        )
        self._control({"FrameDurationLimits": (period_us, period_us)})
        self._control(self._locks.controls())
        device.start()
        self._focus_if_free(device)

    def lock(self, locks: Sequence[Locks]) -> None:
        """Changes what is locked while the camera runs."""
        if self._device is None:
            raise CameraLost(f"The {self.name} camera is not open.")
        self._locks = locks_for(0, locks)
        self._control(UNLOCKED | self._locks.controls())
        self._focus_if_free(self._device)

    def _focus_if_free(self, device: Any) -> None:
        if self._locks.lens_position is None and "AfMode" in device.camera_controls:
            self._focus_once(device)

    def _focus_once(self, device: Any) -> None:
        """A lens that hunts during the game would change every picture: focus now, then hold."""
        try:
            sharp = device.autofocus_cycle(wait=self._settings.autofocus_s)
        except TimeoutError:
            device.cancel_all_and_flush()
            sharp = False
        if not sharp:
            _log.warning("The %s camera found nothing to focus on; the lens stays where it is.", self.name)
        with self._request(time.monotonic() + self._settings.autofocus_s) as request:
            position = request.get_metadata().get("LensPosition")
        if position is not None:
            self._control({"AfMode": AF_MANUAL, "LensPosition": position})

    def _control(self, wanted: dict[str, Any]) -> None:
        """Sets what this camera knows and says what it does not: an unknown control would raise."""
        known = self._device.camera_controls
        missing = sorted(set(wanted) - set(known))
        if missing:
            _log.warning("The %s camera cannot set %s.", self.name, ", ".join(missing))
        self._device.set_controls({name: value for name, value in wanted.items() if name in known})

    def small(self, timeout_s: float = 1.0) -> Frame:
        return self._capture("lores", timeout_s)

    def full(self, timeout_s: float = 3.0) -> Frame:
        return self._capture("main", timeout_s)

    def close(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            device.close()

    def _capture(self, stream: str, timeout_s: float) -> Frame:
        if self._device is None:
            raise CameraLost(f"The {self.name} camera is not open.")
        asked_s = time.monotonic()
        while True:
            with self._request(asked_s + timeout_s) as request:
                metadata = {**request.get_metadata(), "Model": self._model}
                time_s = _taken_s(metadata)
                if time_s >= asked_s:
                    form = self._device.camera_configuration()[stream]
                    bgr = to_bgr(request.make_array(stream), form)
                    if stream == "lores":
                        bgr = shrink(
                            bgr, self._settings.small_width
                        )  # for a camera that changed the size, too
                    return Frame(bgr, time_s, metadata)

    @contextmanager
    def _request(self, until_s: float) -> Iterator[Any]:
        """A frame that is given back whatever happens."""
        left_s = until_s - time.monotonic()
        try:
            if left_s <= 0:
                raise TimeoutError
            with self._device.captured_request(wait=left_s) as request:
                yield request
        except (TimeoutError, CancelledError) as error:
            raise CameraLost(
                f"The {self.name} camera gave no picture in time. If this goes on, check its ribbon cable."
            ) from error


def connected() -> list[str]:
    """The models of the cameras this Raspberry Pi sees, in order; CameraLost without picamera2."""
    return [str(info.get("Model", "unknown")) for info in _load().Picamera2.global_camera_info()]


def to_bgr(array: Picture, form: Mapping[str, Any]) -> Picture:
    """A stream's array as height x width x 3 with blue first, whatever format the camera settled on."""
    width, height = form["size"]
    match form["format"]:
        case "RGB888":
            return array[:height, :width]
        case "BGR888":
            return np.ascontiguousarray(array[:height, :width, ::-1])
        case "XRGB8888":
            return np.ascontiguousarray(array[:height, :width, :3])
        case "XBGR8888":
            return np.ascontiguousarray(array[:height, :width, 2::-1])
        case "YUV420":
            blue, red = array[height:].reshape(2, height // 2, -1)[:, :, : width // 2]
        case "NV12":
            blue, red = array[height:, :width:2], array[height:, 1 : width + 1 : 2]
        case other:
            raise CameraLost(f"The camera gives pictures as {other}, which this program cannot read.")
    # Still configurations are sYCC, whose levels go from 0 to 255; OpenCV's own YUV420 and NV12 conversions expect
    # 16 to 235 and would raise the contrast.
    planes = [array[:height, :width], *(cv2.resize(plane, (width, height)) for plane in (red, blue))]
    bgr: Picture = cv2.cvtColor(cv2.merge(planes), cv2.COLOR_YCrCb2BGR).astype(np.uint8, copy=False)
    return bgr


def _taken_s(metadata: Mapping[str, Any]) -> float:
    """When the first row was exposed, on the monotonic clock; now, for a camera that does not say."""
    stamp_ns = metadata.get("SensorTimestamp")
    return float(stamp_ns) / 1e9 if stamp_ns else time.monotonic()


def _load() -> Any:
    try:
        import picamera2
    except ImportError as error:
        raise CameraLost(
            f"The Raspberry Pi camera needs picamera2, which is not here ({error}). On Raspberry Pi OS: "
            "sudo apt install python3-picamera2; elsewhere choose --camera webcam, folder:DIR or simulated."
        ) from error
    return picamera2

"""Stands in for the module picamera2 on a machine without a camera.

Names, parameters and defaults follow the real class (test_picamera2_signatures compares them with its source), and
so does what hurts: a format the camera lacks is silently changed, an unknown control raises, a bad index raises,
buffers run out when they are not given back.
"""

import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

BLUE, GREEN, RED = 200, 120, 40  # of the scene, as BGR


@dataclass
class World:
    """What is plugged in and what it does; tests change it."""

    models: list[str] = field(default_factory=lambda: ["imx708", "imx477"])
    controls: dict[str, tuple[Any, Any, Any]] = field(
        default_factory=lambda: {
            "FrameDurationLimits": (33333, 120000, None),
            "ExposureTime": (10, 100000, None),
            "AnalogueGain": (1.0, 16.0, None),
            "AeEnable": (False, True, None),
            "AwbEnable": (False, True, None),
            "ColourGains": (0.0, 32.0, None),
            "AfMode": (0, 2, 0),
            "LensPosition": (0.0, 32.0, 1.0),
        }
    )
    formats: tuple[str, ...] = ("RGB888", "YUV420", "XBGR8888")
    resolution: tuple[int, int] = (4608, 2592)
    busy: bool = False
    focuses: bool | None = True  # None: the scan never ends
    stale_frames: int = 1  # frames that were exposed before they were asked for
    dries_up_after: int | None = None  # captures until frames cease
    padding: int = 0  # bytes at the end of each row of the small stream
    timestamps: bool = True
    lens_position: float = 2.0
    cameras: list["Picamera2"] = field(default_factory=list)


WORLD = World()


class CompletedRequest:
    def __init__(self, request: Any, picam2: "Picamera2") -> None:
        self.request = request
        self.picam2 = picam2

    def get_metadata(self) -> dict[str, Any]:
        metadata: dict[str, Any] = {
            "ExposureTime": 9000,
            "AnalogueGain": 2.5,
            "ColourGains": (1.8, 1.6),
            "LensPosition": WORLD.lens_position,
        }
        if WORLD.timestamps:
            metadata["SensorTimestamp"] = self.request["taken_ns"]
        return metadata

    def make_array(self, name: str) -> np.ndarray:
        config = self.picam2.camera_config[name]
        return picture(config["format"], config["size"], WORLD.padding if name == "lores" else 0)

    def release(self) -> None:
        self.picam2.free_buffers += 1


def picture(form: str, size: tuple[int, int], padding: int) -> np.ndarray:
    """The scene in the camera's own layout: a plain colour with a dark band in the left quarter."""
    width, height = size
    bgr = np.full((height, width, 3), (BLUE, GREEN, RED), np.uint8)
    bgr[:, : width // 4] //= 2
    match form:
        case "RGB888":  # the name is the order in a register; in memory blue comes first
            return bgr
        case "XBGR8888":
            return cv2.cvtColor(bgr, cv2.COLOR_BGR2RGBA)
        case "YUV420":  # sYCC: levels from 0 to 255
            y, red, blue = cv2.split(cv2.cvtColor(bgr, cv2.COLOR_BGR2YCrCb))
            half = [np.pad(plane[::2, ::2], ((0, 0), (0, padding // 2))) for plane in (blue, red)]
            stride = width + padding
            return np.vstack([np.pad(y, ((0, 0), (0, padding))), np.reshape(half, (height // 2, stride))])
        case _:
            raise RuntimeError("Format " + form + " not supported")


class Picamera2:
    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return [{"Model": model, "Num": number} for number, model in enumerate(WORLD.models)]

    def __init__(
        self, camera_num: int = 0, verbose_console: Any = None, tuning: Any = None, allocator: Any = None
    ) -> None:
        if camera_num >= len(WORLD.models):
            raise RuntimeError(f"No camera number {camera_num} found")
        if WORLD.busy:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.sensor_resolution = WORLD.resolution
        self.camera_config: dict[str, Any] = {}
        self.set: dict[str, Any] = {}
        self.calls: list[str] = []
        self.free_buffers = 0
        self.captures = 0
        WORLD.cameras.append(self)

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        return WORLD.controls

    def create_still_configuration(
        self,
        main: Any = {},  # noqa: B006 - as in the original
        lores: Any = None,
        raw: Any = {},  # noqa: B006
        transform: Any = None,
        colour_space: Any = None,
        buffer_count: int = 1,
        controls: Any = {},  # noqa: B006
        display: Any = None,
        encode: Any = None,
        queue: bool = True,
        sensor: Any = {},  # noqa: B006
        use_case: str = "still",
    ) -> dict[str, Any]:
        return {
            "main": dict(main),
            "lores": dict(lores) if lores else None,
            "raw": raw,
            "buffer_count": buffer_count,
            "queue": queue,
            "controls": controls,
        }

    def configure(self, camera_config: Any = None) -> None:
        self.calls.append("configure")
        for stream in ("main", "lores"):
            form = camera_config[stream]
            if form["size"][0] % 2 or form["size"][1] % 2:
                raise RuntimeError("width and height should be even")
            if form["format"] not in WORLD.formats:
                form["format"] = WORLD.formats[0]
        self.camera_config = camera_config
        self.free_buffers = camera_config["buffer_count"]

    def camera_configuration(self) -> dict[str, Any]:
        return self.camera_config

    def set_controls(self, controls: Any) -> None:
        for name, value in controls.items():
            if name not in WORLD.controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
            self.set[name] = value

    def start(self, config: Any = None, show_preview: Any = False) -> None:
        self.calls.append("start")

    def autofocus_cycle(self, wait: Any = None, signal_function: Any = None) -> bool:
        self.calls.append("autofocus")
        if WORLD.focuses is None:
            raise TimeoutError
        return WORLD.focuses

    def cancel_all_and_flush(self) -> None:
        self.calls.append("flush")

    @contextmanager
    def captured_request(self, wait: Any = None, flush: Any = None) -> Iterator[CompletedRequest]:
        if self.free_buffers == 0:
            raise CancelledError  # nobody gave a buffer back: the camera stands still
        if WORLD.dries_up_after is not None and self.captures >= WORLD.dries_up_after:
            raise TimeoutError
        stale = self.captures < WORLD.stale_frames
        self.captures += 1
        self.free_buffers -= 1
        taken_ns = time.monotonic_ns() - (200_000_000 if stale else 0)
        request = CompletedRequest({"taken_ns": taken_ns}, self)
        try:
            yield request
        finally:
            request.release()

    def close(self) -> None:
        self.calls.append("close")

"""Two cameras seen as one: their pictures side by side. Boards are found wherever they lie, so nothing else changes."""

from collections.abc import Sequence

import numpy as np

from hardware.frame import Camera, Frame
from hardware.locks import Lockable, Locks, locks_for


class Beside:
    """All cameras' pictures from left to right, as high as the lowest of them."""

    def __init__(self, cameras: Sequence[Camera]) -> None:
        self.name = " and ".join(camera.name for camera in cameras)
        self._cameras = tuple(cameras)

    def open(self) -> None:
        for camera in self._cameras:
            camera.open()

    def small(self, timeout_s: float = 1.0) -> Frame:
        return _join([camera.small(timeout_s) for camera in self._cameras])

    def full(self, timeout_s: float = 3.0) -> Frame:
        return _join([camera.full(timeout_s) for camera in self._cameras])

    def lock(self, locks: Sequence[Locks]) -> None:
        for number, camera in enumerate(self._cameras):
            if isinstance(camera, Lockable):
                camera.lock([locks_for(number, locks)])

    def close(self) -> None:
        for camera in self._cameras:
            camera.close()


def _join(frames: Sequence[Frame]) -> Frame:
    """The oldest time counts: nothing in the picture is older. The first camera's metadata, and each one's apart."""
    height = min(frame.bgr.shape[0] for frame in frames)
    picture = np.hstack([frame.bgr[:height] for frame in frames])
    metadata = {**frames[0].metadata, "cameras": [dict(frame.metadata) for frame in frames]}
    return Frame(picture, min(frame.time_s for frame in frames), metadata)

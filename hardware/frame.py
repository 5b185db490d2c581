"""A picture and what is known about it; what every camera gives."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]  # height x width x 3, blue first


@dataclass(frozen=True, eq=False)
class Frame:
    """`time_s` is monotonic; `metadata` is whatever the camera reports (exposure, lens position, ...)."""

    bgr: Picture
    time_s: float
    metadata: Mapping[str, Any] = field(default_factory=dict)


class CameraLost(OSError):
    """The camera cannot give a picture: says which, why, and what to do."""


class Camera(Protocol):
    """One camera over the boards. `small` is cheap and frequent, `full` is asked for when a turn is to be read.

    Both wait for a picture taken after the call, at most `timeout_s`, then raise CameraLost.
    """

    name: str

    def open(self) -> None: ...

    def small(self, timeout_s: float = 1.0) -> Frame: ...

    def full(self, timeout_s: float = 3.0) -> Frame: ...

    def close(self) -> None: ...

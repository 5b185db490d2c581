"""Pictures from one process to another through shared memory: a few slots, used in turn.

The writer fills a slot and sends a short header; the reader copies the slot out and checks that the writer has
not come round to it in the meantime. Neither waits for the other.
"""

import ctypes
import mmap
from dataclasses import dataclass
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame, Picture

_NUMBER_BYTES = 8


class Overtaken(Exception):
    """The writer came round to the slot while it was copied: ask for a newer picture."""


@dataclass(frozen=True)
class Header:
    """What travels beside the pixels. `number` counts the pictures of this ring from 0."""

    number: int
    height: int
    width: int
    time_s: float
    metadata: dict[str, Any]

    def to_json(self) -> list[Any]:
        return [self.number, self.height, self.width, self.time_s, self.metadata]

    @classmethod
    def from_json(cls, values: list[Any]) -> "Header":
        return cls(*values)


class Ring:
    """`slots` pictures of at most `pixels` each. Pages that are never written cost nothing.

    Each slot begins with the number of the picture in it, which is -1 while it is being written.
    """

    def __init__(self, slots: int, pixels: int) -> None:
        self.slots = slots
        self.pixels = pixels
        self._slot_bytes = _NUMBER_BYTES + pixels * 3
        self._memory = SharedMemory(create=True, size=slots * self._slot_bytes)
        self._next = 0

    def write(self, frame: Frame) -> Header:
        """Into the next slot. A picture larger than a slot is a ValueError that says so."""
        if frame.bgr.dtype != np.uint8 or frame.bgr.ndim != 3 or frame.bgr.shape[2] != 3:
            raise ValueError(f"a picture must be height x width x 3 bytes, not {frame.bgr.shape}")
        height, width = frame.bgr.shape[:2]
        if height * width > self.pixels:
            raise ValueError(
                f"a picture of {width} x {height} pixels is larger than the {self.pixels} that are allowed"
            )
        header = Header(self._next, height, width, frame.time_s, plain(frame.metadata))
        number, picture = self._slot(header)
        number[0] = -1
        np.copyto(picture, frame.bgr)
        number[0] = header.number
        self._next += 1
        return header

    def read(self, header: Header) -> Frame:
        """A copy of the picture, or Overtaken."""
        number, picture = self._slot(header)
        copy = picture.copy()
        if number[0] != header.number:
            raise Overtaken
        return Frame(copy, header.time_s, header.metadata)

    def take(self, header: Header) -> Frame:
        """As `read`, and the memory of the slot goes back to the system: 36 MB that nobody needs until the next one."""
        frame = self.read(header)
        _, picture = self._slot(header)
        begin = -(-picture.ctypes.data // mmap.PAGESIZE) * mmap.PAGESIZE
        whole_pages = (picture.ctypes.data + picture.nbytes - begin) // mmap.PAGESIZE * mmap.PAGESIZE
        if whole_pages > 0:
            # Advice: where it cannot be followed the memory stays.
            ctypes.CDLL(None).madvise(ctypes.c_void_p(begin), ctypes.c_size_t(whole_pages), mmap.MADV_REMOVE)
        return frame

    def brightness(self, header: Header) -> float:
        """The mean of a pixel here and there: enough to tell a lit table from a covered lens."""
        return float(self._slot(header)[1][::16, ::16].mean())

    def close(self) -> None:
        """Gives the mapping back."""
        self._memory.close()

    def unlink(self) -> None:
        """Removes the memory; only for the process that made the ring."""
        self._memory.unlink()

    def _slot(self, header: Header) -> tuple[NDArray[np.int64], Picture]:
        start = (header.number % self.slots) * self._slot_bytes
        number = np.ndarray((1,), np.int64, self._memory.buf, start)
        shape = (header.height, header.width, 3)
        return number, np.ndarray(shape, np.uint8, self._memory.buf, start + _NUMBER_BYTES)


def plain(values: Any) -> Any:
    """What JSON can carry of a camera's metadata; anything else becomes its text.

    >>> plain({"ColourGains": (1.5, 2.0), "AfState": 2})
    {'ColourGains': [1.5, 2.0], 'AfState': 2}
    """
    if isinstance(values, dict):
        return {str(name): plain(value) for name, value in values.items()}
    if isinstance(values, list | tuple):
        return [plain(value) for value in values]
    if values is None or isinstance(values, bool | int | float | str):
        return values
    return str(values)

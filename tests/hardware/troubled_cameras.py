"""Cameras with the faults seen in the field. They live in a module so that a child process can import them.

`diary` is a file that outlives the process: it counts the openings, so a camera can fail once and then recover.
"""

import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hardware.frame import CameraLost, Frame
from hardware.locks import Locks

SMALL = (48, 64, 3)
FULL = (480, 640, 3)


class GoodCamera:
    """Grey pictures; the level of the small and the full one agree."""

    name = "test"
    level = 90

    def __init__(self, diary: Path) -> None:
        self.diary = diary
        self.openings = 0

    def open(self) -> None:
        with self.diary.open("a") as diary:
            diary.write("open\n")
        self.openings = len(self.diary.read_text().splitlines())

    def small(self, timeout_s: float = 1.0) -> Frame:
        return Frame(np.full(SMALL, self.level, np.uint8), time.monotonic(), {"ExposureTime": 8000})

    def full(self, timeout_s: float = 3.0) -> Frame:
        return Frame(np.full(FULL, self.level, np.uint8), time.monotonic(), {"LensPosition": 1.25})

    def close(self) -> None:
        pass


class Locked(GoodCamera):
    """Tells in every picture's metadata what it is locked to."""

    locks: Sequence[Locks] = ()

    def lock(self, locks: Sequence[Locks]) -> None:
        self.locks = locks

    def full(self, timeout_s: float = 3.0) -> Frame:
        frame = super().full(timeout_s)
        return Frame(frame.bgr, frame.time_s, {"locks": [lock.to_json() for lock in self.locks]})


class HangsOnceInSmall(GoodCamera):
    """Frames silently cease."""

    def small(self, timeout_s: float = 1.0) -> Frame:
        if self.openings == 1:
            _forever()
        return super().small(timeout_s)


class HangsOnceInFull(GoodCamera):
    """The frontend times out during a capture, which then never returns."""

    def full(self, timeout_s: float = 3.0) -> Frame:
        if self.openings == 1:
            _forever()
        return super().full(timeout_s)


class NeverCloses(GoodCamera):
    """stop() never returns."""

    def close(self) -> None:
        _forever()


class NeverOpens(GoodCamera):
    def open(self) -> None:
        super().open()
        if self.openings == 1:
            _forever()


class Missing(GoodCamera):
    """Not plugged in at first."""

    def open(self) -> None:
        super().open()
        if self.openings <= 2:
            raise CameraLost("No camera is connected: push the cable home.")


class BreaksOnce(GoodCamera):
    """An error nobody foresaw, in the middle of the game."""

    def full(self, timeout_s: float = 3.0) -> Frame:
        if self.openings == 1:
            raise RuntimeError("dequeue buffer failed")
        return super().full(timeout_s)


class Black(GoodCamera):
    """The cap is on the lens until the diary says otherwise."""

    @property
    def level(self) -> int:  # type: ignore[override]
        return 90 if self.diary.with_suffix(".light").exists() else 2


class Enormous(GoodCamera):
    def full(self, timeout_s: float = 3.0) -> Frame:
        return Frame(np.zeros((1000, 1000, 3), np.uint8), time.monotonic())


def _forever() -> None:
    threading.Event().wait()

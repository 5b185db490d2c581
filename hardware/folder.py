"""A folder of pictures in place of a camera: each full picture is the next file, the last one stays."""

import time
from pathlib import Path

from hardware.frame import CameraLost, Frame, Picture
from hardware.shrink import shrink
from vision.picture import load_picture

SUFFIXES = frozenset({".jpg", ".jpeg", ".png"})


class FolderCamera:
    """Shows the folder's JPEG and PNG files in the order of their names.

    `small` shows the picture that the next `full` will give, so a table that is waited for becomes still first.
    """

    def __init__(self, folder: Path) -> None:
        self.name = f"folder {folder}"
        self._folder = folder
        self._files: list[Path] = []
        self._at = 0
        self._decoded: tuple[Path, Picture] | None = None

    def open(self) -> None:
        if not self._folder.is_dir():
            raise CameraLost(f"{self._folder}: there is no such folder of pictures.")
        self._files = sorted(file for file in self._folder.iterdir() if file.suffix.lower() in SUFFIXES)
        self._at = 0
        if not self._files:
            raise CameraLost(f"{self._folder}: holds no JPEG or PNG picture.")

    def small(self, timeout_s: float = 1.0) -> Frame:
        frame = self._frame()
        return Frame(shrink(frame.bgr), frame.time_s, frame.metadata)

    def full(self, timeout_s: float = 3.0) -> Frame:
        frame = self._frame()
        self._at = min(self._at + 1, len(self._files) - 1)
        return frame

    def close(self) -> None:
        self._files = []
        self._decoded = None

    def _frame(self) -> Frame:
        if not self._files:
            raise CameraLost(f"The {self.name} is not open.")
        file = self._files[self._at]
        if self._decoded is None or self._decoded[0] != file:
            try:
                self._decoded = (file, load_picture(file))
            except (ValueError, OSError) as error:
                raise CameraLost(str(error)) from error
        return Frame(self._decoded[1], time.monotonic(), {"file": str(file)})

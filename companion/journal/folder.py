"""The lock that lets only one copy of the companion write in the data folder."""

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from calibration.folder import ENV, data_folder

__all__ = ["AlreadyRunning", "Lock", "data_folder"]


class AlreadyRunning(OSError):
    """Two copies would write the same game twice, each with its own idea of whose turn it is."""


@dataclass(frozen=True)
class Lock:
    """Held from `take` to `release`, or until the process ends however it ends: the kernel lets go by itself."""

    path: Path
    _file: IO[str]

    @classmethod
    def take(cls, folder: Path) -> "Lock":
        """Raises AlreadyRunning when another process holds it, OSError when the folder cannot be written."""
        path = folder / "journal.lock"
        file = path.open("a+", encoding="utf-8")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "unknown"
            file.close()
            raise AlreadyRunning(
                f"another companion (process {holder}) is already running with {folder}: close it first, "
                f"or choose another folder with {ENV}"
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        return cls(path, file)

    def release(self) -> None:
        """The file stays: removing it could take it from under a copy that is just starting."""
        self._file.close()

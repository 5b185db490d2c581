"""A camera that shows photographs of a few turns page by page.

It knows nothing of the simulated table that they were taken of: it runs in the camera process of the product that is measured,
whose memory counts.
"""

import json
import time
from dataclasses import replace
from pathlib import Path

from hardware.frame import Frame
from vision.picture import load_picture

SMALL_PX = (640, 360)
RELIT = "relit.jpg"


class Album:
    """A camera over a table of photographs: the page of the moment, decoded anew for every full picture."""

    name = "album"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._shown = (0, "")
        self._small = Frame(load_picture(folder / small_page(page(0))), 0.0)

    def open(self) -> None:
        self._turn()

    def close(self) -> None:
        pass

    def small(self, timeout_s: float = 1.0) -> Frame:
        self._turn()
        return replace(self._small, time_s=time.monotonic())

    def full(self, timeout_s: float = 3.0) -> Frame:
        self._turn()
        return Frame(load_picture(self._folder / self._shown[1]), time.monotonic())

    def _turn(self) -> None:
        """The page lies in a file: this camera lives in another process than whoever turns it."""
        marker = self._folder / "page"
        turned_ns = marker.stat().st_mtime_ns
        if turned_ns != self._shown[0]:
            self._shown = turned_ns, marker.read_text()
            self._small = Frame(load_picture(self._folder / small_page(self._shown[1])), 0.0)


def page(number: int) -> str:
    return f"{number:03}.jpg"


def show_page(album: Path, number: int) -> None:
    """At once: the camera must not find the file empty."""
    (album / "next").write_text(page(number))
    (album / "next").replace(album / "page")


def players(album: Path) -> list[int]:
    """Who plays the turn of each page, from the first on."""
    seats: list[int] = json.loads((album / "players.json").read_text())
    return seats


def small_page(name: str) -> str:
    return f"small-{name}"

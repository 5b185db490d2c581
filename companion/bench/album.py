"""Photographs of a few turns at one table, and a camera that shows them page by page.

A page is the table after one turn; no hand is in it, the light stays and no board moves. The last one is there once more in
another light.
"""

import json
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from companion.rules import Position, sample_cards
from hardware.frame import Frame
from hardware.simulated.contents import contents
from hardware.simulated.develop import encode
from hardware.simulated.game import presses
from hardware.simulated.press import start
from hardware.simulated.record import Order, show, table
from hardware.simulated.studio import Shot, Studio
from vision.picture import load_picture

SMALL_PX = (640, 360)
RELIT = "relit.jpg"


class Album:
    """A camera over a table of photographs: the page of the moment, decoded anew for every full picture."""

    name = "album"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._shown = (0, "")
        self._small = Frame(load_picture(folder / _small(page(0))), 0.0)

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
            self._small = Frame(load_picture(self._folder / _small(self._shown[1])), 0.0)


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


def photograph(order: Order, folder: Path) -> None:
    """Fills an album with the set table and a page for each turn."""
    folder.mkdir()
    position, studio = _quiet_table(order)
    studio.lay(contents(position, studio.layout))
    _keep(folder, page(0), studio.photograph())
    seats = []
    for number, press in enumerate(islice(presses(position, studio.layout, order.seed), order.turns), 1):
        _keep(folder, page(number), show(studio, press))
        seats.append(press.player)
    studio.relight()
    _keep(folder, RELIT, studio.photograph())
    (folder / "start.json").write_text(json.dumps(position.as_seen_at_table().to_json()))
    (folder / "players.json").write_text(json.dumps(seats))


def _quiet_table(order: Order) -> tuple[Position, Studio]:
    """The start of a game and its table, where the light stays, no board is knocked and no hand lingers."""
    cards = sample_cards()
    position = start(order.seed, order.players, cards)
    studio = table(order, position, cards)
    studio.conditions = replace(studio.conditions, relit=0.0, nudged=0.0, knocked=0.0, hand=0.0)
    return position, studio


def _keep(folder: Path, name: str, shot: Shot) -> None:
    (folder / name).write_bytes(encode(shot.bgr, shot.conditions.jpeg))
    small = cv2.resize(shot.bgr, SMALL_PX, interpolation=cv2.INTER_AREA)
    (folder / _small(name)).write_bytes(encode(np.asarray(small, np.uint8), shot.conditions.jpeg))


def _small(name: str) -> str:
    return f"small-{name}"

"""Photographs of a few turns at one table, for an album.

A page is the table after one turn; no hand is in it, the light stays and no board moves. The last one is there once more in
another light.
"""

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

from companion.bench.album import RELIT, SMALL_PX, page, small_page
from companion.rules import Position, sample_cards
from hardware.simulated.contents import contents
from hardware.simulated.develop import encode
from hardware.simulated.game import presses
from hardware.simulated.press import start
from hardware.simulated.record import Order, show, table
from hardware.simulated.studio import Shot, Studio
from vision.picture import shrunk


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
    (folder / small_page(name)).write_bytes(encode(shrunk(shot.bgr, SMALL_PX), shot.conditions.jpeg))

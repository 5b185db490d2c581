"""One edition's pictures by name, drawn when first asked for.

Names: a board ("board:colony", "board:red"), a piece of a set ("diver:spy+", "contract:c04"), or a piece whose
picture also depends on its owner ("key:3@red", "xkey:X@red", "back:back@red", "hacker:hacker@red"; the neutral ones end in
"@neutral"). Cubes have colours, not pictures.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated import art_boards, art_cards, art_pieces
from hardware.simulated.canvas import Canvas
from hardware.simulated.layout import Layout
from hardware.simulated.palette import Palette, palette


def edition(at: Layout, cards: Mapping[str, Mapping[str, Any]], ppm: float) -> "Art":
    """The pictures of an edition. Those of the last one are kept: drawing takes ten seconds, and one table is often set again."""
    return _edition(at, json.dumps(cards), ppm)


@lru_cache(maxsize=1)
def _edition(at: Layout, cards: str, ppm: float) -> "Art":
    return Art(at, json.loads(cards), ppm)


class Art:
    """All pictures of one edition at `ppm` pixels per millimetre, blue first with an outline mask."""

    def __init__(self, at: Layout, cards: Mapping[str, Mapping[str, Any]], ppm: float) -> None:
        self.layout = at
        self.ppm = ppm
        self.colours: Palette = palette(at.seed)
        self.cards = cards
        self._drawn: dict[str, NDArray[Any]] = {}
        self._scaled: dict[tuple[str, float], NDArray[Any]] = {}

    def picture(self, name: str) -> NDArray[Any]:
        if name not in self._drawn:
            self._drawn[name] = self._draw(name).bgra
        return self._drawn[name]

    def scaled(self, name: str, ppm: float) -> tuple[NDArray[Any], float]:
        """The picture made small enough to be sampled at `ppm` without sparkle, and its own resolution."""
        steps = max(0, int(np.floor(np.log2(max(self.ppm / max(ppm, 0.05), 1.0)) * 2)))
        own = self.ppm / 2 ** (steps / 2)
        key = (name, own)
        if key not in self._scaled:
            full = self.picture(name)
            size = (
                max(2, round(full.shape[1] * own / self.ppm)),
                max(2, round(full.shape[0] * own / self.ppm)),
            )
            self._scaled[key] = (
                full if steps == 0 else np.asarray(cv2.resize(full, size, interpolation=cv2.INTER_AREA))
            )
        return self._scaled[key], own

    def _draw(self, name: str) -> Canvas:
        kind, _, rest = name.partition(":")
        seed, at, colours, ppm = self.layout.seed, self.layout, self.colours, self.ppm
        label, _, owner = rest.partition("@")
        match kind:
            case "board":
                if rest == "colony":
                    return art_boards.colony_board(seed, at, colours, ppm)
                return art_boards.player_board(seed, rest, at, colours, ppm)
            case "diver":
                return art_pieces.diver(seed, rest, at, colours, ppm)
            case "sponsor":
                return art_pieces.sponsor(seed, rest, at, colours, ppm)
            case "key" | "xkey":
                return art_pieces.key(seed, label, owner, at, colours, ppm)
            case "back":
                return art_pieces.key_back(seed, owner, at, colours, ppm)
            case "hacker" | "mechanic":
                return art_pieces.technician(seed, kind, owner, at, colours, ppm)
            case "reward":
                return art_pieces.reward(seed, rest, at, colours, ppm)
            case "permanent":
                return art_pieces.permanent(seed, rest, at, colours, ppm)
            case "token":
                return art_pieces.token(seed, rest, at, colours, ppm)
            case "marker":
                return art_pieces.marker(seed, rest, at, ppm)
            case "contract":
                return art_cards.contract(seed, self.cards[rest], at, colours, ppm)
            case "cardback" | "deck":
                return art_cards.back(seed, at, colours, ppm)
        raise ValueError(f"this edition has no picture called {name!r}")

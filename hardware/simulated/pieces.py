"""The pieces as bodies: outline, thickness, gloss and the colour of the cut edge."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.art_pieces import key_outline
from hardware.simulated.canvas import Bgr, disc, rounded
from hardware.simulated.contents import EMPTY, NEUTRAL_BACK, Content
from hardware.simulated.layout import Layout, Slot
from hardware.simulated.palette import mix, palette, player_colour

BOARD_THICK_MM = 2.2
CARDBOARD: Bgr = (176.0, 196.0, 206.0)  # grey board under the print


@dataclass(frozen=True)
class Body:
    """`outline_mm` is convex, clockwise, around the middle of the piece."""

    outline_mm: NDArray[Any]
    size_mm: tuple[float, float]
    thick_mm: float
    gloss: float
    edge: Bgr
    boxy: bool = False  # has flat faces that catch the light one by one


def body(picture: str, at: Layout) -> Body:
    """The body behind a picture name of `art`."""
    kind, _, label = picture.partition(":")
    match kind:
        case "board":
            size = at.size_mm(label)
            return Body(_rounded(size, 2.0), size, BOARD_THICK_MM, 0.35, CARDBOARD)
        case "diver":
            return Body(_rounded(at.diver_mm, 2.2), at.diver_mm, 1.8, 1.0, CARDBOARD)
        case "sponsor":
            return Body(_rounded(at.sponsor_mm, 1.8), at.sponsor_mm, 1.8, 0.8, CARDBOARD)
        case "key" | "xkey" | "back":
            outline = key_outline(at.seed, at.key_mm) - at.key_mm / 2
            return Body(outline, (at.key_mm, at.key_mm), 1.8, 0.6, CARDBOARD)
        case "reward" | "permanent":
            return Body(_disc(at.reward_mm), (at.reward_mm, at.reward_mm), 1.8, 0.7, CARDBOARD)
        case "hacker":
            size = (at.technician_mm[1], at.technician_mm[0])
            return Body(_rounded(size, 1.8), size, 1.8, 0.6, CARDBOARD)
        case "mechanic":
            return Body(_rounded(at.technician_mm, 1.8), at.technician_mm, 1.8, 0.6, CARDBOARD)
        case "token":
            if label == "credit":
                return Body(_disc(at.coin_mm), (at.coin_mm, at.coin_mm), 1.8, 0.6, CARDBOARD)
            return Body(_rounded(at.battery_mm, 1.4), at.battery_mm, 1.8, 0.6, CARDBOARD)
        case "marker":
            size = (at.marker_mm, at.marker_mm)
            return Body(_disc(at.marker_mm), size, 4.0, 0.3, mix(player_colour(label), (0, 0, 0), 0.25))
        case "contract" | "cardback":
            return Body(_rounded(at.card_mm, 2.6), at.card_mm, 0.4, 0.55, (235.0, 235.0, 235.0))
        case "deck":
            return Body(_rounded(at.card_mm, 2.6), at.card_mm, 9.0, 0.5, (225.0, 228.0, 230.0))
        case "cube":
            side = at.cube_mm
            return Body(
                _rounded((side, side), 0.5),
                (side, side),
                side,
                0.25,
                palette(at.seed).cubes[label],
                boxy=True,
            )
    raise ValueError(f"there is no piece called {picture!r}")


def pictures(slot: Slot, content: Content) -> tuple[tuple[str, int], ...]:
    """The pieces that make up a slot's content: picture name and place (0 except on tracks)."""
    owner = slot.board
    if isinstance(content, str):
        if slot.kind == "cubes":
            return tuple((f"cube:{letter}", 0) for letter in content)
        if content == EMPTY:
            return ()
        match slot.pieces:
            case "key":
                return ((f"key:{slot.id.rsplit('.', 1)[1]}@{owner}", 0),)
            case "back":
                return ((f"back:back@{'neutral' if content == NEUTRAL_BACK else owner}", 0),)
        return ((f"{slot.pieces}:{content}", 0),)
    if slot.kind == "track":
        suffix = "" if slot.pieces == "marker" else f"@{owner}"
        return tuple((f"{slot.pieces}:{label}{suffix}", place) for label, place in content.items())
    named = {"X": f"xkey:X@{owner}", "N": "xkey:N@neutral"}
    return tuple(
        (named.get(label, f"{slot.pieces}:{label}"), 0)
        for label, count in content.items()
        for _ in range(count)
    )


def piece_name(picture: str) -> str:
    """The name `set:label` that enrol.toml gives a loose piece: `key:3@red` is a `key:key`."""
    kind, _, label = picture.partition(":")
    label = label.partition("@")[0]
    return f"{kind}:{'key' if kind == 'key' else label}"


def _rounded(size: tuple[float, float], radius: float) -> NDArray[Any]:
    return rounded((-size[0] / 2, -size[1] / 2, *size), radius, count=4)


def _disc(size: float) -> NDArray[Any]:
    return np.asarray(disc((0, 0), size / 2, 32))

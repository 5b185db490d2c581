"""Cubes are solid: one is put where none stands yet, and where there is no room the others are pushed together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardware.simulated.layout import Rect

_TRIES = 60  # spots tried, as the cube lies in the hand, before the others are pushed together
_STRAIGHT_DEG = 2.0  # cubes pushed together by fingers stand in rows


@dataclass(frozen=True)
class Stand:
    """Where a cube stands and how it is turned."""

    x_mm: float
    y_mm: float
    turn_deg: float


def stand(
    rect: Rect, side_mm: float, turn_deg: float, others: Sequence[Stand], rng: np.random.Generator
) -> Stand | None:
    """Somewhere wholly in the rectangle, clear of the cubes that stand there; None where no spot was found."""
    x, y, width, height = rect
    turned = np.deg2rad(turn_deg)
    reach = side_mm / 2 * float(abs(np.cos(turned)) + abs(np.sin(turned)))
    for _ in range(_TRIES):
        spot = Stand(
            float(rng.uniform(x + min(reach, width / 2), x + width - min(reach, width / 2))),
            float(rng.uniform(y + min(reach, height / 2), y + height - min(reach, height / 2))),
            turn_deg,
        )
        if not any(meet(spot, other, side_mm) for other in others):
            return spot
    return None


def pushed_together(rect: Rect, side_mm: float, count: int, rng: np.random.Generator) -> list[Stand]:
    """As many cubes in rows, nearly touching, in the middle of the rectangle or a little over its rim."""
    x, y, width, height = rect
    # Two cubes turned by a few degrees each need this much from middle to middle.
    pitch = side_mm * (np.cos(np.deg2rad(4)) + np.sin(np.deg2rad(4)))
    across = max(1, min(count, int(width / pitch)))
    down = -(-count // across)
    slack = np.maximum((width - across * pitch, height - down * pitch), 0) / 2
    shift = rng.uniform(-slack, slack)
    return [
        Stand(
            float(x + width / 2 + shift[0] + (i % across - (across - 1) / 2) * pitch),
            float(y + height / 2 + shift[1] + (i // across - (down - 1) / 2) * pitch),
            float(np.clip(rng.normal(0, _STRAIGHT_DEG), -2 * _STRAIGHT_DEG, 2 * _STRAIGHT_DEG)),
        )
        for i in range(count)
    ]


def meet(one: Stand, other: Stand, side_mm: float) -> bool:
    """Whether two cubes of this width would stand in each other: no line along a side parts them."""
    between = np.array((other.x_mm - one.x_mm, other.y_mm - one.y_mm))
    turned = np.deg2rad(other.turn_deg - one.turn_deg)
    # Across a side of one, the other reaches as far as its corners do.
    reach = side_mm / 2 * (1 + abs(np.cos(turned)) + abs(np.sin(turned)))
    for turn_deg in (one.turn_deg, other.turn_deg):
        a = np.deg2rad(turn_deg)
        along = between @ np.array(((np.cos(a), -np.sin(a)), (np.sin(a), np.cos(a))))
        if np.abs(along).max() >= reach:
            return False
    return True

"""Which slots cannot be read: covered by a hand, washed out, or not in the picture. Skin has no colour here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pack import Board, Rect
from vision.read.light import SETTINGS as LIGHT
from vision.read.light import Light
from vision.read.pixels import log, strongest
from vision.reading import EMPTY

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class HiddenSettings:
    reach_mm: float = 14.0  # of print around a slot that a hand over it would cover too
    foreign: float = 0.3  # log units: print that looks this different is not seen
    covered: float = 0.55  # share of foreign print around a slot that covers it
    half_covered: float = 0.25  # share with which a slot in which nothing is recognised counts as covered
    touched: float = (
        0.12  # share with which a place beside the board that is unlike the table counts as covered
    )
    least_px: int = 4  # fewer pixels of print around say nothing
    strange: float = 0.5
    cloth: float = 0.25  # share of an area that shows neither print nor cubes: something lies over it
    table: float = 0.4  # log units: a place beside the board unlike the table is not bare table
    least_tables: int = 4
    nats: float = -2.0  # log-density of the print below which a pixel does not show it, in any shadow
    dim_nats: float = 4.5  # by which print in a shadow is less likely than print in light
    wholly: float = 0.8  # share of a place without print in light that may hide a marker
    # Probability of a marker's place from which it is not looked for under a cloth, and of a piece that is plainly seen.
    found: float = 0.9


SETTINGS = HiddenSettings()


def foreign_print(
    reference: NDArray[np.uint8], current: NDArray[np.uint8], light: Light, board: Board
) -> Floats:
    """For each pixel of the small board picture, 1 where the print is not to be seen."""
    whole = 0.0, 0.0, *board.size_mm
    factors = light.over(whole, (current.shape[1], current.shape[0]))
    expected = light.on_print(whole, reference.astype(np.float32))
    offset = LIGHT.offset
    off = strongest(np.abs(log(np.asarray((current / factors + offset) / (expected + offset), np.float32))))
    return np.asarray(off > SETTINGS.foreign, np.float32)


def foreign_share(ground: Floats) -> float:
    """How much of an area, from its log-density of print, does not show it."""
    return float((ground < SETTINGS.nats).mean())


def may_hide(grounds: Iterable[Floats], likely: float) -> bool:
    """Whether one of the places shows next to nothing of its print, which is as `likely` in light."""
    return any(float((one < likely - SETTINGS.dim_nats).mean()) > SETTINGS.wholly for one in grounds)


def covered_shares(foreign: Floats, free: NDArray[np.bool_], rects_mm: Sequence[Rect]) -> Floats:
    """How much of the free print around each rectangle is foreign; 0 where too little print is near."""
    x, y, width, height = np.array(rects_mm, np.float64).reshape(-1, 4).T
    r, scale = SETTINGS.reach_mm, LIGHT.px_per_mm
    rows, columns = free.shape
    left, right = (np.clip(np.rint(v * scale), 0, columns).astype(int) for v in (x - r, x + width + r))
    top, bottom = (np.clip(np.rint(v * scale), 0, rows).astype(int) for v in (y - r, y + height + r))

    def within(mask: NDArray[np.bool_]) -> NDArray[np.int32]:
        sums = np.asarray(cv2.integral(mask.astype(np.uint8)), np.int32)
        total: NDArray[np.int32] = (
            sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
        )
        return total

    print_px = within(free)
    shares = within(free & (foreign > 0)) / np.maximum(print_px, 1)
    return np.where(print_px < SETTINGS.least_px, 0.0, shares).astype(np.float32)


def hides(covered: float, tile: Mapping[str, float]) -> bool:
    """Whether what covers the print around a tile's place hides it too: not where a piece is plainly seen.

    A lamp mirrored in the varnish beside a key leaves the key; under a hand nothing looks like one.
    """
    piece = max((p for label, p in tile.items() if label != EMPTY), default=0.0)
    return covered >= SETTINGS.covered and piece < SETTINGS.found


def unlike_table(tones: Mapping[str, Floats]) -> set[str]:
    """Of places beside boards that look bare, those whose colour is not the table's."""
    if len(tones) < SETTINGS.least_tables:
        return set()
    usual = np.median(np.stack(list(tones.values())), axis=0)
    return {slot for slot, tone in tones.items() if np.abs(tone - usual).max() > SETTINGS.table}


def all_bare(places: Floats) -> bool:
    """Whether places on one stretch of the table (N x height x width x 3, light evened) may all be bare: none is unlike the others."""
    usual = np.median(places.reshape(len(places), -1, 3), axis=1)
    tones = log(np.asarray(usual + LIGHT.offset, np.float32))
    return not unlike_table({str(i): tone for i, tone in enumerate(tones)})


def changed_alone(changes: Mapping[str, Floats]) -> set[str]:
    """Of places beside boards, those whose colour changed as that of the others did not: a cloth, not the light."""
    if not changes:
        return set()
    enough = len(changes) >= SETTINGS.least_tables
    usual = np.median(np.stack(list(changes.values())), axis=0) if enough else np.zeros(3)
    return {slot for slot, change in changes.items() if np.abs(change - usual).max() > SETTINGS.table}

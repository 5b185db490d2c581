"""What was read before and looks the same now need not be read again: a turn changes few places of a table."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pack import Slot
from vision.read.cuts import SHEET_PX_PER_MM, Scene
from vision.read.features import logs

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class MemorySettings:
    shrink: int = 2  # of the sheet: about a pixel a millimetre, finer than the print that tells pieces apart
    blur_px: int = 3  # a trembling camera shifts edges by less than this
    # Log units by which no pixel may differ. Noise and the light's own error stay below it; the smallest
    # piece that comes, goes or turns over changes some pixel by several times as much.
    same: float = 0.12
    around_mm: float = 3.0  # pieces may stick out of their slots


SETTINGS = MemorySettings()


@dataclass(frozen=True)
class Content:
    """What was read in one slot: a tile or counts, or neither; and how strange it looked."""

    tile: Mapping[str, float] | None = None
    counts: Mapping[str, Mapping[int, float]] | None = None
    strange: float = 0.0


@dataclass
class Memory:
    """Slots as they looked when they were last read, and what was read. Drift adds up to a new reading."""

    _slots: dict[str, tuple[Floats, Content]] = field(default_factory=dict)

    def recall(self, looks: Mapping[str, Floats]) -> dict[str, Content]:
        """The contents of those slots that look as they did."""
        return {
            slot: self._slots[slot][1]
            for slot, look in looks.items()
            if slot in self._slots and _same(self._slots[slot][0], look)
        }

    def keep(self, looks: Mapping[str, Floats], contents: Mapping[str, Content]) -> None:
        for slot, content in contents.items():
            self._slots[slot] = looks[slot].copy(), content


def looks(seen: Scene, slots: Iterable[Slot]) -> dict[str, Floats]:
    """Pixels of slots and their surroundings, light evened, to be compared one by one: N x 3 for each slot."""
    boards: dict[str, Floats] = {}
    result = {}
    for slot in slots:
        if slot.board not in boards:
            boards[slot.board] = _small(seen, slot.board)
        boxes = _boxes(slot, seen.sheet(slot.board).origin_mm)
        parts = [boards[slot.board][box].reshape(-1, 3) for box in boxes]
        result[slot.id] = np.concatenate(parts) if len(parts) > 1 else parts[0]
    return result


def _small(seen: Scene, board: str) -> Floats:
    picture = seen.sheet(board).picture
    s = SETTINGS
    size = picture.shape[1] // s.shrink, picture.shape[0] // s.shrink
    whole = picture[: size[1] * s.shrink, : size[0] * s.shrink]
    small = cv2.blur(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), (s.blur_px, s.blur_px))
    px_per_mm = SHEET_PX_PER_MM / s.shrink
    rect = (*seen.sheet(board).origin_mm, size[0] / px_per_mm, size[1] / px_per_mm)
    return logs(np.asarray(small / seen.lights[board].over(rect, size), np.float32))


@lru_cache(maxsize=4096)
def _boxes(slot: Slot, origin_mm: tuple[float, float]) -> list[tuple[slice, slice]]:
    """Rows and columns of what a slot's pieces may cover, place by place."""
    scale, reach = SHEET_PX_PER_MM / SETTINGS.shrink, SETTINGS.around_mm
    boxes = []
    for x, y, width, height in slot.rects_mm:
        columns, rows = (
            slice(max(0, round((low - reach) * scale)), max(0, round((low + side + reach) * scale)))
            for low, side in ((x - origin_mm[0], width), (y - origin_mm[1], height))
        )
        boxes.append((rows, columns))
    return boxes


def _same(one: Floats, other: Floats) -> bool:
    return one.shape == other.shape and cv2.norm(one, other, cv2.NORM_INF) < SETTINGS.same

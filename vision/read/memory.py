"""What was read before and looks the same now need not be read again: a turn changes few places of a table."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pack import Slot
from vision.read.again import Lie
from vision.read.cuts import SHEET_PX_PER_MM, Scene
from vision.read.features import logs
from vision.read.pixels import median_colour, resized

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]
Box = tuple[slice, slice]


@dataclass(frozen=True)
class MemorySettings:
    # Log camera values are compared as bytes, a quarter of the memory and of the time: from black to print twice as
    # bright as full light, in steps far finer than what counts as the same.
    lowest: float = 2.4
    step: float = 0.015
    blur_px: int = 3  # a trembling camera shifts edges by less than this
    light_px: int = 4  # light is so smooth that it is worked out for every so many pixels only
    # Log units by which no pixel may be brighter or darker than all it was surrounded by. Noise and the light's own
    # error stay below it; the smallest piece that comes, goes or turns over changes some pixel several times as much.
    same: float = 0.12
    # ... and the standard deviation of how much brighter or darker each colour has become. Where print is busy, the bounds
    # above are wide: a token whose picture was half that of the one before stayed within them. It came to 0.067, slots
    # that were left alone to 0.027; another light alone changes all pixels alike.
    uneven: float = 0.035
    around_mm: float = 3.0  # pieces may stick out of their slots
    # A reading less sure than this is made once more, though the slot looks the same: another picture, other noise.
    sure: float = 0.9


SETTINGS = MemorySettings()
# Half a sheet's: finer than the print that tells pieces apart.
PX_PER_MM = SHEET_PX_PER_MM / 2


@dataclass(frozen=True)
class Content:
    """What was read in one slot: a tile or counts, or neither; and how strange it looked."""

    tile: Mapping[str, float] | None = None
    counts: Mapping[str, Mapping[int, float]] | None = None
    strange: float = 0.0
    lie: Lie | None = None  # how a tile, or the marker of a track, lay
    far: float | None = None  # of a tile that was found, the distance from the taught picture nearest to it

    @property
    def sure(self) -> float:
        """The probability of what is likeliest, of the label most in doubt."""
        likeliest = [max(numbers.values(), default=0.0) for numbers in (self.counts or {}).values()]
        if self.tile is not None:
            likeliest.append(max(self.tile.values(), default=0.0))
        return min(likeliest, default=1.0)


@dataclass(frozen=True)
class _Kept:
    """A slot as it was read: its pixels, the least and the most they may show to be the same, and what it held."""

    pixels: Bytes
    darkest: Bytes
    brightest: Bytes
    content: Content
    settled: bool

    def looks(self, now: Bytes) -> bool:
        if now.shape != self.pixels.shape:
            return False
        change = cv2.subtract(now, self.pixels, dtype=cv2.CV_16S).reshape(-1, 1, 3)
        spread = cv2.meanStdDev(change)[1]
        if float(np.vdot(spread, spread)) > len(spread) * (SETTINGS.uneven / SETTINGS.step) ** 2:
            return False
        return cv2.countNonZero(cv2.inRange(now, self.darkest, self.brightest)) == now.size


@dataclass
class Memory:
    """Slots as they looked when they were last read, and what was read. Drift adds up to a new reading."""

    _slots: dict[str, _Kept] = field(default_factory=dict)

    def recall(self, looks: "Looks") -> dict[str, Content]:
        """The contents of those slots that look as they did and were read beyond doubt, or twice."""
        return {
            slot: kept.content
            for slot, kept in self._slots.items()
            if kept.settled and slot in looks and kept.looks(looks[slot])
        }

    def lying(self, slots: Iterable[str]) -> dict[str, Content]:
        """The contents of those slots that held a tile, a marker or nothing beyond doubt, and how it lay."""
        kept = {slot: self._slots[slot].content for slot in slots if slot in self._slots}
        return {slot: one for slot, one in kept.items() if one.lie is not None and one.sure >= SETTINGS.sure}

    def tone(self, slot: str) -> Floats | None:
        """The usual colour of a slot when it was last read."""
        kept = self._slots.get(slot)
        return None if kept is None else (tone(kept.darkest) + tone(kept.brightest)) * np.float32(0.5)

    def keep(self, looks: "Looks", contents: Mapping[str, Content]) -> None:
        for slot, content in contents.items():
            before = self._slots.get(slot)
            again = before is not None and not before.settled and before.looks(looks[slot])
            settled = again or content.sure >= SETTINGS.sure
            self._slots[slot] = _Kept(looks[slot], *looks.bounds(slot), content, settled)


def tone(pixels: Bytes) -> Floats:
    """The usual colour of a slot's pixels, as log camera values."""
    return np.asarray(median_colour(pixels) * SETTINGS.step + SETTINGS.lowest, np.float32)


class Looks(Mapping[str, Bytes]):
    """Pixels of slots and their surroundings, light evened: N x 3 for each slot."""

    def __init__(self, boards: Mapping[str, Bytes], slots: Mapping[str, tuple[str, list[Box]]]) -> None:
        self._boards = boards
        self._slots = slots
        self._bounds: dict[str, tuple[Bytes, Bytes]] = {}

    def __getitem__(self, slot: str) -> Bytes:
        board, boxes = self._slots[slot]
        return _cut(self._boards[board], boxes)

    def __contains__(self, slot: object) -> bool:
        return slot in self._slots

    def __iter__(self) -> Iterator[str]:
        return iter(self._slots)

    def __len__(self) -> int:
        return len(self._slots)

    def bounds(self, slot: str) -> tuple[Bytes, Bytes]:
        """The least and the most that the same slot may show later, when edges have moved by half a pixel."""
        board, boxes = self._slots[slot]
        if board not in self._bounds:
            nearby = np.ones((3, 3), np.uint8)
            steps = np.full(3, round(SETTINGS.same / SETTINGS.step), np.float64)
            # OpenCV stops at black and white, where numpy would go round.
            darkest = cv2.subtract(cv2.erode(self._boards[board], nearby), steps)
            brightest = cv2.add(cv2.dilate(self._boards[board], nearby), steps)
            self._bounds[board] = np.asarray(darkest, np.uint8), np.asarray(brightest, np.uint8)
        darkest, brightest = self._bounds[board]
        return _cut(darkest, boxes), _cut(brightest, boxes)


def looks(seen: Scene, slots: Iterable[Slot]) -> Looks:
    """How slots look now, to be compared pixel by pixel."""
    places = {slot.id: (slot.board, _boxes(slot, seen.sheet(slot.board).origin_mm)) for slot in slots}
    boards = {board for board, _ in places.values()}
    return Looks({board: _small(seen, board) for board in boards}, places)


def _cut(picture: Bytes, boxes: list[Box]) -> Bytes:
    parts = [picture[box].reshape(-1, 3) for box in boxes]
    return np.concatenate(parts) if len(parts) > 1 else parts[0]


def _small(seen: Scene, board: str) -> Bytes:
    half = seen.sheet(board).half
    s = SETTINGS
    size = half.shape[1], half.shape[0]
    small = cv2.blur(half, (s.blur_px, s.blur_px))
    rect = (*seen.sheet(board).origin_mm, size[0] / PX_PER_MM, size[1] / PX_PER_MM)
    coarse = max(2, size[0] // s.light_px), max(2, size[1] // s.light_px)
    light = resized(seen.lights[board].over(rect, coarse), size)
    values = logs(np.asarray(small / light, np.float32))
    return np.asarray(cv2.convertScaleAbs(values, None, 1 / s.step, -s.lowest / s.step), np.uint8)


@lru_cache(maxsize=4096)
def _boxes(slot: Slot, origin_mm: tuple[float, float]) -> list[Box]:
    """Rows and columns of what a slot's pieces may cover, place by place."""
    scale, reach = PX_PER_MM, SETTINGS.around_mm
    boxes = []
    for x, y, width, height in slot.rects_mm:
        columns, rows = (
            slice(max(0, round((low - reach) * scale)), max(0, round((low + side + reach) * scale)))
            for low, side in ((x - origin_mm[0], width), (y - origin_mm[1], height))
        )
        boxes.append((rows, columns))
    return boxes

"""What the camera saw, as plain values: a probability for every label of every slot.

Vision fills it in, the referee weighs it. Nothing here decides what lies on the table.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

EMPTY = "empty"
# No reading is ever certain: one slot must not be able to veto every legal turn by itself.
FLOOR = 1e-6


@dataclass(frozen=True)
class BoardSeen:
    """Where a board lies: its corners in full-frame pixels, clockwise from its own top left."""

    found: bool
    corners_px: tuple[tuple[float, float], ...] = ()
    sure: float = 1.0


@dataclass(frozen=True)
class Reading:
    """One look at the table.

    `tiles` holds slots with one piece or none: label -> probability, "empty" included.
    `counts` holds slots of kind cubes, track and count: label -> number -> probability, where the number
    is how many (cubes, count) or which place (track; an absent marker has place -1).
    `hidden` slots say nothing: they stand in neither of the two.
    """

    boards: Mapping[str, BoardSeen]
    tiles: Mapping[str, Mapping[str, float]]
    counts: Mapping[str, Mapping[str, Mapping[int, float]]]
    hidden: frozenset[str] = frozenset()
    ms: Mapping[str, float] = field(default_factory=dict)

    def log_p(self, slot: str, label: str, number: int | None = None) -> float:
        """Log-probability that `slot` shows `label` (or `number` of it). Hidden and unknown slots say nothing.

        A label the reading gives no figure for gets the floor.
        """
        if number is None:
            seen = self.tiles.get(slot)
            return 0.0 if seen is None else math.log(max(seen.get(label, 0.0), FLOOR))
        numbers = self.counts.get(slot, {}).get(label)
        return 0.0 if numbers is None else math.log(max(numbers.get(number, 0.0), FLOOR))

    def best(self, slot: str) -> str | dict[str, int] | None:
        """The likeliest content of a slot, None when hidden."""
        if slot in self.tiles:
            return max(self.tiles[slot].items(), key=lambda item: item[1])[0]
        if slot in self.counts:
            return {
                label: max(numbers.items(), key=lambda item: item[1])[0]
                for label, numbers in self.counts[slot].items()
            }
        return None

    def to_json(self) -> dict[str, Any]:
        """The document of `look --json`, less the file name. Probabilities below 0.001 are left out."""
        slots: dict[str, Any] = {
            slot: _rounded(labels) or {max(labels, key=labels.__getitem__): 1.0}
            for slot, labels in self.tiles.items()
        }
        for slot, labels in self.counts.items():
            slots[slot] = {
                label: {str(number): p for number, p in _rounded(numbers).items()}
                for label, numbers in labels.items()
            }
        return {
            "boards": {
                name: {
                    "found": seen.found,
                    "corners_px": [[round(x, 2), round(y, 2)] for x, y in seen.corners_px],
                }
                for name, seen in self.boards.items()
            },
            "slots": slots,
            "hidden": sorted(self.hidden),
            "ms": {stage: round(ms, 1) for stage, ms in self.ms.items()},
        }

    @classmethod
    def from_json(cls, doc: Mapping[str, Any]) -> "Reading":
        """Reads the document back; a slot whose values are numbers is a tile."""
        tiles: dict[str, dict[str, float]] = {}
        counts: dict[str, dict[str, dict[int, float]]] = {}
        for slot, labels in doc["slots"].items():
            if all(isinstance(p, int | float) for p in labels.values()):
                tiles[slot] = {str(label): float(p) for label, p in labels.items()}
            else:
                counts[slot] = {
                    str(label): {int(number): float(p) for number, p in numbers.items()}
                    for label, numbers in labels.items()
                }
        boards = {
            name: BoardSeen(bool(seen["found"]), tuple((float(x), float(y)) for x, y in seen["corners_px"]))
            for name, seen in doc["boards"].items()
        }
        return cls(boards, tiles, counts, frozenset(doc["hidden"]), dict(doc.get("ms", {})))


def _rounded(ps: Mapping[Any, float]) -> dict[Any, float]:
    return {key: round(p, 4) for key, p in sorted(ps.items(), key=lambda item: -item[1]) if p >= 0.001}

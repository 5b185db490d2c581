"""What is really there, for truth.jsonl: labels, board corners, and which slots nobody could read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrange import Placed
from hardware.simulated.contents import Content, label
from hardware.simulated.layout import Layout, Slot
from hardware.simulated.pieces import BOARD_THICK_MM
from hardware.simulated.stage import Pose, Rig, corners, on_table

HIDDEN_SHARE = 0.25  # a slot covered by more than this is hidden, by less it is partial
PARTIAL_SHARE = 0.02
WASHED_SHARE = 0.35  # a tile burnt out over more than this part of its face cannot be told apart
_COARSE = 4  # coverage is measured on every fourth pixel


@dataclass(frozen=True)
class Truth:
    """One frame's truth. `displaced` slots have lost their piece to a knocked board; `washed` ones burn out in glare."""

    slots: Mapping[str, Content]
    boards: Mapping[str, NDArray[Any]]
    hidden: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()
    washed: tuple[str, ...] = ()
    displaced: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "slots": {slot: label(content) for slot, content in self.slots.items()},
            "hidden": list(self.hidden),
            "partial": list(self.partial),
            "washed": list(self.washed),
            "displaced": list(self.displaced),
            "boards": {
                name: [[round(float(x), 2), round(float(y), 2)] for x, y in points]
                for name, points in self.boards.items()
            },
        }


@dataclass(frozen=True)
class Covers:
    """What keeps the camera from seeing: masks of the frame, 255 where something is in the way or burnt out."""

    in_the_way: NDArray[Any] | None = None
    burnt: NDArray[Any] | None = None


def truth(
    at: Layout,
    held: Mapping[str, Content],
    poses: Mapping[str, Pose],
    placed: Sequence[Placed],
    rig: Rig,
    covers: Covers,
) -> Truth:
    """The truth about one frame. `held` is what lies in every slot, displaced pieces counted where they belong."""
    boards = {
        board: rig.seen(on_table(at, board, pose, corners(at, board)), BOARD_THICK_MM)
        for board, pose in poses.items()
    }
    displaced = tuple(
        slot.id
        for slot in at.slots
        if any(piece.slot == slot.id and piece.board != slot.board for piece in placed)
    )
    hidden, partial, washed = [], [], []
    for slot in at.slots:
        share = _covered(at, slot, held[slot.id], poses, rig, covers.in_the_way)
        if share > HIDDEN_SHARE:
            hidden.append(slot.id)
        elif share > PARTIAL_SHARE:
            partial.append(slot.id)
        if _covered(at, slot, held[slot.id], poses, rig, covers.burnt) > WASHED_SHARE:
            washed.append(slot.id)
    return Truth(dict(held), boards, tuple(hidden), tuple(partial), tuple(washed), displaced)


def _covered(
    at: Layout,
    slot: Slot,
    content: Content,
    poses: Mapping[str, Pose],
    rig: Rig,
    mask: NDArray[Any] | None,
) -> float:
    """The largest share of the slot that is covered; of a track, at the places where its markers stand."""
    if mask is None:
        return 0.0
    areas = slot.areas()
    if slot.kind == "track":
        standing = {int(place) for place in content.values()} if isinstance(content, dict) else set()
        areas = tuple(areas[place] for place in sorted(standing))
    worst = 0.0
    for x, y, width, height in areas:
        rect = np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
        seen = rig.seen(on_table(at, slot.board, poses[slot.board], rect), BOARD_THICK_MM) / _COARSE
        low = np.floor(seen.min(axis=0)).astype(int)
        size = np.ceil(seen.max(axis=0)).astype(int) - low + 1
        inside = np.zeros((size[1], size[0]), np.uint8)
        cv2.fillConvexPoly(inside, np.round(seen - low).astype(np.int32), 1)
        y0, x0 = max(0, -low[1]), max(0, -low[0])
        part = mask[max(0, low[1]) : low[1] + size[1], max(0, low[0]) : low[0] + size[0]]
        cut = inside[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]]
        total = int(cut.sum())
        if total:
            worst = max(worst, float((cut * (part > 127)).sum()) / total)
    return worst


def coarse(mask: NDArray[Any]) -> NDArray[Any]:
    """A mask of the frame at the resolution in which coverage is measured."""
    return np.asarray(
        cv2.resize(
            mask, (mask.shape[1] // _COARSE + 1, mask.shape[0] // _COARSE + 1), interpolation=cv2.INTER_AREA
        )
    )

"""The bare board, put together from photographs in which pieces lie: what one covers, another shows.

Nobody need clear the table: a slot that is said to be empty in some photograph is known bare from there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrolment import Photo, is_bare
from vision.fix import Located, homography
from vision.pack import Pack, Rect, Slot
from vision.read.cuts import backgrounds, ground
from vision.read.light import Light, measure
from vision.rectify import Picture, Scale, crop

# Pieces overhang their slots, and their shadows a little more.
OVERHANG_MM = 1.5
# A patch is drawn finer than any camera sees a table, so that it is not blurred on its way.
PATCH_PX_PER_MM = 4.0
# Pixels around a piece from which the print under it is guessed, where no photograph shows it.
GUESS_PX = 5.0


@dataclass(frozen=True, eq=False)
class Bare:
    """A photograph as if its pieces had been taken away. `unseen` are slots that no photograph shows bare."""

    photo: Photo
    picture: Picture
    unseen: frozenset[str]


def barest_first(photos: Sequence[Photo]) -> list[Photo]:
    """Bare photographs first, then those with the fewest pieces."""
    return sorted(
        photos, key=lambda p: (not p.empty, sum(not is_bare(content) for content in p.slots.values()))
    )


def bared(
    pack: Pack, photos: Sequence[Photo], pictures: Mapping[Path, Picture], places: Mapping[Path, Located]
) -> list[Bare]:
    """For the boards of which no bare photograph exists, the photographs with their corners, cleared of pieces."""
    lacking = [
        board for board in pack.boards if not any(p.empty and board in places[p.path].fixes for p in photos)
    ]
    bases: dict[Path, list[str]] = {}
    for board in lacking:
        base = next((p for p in barest_first(photos) if board in p.corners_px), None)
        if base is not None:
            bases.setdefault(base.path, []).append(board)
    by_path = {photo.path: photo for photo in photos}
    return [_cleared(pack, by_path[path], boards, photos, pictures, places) for path, boards in bases.items()]


def _cleared(
    pack: Pack,
    base: Photo,
    boards: list[str],
    photos: Sequence[Photo],
    pictures: Mapping[Path, Picture],
    places: Mapping[Path, Located],
) -> Bare:
    picture = pictures[base.path].copy()
    guessed = np.zeros(picture.shape[:2], np.uint8)
    free = backgrounds(pack)
    unseen = set()
    for board in boards:
        lights: dict[Path, Light] = {}
        here = ground(pictures[base.path], places[base.path], pack.boards[board])
        for slot in pack.slots_of(board):
            content = base.slots.get(slot.id)
            if content is not None and is_bare(content):
                continue
            donor = _donor(pack, slot, board, photos, places)
            corners = [_corners_px(places[base.path], board, _wide(rect)) for rect in slot.rects_mm]
            if donor is None:
                unseen.add(slot.id)
                if content is not None:
                    for quad in corners:
                        cv2.fillConvexPoly(guessed, np.rint(quad).astype(np.int32), 255)
                continue
            if donor.path not in lights:
                there = ground(pictures[donor.path], places[donor.path], pack.boards[board])
                lights[donor.path] = measure(here, there, free[board])
            for rect, quad in zip(slot.rects_mm, corners, strict=True):
                patch = _patch(pictures[donor.path], places[donor.path], board, rect, lights[donor.path])
                _lay(picture, patch, quad)
    if guessed.any():
        picture = np.asarray(cv2.inpaint(picture, guessed, GUESS_PX, cv2.INPAINT_TELEA), np.uint8)
    corners_px = {board: base.corners_px[board] for board in boards}
    path = base.path.with_name(f"{base.path.name} without its pieces")
    return Bare(
        replace(base, path=path, empty=True, corners_px=corners_px, slots={}, loose=()),
        picture,
        frozenset(unseen),
    )


def _donor(
    pack: Pack, slot: Slot, board: str, photos: Sequence[Photo], places: Mapping[Path, Located]
) -> Photo | None:
    """The photograph that shows a slot bare, best with nothing beside it that throws a shadow there."""
    showing = [
        photo
        for photo in photos
        if board in places[photo.path].fixes and slot.id in photo.slots and is_bare(photo.slots[slot.id])
    ]
    beside = [other.id for other in pack.slots_of(board) if _near(other, slot)]
    return min(showing, key=lambda p: sum(not is_bare(p.slots.get(s, {})) for s in beside), default=None)


def _near(one: Slot, other: Slot) -> bool:
    return any(_touch(_wide(a), _wide(b)) for a in one.rects_mm for b in other.rects_mm)


def _touch(a: Rect, b: Rect) -> bool:
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


def _wide(rect_mm: Rect) -> Rect:
    x, y, width, height = rect_mm
    return x - OVERHANG_MM, y - OVERHANG_MM, width + 2 * OVERHANG_MM, height + 2 * OVERHANG_MM


def _corners_px(located: Located, board: str, rect_mm: Rect) -> NDArray[np.float64]:
    x, y, width, height = rect_mm
    return located.mm_to_px(board, [(x, y), (x + width, y), (x + width, y + height), (x, y + height)])


def _patch(picture: Picture, located: Located, board: str, rect_mm: Rect, light: Light) -> Picture:
    """What a photograph shows of a rectangle, in the light of the one it is laid into."""
    rect = _wide(rect_mm)
    seen = crop(picture, located, board, rect, Scale(PATCH_PX_PER_MM))
    factors = light.over(rect, (seen.shape[1], seen.shape[0]))
    return np.clip(seen / factors, 0, 255).astype(np.uint8)


def _lay(picture: Picture, patch: Picture, corners_px: NDArray[np.float64]) -> None:
    rows, columns = patch.shape[:2]
    outer = [(-0.5, -0.5), (columns - 0.5, -0.5), (columns - 0.5, rows - 0.5), (-0.5, rows - 0.5)]
    matrix = homography(outer, corners_px)
    size = picture.shape[1], picture.shape[0]
    cover = cv2.warpPerspective(np.full(patch.shape[:2], 255, np.uint8), matrix, size)
    laid = cv2.warpPerspective(patch, matrix, size)
    picture[cover > 127] = laid[cover > 127]

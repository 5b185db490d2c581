"""Slots that nobody listed: whoever writes down where pieces lie leaves the bare places out.

On a board that no photograph is said to show bare, a slot that was not listed is taken to be bare if it looks like none of the
pieces that were, or far more like others not listed. What looks like a piece may be one nobody wrote down: of that slot nothing
is known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.enrolment import Photo, is_bare
from vision.fix import Located
from vision.pack import Kind, Pack, Slot
from vision.read.features import logs
from vision.read.pixels import resized
from vision.reading import EMPTY
from vision.rectify import Picture, Scale, crop

Floats = NDArray[np.float32]
LOOK_PX = (6, 6)  # enough to tell a piece from print, too few to tell letters apart
PX_PER_MM = 2.0
LEAST_PIECES = 4  # fewer do not show how much pieces differ among themselves
# Times as far from every piece as the oddest of them is from its like. Most bare squares of photographed word games lie four to
# twenty times as far, pink ones little more than once.
APART = 2.0
# But squares of one print are much alike, and pieces of one label never so much more than pieces of two.
PEERS = 3
NEARER = 4.0  # times as near to so many slots that were not listed as to any piece


def supposed_bare(
    pack: Pack, photos: Sequence[Photo], pictures: Mapping[Path, Picture], places: Mapping[Path, Located]
) -> list[Photo]:
    """The photographs, with tile slots that were not listed said to be empty where they look so."""
    untold = {board for board in pack.boards if not any(_tells_bare(pack, board, photo) for photo in photos)}
    groups: dict[tuple[str, str], list[Slot]] = {}
    for slot in pack.slots.values():
        if slot.kind is Kind.TILE and slot.board in untold:
            groups.setdefault((slot.board, slot.pieces), []).append(slot)
    result = []
    for photo in photos:
        bare: dict[str, str] = {}
        for (board, _), slots in groups.items():
            if board in places[photo.path].fixes:
                bare |= _unlike_pieces(photo, slots, pictures[photo.path], places[photo.path])
        result.append(replace(photo, slots={**photo.slots, **bare}) if bare else photo)
    return result


def _tells_bare(pack: Pack, board: str, photo: Photo) -> bool:
    """Whether a photograph is said to show any slot of a board bare."""
    return photo.empty or any(
        pack.slots[slot].board == board and is_bare(content) for slot, content in photo.slots.items()
    )


def _unlike_pieces(photo: Photo, slots: list[Slot], picture: Picture, located: Located) -> dict[str, str]:
    listed = [slot for slot in slots if slot.id in photo.slots]
    others = [slot for slot in slots if slot.id not in photo.slots]
    if len(listed) < LEAST_PIECES or not others:
        return {}
    pieces = np.stack([_look(picture, located, slot) for slot in listed])
    between = _apart(pieces, pieces)
    np.fill_diagonal(between, np.inf)
    oddest = between.min(axis=1).max()
    looks = np.stack([_look(picture, located, slot) for slot in others])
    far = _apart(looks, pieces).min(axis=1)
    # The nearest of all is the slot itself.
    peers = np.sort(_apart(looks, looks), axis=1)[:, PEERS : PEERS + 1].min(axis=1, initial=np.inf)
    bare = (far > APART * oddest) | (far > NEARER * peers)
    return {slot.id: EMPTY for slot, yes in zip(others, bare, strict=True) if yes}


def _look(picture: Picture, located: Located, slot: Slot) -> Floats:
    seen = crop(picture, located, slot.board, slot.rect_mm, Scale(PX_PER_MM))
    return resized(logs(seen[None])[0], LOOK_PX).ravel()


def _apart(some: Floats, others: Floats) -> Floats:
    """Mean squared differences of each row of one from each of the other."""
    return np.asarray(((some[:, None] - others[None]) ** 2).mean(axis=2), np.float32)

"""Which pieces to show where, so that every label is seen with as few photographs as possible."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vision.pack import Kind, Pack, Slot

Content = str | Mapping[str, int]
# A set with more labels than this for each of its slots is laid out loose on the table instead.
MOST_PHOTOS = 4
LOOSE_EACH = 16  # pieces a person can lay out and a camera can see well in one photograph


@dataclass(frozen=True)
class Wanted:
    """One photograph to take: what to lay in which slot, or which pieces to lay out loose, in reading order."""

    slots: Mapping[str, Content]
    loose: tuple[str, ...] = ()


def plan(pack: Pack) -> list[Wanted]:
    """The photographs a pack needs besides that of the bare boards."""
    queues = {name: list(labels) for name, labels in pack.pieces.items()}
    tiles = {name: [s for s in _of(pack, Kind.TILE) if s.pieces == name] for name in pack.pieces}
    loose = [
        f"{name}:{label}"
        for name, labels in queues.items()
        if tiles[name] and len(labels) > MOST_PHOTOS * len(tiles[name])
        for label in labels
    ]
    for name in {piece.split(":", 1)[0] for piece in loose}:
        queues[name] = []
    photos: list[Wanted] = []
    while any(queues[slot.pieces] for slot in _of(pack, Kind.TILE)) or not photos:
        shown: dict[str, Content] = {}
        for slot in _of(pack, Kind.TILE):
            if queues[slot.pieces]:
                shown[slot.id] = queues[slot.pieces].pop(0)
        shown |= {slot.id: _cubes(slot, len(photos)) for slot in _of(pack, Kind.CUBES)}
        shown |= {slot.id: _markers(slot, len(photos)) for slot in _of(pack, Kind.TRACK)}
        shown |= {slot.id: dict.fromkeys(slot.labels, 1) for slot in _of(pack, Kind.COUNT)}
        photos.append(Wanted(shown))
    laid_out = [loose[start : start + LOOSE_EACH] for start in range(0, len(loose), LOOSE_EACH)]
    return photos + [Wanted({}, tuple(pieces)) for pieces in laid_out]


def _of(pack: Pack, kind: Kind) -> Sequence[Slot]:
    return [slot for slot in pack.slots.values() if slot.kind is kind]


def _cubes(slot: Slot, photo: int) -> str:
    """One cube of each colour as far as the slot holds them, beginning with another colour each time."""
    turned = slot.labels[photo % len(slot.labels) :] + slot.labels[: photo % len(slot.labels)]
    return "".join(turned[: slot.capacity or len(turned)])


def _markers(slot: Slot, photo: int) -> dict[str, int]:
    """Each marker on a place of its own, other places each time."""
    places = len(slot.places_mm)
    return {label: (index + photo * len(slot.labels)) % places for index, label in enumerate(slot.labels)}

"""Which pieces to show where, so that every label is seen with as few photographs and pieces as possible."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vision.pack import Kind, Pack, Slot
from vision.reading import EMPTY

Content = str | Mapping[str, int]
# A set with more labels than this for each of its slots is laid out loose on the table instead.
MOST_PHOTOS = 4
LOOSE_EACH = 16  # pieces a person can lay out and a camera can see well in one photograph
LEAST_PHOTOS = 2  # what lay in only one place, in one light, may be known by the place or the light
# A set of so few labels fills one board in each photograph: the key of level 1 is not printed like that of level 5.
FEW_LABELS = 2


@dataclass(frozen=True)
class Wanted:
    """One photograph to take: what to lay in which slot, or which pieces to lay out loose, in reading order.

    Slots that are not named stay bare.
    """

    slots: Mapping[str, Content]
    loose: tuple[str, ...] = ()

    def contents(self, pack: Pack) -> dict[str, Content]:
        """Every slot of the pack, the bare ones too; nothing when pieces lie loose."""
        return {} if self.loose else {**dict.fromkeys(pack.slots, EMPTY), **self.slots}


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
    while any(queues[slot.pieces] for slot in _of(pack, Kind.TILE)) or len(photos) < LEAST_PHOTOS:
        photos.append(Wanted(_shown(pack, queues, len(photos))))
    laid_out = [loose[start : start + LOOSE_EACH] for start in range(0, len(loose), LOOSE_EACH)]
    return photos + [Wanted({}, tuple(pieces)) for pieces in laid_out]


def _shown(pack: Pack, queues: dict[str, list[str]], photo: int) -> dict[str, Content]:
    """One photograph's pieces; takes the labels it shows off the queues."""
    shown: dict[str, Content] = {}
    for at, slot in enumerate(_of(pack, Kind.TILE)):
        if queues[slot.pieces]:
            shown[slot.id] = queues[slot.pieces].pop(0)
        elif len(slot.labels) <= FEW_LABELS and slot.board == _host(pack, slot, photo):
            shown[slot.id] = slot.labels[(at + photo) % len(slot.labels)]
    areas = [slot for slot in _of(pack, Kind.CUBES) if slot.capacity != 1]
    shown |= {
        slot.id: _cubes(slot, at + photo, photo)
        for at, slot in enumerate(areas)
        if slot.board == _host(pack, slot, photo)
    }
    shown |= _single_cubes([slot for slot in _of(pack, Kind.CUBES) if slot.capacity == 1], photo)
    shown |= {slot.id: _markers(slot, photo) for slot in _of(pack, Kind.TRACK)}
    shown |= {
        slot.id: dict.fromkeys(slot.labels, 1)
        for slot in _of(pack, Kind.COUNT)
        if slot.board == _host(pack, slot, photo)
    }
    return shown


def _of(pack: Pack, kind: Kind) -> Sequence[Slot]:
    return [slot for slot in pack.slots.values() if slot.kind is kind]


def _host(pack: Pack, like: Slot, photo: int) -> str:
    """The board that shows slots like this one in a photograph: another one each time."""
    boards = list(
        dict.fromkeys(s.board for s in pack.slots.values() if s.kind is like.kind and s.pieces == like.pieces)
    )
    return boards[photo % len(boards)]


def _cubes(slot: Slot, turn: int, photo: int) -> str:
    """Two cubes of one colour and one of another: only different numbers tell which colour bears which name."""
    labels = slot.labels
    twice, once = labels[turn % len(labels)], labels[(turn + 1 + photo) % len(labels)]
    return (2 * twice + once)[: slot.capacity or 3] if twice != once else twice


def _single_cubes(slots: Sequence[Slot], photo: int) -> dict[str, Content]:
    """Places for one cube: each colour once, spread over the places, on others each time."""
    if not slots:
        return {}
    labels = slots[0].labels
    step = max(1, len(slots) // len(labels))
    places = range(photo % step, len(slots), step)
    return {
        slots[place].id: labels[(at + photo) % len(labels)]
        for at, place in zip(range(len(labels)), places, strict=False)
    }


def _markers(slot: Slot, photo: int) -> dict[str, int]:
    """Each marker on a place of its own, other places each time."""
    places = len(slot.places_mm)
    return {label: (index + photo * len(slot.labels)) % places for index, label in enumerate(slot.labels)}

"""What a look at the table read, as marks on the picture and a few figures."""

from collections.abc import Iterator

from calibration.marks import Mark, closed
from vision.fix import Located
from vision.overlay import SETTINGS, content_words
from vision.pack import Kind, Pack, Slot
from vision.reading import Reading


def read_marks(pack: Pack, located: Located, reading: Reading) -> tuple[tuple[str, Mark], ...]:
    """For every slot of a board that was found: the board, and a mark with what was read and how sure that is."""
    return tuple(
        (slot.board, mark)
        for slot in pack.slots.values()
        if slot.board in located.fixes
        for mark in _marks(slot, located, reading)
    )


def read_figures(pack: Pack, reading: Reading) -> tuple[tuple[str, int, str], ...]:
    """How many boards were found and slots read, how many are doubtful, how many hidden."""
    found = sum(seen.found for seen in reading.boards.values())
    read = [slot for slot in pack.slots.values() if slot.id in reading.tiles or slot.id in reading.counts]
    doubtful = sum(content_words(slot, reading)[1] < SETTINGS.sure_p for slot in read)
    return (
        ("Boards found", found, "good" if found == len(pack.boards) else "fault"),
        ("Slots read", len(read), "good"),
        ("Doubtful", doubtful, "warn" if doubtful else "good"),
        ("Hidden", len(reading.hidden), "warn" if reading.hidden else "good"),
    )


def _marks(slot: Slot, located: Located, reading: Reading) -> Iterator[Mark]:
    if slot.id in reading.hidden:
        yield Mark(closed(located, slot.board, slot.rect_mm), "?", "warn")
    elif slot.kind is Kind.TRACK:
        yield from _markers(slot, located, reading)
    else:
        words, sure = content_words(slot, reading)
        yield Mark(closed(located, slot.board, slot.rect_mm), words, _tone(sure))


def _markers(slot: Slot, located: Located, reading: Reading) -> Iterator[Mark]:
    """A marker is written on the place where it stands; markers that share one, together."""
    standing: dict[int, list[str]] = {}
    sure = 1.0
    for label, places in reading.counts.get(slot.id, {}).items():
        place, p = max(places.items(), key=lambda item: item[1])
        sure = min(sure, p)
        if 0 <= place < len(slot.places_mm):
            standing.setdefault(place, []).append(label)
    for place, labels in standing.items():
        yield Mark(closed(located, slot.board, slot.place_rect_mm(place)), " ".join(labels), _tone(sure))


def _tone(sure: float) -> str:
    return "good" if sure >= SETTINGS.sure_p else "warn" if sure >= SETTINGS.doubtful_p else "fault"

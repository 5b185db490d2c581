"""The players' own box: where on each board the slots are, for boards drawn on the screen and marks on the picture."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from vision.pack import Kind, Pack

Rect = tuple[float, float, float, float]  # x, y, width, height in millimetres, y down


@dataclass(frozen=True)
class SlotPlace:
    """A slot on its board; a track has one rectangle for each place."""

    board: str
    rect_mm: Rect
    places_mm: tuple[Rect, ...] = ()


@dataclass(frozen=True)
class Box:
    """Board sizes and slots. `Box.of(pack)` is a real copy's, `schematic` stands in when no pack is at hand."""

    sizes_mm: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    slots: Mapping[str, SlotPlace] = field(default_factory=dict)

    @classmethod
    def of(cls, pack: Pack) -> "Box":
        slots = {
            slot.id: SlotPlace(slot.board, slot.rect_mm, slot.rects_mm if slot.kind is Kind.TRACK else ())
            for slot in pack.slots.values()
        }
        return cls({name: board.size_mm for name, board in pack.boards.items()}, slots)


# The proportions of the boards as the rulebook shows them; nothing is measured with these.
_PLAYER_MM: Final = (280.0, 210.0)
_COLONY_MM: Final = (330.0, 250.0)
TRAY_MM: Final[Rect] = (
    -60.0,
    40.0,
    55.0,
    120.0,
)  # where a pack that has no tray may keep credits and batteries
_ROW_MM: Final = 24.0
_CAPACITY: Final = (3, 3, 4, 5, 6)
_SCORE_PLACES: Final = 24


def schematic(colours: tuple[str, ...]) -> Box:
    """Boards as the rulebook shows them, for a table without a pack."""
    slots: dict[str, SlotPlace] = {}
    for colour in colours:
        slots |= _player_slots(colour)
    slots |= _colony_slots(colours)
    return Box({"colony": _COLONY_MM, **dict.fromkeys(colours, _PLAYER_MM)}, slots)


def _player_slots(colour: str) -> dict[str, SlotPlace]:
    rects: dict[str, Rect] = {f"{colour}.diver.{n + 1}": (80, 8 + n * _ROW_MM, 56, 21) for n in range(8)}
    for level, capacity in enumerate(_CAPACITY, 1):
        top = 8 + (level + 2) * _ROW_MM
        rects[f"{colour}.key.{level}"] = (46, top, 26, 21)
        rects[f"{colour}.zone.{level}"] = (142, top, 15.0 * capacity, 21)
        rects[f"{colour}.reward.{level}"] = (240, top, 26, 21)
    rects[f"{colour}.x"] = (14, 14, 46, 40)
    rects[f"{colour}.tray"] = (150, 14, 104, 46)
    rects |= {f"{colour}.track.{n + 1}": (14 + n * 34.0, 214, 28, 22) for n in range(6)}
    slots = {slot: SlotPlace(colour, rect) for slot, rect in rects.items()}
    hacker = tuple((226 - n * 34.0, 214.0, 36.0, 22.0) for n in range(4))
    mechanic = tuple((284.0, 20 + n * 40.0, 26.0, 32.0) for n in range(4))
    slots[f"{colour}.hacker"] = SlotPlace(colour, _around(hacker), hacker)
    slots[f"{colour}.mechanic"] = SlotPlace(colour, _around(mechanic), mechanic)
    return slots


def _colony_slots(colours: tuple[str, ...]) -> dict[str, SlotPlace]:
    rects: dict[str, Rect] = {}
    for level in range(1, 6):
        top = 12 + (level - 1) * 40.0
        rects[f"colony.sponsor.{level}"] = (12, top, 60, 34)
        rects[f"colony.display.{level}.1"] = (78, top + 2, 30, 30)
        rects[f"colony.display.{level}.2"] = (112, top + 2, 30, 30)
    for column, name in enumerate(("metal", "plant", "fuel", "tech")):
        rects |= {
            f"colony.store.{name}.{row + 1}": (172 + column * 36.0, 100 + row * 34.0, 28, 28)
            for row in range(3)
        }
    rects |= {f"colony.contract.{space + 1}": (168 + space * 52.0, 6, 46, 72) for space in range(3)}
    slots = {slot: SlotPlace("colony", rect) for slot, rect in rects.items()}
    places = tuple((8 + n * 13.1, 226.0, 12.4, 20.0) for n in range(_SCORE_PLACES))
    slots["colony.score"] = SlotPlace("colony", _around(places), places)
    return slots


def _around(rects: tuple[Rect, ...]) -> Rect:
    left, top = min(r[0] for r in rects), min(r[1] for r in rects)
    return left, top, max(r[0] + r[2] for r in rects) - left, max(r[1] + r[3] for r in rects) - top

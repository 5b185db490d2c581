"""What one copy of a game looks like: boards, slots and the labels of their pieces (`pack.toml`)."""

import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.reading import EMPTY
from vision.tomlfile import TomlFile, read_toml

VERSION = 1
FILE = "pack.toml"
# What enrolment learnt lies beside the pack: boards and slots apart, so that each can be taught again alone.
TAUGHT_BOARDS = Path("taught", "boards.npz")
TAUGHT_SLOTS = Path("taught", "slots.npz")
TAUGHT_PACK = Path("taught", FILE)  # as it was when they were taught
# A table is at most a few metres; a larger figure is pixels or a slip of the finger.
LARGEST_MM = 5000.0
# No board is as small in millimetres as any is in inches, or in centimetres.
LEAST_BOARD_MM = 50.0
MOST_SLOTS = 2000
MOST_CUBES = 64
# Times as long or short as the usual slot of its set; pieces of one set are of one size.
MOST_LARGER = 4.0
# Of a tile slot that another of its set may cover: pieces that touch are written down as overlapping a little.
MOST_OVERLAP = 0.7

Rect = tuple[float, float, float, float]  # x, y, width, height
Point = tuple[float, float]


class Kind(StrEnum):
    """What a slot can hold."""

    TILE = "tile"  # one printed piece or nothing
    CUBES = "cubes"  # loose cubes: how many of each
    TRACK = "track"  # which place each marker stands on
    COUNT = "count"  # flat tokens to count


@dataclass(frozen=True)
class Board:
    """A printed board. `markers` are optional ArUco stickers: id -> centre in millimetres."""

    name: str
    size_mm: tuple[float, float]
    markers: Mapping[int, Point] = field(default_factory=dict)

    @property
    def corners_mm(self) -> tuple[Point, Point, Point, Point]:
        """Clockwise from the board's own top left."""
        width, height = self.size_mm
        return (0.0, 0.0), (width, 0.0), (width, height), (0.0, height)


@dataclass(frozen=True)
class Slot:
    """A place where pieces lie, in millimetres of its board; it may lie outside the board's outline.

    `rect_mm` of a track is the box around all its places. `places_mm` are centres.
    """

    id: str
    board: str
    kind: Kind
    pieces: str
    labels: tuple[str, ...]
    rect_mm: Rect
    capacity: int | None = None
    places_mm: tuple[Point, ...] = ()
    size_mm: tuple[float, float] | None = None

    def place_rect_mm(self, place: int) -> Rect:
        """The rectangle of one place of a track."""
        if self.size_mm is None:
            raise ValueError(f"{self.id} is not a track")
        (x, y), (width, height) = self.places_mm[place], self.size_mm
        return x - width / 2, y - height / 2, width, height

    @cached_property
    def rects_mm(self) -> tuple[Rect, ...]:
        """Everything a piece of this slot may cover: one rectangle, or one for each place."""
        if self.kind is Kind.TRACK:
            return tuple(self.place_rect_mm(place) for place in range(len(self.places_mm)))
        return (self.rect_mm,)


@dataclass(frozen=True)
class Pack:
    """One copy of a game. `pieces` names the label sets; "empty" is always understood."""

    dir: Path
    name: str
    game: str
    boards: Mapping[str, Board]
    pieces: Mapping[str, tuple[str, ...]]
    slots: Mapping[str, Slot]
    version: int = VERSION

    def slots_of(self, board: str) -> tuple[Slot, ...]:
        return self._by_board.get(board, ())

    @cached_property
    def _by_board(self) -> dict[str, tuple[Slot, ...]]:
        boards = {slot.board for slot in self.slots.values()}
        return {name: tuple(slot for slot in self.slots.values() if slot.board == name) for name in boards}


def load_pack(folder: Path) -> Pack:
    """Reads `folder/pack.toml` (or the file itself). Raises ValueError with file and line, or OSError."""
    path = folder if folder.suffix == ".toml" else folder / FILE
    if not path.exists() and not folder.exists():
        raise FileNotFoundError(f"{folder}: there is no such pack folder")
    if not path.exists():
        raise FileNotFoundError(f"{folder}: no {FILE} in it; is this the folder of a pack?")
    toml = read_toml(path)
    version = toml.data.get("version")
    if version is None:
        raise toml.error(("version",), f"has no version: write version = {VERSION} into its first line")
    if version != VERSION:
        raise toml.error(
            ("version",), f"version = {version!r}; this companion reads packs of version {VERSION}"
        )
    boards = _boards(toml)
    pieces = _pieces(toml)
    return Pack(
        dir=path.parent,
        name=_text(toml, ("name",), toml.data.get("name", path.parent.name)),
        game=_text(toml, ("game",), toml.data.get("game", "")),
        boards=boards,
        pieces=pieces,
        slots=_slots(toml, boards, pieces),
    )


def check_as_taught(pack: Pack) -> None:
    """Raises ValueError when boards, pieces or slots were changed since the pack was taught: what was learnt lies elsewhere now."""
    then = pack.dir / TAUGHT_PACK
    if not then.is_file() or then.read_bytes() == (pack.dir / FILE).read_bytes():
        return
    taught = load_pack(then)
    kinds: dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
        "board": (taught.boards, pack.boards),
        "pieces": (taught.pieces, pack.pieces),
        "slot": (taught.slots, pack.slots),
    }
    for kind, (before, now) in kinds.items():
        changed = next((name for name in {**now, **before} if before.get(name) != now.get(name)), None)
        if changed is not None:
            raise ValueError(
                f"{pack.dir / FILE}: {kind} {changed} was changed since the pack was taught; "
                f"teach it again: otys-companion enrol {pack.dir}"
            )


def _boards(toml: TomlFile) -> dict[str, Board]:
    tables = toml.data.get("boards")
    if not isinstance(tables, dict) or not tables:
        raise toml.error(("boards",), "no board: add a [boards.NAME], in single brackets, with its size_mm")
    boards = {}
    for name, table in tables.items():
        key = ("boards", name)
        if not isinstance(table, dict):
            raise toml.error(key, f"board {name} must be a table: [boards.{name}]")
        _spelling(toml, key, table, ("size_mm", "markers"))
        if "size_mm" not in table:
            raise toml.error(key, f"board {name} has no size_mm")
        width, height = _numbers(toml, (*key, "size_mm"), table["size_mm"], 2)
        if width <= 0 or height <= 0:
            raise toml.error(
                (*key, "size_mm"), f"board {name} is {width:g} x {height:g} mm; both must be more than 0"
            )
        if max(width, height) < LEAST_BOARD_MM:
            raise toml.error(
                (*key, "size_mm"),
                f"board {name} is {width:g} x {height:g} mm, too small to be found; "
                "write all sizes in millimetres (an inch is 25.4, a centimetre 10)",
            )
        boards[name] = Board(name, (width, height), _markers(toml, key, table))
    return boards


def _markers(toml: TomlFile, key: tuple[str, ...], table: Mapping[str, Any]) -> dict[int, Point]:
    markers = table.get("markers", {})
    if not isinstance(markers, dict):
        raise toml.error((*key, "markers"), "markers must be a table: ArUco id -> centre in millimetres")
    result = {}
    for text, centre in markers.items():
        if not text.isdecimal() or len(text) > 4:
            raise toml.error((*key, "markers", text), f"{text!r} is not the number of an ArUco marker")
        x, y = _numbers(toml, (*key, "markers", text), centre, 2)
        result[int(text)] = (x, y)
    return result


def _pieces(toml: TomlFile) -> dict[str, tuple[str, ...]]:
    tables = toml.data.get("pieces", {})
    if not isinstance(tables, dict):
        raise toml.error(("pieces",), "pieces must be a table: set name -> labels")
    pieces = {}
    for name, labels in tables.items():
        key = ("pieces", name)
        if not isinstance(labels, list) or not all(isinstance(label, str) and label for label in labels):
            raise toml.error(key, f"pieces {name} must be a list of labels in quotes")
        if not labels:
            raise toml.error(key, f"pieces {name} has no label")
        doubles = sorted({label for label in labels if labels.count(label) > 1})
        if doubles:
            raise toml.error(key, f"pieces {name} names {doubles[0]!r} twice")
        # "empty" is always understood; a person who writes it means the same.
        pieces[name] = tuple(label for label in labels if label != EMPTY)
    return pieces


def _slots(
    toml: TomlFile, boards: Mapping[str, Board], pieces: Mapping[str, tuple[str, ...]]
) -> dict[str, Slot]:
    tables = toml.data.get("slots", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise toml.error(("slots",), "slots must be written as [[slots]]")
    if len(tables) > MOST_SLOTS:
        raise toml.error(("slots",), f"{len(tables)} slots; at most {MOST_SLOTS} can be read")
    slots: dict[str, Slot] = {}
    for index, table in enumerate(tables):
        slot = _slot(toml, index, table, boards, pieces)
        if slot.id in slots:
            raise toml.error(("slots", index, "id"), f"slot {slot.id} is there twice")
        slots[slot.id] = slot
    _check_places(toml, slots)
    return slots


def _check_places(toml: TomlFile, slots: Mapping[str, Slot]) -> None:
    """Slips of the pen that would be learnt: of tile slots for one set, two in one place or one many times as large as the others."""
    likes: dict[tuple[str, str], list[tuple[int, Slot]]] = {}
    areas: dict[str, list[float]] = {}
    for index, slot in enumerate(slots.values()):
        if slot.kind is Kind.TILE:
            likes.setdefault((slot.board, slot.pieces), []).append((index, slot))
            areas.setdefault(slot.pieces, []).append(slot.rect_mm[2] * slot.rect_mm[3])
    usual = {pieces: sorted(each)[len(each) // 2] for pieces, each in areas.items()}
    for some in likes.values():
        for index, slot in some:
            _, _, width, height = slot.rect_mm
            if not MOST_LARGER**-2 <= width * height / usual[slot.pieces] <= MOST_LARGER**2:
                raise toml.error(
                    ("slots", index, "rect_mm"),
                    f"slot {slot.id} is {width:g} x {height:g} mm, far from the size of others that hold {slot.pieces}; "
                    "correct it, or give pieces of another size a set of their own",
                )
        covered = np.triu(_overlaps([slot.rect_mm for _, slot in some]), 1)
        for first, second in np.argwhere(covered > MOST_OVERLAP)[:1].tolist():
            index, slot = some[second]
            raise toml.error(
                ("slots", index, "rect_mm"),
                f"slot {slot.id} lies where slot {some[first][1].id} does: correct its rect_mm",
            )


def _overlaps(rects_mm: Sequence[Rect]) -> NDArray[np.float64]:
    """For each two rectangles the share of the smaller one that the other covers: N x N."""
    x, y, width, height = np.array(rects_mm).T
    across = np.minimum.outer(x + width, x + width) - np.maximum.outer(x, x)
    down = np.minimum.outer(y + height, y + height) - np.maximum.outer(y, y)
    covered = np.maximum(across, 0) * np.maximum(down, 0)
    return np.asarray(covered / np.minimum.outer(width * height, width * height), np.float64)


def _slot(
    toml: TomlFile,
    index: int,
    table: Mapping[str, Any],
    boards: Mapping[str, Board],
    pieces: Mapping[str, tuple[str, ...]],
) -> Slot:
    key = ("slots", index)
    _spelling(
        toml,
        key,
        table,
        ("id", "board", "kind", "pieces", "rect_mm", "capacity", "places_mm", "size_mm"),
    )

    def text(name: str) -> str:
        if name not in table:
            raise toml.error(key, f"slot {table.get('id', f'number {index + 1}')} has no {name}")
        return _text(toml, (*key, name), table[name])

    slot_id, board, kind, set_name = text("id"), text("board"), text("kind"), text("pieces")
    if board not in boards:
        raise toml.error(
            (*key, "board"), f"slot {slot_id}: no board {board!r}; there are {', '.join(boards)}"
        )
    if kind not in tuple(Kind):
        raise toml.error(
            (*key, "kind"), f"slot {slot_id}: kind {kind!r}; it must be tile, cubes, track or count"
        )
    if set_name not in pieces:
        known = ", ".join(pieces) or "none"
        raise toml.error((*key, "pieces"), f"slot {slot_id}: no pieces {set_name!r}; there are {known}")
    capacity = table.get("capacity")
    if capacity is not None and (
        not isinstance(capacity, int) or isinstance(capacity, bool) or not 1 <= capacity <= MOST_CUBES
    ):
        raise toml.error(
            (*key, "capacity"), f"slot {slot_id}: capacity {capacity!r}; it must be 1 to {MOST_CUBES}"
        )
    labels = pieces[set_name]
    if kind == Kind.TRACK:
        places, size = _track(toml, key, slot_id, table)
        return Slot(
            slot_id, board, Kind.TRACK, set_name, labels, _around(places, size), capacity, places, size
        )
    if "rect_mm" not in table:
        raise toml.error(key, f"slot {slot_id} has no rect_mm")
    x, y, width, height = _numbers(toml, (*key, "rect_mm"), table["rect_mm"], 4)
    if width <= 0 or height <= 0:
        raise toml.error(
            (*key, "rect_mm"), f"slot {slot_id} is {width:g} x {height:g} mm; both must be more than 0"
        )
    return Slot(slot_id, board, Kind(kind), set_name, labels, (x, y, width, height), capacity)


def _track(
    toml: TomlFile, key: tuple[str | int, ...], slot_id: str, table: Mapping[str, Any]
) -> tuple[tuple[Point, ...], tuple[float, float]]:
    for name in ("size_mm", "places_mm"):
        if name not in table:
            raise toml.error(key, f"track {slot_id} has no {name}")
    width, height = _numbers(toml, (*key, "size_mm"), table["size_mm"], 2)
    if width <= 0 or height <= 0:
        raise toml.error((*key, "size_mm"), f"track {slot_id}: its places are {width:g} x {height:g} mm")
    listed = table["places_mm"]
    if not isinstance(listed, list) or not listed:
        raise toml.error((*key, "places_mm"), f"track {slot_id} has no places")
    places = []
    for place in listed:
        x, y = _numbers(toml, (*key, "places_mm"), place, 2)
        places.append((x, y))
    return tuple(places), (width, height)


def _around(places: tuple[Point, ...], size: tuple[float, float]) -> Rect:
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return (
        min(xs) - size[0] / 2,
        min(ys) - size[1] / 2,
        max(xs) - min(xs) + size[0],
        max(ys) - min(ys) + size[1],
    )


def _text(toml: TomlFile, key: tuple[str | int, ...], value: Any) -> str:
    if not isinstance(value, str) or (not value and key[-1] != "game"):
        raise toml.error(key, f"{key[-1]} must be text in quotes, not {value!r}")
    return value


def _numbers(toml: TomlFile, key: tuple[str | int, ...], value: Any, count: int) -> tuple[float, ...]:
    good = isinstance(value, list) and len(value) == count
    if not good or not all(isinstance(v, int | float) and not isinstance(v, bool) for v in value):
        raise toml.error(key, f"{key[-1]} must be {count} numbers in millimetres, not {value!r}")
    if not all(math.isfinite(v) for v in value):
        raise toml.error(key, f"{key[-1]} {value!r}: each must be a plain number of millimetres")
    if not all(abs(v) <= LARGEST_MM for v in value):
        raise toml.error(key, f"{key[-1]} {value!r}: millimetres beyond {LARGEST_MM:g} cannot be meant")
    return tuple(float(v) for v in value)


def _spelling(
    toml: TomlFile, key: tuple[str | int, ...], table: Mapping[str, Any], known: tuple[str, ...]
) -> None:
    """Keys of other programs are left alone; a near miss of one of ours is a slip worth a word."""
    missing = [name for name in known if name not in table]
    for name in table:
        if name not in known and (close := difflib.get_close_matches(name, missing, 1, 0.75)):
            raise toml.error((*key, name), f"{name}: did you mean {close[0]}?")

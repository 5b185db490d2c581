"""`enrol.toml`: which photographs teach a pack, and what lies where in each. Read and checked, nothing else."""

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vision.pack import Kind, Pack, Point, Slot
from vision.reading import EMPTY
from vision.tomlfile import Key, TomlFile, read_toml

FILE = "enrol.toml"
Corners = tuple[Point, Point, Point, Point]
Content = str | Mapping[str, int]  # a tile's label; how many of each label; marker -> place
MOST_TOKENS = 200
MOST_NAMED = 8  # of what there is, in a sentence


@dataclass(frozen=True)
class Loose:
    """A piece lying on the table: its corners clockwise from its own top left."""

    pieces: str
    label: str
    corners_px: Corners


@dataclass(frozen=True)
class Photo:
    """One photograph. `slots` says what lies where; with `empty` every slot not named is bare."""

    path: Path
    empty: bool = False
    corners_px: Mapping[str, Corners] = field(default_factory=dict)
    slots: Mapping[str, Content] = field(default_factory=dict)
    loose: tuple[Loose, ...] = ()


@dataclass(frozen=True)
class Enrolment:
    """Everything a pack is taught from."""

    path: Path
    photos: tuple[Photo, ...]


def load_enrolment(pack: Pack) -> Enrolment:
    """Reads `enrol.toml` beside the pack. Raises ValueError naming the line, or OSError."""
    path = pack.dir / FILE
    if not path.exists():
        raise FileNotFoundError(f"{pack.dir}: no {FILE} in it; it lists the photographs that teach the pack")
    toml = read_toml(path)
    _spelling(toml, (), toml.data, ("photos", "version"))
    tables = toml.data.get("photos")
    if not isinstance(tables, list) or not tables:
        raise toml.error(("photos",), "no photograph: add a [[photos]], in double brackets, with its file")
    photos = tuple(_photo(toml, pack, number, table) for number, table in enumerate(tables))
    _complete(toml, pack, photos)
    return Enrolment(path, photos)


def _photo(toml: TomlFile, pack: Pack, number: int, table: Any) -> Photo:
    key: tuple[Key, ...] = ("photos", number)
    if not isinstance(table, dict):
        raise toml.error(key, "a photograph must be a table: [[photos]]")
    _spelling(toml, key, table, ("file", "empty", "corners_px", "slots", "loose"))
    name = table.get("file")
    if not isinstance(name, str) or not name:
        raise toml.error(key, 'a photograph without its file: file = "empty.jpg"')
    path = toml.path.parent / name
    if not path.is_file():
        raise toml.error((*key, "file"), f"there is no photograph {name} beside {FILE}")
    empty = table.get("empty", False)
    if not isinstance(empty, bool):
        raise toml.error((*key, "empty"), "empty must be true or false")
    slots = _slots(toml, pack, (*key, "slots"), table.get("slots", {}))
    if empty and not all(is_bare(content) for content in slots.values()):
        # Bare but for a few pieces: then every other slot is as good as named.
        bare: dict[str, Content] = {s.id: EMPTY if s.kind is Kind.TILE else {} for s in pack.slots.values()}
        slots, empty = {**bare, **slots}, False
    return Photo(
        path,
        empty,
        _all_corners(toml, pack, (*key, "corners_px"), table.get("corners_px", {})),
        slots,
        _loose(toml, pack, (*key, "loose"), table.get("loose", [])),
    )


def _all_corners(toml: TomlFile, pack: Pack, key: tuple[Key, ...], table: Any) -> dict[str, Corners]:
    if not isinstance(table, dict):
        raise toml.error(key, "corners_px must be a table: board -> four points")
    for board in table:
        if board not in pack.boards:
            raise toml.error((*key, board), f"the pack has no board {board}{_like(board, pack.boards)}")
    return {board: _corners(toml, (*key, board), value) for board, value in table.items()}


def _corners(toml: TomlFile, key: tuple[Key, ...], value: Any) -> Corners:
    if not isinstance(value, list) or len(value) != 4:
        raise toml.error(key, "four corners are wanted, clockwise from the top left: [[x, y], …]")
    points = []
    for point in value:
        if (
            not isinstance(point, list)
            or len(point) != 2
            or not all(isinstance(c, int | float) and not isinstance(c, bool) and abs(c) < 1e6 for c in point)
        ):
            raise toml.error(key, f"a corner is two numbers, not {point!r}")
        points.append((float(point[0]), float(point[1])))
    turns = [
        (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
        for a, b, c in zip(points, points[1:] + points[:1], points[2:] + points[:2], strict=True)
    ]
    if min(turns) <= 0:
        raise toml.error(
            key, "the corners must go clockwise round a four-sided outline as seen in the photograph"
        )
    return points[0], points[1], points[2], points[3]


def _slots(toml: TomlFile, pack: Pack, key: tuple[Key, ...], table: Any) -> dict[str, Content]:
    if not isinstance(table, dict):
        raise toml.error(key, "slots must be a table: slot id -> what lies there")
    contents = {}
    for name, value in table.items():
        slot = pack.slots.get(name)
        if slot is None:
            raise toml.error((*key, name), f"the pack has no slot {name}{_like(name, pack.slots)}")
        contents[name] = _content(toml, (*key, name), slot, value)
    return contents


def _content(toml: TomlFile, key: tuple[Key, ...], slot: Slot, value: Any) -> Content:
    match slot.kind:
        case Kind.TILE:
            if not isinstance(value, str):
                raise toml.error(key, f"{slot.id} holds one label or {EMPTY!r}, not {value!r}")
            if value not in (EMPTY, ""):
                _known(toml, key, slot, value)
            return value or EMPTY
        case Kind.CUBES:
            counts = _cubes(toml, key, slot, value)
            if slot.capacity is not None and sum(counts.values()) > slot.capacity:
                raise toml.error(
                    key, f"{slot.id} has room for {slot.capacity}, but {sum(counts.values())} are named"
                )
            return counts
        case _:
            if value in (EMPTY, ""):
                return {}
            return _numbers(toml, key, slot, value)


def _cubes(toml: TomlFile, key: tuple[Key, ...], slot: Slot, value: Any) -> dict[str, int]:
    """Cubes as one letter each ("mmp"), or as numbers ({ m = 2 }), which longer labels need."""
    if value in (EMPTY, ""):
        return {}
    if isinstance(value, dict):
        return _numbers(toml, key, slot, value)
    if not isinstance(value, str):
        raise toml.error(key, f'{slot.id} holds cubes, such as "mmp" or {{ m = 2, p = 1 }}, not {value!r}')
    if value in slot.labels:
        return {value: 1}
    for letter in value:
        _known(toml, key, slot, letter)
    return {letter: value.count(letter) for letter in dict.fromkeys(value)}


def _numbers(toml: TomlFile, key: tuple[Key, ...], slot: Slot, value: Any) -> dict[str, int]:
    if not isinstance(value, dict):
        raise toml.error(key, f"{slot.id} wants a number for each label: {{ {slot.labels[0]} = 1 }}")
    for label, number in value.items():
        _known(toml, key, slot, label)
        if not isinstance(number, int) or isinstance(number, bool):
            raise toml.error(key, f"{slot.id}: {label} = {number!r} is not a whole number")
        if slot.kind is Kind.TRACK and not -1 <= number < len(slot.places_mm):
            raise toml.error(
                key, f"{slot.id} has places 0 to {len(slot.places_mm) - 1}; {label} stands on {number}"
            )
        if slot.kind is not Kind.TRACK and not 0 <= number <= MOST_TOKENS:
            raise toml.error(key, f"{slot.id}: {number} of {label} cannot be")
    return dict(value)


def _loose(toml: TomlFile, pack: Pack, key: tuple[Key, ...], tables: Any) -> tuple[Loose, ...]:
    if not isinstance(tables, list):
        raise toml.error(key, "loose pieces are tables of their own: [[photos.loose]]")
    pieces = []
    for number, table in enumerate(tables):
        here = (*key, number)
        if not isinstance(table, dict) or not isinstance(table.get("piece"), str):
            raise toml.error(here, 'a loose piece needs piece = "set:label" and corners_px')
        _spelling(toml, here, table, ("piece", "corners_px"))
        name, colon, label = table["piece"].partition(":")
        if not colon:
            raise toml.error(
                here, f'piece = "{name}" says no set: write "set:label", e.g. "{_example(pack)}"'
            )
        if name not in pack.pieces:
            raise toml.error(here, f"the pack has no pieces {name!r}{_like(name, pack.pieces)}")
        if label not in pack.pieces[name]:
            raise toml.error(here, f"{name} has no {label!r}{_like(label, pack.pieces[name])}")
        pieces.append(Loose(name, label, _corners(toml, (*here, "corners_px"), table.get("corners_px"))))
    return tuple(pieces)


def _example(pack: Pack) -> str:
    return next(f"{name}:{labels[0]}" for name, labels in pack.pieces.items() if labels)


def _complete(toml: TomlFile, pack: Pack, photos: tuple[Photo, ...]) -> None:
    """What no single line is wrong about."""
    if not any(photo.slots or photo.loose for photo in photos):
        raise toml.error(
            ("photos",), "no photograph says what lies where: add [photos.slots] to one with pieces"
        )
    lacking = [board for board in pack.boards if not any(board in photo.corners_px for photo in photos)]
    if lacking:
        raise toml.error(
            ("photos",), f"no photograph has corners_px for {', '.join(lacking)}: each board needs them once"
        )
    files: dict[Path, int] = {}
    for number, photo in enumerate(photos):
        if photo.path in files:
            raise toml.error(("photos", number, "file"), f"{photo.path.name} is listed twice")
        files[photo.path] = number


def _known(toml: TomlFile, key: tuple[Key, ...], slot: Slot, label: str) -> None:
    if label not in slot.labels:
        raise toml.error(
            key,
            f"{slot.id} cannot hold {label!r}: {slot.pieces} has no such label{_like(label, slot.labels)}",
        )


def is_bare(content: Content) -> bool:
    """Whether nothing lies there."""
    return content == EMPTY if isinstance(content, str) else not any(n > 0 for n in content.values())


def _spelling(toml: TomlFile, key: tuple[Key, ...], table: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for name in table:
        if name not in known:
            raise toml.error((*key, name), f"unknown key {name!r}{_like(name, known)}")


def _like(word: str, known: Collection[str]) -> str:
    """What may have been meant, or what there is."""
    as_spelt = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(word.casefold(), list(as_spelt), n=1)
    if close:
        return f"; did you mean {as_spelt[close[0]]!r}?"
    names = list(known)
    more = ", …" if len(names) > MOST_NAMED else ""
    return f"; there are {', '.join(names[:MOST_NAMED])}{more}" if names else ""

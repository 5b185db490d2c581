"""`pack.toml` and `enrol.toml` as files: written whole or not at all, and read back the same."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from calibration.plan import Content
from vision.pack import FILE, VERSION, Kind, Pack, Point, Slot

ENROL = "enrol.toml"


@dataclass(frozen=True)
class Photo:
    """One photograph of an enrolment, as `enrol.toml` lists it."""

    file: str
    empty: bool = False
    corners_px: Mapping[str, Sequence[Point]] = field(default_factory=dict)
    slots: Mapping[str, Content] = field(default_factory=dict)
    loose: Sequence[tuple[str, Sequence[Point]]] = ()


def pack_toml(pack: Pack) -> str:
    """The text of `pack.toml`."""
    lines = [f"version = {VERSION}", f"name = {_text(pack.name)}", f"game = {_text(pack.game)}", ""]
    for board in pack.boards.values():
        lines += [f"[boards.{_key(board.name)}]", f"size_mm = {_numbers(board.size_mm)}"]
        if board.markers:
            lines.append(f"[boards.{_key(board.name)}.markers]")
            lines += [f"{marker} = {_numbers(place)}" for marker, place in board.markers.items()]
    lines += ["", "[pieces]"]
    for name, labels in pack.pieces.items():
        lines.append(f"{_key(name)} = [{', '.join(_text(label) for label in labels)}]")
    for slot in pack.slots.values():
        lines += ["", "[[slots]]", *_slot(slot)]
    return "\n".join(lines) + "\n"


def enrol_toml(photos: Sequence[Photo]) -> str:
    """The text of `enrol.toml`."""
    lines: list[str] = []
    for photo in photos:
        lines += ["[[photos]]", f"file = {_text(photo.file)}"]
        if photo.empty:
            lines.append("empty = true")
        if photo.corners_px:
            lines.append("[photos.corners_px]")
            lines += [f"{_key(board)} = {_points(corners)}" for board, corners in photo.corners_px.items()]
        if photo.slots:
            lines.append("[photos.slots]")
            lines += [f"{_text(slot)} = {_content(content)}" for slot, content in photo.slots.items()]
        for piece, corners in photo.loose:
            lines += ["[[photos.loose]]", f"piece = {_text(piece)}", f"corners_px = {_points(corners)}"]
        lines.append("")
    return "\n".join(lines)


def write_pack(pack: Pack, photos: Sequence[Photo], folder: Path) -> None:
    """Writes both files into the folder of a pack."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in ((FILE, pack_toml(pack)), (ENROL, enrol_toml(photos))):
        half = folder / f".{name}.part"
        half.write_text(text, encoding="utf-8")
        half.replace(folder / name)


def _slot(slot: Slot) -> list[str]:
    lines = [
        f"id = {_text(slot.id)}",
        f"board = {_text(slot.board)}",
        f"kind = {_text(slot.kind)}",
        f"pieces = {_text(slot.pieces)}",
    ]
    if slot.capacity is not None:
        lines.append(f"capacity = {slot.capacity}")
    if slot.kind is Kind.TRACK and slot.size_mm is not None:
        return [*lines, f"size_mm = {_numbers(slot.size_mm)}", f"places_mm = {_points(slot.places_mm)}"]
    return [*lines, f"rect_mm = {_numbers(slot.rect_mm)}"]


def _content(content: Content) -> str:
    if isinstance(content, str):
        return _text(content)
    return "{ " + ", ".join(f"{_key(label)} = {number}" for label, number in content.items()) + " }"


def _points(points: Sequence[Point]) -> str:
    return "[" + ", ".join(_numbers(point) for point in points) + "]"


def _numbers(values: Sequence[float]) -> str:
    return "[" + ", ".join(f"{round(value, 2):g}" for value in values) + "]"


def _text(value: str) -> str:
    # A JSON string is a TOML string, but for the character that TOML wants escaped and JSON does not.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if bare else _text(name)

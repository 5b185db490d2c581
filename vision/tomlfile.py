"""TOML read with care: bounded in size, and every complaint names the file and the line."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# A four-player pack is 40 kB and its enrolment 30 kB. More than this is some other file.
LARGEST_BYTES = 4_000_000

Key = str | int

# What the parser says -> what to do about it.
_SLIPS = {
    "Invalid value": '; text stands in quotes: name = "words"',
    "Cannot overwrite a value": "; it is there twice, take one of them out",
    "Cannot declare": "; it is there twice, take one of them out",
    "Unclosed array": "; a ] is missing",
    "Invalid statement": "; a line is key = value, [table] or # remark",
}

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
_ASSIGN = re.compile(r"""^\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_.-]+|\s*\.\s*)+?)\s*=""")
_PART = re.compile(r""""((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+)""")


@dataclass(frozen=True)
class TomlFile:
    """A parsed file that can say where a key stands, so that an error can be found with an editor."""

    path: Path
    text: str
    data: dict[str, Any]

    def error(self, key: tuple[Key, ...], what: str) -> ValueError:
        """An error about `key`, e.g. `("slots", 3, "rect_mm")`: file, line, what."""
        line = self.line(key)
        where = f"{self.path}:{line}" if line else str(self.path)
        return ValueError(f"{where}: {what}")

    def line(self, key: tuple[Key, ...]) -> int | None:
        """The line of the key, or of the closest table around it."""
        lines = _lines_of(self.text)
        while key:
            if key in lines:
                return lines[key]
            key = key[:-1]
        return None


def read_toml(path: Path) -> TomlFile:
    """Reads a TOML file; raises ValueError (what and where) or OSError (cannot be read)."""
    try:
        with path.open("rb") as file:  # a pipe does not tell its length
            data = file.read(LARGEST_BYTES + 1)
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise ValueError(f"{path}: is a folder, a TOML file is wanted") from None
    if len(data) > LARGEST_BYTES:
        raise ValueError(
            f"{path}: is larger than {LARGEST_BYTES // 1_000_000} MB, too large for a TOML file of ours"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: is not UTF-8 text (byte {error.start})") from None
    try:
        return TomlFile(path, text, tomllib.loads(text.replace("\r\n", "\n")))
    except tomllib.TOMLDecodeError as error:
        raise _unreadable(path, text, str(error)) from None
    except RecursionError:
        raise ValueError(f"{path}: is nested too deeply") from None


def _unreadable(path: Path, text: str, said: str) -> ValueError:
    """A slip of writing, with the line it stands in and, for the frequent ones, how it is written right."""
    place = re.search(r"\(at line (\d+), column \d+\)", said)
    what = re.sub(r"\s*\(at .*\)$", "", said)
    hint = next((hint for slip, hint in _SLIPS.items() if what.startswith(slip)), "")
    if place is None:
        return ValueError(f"{path}: is no readable TOML: {what}{hint}")
    line = text.splitlines()[int(place[1]) - 1].strip() if text else ""
    return ValueError(f"{path}:{place[1]}: {line[:60]!r} is no readable TOML: {what}{hint}")


def _lines_of(text: str) -> dict[tuple[Key, ...], int]:
    """Line of every table and key. Only read when something is wrong, so it may take its time."""
    lines: dict[tuple[Key, ...], int] = {}
    counts: dict[tuple[Key, ...], int] = {}
    table: tuple[Key, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = ()
            for part in _parts(header[2]):
                table = (*table, part)
                if table in counts and not (header[1] == "[[" and len(table) == len(_parts(header[2]))):
                    table = (*table, counts[table])
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            lines.setdefault(table, number)
        elif assign := _ASSIGN.match(line):
            lines.setdefault((*table, *_parts(assign[1])), number)
    return lines


def _parts(dotted: str) -> list[str]:
    return [m[1] or m[2] or m[3] or "" for m in _PART.finditer(dotted)]

"""What people chose once: a small file beside the journal, replaced as a whole so that it is never half-written."""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from companion.journal.compact import MOST_BYTES, parse
from companion.state import Settings

FILE = "settings.json"


def is_setting(name: str, value: Any) -> bool:
    """Whether a setting of that name can have that value.

    >>> is_setting("language", "de"), is_setting("language", "tlh"), is_setting("clock_s", -1)
    (True, False, False)
    """
    kind = get_type_hints(Settings).get(name)
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    return type(value) is kind and not (kind is int and value < 0)


def load_settings(folder: Path) -> Settings:
    """The settings kept in a folder; what is missing, unknown or unreadable takes its default."""
    try:
        with (folder / FILE).open("rb") as file:
            kept = parse(file.read(MOST_BYTES + 1))
        return Settings(**{name: value for name, value in kept.items() if is_setting(name, value)})
    except (OSError, ValueError, TypeError, AttributeError):
        return Settings()


def save_settings(folder: Path, settings: Settings) -> None:
    """Raises OSError when the folder cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    new = folder / f"{FILE}.new"
    with new.open("w", encoding="utf-8") as file:
        json.dump(asdict(settings), file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    new.replace(folder / FILE)

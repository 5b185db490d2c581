"""What people chose once: a small file beside the journal, replaced as a whole so that it is never half-written."""

import json
import os
from dataclasses import asdict, fields
from pathlib import Path

from companion.state import Settings

FILE = "settings.json"


def load_settings(folder: Path) -> Settings:
    """The settings kept in a folder; what is missing, unknown or unreadable takes its default."""
    try:
        kept = json.loads((folder / FILE).read_text(encoding="utf-8"))
        known = {field.name for field in fields(Settings)}
        return Settings(**{name: value for name, value in kept.items() if name in known})
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

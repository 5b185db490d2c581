"""JSON files that people hand us: bounded, and refused with a sentence that says where."""

import json
from pathlib import Path
from typing import Any

from companion.rules import Cards, Position

# The largest honest document is a position with its deck: a few kilobytes.
MOST_BYTES = 4_000_000


def read_json(path: Path) -> Any:
    """The document in a file. Raises ValueError or OSError."""
    try:
        with path.open("rb") as file:  # a pipe does not tell its length
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise ValueError(
                f"{path} is larger than {MOST_BYTES // 1_000_000} MB; that is no position and no list of cards"
            )
        return json.loads(data.decode("utf-8"))
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not text: {error.reason}") from error
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{path} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from error
    except RecursionError as error:
        raise ValueError(f"{path} is nested too deeply to be one of ours") from error


def read_cards(path: Path) -> Cards:
    """The cards in a file. Raises ValueError."""
    document = read_json(path)
    try:
        return Cards.from_json(document)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def read_position(path: Path, cards: Cards) -> Position:
    """The position in a file. Raises ValueError."""
    document = read_json(path)
    try:
        return Position.from_json(document, cards)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error

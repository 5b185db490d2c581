"""Pieces that do not stand where they belong, after a knock, an undo or a resume."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Misplaced:
    """A piece that does not stand where it belongs: the slot, what lies there, what should."""

    slot: str
    seen: str
    wanted: str

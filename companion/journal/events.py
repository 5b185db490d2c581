"""What the journal keeps: one event for everything that was confirmed. Events are added, never changed."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

Kind = Literal["setup", "played", "answered", "overruled", "corrected", "undone", "redone", "ended"]
KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True)
class Event:
    """One confirmed event of one game.

    `number` counts from 1 within the game and is the only order there is: `at` is the wall clock, which may jump.
    `about` holds, by kind:
      setup                       nothing
      played answered overruled   "player", "turns" (notation; none when overruled)
      corrected                   "entry", and "line": for that entry and each later one "number", "turns", "fits"
      undone redone               "step": the number of the event that was taken back or brought back
      ended                       "winners" (none when the players stopped before the end)
    `packed` is the position after it, or {"likeliest": that, "others": [[weight, position], …]} when something could not
    be seen; for a correction, the list of positions along "line".
    """

    number: int
    kind: Kind
    at: str
    seconds: float = 0.0
    about: Mapping[str, Any] = field(default_factory=dict)
    packed: bytes = b""
    reading: bytes | None = None
    scores: tuple[int, ...] = ()  # after it, so that a list of games needs no unpacking
    turns: int = 0  # played so far, after it

    def about_text(self) -> str:
        return json.dumps(self.about, separators=(",", ":"), ensure_ascii=False, sort_keys=True)

    def scores_text(self) -> str:
        return " ".join(map(str, self.scores))

    def crc(self, game: str) -> int:
        """A checksum over all of it, so that a damaged record is never taken for what was played."""
        plain = (
            f"{game}|{self.number}|{self.kind}|{self.at}|{self.seconds!r}|{self.about_text()}"
            f"|{self.scores_text()}|{self.turns}"
        )
        return zlib.crc32(self.reading or b"", zlib.crc32(self.packed, zlib.crc32(plain.encode())))


@dataclass(frozen=True)
class GameAbout:
    """What stays the same for a whole game. `about`: "names", "colours", "pack", "cards"."""

    id: str
    started: str  # wall clock, ISO 8601 with its offset
    about: Mapping[str, Any]

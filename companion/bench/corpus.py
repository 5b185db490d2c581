"""Recorded games: every reading the camera gave at a press, with what was really played. Kept and judged again.

A file is gzipped JSON lines: the start position first, then one line for each press.
"""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.agreement import agree
from companion.conductor import Shown
from companion.messages import Seen
from companion.referee import Belief, Illegal, Played, judge
from companion.rules import Cards, Position, sample_cards
from vision.reading import Reading


@dataclass(frozen=True)
class Pressed:
    """One press of a recorded game: what was seen, what was played, and the position after it."""

    reading: Reading
    turn: str
    mistake: str | None
    after: Position


class Recorder:
    """Collects the presses of an evening; `save` writes them."""

    def __init__(self, start: Position) -> None:
        self._lines: list[dict[str, Any]] = [{"start": start.to_json()}]

    def add(self, shown: Shown, seen: Seen) -> None:
        if shown.tries:
            return  # the same turn, pressed again
        mistake = shown.press.mistake
        self._lines.append(
            {
                "turn": str(shown.press.turn),
                "mistake": mistake.fault if mistake else None,
                "after": shown.press.position.to_json(),
                "reading": {**seen.reading.to_json(), "ms": {}},
            }
        )

    def save(self, path: Path) -> None:
        text = "\n".join(json.dumps(line, separators=(",", ":")) for line in self._lines)
        # No time stamp inside: the same game gives the same file.
        path.write_bytes(gzip.compress(text.encode(), mtime=0))


def load(path: Path, cards: Cards | None = None) -> tuple[Position, list[Pressed]]:
    """A recorded game: where it started, and its presses."""
    cards = cards or sample_cards()
    first, *lines = (json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().splitlines())
    presses = [
        Pressed(
            Reading.from_json(line["reading"]),
            line["turn"],
            line["mistake"],
            Position.from_json(line["after"], cards),
        )
        for line in lines
    ]
    return Position.from_json(first["start"], cards), presses


def judge_again(start: Position, presses: list[Pressed]) -> Iterator[tuple[Pressed, str]]:
    """Every press with what the referee of today says: "right", "wrong", "caught", "missed", or the kind of verdict.

    After each press the truth is believed, so that one slip does not spoil the rest of the game.
    """
    belief = Belief.of(start)
    for press in presses:
        judgement = judge(belief, press.reading)
        verdict = judgement.verdict
        if press.mistake is not None:
            yield press, "missed" if isinstance(verdict, Played) else "caught"
            continue
        if isinstance(verdict, Played):
            yield press, "right" if agree(verdict.position, press.after) else "wrong"
        else:
            yield press, "fault" if isinstance(verdict, Illegal) else type(verdict).__name__.lower()
        belief = Belief.of(press.after).accepted(press.reading)

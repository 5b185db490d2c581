"""A game for people and for other programs: notation that reads like a chess game, JSON, or a table of scores."""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from companion.journal.events import Event
from companion.journal.record import Link, Record

FORMATS = ("notation", "json", "csv")


def exported(record: Record, events: tuple[Event, ...], form: str) -> str:
    """The whole game as text in one of FORMATS, ending with a line break."""
    match form:
        case "notation":
            return notation(record)
        case "json":
            return json.dumps(document(record, events), ensure_ascii=False, indent=1) + "\n"
        case "csv":
            return scores(record)
        case _:
            raise ValueError(f"{form!r} is not a format of export: {', '.join(FORMATS)}")


def notation(record: Record) -> str:
    """The set-up as comments, then one line for each turn: number, player, the turn, the scores after it."""
    names, start = record.game.about["names"], record.line()[0].position()
    width = max(map(len, names))
    lines = [
        f"# Otys, game {record.game.id}, begun {record.game.started}",
        f"# players: {', '.join(f'{name} ({colour})' for name, colour in _seats(record))}",
        f"# first player: {names[start['first']]}, cards: {record.game.about['pack']}",
        f"# start: {json.dumps(start, ensure_ascii=False, separators=(',', ':'))}",
    ]
    number = 0
    for link in record.line()[1:]:
        for told, turn in enumerate(link.turns or ("(as the players said)",)):
            number += 1
            name = names[((link.player or 0) + told) % len(names)]
            marks = _marks(link)
            ends = told + 1 == (len(link.turns) or 1)
            after = f"  # {' '.join(map(str, link.scores))}{marks}" if ends else ""
            lines.append(f"{number:3}. {name:<{width}}  {turn}{after}")
    lines.append(_result(record, names))
    return "\n".join(lines) + "\n"


def document(record: Record, events: tuple[Event, ...]) -> dict[str, Any]:
    """Everything the journal knows of the game: the line that stands with its positions, and every event."""
    return {
        "id": record.game.id,
        "started": record.game.started,
        "over": record.ended,
        "names": record.game.about["names"],
        "colours": record.game.about["colours"],
        "pack": record.game.about["pack"],
        "cards": record.game.about["cards"],
        "line": [
            {
                "number": link.number,
                "kind": link.kind,
                "player": link.player,
                "turns": list(link.turns),
                "scores": list(link.scores),
                "seconds": link.seconds,
                "fits": link.fits,
                "position": link.position(),
            }
            for link in record.line()
        ],
        "events": [
            {"number": event.number, "kind": event.kind, "at": event.at, "about": dict(event.about)}
            for event in events
        ],
    }


def scores(record: Record) -> str:
    """A row for each turn: its number, who played, how long, and everyone's prestige after it."""
    text = io.StringIO()
    names = record.game.about["names"]
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["entry", "kind", "player", "turn", "seconds", *names])
    for link in record.line():
        player = "" if link.player is None else names[link.player]
        writer.writerow(
            [link.number, link.kind, player, " / ".join(link.turns), f"{link.seconds:.1f}", *link.scores]
        )
    return text.getvalue()


def _seats(record: Record) -> Iterator[tuple[str, str]]:
    return zip(record.game.about["names"], record.game.about["colours"], strict=True)


def _marks(link: Link) -> str:
    corrected = ", corrected" if link.kind == "corrected" else ""
    return corrected + ("" if link.fits else ", no longer fits")


def _result(record: Record, names: list[str]) -> str:
    over = record.position().get("over")
    if over:
        return f"# won by {' and '.join(names[seat] for seat in over['winners'])}"
    return "# stopped before the end" if record.ended else "# to be continued"

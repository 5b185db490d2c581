"""A game as the fold of its events: the line of turns that stands, what can be taken back, what can be brought back.

Pure values and no rule: every event carries the position it led to, so a game of last year reads the same after the
rules engine has learnt something.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.journal.compact import pack, unpack
from companion.journal.events import Event, GameAbout


@dataclass(frozen=True, eq=False, repr=False)
class Link:
    """One entry of the line that stands, chained to the one before."""

    number: int
    kind: str
    player: int | None
    turns: tuple[str, ...]
    scores: tuple[int, ...]
    seconds: float
    packed: bytes
    before: "Link | None"
    fits: bool = True  # False: a correction further up made this turn impossible

    def position(self) -> dict[str, Any]:
        document: dict[str, Any] = unpack(self.packed)
        likeliest: dict[str, Any] = document.get("likeliest", document)
        return likeliest

    def others(self) -> list[tuple[float, dict[str, Any]]]:
        """What else was believed possible, with its weight."""
        return [(weight, other) for weight, other in unpack(self.packed).get("others", ())]


@dataclass(frozen=True, eq=False, repr=False)
class Moment:
    """The game just after one event; undo goes to the moment `before`."""

    number: int
    kind: str
    last: Link
    before: "Moment | None"


@dataclass(frozen=True, eq=False, repr=False)
class _Undone:
    moment: Moment
    next: "_Undone | None"


@dataclass(frozen=True, eq=False, repr=False)
class Record:
    """Everything known of one game. `after` gives the record with one more event; nothing here ever changes."""

    game: GameAbout
    now: Moment
    events: int  # the number of the last event
    turns: int  # played along the line
    _undone: _Undone | None = None
    ended: bool = False

    @property
    def last(self) -> Link:
        return self.now.last

    def position(self) -> dict[str, Any]:
        return self.last.position()

    def line(self) -> tuple[Link, ...]:
        """The set-up and every turn that stands, in order."""
        return tuple(_backwards(self.last))[::-1]

    def entry(self, number: int) -> Link:
        for link in _backwards(self.last):
            if link.number == number:
                return link
        raise ValueError(f"no entry {number} stands in game {self.game.id}")

    def undone(self) -> tuple[Moment, ...]:
        """What redo would bring back, next first."""
        found, undone = [], self._undone
        while undone is not None:
            found.append(undone.moment)
            undone = undone.next
        return tuple(found)

    @property
    def can_undo(self) -> bool:
        return self.now.before is not None

    def after(self, event: Event) -> "Record":
        """Raises ValueError when the event cannot follow."""
        if event.number != self.events + 1:
            raise ValueError(f"event {event.number} cannot follow event {self.events} of game {self.game.id}")
        match event.kind:
            case "played" | "answered" | "overruled":
                link = Link(
                    event.number,
                    event.kind,
                    event.about["player"],
                    tuple(event.about["turns"]),
                    event.scores,
                    event.seconds,
                    event.packed,
                    self.last,
                )
                return self._moved(event, link)
            case "corrected":
                return self._moved(event, _corrected(self.last, event))
            case "undone":
                if self.now.before is None:
                    raise ValueError(f"event {event.number} of game {self.game.id} takes back the set-up")
                return self._at(self.now.before, event, _Undone(self.now, self._undone))
            case "redone":
                if self._undone is None:
                    raise ValueError(
                        f"event {event.number} of game {self.game.id} brings back what was never undone"
                    )
                return self._at(self._undone.moment, event, self._undone.next)
            case "ended":
                return replace(self, events=event.number, ended=True)
            case "setup":
                raise ValueError(f"event {event.number} of game {self.game.id} sets it up a second time")

    def _moved(self, event: Event, last: Link) -> "Record":
        moment = Moment(event.number, event.kind, last, self.now)
        return self._at(moment, event, None)

    def _at(self, moment: Moment, event: Event, undone: _Undone | None) -> "Record":
        return Record(self.game, moment, event.number, _turns(moment.last), undone)


def begin(game: GameAbout, setup: Event) -> Record:
    """The record of a game just set up. Raises ValueError when the first event is anything else."""
    if setup.kind != "setup" or setup.number != 1:
        raise ValueError(
            f"game {game.id} begins with event {setup.number} ({setup.kind}), not with its set-up"
        )
    link = Link(1, "setup", None, (), setup.scores, setup.seconds, setup.packed, None)
    return Record(game, Moment(1, "setup", link, None), 1, 0)


def fold(game: GameAbout, events: tuple[Event, ...]) -> Record:
    """The game its events tell. Raises ValueError when they do not follow from each other."""
    if not events:
        raise ValueError(f"game {game.id} has no events")
    record = begin(game, events[0])
    for event in events[1:]:
        record = record.after(event)
    return record


def _corrected(last: Link, event: Event) -> Link:
    """The line with one entry replaced and the later ones as they were played again after it."""
    later = {link.number: link for link in _backwards(last)}
    changed = later[event.about["entry"]]
    link = changed.before
    for told, position in zip(event.about["line"], unpack(event.packed), strict=True):
        old = later[told["number"]]
        link = Link(
            old.number,
            "corrected" if old is changed and old.kind != "setup" else old.kind,
            old.player,
            tuple(told["turns"]),
            tuple(player["score"] for player in position["players"]),
            old.seconds,
            pack(position),
            link,
            told["fits"],
        )
    if link is None:
        raise ValueError(f"event {event.number} corrects nothing")
    return link


def _backwards(link: Link | None) -> Iterator[Link]:
    while link is not None:
        yield link
        link = link.before


def _turns(last: Link) -> int:
    return sum(len(link.turns) or link.kind == "overruled" for link in _backwards(last))

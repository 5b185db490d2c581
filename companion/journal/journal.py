"""The memory of the evening: what is confirmed is on the disk before it counts, and kept in memory while the disk refuses.

The running game is held in memory as well, event by event, so whatever happens to the file (full disk, a folder that
cannot be written, a damaged page), the next write that works brings everything that is missing.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from secrets import token_hex
from typing import Any

from companion.journal.compact import pack, pack_reading
from companion.journal.events import Event, GameAbout, Kind
from companion.journal.folder import AlreadyRunning, Lock, data_folder
from companion.journal.record import Record, begin, fold
from companion.journal.statistics import PlayerFigures, Result
from companion.journal.store import FILE, DamagedJournal, NewerJournal, Store, means_damage, salvage
from companion.notices import Notice, notice
from companion.state import GameSummary
from vision.reading import Reading


def wall_clock() -> datetime:
    return datetime.now().astimezone()


@dataclass
class _Kept:
    """A game in memory; the first `durable` of its events are on the disk."""

    game: GameAbout
    events: list[Event] = field(default_factory=list)
    durable: int = 0


class Journal:
    """Every game ever confirmed. One process at a time writes; `close` lets the next one in."""

    def __init__(self, folder: Path | None = None, clock: Callable[[], datetime] = wall_clock) -> None:
        """Raises AlreadyRunning when another copy holds the folder; any other trouble is told by `trouble`."""
        self.folder = folder or data_folder()
        self.trouble: Notice | None = None  # why the last write did not reach the disk
        self.found_damaged: Notice | None = None  # a damaged file was put aside; cleared by whoever says it
        self._clock = clock
        self._lock: Lock | None = None
        self._store: Store | None = None
        self._kept: dict[str, _Kept] = {}
        self._refusal: Exception | None = None
        if not self.flush() and isinstance(self._refusal, AlreadyRunning):
            raise self._refusal

    def begin(
        self,
        names: Sequence[str],
        colours: Sequence[str],
        pack_name: str,
        cards: Any,
        position: Mapping[str, Any],
    ) -> Record:
        """A new game: its start is the first event."""
        now = self._clock()
        about = {"names": list(names), "colours": list(colours), "pack": pack_name, "cards": cards}
        game = GameAbout(f"{now:%Y%m%d-%H%M}-{token_hex(2)}", now.isoformat(timespec="seconds"), about)
        setup = Event(1, "setup", game.started, packed=pack(position), scores=_scores(position))
        self._forget_durable()
        self._kept[game.id] = _Kept(game, [setup])
        self.flush()
        return begin(game, setup)

    def add(
        self,
        record: Record,
        kind: Kind,
        about: Mapping[str, Any],
        positions: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        seconds: float = 0.0,
        reading: Reading | None = None,
        others: Sequence[tuple[float, Mapping[str, Any]]] = (),
    ) -> Record:
        """Confirms one event. When it returns and `trouble` is None, the event is on the disk.

        `positions` is the position after it, or the positions along a corrected line; undo, redo and the end have none.
        `others` are positions that are possible too, with their weights.
        """
        after: Mapping[str, Any] | None
        after = positions if positions is None or isinstance(positions, Mapping) else positions[-1]
        event = Event(
            record.events + 1,
            kind,
            self._clock().isoformat(timespec="seconds"),
            round(seconds, 1),
            about,
            _packed(positions, others),
            pack_reading(reading) if reading is not None else None,
            _scores(after) if after is not None else (),
        )
        result = record.after(event)
        event = replace(event, scores=result.last.scores, turns=result.turns)
        self._kept[record.game.id].events.append(event)
        self.flush()
        return record.after(event)

    def open_game(self, game_id: str) -> Record:
        """A game as it stands, ready for more events. Raises ValueError when there is none of that name."""
        if game_id not in self._kept:
            game, events = self._read(game_id)
            self._forget_durable()
            self._kept[game_id] = _Kept(game, list(events), len(events))
        return self.read_game(game_id)

    def read_game(self, game_id: str) -> Record:
        """A game as it stands, to look at. Raises ValueError when there is none of that name."""
        kept = self._kept.get(game_id)
        return fold(kept.game, tuple(kept.events)) if kept else fold(*self._read(game_id))

    def events(self, game_id: str) -> tuple[Event, ...]:
        kept = self._kept.get(game_id)
        return tuple(kept.events) if kept else self._read(game_id)[1]

    def games(self) -> tuple[GameSummary, ...]:
        """Every game, the latest begun first, also those that are in memory only."""
        return tuple(summary(game, last) for game, last in self._last_events())

    def results(self) -> Iterator[Result]:
        """How every game that was played to its end came out."""
        for game, last in self._last_events():
            if last.about.get("winners") and "figures" in last.about:
                yield Result(
                    tuple(game.about["names"]),
                    last.scores,
                    tuple(last.about["winners"]),
                    tuple(PlayerFigures.from_json(figures) for figures in last.about["figures"]),
                )

    def _last_events(self) -> Iterator[tuple[GameAbout, Event]]:
        """Each game with its last event, the latest begun first."""
        for kept in reversed(self._kept.values()):
            if kept.durable == 0:
                yield kept.game, kept.events[-1]
        if self._store is not None:
            for game in reversed(self._store.games()):
                kept_here = self._kept.get(game.id)
                last = kept_here.events[-1] if kept_here else self._store.last_event(game.id)
                if last is not None:
                    yield game, last

    def _forget_durable(self) -> None:
        """What is on the disk need not stay in memory once another game is opened."""
        self._kept = {kept.game.id: kept for kept in self._kept.values() if kept.durable < len(kept.events)}

    @property
    def durable(self) -> bool:
        """Whether everything confirmed is on the disk."""
        return all(kept.durable == len(kept.events) for kept in self._kept.values())

    def flush(self) -> bool:
        """Writes what is missing on the disk; says whether all of it is there now. Never raises for a bad disk."""
        try:
            for again in (True, False):
                try:
                    self._write_missing()
                    break
                except DamagedJournal:
                    self._drop_store()
                    if not again:
                        raise
        except (sqlite3.Error, OSError, ValueError) as error:
            self._drop_store()
            self._refusal = error
            self.trouble = self._why(error)
            return False
        self.trouble = None
        return True

    def close(self) -> None:
        """Everything is on the disk already; this tidies up and lets another copy start."""
        if self._store is not None:
            try:
                self._store.fold_away()
            except sqlite3.Error as error:  # A full disk: the write-ahead file holds it just as well.
                self.trouble = self._why(error)
        self._drop_store()
        self._let_go()

    def _let_go(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _write_missing(self) -> None:
        if self._store is not None and not self._store.is_there:
            # Somebody has deleted or moved the folder: the running game is written whole into a new one.
            self._drop_store()
            self._let_go()
        store = self._store or self._open()
        for kept in self._kept.values():
            for event in kept.events[kept.durable :]:
                try:
                    if event.number == 1:
                        store.add_game(kept.game, event)
                    else:
                        store.add(kept.game.id, event)
                except sqlite3.DatabaseError as error:
                    if means_damage(error):
                        raise DamagedJournal(str(error)) from error
                    raise
                kept.durable = event.number

    def _open(self) -> Store:
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._lock is None:
            self._lock = Lock.take(self.folder)
        try:
            store = Store.open(self.folder)
        except DamagedJournal:
            aside = self._put_aside()
            store = Store.open(self.folder)
            saved = salvage(aside, store)
            self.found_damaged = notice("journal-damaged", file=aside, events=saved)
        # A write that failed may still have reached the disk, and a new file has nothing of the running game.
        for kept in self._kept.values():
            last = store.last_event(kept.game.id)
            kept.durable = last.number if last else 0
        self._store = store
        return store

    def _put_aside(self) -> Path:
        """Renames the damaged file and its companions; never onto a file that is there."""
        stamp, count = f"{self._clock():%Y%m%d-%H%M%S}", 0
        while (aside := self.folder / f"damaged-{stamp}{f'-{count}' if count else ''}.sqlite").exists():
            count += 1
        for suffix in ("-wal", "-shm", ""):
            part = self.folder / (FILE + suffix)
            if part.exists():
                part.rename(aside.with_name(aside.name + suffix))
        return aside

    def _read(self, game_id: str) -> tuple[GameAbout, tuple[Event, ...]]:
        if self._store is None:
            raise ValueError(f"game {game_id} cannot be read just now: {self.trouble}")
        return read_game(self._store, game_id)

    def _drop_store(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    def _why(self, error: Exception) -> Notice:
        if isinstance(error, NewerJournal):
            return notice("journal-newer")
        if isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorname", "") == "SQLITE_FULL":
            return notice("journal-full", folder=self.folder)
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return notice("journal-unwritable", folder=self.folder, why=why)


def read_game(store: Store, game_id: str) -> tuple[GameAbout, tuple[Event, ...]]:
    """One game of a file. Raises ValueError when there is none of that name."""
    for game in store.games():
        if game.id == game_id:
            return game, store.events(game_id)
    raise ValueError(f"no game {game_id} in {store.path}: `games` lists them")


def summary(game: GameAbout, last: Event) -> GameSummary:
    return GameSummary(
        game.id,
        game.started,
        tuple(game.about["names"]),
        tuple(game.about["colours"]),
        last.scores,
        last.turns,
        last.kind == "ended",
    )


def _packed(
    positions: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None,
    others: Sequence[tuple[float, Mapping[str, Any]]],
) -> bytes:
    if positions is None:
        return b""
    if not others:
        return pack(positions)
    return pack({"likeliest": positions, "others": [[round(weight, 6), other] for weight, other in others]})


def _scores(position: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(player["score"] for player in position["players"])

"""The journal's file: SQLite, append-only, each event in a transaction of its own that is on the disk before it counts."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from companion.journal.compact import pack, parse, unpack
from companion.journal.events import KINDS, Event, GameAbout

FILE = "journal.sqlite"
APPLICATION_ID = 0x4F545953  # "OTYS", so that `file` and a curious person know what it is
# A turn's record is about 1.5 KB; on pages of 4 KB every other one would leave half a page unused.
PAGE_BYTES = 8192
# How long a writer waits for a reader's short lock (`export` during a game).
BUSY_MS = 2000

# Migration N leads from version N-1 to N. Never edit one that was released: add the next.
MIGRATIONS = (
    f"""
    CREATE TABLE games (
        id TEXT PRIMARY KEY,
        started TEXT NOT NULL,
        about BLOB NOT NULL
    );
    CREATE TABLE events (
        game TEXT NOT NULL REFERENCES games (id),
        number INTEGER NOT NULL CHECK (number > 0),
        kind TEXT NOT NULL CHECK (kind IN ({", ".join(f"'{kind}'" for kind in KINDS)})),
        at TEXT NOT NULL,
        seconds REAL NOT NULL,
        about TEXT NOT NULL,
        packed BLOB NOT NULL,
        reading BLOB,
        scores TEXT NOT NULL,
        turns INTEGER NOT NULL,
        UNIQUE (game, number)
    );
    CREATE TRIGGER games_stay BEFORE UPDATE ON games BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
    CREATE TRIGGER games_kept BEFORE DELETE ON games BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
    CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
    CREATE TRIGGER events_kept BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
    """,
    # A checksum for each event; those written before have none and are taken as they are.
    "ALTER TABLE events ADD COLUMN crc INTEGER;",
)
VERSION = len(MIGRATIONS)
_EVENT = "number, kind, at, seconds, about, packed, reading, scores, turns, crc"


class DamagedJournal(ValueError):
    """The file is there and is not a whole journal."""


class NewerJournal(ValueError):
    """Written by a later version of the program: not ours to touch."""


class Store:
    """One open journal file. Methods raise sqlite3.Error when the disk does not do as asked."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._db = connection
        self.path = path
        self._file = _identity(path)

    @classmethod
    def open(cls, folder: Path) -> "Store":
        """Opens or creates the file, checks that it is whole and brings it to the current version.

        Raises DamagedJournal, NewerJournal, or sqlite3.Error when it cannot be read or written at all.
        """
        path = folder / FILE
        # Opened by the thread that starts the companion, used by its worker, closed when the worker has ended: one at a time.
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            db.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
            db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA foreign_keys = ON")
            _check(db, path)
            _migrate(db)
        except sqlite3.DatabaseError as error:
            db.close()
            if not means_damage(error):
                raise
            raise DamagedJournal(f"{path} is damaged: {error}") from error
        except ValueError:
            db.close()
            raise
        return cls(db, path)

    @classmethod
    def open_to_read(cls, folder: Path) -> "Store":
        """For looking at past games, also while a game is running and also in a folder that cannot be written."""
        path = folder / FILE
        if not path.is_file():
            raise FileNotFoundError(f"no game was ever kept in {folder}")
        address = path.absolute().as_uri()
        try:
            db = sqlite3.connect(f"{address}?mode=ro", uri=True, isolation_level=None)
            db.execute("SELECT count(*) FROM games")
        except sqlite3.OperationalError:
            # Without the right to write its neighbour files, SQLite reads a WAL journal only as one that never changes.
            db = sqlite3.connect(f"{address}?immutable=1", uri=True, isolation_level=None)
        try:
            _check(db, path)
        except sqlite3.DatabaseError as error:
            raise DamagedJournal(f"{path} is damaged: {error}") from error
        return cls(db, path)

    def close(self) -> None:
        self._db.close()

    @property
    def is_there(self) -> bool:
        """Whether the file is still in its place. One that was deleted or moved takes what is written, and keeps nothing."""
        return self._file is not None and _identity(self.path) == self._file

    def add_game(self, game: GameAbout, first: Event) -> None:
        """A game and its set-up in one transaction: there is no game without a start."""
        with self._transaction():
            self._db.execute(
                "INSERT INTO games (id, started, about) VALUES (?, ?, ?)",
                (game.id, game.started, pack(game.about)),
            )
            self._insert(game.id, first)

    def add(self, game: str, event: Event) -> None:
        """When it returns, the event is on the disk."""
        with self._transaction():
            self._insert(game, event)

    def games(self) -> tuple[GameAbout, ...]:
        """In the order they were begun."""
        rows = self._db.execute("SELECT id, started, about FROM games ORDER BY rowid")
        return tuple(GameAbout(game, started, unpack(about)) for game, started, about in rows)

    def events(self, game: str) -> tuple[Event, ...]:
        """By number. Raises DamagedJournal at the first one whose checksum is wrong."""
        return tuple(self.each_event(game))

    def each_event(self, game: str) -> Iterator[Event]:
        columns = _EVENT if self.version >= 2 else _EVENT.replace("crc", "NULL")
        rows = self._db.execute(f"SELECT {columns} FROM events WHERE game = ? ORDER BY number", (game,))
        for row in rows:
            yield _event(game, row, self.path)

    def last_event(self, game: str) -> Event | None:
        columns = _EVENT if self.version >= 2 else _EVENT.replace("crc", "NULL")
        row = self._db.execute(
            f"SELECT {columns} FROM events WHERE game = ? ORDER BY number DESC LIMIT 1", (game,)
        ).fetchone()
        return _event(game, row, self.path) if row else None

    @property
    def version(self) -> int:
        version: int = self._db.execute("PRAGMA user_version").fetchone()[0]
        return version

    def fold_away(self) -> None:
        """Moves what the write-ahead file holds into the main file, which is all a person needs to copy."""
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def _insert(self, game: str, event: Event) -> None:
        self._db.execute(
            f"INSERT INTO events (game, {_EVENT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                game,
                event.number,
                event.kind,
                event.at,
                event.seconds,
                event.about_text(),
                event.packed,
                event.reading,
                event.scores_text(),
                event.turns,
                event.crc(game),
            ),
        )


def _check(db: sqlite3.Connection, path: Path) -> None:
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise NewerJournal(
            f"{path} was written by a newer version of the companion ({version}, this one knows {VERSION}): "
            "update the companion"
        )
    found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise DamagedJournal(f"{path} is damaged: {found}")


def _migrate(db: sqlite3.Connection) -> None:
    """Each step and its version number in one transaction: a power cut leaves the old version or the new."""
    for version in range(db.execute("PRAGMA user_version").fetchone()[0], VERSION):
        db.executescript(
            f"BEGIN IMMEDIATE; {MIGRATIONS[version]} PRAGMA user_version = {version + 1}; "
            f"PRAGMA application_id = {APPLICATION_ID}; COMMIT;"
        )


def _event(game: str, row: tuple[Any, ...], path: Path) -> Event:
    number, kind, at, seconds, about, packed, reading, scores, turns, crc = row
    event = Event(
        number=number,
        kind=kind,
        at=at,
        seconds=seconds,
        about=parse(about),
        packed=packed,
        reading=reading,
        scores=tuple(map(int, scores.split())),
        turns=turns,
    )
    if crc is not None and crc != event.crc(game):
        raise DamagedJournal(f"{path} is damaged: event {number} of game {game} is not what was written")
    return event


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_dev, about.st_ino


def means_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite says that the file, not the disk, is at fault."""
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))


def salvage(damaged: Path, into: Store) -> int:
    """Copies every whole game, and the whole beginning of every other, out of a damaged file. Returns how many events."""
    saved = 0
    with closing(sqlite3.connect(damaged, isolation_level=None)) as db:
        old = Store(db, damaged)
        try:
            games = old.games()
        except (sqlite3.DatabaseError, ValueError):
            return 0
        for game in games:
            events = _whole_beginning(old, game.id)
            for event in events:
                if event.number == 1:
                    into.add_game(game, event)
                else:
                    into.add(game.id, event)
            saved += len(events)
    return saved


def _whole_beginning(store: Store, game: str) -> list[Event]:
    """The events of a game up to the first that cannot be read; the damaged file is kept for a closer look."""
    whole: list[Event] = []
    try:
        for event in store.each_event(game):
            if event.number != len(whole) + 1:
                break
            whole.append(event)
    except (sqlite3.DatabaseError, ValueError):
        return whole
    return whole

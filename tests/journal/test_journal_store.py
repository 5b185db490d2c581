"""The journal's file: append-only, versioned, checked."""

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from played_games import begin, documents, play, table_reading, whole_game

from companion.journal.compact import pack_reading, unpack_reading
from companion.journal.journal import Journal
from companion.journal.store import FILE, MIGRATIONS, VERSION, DamagedJournal, NewerJournal, Store


@pytest.mark.parametrize(
    "change", ["UPDATE events SET seconds = 0", "DELETE FROM events", "DELETE FROM games"]
)
def test_nothing_written_can_be_changed(tmp_path: Path, change: str) -> None:
    journal = Journal(tmp_path)
    play(journal, begin(journal), 2)
    journal.close()
    refused = pytest.raises(sqlite3.IntegrityError, match="append-only")
    with closing(sqlite3.connect(tmp_path / FILE)) as db, refused:
        db.execute(change)


def test_every_commit_waits_for_the_disk(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)
    store.close()


def test_a_journal_of_version_1_is_brought_up_to_date_with_everything_in_it(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    record = play(journal, begin(journal), 5)
    journal.close()
    old = tmp_path / "old"
    old.mkdir()
    with closing(sqlite3.connect(old / FILE)) as db:
        db.executescript(f"{MIGRATIONS[0]} PRAGMA user_version = 1;")
        db.execute("ATTACH ? AS new", (str(tmp_path / FILE),))
        db.execute("INSERT INTO games SELECT * FROM new.games")
        db.execute(
            "INSERT INTO events SELECT game, number, kind, at, seconds, about, packed, reading, scores, turns FROM new.events"
        )
        db.commit()
    assert Store.open_to_read(old).version == 1
    journal = Journal(old)
    assert journal.trouble is None
    again = journal.open_game(record.game.id)
    assert documents(again) == documents(record)
    assert play(journal, again, 1).turns == 6
    assert journal.durable
    journal.close()
    store = Store.open(old)
    assert store.version == VERSION
    assert len(store.events(record.game.id)) == 7
    store.close()


def test_a_journal_of_a_newer_version_is_not_touched(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("CREATE TABLE wonders (id)")
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(NewerJournal, match="update the companion"):
        Store.open(tmp_path)
    journal = Journal(tmp_path)
    assert journal.trouble and journal.trouble.id == "journal-newer"
    play(journal, begin(journal), 1)
    journal.close()
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        assert db.execute("SELECT name FROM sqlite_schema").fetchall() == [("wonders",)]
    assert before[:16] == (tmp_path / FILE).read_bytes()[:16]


def test_a_record_that_was_tampered_with_is_noticed(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    record = play(journal, begin(journal), 3)
    journal.close()
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("DROP TRIGGER events_stay")
        db.execute("UPDATE events SET scores = '9 9 9' WHERE number = 3")
        db.commit()
    with pytest.raises(DamagedJournal, match="event 3"):
        Store.open_to_read(tmp_path).events(record.game.id)


def test_past_games_can_be_read_while_one_is_played(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    record = play(journal, begin(journal), 3)
    reader = Store.open_to_read(tmp_path)
    assert len(reader.events(record.game.id)) == 4
    play(journal, record, 1)
    assert len(reader.events(record.game.id)) == 5
    reader.close()


def test_past_games_can_be_read_where_nothing_can_be_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "home")
    record = whole_game(journal)
    journal.close()
    shutil.copy(tmp_path / "home" / FILE, tmp_path / FILE)
    (tmp_path / f"{FILE}-shm").mkdir()  # in the way of the file SQLite would write beside it
    store = Store.open_to_read(tmp_path)
    assert store.events(record.game.id)[-1].kind == "ended"


def test_a_wall_clock_that_jumps_back_changes_neither_order_nor_durations(tmp_path: Path) -> None:
    evening = datetime(2026, 11, 16, 21, 0, tzinfo=UTC)
    times = iter(evening - timedelta(hours=hour) for hour in range(100))
    journal = Journal(tmp_path, clock=lambda: next(times))
    first = whole_game(journal, seed=1)
    second = play(journal, begin(journal, seed=2), 2, seed=2)
    assert [game.id for game in journal.games()] == [second.game.id, first.game.id]
    journal.close()
    journal = Journal(tmp_path, clock=lambda: evening)
    assert [game.id for game in journal.games()] == [second.game.id, first.game.id]
    again = journal.open_game(first.game.id)
    assert documents(again) == documents(first)
    assert {link.seconds for link in again.line()[1:]} == {12.5}


def test_the_list_of_games_shows_scores_turns_and_whether_it_is_over(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    over = whole_game(journal)
    record = play(journal, begin(journal, 2), 4, 2)
    running, past = journal.games()
    assert (past.over, past.turns, past.scores) == (True, over.turns, over.last.scores)
    assert (running.over, running.turns, running.names) == (False, 4, ("Ana", "Ben", "Cleo"))
    journal.add(record, "undone", {"step": record.now.number})
    assert journal.games()[0].turns == 3


def test_a_reading_is_kept_small_and_close_enough() -> None:
    reading = table_reading()
    packed = pack_reading(reading)
    assert len(packed) < 2500
    again = unpack_reading(packed)
    assert again.hidden == reading.hidden
    assert again.boards["red"].corners_px[0] == (412.0, 301.0)
    for slot, labels in reading.tiles.items():
        assert again.best(slot) == reading.best(slot)
        for label, p in labels.items():
            assert abs(again.tiles[slot].get(label, 0.0) - p) <= 0.0101
    for slot in reading.counts:
        assert again.best(slot) == reading.best(slot)

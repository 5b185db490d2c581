"""Full disks, folders that cannot be written, damaged files, two copies: a sentence, and nothing is lost."""

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from played_games import begin, documents, play, played_game, table_reading, whole_game

from companion.journal.folder import AlreadyRunning, data_folder
from companion.journal.journal import Journal
from companion.journal.store import FILE, PAGE_BYTES, Store


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    """The disk, as far as this process can tell, has no room beyond this."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)


def test_on_a_full_disk_the_game_goes_on_in_memory_and_is_written_when_there_is_room(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    record = play(journal, begin(journal), 3)
    with no_file_longer_than(PAGE_BYTES + 1000):
        record = play(journal, record, 10, reading=table_reading())
        assert not journal.durable
        assert journal.trouble is not None
        assert "The game goes on in memory" in str(journal.trouble)
        assert not journal.flush()
        assert len(journal.events(record.game.id)) == 14
    assert journal.flush()
    assert journal.trouble is None
    record = play(journal, record, 1)
    journal.close()
    again = Journal(tmp_path).open_game(record.game.id)
    assert documents(again) == documents(record)


def test_sqlites_own_word_for_a_full_disk_is_understood(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    record = begin(journal)
    assert journal._store is not None
    db = journal._store._db
    db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0]}")
    record = play(journal, record, 30, reading=table_reading())
    assert record.turns == 30
    journal._store and journal._store._db.execute("PRAGMA max_page_count = 1000000")
    journal.flush()
    assert journal.durable
    journal.close()
    assert Journal(tmp_path).open_game(record.game.id).turns == 30


def test_the_sentence_names_the_folder_that_is_full(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorname = "SQLITE_FULL"
    assert (
        str(journal._why(error)) == f"The disk is full. The game goes on in memory; make room in {tmp_path}."
    )


def test_a_folder_that_cannot_be_written_keeps_the_game_in_memory_until_it_can(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.write_text("in the way")
    journal = Journal(folder)
    assert journal.trouble is not None and journal.trouble.id == "journal-unwritable"
    assert str(folder) in str(journal.trouble)
    record = whole_game(journal)
    second = play(journal, begin(journal, 2), 2, 2)
    assert [game.id for game in journal.games()] == [second.game.id, record.game.id]
    assert documents(journal.open_game(record.game.id)) == documents(record)
    folder.unlink()
    assert journal.flush()
    journal.close()
    journal = Journal(folder)
    assert documents(journal.open_game(record.game.id)) == documents(record)
    assert documents(journal.open_game(second.game.id)) == documents(second)


def test_a_folder_deleted_during_the_game_gets_the_whole_game_again(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    journal = Journal(folder)
    record = play(journal, begin(journal), 3)
    shutil.rmtree(folder)
    record = play(journal, record, 1)
    assert journal.trouble is None and journal.durable
    with pytest.raises(AlreadyRunning):
        Journal(folder)
    journal.close()
    assert documents(Journal(folder).open_game(record.game.id)) == documents(record)


def test_a_read_only_file_is_told_and_not_lost(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    record = play(journal, begin(journal), 3)
    assert journal._store is not None
    journal._store._db.execute("PRAGMA query_only = ON")  # what a card with its lock on answers to a write
    record = play(journal, record, 1)
    assert journal.trouble is not None and "readonly" in str(journal.trouble)
    record = play(journal, record, 1)
    assert journal.trouble is None
    journal.close()
    assert Journal(tmp_path).open_game(record.game.id).turns == 5


@pytest.mark.parametrize("where", ["header", "middle", "cut"])
def test_a_damaged_file_is_put_aside_whole_and_what_can_be_read_is_kept(tmp_path: Path, where: str) -> None:
    journal = Journal(tmp_path)
    records = [whole_game(journal), play(journal, begin(journal, 2), 30, 2, table_reading())]
    journal.close()
    file = tmp_path / FILE
    content = bytearray(file.read_bytes())
    if where == "header":
        content[:100] = b"\xff" * 100
    elif where == "middle":
        content[len(content) // 2 : len(content) // 2 + 20_000] = b"\xff" * 20_000
    else:
        del content[len(content) // 2 :]
    file.write_bytes(content)
    journal = Journal(tmp_path)
    assert journal.trouble is None
    assert journal.found_damaged is not None and journal.found_damaged.id == "journal-damaged"
    aside = Path(dict(journal.found_damaged.values)["file"])
    assert aside.read_bytes() == bytes(content)
    for game in journal.games():
        kept = documents(journal.open_game(game.id))
        whole = next(documents(record) for record in records if record.game.id == game.id)
        assert kept == whole[: len(kept)]
    if where == "header":
        assert journal.games() == ()
    assert play(journal, begin(journal, 3), 2, 3).turns == 2
    assert journal.durable


def test_a_file_damaged_during_the_game_costs_nothing_of_that_game(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    record = play(journal, begin(journal), 5)
    assert journal._store is not None
    journal._store.close()
    for part in tmp_path.glob(f"{FILE}*"):
        part.write_bytes(b"\xff" * 50_000)
    record = play(journal, record, 2)
    journal.flush()
    assert journal.durable
    assert journal.found_damaged is not None
    journal.close()
    assert documents(Journal(tmp_path).open_game(record.game.id)) == documents(record)


def test_a_second_copy_is_refused_with_a_sentence_and_the_first_goes_on(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    record = play(journal, begin(journal), 2)
    with pytest.raises(
        AlreadyRunning, match=rf"another companion \(process {os.getpid()}\) is already running"
    ):
        Journal(tmp_path)
    started = subprocess.run(
        [sys.executable, "-c", "from companion.journal.journal import Journal; Journal()"],
        env=os.environ | {"OTYS_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "close it first" in started.stderr
    assert play(journal, record, 1).turns == 3
    journal.close()
    assert Journal(tmp_path).open_game(record.game.id).turns == 3


def test_a_write_that_failed_after_it_reached_the_disk_is_not_written_twice(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    record = play(journal, begin(journal), 3)
    journal._kept[record.game.id].durable = 2
    journal._drop_store()
    assert journal.flush()
    assert len(Store.open_to_read(tmp_path).events(record.game.id)) == 4


def test_the_folder_is_the_users_data_folder_unless_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OTYS_DATA", str(tmp_path / "elsewhere"))
    assert data_folder() == tmp_path / "elsewhere"
    monkeypatch.delenv("OTYS_DATA")
    assert data_folder().name == "otys-companion"


def test_a_whole_game_is_small_on_the_disk(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    turns = len(played_game()[1])
    play(journal, begin(journal), turns, reading=table_reading())
    journal.close()
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        assert db.execute("SELECT count(*) FROM events").fetchone()[0] == turns + 1
    assert (tmp_path / FILE).stat().st_size / turns <= 4096

"""The process is killed at random instants of a running game: what was confirmed is there, whole, and goes on."""

import os
import select
import signal
from pathlib import Path
from random import Random

from played_games import begin, played_game, table_reading

from companion.journal.journal import Journal
from companion.journal.record import Record
from companion.rules import Position

KILLS = 200
LONGEST_S = 0.03  # from the start, or from the first event told, to the end: some die before they have opened the file
SEED = 4


def keep_playing(folder: Path, told: int) -> None:
    """A companion at work: goes on with the last game, and tells each event once it is confirmed."""
    journal = Journal(folder)
    games = journal.games()
    record = journal.open_game(games[0].id) if games and not games[0].over else begin(journal, SEED)
    rng = Random(os.getpid())
    reading = table_reading()
    while True:
        record = next_event(journal, record, rng, reading)
        assert journal.durable
        os.write(told, f"{record.game.id} {record.events}\n".encode())


def next_event(journal: Journal, record: Record, rng: Random, reading: object) -> Record:
    turns = played_game(SEED)[1]
    if record.turns == len(turns):
        journal.add(record, "ended", {"winners": record.position()["over"]["winners"]})
        return begin(journal, SEED)
    if record.can_undo and rng.random() < 0.2:
        return journal.add(record, "undone", {"step": record.now.number})
    if record.undone() and rng.random() < 0.5:
        return journal.add(record, "redone", {"step": record.undone()[0].number})
    turn, position = turns[record.turns]
    about = {"player": record.position()["to_play"], "turns": [str(turn)]}
    return journal.add(record, "played", about, position.to_json(), 5.0, reading)  # type: ignore[arg-type]


def killed_after(folder: Path, seconds: float, at_work: bool) -> list[tuple[str, int]]:
    """Runs a companion in a process of its own, kills it, and returns what it had told by then.

    The time runs from its start, or when it must be `at_work` from its first confirmed event.
    """
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reads)
            keep_playing(folder, writes)
        finally:
            os._exit(1)
    os.close(writes)
    if at_work:
        select.select([reads], [], [])
    select.select([], [], [], seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the companion ended by itself"
    with os.fdopen(reads) as pipe:
        lines = [line.split() for line in pipe.read().splitlines()]
    return [(game, int(number)) for game, number in lines]


def test_killed_at_200_random_instants_no_confirmed_event_is_lost_and_none_is_half_written(
    tmp_path: Path,
) -> None:
    played_game(SEED)
    rng, confirmed, events = Random(7), {}, 0
    for kill in range(KILLS):
        told = killed_after(tmp_path, rng.random() * LONGEST_S, at_work=kill % 2 == 0)
        confirmed |= dict(told)
        journal = Journal(tmp_path)
        assert journal.trouble is None and journal.found_damaged is None
        kept = {game.id: journal.open_game(game.id) for game in journal.games()}
        journal.close()
        for game, number in confirmed.items():
            assert kept[game].events >= number
        for record in kept.values():
            line = record.line()
            expected = [played_game(SEED)[0], *(position for _, position in played_game(SEED)[1])]
            assert record.turns == len(line) - 1
            assert Position.from_json(record.position()) == expected[record.turns]
        events = sum(record.events for record in kept.values())
    assert events >= sum(confirmed.values())
    assert events >= KILLS // 2

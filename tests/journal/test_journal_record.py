"""A game is the fold of its events."""

from pathlib import Path

import pytest
from played_games import begin, documents, play, played_game, whole_game

from companion.journal.events import Event
from companion.journal.journal import Journal
from companion.journal.record import fold


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path)


def test_the_position_after_each_turn_is_what_was_played(journal: Journal) -> None:
    record = play(journal, begin(journal), 8)
    start, turns = played_game()
    assert documents(record) == [start.to_json(), *(position.to_json() for _, position in turns[:8])]
    assert [link.player for link in record.line()] == [None, 0, 1, 2, 0, 1, 2, 0, 1]


def test_undo_goes_back_to_the_set_up_and_redo_forward_again(journal: Journal) -> None:
    record = play(journal, begin(journal), 4)
    after = documents(record)
    for left in (4, 3, 2, 1):
        assert len(record.line()) == left + 1
        record = journal.add(record, "undone", {"step": record.now.number})
    assert documents(record) == after[:1]
    assert not record.can_undo
    assert [moment.last.number for moment in record.undone()] == [2, 3, 4, 5]
    for _ in range(4):
        record = journal.add(record, "redone", {"step": record.undone()[0].number})
    assert documents(record) == after
    assert record.undone() == ()


def test_a_new_turn_forgets_what_was_undone(journal: Journal) -> None:
    record = play(journal, begin(journal), 3)
    record = journal.add(record, "undone", {"step": record.now.number})
    record = play(journal, record, 1)
    assert record.undone() == ()
    assert record.turns == 3
    assert documents(record)[-1] == played_game()[1][2][1].to_json()


def test_the_set_up_cannot_be_taken_back(journal: Journal) -> None:
    record = begin(journal)
    with pytest.raises(ValueError, match="takes back the set-up"):
        record.after(Event(2, "undone", "2026-11-16T20:00:00+01:00"))


def test_events_that_do_not_follow_are_refused(journal: Journal) -> None:
    record = play(journal, begin(journal), 2)
    events = journal.events(record.game.id)
    with pytest.raises(ValueError, match="event 3 cannot follow event 1"):
        fold(record.game, (events[0], events[2]))
    with pytest.raises(ValueError, match="not with its set-up"):
        fold(record.game, events[1:])


def test_undo_after_the_end_opens_the_game_again(journal: Journal) -> None:
    record = whole_game(journal)
    assert record.ended
    record = journal.add(record, "undone", {"step": record.now.number})
    assert not record.ended
    assert "over" not in record.position()


def test_undo_takes_back_a_correction_as_one_step(journal: Journal) -> None:
    record = play(journal, begin(journal), 3)
    before = documents(record)
    richer = record.position()
    richer["players"][0]["credits"] += 1
    about = {"entry": 4, "line": [{"number": 4, "turns": list(record.last.turns), "fits": True}]}
    record = journal.add(record, "corrected", about, [richer])
    assert documents(record) == [*before[:3], richer]
    assert record.last.kind == "corrected"
    record = journal.add(record, "undone", {"step": record.now.number})
    assert documents(record) == before


def test_a_record_reads_the_same_after_it_was_written_and_read(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    record = play(journal, begin(journal), 10)
    record = journal.add(record, "undone", {"step": record.now.number})
    journal.close()
    again = Journal(tmp_path).open_game(record.game.id)
    assert documents(again) == documents(record)
    assert [moment.number for moment in again.undone()] == [moment.number for moment in record.undone()]
    assert again.game == record.game

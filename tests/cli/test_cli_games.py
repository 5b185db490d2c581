"""`games`, `replay` and `export` on a journal of two games."""

import csv
import json
from pathlib import Path
from random import Random

import pytest

from companion.cli import main
from companion.journal.journal import Journal
from companion.rules import choose_turn, new_game, sample_cards


@pytest.fixture
def ids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two games of three turns each; the first was stopped, the second is running."""
    monkeypatch.setenv("OTYS_DATA", str(tmp_path / "data"))
    journal = Journal()
    found = []
    for seed in (1, 2):
        position = new_game(seed)
        record = journal.begin(
            ("Ana", "Ben", "Cleo"),
            ("red", "blue", "green"),
            "otys-sample",
            sample_cards().to_json(),
            position.to_json(),
        )
        for _ in range(3):
            turn, player = choose_turn(position, Random(seed)), position.to_play
            position = position.play_turn(turn)
            about = {"player": player, "turns": [str(turn)]}
            record = journal.add(record, "played", about, position.to_json(), 10.0)
        if seed == 1:
            journal.add(record, "ended", {"winners": []})
        found.append(record.game.id)
    journal.close()
    return found


def test_games_lists_the_latest_first(ids: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    running, over = capsys.readouterr().out.splitlines()
    assert running.startswith(ids[1]) and "running" in running
    assert over.startswith(ids[0]) and "over" in over and "  3 turns" in over


def test_games_as_json_is_one_document(ids: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [game["id"] for game in told] == ids[::-1]
    assert told[0]["names"] == ["Ana", "Ben", "Cleo"]


def test_without_any_game_the_list_is_empty_and_says_where_it_looked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OTYS_DATA", str(tmp_path / "nowhere"))
    assert main(["games"]) == 0
    assert str(tmp_path / "nowhere") in capsys.readouterr().out
    assert main(["games", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert main(["replay", "last"]) == 2
    assert not (tmp_path / "nowhere").exists()


def test_replay_shows_a_line_for_each_turn(ids: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", ids[0]]) == 0
    lines = capsys.readouterr().out.splitlines()
    turns = [line for line in lines if not line.startswith("#")]
    assert [line.split()[:2] for line in turns] == [["1.", "Ana"], ["2.", "Ben"], ["3.", "Cleo"]]
    assert lines[-1] == "# stopped before the end"


def test_last_and_the_beginning_of_an_id_name_a_game(
    ids: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", "last"]) == 0
    last = capsys.readouterr().out
    assert ids[1] in last
    assert main(["replay", ids[1][:-1]]) == 0
    assert capsys.readouterr().out == last
    assert main(["replay", ids[1][:4]]) == 2
    assert "write more of it" in capsys.readouterr().err


def test_a_game_that_is_not_there_is_one_line_and_exit_code_2(
    ids: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "1999"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1 and "no game '1999'" in captured.err


def test_export_writes_scores_as_a_table(ids: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", ids[0], "--format", "csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [row["player"] for row in rows] == ["", "Ana", "Ben", "Cleo"]


def test_export_never_replaces_a_file_without_being_told(
    ids: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "game.json"
    out.write_text("precious")
    command = ["export", ids[0], "--format", "json", "--out", str(out)]
    assert main(command) == 2
    assert out.read_text() == "precious"
    assert "--force" in capsys.readouterr().err
    assert main([*command, "--force"]) == 0
    assert "replaced" in capsys.readouterr().err
    assert json.loads(out.read_text())["id"] == ids[0]


def test_games_can_be_read_while_another_is_being_played(
    ids: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    journal = Journal()
    assert main(["games"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    journal.close()

"""`simulate` on the command line: what it refuses, and in how many words."""

import json

import pytest

from companion.cli import main

BASE = ["simulate", "--seed", "1", "--players", "2", "--turns", "1"]


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        (["--size", "huge"], "write it as 4608x2592"),
        (["--size", "320x180"], "from 640"),
        (["--conditions", "foggy"], "foggy"),
        (["--mistakes", "2"], "2"),
    ],
)
def test_a_bad_option_is_one_line_and_exit_code_2(tmp_path, capsys, extra, says):
    assert main([*BASE, "--out", str(tmp_path / "new"), *extra]) == 2
    err = capsys.readouterr().err
    assert says in err and err.count("\n") == 1 and not (tmp_path / "new").exists()


def test_five_players_are_too_many(tmp_path, capsys):
    assert main(["simulate", "--out", str(tmp_path), "--seed", "1", "--players", "5", "--turns", "1"]) == 2
    assert "players" in capsys.readouterr().err


def test_a_folder_that_holds_something_is_refused(tmp_path, capsys):
    (tmp_path / "precious.txt").write_text("mine")
    assert main([*BASE, "--out", str(tmp_path)]) == 2
    assert "not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["precious.txt"]


def test_it_writes_a_game(tmp_path, capsys):
    out = tmp_path / "game"
    assert main([*BASE, "--out", str(out), "--size", "640x360", "--conditions", "easy"]) == 0
    assert "1 frames" in capsys.readouterr().out
    line = json.loads((out / "truth.jsonl").read_text())
    assert line["player"] == 0 and line["turn"] and (out / line["file"]).is_file()

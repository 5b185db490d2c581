import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.cli import referee as command
from companion.referee import expected
from companion.rules import SEATS, Turn, new_game
from vision.reading import BoardSeen, Reading

PACK = 'version = 1\ngame = "otys"\n[boards.colony]\nsize_mm = [280, 210]\n'


def sure(position):
    """A reading without a doubt, as JSON would carry it."""
    tiles = {slot: {c: 1.0} for slot, c in expected(position).items() if isinstance(c, str)}
    counts = {
        slot: {label: {number: 1.0} for label, number in c.items()}
        for slot, c in expected(position).items()
        if isinstance(c, dict)
    }
    return Reading({"colony": BoardSeen(True)}, tiles, counts, ms={"locate": 1.0, "read": 2.0})


class Eyes:
    """In place of vision: reads the frames in the order they come."""

    def __init__(self, readings):
        self.readings = list(readings)

    def look(self, bgr, boards, name):
        return self.readings.pop(0)


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    """A game of two frames: one turn played, one shown wrong."""
    start = new_game(3, SEATS[:2])
    first = next(step for step in start.steps() if str(step).startswith("key"))
    after = start.play_turn(Turn.parse(f"{first} dive:cube"))
    wrong = after.play_turn(Turn.parse("key2 dive"))
    wrong = wrong.with_player(1, score=7)
    (tmp_path / "frames").mkdir()
    for name in ("000.png", "001.png"):
        cv2.imwrite(str(tmp_path / "frames" / name), np.zeros((8, 8, 3), np.uint8))
    (tmp_path / "start.json").write_text(json.dumps(start.to_json()), encoding="utf-8")
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "pack.toml").write_text(PACK, encoding="utf-8")
    eyes = Eyes([sure(after), sure(wrong)])
    monkeypatch.setattr(command.Looker, "load", classmethod(lambda cls, pack_dir: eyes))
    return tmp_path


def run(recorded, *more):
    start = str(recorded / "start.json")
    return CliRunner().invoke(
        command.referee, [str(recorded), "--pack", str(recorded / "pack"), "--start", start, *more]
    )


def test_a_recorded_game_is_judged_frame_by_frame(recorded):
    result = run(recorded, "--json")
    documents = json.loads(result.stdout)
    assert [document["file"] for document in documents] == ["frames/000.png", "frames/001.png"]
    assert [document["verdict"] for document in documents] == ["played", "illegal"]
    assert documents[0]["turn"].startswith("key1")
    assert documents[1]["faults"][0]["id"] == "score-wrong"
    assert "7" in documents[1]["faults"][0]["text"]
    assert documents[1]["position"] == documents[0]["position"]
    assert set(documents[0]["ms"]) == {"locate", "read", "judge"}


def test_people_read_one_line_for_each_frame(recorded):
    lines = run(recorded).stdout.splitlines()
    assert lines[0].startswith("frames/000.png  played")
    assert "should stand on" in lines[1]


def test_a_folder_without_pictures_is_said_in_one_line(tmp_path, capsys):
    (tmp_path / "start.json").write_text("{}", encoding="utf-8")
    assert main(["referee", str(tmp_path), "--start", str(tmp_path / "start.json")]) == 2
    assert "no picture in it" in capsys.readouterr().err


def test_a_start_that_is_no_json_is_said_in_one_line(recorded, capsys):
    (recorded / "start.json").write_text("not json", encoding="utf-8")
    arguments = ["referee", str(recorded), "--pack", str(recorded / "pack")]
    assert main([*arguments, "--start", str(recorded / "start.json")]) == 2
    error = capsys.readouterr().err
    assert "start.json is not JSON" in error
    assert error.count("\n") == 1


def test_a_pack_of_another_game_has_no_referee(recorded, capsys):
    text = PACK.replace('"otys"', '"words"')
    (recorded / "pack" / "pack.toml").write_text(text, encoding="utf-8")
    start = str(recorded / "start.json")
    assert main(["referee", str(recorded), "--pack", str(recorded / "pack"), "--start", start]) == 2
    assert "is not of Otys (game = 'words')" in capsys.readouterr().err


def test_a_start_that_is_no_position_is_named_with_its_file(recorded, capsys):
    start = recorded / "start.json"
    start.write_text("{}", encoding="utf-8")
    assert main(["referee", str(recorded), "--pack", str(recorded / "pack"), "--start", str(start)]) == 2
    assert f"{start}: position: 'to_play' is missing" in capsys.readouterr().err


def test_a_start_that_is_not_there_is_said_before_a_pack_is_opened(recorded, capsys):
    nowhere = str(recorded / "nowhere.json")
    assert main(["referee", str(recorded), "--pack", "no-such-pack", "--start", nowhere]) == 2
    assert f"cannot read {nowhere}" in capsys.readouterr().err

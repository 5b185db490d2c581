"""`rules` on the command line."""

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.rules import Cards, Game, Position, new_game, sample_cards, turns


@pytest.fixture
def start(tmp_path: Path) -> Path:
    path = tmp_path / "start.json"
    path.write_text(json.dumps(new_game(seed=3).to_json()), encoding="utf-8")
    return path


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_turns_prints_each_distinct_position_with_a_turn(
    start: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "turns", str(start)]) == 0
    printed = [json.loads(line) for line in lines(capsys)]
    assert all(set(entry) == {"turn", "position"} for entry in printed)
    expected = {json.dumps(after.to_json()) for _, after in turns(new_game(seed=3))}
    assert {json.dumps(entry["position"]) for entry in printed} == expected
    assert len(printed) == len(expected)


def test_play_prints_the_position_after_a_turn(start: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "play", str(start), "x3 dive"]) == 0
    (line,) = lines(capsys)
    position = Position.from_json(json.loads(line))
    assert position.to_play == 1 and position.players[0].track == ("X",)


@pytest.mark.parametrize(
    ("turn", "complaint"),
    [
        ("n3 dive", "cannot play n3: Ana has no neutral X key, in round 1, Ana to play"),
        ("key3 jump", "step 2 of 'key3 jump': 'jump' is not a step"),
        ("key3", "every turn has a dive step"),
    ],
)
def test_play_says_in_one_line_why_a_turn_is_illegal(
    start: Path, turn: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "play", str(start), turn]) == 2
    captured = capsys.readouterr()
    assert complaint in captured.err and captured.err.count("\n") == 1 and captured.out == ""


def test_perft_counts(start: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "perft", str(start)]) == 0
    assert [json.loads(line) for line in lines(capsys)] == [
        {"depth": 1, "positions": len(list(turns(new_game(seed=3))))}
    ]


def test_new_sets_up_the_game_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--seed", "5", "--players", "4", "--edition", "de", "--variant", "--sponsors", "mixed"]
    assert main(["rules", "new", *options]) == 0
    (line,) = lines(capsys)
    position = Position.from_json(json.loads(line))
    assert len(position.players) == 4 and position.rules.german and position.rules.spy_variant
    assert any(sponsor.endswith("a") for sponsor in position.sponsors)


def test_new_plays_a_whole_game_in_notation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "new", "--seed", "2", "--players", "2", "--play"]) == 0
    text = capsys.readouterr().out
    *_, last = Game.parse(text).positions()
    assert last.over is not None and str(Game.parse(text)) == text


def test_cards_of_an_own_copy_are_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = Cards.from_json(
        {
            "contracts": [{"id": f"own{i}", "need": "m", "points": 1, "bonus": ""} for i in range(8)],
            "rewards": list(sample_cards().rewards),
        }
    )
    cards = tmp_path / "cards.json"
    cards.write_text(json.dumps(own.to_json()), encoding="utf-8")
    assert main(["rules", "new", "--cards", str(cards)]) == 0
    (line,) = lines(capsys)
    assert json.loads(line)["public"][0].startswith("own")
    start = tmp_path / "start.json"
    start.write_text(line, encoding="utf-8")
    assert main(["rules", "perft", str(start), "--cards", str(cards)]) == 0
    capsys.readouterr()
    assert main(["rules", "perft", str(start)]) == 2
    assert "is not among the 32 contract cards" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "cannot read"),
        (b"{", "is not JSON"),
        (b"\xff\xfe\x00", "is not text"),
        (b"{}", "position: 'to_play' is missing"),
        (b"[]", "position: expected an object"),
    ],
)
def test_a_file_that_is_no_position_is_named_in_one_line(
    tmp_path: Path, content: bytes | None, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.json"
    if content is not None:
        path.write_bytes(content)
    assert main(["rules", "turns", str(path)]) == 2
    error = capsys.readouterr().err
    assert complaint in error and error.count("\n") == 1

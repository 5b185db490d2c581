"""Whole games kept as text and replayed line by line."""

from pathlib import Path

import pytest

from companion.rules import Game

GAMES = sorted(Path(__file__).parent.joinpath("golden").glob("*.txt"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_golden_game_replays_to_the_same_scores(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    game = Game.parse(text)
    assert str(game) == text, "rounds, scores and winners are written beside each turn"
    *_, last = game.positions()
    assert last.over is not None


def test_the_golden_games_cover_players_sides_editions_and_the_variant() -> None:
    starts = [Game.parse(path.read_text(encoding="utf-8")).start for path in GAMES]
    assert {len(start.players) for start in starts} == {2, 3, 4}
    assert {start.rules.edition for start in starts} == {"fr", "de"}
    assert {start.rules.spy_variant for start in starts} == {True, False}
    assert {sponsor for start in starts for sponsor in start.sponsors} == {
        n + a for n in "12345" for a in ("", "a")
    }
    played = " ".join(path.read_text(encoding="utf-8") for path in GAMES)
    for word in (
        "contract:",
        "oxygen",
        "propel:",
        "dive:left/",
        "explore=",
        "sell=",
        "buy=",
        "draw=",
        "take=",
        " n",
    ):
        assert word in played

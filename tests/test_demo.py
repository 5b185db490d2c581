"""The line that the demo writes for each press."""

from companion.conductor import Outcome, Shown
from companion.demo import in_words
from companion.referee import Played
from companion.rules import Position, Turn, new_game
from companion.state import Entry, Game, Mode, Over, Playing, State
from hardware.simulated.press import Press


def _line(believed: Position, turn: str, outcome: Outcome, mode: Mode) -> str:
    """What is said of a press by which the game that was believed in came to `mode`."""
    played = Turn.parse(turn)
    entries = (
        Entry(1, "played", 0, (played,), (0, 0)),
        Entry(2, "ended", None, (), (0, 0)),
    )
    # The table itself knows which cards were drawn, and would not allow a turn that leaves it open.
    press = Press(0, played, new_game(5), believed, {})
    after = State(mode, Game("g", believed, history=entries))
    return in_words(Shown(press, outcome, after, 0.0, State(Playing(), Game("g", believed))))


def _with_spy_on_level_1() -> Position:
    """Nobody has seen the deck."""
    game = new_game(5)
    divers = game.player.divers
    spy = next(diver for diver in divers if diver.startswith("spy"))
    others = [diver for diver in divers if diver != spy]
    return game._replace(deck=None, bag=None).with_player(
        0, divers=(*others[:3], spy, *others[3:]), credits=3
    )


def test_points_of_a_contract_are_said_after_a_card_nobody_has_seen_was_drawn() -> None:
    game = _with_spy_on_level_1()
    card = game.cards.contracts[0].id
    turn = f"key1 dive:draw=? contract:{card}@1"
    played = Played((Turn.parse(turn),), game, 1.0)
    assert f"contract {card} for {game.cards[card].points}" in _line(game, turn, "played", Playing(played))


def test_the_last_turn_is_told_too() -> None:
    line = _line(new_game(5), "key1 dive", "over", Over())
    assert "key 1" in line and line.split("  [")[0].endswith("; the game is over")

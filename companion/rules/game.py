"""A whole game as text: the start position, then one line for each turn, to be kept and read like a chess game."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from companion.rules.cards import Cards
from companion.rules.errors import MalformedNotation, RulesError
from companion.rules.position import Position
from companion.rules.turn import Turn

_LINE = re.compile(r"(?P<round>\d+) (?P<name>.+?): (?P<turn>.+)")


@dataclass(frozen=True)
class Game:
    """A start position between turns and the turns played from it. `str(game)` writes it, `Game.parse` reads it.

    >>> from companion.rules import Turn, new_game
    >>> game = Game(new_game(seed=1), (Turn.parse("key3 dive"),))
    >>> Game.parse(str(game)) == game
    True
    """

    start: Position
    turns: tuple[Turn, ...] = ()

    def positions(self) -> Iterator[Position]:
        """The start and the position after each turn; an illegal turn raises IllegalStep."""
        position = self.start
        yield position
        for turn in self.turns:
            position = position.play_turn(turn)
            yield position

    def __str__(self) -> str:
        lines = [f"start {json.dumps(self.start.to_json(), ensure_ascii=False)}"]
        positions = list(self.positions())
        for before, turn, after in zip(positions, self.turns, positions[1:], strict=False):
            scores = " ".join(str(player.score) for player in after.players)
            lines.append(f"{before.round} {before.player.name}: {turn}  # {scores}")
        last = positions[-1]
        if last.over is not None:
            lines.append(f"# won by {' and '.join(last.players[winner].name for winner in last.over)}")
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str, cards: Cards | None = None) -> "Game":
        """Reads and replays a game; '#' begins a comment, and an error names the line."""
        position: Position | None = None
        start, turns = None, []
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            try:
                if position is None or start is None:
                    start = position = _read_start(line, cards)
                else:
                    turn = _read_turn(line, position)
                    position = position.play_turn(turn)
                    turns.append(turn)
            except RulesError as error:
                raise MalformedNotation(f"line {number}: {error}") from error
        if start is None:
            raise MalformedNotation("a game begins with a line 'start {…}' that holds its first position")
        return cls(start, tuple(turns))


def _read_start(line: str, cards: Cards | None) -> Position:
    word, _, document = line.partition(" ")
    if word != "start":
        raise MalformedNotation(f"expected 'start' and the first position, got {line[:40]!r}")
    try:
        position = Position.from_json(json.loads(document), cards)
    except (json.JSONDecodeError, RecursionError) as error:
        raise MalformedNotation(f"the first position is not JSON: {error}") from error
    if position.progress is not None:
        raise MalformedNotation("a game begins between turns, this position is in the middle of one")
    return position


def _read_turn(line: str, position: Position) -> Turn:
    match = _LINE.fullmatch(line.partition("  #")[0].strip())
    if match is None:
        raise MalformedNotation(f"expected 'round name: turn', got {line!r}")
    if (int(match["round"]), match["name"]) != (position.round, position.player.name):
        raise MalformedNotation(
            f"round {match['round']}, {match['name']} does not come here:"
            f" it is round {position.round}, {position.player.name} to play"
        )
    return Turn.parse(match["turn"])

"""A table to test on: three players, everything plain, and cards whose ids say what they need."""

from typing import Any

from companion.rules import SEATS, Cards, Player, Position, Rules, Store, Turn

CARDS = Cards.from_json(
    {
        "contracts": [
            {"id": "mp", "need": "mp", "points": 2, "bonus": ""},
            {"id": "ppm", "need": "mpp", "points": 3, "bonus": ""},
            {"id": "f-credit", "need": "f", "points": 1, "bonus": "c"},
            {"id": "t-battery", "need": "t", "points": 1, "bonus": "b"},
            {"id": "ft-both", "need": "ft", "points": 2, "bonus": "cb"},
            {"id": "free21", "need": [2, 1], "points": 4, "bonus": ""},
            {"id": "free111", "need": [1, 1, 1], "points": 5, "bonus": ""},
            *({"id": f"big{i}", "need": "mmpfft", "points": 5, "bonus": ""} for i in range(8)),
        ],
        "rewards": ["battery:credits"] * 16 + ["prestige:prestige"] * 16,
    }
)
DIVERS = ("trader", "spy", "engineer", "metal", "plant", "fuel", "tech", "explorer")  # metal at level 1


def table(
    players: int = 3, rules: Rules | None = None, me: dict[str, Any] | None = None, **changes: Any
) -> Position:
    """A position; `me` changes the player to play, the rest the position."""
    seats = tuple(
        Player(name, colour, 0, 3, 1, (1, 2, 3, 4, 5, "X"), 0, (), 0, 0, DIVERS, ("",) * 5, (None,) * 5, ())
        for name, colour in SEATS[:players]
    )
    position = Position(
        rules=rules or Rules(),
        to_play=0,
        first=0,
        round=3,
        players=seats,
        sponsors=("1", "2", "3", "4", "5"),
        display=(("battery:credits", "prestige:prestige"),) * 5,
        store=Store(),
        public=("big0", "big1", "big2")[: 2 if players == 2 else 3],
        supply_x=12,
        deck=("big3", "big4", "big5", "big6", "big7"),
        bag=("battery:credits", "prestige:prestige"),
        reward_discard=(),
        over=None,
        progress=None,
        cards=CARDS,
    )
    position = position._replace(**changes)
    return position.with_player(position.to_play, **(me or {}))


def column(at: dict[int, str]) -> tuple[str, ...]:
    """A column with these tiles at these levels (0, -1, -2 upwards from the surface), the others in usual order."""
    named = {tile.removesuffix("+") for tile in at.values()}
    rest = iter(diver for diver in DIVERS if diver not in named)
    return tuple(at[place - 2] if place - 2 in at else next(rest) for place in range(8))


def after(position: Position, turn: str) -> Position:
    """The position after a turn, or after the steps of an unfinished one."""
    from companion.rules import Dive, parse_steps

    steps = parse_steps(turn)
    if any(isinstance(step, Dive) for step in steps):
        return position.play_turn(Turn.parse(turn))
    for step in steps:
        position = position.play(step)
    return position


def me_after(position: Position, turn: str) -> Player:
    """The player who played, after the turn."""
    return after(position, turn).players[position.to_play]

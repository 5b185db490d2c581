"""Steps, turns and games as text."""

import pytest
from rules_tables import table

from companion.rules import (
    Dive,
    Game,
    IllegalStep,
    MalformedNotation,
    Sell,
    Turn,
    new_game,
    parse_step,
    parse_steps,
)

STEPS = [
    "key3",
    "x2",
    "n2",
    "propel:metal+2",
    "propel:spy-1",
    "sponsor:credit",
    "sponsor:free",
    "sponsor:double",
    "sponsor:reward=1",
    "sponsor:take=4",
    "sponsor:take=X",
    "sponsor:resurface",
    "sponsor:upgrade=spy",
    "sponsor:battery",
    "sponsor:move=m3>1",
    "sponsor:swap=m3<>p1",
    "sponsor:reward=3.2",
    "sponsor:reward=1/draw=c09",
    "sponsor:reward=2/upgrade=spy",
    "sponsor:reward=2/none",
    "sponsor:reward=1/m",
    "dive",
    "dive:cube",
    "dive:bonus",
    "dive:cube+bonus",
    "dive:cube+take=2",
    "dive:take=2",
    "dive:take=X",
    "dive:sell=m/credits",
    "dive:sell=m/prestige",
    "dive:buy=f",
    "dive:draw=c09",
    "dive:draw=?",
    "dive:left/cube",
    "dive:right/sell=m/credits",
    "dive:engineer=hacker",
    "dive:engineer=mechanic",
    "dive:explore=2",
    "dive:explore=2/m",
    "dive:left/explore=1/draw=?",
    "dive:explore=1/none",
    "contract:c04@5",
    "contract:c11@4=mmp",
    "oxygen",
    "oxygen:left",
    "oxygen:right",
    "end",
]


@pytest.mark.parametrize("text", STEPS)
def test_every_step_is_written_as_it_is_read(text: str) -> None:
    assert str(parse_step(text)) == text


@pytest.mark.parametrize(
    "text",
    ["key6", "x0", "propel:spy0", "propel:cook+1", "dive:", "dive:cubebonus", "dive:+bonus", "dive:cube+", "dive:bonus+cube",
     "dive:explore=3", "dive:explore=1/", "dive:left/", "sponsor:explore=1", "sponsor:take=N", "contract:c04", "contract:c04@6",
     "oxygen:up", "Key3", ""],
)  # fmt: skip
def test_what_is_no_step_is_refused(text: str) -> None:
    with pytest.raises(MalformedNotation, match="is not a step"):
        parse_step(text)


def test_the_error_names_the_step_that_cannot_be_read() -> None:
    with pytest.raises(MalformedNotation, match=r"step 2 of 'key3 dive:cub dive': 'dive:cub'"):
        parse_steps("key3 dive:cub dive")


def test_the_cubes_of_a_free_contract_may_come_in_any_order() -> None:
    assert str(parse_step("contract:c11@4=pmm")) == "contract:c11@4=mmp"


def test_a_turn_is_one_line_and_shows_itself() -> None:
    turn = Turn.parse("  key3   dive:sell=m/credits ")
    assert str(turn) == "key3 dive:sell=m/credits"
    assert turn.steps[1] == Dive(Sell("m", "credits"))
    assert eval(repr(turn), {"Turn": Turn}) == turn and hash(Turn.parse(str(turn))) == hash(turn)
    assert Turn(parse_steps("key3 dive end")) == Turn.parse("key3 dive"), "the end is left out"


def test_a_turn_without_a_dive_is_refused() -> None:
    with pytest.raises(MalformedNotation, match="every turn has a dive"):
        Turn.parse("key3 sponsor:credit")


def test_an_illegal_step_says_what_why_and_where() -> None:
    with pytest.raises(IllegalStep) as caught:
        table().play_turn(Turn.parse("key1 dive:sell=m/credits"))
    assert str(caught.value) == (
        "cannot play dive:sell=m/credits: that is not what the metal at level 1 does, in round 3, Ana to play, so far: key1"
    )


def test_a_game_is_read_as_it_is_written() -> None:
    game = Game(new_game(seed=1), (Turn.parse("key3 dive"), Turn.parse("x1 dive")))
    text = str(game)
    assert text.splitlines()[1] == "1 Ana: key3 dive  # 0 0 0"
    assert Game.parse(text) == game and str(Game.parse(text)) == text
    assert Game.parse(f"# a comment\n\n{text}") == game


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda text: text.replace("1 Ben: x1", "1 Cleo: x1"), "line 3: round 1, Cleo does not come here: it is round 1, Ben"),
        (lambda text: text.replace("x1 dive", "x1"), "line 3: 'x1' is not a turn"),
        (lambda text: text.replace("x1 dive", "n1 dive"), "line 3: cannot play n1: Ben has no neutral X key"),
        (lambda text: text.partition("\n")[2], "line 1: expected 'start'"),
        (lambda text: text.replace("start {", "start ", 1), "not JSON"),
        (lambda text: "", "a game begins with"),
    ],
)  # fmt: skip
def test_a_game_that_cannot_be_replayed_names_the_line(change: object, complaint: str) -> None:
    text = str(Game(new_game(seed=1), (Turn.parse("key3 dive"), Turn.parse("x1 dive"))))
    with pytest.raises(MalformedNotation, match=complaint):
        Game.parse(change(text))  # type: ignore[operator]

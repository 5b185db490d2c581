"""Fingers, buttons and a camera that do anything at any time: nothing breaks, and the journal tells the same game."""

from pathlib import Path
from random import Random

import pytest
from session_tables import ToldReferee, reading_of

from companion import actions
from companion.journal.figures import cards_of
from companion.journal.journal import Journal
from companion.messages import (
    CameraBack,
    CameraLost,
    CannotSee,
    Message,
    Pressed,
    Seen,
    Tapped,
    Tick,
    UndoHeld,
    Watch,
)
from companion.referee import (
    Answer,
    Ask,
    Belief,
    Fault,
    Illegal,
    Misplaced,
    Played,
    Unchanged,
    Unclear,
    Verdict,
)
from companion.rules import Cards, Position, Rules, choose_turn, new_game, sample_cards
from companion.session import Session
from companion.state import Seat, Welcome
from vision.reading import Reading

ACTIONS = sorted(value for name, value in vars(actions).items() if name.isupper() and value != actions.LEAVE)
AWAY = (
    actions.BACK,
    actions.END_GAME,
    actions.NEW_GAME,
    actions.CALIBRATE,
    actions.PAST_GAMES,
    actions.SETTINGS,
)
AT_THE_TABLE = [action for action in ACTIONS if action not in AWAY]
VALUES = (
    None,
    0,
    1,
    2,
    7,
    -1,
    "de",
    "red",
    "last",
    True,
    (0, 1),
    (1, "Zoë"),
    (0, "green"),
    ("3", True),
    ("language", "fr"),
)
SLOTS = (("colony.contract.1", "c09"), ("red.tray", {"credit": 5}), ("red.diver.1", "spy"), ("nowhere", "m"))


class MoodyReferee(ToldReferee):
    """Any verdict, at random; those that play a turn play a legal one."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self.rng = rng

    def judge(self, belief: Belief, reading: Reading) -> tuple[Verdict, Belief]:
        position = belief.likeliest
        if position.over is not None:
            return Unchanged(), belief
        turn = choose_turn(position, self.rng)
        after = position.play_turn(turn)
        verdicts: tuple[Verdict, ...] = (
            Unchanged(),
            Ask("turn", (Answer(turn, after, 1.0),)),
            Illegal((Fault("no-key", ("red.key.1",)),), self.rng.choice((None, Answer(turn, after, 0.0)))),
            Unclear(("red.zone.1",), "a hand"),
        )
        verdict = self.rng.choice((*verdicts, *[Played((turn,), after, 1.0)] * 4))
        return verdict, Belief.of(after) if isinstance(verdict, Played) else belief

    def as_it_lies(self, belief: Belief, reading: Reading) -> Position:
        return belief.likeliest.play_turn(choose_turn(belief.likeliest, self.rng))

    def read_start(
        self, reading: Reading, seats: tuple[Seat, ...], first: int, rules: Rules, cards: Cards
    ) -> tuple[Position, tuple[Misplaced, ...]]:
        start = new_game(self.rng.randrange(9), [(seat.name, seat.colour) for seat in seats], rules, cards)
        return start._replace(first=first, to_play=first), ()


def anything(rng: Random, session: Session, now_s: float) -> Message:
    """Whatever a table of children may do, with a leaning towards getting a game going and keeping it going."""
    game, mode = session.state.game, session.state.mode
    if game is None and rng.random() < 0.5:
        resumable = isinstance(mode, Welcome) and mode.resumable is not None
        towards = (
            actions.RESUME if resumable else actions.NEW_GAME,
            actions.NEXT,
            actions.START,
            actions.BACK,
        )
        return Tapped(rng.choice(towards))
    table = game.position if game else new_game(1)
    away = rng.random() < 0.05
    tap = rng.choice(ACTIONS if away else AT_THE_TABLE)
    return rng.choice(
        (
            Pressed(rng.randrange(4)),
            Pressed(table.to_play),
            Tick(now_s),
            Seen(reading_of(table)),
            Seen(reading_of(table)),
            UndoHeld() if rng.random() < 0.3 else Tapped(actions.REDO),
            Watch(rng.choice(("hand", "still", "watching"))),
            rng.choice((CameraLost("cable"), CameraBack(), CannotSee("dark"))),
            *(Tapped(tap, rng.choice((*VALUES, *SLOTS))) for _ in range(3)),
            *(Tapped(actions.CHOOSE_STEP, rng.randrange(12)) for _ in range(3)),
            Tapped(actions.ENTERED),
            Tapped(actions.RESTORED),
            Tapped(actions.ANSWER, 0),
        )
    )


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_pressed_tapped_and_seen_nothing_breaks_and_nothing_is_lost(
    tmp_path: Path, seed: int
) -> None:
    rng = Random(seed)
    journal = Journal(tmp_path)
    session = Session(journal, lambda pack: sample_cards(), MoodyReferee(rng))
    for action in (actions.NEW_GAME, actions.NEXT, actions.NEXT):
        session.handle(Tapped(action))
    session.handle(Seen(reading_of(new_game(1))))
    session.handle(Tapped(actions.START))
    for number in range(500):
        session.handle(anything(rng, session, number * 0.7))
        game = session.state.game
        if game is not None:
            assert game.position.progress is None
            assert len(game.history) >= 1
    assert journal.durable
    games = journal.games()
    assert sum(len(journal.events(game.id)) for game in games) > 1
    journal.close()
    again = Journal(tmp_path)
    assert again.games() == games
    for summary in games:
        record = again.read_game(summary.id)
        Position.from_json(record.position(), cards_of(record))
        assert record.last.scores == summary.scores
    game = session.state.game
    if game is not None:
        record = again.read_game(game.id)
        assert Position.from_json(record.position()) == game.position
        assert [link.number for link in record.line()] == [entry.number for entry in game.history]
    again.close()

"""A table for the session's tests: readings of known positions, and a referee that says what the test tells it."""

from pathlib import Path
from random import Random
from typing import Any

from companion import actions
from companion.journal.journal import Journal
from companion.messages import Effect, Look, Message, Pressed, Seen, Tapped, Tick
from companion.referee import Answer, Belief, Misplaced, Played, Verdict, expected, misplaced
from companion.rules import Cards, Position, Rules, Turn, choose_turn, new_game, sample_cards
from companion.session import Session
from companion.state import Seat
from vision.reading import BoardSeen, Reading

SQUARE = ((0.0, 0.0), (100.0, 0.0), (100.0, 80.0), (0.0, 80.0))


def reading_of(position: Position, shift: dict[str, float] | None = None) -> Reading:
    """The table exactly as it stands; `shift` moves boards by that many pixels."""
    tiles: dict[str, dict[str, float]] = {}
    counts: dict[str, dict[str, dict[int, float]]] = {}
    for slot, content in expected(position).items():
        if isinstance(content, dict):
            counts[slot] = {label: {number: 1.0} for label, number in content.items()}
        elif content is not None:
            tiles[slot] = {content: 1.0}
    boards = {
        name: BoardSeen(True, tuple((x + (shift or {}).get(name, 0.0), y) for x, y in SQUARE))
        for name in ("colony", *(player.colour for player in position.players))
    }
    return Reading(boards, tiles, counts)


class ToldReferee:
    """Answers each look with the next verdict the test has put in."""

    def __init__(self) -> None:
        self.verdicts: list[Verdict] = []
        self.lies: Position | None = None
        self.start: tuple[Position, tuple[Misplaced, ...]] = (new_game(1), ())
        self.judged_from: list[Position] = []
        self.beliefs: list[Belief] = []  # the same with what goes with the positions
        self.believes: Belief | None = None  # after a verdict that changes nothing

    def judge(self, belief: Belief, reading: Reading) -> tuple[Verdict, Belief]:
        self.judged_from.append(belief.likeliest)
        self.beliefs.append(belief)
        verdict = self.verdicts.pop(0)
        if isinstance(verdict, Played):
            return verdict, Belief.of(verdict.position)
        return verdict, self.believes or belief

    def answered(self, belief: Belief, answer: Answer) -> Belief:
        return Belief.of(answer.position)

    def as_it_lies(self, belief: Belief, reading: Reading) -> Position:
        assert self.lies is not None
        return self.lies

    def misplaced(self, position: Position, reading: Reading) -> tuple[Misplaced, ...]:
        return misplaced(position, reading)

    def read_start(
        self, reading: Reading, seats: tuple[Seat, ...], first: int, rules: Rules, cards: Cards
    ) -> tuple[Position, tuple[Misplaced, ...]]:
        return self.start


class Table:
    """A session with a hand on every button."""

    def __init__(self, folder: Path, camera: bool = True, seed: int = 1, **options: Any) -> None:
        self.folder = folder
        self.referee = ToldReferee()
        self.journal = Journal(folder)
        self.session = Session(
            self.journal, lambda pack: sample_cards(), self.referee, camera=camera, **options
        )
        self.now_s = 0.0
        self.rng = Random(seed)
        self.effects: list[Effect] = []

    def do(self, message: Message) -> tuple[Effect, ...]:
        effects = self.session.handle(message)
        self.effects += effects
        return effects

    def tap(self, action: str, value: Any = None) -> tuple[Effect, ...]:
        return self.do(Tapped(action, value))

    def wait(self, seconds: float, step_s: float = 0.25) -> None:
        end = self.now_s + seconds
        while self.now_s < end:
            self.now_s += step_s
            self.do(Tick(self.now_s))

    @property
    def state(self) -> Any:
        return self.session.state

    @property
    def mode(self) -> Any:
        return self.session.state.mode

    @property
    def position(self) -> Position:
        assert self.session.state.game is not None
        return self.session.state.game.position

    def start(self, position: Position | None = None) -> Position:
        """Sets up a game, by default a random one, and starts it."""
        start = (position or new_game(1)).as_seen_at_table()
        self.tap(actions.NEW_GAME)
        for _ in start.players[2:]:
            self.tap(actions.ADD_SEAT)
        for seat, player in enumerate(start.players):
            if self.mode.seats[seat].name != player.name:
                self.tap(actions.NAME_SEAT, (seat, player.name))
        self.tap(actions.NEXT)
        self.tap(actions.NEXT)
        self.referee.start = (start, ())
        self.do(Seen(reading_of(start)))
        self.tap(actions.START)
        return self.position

    def next_turn(self, position: Position | None = None) -> tuple[Turn, Position]:
        position = position or self.position
        turn = choose_turn(position, self.rng)
        return turn, position.play_turn(turn)

    def play(self, count: int = 1) -> None:
        """Turns pressed, seen and judged."""
        for _ in range(count):
            turn, after = self.next_turn()
            self.wait(2)
            self.press_and_see(Played((turn,), after, 0.99), after)

    def press_and_see(self, verdict: Verdict, table: Position | None = None, **shift: float) -> None:
        self.do(Pressed(self.position.to_play))
        self.referee.verdicts.append(verdict)
        self.do(Seen(reading_of(table or self.position, shift), b"jpeg"))

    def enter(self, count: int = 1) -> None:
        """Turns entered by touch."""
        for _ in range(count):
            turn, _after = self.next_turn()
            self.tap(actions.ENTER_TURN)
            for step in turn.steps:
                self.tap(actions.CHOOSE_STEP, self.mode.choices.index(step))
            self.tap(actions.ENTERED)

    def again(self, **options: Any) -> "Table":
        """The power cut: another session on the same folder."""
        self.journal.close()
        return Table(self.folder, **options)


def looks(effects: tuple[Effect, ...], live: bool = False) -> int:
    """How many looks were asked for, each at the boards in play."""
    asked = [effect for effect in effects if isinstance(effect, Look) and effect.live == live]
    assert all("colony" in look.boards for look in asked)
    return len(asked)

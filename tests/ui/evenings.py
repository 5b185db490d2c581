"""An evening for the tests: the real session with a journal, a referee that says what the test tells it, a finger."""

from pathlib import Path
from random import Random

from fingers import Finger

from companion import actions
from companion.journal.journal import Journal
from companion.messages import Message, Pressed, Seen, Tick
from companion.referee import Answer, Belief, Misplaced, Played, Verdict, expected, misplaced
from companion.rules import Cards, Position, Rules, Turn, choose_turn, new_game, sample_cards
from companion.session import Session
from companion.state import Seat, State
from companion.ui.window import Touchscreen
from vision.reading import BoardSeen, Reading


def reading_of(position: Position) -> Reading:
    """The table exactly as it stands."""
    tiles: dict[str, dict[str, float]] = {}
    counts: dict[str, dict[str, dict[int, float]]] = {}
    for slot, content in expected(position).items():
        if isinstance(content, dict):
            counts[slot] = {label: {number: 1.0} for label, number in content.items()}
        elif content is not None:
            tiles[slot] = {content: 1.0}
    square = ((0.0, 0.0), (100.0, 0.0), (100.0, 80.0), (0.0, 80.0))
    names = ("colony", *(player.colour for player in position.players))
    return Reading({name: BoardSeen(True, square) for name in names}, tiles, counts)


class ToldReferee:
    """Answers each look with the verdict the test has put in."""

    def __init__(self) -> None:
        self.verdict: Verdict | None = None

    def judge(self, belief: Belief, reading: Reading) -> tuple[Verdict, Belief]:
        assert self.verdict is not None
        verdict = self.verdict
        return verdict, Belief.of(verdict.position) if isinstance(verdict, Played) else belief

    def answered(self, belief: Belief, answer: Answer) -> Belief:
        return Belief.of(answer.position)

    def as_it_lies(self, belief: Belief, reading: Reading) -> Position:
        turn = choose_turn(belief.likeliest, Random(5))
        return belief.likeliest.play_turn(turn)

    def misplaced(self, position: Position, reading: Reading) -> tuple[Misplaced, ...]:
        return misplaced(position, reading)

    def read_start(
        self, reading: Reading, seats: tuple[Seat, ...], first: int, rules: Rules, cards: Cards
    ) -> tuple[Position, tuple[Misplaced, ...]]:
        return new_game(seed=7, players=[(seat.name, seat.colour) for seat in seats], rules=rules), ()


class Evening:
    """Messages go to the session, its states to the screen, all in one thread."""

    def __init__(self, touchscreen: Touchscreen, folder: Path, camera: bool = True) -> None:
        self.touchscreen, self.camera = touchscreen, camera
        self.referee = ToldReferee()
        self.session = Session(Journal(folder), lambda pack: sample_cards(), self.referee, camera=camera)
        self.now_s = 0.0
        self.random = Random(3)
        self.finger = Finger(touchscreen)
        self.show()

    @property
    def state(self) -> State:
        return self.session.state

    @property
    def position(self) -> Position:
        assert self.state.game is not None
        return self.state.game.position

    def hear(self, message: Message) -> None:
        self.now_s += 20.0
        self.session.handle(Tick(self.now_s))
        self.session.handle(message)
        self.show()

    def show(self) -> None:
        self.touchscreen.show(self.state)
        self.touchscreen.settle(2)

    def start_game(self, players: int = 2) -> None:
        """Through set-up as it comes, quickly."""
        press = self.finger.press
        press(actions.NEW_GAME)
        for _ in range(4):
            if len(self.state.mode.seats) < players:  # type: ignore[union-attr]
                press(actions.ADD_SEAT)
        press(actions.NEXT)
        press(actions.NEXT)
        if self.camera:
            self.look()
        press(actions.START)

    def look(self) -> None:
        """The camera sees a table that stands as it should."""
        start = new_game(seed=7) if self.state.game is None else self.position
        self.hear(Seen(reading_of(start)))

    def turn(self) -> Turn:
        return choose_turn(self.position, self.random)

    def press_button(self, verdict: Verdict) -> None:
        """A player presses the button, and the referee says this about what the camera saw."""
        self.referee.verdict = verdict
        self.hear(Pressed(self.position.to_play))
        self.hear(Seen(reading_of(self.position)))

    def play_turn(self) -> None:
        turn = self.turn()
        self.press_button(Played((turn,), self.position.play_turn(turn), 0.99))

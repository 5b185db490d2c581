"""What the session remembers between two messages, and the few things every screen may do with it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from companion.journal.events import Kind
from companion.journal.journal import Journal
from companion.journal.podium import is_last_round, podium
from companion.journal.record import Link, Record
from companion.messages import Effect, Expect, Lights, Look, Sound, StopLooking
from companion.notices import Notice, notice
from companion.referee import Answer, Belief, Misplaced, Verdict
from companion.rules import Cards, Position, Rules, Turn
from companion.session.reminders import standing
from companion.state import (
    Asking,
    Entering,
    Entry,
    Faulted,
    Game,
    Hidden,
    Mode,
    Over,
    Playing,
    Restoring,
    Seat,
    Settings,
    SettingUp,
    State,
    Welcome,
)
from vision.reading import Reading


@dataclass(frozen=True)
class Timing:
    """Seconds, on the clock of Tick."""

    # A camera that was asked and says nothing at all for this long is taken for gone: people look up after five.
    silence_s: float = 4.0
    # ... but for this long while it reads: a small computer that looks for every board anew says nothing meanwhile.
    reading_s: float = 20.0
    # A second press of a player whose turn was just confirmed is a bouncing or leaning finger, not a question.
    bounce_s: float = 1.0
    # What was just played stays on the screen at least this long, though the hand that played may still be there.
    verdict_s: float = 2.0
    # How often a journal that could not be written is tried again.
    retry_s: float = 5.0
    # Time between two ticks counts as silence up to here: a machine that slept is not a camera that hangs.
    longest_tick_s: float = 1.0


class Referee(Protocol):
    """What the session asks of the referee; `companion.session.referee` is the one of the house."""

    def judge(self, belief: Belief, reading: Reading) -> tuple[Verdict, Belief]:
        """What was played since, and what is believed after it."""

    def answered(self, belief: Belief, answer: Answer) -> Belief:
        """What is believed once the players have said which it was."""

    def as_it_lies(self, belief: Belief, reading: Reading) -> Position:
        """The position the table shows, right or wrong, with the next player to play."""

    def misplaced(self, position: Position, reading: Reading) -> tuple[Misplaced, ...]:
        """What does not stand where it belongs."""

    def read_start(
        self, reading: Reading, seats: tuple[Seat, ...], first: int, rules: Rules, cards: Cards
    ) -> tuple[Position, tuple[Misplaced, ...]]:
        """The legal start that comes closest to the table, and what is missing or out of place in it."""


Looking = Literal["no", "once", "live"]


class Evening:
    """The one mutable thing of the session. Everything shown is in `state`; everything confirmed is in `record`."""

    def __init__(
        self,
        journal: Journal,
        cards: Callable[[str], Cards],
        referee: Referee,
        settings: Settings,
        save_settings: Callable[[Settings], None],
        camera: bool,
        timing: Timing,
    ) -> None:
        self.journal = journal
        self.cards_of = cards
        self.referee = referee
        self.save_settings = save_settings
        self.timing = timing
        self.camera = camera
        self.state = State(Welcome(), settings=settings)
        self.record: Record | None = None
        self.cards: Cards | None = None
        self._belief: Belief | None = None
        self.now_s = 0.0
        self.looking: Looking = "no"
        self.silent_s = 0.0  # since the camera was asked or last gave a sign of life
        self.confirmed_s = float("-inf")
        self.tried_s = 0.0  # when the journal was last written or tried
        self.pressed_by: int | None = None
        self.reading: Reading | None = (
            None  # the last one that was judged or compared; of the turn that is entered
        )
        # Of the boards when they were last right.
        self.corners_px: dict[str, tuple[tuple[float, float], ...]] = {}
        self.under: list[Mode] = []  # the screens beneath the one shown
        self.partials: list[Position] = []  # a turn entered by touch, after each step
        self.corrected_unseen = False  # an earlier turn was corrected and the table not compared since
        self._entries: dict[Link, Entry] = {}
        self._effects: list[Effect] = []
        self._lights: Lights | None = None
        self._expected = Expect()

    # What is shown

    @property
    def mode(self) -> Mode:
        return self.state.mode

    @property
    def game(self) -> Game:
        if self.state.game is None:
            raise ValueError("no game is being played")
        return self.state.game

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def belief(self) -> Belief:
        if self._belief is None:
            raise ValueError("no game is being played")
        return self._belief

    @belief.setter
    def belief(self, belief: Belief) -> None:
        self._belief = belief

    @property
    def at_table(self) -> bool:
        """Whether the screen is one of the game being played."""
        return isinstance(self.mode, Playing | Asking | Faulted | Hidden | Restoring | Entering | Over)

    def close_overlays(self) -> None:
        """Back to the screen of the game when the history or the settings lie over it."""
        while self.under and not self.at_table:
            self.go_back()

    def show(self, mode: Mode) -> None:
        """Puts a screen in place of the one shown and of all beneath it."""
        self.under.clear()
        self.state = replace(self.state, mode=mode)

    def change(self, mode: Mode) -> None:
        """The same screen with something changed."""
        self.state = replace(self.state, mode=mode)

    def put_over(self, mode: Mode) -> None:
        """Puts a screen on top; `go_back` shows what is beneath again."""
        self.under.append(self.state.mode)
        self.state = replace(self.state, mode=mode)

    def go_back(self) -> None:
        if self.under:
            self.state = replace(self.state, mode=self.under.pop())

    def say(self, said: Notice | None) -> None:
        self.state = replace(self.state, notice=str(said) if said else "", said=said)

    def sound(self, name: Literal["played", "question", "fault", "last-round", "over", "undo"]) -> None:
        if self.state.settings.sound:
            self._effects.append(Sound(name))

    def effect(self, effect: Effect) -> None:
        self._effects.append(effect)

    # The camera

    def look(self) -> None:
        """Asks for one reading; live readings stop."""
        self.looking = "once"
        self.silent_s = 0.0
        self._effects.append(Look(boards=self._boards_in_play()))

    def _boards_in_play(self) -> frozenset[str]:
        if self.state.game is not None:
            colours = [player.colour for player in self.state.game.position.players]
        elif isinstance(self.mode, SettingUp):
            colours = [seat.colour for seat in self.mode.seats]
        else:
            return frozenset()
        return frozenset(("colony", *colours))

    def stop_looking(self) -> None:
        """What was asked of the camera is not wanted any more."""
        if self.looking != "no":
            self.looking = "no"
            self._effects.append(StopLooking())

    def boards_lie(self, reading: Reading) -> None:
        """The boards are right where they lie: only one that moves on from here was knocked."""
        self.corners_px = corners(reading)

    def settle(self) -> tuple[Effect, ...]:
        """The effects of one message, with those that follow from the screen it led to."""
        live = self.camera and _wants_live(self.mode)
        if live and self.looking == "no":
            self.looking = "live"
            self.silent_s = 0.0
            self._effects.append(Look(live=True, boards=self._boards_in_play()))
        elif not live and self.looking == "live":
            self.stop_looking()
        expected = Expect(self._boards_in_play() if self.camera and _awaits_press(self.mode) else frozenset())
        if expected != self._expected:
            self._expected = expected
            self._effects.append(expected)
        lights = self._wanted_lights()
        if lights != self._lights:
            self._lights = lights
            self._effects.append(lights)
        effects, self._effects = tuple(self._effects), []
        return effects

    def _wanted_lights(self) -> Lights:
        playing = self.state.game is not None and self.state.game.position.over is None
        to_play = self.position.to_play if playing else None
        match self.mode:
            case Faulted() | Restoring():
                return Lights(to_play, "fault")
            case Asking() | Hidden():
                return Lights(to_play, "question")
            case _:
                return Lights(to_play)

    # What is confirmed

    def open_record(self, record: Record, cards: Cards) -> None:
        """Makes a game of the journal the one being played."""
        self.record, self.cards = record, cards
        self.state = replace(self.state, game=None)
        self._follow()

    def close_record(self) -> None:
        """No game is being played any more; the journal keeps it."""
        self.stop_looking()
        self.record = self.cards = self._belief = None
        self._entries = {}
        self.state = replace(self.state, game=None)

    def confirm(self, kind: Kind, turns: tuple[Turn, ...], belief: Belief, reading: Reading | None) -> None:
        """A turn that stands, and what is believed after it: it is in the journal before anything shows it."""
        self.say(None)
        (_, position), *others = belief.weighted
        self._add(
            kind,
            {"player": self.position.to_play, "turns": [str(turn) for turn in turns]},
            position.to_json(),
            self.now_s - self.game.turn_started_s,
            reading,
            [(weight, other.to_json()) for weight, other in others],
        )
        # How the camera saw it is no part of the game, but it will see it so again at the next press.
        self.belief = replace(self.belief, quirks=belief.quirks, seen=belief.seen)

    def step(self, kind: Literal["undone", "redone", "ended"], about: dict[str, Any]) -> None:
        self._add(kind, about)

    def correct(self, about: dict[str, Any], positions: list[dict[str, Any]]) -> None:
        self._add("corrected", about, positions)

    def _add(
        self,
        kind: Kind,
        about: dict[str, Any],
        positions: dict[str, Any] | list[dict[str, Any]] | None = None,
        seconds: float = 0.0,
        reading: Reading | None = None,
        others: Sequence[tuple[float, dict[str, Any]]] = (),
    ) -> None:
        if self.record is None:
            raise ValueError("no game is being played")
        self.record = self.journal.add(self.record, kind, about, positions, seconds, reading, others)
        self.tried_s = self.confirmed_s = self.now_s
        self.say_troubles()
        self._follow()

    def say_troubles(self) -> None:
        """Tells what the journal has to tell, once."""
        if self.journal.found_damaged:
            self.say(self.journal.found_damaged)
            self.journal.found_damaged = None
        elif self.journal.trouble and self.journal.trouble != self.state.said:
            self.say(self.journal.trouble)

    def _follow(self) -> None:
        """Draws the game from its record."""
        record, cards = self.record, self.cards
        assert record is not None and cards is not None
        history, undone = record.line(), [moment.last for moment in record.undone()]
        # A link never changes, and its position is dear to read: entries are kept as long as their link is in the game.
        self._entries = {
            link: self._entries.get(link) or entry_of(link, cards) for link in (*history, *undone)
        }
        position = self._entries[record.last].after
        assert position is not None
        others = [(weight, Position.from_json(other, cards)) for weight, other in record.last.others()]
        sure = 1.0 - sum(weight for weight, _ in others)
        self._belief = Belief(((sure, position), *others))
        old = self.state.game
        same_turn = old is not None and old.id == record.game.id and record.now.kind == "corrected"
        game = Game(
            record.game.id,
            position,
            history=tuple(self._entries[link] for link in history),
            undone=tuple(self._entries[link] for link in undone),
            reminders=standing(position),
            last_round_announced=is_last_round(position),
            turn_started_s=old.turn_started_s if old is not None and same_turn else self.now_s,
            now_s=self.now_s,
        )
        if game.last_round_announced and old is not None and not old.last_round_announced:
            leader = podium(position).places[0]
            self.say(notice("last-round", name=position.players[leader.player].name, score=leader.score))
            self.sound("last-round")
        self.state = replace(self.state, game=game)


def corners(reading: Reading) -> dict[str, tuple[tuple[float, float], ...]]:
    return {name: board.corners_px for name, board in reading.boards.items() if board.found}


def entry_of(link: Link, cards: Cards) -> Entry:
    """An entry of the history, with the position it led to."""
    return Entry(
        link.number,
        link.kind,
        link.player,
        tuple(Turn.parse(turn) for turn in link.turns),
        link.scores,
        link.seconds,
        link.fits,
        Position.from_json(link.position(), cards),
    )


def _wants_live(mode: Mode) -> bool:
    return isinstance(mode, Restoring) or (isinstance(mode, SettingUp) and mode.step == "table")


def _awaits_press(mode: Mode) -> bool:
    """Whether a player's button asks for a reading next."""
    return isinstance(mode, Playing | Asking | Faulted | Hidden)

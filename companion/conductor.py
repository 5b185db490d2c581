"""Plays a simulated evening with the real companion: sets the game up, makes the turns, presses the buttons.

It sees only what people see, the state on the screen, and does only what people do: move pieces, press, tap. The demo
calls `step` by the wall clock, the end-to-end bench by a clock of its own.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from companion import actions
from companion.agreement import told_as_played
from companion.dictation import dictate
from companion.messages import Message, Pressed, Tapped
from companion.rules import Position
from companion.state import (
    Asking,
    Entering,
    Faulted,
    Hidden,
    Over,
    Playing,
    Restoring,
    SettingUp,
    State,
    Welcome,
)
from hardware.simulated.press import Press
from hardware.simulated.table import SimulatedTable

Outcome = Literal["played", "unchanged", "asked", "fault", "unclear", "restoring", "over"]
# How often a turn that was played rightly is shown again, or pieces are put back, before the players insist.
PATIENCE = 2


@dataclass(frozen=True)
class Tempo:
    """How long people look at a screen before they go on, in seconds."""

    read_s: float = 2.5  # what was played
    decide_s: float = 4.0  # a question, a fault
    # From the hand leaving to the finger on the button.
    press_s: float = 0.4
    # Every so many turns somebody presses while a hand is still over the boards; 0 is never.
    hasty_every: int = 0
    hasty_s: float = 0.4  # how long before the hand has left


@dataclass(frozen=True)
class Shown:
    """What the companion made of one press."""

    press: Press
    outcome: Outcome
    state: State
    waited_s: float  # from the button to the answer
    before: State  # what was on the screen at the press
    tries: int = 0  # how often the same turn was pressed before
    hand: bool = False  # somebody's hand was over the boards at the press


class Conductor:
    """`step(state, now_s)` does the next thing that is due. `told` hears of every press and what came of it."""

    def __init__(
        self,
        table: SimulatedTable,
        send: Callable[[Message], None],
        told: Callable[[Shown], None] = lambda shown: None,
        tempo: Tempo | None = None,
        turns: int | None = None,
    ) -> None:
        self._table = table
        self._send = send
        self._told = told
        self._tempo = tempo or Tempo()
        self._left = turns
        self._press: Press | None = None
        self._press_at_s: float | None = None  # when the button will be pressed
        self._pressed_s: float | None = None  # when it was; None once the answer is there
        self._wait_until_s = 0.0
        self._before: State | None = None
        self._outcome: Outcome | None = None
        self._tries = 0
        self._put_backs = 0  # after the same turn
        self._telling: deque[Tapped] = deque()  # what is left to tap of a turn that is entered by hand
        self._turns = 0
        self._hand = False
        self._checks = 0  # of the start position, with something still amiss
        self._taking_back = False
        self.done = False

    @property
    def idle_until_s(self) -> float:
        """Nothing is done before this time."""
        return max(self._wait_until_s, self._press_at_s or 0.0)

    def step(self, state: State, now_s: float) -> None:
        """Does what is due at this time in this state, if anything is."""
        if self.done or now_s < self._wait_until_s:
            return
        if self._press_at_s is not None:
            if now_s >= self._press_at_s and self._press is not None:
                self._press_at_s, self._pressed_s, self._before = None, now_s, state
                self._hand = self._table.camera.moving
                self._send(Pressed(self._press.player))
            return
        if self._pressed_s is not None:
            self._listen(state, now_s)
        elif self._telling:
            tap = self._telling.popleft()
            self._tap(now_s, tap.action, tap.value)
        else:
            self._go_on(state, now_s)

    def _go_on(self, state: State, now_s: float) -> None:
        match state.mode:
            case Welcome():
                self._tap(now_s, actions.NEW_GAME)
            case SettingUp() as setting_up:
                self._set_up(setting_up, now_s)
            case Over():
                self.done = True
            case Restoring() if self._taking_back:
                self._taking_back = False
                self._tap(now_s, actions.RESTORED)
            case Restoring():
                self._put_back(state, now_s)
            case Entering():
                self._tap(now_s, actions.CANCEL)  # somebody else's finger came in between
            case Playing() | Asking() | Faulted() | Hidden() if state.watching == "still":
                self._after(state, now_s)
            case _:
                self._wait(now_s, 0.5)

    def _after(self, state: State, now_s: float) -> None:
        """What people do once they have seen what came of their press."""
        wrong = self._press is not None and self._press.mistake is not None
        match self._outcome:
            case "played" | "over" if wrong:
                # Accepted although it was wrong: somebody notices and takes it back.
                self._outcome, self._taking_back = "fault", True
                self._tap(now_s, actions.UNDO)
            case None | "played" | "over":
                self._next_turn(now_s)
            case _ if wrong:
                self._next_turn(now_s)
            case "asked" if isinstance(state.mode, Asking):
                self._tell(state, now_s)
            case "restoring":
                # The board was knocked before the turn was judged: this press is the one that counts.
                self._press_soon(now_s)
            case _ if self._tries >= PATIENCE:
                self._tell(state, now_s)
            case _:
                self._tries += 1
                self._press_soon(now_s)

    def _set_up(self, mode: SettingUp, now_s: float) -> None:
        players = self._table.start.players
        if mode.step == "players" and len(mode.seats) < len(players):
            self._tap(now_s, actions.ADD_SEAT)
        elif mode.step == "players" and tuple(seat.colour for seat in mode.seats) != tuple(
            player.colour for player in players
        ):
            wrong = next(i for i, player in enumerate(players) if mode.seats[i].colour != player.colour)
            self._tap(now_s, actions.COLOUR_SEAT, (wrong, players[wrong].colour))
        elif mode.step != "table":
            self._tap(now_s, actions.NEXT)
        elif mode.checked and (not mode.missing or self._checks >= PATIENCE):
            self._tap(now_s, actions.START)
        else:
            self._checks += mode.checked
            self._wait(now_s, 1.0)

    def _next_turn(self, now_s: float) -> None:
        if self._left == 0:
            self.done = True
            return
        pending = self._table.next_turn()
        if pending is None:
            self.done = True
            return
        if self._left is not None and pending.press.mistake is None:
            self._left -= 1
        self._press, self._tries, self._turns = pending.press, 0, self._turns + 1
        self._put_backs = 0
        tempo = self._tempo
        hasty = tempo.hasty_every and self._turns % tempo.hasty_every == 0
        self._press_at_s = pending.done_s + (-tempo.hasty_s if hasty else tempo.press_s)

    def _listen(self, state: State, now_s: float) -> None:
        """Waits for what comes of a press: the state changes once a verdict is there."""
        if self._before is None or self._press is None or self._pressed_s is None:
            return
        if state.mode is self._before.mode:
            return
        outcome = _outcome(state)
        if outcome is None:
            return
        self._outcome = outcome
        waited_s, self._pressed_s = now_s - self._pressed_s, None
        self._told(Shown(self._press, outcome, state, waited_s, self._before, self._tries, self._hand))
        self._wait(now_s, self._tempo.read_s if outcome == "played" else self._tempo.decide_s)

    def _put_back(self, state: State, now_s: float) -> None:
        """Technicians that a knocked board left behind are put back where they belong; what stands right is left so."""
        self._put_backs += 1
        if self._put_backs == PATIENCE + 1:
            self._tap(now_s, actions.RESTORED)
            return
        if self._put_backs > PATIENCE + 1:
            self._tell(state, now_s)
            return
        self._table.studio.tidy()
        if self._press is not None:
            self._table.studio.lay(self._press.held)
        self._press_soon(now_s)

    def _press_soon(self, now_s: float) -> None:
        self._table.studio.covered = ()
        self._press_at_s = now_s + self._tempo.press_s

    def _tell(self, state: State, now_s: float) -> None:
        """The players say themselves what was played: by an answer that is offered, else by hand, else however it goes on."""
        self._outcome = "played"
        match state.mode:
            case Asking(ask):
                offered = [answer.position for answer in ask.answers]
                if (right := self._right(state, offered)) is not None:
                    self._tap(now_s, actions.ANSWER, right)
                elif not self._by_hand(state):
                    self._tap(now_s, actions.ANSWER, 0)
            case Faulted(illegal):
                if illegal.nearest is not None and self._right(state, [illegal.nearest.position]) is not None:
                    self._tap(now_s, actions.MEANT)
                elif not self._by_hand(state):
                    self._tap(now_s, actions.OVERRULE)
            case _ if not self._by_hand(state):
                self.done = True  # nobody plays on with a companion that sees nothing and believes nobody

    def _right(self, state: State, offered: list[Position]) -> int | None:
        """Which of the positions a player who knows the turn would say it led to."""
        if self._press is None or state.game is None:
            return None
        before, press = state.game.position, self._press
        for index, after in enumerate(offered):
            if told_as_played(before, after, press.before, press.position):
                return index
        return None

    def _by_hand(self, state: State) -> bool:
        """Begins to enter the turn step by step, if what the companion believes allows it."""
        if self._press is None or state.game is None:
            return False
        try:
            taps = dictate(state.game.position, self._press.before, self._press.turn)
        except ValueError:
            return False
        self._telling.extend(taps)
        return True

    def _tap(self, now_s: float, action: str, value: object = None) -> None:
        self._send(Tapped(action, value))
        self._wait(now_s, 1.0)

    def _wait(self, now_s: float, seconds: float) -> None:
        self._wait_until_s = now_s + seconds


def _outcome(state: State) -> Outcome | None:
    match state.mode:
        case Playing(verdict):
            return "unchanged" if verdict is None else "played"
        case Asking():
            return "asked"
        case Faulted():
            return "fault"
        case Hidden():
            return "unclear"
        case Restoring():
            return "restoring"
        case Over():
            return "over"
        case _:
            return None

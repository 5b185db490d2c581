"""A whole evening in one thread, on a clock that is moved by hand: the real camera interface, eye, session and journal.

What takes people minutes takes as long as the pictures take to draw and read. Used by the headless demo, the tests and
the end-to-end bench.
"""

from collections import deque
from collections.abc import Callable
from pathlib import Path
from time import thread_time

from companion.conductor import Conductor, Shown, Tempo
from companion.eye import Eye, Looker
from companion.journal.journal import Journal
from companion.messages import Effect, Expect, Look, Message, Seen, StopLooking, Tick
from companion.session import Session
from companion.state import Settings, State
from hardware.simulated.table import SimulatedTable
from vision.settle import Settle

# Time between two small pictures, as the camera process delivers them ...
STEP_S = 0.1
# ... and while a hand is at work for a while yet: drawing every picture of it would only take time.
LEAP_S = 0.5
# Nobody waits for anybody to read the screen.
BRISK = Tempo(read_s=0.5, decide_s=0.5, press_s=0.2)


class HandClock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


class Rehearsal:
    """Runs a conductor's evening to its end: `run()`."""

    def __init__(
        self,
        table: SimulatedTable,
        clock: HandClock,
        looker: Looker,
        journal_folder: Path,
        told: Callable[[Shown], None] = lambda shown: None,
        shown: Callable[[State], None] = lambda state: None,
        turns: int | None = None,
        settings: Settings | None = None,
        tempo: Tempo = BRISK,
    ) -> None:
        self._table = table
        self._clock = clock
        self._messages: deque[Message] = deque()
        self._shown = shown
        self.journal = Journal(journal_folder)
        self.session = Session(self.journal, lambda pack: table.cards, settings=settings)
        self._eye = Eye(table.camera, looker, Settle(), self._messages.append)
        self.conductor = Conductor(table, self._messages.append, told, tempo, turns)
        # Processor's time from the reading a press asked for to the new state, the journal's included.
        self.verdict_s: list[float] = []
        self._live = (
            False  # whether the session looks again and again: at set-up, and while pieces are put back
        )
        self.seen: Seen | None = None  # the last reading that reached the session

    def run(self, longest_s: float = 36_000.0) -> State:
        """Goes on until the conductor is done, or no evening is that long."""
        self._table.camera.open()
        try:
            while not self.conductor.done and self._clock.now_s < longest_s:
                self._eye.step()
                self._handle()
                self.conductor.step(self.session.state, self._clock.now_s)
                self._handle()
                left_s = self.conductor.idle_until_s - self._clock.now_s
                self._clock.now_s += LEAP_S if left_s > 2 * LEAP_S else STEP_S
        finally:
            self._table.camera.close()
            self.journal.close()
        return self.session.state

    def _handle(self) -> None:
        while self._messages:
            message = self._messages.popleft()
            before = self.session.state
            self._perform(self.session.handle(Tick(self._clock.now_s)))
            judged = isinstance(message, Seen) and not self._live
            began = thread_time()
            effects = self.session.handle(message)
            if judged:
                self.verdict_s.append(thread_time() - began)
            if isinstance(message, Seen):
                self.seen = message
            self._perform(effects)
            if self.session.state is not before:
                self._shown(self.session.state)

    def _perform(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            match effect:
                case Look(live, boards):
                    self._live = live
                    self._eye.want("live" if live else "one", boards)
                case StopLooking():
                    self._eye.want("nothing")
                case Expect(boards):
                    self._eye.expect(boards)
                case _:
                    pass  # lamps, sounds and leaving are the application's

"""Puts the rooms together: one queue, one worker that handles it, a thread that watches, a window that draws.

Buttons, touches and the eye only ever put a message into the queue; the worker alone touches the session.
"""

import queue
import threading
import time
from collections.abc import Callable

from companion.calibrator import Calibrator
from companion.eye import Eye
from companion.messages import Effect, Expect, Leave, Lights, Look, Message, Sound, StopLooking, Tick
from companion.session import Session
from companion.state import Calibrating, State
from hardware.controls import Controls
from hardware.watchdog import Watchdog

# How often time passes for the session when nothing else happens: the clock on the screen shows whole seconds.
TICK_S = 1.0
# How often the window shows that it lives, and after what silence the watchdog is no longer told that we do: a window that
# draws nothing for so long is frozen, though the worker goes on.
PULSE_S = 5.0
LONGEST_SILENCE_S = 20.0


class App:
    """The running companion. `send` may be called from any thread; `show` is called from the worker's."""

    def __init__(
        self,
        session: Session,
        show: Callable[[State], None],
        controls: Controls,
        leave: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.session = session
        self._show = show
        self._controls = controls
        self._leave = leave
        self._clock = clock
        self._messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._eye: Eye | None = None
        self._calibrator: Calibrator | None = None
        self._watchdog = Watchdog()
        self._pulse_s: float | None = None

    def pulse(self) -> None:
        """The window's loop runs. Once it has said so it must go on saying so, every `PULSE_S`."""
        self._pulse_s = self._clock()

    def send(self, message: Message) -> None:
        self._messages.put(message)

    def start(self, eye: Eye | None, calibrator: Calibrator | None = None) -> None:
        """Starts the worker, and where there is a camera its thread: the eye's, lent to the calibrator when it is up."""
        self._eye, self._calibrator = eye, calibrator
        self._show(self.session.state)
        self._threads = [threading.Thread(target=self._work, name="session", daemon=True)]
        if eye is not None:
            borrowed = (calibrator.step,) if calibrator is not None else ()
            self._threads.append(
                threading.Thread(target=eye.run, args=(self._stop, *borrowed), name="eye", daemon=True)
            )
        for thread in self._threads:
            thread.start()
        self._watchdog.ready()

    def stop(self) -> None:
        """Ends both threads and lets go of camera and pins; may be called twice."""
        if self._stop.is_set():
            return
        self._watchdog.stopping()
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=3)
        if self._eye is not None:
            self._eye.camera.close()
        self._controls.close()

    def _work(self) -> None:
        while not self._stop.is_set():
            try:
                message = self._messages.get(timeout=TICK_S)
            except queue.Empty:
                message = Tick(self._clock())
            if self._calibrator is not None and self._calibrator.hear(message):
                continue
            before = self.session.state
            # Time is told before everything else, so that a turn's length does not depend on when a tick came.
            if not isinstance(message, Tick):
                self._perform(self.session.handle(Tick(self._clock())))
            self._perform(self.session.handle(message))
            if self._calibrator is not None:
                self._calibrator.attend(isinstance(self.session.state.mode, Calibrating))
            if self.session.state is not before:
                self._show(self.session.state)
            if self._pulse_s is None or self._clock() - self._pulse_s < LONGEST_SILENCE_S:
                self._watchdog.alive()

    def _perform(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            match effect:
                case Look(live, boards):
                    if self._eye is not None:
                        self._eye.want("live" if live else "one", boards)
                case StopLooking():
                    if self._eye is not None:
                        self._eye.want("nothing")
                case Expect(boards):
                    if self._eye is not None:
                        self._eye.expect(boards)
                case Lights(to_play, attention):
                    self._controls.show(to_play, attention)
                case Sound(name):
                    self._controls.play(name)
                case Leave():
                    self._leave()

"""A camera in a process of its own, which can hang without taking the game with it.

libcamera is known to stop in three ways: frames silently cease, a capture never returns, `stop()` never returns.
All three look the same from here: nothing is heard for `hang_s`. The process is killed, a new one started, and the
owner told through `on_lost` and `on_back`.
"""

import contextlib
import json
import select
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, Pipe, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from hardware import worker
from hardware.frame import Camera, CameraLost, Frame
from hardware.locks import Locks
from hardware.ring import Header, Overtaken, Ring


@dataclass(frozen=True)
class ProcessSettings:
    small_period_s: float = 0.1  # ten small pictures a second show a hand in time and cost little
    hang_s: float = (
        2.5  # the longest silence; a dim room needs 0.2 s for a picture, a full one 0.5 s, a busy Pi longer
    )
    open_s: float = 20.0  # Python, libcamera and one autofocus run on a Pi 4 with a slow card
    focus_s: float = 10.0  # one autofocus run, which gives up by itself after six
    close_s: float = 1.0  # what a camera may take to close before it is killed
    retry_s: tuple[float, ...] = (0.0, 1.0, 2.0, 5.0, 15.0)  # pauses between attempts; the last one repeats
    black_level: float = (
        6.0  # mean of a picture; a dimly lit table is above 20, a covered lens's noise below 4
    )
    black_frames: int = 20  # two seconds of darkness are no blink of the lamp
    small_slots: int = 6
    small_px: int = 1280 * 960
    full_slots: int = 1  # a full picture is written only when it is asked for, and copied out before the next
    full_px: int = 26_000_000  # two 12-megapixel cameras side by side


DEFAULTS = ProcessSettings()


class CameraProcess:
    """Camera whose work is done by `make()`'s camera in a child process. `make` must be importable (no lambda).

    `on_lost(sentence)` and `on_back()` are called from the supervising thread.
    """

    def __init__(
        self,
        name: str,
        make: Callable[[], Camera],
        settings: ProcessSettings = DEFAULTS,
        on_lost: Callable[[str], None] = lambda sentence: None,
        on_back: Callable[[], None] = lambda: None,
    ) -> None:
        self.name = name
        self.on_lost = on_lost
        self.on_back = on_back
        self._make = make
        self._settings = settings
        self._news = threading.Condition()  # guards everything below
        self._trouble: str | None = None
        self._running = False  # pictures arrive
        self._small: Header | None = None
        self._full: tuple[int, Header] | None = None
        self._locks: Sequence[Locks] | None = None  # given while it runs; a new process gets them again
        self._locked = 0
        self._request = 0
        self._dark = 0
        self._starts = 0
        self._connection: Connection | None = None
        self._process: SpawnProcess | None = None
        self._supervisor: threading.Thread | None = None
        self._one_full = threading.Lock()

    @property
    def starts(self) -> int:
        """How often the process was started."""
        return self._starts

    @property
    def pid(self) -> int | None:
        """The child that holds the camera now."""
        process = self._process
        return process.pid if process is not None else None

    def open(self) -> None:
        """Waits for the first picture. After CameraLost it goes on trying in the background until `close`."""
        if self._supervisor is not None:
            return
        self._closing_r, self._closing_w = Pipe(duplex=False)
        self._rings = (
            Ring(self._settings.small_slots, self._settings.small_px),
            Ring(self._settings.full_slots, self._settings.full_px),
        )
        self._supervisor = threading.Thread(target=self._supervise, name=f"{self.name} camera", daemon=True)
        self._supervisor.start()
        with self._news:
            self._news.wait_for(lambda: self._running or self._trouble, self._settings.open_s + 1)
            if self._trouble is not None or not self._running:
                raise CameraLost(self._trouble or f"The {self.name} camera did not start.")

    def small(self, timeout_s: float = 1.0) -> Frame:
        return self._fresh(timeout_s, self._take_small)

    def full(self, timeout_s: float = 3.0) -> Frame:
        with self._one_full:
            with self._news:
                self._request += 1
                request = self._request
                connection = self._connection
            # If it died just now the supervisor says why, and _fresh raises it.
            with contextlib.suppress(OSError):
                if connection is not None:
                    connection.send_bytes(json.dumps(["full", request, timeout_s]).encode())
            return self._fresh(timeout_s, lambda asked_s: self._take_full(request))

    def lock(self, locks: Sequence[Locks]) -> None:
        """Waits until it is done, which may include focusing anew. A camera that is lost gets them when it is back."""
        self._locks = tuple(locks)
        request = self._send_locks()
        with self._news:
            self._news.wait_for(
                lambda: self._locked >= request or self._trouble or self._supervisor is None,
                self._settings.focus_s,
            )

    def _send_locks(self) -> int:
        with self._news:
            self._request += 1
            request, connection = self._request, self._connection
        locks = [one.to_json() for one in self._locks or ()]
        with contextlib.suppress(OSError):
            if connection is not None:
                connection.send_bytes(json.dumps(["lock", request, locks]).encode())
        return request

    def close(self) -> None:
        if self._supervisor is None:
            return
        self._closing_w.close()
        self._supervisor.join()
        with self._news:
            self._supervisor = None
            self._running, self._trouble, self._small = False, None, None
            for ring in self._rings:
                ring.close()
                ring.unlink()
            self._news.notify_all()

    def _fresh(self, timeout_s: float, take: Callable[[float], Frame | None]) -> Frame:
        asked_s = time.monotonic()
        taken: Frame | None = None

        def ready() -> bool:
            nonlocal taken
            if self._supervisor is None or self._trouble is not None:
                return True
            taken = take(asked_s)
            return taken is not None

        with self._news:
            self._news.wait_for(ready, timeout_s)
            if self._supervisor is None:
                raise CameraLost(f"The {self.name} camera is not open.")
            if taken is None:
                raise CameraLost(
                    self._trouble or f"The {self.name} camera gave no picture within {timeout_s:.1f} s."
                )
            return taken

    def _take_small(self, asked_s: float) -> Frame | None:
        header = self._small
        if header is None or header.time_s < asked_s:
            return None
        try:
            return self._rings[0].read(header)
        except Overtaken:
            return None  # the next one is already on its way

    def _take_full(self, request: int) -> Frame | None:
        if self._full is None or self._full[0] != request:
            return None
        try:
            return self._rings[1].take(self._full[1])
        except Overtaken:
            return None  # by one that was asked for before and came late

    # Everything below runs in the supervising thread.

    def _supervise(self) -> None:
        fruitless = 0
        while (showed := self._one_life()) is not None:
            # A process that showed pictures earns a fresh start at once; one that never did waits longer each time.
            fruitless = 0 if showed else fruitless + 1
            pauses = self._settings.retry_s
            if wait([self._closing_r], pauses[min(fruitless, len(pauses) - 1)]):
                return

    def _one_life(self) -> bool | None:
        """Starts a process and listens until it is over. Whether it showed pictures; None when we are closing."""
        settings = self._settings
        here, there = Pipe()
        process = get_context("spawn").Process(
            target=worker.run,
            args=(self._make, there, *self._rings, settings.small_period_s),
            name=f"{self.name} camera",
            daemon=True,
        )
        process.start()
        there.close()
        with self._news:
            self._process, self._connection = process, here
            self._starts += 1
            self._dark = 0
        why = self._listen(here, process)
        showed = self._running
        with self._news:
            self._connection = None
        if why is not None:
            self._lose(why)
        # A driver that is stuck in the kernel keeps even a killed process for a while: the owner must not wait for it.
        process.kill()
        process.join(settings.close_s)
        here.close()
        return None if why is None else showed

    def _listen(self, connection: Connection, process: SpawnProcess) -> str | None:
        settings = self._settings
        deadline_s = time.monotonic() + settings.open_s
        opened = False
        # Made once: `wait` would make one for every picture.
        listening = select.poll()
        for end in (connection, self._closing_r):
            listening.register(end, select.POLLIN)
        while True:
            ready = [end for end, _ in listening.poll(1000 * max(0.0, deadline_s - time.monotonic()))]
            if self._closing_r.fileno() in ready:
                self._ask_to_close(connection, process)
                return None
            if not ready:
                if opened:
                    return f"The {self.name} camera has been silent for {settings.hang_s:.1f} s; it is started again."
                return (
                    f"The {self.name} camera did not start within {settings.open_s:.0f} s; it is tried again. "
                    "If this goes on, switch the Raspberry Pi off and check the camera's cable."
                )
            try:
                message = json.loads(connection.recv_bytes())
            except (EOFError, OSError):
                return f"The {self.name} camera's process ended unexpectedly; it is started again."
            if message[0] == "trouble":
                return str(message[1])
            opened = True
            patience_s = settings.focus_s if message[0] == "locking" else settings.hang_s
            deadline_s = time.monotonic() + patience_s
            self._hear(message)

    def _hear(self, message: list[Any]) -> None:
        match message:
            case ["open"] if self._locks is not None:
                self._send_locks()
            case ["locked", request]:
                with self._news:
                    self._locked = request
                    self._news.notify_all()
            case ["small", values]:
                header = Header.from_json(values)
                lit = self._rings[0].brightness(header) > self._settings.black_level
                with self._news:
                    self._small = header
                    self._dark = 0 if lit else self._dark + 1
                    dark = self._dark >= self._settings.black_frames
                if dark:
                    self._lose(
                        f"The {self.name} camera sees only black: take the cap off the lens, switch the light on, "
                        "or push the camera's cable home.",
                        running=True,
                    )
                elif lit:
                    self._regain()
            case ["full", request, values]:
                with self._news:
                    self._full = (request, Header.from_json(values))
                    self._news.notify_all()

    def _lose(self, why: str, running: bool = False) -> None:
        with self._news:
            new = self._trouble != why
            self._trouble, self._running = why, running
            self._news.notify_all()
        if new:
            self.on_lost(why)

    def _regain(self) -> None:
        with self._news:
            back = self._trouble is not None
            self._trouble, self._running = None, True
            self._news.notify_all()
        if back:
            self.on_back()

    def _ask_to_close(self, connection: Connection, process: SpawnProcess) -> None:
        try:
            connection.send_bytes(json.dumps(["close"]).encode())
        except OSError:
            return
        process.join(self._settings.close_s)

"""Short tones on a piezo buzzer. The newest sound wins: nobody wants to hear a queue of them."""

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Note = tuple[float | None, float]  # hertz (None is a rest), seconds

# Rising is good, falling is not; each can be told from the others by its length alone.
TUNES: Mapping[str, Sequence[Note]] = {
    "played": ((880, 0.06), (1175, 0.08)),
    "question": ((784, 0.12), (None, 0.06), (784, 0.12)),
    "fault": ((440, 0.18), (311, 0.30)),
    "undo": ((988, 0.06), (659, 0.10)),
    "last-round": ((659, 0.12), (784, 0.12), (988, 0.25)),
    "over": ((523, 0.12), (659, 0.12), (784, 0.12), (1047, 0.40)),
}
OCTAVES = 2  # around A4: 110 to 1760 Hz


class Sounds:
    """Plays in a thread of its own. `pause(seconds)` returns True when it was cut short."""

    def __init__(self, gpio: int, factory: Any, pause: Callable[[float], bool] | None = None) -> None:
        from gpiozero import TonalBuzzer

        self._buzzer = TonalBuzzer(gpio, octaves=OCTAVES, pin_factory=factory)
        self._wanted: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._interrupt = threading.Event()
        self._pause = pause or self._interrupt.wait
        self._thread = threading.Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def play(self, name: str) -> None:
        """Starts the tune at once and returns. A name that is not known is a mistake of ours: KeyError."""
        TUNES[name]
        self._interrupt.set()  # before the name: the tune that is asked for must not be cut short itself
        self._wanted.put(name)

    def close(self) -> None:
        self._interrupt.set()
        self._wanted.put(None)
        self._thread.join()
        self._buzzer.close()

    def _run(self) -> None:
        from gpiozero.tones import Tone

        while (name := self._wanted.get()) is not None:
            self._interrupt.clear()
            if not self._wanted.empty():
                continue
            for hertz, seconds in TUNES[name]:
                if hertz is None:
                    self._buzzer.stop()
                else:
                    self._buzzer.play(Tone.from_frequency(hertz))
                if self._pause(seconds):
                    break
            self._buzzer.stop()

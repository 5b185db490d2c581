"""The eye: follows the small stream, and when it is asked and the table lies still, reads one full picture.

One thread owns it and calls `step` again and again; everything it finds out leaves as a message.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.messages import CameraBack, CameraLost, CannotSee, Message, Seen, Watch, Watching
from hardware.frame import Camera, Frame
from hardware.frame import CameraLost as CameraTrouble
from vision.reading import Reading

Picture = NDArray[np.uint8]
Wanted = Literal["nothing", "one", "live"]


class Looker(Protocol):
    """What reads a full picture; vision.look has the real one."""

    def look(self, bgr: Picture, boards: frozenset[str]) -> Reading: ...


class Settle(Protocol):
    """What tells "still" from "moving" and "hand" in the small stream; vision.settle has the real one."""

    def see(self, picture: Picture, time_s: float) -> str: ...


@dataclass(frozen=True)
class EyeSettings:
    # The picture kept for the screen and its marks: enough for a 1280-pixel screen, small enough to hand around.
    shown_width_px: int = 1280
    jpeg_quality: int = 80
    # Live readings (set-up, restoring) need not be faster than hands put pieces back.
    live_pause_s: float = 0.7
    # Somebody waits for a verdict while a hand rests on the table: a sign of life this often.
    sign_of_life_s: float = 1.0


DEFAULTS = EyeSettings()


class Eye:
    """Watches one camera. `want` may be called from any thread; everything else belongs to the eye's own."""

    def __init__(
        self,
        camera: Camera,
        looker: Looker,
        settle: Settle,
        emit: Callable[[Message], None],
        settings: EyeSettings = DEFAULTS,
    ) -> None:
        self.camera = camera
        self._looker = looker
        self._settle = settle
        self._emit = emit
        self._settings = settings
        self._wanted: Wanted = "nothing"
        self._boards: frozenset[str] = frozenset()
        self._news = threading.Lock()
        self._watching: Watching | None = None
        self._lost = False
        self._last_look_s = float("-inf")
        self._told_s = float("-inf")

    def want(self, wanted: Wanted, boards: frozenset[str] = frozenset()) -> None:
        """What to look for from now on: one reading, readings again and again, or nothing; and on which boards."""
        with self._news:
            self._wanted = wanted
            self._boards = boards

    def step(self) -> None:
        """Takes one small picture and, if it is wanted and the table is still, reads a full one."""
        try:
            frame = self.camera.small()
        except CameraTrouble as trouble:
            self._lose(str(trouble))
            return
        if self._lost:
            self._lost = False
            self._emit(CameraBack())
        stillness = self._settle.see(frame.bgr, frame.time_s)
        if stillness != "still":
            self._show("hand" if stillness == "hand" else "watching", frame.time_s)
            return
        with self._news:
            wanted = self._wanted
        due = wanted == "one" or (
            wanted == "live" and frame.time_s - self._last_look_s >= self._settings.live_pause_s
        )
        if due:
            self._read(wanted, frame.time_s)
            self._last_look_s = frame.time_s
        else:
            self._show("still", frame.time_s)

    def learn(self, looker: Looker) -> None:
        """Another copy of the game from the next picture on."""
        self._looker = looker

    def run(self, stop: threading.Event, borrowed: Callable[[], bool] = lambda: False) -> None:
        """The thread's loop, until `stop`. While `borrowed` says so, it has used the camera itself."""
        while not stop.is_set():
            if borrowed():
                continue
            self.step()
            if self._lost:
                stop.wait(0.5)

    def _read(self, wanted: Wanted, now_s: float) -> None:
        self._show("reading", now_s)
        try:
            frame = self.camera.full()
        except CameraTrouble as trouble:
            self._lose(str(trouble))
            return
        try:
            reading = self._looker.look(frame.bgr, self._boards)
        except ValueError as error:
            # A picture nobody can read (black, burnt out, no board in it) is a sentence, not the end of the evening.
            answer: Message = CannotSee(str(error))
        else:
            answer = Seen(reading, *self._for_the_screen(frame))
        with self._news:
            if wanted == "one" and self._wanted == "one":
                self._wanted = "nothing"
        self._emit(answer)
        self._show("still", now_s)

    def _for_the_screen(self, frame: Frame) -> tuple[bytes, float]:
        scale = min(1.0, self._settings.shown_width_px / frame.bgr.shape[1])
        small = cv2.resize(frame.bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        _, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, self._settings.jpeg_quality])
        return jpeg.tobytes(), scale

    def _lose(self, why: str) -> None:
        if not self._lost:
            self._lost = True
            self._watching = None
            self._emit(CameraLost(why))

    def _show(self, watching: Watching, now_s: float) -> None:
        silent = now_s - self._told_s >= self._settings.sign_of_life_s and self._wanted != "nothing"
        if watching != self._watching or silent:
            self._watching = watching
            self._told_s = now_s
            self._emit(Watch(watching))

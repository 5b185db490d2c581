"""The eye: follows the small stream, and when it is asked and the table lies still, reads one full picture.

One thread owns it and calls `step` again and again; everything it finds out leaves as a message. When a press may come, it
reads as soon as the hands have left: people take longer to reach for the button than it takes to read the boards.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.frugal import hand_back
from companion.messages import CameraBack, CameraLost, CannotSee, Message, Seen, Watch, Watching
from hardware.frame import Camera, Frame
from hardware.frame import CameraLost as CameraTrouble
from vision.picture import shrunk
from vision.reading import Reading

Picture = NDArray[np.uint8]
Wanted = Literal["nothing", "one", "live"]


class Looker(Protocol):
    """What reads a full picture; vision.look has the real one."""

    def look(self, bgr: Picture, boards: frozenset[str]) -> Reading: ...


class Settle(Protocol):
    """What tells "still" from "moving" and "hand" in the small stream; vision.settle has the real one."""

    def see(self, picture: Picture, time_s: float) -> str: ...

    def same(self, before: Picture, now: Picture) -> bool: ...


@dataclass(frozen=True, eq=False)
class Ahead:
    """A reading that nobody has asked for yet, and the table in the small stream just before its picture was taken."""

    boards: frozenset[str]
    seen: Seen
    small: Picture


@dataclass(frozen=True)
class EyeSettings:
    # The picture kept for the screen and its marks: enough for a 1280-pixel screen, small enough to hand around.
    shown_width_px: int = 1280
    jpeg_quality: int = 80
    # Live readings (set-up, restoring) need not be faster than hands put pieces back.
    live_pause_s: float = 0.7
    # In less time than this nobody reaches over the boards, moves a piece, leaves and presses: what is read ahead so
    # quickly needs no second glance at the table when the button was pressed meanwhile.
    unseen_s: float = 0.5
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
        ahead: bool = True,
    ) -> None:
        """Without `ahead` no picture is taken that nobody asked for: a folder turns a page with each."""
        self.camera = camera
        self._looker = looker
        self._settle = settle
        self._emit = emit
        self._settings = settings
        self._wanted: Wanted = "nothing"
        self._boards: frozenset[str] = frozenset()
        self._may_read_ahead = ahead
        self._expected: frozenset[str] = frozenset()
        self._news = threading.Lock()
        self._reading = False
        self._moved = True  # since the table was last read
        self._ahead: Ahead | None = None  # and nothing was seen to move since
        self._watching: Watching | None = None
        self._lost = False
        self._last_look_s = float("-inf")
        self._told_s = float("-inf")

    def want(self, wanted: Wanted, boards: frozenset[str] = frozenset()) -> None:
        """What to look for from now on: one reading, readings again and again, or nothing; and on which boards."""
        with self._news:
            self._wanted = wanted
            self._boards = boards
            busy = self._reading and wanted == "one"
        if busy:
            # What is read ahead is being waited for now.
            self._watching = "reading"
            self._emit(Watch("reading"))

    def expect(self, boards: frozenset[str]) -> None:
        """One reading of these boards may soon be wanted; of none, it will not."""
        with self._news:
            self._expected = boards

    def step(self) -> None:
        """Takes one small picture and, if it is wanted or expected and the table is still, reads a full one."""
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
            self._moved, self._ahead = True, None
            self._show("hand" if stillness == "hand" else "watching", frame.time_s)
            return
        with self._news:
            wanted, boards, expected = self._wanted, self._boards, self._expected
        if wanted == "one" or (
            wanted == "live" and frame.time_s - self._last_look_s >= self._settings.live_pause_s
        ):
            self._answer(wanted, boards, frame)
            self._last_look_s = frame.time_s
            hand_back()
            return
        self._show("still", frame.time_s)
        if wanted == "nothing" and expected and self._moved and self._may_read_ahead:
            self._read_ahead(expected, frame)
            hand_back()

    def learn(self, looker: Looker) -> None:
        """Another copy of the game from the next picture on."""
        self._looker = looker
        self._moved, self._ahead = True, None

    def run(self, stop: threading.Event, borrowed: Callable[[], bool] = lambda: False) -> None:
        """The thread's loop, until `stop`. While `borrowed` says so, it has used the camera itself."""
        while not stop.is_set():
            if borrowed():
                continue
            self.step()
            if self._lost:
                stop.wait(0.5)

    def _answer(self, wanted: Wanted, boards: frozenset[str], small: Frame) -> None:
        ahead, self._ahead = self._ahead, None
        answer: Message | None
        if wanted == "one" and ahead is not None and self._still_holds(ahead, boards, small.bgr):
            answer = ahead.seen
        else:
            self._show("reading", small.time_s)
            answer = self._read(boards)
        if answer is None:
            return
        with self._news:
            if wanted == "one" and self._wanted == "one":
                self._wanted = "nothing"
        self._emit(answer)
        self._show("still", small.time_s)

    def _still_holds(self, ahead: Ahead, boards: frozenset[str], small: Picture) -> bool:
        """Hands may come and go between two small pictures, as long as it takes to read."""
        return ahead.boards == boards and self._settle.same(ahead.small, small)

    def _read_ahead(self, boards: frozenset[str], small: Frame) -> None:
        """A reading for whoever asks meanwhile or before anything moves again. What cannot be read is tried anew when asked for."""
        began_s = time.monotonic()
        answer = self._read(boards)
        if not isinstance(answer, Seen):
            return
        with self._news:
            awaited = self._wanted == "one" and self._boards == boards
            at_once = awaited and time.monotonic() - began_s < self._settings.unseen_s
            if at_once:
                self._wanted = "nothing"
        if at_once:
            self._emit(answer)
            self._show("still", small.time_s)
        else:
            self._ahead = Ahead(boards, answer, small.bgr)

    def _read(self, boards: frozenset[str]) -> Seen | CannotSee | None:
        """The table as it lies, or why it cannot be read; None without a camera, which has been told."""
        self._reading = True
        try:
            frame = self.camera.full()
            self._moved = False
            return Seen(self._looker.look(frame.bgr, boards), *self._for_the_screen(frame))
        except CameraTrouble as trouble:
            self._lose(str(trouble))
            return None
        except ValueError as error:
            # A picture nobody can read (black, burnt out, no board in it) is a sentence, not the end of the evening.
            return CannotSee(str(error))
        finally:
            self._reading = False

    def _for_the_screen(self, frame: Frame) -> tuple[bytes, float]:
        height, width = frame.bgr.shape[:2]
        scale = min(1.0, self._settings.shown_width_px / width)
        small = shrunk(frame.bgr, (round(width * scale), round(height * scale)))
        _, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, self._settings.jpeg_quality])
        return jpeg.tobytes(), scale

    def _lose(self, why: str) -> None:
        self._moved, self._ahead = True, None  # nobody sees what happens meanwhile
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

"""The touchscreen as the application sees it: states in from any thread, taps out, one blocking `run`.

Kivy is imported when a Touchscreen is made, not before: its window takes size and driver from the configuration at
that moment.
"""

import gc
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol

import companion.ui  # noqa: F401  (sets Kivy's environment)
from companion import actions
from companion.frugal import collect_seldom, hand_back
from companion.messages import Message, Tapped
from companion.state import Calibrating, Mode, SettingUp, State
from companion.view import Box, draw
from companion.view.draw import NO_BOX
from companion.view.screens import Choice, Screen

SEVEN_INCH: Final = (800, 480)
# Nothing on the screen moves by itself. A finger that comes down waits for one look at most.
_LOOKS_PER_S: Final = 20
_PASSES: Final = 6
_QUIET_S: Final = 3.0
# Screens are made ahead soon after the first is up, one at a time: a finger that comes meanwhile waits for one at most.
_AHEAD_S: Final = 0.5
_BETWEEN_S: Final = 0.1

# A held undo key is noticed within this; a key press comes by itself.
_KEY_TICK_S: Final = 0.25


class Keys(Protocol):
    """Whatever wants key events; hardware.keyboard has it."""

    def key_down(self, key: str, now_s: float) -> bool: ...

    def key_up(self, key: str) -> None: ...

    def tick(self, now_s: float) -> None: ...


class Touchscreen:
    """One window. `show` may be called from any thread; of several states only the newest is drawn.

    Headless, the same window is drawn offscreen, and `settle` brings it up to date.
    """

    def __init__(
        self,
        send: Callable[[Message], None],
        box: Box = NO_BOX,
        size_px: tuple[int, int] | None = None,
        headless: bool = False,
    ) -> None:
        """`size_px` makes an ordinary window of that size; without it the screen is filled."""
        _configure(size_px or SEVEN_INCH, fill=size_px is None and not headless, headless=headless)
        from kivy.clock import Clock

        from companion.ui.pace import keep_pace
        from companion.ui.stage import Stage

        keep_pace()
        self._send = send
        self._box = box
        self._lock = threading.Lock()
        self._waiting: tuple[State, Screen] | None = None
        self._state: State | None = None
        self.stage: Any = Stage(self._chosen)
        self._trigger = Clock.create_trigger(self._draw)
        self._running = False
        self._mode: Mode | None = None  # drawn last
        self._kept = 0
        # Garbage is collected when the table has been quiet for a while, seldom in the middle of a turn.
        collect_seldom()
        self._tidy = Clock.create_trigger(self._collect, _QUIET_S)
        self._ahead: Iterator[Screen] = self._other_screens()

    def show(self, state: State) -> None:
        """Draws a state. The screen's value is made here, on the caller's thread; Kivy only draws it."""
        from companion.ui.picture import decode, pictures_in

        screen = draw(state, self._box)
        for picture in pictures_in(screen):
            decode(picture.jpeg)
        with self._lock:
            self._state = state
            self._waiting = (state, screen)
        self._trigger()

    def preview(self, jpeg: bytes) -> None:
        """The camera's live picture, for the screens that show one."""
        with self._lock:
            state = self._state
        if state is not None and isinstance(state.mode, Calibrating | SettingUp):
            self.show(replace(state, picture=jpeg))

    def learn(self, box: Box) -> None:
        """Another copy of the game: where its slots are."""
        self._box = box

    def listen(self, keys: Keys) -> None:
        """Hands the window's key events on: a keyboard in place of the buttons."""
        from kivy.clock import Clock
        from kivy.core.window import Keyboard, Window

        def down(_: object, code: int, *__: object) -> bool:
            return keys.key_down(Keyboard.keycode_to_string(None, code), time.monotonic())

        def up(_: object, code: int, *__: object) -> None:
            keys.key_up(Keyboard.keycode_to_string(None, code))

        Window.bind(on_key_down=down, on_key_up=up)
        Clock.schedule_interval(lambda _: keys.tick(time.monotonic()), _KEY_TICK_S)

    def beat(self, call: Callable[[], None], period_s: float) -> None:
        """Calls it again and again from the window's own loop, which proves that the loop runs."""
        from kivy.clock import Clock

        Clock.schedule_interval(lambda _: call(), period_s)

    def run(self) -> None:
        """Blocks until `stop`. Only on the main thread."""
        from kivy.base import runTouchApp
        from kivy.clock import Clock
        from kivy.core.window import Window

        Window.bind(on_request_close=self._on_close)
        self._running = True
        Clock.schedule_once(self._make_ahead, _AHEAD_S)
        runTouchApp(self.stage)

    def stop(self) -> None:
        """Ends `run`, from any thread."""
        from kivy.base import stopTouchApp
        from kivy.clock import Clock

        Clock.schedule_once(lambda _: stopTouchApp(), 0)

    def settle(self, frames: int = 3) -> None:
        """Headless: draws what is waiting. A layout may need a second frame to come to rest."""
        from kivy.base import EventLoop, runTouchApp

        if not self._running:
            runTouchApp(self.stage, embedded=True)
            self._running = True
        for _ in range(frames):
            EventLoop.idle()

    def prepare(self) -> None:
        """Headless: makes every screen ahead, as `run` does bit by bit while nothing happens."""
        for screen in self._ahead:
            if self.stage.prepare(screen):
                self.settle(2)
        self._collect()

    def screenshot(self, path: Path) -> Path:
        """Writes what the window shows as a PNG."""
        from companion.ui.screenshot import save

        return save(self.stage, path)

    def resize(self, size_px: tuple[int, int]) -> None:
        """Headless: another size of screen."""
        from kivy.core.window import Window

        if tuple(Window.size) != size_px:
            Window.size = size_px
            # A turned screen comes to rest in a few passes: rows become columns, then text finds its room.
            self.settle(_PASSES)

    def _draw(self, *_: object) -> None:
        from companion.ui.theme import theme

        with self._lock:
            waiting, self._waiting = self._waiting, None
        if waiting is None:
            return
        state, screen = waiting
        theme.wear(state.settings.theme, state.settings.text_size)
        self.stage.show(screen)
        # The clock goes on every second; another mode means that something happened.
        if state.mode is not self._mode:
            self._mode = state.mode
            self._tidy.cancel()
            self._tidy()

    def _make_ahead(self, _: float = 0.0) -> None:
        from kivy.clock import Clock

        for screen in self._ahead:
            if self.stage.prepare(screen):
                Clock.schedule_once(self._make_ahead, _BETWEEN_S)
                return
        self._collect()

    def _other_screens(self) -> Iterator[Screen]:
        """A screen of each kind in the players' language, from an invented game; none of it is ever shown."""
        from companion.view.samples import samples

        for state in samples().values():
            shown = self._state
            yield draw(replace(state, settings=shown.settings) if shown is not None else state, self._box)

    def _collect(self, *_: object) -> None:
        gc.collect()
        # Views stay to the end: what lives now need not be looked through again.
        if self._kept != self.stage.kept:
            self._kept = self.stage.kept
            gc.freeze()
        hand_back()

    def _chosen(self, choice: Choice) -> None:
        self._send(Tapped(choice.action, choice.value))

    def _on_close(self, *_: object) -> bool:
        self._send(Tapped(actions.LEAVE))
        return False


def _configure(size_px: tuple[int, int], fill: bool, headless: bool) -> None:
    if headless:
        os.environ["SDL_VIDEODRIVER"] = "offscreen"
    from kivy.config import Config

    width, height = size_px
    for section, name, value in (
        ("graphics", "width", width),
        ("graphics", "height", height),
        ("graphics", "fullscreen", "auto" if fill else 0),
        (
            "graphics",
            "multisamples",
            0,
        ),  # icons and lines are smooth by themselves; this costs a third of a frame
        ("graphics", "maxfps", _LOOKS_PER_S),
        ("graphics", "show_cursor", 0 if fill else 1),
        ("kivy", "exit_on_escape", 0),
        ("kivy", "log_level", "error"),
        ("input", "mouse", "mouse,disable_multitouch"),
    ):
        Config.set(section, name, str(value))

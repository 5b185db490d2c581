"""How quick and how quiet the touchscreen is: a message to its frame, the start, an idle minute.

Measured in processes of their own: Kivy has one window for each process, and a start can only be measured once.
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from companion.bench.figure import Figure

_START = """
import time; began = time.perf_counter()
from companion.ui.window import Touchscreen
from companion.state import State, Welcome
screen = Touchscreen(lambda _: None, headless=True)
screen.show(State(Welcome())); screen.settle(1)
print(time.perf_counter() - began, time.process_time())
"""
_PATIENCE_S = 120.0


def measure(quick: bool, progress: Callable[[str], None], scratch: Path) -> list[Figure]:
    """The figures of the touchscreen on this machine, drawn offscreen by the processor."""
    progress("touchscreen: start to first screen")
    starts = [tuple(map(float, _run(_START).split())) for _ in range(1 if quick else 3)]
    progress("touchscreen: message to frame")
    frames = json.loads(
        _run(f"from companion.bench.ui import frames_ms; print(frames_ms({2 if quick else 8}))")
    )
    progress("touchscreen: idle")
    seconds = 3 if quick else 10
    idle = float(_run(f"from companion.bench.ui import idle_share; print(idle_share({seconds}))"))
    waited, worked = zip(*frames, strict=True)
    return [
        Figure(
            "touchscreen: start to first screen",
            min(start for start, _ in starts),
            "s",
            3.0,
            count=len(starts),
        ),
        Figure(
            "touchscreen: start to first screen, processor",
            min(processor for _, processor in starts),
            "s",
            3.0,
            count=len(starts),
            note="what other programs take is left out",
        ),
        Figure(
            "touchscreen: message to frame, median", statistics.median(waited), "ms", 50.0, count=len(waited)
        ),
        Figure(
            "touchscreen: message to frame, processor, 95 %",
            statistics.quantiles(worked, n=20)[-1],
            "ms",
            50.0,
            count=len(worked),
            note="every screen of an evening at 800 x 480, drawn by the processor; a Pi has a GPU for it",
        ),
        Figure(
            "touchscreen: message to frame, processor, longest",
            max(worked),
            "ms",
            None,
            count=len(worked),
            note="a screen that was never up before, in the middle of everything else",
        ),
        Figure(
            "touchscreen: idle share of one core",
            100 * idle,
            "%",
            5.0,
            count=seconds,
            note="the table screen up",
        ),
    ]


def frames_ms(rounds: int) -> list[list[float]]:
    """Milliseconds from handing a state in to its frame, waited and worked, for every screen of an evening.

    The first round counts: views are made ahead while the welcome screen is up, as they are at a table.
    """
    from companion.ui.gallery import sample_picture
    from companion.ui.window import Touchscreen
    from companion.view.samples import sample_box, samples

    touchscreen = Touchscreen(lambda _: None, sample_box(), headless=True)
    states = samples(sample_picture())
    table = states["table"]
    evening = [*states.values(), table, replace(table, watching="hand"), replace(table, watching="reading")]
    touchscreen.show(states["welcome"])
    touchscreen.settle()
    touchscreen.prepare()
    took = []
    for _ in range(rounds):
        for state in evening:
            began, worked = time.perf_counter(), time.process_time()
            touchscreen.show(state)
            touchscreen.settle(1)
            took.append([1000 * (time.perf_counter() - began), 1000 * (time.process_time() - worked)])
            touchscreen.settle(2)
    return took


def idle_share(seconds: float) -> float:
    """The share of one core the main loop takes while the table screen is up and nothing happens."""
    from companion.ui.window import Touchscreen
    from companion.view.samples import sample_box, samples

    touchscreen = Touchscreen(lambda _: None, sample_box(), headless=True)
    # Not before: the clock takes its pace from the window's configuration when it is first imported.
    from kivy.clock import Clock

    touchscreen.show(samples()["table"])
    spent: list[float] = []

    def begin(_: float) -> None:
        spent.append(time.process_time())
        Clock.schedule_once(end, seconds)

    def end(_: float) -> None:
        spent.append(time.process_time())
        touchscreen.stop()

    Clock.schedule_once(begin, 6.0)  # the first frames, and the screens that are made ahead, are not idle
    touchscreen.run()
    return (spent[1] - spent[0]) / seconds


def _run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=_PATIENCE_S, check=False
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        raise OSError(f"the touchscreen could not be measured: {last[0]}")
    return done.stdout.strip().splitlines()[-1]

"""The running companion, as the players have it: window, session, eye, journal, and a camera in a process of its own.

A press is timed from the button to the verdict, and what it costs to be there is taken while nobody plays. Hands have left
the table a moment before the button is pressed, as people's have; every other turn the button is pressed in that very moment.
All of it happens in a process of its own, `python -m companion.bench.pressing PACK ALBUM SECONDS`; the album holds the
photographs of a few turns.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from companion import actions
from companion.app import App
from companion.bench.album import Album, players, show_page
from companion.bench.figure import Figure
from companion.bench.hardware import cpu_s
from companion.documents import read_cards, read_position
from companion.frugal import share_one_heap
from companion.journal.journal import Journal
from companion.messages import Pressed, Tapped
from companion.session import Session
from companion.state import Asking, Faulted, Playing, State
from hardware.process import CameraProcess
from vision.look import Looker

# From the hand that leaves the boards to the finger on the button, as in evenings on the simulated table; that is not
# loaded here, as it is not in the product.
REACH_S = 0.4
# Somebody looks at what was told before the next hand comes.
READ_S = 0.5
# Screens are made ahead and garbage is collected before the companion is at rest.
CALM_S = 5.0
PATIENCE_S = 60.0
# Mesa's renderer for machines without a graphics processor, and the compiler that it needs.
_SOFTWARE_GL = "libLLVM|swrast|libgallium|libz3"


@dataclass(frozen=True)
class Evening:
    """What one running companion took: presses in milliseconds on the clock; at rest, of one core and in megabytes."""

    pressed_ms: list[float]  # a moment after the hands have left
    hasty_ms: list[float]  # as they leave: what it takes until the table is still is in it
    idle_share: float
    memory_mb: float
    drawing_mb: float  # of it, libraries that draw in place of a graphics processor


def run(pack_dir: Path, album: Path, rest_s: float) -> Evening:
    """One evening in a process of its own, `rest_s` of it at rest."""
    command = [sys.executable, "-m", "companion.bench.pressing", str(pack_dir), str(album), str(rest_s)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        raise OSError(f"the running companion could not be measured: {last[0]}")
    return Evening(**json.loads(done.stdout.strip().splitlines()[-1]))


def figures(evenings: list[Evening], needed_ms: float) -> list[Figure]:
    """`needed_ms` is what decoding a frame and warping what is read take in the same run."""
    pressed = sorted(ms for evening in evenings for ms in evening.pressed_ms)
    hasty = [ms for evening in evenings for ms in evening.hasty_ms]
    usual, longest = statistics.median(pressed), pressed[-1]
    count = len(pressed)
    note = "the running product: window, camera process, journal"
    return [
        Figure("button to verdict, four players, 12 MP, median", usual, "ms", 250.0, count=count, note=note),
        Figure("button to verdict, four players, 12 MP, longest", longest, "ms", None, count=count),
        Figure(
            "the same, pressed while the hands leave, median",
            statistics.median(hasty),
            "ms",
            None,
            count=len(hasty),
            note="until the table is still included",
        ),
        Figure(
            "button to verdict, against decoding and warping",
            usual / needed_ms,
            "x",
            3.0,
            count=count,
            note=f"{needed_ms:.0f} ms",
        ),
        Figure(
            "idle cost of the running product",
            100 * max(evening.idle_share for evening in evenings),
            "% of one core",
            5.0,
            count=len(evenings),
            note="a game in progress, drawn by the processor",
        ),
        Figure(
            "memory of the running product",
            max(evening.memory_mb for evening in evenings),
            "MB",
            400.0,
            count=len(evenings),
            note="all its processes",
        ),
        Figure(
            "of it, libraries that stand in for a graphics processor",
            max(evening.drawing_mb for evening in evenings),
            "MB",
            count=len(evenings),
            note="a Pi has one",
        ),
    ]


def play(pack_dir: Path, album: Path, rest_s: float) -> Evening:
    """Plays the album's turns through the running product."""
    from companion.launch import run_window
    from companion.ui.window import SEVEN_INCH

    share_one_heap()
    show_page(album, 0)
    cards = read_cards(pack_dir / "cards.json")
    position = read_position(album / "start.json", cards)
    camera = CameraProcess("album", partial(Album, album))
    measured: list[Evening] = []
    failed: list[OSError] = []
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder))
        names, colours = zip(*((player.name, player.colour) for player in position.players), strict=True)
        journal.begin(names, colours, "album", cards.to_json(), position.to_json())

        def beside(app: App) -> None:
            def play_on() -> None:
                try:
                    measured.append(_evening(app, camera, album, rest_s))
                except OSError as error:
                    failed.append(error)
                finally:
                    app.send(Tapped(actions.LEAVE))

            threading.Thread(target=play_on, name="players", daemon=True).start()

        session = Session(journal, lambda pack: cards)
        run_window(session, camera, Looker.load(pack_dir), "none", SEVEN_INCH, lambda said: None, beside)
    if failed:
        raise failed[0]
    return measured[0]


def _evening(app: App, camera: CameraProcess, album: Path, rest_s: float) -> Evening:
    app.send(Tapped(actions.RESUME))
    _until(app, lambda state: isinstance(state.mode, Playing))
    known = len(app.session.state.game.history) if app.session.state.game is not None else 0
    pressed_ms: list[float] = []
    hasty_ms: list[float] = []
    for number, player in enumerate(players(album), 1):
        hasty = number % 2 == 0
        show_page(album, number)
        time.sleep(0.0 if hasty else REACH_S)
        began_s = time.perf_counter()
        app.send(Pressed(player))
        _until(app, partial(_judged, known + number))
        (hasty_ms if hasty else pressed_ms).append(1000 * (time.perf_counter() - began_s))
        if not _told(known + number, app.session.state):
            break  # a question or a fault: nobody is here to answer it, and the turns that follow are of another game
        time.sleep(READ_S)
    time.sleep(CALM_S)
    pids = [os.getpid(), *([camera.pid] if camera.pid else [])]
    began_s, worked_s = time.perf_counter(), sum(map(cpu_s, pids))
    time.sleep(rest_s)
    idle_share = (sum(map(cpu_s, pids)) - worked_s) / (time.perf_counter() - began_s)
    # The first press finds the boards; from then on they are followed.
    memory_mb, drawing_mb = sum(map(_own_mb, pids)), _own_mb(os.getpid(), _SOFTWARE_GL)
    return Evening(pressed_ms[1:], hasty_ms, idle_share, memory_mb, drawing_mb)


def _until(app: App, wanted: Callable[[State], bool]) -> None:
    began_s = time.perf_counter()
    while not wanted(app.session.state):
        if time.perf_counter() - began_s > PATIENCE_S:
            raise OSError(f"the screen still shows {app.session.state.mode}: {app.session.state.notice}")
        time.sleep(0.002)


def _judged(entries: int, state: State) -> bool:
    return _told(entries, state) or isinstance(state.mode, Asking | Faulted)


def _told(entries: int, state: State) -> bool:
    return state.game is not None and len(state.game.history) == entries


def _own_mb(pid: int, of: str = "") -> float:
    """Memory of a process, what it shares with others divided among them; `of` is a pattern of files it is mapped from."""
    kilobytes, counts = 0, not of
    for line in Path(f"/proc/{pid}/smaps").read_text().splitlines():
        if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
            counts = not of or re.search(of, line) is not None
        elif counts and line.startswith("Pss:"):
            kilobytes += int(line.split()[1])
    return kilobytes / 1024

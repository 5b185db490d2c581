"""How long a look takes and what it holds: boards followed and found again, slots read, the whole product pressed."""

import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from companion.bench import locate, whole
from companion.bench.album import page, players
from companion.bench.figure import Figure
from companion.bench.looks import Looks, timed_looks
from companion.bench.looks import figures as look_figures
from companion.bench.recorded import album, orders, recorded
from vision.look import Looker
from vision.picture import load_picture


def measure(quick: bool, progress: Callable[[str], None], scratch: Path) -> list[Figure]:
    """On the tables that `read` counts errors on."""
    following: list[Figure] = []
    looks: list[Looks] = []
    peaks: list[float] = []
    evenings: list[whole.Evening] = []
    for order in orders("livingroom", quick):
        folder, pages = recorded(order, scratch, progress), album(order, scratch, progress)
        progress(f"looking, art {order.seed}")
        looker = Looker.load(folder / "pack")
        if not following:
            first, last = (load_picture(pages / page(number)) for number in (0, len(players(pages))))
            following = locate.times(looker.models, first, last, 5 if quick else 25)
        looks.append(timed_looks(looker, pages))
        peaks.append(peak_mb(folder))
        progress(f"pressing buttons, art {order.seed}")
        evenings.append(whole.run(folder / "pack", pages, 3.0 if quick else 10.0))
    needed_ms = statistics.median(one.needed for one in looks)
    note = "pack and decoding of a 12 MP frame included"
    return [
        *following,
        *look_figures(looks),
        *whole.figures(evenings, needed_ms),
        Figure(
            "memory of a process that looks, at its peak",
            max(peaks),
            "MB",
            300.0,
            count=len(peaks),
            note=note,
        ),
    ]


def peak_mb(folder: Path, frames: int = 3) -> float:
    """The most memory that a process of its own takes to load a taught pack and look at a few frames."""
    command = [sys.executable, "-m", "companion.bench.looking", str(folder), str(frames)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout)

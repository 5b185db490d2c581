"""Parts of the bench side by side, each in a process of its own. Only for those that measure no time on the clock."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from multiprocessing.queues import Queue
from pathlib import Path

from companion.bench import run_part
from companion.bench.figure import Figure
from companion.frugal import collect_seldom

Run = Callable[[str, bool, Callable[[str], None], Path], list[Figure]]
_told: "Queue[tuple[str, str]]"  # of the process of a part


def run_together(
    parts: Sequence[str],
    quick: bool,
    progress: Callable[[str, str], None],
    scratch: Path,
    known: Callable[[str, list[Figure]], None] = lambda part, figures: None,
    run: Run = run_part,
) -> dict[str, list[Figure]]:
    """The figures of every part, of each as soon as they are `known`; `progress(part, what)` is called from a thread."""
    context = get_context("spawn")
    told: Queue[tuple[str, str]] = context.Queue()
    listening = threading.Thread(target=_listen, args=(told, progress), name="progress", daemon=True)
    listening.start()
    with ProcessPoolExecutor(max(1, len(parts)), context, _begin, (told,)) as pool:
        running = {pool.submit(_run, run, part, quick, scratch): part for part in parts}
        figures = {}
        for done in as_completed(running):
            figures[running[done]] = done.result()
            known(running[done], done.result())
    told.put(("", ""))
    listening.join()
    return figures


def _listen(told: "Queue[tuple[str, str]]", progress: Callable[[str, str], None]) -> None:
    while (heard := told.get()) != ("", ""):
        progress(*heard)


def _begin(told: "Queue[tuple[str, str]]") -> None:
    global _told
    _told = told
    collect_seldom()  # as every command does


def _run(run: Run, part: str, quick: bool, scratch: Path) -> list[Figure]:
    return run(part, quick, lambda what: _told.put((part, what)), scratch)

"""The camera process: how soon a hang is noticed, how soon pictures are back, what it costs when nothing happens."""

import os
import queue
import signal
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from companion.bench.figure import Figure
from hardware.frame import Frame
from hardware.process import CameraProcess

FULL = (3040, 4056, 3)
SMALL = (480, 640, 3)
PATIENT_S = 60.0


class TestCard:
    """A camera without a lens: twelve megapixels, ten small pictures a second like the real one."""

    name = "test card"

    def open(self) -> None:
        shade = np.linspace(40, 200, FULL[1], dtype=np.uint8)
        self._full = np.ascontiguousarray(np.broadcast_to(shade[:, np.newaxis], FULL))
        self._small = self._full[: SMALL[0], : SMALL[1]].copy()

    def small(self, timeout_s: float = 1.0) -> Frame:
        return Frame(self._small, time.monotonic())

    def full(self, timeout_s: float = 3.0) -> Frame:
        return Frame(self._full, time.monotonic())

    def close(self) -> None:
        pass


def measure(quick: bool, progress: Callable[[str], None], scratch: Path) -> list[Figure]:
    lost: queue.Queue[str] = queue.Queue()
    back: queue.Queue[bool] = queue.Queue()
    camera = CameraProcess("test card", TestCard, on_lost=lost.put, on_back=lambda: back.put(True))
    camera.open()
    try:
        figures = [
            _full_picture(camera, 10 if quick else 50),
            *_idle(camera, 3.0 if quick else 20.0, progress),
        ]
        noticed_s, back_s = [], []
        for number in range(1 if quick else 5):
            progress(f"hang {number + 1}")
            noticed, recovered = _hang(camera, lost, back)
            noticed_s.append(noticed)
            back_s.append(recovered)
    finally:
        camera.close()
    return [
        Figure(
            "a camera that hangs is noticed", max(noticed_s), "s", 3.0, count=len(noticed_s), note="slowest"
        ),
        Figure("and gives pictures again", max(back_s), "s", count=len(back_s), note="slowest"),
        *figures,
    ]


def _hang(camera: CameraProcess, lost: "queue.Queue[str]", back: "queue.Queue[bool]") -> tuple[float, float]:
    """Stops the process in the middle of whatever it does, as a driver that waits for ever would."""
    pid = camera.pid
    assert pid is not None
    began_s = time.monotonic()
    os.kill(pid, signal.SIGSTOP)
    lost.get(timeout=PATIENT_S)
    noticed_s = time.monotonic() - began_s
    back.get(timeout=PATIENT_S)
    return noticed_s, time.monotonic() - began_s


def _full_picture(camera: CameraProcess, count: int) -> Figure:
    taken_ms = []
    for _ in range(count):
        began_s = time.perf_counter()
        camera.full(PATIENT_S)
        taken_ms.append(1000 * (time.perf_counter() - began_s))
    note = "median; from one process to the other"
    return Figure("a 12-megapixel picture", statistics.median(taken_ms), "ms", count=count, note=note)


def _idle(camera: CameraProcess, seconds: float, progress: Callable[[str], None]) -> list[Figure]:
    """Both processes' share of a core while small pictures arrive and nobody looks at them."""
    pid = camera.pid
    assert pid is not None
    progress(f"idle for {seconds:.0f} s")
    began_s, child_s, own_s = time.monotonic(), cpu_s(pid), time.process_time()
    time.sleep(seconds)
    took_s = time.monotonic() - began_s
    share = 100 * (cpu_s(pid) - child_s + time.process_time() - own_s) / took_s
    return [
        Figure(
            "idle cost of the camera process", share, "% of one core", 5.0, note="ten small pictures a second"
        ),
        Figure("memory of the camera process", own_mb(pid), "MB", note="without the shared pictures"),
    ]


def cpu_s(pid: int) -> float:
    """Seconds of CPU a process has used, from the kernel."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def own_mb(pid: int) -> float:
    """Memory that belongs to the process alone."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    return float("nan")

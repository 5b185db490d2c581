"""Tables of four that the reading is measured on: drawn and taught once in a run, counted on by one part, timed by another."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import process_time

from calibration.enrol import enrol
from companion.bench.photographs import photograph
from hardware.simulated.record import Order, record

# Art that nothing was chosen on.
SEEDS = (7091, 7092, 7093)


def orders(conditions: str, quick: bool) -> list[Order]:
    seeds, turns = (SEEDS[:1], 2) if quick else (SEEDS, 8)
    return [Order(seed=seed, players=4, turns=turns, conditions=conditions) for seed in seeds]


def recorded(order: Order, scratch: Path, progress: Callable[[str], None]) -> Path:
    """The folder of a table, as `simulate` writes it, its pack taught; `enrol_s` says how long that took."""
    folder = scratch / f"{order.conditions}-{order.seed}"
    if not folder.exists():
        progress(f"drawing and teaching a table: {order.conditions}, art {order.seed}")
        record(order, folder)
        begin = process_time()
        enrol(folder / "pack")
        (folder / "enrol_s").write_text(str(process_time() - begin))
    return folder


def enrol_s(folder: Path) -> float:
    """Seconds of one core."""
    return float((folder / "enrol_s").read_text())


def album(order: Order, scratch: Path, progress: Callable[[str], None]) -> Path:
    """Photographs of a few turns at the same table in quiet light."""
    folder = scratch / f"album-{order.seed}"
    if not folder.exists():
        progress(f"photographing turns, art {order.seed}")
        photograph(replace(order, turns=4 if order.turns < 8 else 9), folder)
    return folder

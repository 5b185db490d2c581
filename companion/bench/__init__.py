"""The figures the product promises: a module for each part of the house, each with `measure`."""

import importlib
from collections.abc import Callable

from companion.bench.figure import Figure

PARTS = ("rules", "referee", "simulated", "settle", "locate", "read", "journal", "ui", "hardware", "evening")
# These count things or measure the processor's time: they may run side by side. The others are timed on the clock.
UNTIMED = ("referee", "simulated", "settle", "evening")


def run_part(part: str, quick: bool, progress: Callable[[str], None]) -> list[Figure]:
    """Measures one part: `measure(quick, progress)` of companion.bench.<part>."""
    figures: list[Figure] = importlib.import_module(f"companion.bench.{part}").measure(quick, progress)
    return figures

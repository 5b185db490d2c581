"""The figures the product promises: a module for each part of the house, each with `measure`.

`scratch` is a folder of the run, where one part leaves what another goes on with.
"""

import importlib
from collections.abc import Callable
from pathlib import Path

from companion.bench.figure import Figure

PARTS = (
    "rules",
    "referee",
    "simulated",
    "settle",
    "locate",
    "read",
    "look",
    "journal",
    "ui",
    "hardware",
    "evening",
)
# These count things or measure the processor's time: they may run side by side. The others are timed on the clock.
UNTIMED = ("rules", "referee", "simulated", "settle", "locate", "read", "evening")


def run_part(part: str, quick: bool, progress: Callable[[str], None], scratch: Path) -> list[Figure]:
    """Measures one part: `measure(quick, progress, scratch)` of companion.bench.<part>."""
    module = importlib.import_module(f"companion.bench.{part}")
    figures: list[Figure] = module.measure(quick, progress, scratch)
    return figures

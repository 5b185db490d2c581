"""`otys-companion bench`: every figure the product promises, measured on this machine."""

import gc
import json
import math
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from rich.console import Console
from rich.table import Table

from companion.bench import PARTS, UNTIMED, run_part
from companion.bench.figure import Figure
from companion.bench.together import run_together

# Columns of the table where no terminal says how many there are.
WIDE = 180


@click.command()
@click.option(
    "--quick",
    is_flag=True,
    help="Fewer turns and frames: about three minutes instead of forty-five.",
)
@click.option(
    "--only", "parts", multiple=True, type=click.Choice(PARTS), help="One part; may be given again."
)
@click.option(
    "--photos",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Score a folder with pack/ and truth.jsonl, and only that; may be given again.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@click.option("--plots", type=click.Path(path_type=Path), help="Folder for the plots of how cost grows.")
def bench(
    quick: bool, parts: Sequence[str], photos: Sequence[Path], as_json: bool, plots: Path | None
) -> int:
    """Measures every figure and compares it with its limit."""
    console = Console(stderr=True)
    chosen = tuple(part for part in PARTS if part in parts) or (() if photos else PARTS)
    figures = _measured(console, chosen, photos, quick)
    if plots is not None:
        from companion.bench.plots import draw_plots

        for path in draw_plots(plots, lambda what: console.print(f"growth: {what}")):
            console.print(f"wrote {path}")
    if as_json:
        json.dump(_document(figures, quick), sys.stdout, indent=1)
        print()
    else:
        # In a file or a pipe a row stays a row.
        Console(width=None if sys.stdout.isatty() else WIDE).print(_table(figures))
    missed = sum(figure.reached is False for part in figures.values() for figure in part)
    return 1 if missed else 0


def _measured(
    console: Console, chosen: Sequence[str], photos: Sequence[Path], quick: bool
) -> dict[str, list[Figure]]:
    """First what may run side by side, then one part after the other what is timed."""
    untimed = tuple(part for part in chosen if part in UNTIMED)
    with console.status("measuring ...") as status, TemporaryDirectory() as folder:
        scratch = Path(folder)

        def progress(part: str, what: str) -> None:
            status.update(f"{part}: {what}")
            if not console.is_terminal:
                console.print(f"{part}: {what}")

        figures = run_together(untimed, quick, progress, scratch, partial(_say, console)) if untimed else {}
        for part in chosen:
            if part not in untimed:
                progress(part, "...")
                # What earlier parts left behind is not walked through again while this one is timed.
                gc.collect()
                gc.freeze()
                figures[part] = run_part(part, quick, partial(progress, part), scratch)
                _say(console, part, figures[part])
        if photos:
            from companion.bench.photos import measure as measure_photos

            figures["photos"] = measure_photos(photos, partial(progress, "photos"))
    return {part: figures[part] for part in (*PARTS, "photos") if part in figures}


def _say(console: Console, part: str, figures: Sequence[Figure]) -> None:
    """A part's figures as soon as they are known: who stops a long run keeps what was measured."""
    for figure in figures:
        console.print(f"{part}: {figure.name}: {figure.value:.4g} {figure.unit}".rstrip(), highlight=False)


def _document(figures: dict[str, list[Figure]], quick: bool) -> dict[str, object]:
    return {
        "machine": {
            "processor": platform.machine(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
        },
        "quick": quick,
        "figures": {
            part: [
                asdict(figure)
                | {"value": _known(figure.value), "ratio": _known(figure.ratio), "reached": figure.reached}
                for figure in of
            ]
            for part, of in figures.items()
        },
    }


def _known(value: float | None) -> float | None:
    """None for a share of nothing: JSON knows no NaN."""
    return None if value is None or math.isnan(value) else value


def _table(figures: dict[str, list[Figure]]) -> Table:
    table = Table(title="Measured on this machine", title_justify="left")
    table.add_column("part")
    table.add_column("figure")
    for column in ("value", "95 % interval", "n", "limit", "of limit"):
        table.add_column(column, justify="right")
    table.add_column("")
    for part, measured in figures.items():
        for figure in measured:
            interval = (
                "" if figure.low is None or figure.high is None else f"{figure.low:.4g} – {figure.high:.4g}"
            )
            limit = (
                ""
                if figure.limit is None
                else f"{'≤' if figure.sense == 'at most' else '≥'} {figure.limit:g}"
            )
            ratio = "" if figure.ratio is None else f"{figure.ratio:.3g} x"
            verdict = {True: "[green]reached", False: "[red]missed", None: ""}[figure.reached]
            value = f"{figure.value:.4g} {figure.unit}".strip()
            name = f"{figure.name} [dim]{figure.note}"
            table.add_row(part, name, value, interval, str(figure.count), limit, ratio, verdict)
        table.add_section()
    return table

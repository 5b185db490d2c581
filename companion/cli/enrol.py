"""`otys-companion enrol`: teaches a pack from its photographs."""

import json
from pathlib import Path
from time import perf_counter

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from calibration.enrol import CLOSE_WAY, Report
from calibration.enrol import enrol as teach
from calibration.packs import find_pack


@click.command()
@click.argument("packdir", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def enrol(packdir: Path, as_json: bool) -> None:
    """Teach the pack in PACKDIR from its enrol.toml, and say how well its labels are told apart."""
    console = Console(stderr=True)
    start = perf_counter()
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    ) as bar:
        task = bar.add_task("reading photographs", total=None)
        report = teach(find_pack(packdir), lambda what: bar.update(task, description=what))
    seconds = perf_counter() - start
    if as_json:
        click.echo(json.dumps(_document(report, seconds)))
    else:
        _show(report, seconds)


def _document(report: Report, seconds: float) -> dict[str, object]:
    return {
        "seconds": round(seconds, 1),
        "sets": [
            {
                "group": margin.group,
                "labels": margin.labels,
                "closest": [margin.first, margin.second] if margin.first else [],
                "margin": round(margin.way, 2) if margin.first else None,
            }
            for margin in report.margins
        ],
        "wanted": dict(report.wanted),
        "missing": dict(report.missing),
    }


def _show(report: Report, seconds: float) -> None:
    table = Table(title=f"Taught in {seconds:.0f} s", title_justify="left")
    for heading in ("pieces", "read as", "labels", "closest two", "margin"):
        table.add_column(heading, justify="right" if heading in ("labels", "margin") else "left")
    for margin in report.margins:
        kind, _, name = margin.group.partition(":")
        pair = f"{margin.first} / {margin.second}" if margin.first else "only one"
        way = f"{margin.way:.1f}" if margin.first else ""
        if margin.first and margin.way < CLOSE_WAY:
            way = f"[yellow]{way}[/yellow]"
        table.add_row(name, kind, str(margin.labels), pair, way)
    console = Console(emoji=False)  # ":X:" is a label, not a cross
    console.print(table)
    for place, why in report.missing.items():
        console.print(f"[yellow]{place}[/yellow]: {why}", highlight=False)
    if report.wanted:
        console.print("Needs another photograph:", style="bold")
        for label, why in report.wanted.items():
            console.print(f"  {label}: {why}", highlight=False)
    else:
        console.print("Every label was shown; none needs another photograph.")

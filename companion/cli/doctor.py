"""`otys-companion doctor`: tests each part and says what to do about those that do not work."""

import json
from dataclasses import asdict

import click
from rich.console import Console
from rich.table import Table

from companion.doctor import Finding, Machine, examine, healthy

MARKS = {
    "ok": "[green]ok[/]",
    "weak": "[yellow]weak[/]",
    "missing": "[dim]missing[/]",
    "broken": "[red]broken[/]",
}


@click.command()
@click.option("--camera", help="Which one to test, as for play; otherwise the one that is found.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def doctor(camera: str | None, as_json: bool) -> int:
    """Tests camera, buttons, display, pack, disk and versions. Exit code 1 if something essential is broken."""
    progress = Console(stderr=True)
    findings: list[Finding] = []
    with progress.status("examining ..."):
        findings.extend(examine(Machine(camera=camera)))
    if as_json:
        document = {"healthy": healthy(findings), "findings": [asdict(finding) for finding in findings]}
        click.echo(json.dumps(document, ensure_ascii=False))
    else:
        _print(findings)
    return 0 if healthy(findings) else 1


def _print(findings: list[Finding]) -> None:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for finding in findings:
        table.add_row(MARKS[finding.state], f"[bold]{finding.part}[/]", _sentence(finding.text))
        if finding.remedy and finding.state != "ok":
            table.add_row("", "", f"[cyan]→ {_sentence(finding.remedy)}[/]")
    Console().print(table)


def _sentence(text: str) -> str:
    """Square brackets in a file name are not meant as markup."""
    return text.replace("[", "\\[")

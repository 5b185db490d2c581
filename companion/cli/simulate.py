"""`simulate`: a game on the simulated table, written to a folder."""

import re
from pathlib import Path

import click
from rich.console import Console

from hardware.simulated.conditions import NAMES
from hardware.simulated.record import Order, check_folder, record

SMALLEST_PX = 640  # below this no piece could be told from another


def _size(ctx: click.Context, option: click.Parameter, text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)[x×](\d+)", text)
    if found is None:
        raise click.BadParameter(f"{text!r} is no picture size; write it as 4608x2592")
    width, height = int(found[1]), int(found[2])
    if width < SMALLEST_PX or width > 9216 or not 0.5 <= height / width <= 0.8:
        raise click.BadParameter(
            f"{text} is no size of this camera: from {SMALLEST_PX} to 9216 pixels across, upright no more than 4:5"
        )
    return width, height


@click.command()
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="Folder to fill; it must be new or empty."
)
@click.option("--seed", type=click.IntRange(min=0), required=True, help="Every random choice comes from it.")
@click.option("--players", type=click.IntRange(2, 4), required=True)
@click.option(
    "--turns", type=click.IntRange(min=1), required=True, help="Stops earlier when the game is over."
)
@click.option("--conditions", type=click.Choice(NAMES), default="livingroom", show_default=True)
@click.option(
    "--mistakes",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="Share of turns shown wrong at first.",
)
@click.option(
    "--size",
    callback=_size,
    default="4608x2592",
    show_default=True,
    help="Pixels of the frames, e.g. 1536x864.",
)
@click.option(
    "--art", type=click.IntRange(min=0), default=None, help="Edition to draw; the seed's own unless told."
)
def simulate(
    out: Path,
    seed: int,
    players: int,
    turns: int,
    conditions: str,
    mistakes: float,
    size: tuple[int, int],
    art: int | None,
) -> None:
    """Play a game on the simulated table and write frames, pack and truth to a folder."""
    check_folder(out)
    order = Order(seed, players, turns, conditions, mistakes, size, art)
    console = Console(stderr=True)
    with console.status("drawing the boards") as status:

        def progress(what: str) -> None:
            status.update(what)
            if not console.is_terminal:
                console.print(what, highlight=False)

        count = record(order, out, progress)
    click.echo(f"{count} frames in {out / 'frames'}, pack in {out / 'pack'}, truth in {out / 'truth.jsonl'}")

"""`otys-companion look`: reads photographs and says what lies in every slot."""

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import click
import cv2
from rich.console import Console
from rich.table import Table

from calibration.packs import SAMPLE
from companion.sample import open_pack
from vision.look import Looker
from vision.overlay import content_words, draw_overlay
from vision.pack import Kind, Pack
from vision.picture import BadPicture, check_picture, load_picture
from vision.reading import Reading
from vision.rectify import Picture

# Below this a reading is shown as doubtful.
SURE = 0.95


@click.command()
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...", type=click.Path(path_type=Path))
@click.option("--pack", default=SAMPLE, show_default=True, help="Name or folder of a taught pack.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@click.option(
    "--overlay",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="OUT.png",
    help="Draws what was read; with several photographs OUT-2.png, OUT-3.png ... too.",
)
def look(photos: tuple[Path, ...], pack: str, as_json: bool, overlay: Path | None) -> int:
    """Reads photographs: where the boards are and what lies in every slot.

    Photographs named together are looked at as the companion looks at a table: boards are sought where they lay before,
    and what looks as it did is not read again. Exit code 2 if one of them cannot be read at all.
    """
    if overlay is not None and overlay.suffix.lower() not in (".png", ".jpg", ".jpeg"):
        raise ValueError(f"{overlay}: the overlay is a picture; call it {overlay.stem}.png")
    pictures = _pictures(photos)
    first = next(
        pictures
    )  # a wrong name is said before a pack is opened: the sample is drawn and taught the first time
    with Console(stderr=True).status("opening the pack") as status:
        looker = Looker.load(open_pack(pack, status.update))
    documents: list[dict[str, Any]] = []
    for number, (photo, bgr) in enumerate(chain([first], pictures), start=1):
        reading = looker.look(bgr, name=str(photo))
        if not any(board.found for board in reading.boards.values()):
            raise BadPicture(
                f"{photo}: none of the boards of the pack {looker.pack.name!r} is in it; "
                "photograph the boards from above, whole and uncovered, or name the right pack with --pack"
            )
        if overlay is not None and looker.located is not None:
            target = overlay if number == 1 else overlay.with_stem(f"{overlay.stem}-{number}")
            _write(target, draw_overlay(bgr, looker.pack, looker.located, reading, photo.name))
        if as_json:
            documents.append({"file": str(photo), **reading.to_json()})
        else:
            _print(photo, looker.pack, reading)
    if as_json:
        click.echo(json.dumps(documents[0] if len(documents) == 1 else documents, ensure_ascii=False))
    return 0


def _pictures(photos: tuple[Path, ...]) -> Iterator[tuple[Path, Picture]]:
    """The photographs one by one, each checked: a folder of large ones is more than fits into memory."""
    for photo in photos:
        bgr = load_picture(photo)
        check_picture(bgr, str(photo))
        yield photo, bgr


def _write(target: Path, picture: Any) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if not cv2.imwrite(str(target), picture):
        raise OSError(f"{target}: the picture could not be written there")


def _print(photo: Path, pack: Pack, reading: Reading) -> None:
    console = Console(emoji=False)  # ":X:" is a label, not a cross
    timing = ", ".join(f"{stage} {ms:.0f} ms" for stage, ms in reading.ms.items())
    console.print(f"[bold]{photo.name}[/]  [dim]{timing}[/]", highlight=False)
    for name in pack.boards:
        board = reading.boards.get(name)
        if board is None or not board.found:
            console.print(
                f"  [bold]{name}[/] [red]not found[/]: outside the picture, covered, or not this pack's"
            )
            continue
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        for slot in pack.slots_of(name):
            if slot.id in reading.hidden:
                table.add_row(f"  {slot.id}", "[dim]hidden[/]", "")
                continue
            words, p = content_words(slot, reading)
            if slot.kind is Kind.TRACK:
                words, p = _track_words(reading, slot.id)
            if not words and p >= SURE:
                continue
            colour = "green" if p >= SURE else "yellow" if p >= 0.7 else "red"
            table.add_row(f"  {slot.id}", words or "empty", f"[{colour}]{100 * p:.1f} %[/]")
        console.print(f"  [bold]{name}[/]")
        console.print(table)
    console.print("  [dim]slots that are surely empty are left out[/]")


def _track_words(reading: Reading, slot: str) -> tuple[str, float]:
    words, sure = [], 1.0
    for label, numbers in reading.counts.get(slot, {}).items():
        place, p = max(numbers.items(), key=lambda item: item[1])
        sure = min(sure, p)
        words.append(f"{label} {'absent' if place < 0 else place}")
    return ", ".join(words), sure

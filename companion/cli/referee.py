"""`otys-companion referee`: replays a folder of one frame per button press and prints a verdict for each."""

import json
from pathlib import Path
from time import perf_counter
from typing import Any

import click
from rich.console import Console

from calibration.packs import SAMPLE
from companion.documents import read_cards, read_json, read_position
from companion.referee.replaying import Replay
from companion.rules import sample_cards
from companion.sample import open_otys
from vision.look import Looker
from vision.picture import load_picture

PICTURES = (".jpg", ".jpeg", ".png")
CARDS = "cards.json"


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--pack", default=SAMPLE, show_default=True, help="Name or folder of a taught pack.")
@click.option(
    "--start",
    required=True,
    metavar="POSITION.json",
    type=click.Path(path_type=Path),
    help="The position before the first frame.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def referee(folder: Path, pack: str, start: Path, as_json: bool) -> int:
    """Replays a folder of one frame per button press (its folder `frames`, if it has one).

    The likeliest answer is taken for a question; after a fault the next frame is judged from the same position.
    """
    frames = frames_of(folder)
    # A wrong name is said before a pack is opened: the sample is drawn and taught the first time.
    read_json(start)
    pack_dir = open_otys(pack, lambda said: click.echo(said, err=True))
    cards = read_cards(pack_dir / CARDS) if (pack_dir / CARDS).exists() else sample_cards()
    position = read_position(start, cards)
    boards = frozenset(("colony", *(player.colour for player in position.players)))
    replay = Replay.start(position)
    looker = Looker.load(pack_dir)
    documents: list[dict[str, Any]] = []
    console = Console(stderr=True)
    with console.status("reading the first frame ...") as status:
        for number, frame in enumerate(frames, start=1):
            status.update(f"frame {number} of {len(frames)}: {frame.name}")
            reading = looker.look(load_picture(frame), boards, str(frame))
            began = perf_counter()
            verdict = replay.press(reading)
            ms = {**reading.ms, "judge": 1000 * (perf_counter() - began)}
            document = {"file": frame.relative_to(folder).as_posix(), **replay.document(verdict)}
            document["ms"] = {stage: round(took, 1) for stage, took in ms.items()}
            documents.append(document)
            if not as_json:
                click.echo(line(document))
    if as_json:
        click.echo(json.dumps(documents, ensure_ascii=False))
    return 0


def frames_of(folder: Path) -> list[Path]:
    """The pictures of a recorded game in the order they were taken, which is that of their names."""
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: no such folder; give the one that holds the frames of a game")
    inside = folder / "frames"
    place = inside if inside.is_dir() else folder
    frames = sorted(path for path in place.iterdir() if path.suffix.lower() in PICTURES)
    if not frames:
        raise FileNotFoundError(f"{place}: no picture in it; a game is a folder of .jpg or .png frames")
    return frames


def line(document: dict[str, Any]) -> str:
    """One verdict for people."""
    what = document["verdict"]
    if document["faults"]:
        said = " ".join(fault["text"] for fault in document["faults"])
    elif document["question"]:
        answers = " / ".join(answer["turn"] for answer in document["question"]["answers"])
        said = f"{document['question']['text']} {answers}"
    elif "unclear" in document:
        said = f"{document['unclear']['text']} {', '.join(document['unclear']['slots'][:5])}"
    else:
        said = document["turn"] or ""
    return f"{document['file']}  {what:9}  {said}".rstrip()

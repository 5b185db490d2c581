"""Writes a played game to a folder: what `simulate` does, and what tests and benches read."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.rules import Cards, Position, sample_cards
from hardware.simulated.contents import contents
from hardware.simulated.develop import encode
from hardware.simulated.enrolment import write_pack
from hardware.simulated.game import presses
from hardware.simulated.hand import Hand
from hardware.simulated.press import Press, start
from hardware.simulated.studio import FULL_PX, Shot, Studio


@dataclass(frozen=True)
class Order:
    """What to simulate. `art_seed` chooses another edition than the seed's own."""

    seed: int
    players: int
    turns: int
    conditions: str = "livingroom"
    mistakes: float = 0.0
    size_px: tuple[int, int] = FULL_PX
    art_seed: int | None = None


def check_folder(folder: Path) -> None:
    """Refuses a folder that holds something already."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file; choose a new folder with --out")
    if folder.is_dir() and any(folder.iterdir()):
        raise ValueError(f"{folder} is not empty; choose a new folder with --out, nothing was written")


def record(order: Order, folder: Path, progress: Callable[[str], None] = lambda words: None) -> int:
    """Fills the folder and returns how many frames it holds."""
    check_folder(folder)
    cards = sample_cards()
    position = start(order.seed, order.players, cards)
    studio = table(order, position, cards)
    (folder / "frames").mkdir(parents=True)
    write_pack(studio, cards.to_json(), folder / "pack", progress)
    (folder / "start.json").write_text(json.dumps(_at_the_table(position)), encoding="utf-8")
    studio.lay(contents(position, studio.layout))
    count = 0
    with (folder / "truth.jsonl").open("w", encoding="utf-8") as lines:
        turns = 0
        for press in presses(position, studio.layout, order.seed, order.mistakes):
            count += 1
            turns += press.mistake is None
            name = f"frames/{count:03}.jpg"
            progress(f"press {count}: {press.turn}")
            shot = show(studio, press)
            (folder / name).write_bytes(encode(shot.bgr, shot.conditions.jpeg))
            lines.write(json.dumps(line(name, press, shot)) + "\n")
            if turns == order.turns:
                break
    return count


def table(order: Order, position: Position, cards: Cards) -> Studio:
    colours = [player.colour for player in position.players]
    known = {card["id"]: card for card in cards.to_json()["contracts"]}
    return Studio.build(order.seed, colours, known, order.conditions, order.size_px, order.art_seed)


def show(studio: Studio, press: Press) -> Shot:
    """Lays the press on the table, lets happen what happens at tables, and takes the picture."""
    rng, now = studio.rng, studio.conditions
    studio.tidy()
    studio.covered = press.covered
    if rng.random() < now.relit:
        studio.relight()
    if rng.random() < now.nudged:
        studio.nudge()
    studio.lay(press.held, press.loose)
    if rng.random() < now.knocked:
        studio.knock(str(rng.choice(studio.layout.boards)), bool(rng.random() < now.left_behind))
    hands: tuple[Hand, ...] = ()
    if rng.random() < now.hand:
        hands = (studio.reaching(str(rng.choice(studio.layout.boards))),)
    return studio.photograph(hands)


def line(name: str, press: Press, shot: Shot) -> dict[str, Any]:
    """One line of truth.jsonl."""
    return {
        "file": name,
        "player": press.player,
        "turn": str(press.turn),
        "position": press.position.to_json(),
        "conditions": shot.conditions.to_json(),
        **shot.truth.to_json(),
        "mistake": None if press.mistake is None else press.mistake.to_json(),
    }


def _at_the_table(position: Position) -> dict[str, Any]:
    """The position as people know it: nobody has looked into the deck or the bag."""
    return {**position.to_json(), "deck": None, "bag": None}

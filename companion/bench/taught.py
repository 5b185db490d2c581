"""Simulated tables with a pack that was taught of them, each drawn and taught once in a run of the bench."""

from dataclasses import dataclass
from pathlib import Path

from calibration.enrol import enrol
from companion.rules import sample_cards
from hardware.simulated.enrolment import write_pack
from hardware.simulated.press import start
from hardware.simulated.studio import Studio


@dataclass(frozen=True)
class Table:
    """A box of the game on a table under a camera: everything comes from the two seeds."""

    art_seed: int
    seed: int
    players: int
    conditions: str = "livingroom"
    size_px: tuple[int, int] = (2304, 1296)

    def pack_dir(self, scratch: Path) -> Path:
        return scratch / f"{self.conditions}-{self.art_seed}-{self.seed}-{self.players}-{self.size_px[0]}"


def teach(table: Table, scratch: Path) -> Path:
    """The folder of the table's pack, taught from photographs of that table."""
    folder = table.pack_dir(scratch)
    cards = sample_cards()
    document = cards.to_json()
    known = {card["id"]: card for card in document["contracts"]}
    colours = [player.colour for player in start(table.seed, table.players, cards).players]
    studio = Studio.build(table.seed, colours, known, table.conditions, table.size_px, table.art_seed)
    write_pack(studio, document, folder, lambda words: None)
    enrol(folder)
    return folder

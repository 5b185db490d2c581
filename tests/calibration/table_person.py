"""A person at the simulated table who does what the calibration asks: taps corners, lays pieces, presses buttons."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from calibration.plan import Wanted
from calibration.shown import Shown
from calibration.write import pack_toml as written
from companion import actions
from companion.calibrator import Calibrator, CalibratorSettings
from companion.messages import Message, Tapped
from companion.rules import sample_cards
from hardware.simulated.arrange import Placed
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.contents import bare
from hardware.simulated.enrolment import pack_toml
from hardware.simulated.studio import Studio
from vision.pack import Slot, load_pack

SIZE_PX = (1280, 720)
COLOURS = ("red", "blue")


class HandClock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


class Person:
    """Sits before a studio and a calibrator, and sees only what the screen shows.

    `teaches` chooses the slots of the layout: a whole game takes a minute to learn.
    """

    def __init__(self, data: Path, teaches: Callable[[Slot], bool], seed: int = 3, **how: Any) -> None:
        cards = sample_cards().to_json()
        known = {card["id"]: card for card in cards["contracts"]}
        self.studio = Studio.build(seed, COLOURS, known, "easy", SIZE_PX, art_seed=0)
        self.studio.things = ()
        self.clock = HandClock()
        self.camera = SimulatedCamera(self.studio, self.clock)
        self.camera.open()
        self.layout = data / "packs" / "otys-sample"
        self.layout.mkdir(parents=True)
        (self.layout / "pack.toml").write_text(pack_toml(self.studio.layout, list(known)), encoding="utf-8")
        pack = load_pack(self.layout)
        slots = {name: slot for name, slot in pack.slots.items() if teaches(slot)}
        boards = {
            name: board for name, board in pack.boards.items() if any(s.board == name for s in slots.values())
        }
        pieces = {name: pack.pieces[name] for name in {slot.pieces: 0 for slot in slots.values()}}
        self.pack = replace(pack, boards=boards, pieces=pieces, slots=slots)
        (self.layout / "pack.toml").write_text(written(self.pack), encoding="utf-8")
        (self.layout / "cards.json").write_text(json.dumps(cards), encoding="utf-8")
        self.sent: list[Message] = []
        self.taps = 0
        self.calibrator = self.sit_down(self.layout, **how)

    def sit_down(self, pack_dir: Path, **how: Any) -> Calibrator:
        """Before a calibrator for a pack, its screen up."""
        settings = CalibratorSettings(wait_s=0.02)
        self.calibrator = Calibrator(self.camera, pack_dir, self.sent.append, settings=settings, **how)
        self.calibrator.attend(True)
        self.look()
        return self.calibrator

    @property
    def screen(self) -> Shown:
        return next(
            m.value for m in reversed(self.sent) if isinstance(m, Tapped) and isinstance(m.value, Shown)
        )

    def look(self) -> Shown:
        self.clock.now_s += 2.0
        self.calibrator.step()
        return self.screen

    def touch(self, value: Any) -> Shown:
        self.taps += 1
        assert self.calibrator.hear(Tapped(actions.CALIBRATION, value))
        return self.look()

    def press(self, value: str) -> Shown:
        assert value in [offered for _, offered in self.screen.choices]
        return self.touch(value)

    def frame(self) -> Shown:
        self.studio.lay(bare(self.studio.layout))
        self.look()
        return self.press("shoot")

    def tap_corners(self, slip_px: float = 2.5) -> Shown:
        """Every corner as it is asked for, each a little off."""
        for corners in self.corners().values():
            for at, (x, y) in enumerate(corners):
                # The picture on the screen is as large as the camera's here.
                self.touch(("tap", (float(x) + slip_px * (-1) ** at, float(y) - slip_px)))
        return self.screen

    def corners(self) -> Mapping[str, Any]:
        """In the order the pack names the boards."""
        boards = self.studio.photograph().truth.boards
        return {name: boards[name] for name in self.pack.boards}

    def lay(self, wanted: Wanted) -> None:
        """What a photograph asks for; everything else bare."""
        laid = {slot: dict(c) if isinstance(c, Mapping) else c for slot, c in wanted.slots.items()}
        self.studio.lay({**bare(self.studio.layout), **laid})

    def wait_for(self, headline: str) -> Shown:
        """Looks until the screen says so."""
        for _ in range(20_000):
            if self.look().headline == headline:
                return self.screen
        raise AssertionError(f"the screen still says {self.screen.headline!r}: {self.screen.sentences}")


def rows_of_cards(studio: Studio, pieces: tuple[str, ...]) -> tuple[Placed, ...]:
    """Cards in two rows on the table, as straight as hands lay them."""
    rig, (width, height) = studio.rig, studio.layout.card_mm
    columns = -(-len(pieces) // 2)
    rng = np.random.default_rng(7)
    placed = []
    for at, piece in enumerate(pieces):
        row, column = divmod(at, columns)
        x = rig.x_mm + (column - (columns - 1) / 2) * (width + 14) + rng.uniform(-2, 2)
        y = rig.y_mm + (row - 0.5) * (height + 20) + rng.uniform(-2, 2)
        placed.append(Placed(piece, "", "", x, y, float(rng.normal(0, 1.5))))
    return tuple(placed)

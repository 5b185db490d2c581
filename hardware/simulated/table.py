"""A game that plays itself on the simulated table: the driver behind the demo and the end-to-end bench.

table = SimulatedTable(seed=7, players=2, clock=clock)
table.camera.open()
pending = table.next_turn()      # a hand comes in; at pending.done_s the player presses
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from companion.rules import Cards, Position, sample_cards
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.contents import contents
from hardware.simulated.game import presses
from hardware.simulated.motion import Moment, Pace, Script, Spot, moves_between
from hardware.simulated.press import Press, start
from hardware.simulated.stage import on_table
from hardware.simulated.studio import FULL_PX, HANDS, Studio


@dataclass(frozen=True)
class Pending:
    """A press to come: who, what, and when the hand has left the table."""

    press: Press
    done_s: float


class SimulatedTable:
    """Plays one press after another; each begins when it is asked for."""

    def __init__(
        self,
        seed: int,
        players: int = 2,
        conditions: str = "livingroom",
        mistakes: float = 0.0,
        size_px: tuple[int, int] = FULL_PX,
        clock: Callable[[], float] = time.monotonic,
        art_seed: int | None = 0,
        cards: Cards | None = None,
        pace: Pace | None = None,
        game: Callable[[Position, Studio], Iterator[Press]] | None = None,
        game_seed: int | None = None,
    ) -> None:
        """`seed` chooses the table and, unless `game_seed` does, the game that is played on it."""
        chosen = seed if game_seed is None else game_seed
        self.cards = cards or sample_cards()
        self.start: Position = start(chosen, players, self.cards)
        colours = [player.colour for player in self.start.players]
        known: dict[str, Any] = {card["id"]: card for card in self.cards.to_json()["contracts"]}
        self.studio = Studio.build(seed, colours, known, conditions, size_px, art_seed)
        if game_seed is not None:
            # On the same table something else happens in every game.
            self.studio.rng = np.random.default_rng([game_seed, seed])
        self.studio.lay(contents(self.start, self.studio.layout))
        self.camera = SimulatedCamera(self.studio, clock)
        self.position = self.start
        self.happened: Counter[str] = Counter()  # knocks, nudges, other light
        self._clock = clock
        self._pace = pace or Pace()
        self._presses = (
            presses(self.start, self.studio.layout, chosen, mistakes)
            if game is None
            else game(self.start, self.studio)
        )

    def next_turn(self) -> Pending | None:
        """Sets the next press going, a mistake, its correction or a turn; None when the game is over."""
        press = next(self._presses, None)
        if press is None:
            return None
        studio = self.studio
        before = self._moment()
        self._happen(press)
        after = self._moment()
        script = Script(
            studio.layout,
            self._clock(),
            before,
            after,
            moves_between(before.placed, after.placed),
            self._seat(press.player),
            (7 * press.player + studio.seed) % HANDS,
            self._pace,
        )
        self.camera.play(script)
        self.position = press.position
        return Pending(press, script.end_s)

    def _moment(self) -> Moment:
        return Moment(dict(self.studio.poses), self.studio.placed, (), self.studio.rig)

    def _happen(self, press: Press) -> None:
        studio, rng = self.studio, self.studio.rng
        studio.tidy()
        studio.covered = press.covered
        if rng.random() < studio.conditions.relit:
            studio.relight()
            self.happened["relit"] += 1
        studio.lay(press.held, press.loose)
        if rng.random() < studio.conditions.nudged:
            studio.nudge()
            self.happened["nudged"] += 1
        if rng.random() < studio.conditions.knocked:
            board = str(rng.choice(studio.layout.boards))
            pose = studio.poses[board]
            studio.knock(board, bool(rng.random() < studio.conditions.left_behind))
            self.happened["knocked"] += studio.poses[board] != pose  # one between others stays

    def _seat(self, player: int) -> Spot:
        """Where a player's hand rests: behind the lower edge of the board."""
        studio = self.studio
        board = studio.layout.colours[player]
        pose = studio.poses[board]
        width, height = studio.layout.player_mm
        x, y = on_table(studio.layout, board, pose, np.array([(width / 2, height + 260.0)]))[0]
        return Spot(float(x), float(y), pose.turn_deg, 0.0)


def quick(pace: Pace, factor: float) -> Pace:
    """The same movements, `factor` times as fast."""
    return replace(
        pace,
        coming_s=pace.coming_s / factor,
        carry_s=pace.carry_s / factor,
        between_s=pace.between_s / factor,
        leaving_s=pace.leaving_s / factor,
        most_s=pace.most_s / factor,
        knock_s=pace.knock_s / factor,
    )

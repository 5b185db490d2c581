"""One simulated table: an edition of the game, boards on a table top, a camera above, light that changes.

studio = Studio.build(seed=3, colours=("red", "blue"), conditions="livingroom", size_px=(1536, 864))
studio.lay(contents(position, studio.layout))
shot = studio.photograph()
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrange import Placed, arrange, on_board
from hardware.simulated.art import edition
from hardware.simulated.clutter import Thing, loose_pieces, scatter
from hardware.simulated.conditions import Conditions, conditions, relight
from hardware.simulated.contents import Content, bare
from hardware.simulated.hand import Hand
from hardware.simulated.layout import Layout, Rect, Slot, layout
from hardware.simulated.render import Renderer, Scene
from hardware.simulated.stage import Pose, Rig, on_table, overlap, reach, seat, stand
from hardware.simulated.truth import Covers, Truth, truth

FULL_PX = (4608, 2592)
FINE_PPM = 6.0  # art for frames over 2000 pixels across: sharper than the camera sees it
COARSE_PPM = 3.0
HANDS = 12  # different arms around a table, sleeves and skins


@dataclass(frozen=True)
class Shot:
    bgr: NDArray[Any]
    truth: Truth
    conditions: Conditions


@dataclass
class Studio:
    """Holds what is on the table now. Everything random comes from its generator, in the order of the calls."""

    layout: Layout
    renderer: Renderer
    rig: Rig
    conditions: Conditions
    poses: dict[str, Pose]
    held: dict[str, Content]
    placed: tuple[Placed, ...]
    seed: int
    rng: np.random.Generator = field(repr=False)
    things: tuple[Thing, ...] = ()
    covered: tuple[str, ...] = ()  # slots with a napkin over them
    shots: int = 0

    @classmethod
    def build(
        cls,
        seed: int,
        colours: Sequence[str],
        cards: Mapping[str, Mapping[str, Any]],
        conditions_name: str = "livingroom",
        size_px: tuple[int, int] = FULL_PX,
        art_seed: int | None = None,
    ) -> "Studio":
        """A table with bare boards. `art_seed` chooses the edition; it is the seed unless told."""
        rng = np.random.default_rng([seed, 5])
        at = layout(seed if art_seed is None else art_seed, colours)
        now = conditions(conditions_name, rng)
        poses = seat(at, rng, now.wild_deg)
        rig = stand(at, poses, size_px, rng, now.lean_deg)
        art = edition(at, cards, FINE_PPM if size_px[0] > 2000 else COARSE_PPM)
        things = scatter(at, poses, rig, now.clutter, rng)
        return cls(at, Renderer(art), rig, now, poses, bare(at), (), seed, rng, things)

    def lay(self, held: Mapping[str, Content], loose: tuple[Placed, ...] = ()) -> None:
        """Puts pieces so that every slot holds what it should; those already right stay as they lie."""
        self.held = dict(held)
        self.placed = (
            *arrange(self.layout, self.held, self.placed, self.rng, self.conditions.sloppy),
            *loose,
        )

    def scene(self, hands: tuple[Hand, ...] = ()) -> Scene:
        beside = loose_pieces(self.layout, self.things, self.poses)
        return Scene(
            dict(self.poses),
            (*self.placed, *beside),
            self.things,
            hands=hands,
            napkins=self.napkins(),
            seed=self.seed,
        )

    def napkins(self) -> tuple[NDArray[Any], ...]:
        """Outlines of what is laid over slots, on the table."""
        found = []
        for name in self.covered:
            slot = self.layout.slot(name)
            areas = np.array(self._standing(slot) if slot.kind == "track" else slot.areas())
            low, high = areas[:, :2].min(axis=0) - 6, (areas[:, :2] + areas[:, 2:]).max(axis=0) + 6
            rect = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
            found.append(on_table(self.layout, slot.board, self.poses[slot.board], rect))
        return tuple(found)

    def _standing(self, slot: Slot) -> list[Rect]:
        """The places of a track around its markers: a napkin hides where they came from, too."""
        held = self.held[slot.id]
        places = sorted(held.values()) if isinstance(held, dict) else []
        areas = slot.areas()
        near = sorted({p + d for p in places for d in (-1, 0, 1) if 0 <= p + d < len(areas)})
        return [areas[place] for place in near]

    def photograph(self, hands: tuple[Hand, ...] = ()) -> Shot:
        self.shots += 1
        picture = self.renderer.render(
            self.scene(hands), self.rig, self.conditions, self.seed * 1009 + self.shots
        )
        return Shot(picture.bgr, self.truth(picture.covers), self.conditions)

    def truth(self, covers: Covers) -> Truth:
        return truth(self.layout, self.held, self.poses, self.placed, self.rig, covers)

    def reaching(self, board: str) -> Hand:
        """A hand over a board, coming from where its player sits; over the colony from a side of the table."""
        slot = self.layout.of_board(board)[int(self.rng.integers(0, len(self.layout.of_board(board))))]
        x, y, width, height = slot.areas()[0]
        spot = on_table(self.layout, board, self.poses[board], np.array([(x + width / 2, y + height / 2)]))[0]
        bearing = self.poses[board].turn_deg + float(self.rng.uniform(-25, 25))
        if board == "colony":
            bearing = float(self.rng.choice([-90, 90])) + float(self.rng.uniform(-20, 20))
        pose = "pinch" if self.rng.random() < 0.5 else "reach"
        return Hand(float(spot[0]), float(spot[1]), bearing, int(self.rng.integers(0, HANDS)), pose)

    def relight(self) -> None:
        self.conditions = relight(self.conditions, self.rng)

    def nudge(self, most_mm: float = 8.0, most_deg: float = 0.8) -> None:
        """Somebody bumps into the camera's stand."""
        shift, turn = self.rng.uniform(-most_mm, most_mm, 2), self.rng.uniform(-most_deg, most_deg, 3)
        self.rig = replace(
            self.rig,
            x_mm=self.rig.x_mm + float(shift[0]),
            y_mm=self.rig.y_mm + float(shift[1]),
            pitch_deg=self.rig.pitch_deg + float(turn[0]),
            yaw_deg=self.rig.yaw_deg + float(turn[1]),
            roll_deg=self.rig.roll_deg + float(turn[2]),
        )

    def knock(self, board: str, leave_behind: bool, turn_deg: float | None = None) -> None:
        """A board slides and turns with what lies on it; what lies beside it stays, unless it is carried along."""
        before = self.poses[board]
        for _ in range(12):
            turn = float(self.rng.uniform(2, 7)) * (1 if self.rng.random() < 0.5 else -1)
            after = Pose(
                before.x_mm + float(self.rng.uniform(-7, 7)),
                before.y_mm + float(self.rng.uniform(-7, 7)),
                before.turn_deg + (turn if turn_deg is None else turn_deg),
            )
            if self._fits(board, after):
                break
        else:
            return  # it is wedged between the others
        self.poses[board] = after
        if leave_behind:
            self.placed = tuple(
                self._left(piece, before)
                if piece.board == board and not on_board(self.layout, piece)
                else piece
                for piece in self.placed
            )

    def _fits(self, board: str, pose: Pose) -> bool:
        """Whether a board could lie there: in sight, and on top of nothing else."""
        mine = on_table(self.layout, board, pose, reach(self.layout, board))
        seen = self.rig.seen(mine, 0.0)
        if (seen < 0).any() or (seen >= np.array(self.rig.size_px)).any():
            return False
        others = [(name, other) for name, other in self.poses.items() if name != board]
        return not any(
            overlap(mine, on_table(self.layout, name, other, reach(self.layout, name)), 1.0)
            for name, other in others
        )

    def _left(self, piece: Placed, pose: Pose) -> Placed:
        x, y = on_table(self.layout, piece.board, pose, np.array([(piece.x_mm, piece.y_mm)]))[0]
        return replace(piece, board="", x_mm=float(x), y_mm=float(y), turn_deg=piece.turn_deg + pose.turn_deg)

    def tidy(self) -> None:
        """Pieces left behind by a knocked board are put back to their places."""
        self.placed = arrange(
            self.layout,
            self.held,
            [piece for piece in self.placed if piece.board],
            self.rng,
            self.conditions.sloppy,
        )

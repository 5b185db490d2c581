"""What happens between two presses: a hand comes in, pieces move one after another, the hand leaves.

A script knows the whole of it beforehand; asked for any time it gives the table of that moment.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardware.simulated.arrange import Placed
from hardware.simulated.hand import Hand
from hardware.simulated.layout import Layout
from hardware.simulated.stage import Pose, Rig, on_table

LIFT_MM = 26.0  # how high a piece is carried


@dataclass(frozen=True)
class Pace:
    """Seconds, as people move."""

    coming_s: float = 0.5
    carry_s: float = 0.42
    between_s: float = 0.22
    leaving_s: float = 0.5
    most_s: float = 5.0  # a long turn is played faster, not longer
    knock_s: float = 0.18


@dataclass(frozen=True)
class Spot:
    """A place on the table itself."""

    x_mm: float
    y_mm: float
    turn_deg: float
    base_mm: float


@dataclass(frozen=True)
class Move:
    """A piece lifted from one place and put down at another; None is the supply, or a hand."""

    picture: str
    old: Placed | None
    new: Placed | None


@dataclass(frozen=True)
class Moment:
    """The table at one instant."""

    poses: Mapping[str, Pose]
    placed: tuple[Placed, ...]
    hands: tuple[Hand, ...]
    rig: Rig
    carried: tuple[Placed, ...] = ()


@dataclass(frozen=True)
class Script:
    """From one arrangement to another. Times are seconds on the clock of the simulated camera."""

    at: Layout
    begin_s: float
    before: Moment
    after: Moment
    moves: tuple[Move, ...]
    seat: Spot  # where the player's hand comes from; its turn is the arm's bearing
    arm: int
    pace: Pace

    @property
    def end_s(self) -> float:
        pace = self._pace()
        return (
            self.begin_s + pace.coming_s + len(self.moves) * (pace.carry_s + pace.between_s) + pace.leaving_s
        )

    def _pace(self) -> Pace:
        natural = len(self.moves) * (self.pace.carry_s + self.pace.between_s)
        factor = min(1.0, self.pace.most_s / natural) if natural else 1.0
        return replace(self.pace, carry_s=self.pace.carry_s * factor, between_s=self.pace.between_s * factor)

    def moment(self, now_s: float) -> Moment:
        """The table at a time; before the script begins and after it ends nothing moves."""
        if now_s <= self.begin_s:
            return self.before
        if now_s >= self.end_s:
            return self.after
        pace = self._pace()
        since = now_s - self.begin_s - pace.coming_s
        step = pace.carry_s + pace.between_s
        done = int(np.clip(np.floor(since / step), 0, len(self.moves))) if self.moves else 0
        within = since - done * step
        placed = _after_moves(self.before.placed, self.moves[:done])
        poses, rig = self._knocked(now_s)
        if since < 0 or done >= len(self.moves):
            if since < 0:
                first = self._spot(self.moves[0].old if self.moves else None)
                tip = _between(self.seat, first, 1 + since / pace.coming_s)
            else:
                last = self._spot(self.moves[-1].new if self.moves else None)
                tip = _between(last, self.seat, (since - len(self.moves) * step) / pace.leaving_s)
            return Moment(poses, placed, (self._hand(tip),), rig)
        move = self.moves[done]
        if within < pace.between_s:
            previous = self._spot(self.moves[done - 1].new) if done else self._spot(move.old)
            return Moment(
                poses,
                placed,
                (self._hand(_between(previous, self._spot(move.old), within / pace.between_s)),),
                rig,
            )
        tip = _between(self._spot(move.old), self._spot(move.new), (within - pace.between_s) / pace.carry_s)
        carried = Placed(move.picture, "", "", tip.x_mm, tip.y_mm, tip.turn_deg, tip.base_mm + LIFT_MM)
        left = tuple(piece for piece in placed if piece is not move.old)
        return Moment(poses, left, (self._hand(tip),), rig, (carried,))

    def _knocked(self, now_s: float) -> tuple[Mapping[str, Pose], Rig]:
        """Boards and camera are bumped when the hand leaves, which is when it happens."""
        start = self.end_s - self.pace.leaving_s
        if now_s < start:
            return self.before.poses, self.before.rig
        share = min(1.0, (now_s - start) / self.pace.knock_s)
        poses = {
            board: Pose(
                pose.x_mm + (self.after.poses[board].x_mm - pose.x_mm) * share,
                pose.y_mm + (self.after.poses[board].y_mm - pose.y_mm) * share,
                pose.turn_deg + (self.after.poses[board].turn_deg - pose.turn_deg) * share,
            )
            for board, pose in self.before.poses.items()
        }
        return poses, self.after.rig if share >= 0.5 else self.before.rig

    def _spot(self, piece: Placed | None) -> Spot:
        """A piece's place on the table; the supply lies beside the player's seat."""
        if piece is None:
            return Spot(self.seat.x_mm * 0.9, self.seat.y_mm * 0.9, 0.0, 0.0)
        if not piece.board:
            return Spot(piece.x_mm, piece.y_mm, piece.turn_deg, piece.base_mm)
        pose = self.before.poses[piece.board]
        x, y = on_table(self.at, piece.board, pose, np.array([(piece.x_mm, piece.y_mm)]))[0]
        return Spot(float(x), float(y), pose.turn_deg + piece.turn_deg, piece.base_mm)

    def _hand(self, tip: Spot) -> Hand:
        return Hand(tip.x_mm, tip.y_mm, self.seat.turn_deg, self.arm, "pinch")


def _between(one: Spot, other: Spot, share: float) -> Spot:
    """On the way, slow at both ends."""
    t = float(np.clip(share, 0, 1))
    t = t * t * (3 - 2 * t)
    return Spot(
        one.x_mm + (other.x_mm - one.x_mm) * t,
        one.y_mm + (other.y_mm - one.y_mm) * t,
        one.turn_deg + (other.turn_deg - one.turn_deg) * t,
        one.base_mm + (other.base_mm - one.base_mm) * t,
    )


def _after_moves(placed: Sequence[Placed], moves: Sequence[Move]) -> tuple[Placed, ...]:
    gone = {id(move.old) for move in moves if move.old is not None}
    kept = [piece for piece in placed if id(piece) not in gone]
    return (*kept, *(move.new for move in moves if move.new is not None))


def moves_between(before: Sequence[Placed], after: Sequence[Placed]) -> tuple[Move, ...]:
    """Which pieces are lifted, and to where: the same picture found elsewhere has moved there."""
    staying = Counter(after)
    gone = []
    for piece in before:
        if staying[piece]:
            staying[piece] -= 1
        else:
            gone.append(piece)
    new = [piece for piece, count in staying.items() for _ in range(count)]
    moves = []
    for piece in gone:
        twin = next((other for other in new if _same_thing(other, piece)), None)
        if twin is not None:
            new.remove(twin)
        moves.append(Move(piece.picture if twin is None else twin.picture, piece, twin))
    moves += [Move(piece.picture, None, piece) for piece in new]
    # A space must be free before something else is put there.
    return tuple(sorted(moves, key=lambda move: (move.new is not None, move.new is None or move.old is None)))


def _same_thing(one: Placed, other: Placed) -> bool:
    """The same piece, perhaps flipped: a key and its back, both sides of a diver."""
    return _thing(one.picture) == _thing(other.picture)


def _thing(picture: str) -> str:
    kind, _, label = picture.partition(":")
    if kind in ("key", "xkey", "back"):
        return f"key@{label.partition('@')[2]}"
    return f"{kind}:{label.removesuffix('+')}"

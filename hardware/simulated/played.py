"""A turn as it should lie on the table, and handles for spoiling it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from companion.rules import Dive, IllegalStep, Player, PlayKey, Position, Step, Turn, UseSponsor
from hardware.simulated.contents import EMPTY, Content, Contents, contents
from hardware.simulated.layout import Layout

SURFACE = 3  # divers above level 1
Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Played:
    """The position before, the turn, the position after, and what the slots hold in both."""

    before: Position
    turn: Turn
    after: Position
    at: Layout

    @cached_property
    def was(self) -> Contents:
        return contents(self.before, self.at)

    @cached_property
    def right(self) -> Contents:
        return contents(self.after, self.at)

    @property
    def me(self) -> int:
        return self.before.to_play

    @property
    def player(self) -> Player:
        return self.before.players[self.me]

    @property
    def player_after(self) -> Player:
        return self.after.players[self.me]

    @property
    def colour(self) -> str:
        return self.player.colour

    @cached_property
    def key(self) -> PlayKey:
        return next(step for step in self.turn.steps if isinstance(step, PlayKey))

    @property
    def level(self) -> int:
        return self.key.level

    def steps(self, kind: type[Kind]) -> list[Kind]:
        """The turn's steps of one kind; for sponsor and diver effects look with `effects`."""
        return [step for step in self.turn.steps if isinstance(step, kind)]

    def effects(self, kind: type[Kind]) -> list[Kind]:
        """Sponsor and diver effects of one kind."""
        used = [step.effect for step in self.turn.steps if isinstance(step, UseSponsor | Dive)]
        return [effect for effect in used if isinstance(effect, kind)]

    @property
    def recovered(self) -> bool:
        """All keys came back at the end of the turn."""
        return not self.player_after.track

    def changed(self, **slots: Content) -> Contents:
        """The right table with some of the player's own slots held differently; `_` stands for the dot."""
        edits = {f"{self.colour}.{name.replace('_', '.')}": content for name, content in slots.items()}
        return self.edited(edits)

    def edited(self, edits: Mapping[str, Content]) -> Contents:
        assert edits.keys() <= self.right.keys(), f"no such slots: {edits.keys() - self.right.keys()}"
        return {**self.right, **edits}

    def own(self, *names: str) -> list[str]:
        """The player's slots whose names begin with one of these."""
        return [
            slot
            for slot in self.right
            if slot.startswith(f"{self.colour}.") and slot.split(".", 1)[1].startswith(names)
        ]

    def undone(self, slots: Iterable[str]) -> Contents:
        """The right table with some slots as they were before the turn."""
        return self.edited({slot: self.was[slot] for slot in slots})

    def column(self) -> list[str]:
        """The divers after the turn, top to bottom."""
        return list(self.player_after.divers)

    def with_column(self, divers: Iterable[str]) -> Contents:
        return self.edited({f"{self.colour}.diver.{i}": diver for i, diver in enumerate(divers, 1)})

    def before_resurfacing(self) -> list[str]:
        """The column just before the activated diver went to the top."""
        column = self.column()
        column.insert(SURFACE + self.level - 1, column.pop(0))
        return column

    def keys_played(self) -> dict[str, Content]:
        """The track with one more key on it than before the turn, as if nothing had come back."""
        places: dict[str, Content] = {}
        for place in range(1, 7):
            slot = f"{self.colour}.track.{place}"
            places[slot] = self.was[slot]
        lying = len(self.player.track)
        if lying < 6:
            places[f"{self.colour}.track.{lying + 1}"] = "back/N" if self.key.key == "N" else "back"
        return places

    def gone(self) -> dict[str, Content]:
        """Key spaces with the played key missing, as if nothing had come back."""
        spaces: dict[str, Content] = {}
        for level in range(1, 6):
            there = level in self.player.keys and level != self.key.key
            spaces[f"{self.colour}.key.{level}"] = "key" if there else EMPTY
        spaces[f"{self.colour}.x"] = {
            "X": int("X" in self.player.keys and self.key.key != "X"),
            "N": self.player.neutral_x - (self.key.key == "N"),
        }
        return spaces

    def elsewhere(self, player: Mapping[str, Any] | None = None, **table: Any) -> Position:
        """The position before the turn, changed in some fields of the player and of the table."""
        start = self.before._replace(**table)
        return start.with_player(self.me, **player) if player else start

    def otherwise(
        self, steps: Iterable[Step], player: Mapping[str, Any] | None = None, **table: Any
    ) -> Position | None:
        """Where other steps would have led from a position changed in some fields, None when even that is illegal."""
        try:
            return self.elsewhere(player, **table).play_turn(Turn(steps))
        except IllegalStep:
            return None

    def shown(self, position: Position) -> Contents:
        return contents(position, self.at)

    def inserted(self, step: Step) -> list[Step]:
        """The turn with a step put in right after the key."""
        steps = list(self.turn.steps)
        place = steps.index(self.key) + 1
        return [*steps[:place], step, *steps[place:]]

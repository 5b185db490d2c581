"""What the referee says about one look at the table."""

from dataclasses import dataclass

from companion.rules import Position, Turn


@dataclass(frozen=True)
class Fault:
    """One thing that no legal turn explains: what, where, by which rule, and how to put it right.

    `values` fill the sentence of `id` in the players' language (companion.referee.faults holds the English one).
    """

    id: str
    slots: tuple[str, ...]
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Answer:
    """One way to explain the boards: `turn` leads to `position`.

    `alike` are all the positions that would look so, with their weights, when there is something nobody can see.
    """

    turn: Turn
    position: Position
    p: float
    alike: tuple[tuple[float, Position], ...] = ()


@dataclass(frozen=True)
class Unchanged:
    """The boards stand as they stood."""


@dataclass(frozen=True)
class Played:
    """One explanation stands clear. `turns` has two entries when two turns were played with one press."""

    turns: tuple[Turn, ...]
    position: Position
    p: float


@dataclass(frozen=True)
class Ask:
    """Several explanations remain and the difference matters: `about` names it, likeliest answer first, at most four."""

    about: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Illegal:
    """No legal turn explains the boards. `nearest` is the legal turn the faults are slips of, if there is one."""

    faults: tuple[Fault, ...]
    nearest: Answer | None


@dataclass(frozen=True)
class Unclear:
    """Too much is hidden to say: which slots, and why."""

    slots: tuple[str, ...]
    why: str


Verdict = Unchanged | Played | Ask | Illegal | Unclear

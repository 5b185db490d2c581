"""What reaches the session (messages) and what it asks the world to do (effects). Plain values, both ways."""

from dataclasses import dataclass
from typing import Any, Literal

from vision.reading import Reading

Watching = Literal["off", "watching", "hand", "still", "reading"]


# --- in ---------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Pressed:
    """A player's button, already debounced. `player` is the seat index."""

    player: int


@dataclass(frozen=True)
class UndoHeld:
    """The shared undo button, held long enough."""


@dataclass(frozen=True)
class Tapped:
    """A finger on the screen: `action` is one of companion.view's actions, `value` what it carries."""

    action: str
    value: Any = None


@dataclass(frozen=True)
class Seen:
    """The answer to a Look: a reading of the still table, and the picture it came from for the screen.

    The picture is a JPEG, smaller than what was read: one pixel of the frame is `picture_scale` pixels of it.
    """

    reading: Reading
    picture: bytes | None = None
    picture_scale: float = 1.0


@dataclass(frozen=True)
class CannotSee:
    """A Look that failed: a sentence that says why and what to do."""

    why: str


@dataclass(frozen=True)
class Watch:
    """What the camera is doing, for the screen's status line."""

    watching: Watching


@dataclass(frozen=True)
class CameraLost:
    why: str


@dataclass(frozen=True)
class CameraBack:
    pass


@dataclass(frozen=True)
class Tick:
    """Time passes: seconds on a monotonic clock, never the wall clock, which may jump."""

    now_s: float


Message = Pressed | UndoHeld | Tapped | Seen | CannotSee | Watch | CameraLost | CameraBack | Tick


# --- out --------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Look:
    """Read the table as soon as it is still and no hand is over it; answered by Seen or CannotSee.

    `live` asks for readings again and again until the next Look or StopLooking (set-up, restoring). `boards` are those
    in play: no time is spent on looking for the others of the pack.
    """

    live: bool = False
    boards: frozenset[str] = frozenset()


@dataclass(frozen=True)
class StopLooking:
    pass


@dataclass(frozen=True)
class Expect:
    """A Look at these boards may come at any moment: they may be read as soon as the table is still. None: it will not."""

    boards: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Lights:
    """The LED of the player to play, and the lamp for a question or a fault."""

    to_play: int | None
    attention: Literal["none", "question", "fault"] = "none"


@dataclass(frozen=True)
class Sound:
    name: Literal["played", "question", "fault", "last-round", "over", "undo"]


@dataclass(frozen=True)
class Leave:
    """Close the program."""


Effect = Look | StopLooking | Expect | Lights | Sound | Leave

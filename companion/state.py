"""Where the evening stands: one frozen value, changed only by the session, drawn only by the view."""

from dataclasses import dataclass, field
from typing import Any, Literal

from companion.journal.podium import Podium
from companion.journal.statistics import GameFigures, LifetimeFigures
from companion.messages import Watching
from companion.notices import Notice
from companion.referee.restoring import Misplaced
from companion.referee.verdict import Ask, Illegal, Played, Unclear
from companion.rules import Position, Step, Turn


@dataclass(frozen=True)
class Settings:
    """What people choose once and keep."""

    language: Literal["fr", "en", "de"] = "en"
    theme: Literal["dark", "light"] = "dark"
    sound: bool = True
    text_size: Literal["normal", "large"] = "normal"
    clock_s: int = 0  # advisory time for a turn; 0 is off
    pack: str = "otys-sample"


@dataclass(frozen=True)
class Seat:
    """One player at the table, in turn order."""

    name: str
    colour: str


@dataclass(frozen=True)
class Entry:
    """One confirmed event of the game, as the history shows it."""

    number: int
    kind: str  # "setup", "played", "answered", "overruled", "corrected", "undone", "redone", "ended"
    player: int | None
    turns: tuple[Turn, ...]
    scores: tuple[int, ...]  # after it
    seconds: float = 0.0  # how long the player thought
    fits: bool = True  # False: a correction of an earlier turn made this one impossible
    after: Position | None = None  # where it led to: the words of a turn need its divers and prices


@dataclass(frozen=True)
class GameSummary:
    """A past game in a list."""

    id: str
    started: str  # ISO 8601, local time
    names: tuple[str, ...]
    colours: tuple[str, ...]
    scores: tuple[int, ...]
    turns: int
    over: bool


@dataclass(frozen=True)
class Game:
    """The running game. `position` is the fold of the journal's events."""

    id: str
    position: Position
    history: tuple[Entry, ...] = ()
    undone: tuple[Entry, ...] = ()  # what redo would bring back, next first
    # (id, detail) as in companion.session.reminders, until seen on the table
    reminders: tuple[tuple[str, str], ...] = ()
    last_round_announced: bool = False
    turn_started_s: float = 0.0
    now_s: float = 0.0


# --- the states, one for each screen ------------------------------------------------------------------
@dataclass(frozen=True)
class Welcome:
    resumable: GameSummary | None = None


@dataclass(frozen=True)
class SettingUp:
    """Choosing who plays, then checking the start position through the camera."""

    step: Literal["players", "rules", "table"] = "players"
    seats: tuple[Seat, ...] = ()
    first: int = 0
    rules: dict[str, Any] = field(default_factory=dict)  # what the players changed of the game's settings
    # Sponsors ("1" … "5") on their advanced side; a camera sees for itself.
    advanced: frozenset[str] = frozenset()
    missing: tuple[Misplaced, ...] = ()
    # (slot, label): what was told by hand and stays so whatever is seen
    told: tuple[tuple[str, Any], ...] = ()
    checked: bool = False  # a reading was compared with a legal start
    start: Position | None = None  # the closest legal start, complete once nothing is missing


@dataclass(frozen=True)
class Playing:
    """The table screen. `verdict` is what was just played, shown until the next hand."""

    verdict: Played | None = None
    note: str = ""  # e.g. why the camera cannot judge just now


@dataclass(frozen=True)
class Asking:
    ask: Ask


@dataclass(frozen=True)
class Faulted:
    illegal: Illegal


@dataclass(frozen=True)
class Hidden:
    unclear: Unclear


@dataclass(frozen=True)
class Restoring:
    """The table does not show the believed position: what belongs where, shrinking as it is put back."""

    why: Literal["undo", "resume", "knock", "overruled"]
    misplaced: tuple[Misplaced, ...] = ()


@dataclass(frozen=True)
class Entering:
    """Manual play: a turn entered step by step. `partial` is the position in mid-turn."""

    partial: Position
    choices: tuple[Step, ...]
    correcting: int | None = None  # number of the entry that is being corrected
    why: str = ""
    complete: bool = False  # nothing more has to be chosen: the turn can end here


@dataclass(frozen=True)
class Over:
    """The podium, the figures of the game, and the link that hands it over to BG Stats (for a QR code)."""

    podium: Podium | None = None
    figures: GameFigures | None = None
    bgstats: str = ""


@dataclass(frozen=True)
class History:
    unfit: tuple[int, ...] = ()  # entries that no longer fit after a correction
    selected: int | None = None


@dataclass(frozen=True)
class PastGames:
    games: tuple[GameSummary, ...] = ()
    selected: str | None = None
    history: tuple[Entry, ...] = ()  # of the selected game
    podium: Podium | None = None
    figures: GameFigures | None = None
    bgstats: str = ""
    lifetime: tuple[LifetimeFigures, ...] = ()  # by name, most wins first


@dataclass(frozen=True)
class ChoosingSettings:
    pass


@dataclass(frozen=True)
class Calibrating:
    """The guided calibration; `progress` is calibration.guide's value."""

    progress: Any = None


Mode = (
    Welcome
    | SettingUp
    | Playing
    | Asking
    | Faulted
    | Hidden
    | Restoring
    | Entering
    | Over
    | History
    | PastGames
    | ChoosingSettings
    | Calibrating
)


@dataclass(frozen=True)
class State:
    """Everything a screen is drawn from."""

    mode: Mode
    game: Game | None = None
    settings: Settings = Settings()
    watching: Watching = "off"
    camera_trouble: str = ""
    picture: bytes | None = None  # the last picture that was read, as a JPEG, for marks
    # Of the boards in that picture, in its own pixels.
    corners_px: dict[str, tuple[tuple[float, float], ...]] = field(default_factory=dict)
    notice: str = ""  # one sentence for the players in English, e.g. that the disk is full
    said: Notice | None = None  # the same as an id with values, for the players' language

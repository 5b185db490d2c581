"""Everything a screen shows, as plain values in the players' language. The ui draws these and knows nothing else.

None has a repr: Kivy writes that of every value it binds, and a screen with its boards and choices is thousands of them.
"""

from dataclasses import dataclass
from typing import Any, Literal

from companion.messages import Watching

Tone = Literal["plain", "strong", "quiet", "warn"]
Point = tuple[float, float]


# --- parts --------------------------------------------------------------------------------------------
@dataclass(frozen=True, repr=False)
class Choice:
    """Something a finger can press: it sends `Tapped(action, value)`, or first offers `options` to choose from."""

    text: str = ""
    action: str = ""
    value: Any = None
    icon: str = ""
    tone: Tone = "plain"
    chosen: bool = False
    enabled: bool = True
    options: tuple["Choice", ...] = ()


@dataclass(frozen=True, repr=False)
class Player:
    """A player is always a name and a mark; the colour is only a help."""

    name: str = ""
    mark: str = "fish"
    colour: str = "red"


@dataclass(frozen=True, repr=False)
class Status:
    """What the camera is doing."""

    watching: Watching = "off"
    text: str = ""
    trouble: bool = False


@dataclass(frozen=True, repr=False)
class Bar:
    """The top of every screen. `detail` is a quieter word beside the title."""

    title: str = ""
    detail: str = ""
    player: Player | None = None
    back: Choice | None = None
    status: Status | None = None
    choices: tuple[Choice, ...] = ()
    notice: Choice | None = None  # one sentence, dismissed with a tap


@dataclass(frozen=True, repr=False)
class Mark:
    """A place on the picture: a quadrilateral in its pixels, and what is said about it, `short` where it is small."""

    corners_px: tuple[Point, ...]
    text: str = ""
    short: str = ""
    tone: Literal["good", "warn", "fault"] = "fault"


@dataclass(frozen=True, repr=False)
class Picture:
    """What the camera saw, with marks. Only `crop_px` (x, y, width, height) is shown when it is given."""

    jpeg: bytes
    marks: tuple[Mark, ...] = ()
    crop_px: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, repr=False)
class Glyph:
    """A small drawing: an icon, perhaps with a number, a letter for a cube, or a plus for the upgraded side."""

    icon: str
    text: str = ""
    colour: str = "text"
    cube: bool = False
    plus: bool = False


@dataclass(frozen=True, repr=False)
class Key:
    """A key token: `label` 1–5, X or N; on the board or played."""

    label: str
    available: bool


@dataclass(frozen=True, repr=False)
class Gauge:
    """A technician: how far along its track, and what that is worth now."""

    icon: str
    steps: int
    value: str
    name: str = ""


# --- the table ----------------------------------------------------------------------------------------
@dataclass(frozen=True, repr=False)
class PlayerCard:
    """One player on the table screen."""

    player: Player = Player()
    score: int = 0
    to_play: bool = False
    first: bool = False
    leads: bool = False
    keys: tuple[Key, ...] = ()
    gauges: tuple[Gauge, ...] = ()
    credits: str = ""
    batteries: str = ""
    note: str = ""  # e.g. that the next key brings all back


@dataclass(frozen=True, repr=False)
class Race:
    """Everybody's way to the trigger."""

    goal: int = 18
    runners: tuple[tuple[Player, int], ...] = ()


@dataclass(frozen=True, repr=False)
class StoreColumn:
    """One resource in the Store; an amount is "" where the trade is impossible."""

    resource: str
    letter: str
    name: str
    filled: int
    rows: int
    sell: str
    sell_plus: str
    buy: str
    buy_plus: str
    prestige: str  # what a sale can give instead of credits; "" where nothing
    prestige_plus: str


@dataclass(frozen=True, repr=False)
class Store:
    title: str = ""
    sell: str = ""  # row captions
    buy: str = ""
    prestige: str = ""
    columns: tuple[StoreColumn, ...] = ()


@dataclass(frozen=True, repr=False)
class SponsorTile:
    level: int
    tile: str  # "3" or "3a"
    icon: str
    text: str  # what it does, in few words
    moved: bool = False  # to be turned to this level on the table


@dataclass(frozen=True, repr=False)
class Contract:
    """A public contract; `payable` are the players who have its cubes on one level now."""

    id: str = ""
    need: tuple[Glyph, ...] = ()
    points: str = ""
    bonus: tuple[Glyph, ...] = ()
    payable: tuple[Player, ...] = ()
    empty: str = ""  # said instead when the space is empty or the card unknown
    choice: Choice | None = None  # to tell by hand which card lies there


@dataclass(frozen=True, repr=False)
class TableScreen:
    bar: Bar
    players: tuple[PlayerCard, ...]
    race: Race
    store: Store
    sponsors_title: str
    sponsors: tuple[SponsorTile, ...]
    contracts_title: str
    contracts: tuple[Contract, ...]
    last_player: Player | None
    last: str
    reminders: tuple[str, ...]
    alert: str  # last round, camera gone: what everybody must know
    done: Choice | None
    correct: Choice | None
    tell: Choice | None = None  # a card or token nobody has shown yet: a touch on the reminder asks for it


@dataclass(frozen=True, repr=False)
class VerdictScreen:
    bar: Bar
    player: Player
    lines: tuple[str, ...]
    gained: str
    players: tuple[PlayerCard, ...]
    race: Race
    store: Store
    next_player: Player
    next_text: str
    picture: Picture | None
    reminders: tuple[str, ...]
    choices: tuple[Choice, ...]


# --- when the table needs people ----------------------------------------------------------------------
@dataclass(frozen=True, repr=False)
class AnswerCard:
    choice: Choice
    glyphs: tuple[Glyph, ...] = ()
    detail: str = ""


@dataclass(frozen=True, repr=False)
class QuestionScreen:
    bar: Bar
    question: str
    answers: tuple[AnswerCard, ...]
    choices: tuple[Choice, ...]


@dataclass(frozen=True, repr=False)
class FaultScreen:
    """Also for a table that cannot be judged (`tone` warn)."""

    bar: Bar
    tone: Literal["fault", "warn"]
    headline: str
    rule_title: str
    rule: str
    remedy_title: str
    remedy: str
    more: str  # how many other things are wrong
    meant: Choice | None  # the nearest legal turn, to be taken for what was played
    picture: Picture | None
    no_picture: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, repr=False)
class BoardPiece:
    """A slot of a drawn board, in millimetres from its top left."""

    rect_mm: tuple[float, float, float, float]
    glyphs: tuple[Glyph, ...] = ()
    state: Literal["right", "missing", "wrong", "extra"] = "right"
    choice: Choice | None = None  # to tell by hand what lies there


@dataclass(frozen=True, repr=False)
class BoardDrawing:
    title: str
    player: Player | None
    size_mm: tuple[float, float]
    pieces: tuple[BoardPiece, ...]


@dataclass(frozen=True, repr=False)
class RestoringScreen:
    bar: Bar
    headline: str
    boards: tuple[BoardDrawing, ...]
    lines: tuple[tuple[str, str], ...]  # (state, sentence)
    all_right: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, repr=False)
class StepGroup:
    title: str
    icon: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, repr=False)
class EnteringScreen:
    bar: Bar
    player: Player
    so_far: str
    groups: tuple[StepGroup, ...]
    choices: tuple[Choice, ...]


# --- before and after ---------------------------------------------------------------------------------
@dataclass(frozen=True, repr=False)
class WelcomeScreen:
    title: str
    subtitle: str
    primary: Choice
    secondary: tuple[Choice, ...]
    detail: str  # about the game that can be resumed
    footer: str
    status: Status
    notice: Choice | None = None


@dataclass(frozen=True, repr=False)
class SeatRow:
    player: Player
    seat: int
    colours: tuple[tuple[Player, Choice], ...]
    name: Choice
    first: Choice
    up: Choice
    remove: Choice | None


@dataclass(frozen=True, repr=False)
class PlayersScreen:
    bar: Bar
    seats: tuple[SeatRow, ...]
    add: Choice | None
    name_prompt: str
    name_done: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, repr=False)
class Option:
    """One setting: a title, why it is so, and the values to choose from."""

    title: str
    detail: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, repr=False)
class OptionsScreen:
    """Rules at set-up, and settings."""

    bar: Bar
    options: tuple[Option, ...]
    choices: tuple[Choice, ...]


@dataclass(frozen=True, repr=False)
class CheckScreen:
    """The camera's check of the start position."""

    bar: Bar
    headline: str
    ready: bool
    boards: tuple[BoardDrawing, ...]
    lines: tuple[tuple[str, str], ...]
    picture: Picture | None
    choices: tuple[Choice, ...]


@dataclass(frozen=True, repr=False)
class Place:
    rank: int
    player: Player
    score: int
    detail: str
    sources: tuple[tuple[str, int], ...]  # icon, points


@dataclass(frozen=True, repr=False)
class Curve:
    """The game as lines over the turns."""

    goal: int = 18
    lines: tuple[tuple[Player, tuple[int, ...]], ...] = ()
    turning: int | None = None  # index into the turns


@dataclass(frozen=True, repr=False)
class PodiumScreen:
    bar: Bar
    headline: str
    decided: str
    places: tuple[Place, ...]
    sources_title: str
    sources: tuple[tuple[str, str], ...]  # icon, name
    curve_title: str
    curve: Curve
    turning: str
    qr: tuple[str, ...]  # rows of "1" and "0"
    qr_text: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, repr=False)
class HistoryRow:
    number: int
    player: Player | None
    text: str
    gained: str
    scores: str
    select: Choice
    undone: bool = False
    unfit: bool = False


@dataclass(frozen=True, repr=False)
class HistoryScreen:
    bar: Bar
    rows: tuple[HistoryRow, ...]
    empty: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, repr=False)
class GameRow:
    title: str
    detail: str
    players: tuple[tuple[Player, int], ...]
    select: Choice


@dataclass(frozen=True, repr=False)
class PastGamesScreen:
    bar: Bar
    games: tuple[GameRow, ...]
    empty: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, repr=False)
class CalibrationStep:
    text: str
    state: Literal["done", "now", "later"]


@dataclass(frozen=True, repr=False)
class CalibrationScreen:
    bar: Bar
    headline: str
    detail: str
    steps: tuple[CalibrationStep, ...]
    figures: tuple[tuple[str, str, str], ...]  # name, value, tone
    picture: Picture | None
    choices: tuple[Choice, ...]
    # What a finger on the picture does: sets a "corner", opens a "board", pulls a "frame"; nothing when empty.
    touch: str = ""


Screen = (
    WelcomeScreen
    | PlayersScreen
    | OptionsScreen
    | CheckScreen
    | TableScreen
    | VerdictScreen
    | QuestionScreen
    | FaultScreen
    | RestoringScreen
    | EnteringScreen
    | PodiumScreen
    | HistoryScreen
    | PastGamesScreen
    | CalibrationScreen
)

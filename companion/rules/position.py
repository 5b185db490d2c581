"""A position: everything on the table, and how far the turn in progress has come. Never changes."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.rules.cards import Cards
from companion.rules.settings import SURFACE, Rules
from companion.rules.steps import Key, PlayKey, Side, Step

if TYPE_CHECKING:
    from companion.rules.turn import Turn


class Player(NamedTuple):
    """One player's board and hand, lists in table order as in the JSON form."""

    name: str
    colour: str
    score: int
    credits: int
    batteries: int
    keys: tuple[Key, ...]
    neutral_x: int
    track: tuple[Key, ...]
    hacker: int
    mechanic: int
    divers: tuple[str, ...]
    zone: tuple[str, ...]
    rewards: tuple[str | None, ...]
    private: tuple[str | None, ...]

    def diver_at(self, level: int) -> str:
        """The tile standing at a level, with its side.

        >>> from companion.rules import new_game
        >>> ana = new_game(seed=1).players[0]
        >>> ana.diver_at(1) == ana.divers[3]
        True
        """
        return self.divers[SURFACE + level - 1]

    def index_of(self, diver: str) -> int:
        """Where a diver stands in the column, whichever its side."""
        divers = self.divers
        return divers.index(diver) if diver in divers else divers.index(diver + "+")

    @property
    def cubes(self) -> int:
        """Cubes in the zone; they break a tie."""
        return sum(map(len, self.zone))


class Store(NamedTuple):
    """How many rows of each column are filled, from the top."""

    metal: int = 0
    plant: int = 0
    fuel: int = 0
    tech: int = 0


class Progress(NamedTuple):
    """What a turn in progress has settled."""

    start: "Position"  # the position at the start of the turn
    steps: tuple[Step, ...] = ()
    key: PlayKey | None = None
    sponsor_used: bool = False
    free: bool = False  # sponsor 1a
    upgrading: str | None = None  # sponsor 4: the diver that has to be the one activated
    dives: int = 0  # effects of the activated diver that may still be used, once step 2 has begun
    diving: bool = False  # step 2 has begun
    copied: frozenset[Side] = frozenset()  # neighbours whose diver was copied
    oxygen: bool = False
    kept: frozenset[Side] = frozenset()  # copied neighbours who paid for oxygen
    ending: bool = False  # step 3 has begun


class _Fields(NamedTuple):
    rules: Rules
    to_play: int
    first: int
    round: int
    players: tuple[Player, ...]
    sponsors: tuple[str, ...]
    display: tuple[tuple[str | None, str | None], ...]
    store: Store
    public: tuple[str | None, ...]
    supply_x: int
    deck: tuple[str, ...] | None
    bag: tuple[str, ...] | None
    reward_discard: tuple[str, ...]
    over: tuple[int, ...] | None  # the winners, once the game is over
    progress: Progress | None
    cards: Cards


class Position(_Fields):
    """A position of Otys, hashable and compared by what lies on the table; `cards` only explains the ids.

    In the middle of a turn the fields show the table as it stands, and `progress` what the turn has settled.

    >>> from companion.rules import new_game
    >>> position = new_game(seed=1)
    >>> Position.from_json(position.to_json()) == position
    True
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and tuple.__eq__(self[:-1], other[:-1])

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:-1])

    @classmethod
    def from_json(cls, doc: Any, cards: Cards | None = None) -> "Position":
        """Reads the JSON form; `cards` explains the contract ids (the sample's when left out)."""
        from companion.rules.document import read_position

        return read_position(doc, cards)

    def to_json(self) -> dict[str, Any]:
        from companion.rules.document import write_position

        return write_position(self)

    def __repr__(self) -> str:
        from companion.rules.cards import sample_cards

        cards = "" if self.cards == sample_cards() else f", Cards.from_json({self.cards.to_json()!r})"
        return f"Position.from_json({self.to_json()!r}{cards})"

    def __str__(self) -> str:
        """Where this is, in few words, as errors say it."""
        if self.over is not None:
            return f"a game that ended with round {self.round}"
        so_far = f", so far: {self.so_far}" if self.so_far else ""
        return f"round {self.round}, {self.player.name} to play{so_far}"

    @property
    def player(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.to_play]

    @property
    def so_far(self) -> str:
        """The steps of the turn in progress, '' between turns."""
        return " ".join(map(str, self.progress.steps)) if self.progress else ""

    @property
    def start_of_turn(self) -> "Position":
        """This position, or in the middle of a turn the one it started from."""
        return self.progress.start if self.progress else self

    def neighbour(self, side: Side) -> int:
        """The seat to the left (who plays next) or to the right of the player to play."""
        return (self.to_play + (1 if side == "left" else -1)) % len(self.players)

    @property
    def sides(self) -> tuple[Side, ...]:
        """The neighbours a Spy can copy: two players have only a left one."""
        return ("left",) if len(self.players) == 2 else ("left", "right")

    def with_player(self, index: int, **changes: Any) -> "Position":
        """The same position with some fields of one player changed."""
        players = self.players
        player = players[index]._replace(**changes)
        return self._replace(players=(*players[:index], player, *players[index + 1 :]))

    def as_seen_at_table(self) -> "Position":
        """The same position for somebody who cannot look into the deck and the bag."""
        position = self._replace(deck=None, bag=None)
        if self.progress:
            start = self.progress.start._replace(deck=None, bag=None)
            position = position._replace(progress=self.progress._replace(start=start))
        return position

    def steps(self) -> tuple[Step, ...]:
        """The legal next steps, none when the game is over."""
        from companion.rules.play import steps

        return steps(self)

    def play(self, step: Step) -> "Position":
        """The position after one step; IllegalStep says why it may not be played."""
        from companion.rules.play import play

        return play(self, step)

    def play_turn(self, turn: "Turn | Iterable[Step]") -> "Position":
        """The position after a whole turn."""
        from companion.rules.play import play_turn

        return play_turn(self, turn)

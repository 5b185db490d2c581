"""The steps a turn is made of: one small frozen value for each kind. `str(step)` is its notation."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Key: TypeAlias = int | str  # 1 to 5, "X" for the player's own X key, "N" for a neutral one
Side: TypeAlias = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class PlayKey:
    """The key of the turn: its own level for 1 to 5, any level for an X key."""

    key: Key
    level: int

    def __str__(self) -> str:
        return f"key{self.level}" if isinstance(self.key, int) else f"{self.key.lower()}{self.level}"


@dataclass(frozen=True, slots=True)
class Propel:
    """A battery moves a diver: `by` places down (+) or up (-)."""

    diver: str
    by: int

    def __str__(self) -> str:
        return f"propel:{self.diver}{self.by:+d}"


@dataclass(frozen=True, slots=True)
class Draw:
    """The card kept of those drawn; None when nobody saw it."""

    card: str | None

    def __str__(self) -> str:
        return f"draw={self.card or '?'}"


@dataclass(frozen=True, slots=True)
class Upgrade:
    """A diver tile is turned to its upgraded side."""

    diver: str

    def __str__(self) -> str:
        return f"upgrade={self.diver}"


@dataclass(frozen=True, slots=True)
class TakeCube:
    """The colour chosen of the two on a reward's front."""

    cube: str

    def __str__(self) -> str:
        return self.cube


@dataclass(frozen=True, slots=True)
class Nothing:
    """A reward's front that can do nothing."""

    def __str__(self) -> str:
        return "none"


Front: TypeAlias = TakeCube | Draw | Upgrade | Nothing | None  # None: the front asks for no choice


def _with_front(text: str, front: Front) -> str:
    return text if front is None else f"{text}/{front}"


@dataclass(frozen=True, slots=True)
class Gain:
    """Sponsor 1 and 5 basic, 1a, 2 basic, 3a, 5a: an effect without a choice."""

    what: Literal["credit", "free", "double", "resurface", "battery"]

    def __str__(self) -> str:
        return self.what


@dataclass(frozen=True, slots=True)
class UseReward:
    """Sponsor 2a: the front of a Display token. `level` None means the key's level."""

    which: int
    level: int | None = None
    front: Front = None

    def __str__(self) -> str:
        place = str(self.which) if self.level is None else f"{self.level}.{self.which}"
        return _with_front(f"reward={place}", self.front)


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Sponsor 3: one own key comes back from the Hacker track."""

    key: Key

    def __str__(self) -> str:
        return f"take={self.key}"


@dataclass(frozen=True, slots=True)
class MoveCube:
    """Sponsor 5a: one cube from a level to another."""

    cube: str
    source: int
    target: int

    def __str__(self) -> str:
        return f"move={self.cube}{self.source}>{self.target}"


@dataclass(frozen=True, slots=True)
class SwapCubes:
    """Sponsor 5a of the German edition: the key's level first."""

    cube: str
    level: int
    other_cube: str
    other_level: int

    def __str__(self) -> str:
        return f"swap={self.cube}{self.level}<>{self.other_cube}{self.other_level}"


SponsorEffect: TypeAlias = Gain | UseReward | TakeBack | Upgrade | MoveCube | SwapCubes


@dataclass(frozen=True, slots=True)
class UseSponsor:
    effect: SponsorEffect

    def __str__(self) -> str:
        return f"sponsor:{self.effect}"


@dataclass(frozen=True, slots=True)
class Search:
    """An expert's cube, its bonus, or both. A Tech expert's bonus names the key it takes back."""

    cube: bool
    bonus: bool = False
    take: Key | None = None

    def __str__(self) -> str:
        parts = ["cube"] * self.cube + ["bonus"] * self.bonus
        return "+".join([*parts, f"take={self.take}"] if self.take is not None else parts)


@dataclass(frozen=True, slots=True)
class Sell:
    cube: str
    gain: Literal["credits", "prestige"]

    def __str__(self) -> str:
        return f"sell={self.cube}/{self.gain}"


@dataclass(frozen=True, slots=True)
class Buy:
    cube: str

    def __str__(self) -> str:
        return f"buy={self.cube}"


@dataclass(frozen=True, slots=True)
class Improve:
    technician: Literal["hacker", "mechanic"]

    def __str__(self) -> str:
        return f"engineer={self.technician}"


@dataclass(frozen=True, slots=True)
class Explore:
    which: int
    front: Front = None

    def __str__(self) -> str:
        return _with_front(f"explore={self.which}", self.front)


DiverEffect: TypeAlias = Search | Sell | Buy | Draw | Improve | Explore


@dataclass(frozen=True, slots=True)
class Dive:
    """The diver at the key's level: its effect, None when declined, or a neighbour's when the Spy copies."""

    effect: DiverEffect | None = None
    copied: Side | None = None

    def __str__(self) -> str:
        if self.effect is None:
            return "dive"
        return f"dive:{self.copied}/{self.effect}" if self.copied else f"dive:{self.effect}"


@dataclass(frozen=True, slots=True)
class CompleteContract:
    """`cubes` are told when the contract leaves them free."""

    card: str
    level: int
    cubes: str | None = None

    def __str__(self) -> str:
        return f"contract:{self.card}@{self.level}" + (f"={self.cubes}" if self.cubes else "")


@dataclass(frozen=True, slots=True)
class Oxygen:
    """A battery keeps the activated diver below, or in the variant a copied neighbour's."""

    side: Side | None = None

    def __str__(self) -> str:
        return f"oxygen:{self.side}" if self.side else "oxygen"


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Nothing more. A turn's notation leaves it out."""

    def __str__(self) -> str:
        return "end"


Step: TypeAlias = PlayKey | Propel | UseSponsor | Dive | CompleteContract | Oxygen | EndTurn

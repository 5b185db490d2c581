"""Contract cards and reward tokens: data of one copy of the game, entered once."""

import json
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import permutations
from typing import Any

from companion.rules.errors import MalformedCards
from companion.rules.settings import COLOURS, LETTERS

FRONTS = ("battery", "contracts", "upgrade", "prestige")
BACKS = ("credits", "prestige")
LETTER_OF = dict(zip(COLOURS, LETTERS, strict=True))


def sorted_cubes(cubes: str) -> str:
    """Cubes in the order metal, plant, fuel, tech.

    >>> sorted_cubes("tmpm")
    'mmpt'
    """
    return "".join(letter * cubes.count(letter) for letter in LETTERS)


def without(cubes: str, taken: str) -> str | None:
    """What is left of a level's cubes when some are taken, None when they are not all there.

    >>> without("mmp", "mp"), without("mp", "mm")
    ('m', None)
    """
    for letter in taken:
        if letter not in cubes:
            return None
        cubes = cubes.replace(letter, "", 1)
    return cubes


@dataclass(frozen=True)
class Contract:
    """A contract card. `need` is the cubes of a specific combination, or the numbers of a free one."""

    id: str
    need: str | tuple[int, ...]
    points: int
    bonus: str = ""  # letters: c credit, b battery

    @property
    def free(self) -> bool:
        return not isinstance(self.need, str)

    @property
    def size(self) -> int:
        return len(self.need) if isinstance(self.need, str) else sum(self.need)

    @property
    def payments(self) -> tuple[str, ...]:
        """Every set of cubes that pays for it.

        >>> Contract("c", (2, 1), 2).payments[:3]
        ('mmp', 'mmf', 'mmt')
        """
        return _payments(self.need)

    def paid_from(self, cubes: str) -> tuple[tuple[str, str], ...]:
        """The payments a level holding these cubes can make, each with what is left of them."""
        return _paid_from(self.need, cubes)

    def to_json(self) -> dict[str, Any]:
        need: Any = self.need if isinstance(self.need, str) else list(self.need)
        return {"id": self.id, "need": need, "points": self.points, "bonus": self.bonus}


@cache
def _paid_from(need: str | tuple[int, ...], cubes: str) -> tuple[tuple[str, str], ...]:
    """Remembered: there are few needs and few contents of a level."""
    paid = ((payment, without(cubes, payment)) for payment in _payments(need))
    return tuple((payment, left) for payment, left in paid if left is not None)


@cache
def _payments(need: str | tuple[int, ...]) -> tuple[str, ...]:
    if isinstance(need, str):
        return (need,)
    mixes = (
        sorted_cubes("".join(letter * n for letter, n in zip(letters, need, strict=True)))
        for letters in permutations(LETTERS, len(need))
    )
    return tuple(dict.fromkeys(mixes))


@dataclass(frozen=True)
class Cards:
    """All contract cards and all reward tokens of one copy of the game."""

    contracts: tuple[Contract, ...]
    rewards: tuple[str, ...]
    _by_id: dict[str, Contract] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_id", {contract.id: contract for contract in self.contracts})
        if len(self._by_id) != len(self.contracts):
            ids = [contract.id for contract in self.contracts]
            twice = next(i for i in ids if ids.count(i) > 1)
            raise MalformedCards(f"contracts: {twice} is listed twice")

    def __contains__(self, card: object) -> bool:
        return card in self._by_id

    def __getitem__(self, card: str) -> Contract:
        return self._by_id[card]

    @classmethod
    def from_json(cls, doc: Any) -> "Cards":
        """Reads cards.json: {"contracts": [{"id", "need", "points", "bonus"}, …], "rewards": ["front:back", …]}."""
        if not isinstance(doc, dict) or not isinstance(doc.get("contracts"), list):
            raise MalformedCards("cards: expected an object with the lists 'contracts' and 'rewards'")
        if not isinstance(doc.get("rewards", []), list):
            raise MalformedCards(f"cards.rewards: expected a list, got {doc['rewards']!r}")
        contracts = tuple(_contract(card, i) for i, card in enumerate(doc["contracts"]))
        for i, token in enumerate(doc.get("rewards", [])):
            trouble = token_trouble(token)
            if trouble:
                raise MalformedCards(f"cards.rewards[{i}]: {trouble}")
        return cls(contracts, tuple(doc.get("rewards", [])))

    def to_json(self) -> dict[str, Any]:
        return {"contracts": [card.to_json() for card in self.contracts], "rewards": list(self.rewards)}


def _contract(doc: Any, i: int) -> Contract:
    where = f"cards.contracts[{i}]"
    if not isinstance(doc, dict) or not isinstance(doc.get("id"), str) or not doc["id"]:
        raise MalformedCards(f"{where}: expected an object with an 'id', got {doc!r}")
    where = f"contract {doc['id']}"
    if any(mark in doc["id"] for mark in " @=/:"):
        raise MalformedCards(f"{where}: an id has no space and none of @ = / :")
    need, points, bonus = doc.get("need"), doc.get("points"), doc.get("bonus", "")
    if isinstance(need, str):
        if not need or set(need) - set(LETTERS):
            raise MalformedCards(f"{where}: need {need!r} is not made of the letters m p f t")
        need = sorted_cubes(need)
    elif isinstance(need, list) and 0 < len(need) <= len(LETTERS):
        if not all(type(n) is int and n > 0 for n in need):
            raise MalformedCards(f"{where}: need {need!r} is not a list of numbers above 0")
        need = tuple(need)
    else:
        raise MalformedCards(f"{where}: need {need!r} is neither letters nor one to four numbers")
    if type(points) is not int or points < 0:
        raise MalformedCards(f"{where}: points {points!r} is not a whole number")
    if not isinstance(bonus, str) or set(bonus) - set("cb"):
        raise MalformedCards(f"{where}: bonus {bonus!r} is not made of the letters c b")
    return Contract(doc["id"], need, points, bonus)


def token_trouble(token: Any, unknown_front: bool = False) -> str:
    """What is wrong with a reward token, '' when nothing is.

    >>> token_trouble("plant|metal:credits")
    "front 'plant|metal' of 'plant|metal:credits' does not name two colours in the order metal, plant, fuel, tech"
    """
    if not isinstance(token, str) or token.count(":") != 1:
        return f"{token!r} is not written front:back"
    front, back = token.split(":")
    if back not in BACKS:
        return f"back {back!r} of {token!r} is neither credits nor prestige"
    if front in FRONTS or (unknown_front and front == "?"):
        return ""
    first, _, second = front.partition("|")
    if first in COLOURS and second in COLOURS and COLOURS.index(first) < COLOURS.index(second):
        return ""
    if "|" in front:
        return f"front {front!r} of {token!r} does not name two colours in the order metal, plant, fuel, tech"
    return f"front {front!r} of {token!r} is unknown"


def front_of(token: str) -> str:
    return token.partition(":")[0]


def back_of(token: str) -> str:
    return token.partition(":")[2]


def front_cubes(front: str) -> str:
    """The letters a front offers a cube of, '' when it offers none.

    >>> front_cubes("metal|tech")
    'mt'
    """
    return "".join(LETTER_OF[colour] for colour in front.split("|")) if "|" in front else ""


@cache
def sample_cards() -> Cards:
    """The invented sample that ships: 32 contracts and 32 rewards spread as the rulebook describes."""
    text = resources.files("companion.rules").joinpath("sample_cards.json").read_text(encoding="utf-8")
    return Cards.from_json(json.loads(text))

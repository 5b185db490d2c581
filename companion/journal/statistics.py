"""Figures of one game and of a lifetime: turns, time, and where the prestige came from."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

SOURCES = ("contracts", "upgrades", "sales", "rewards", "other")


@dataclass(frozen=True)
class Sources:
    """Prestige by where it came from; `other` is what an overruled turn gave."""

    contracts: int = 0
    upgrades: int = 0
    sales: int = 0
    rewards: int = 0
    other: int = 0

    @property
    def total(self) -> int:
        return sum(getattr(self, source) for source in SOURCES)

    def __add__(self, more: "Sources") -> "Sources":
        return Sources(*(getattr(self, source) + getattr(more, source) for source in SOURCES))


@dataclass(frozen=True)
class PlayerFigures:
    turns: int = 0
    seconds: float = 0.0
    contracts: int = 0  # how many were completed
    sources: Sources = Sources()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, doc: dict[str, Any]) -> "PlayerFigures":
        return cls(doc["turns"], doc["seconds"], doc["contracts"], Sources(**doc["sources"]))


@dataclass(frozen=True)
class GameFigures:
    """`curve` holds the scores of all players after the set-up and after each entry of the history."""

    players: tuple[PlayerFigures, ...]
    curve: tuple[tuple[int, ...], ...] = ()

    @property
    def turns(self) -> int:
        return sum(player.turns for player in self.players)

    @property
    def seconds(self) -> float:
        return sum(player.seconds for player in self.players)


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    names: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    figures: tuple[PlayerFigures, ...]


@dataclass(frozen=True)
class LifetimeFigures:
    """One name over all finished games."""

    name: str
    games: int = 0
    wins: int = 0
    best: int = 0
    prestige: int = 0
    figures: PlayerFigures = field(default_factory=PlayerFigures)


def add_up(figures: Iterable[PlayerFigures]) -> PlayerFigures:
    total = PlayerFigures()
    for one in figures:
        total = PlayerFigures(
            total.turns + one.turns,
            total.seconds + one.seconds,
            total.contracts + one.contracts,
            total.sources + one.sources,
        )
    return total


def lifetime(results: Iterable[Result]) -> tuple[LifetimeFigures, ...]:
    """Every name over all finished games, most wins first."""
    found: dict[str, LifetimeFigures] = {}
    for result in results:
        for seat, name in enumerate(result.names):
            so_far, score = found.get(name, LifetimeFigures(name)), result.scores[seat]
            found[name] = LifetimeFigures(
                name,
                so_far.games + 1,
                so_far.wins + (seat in result.winners),
                max(so_far.best, score),
                so_far.prestige + score,
                add_up((so_far.figures, result.figures[seat])),
            )
    return tuple(sorted(found.values(), key=lambda one: (-one.wins, -one.prestige, one.name)))

"""Who won, and which tie-break decided it: most prestige, then most cubes in the zone, then shared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Decided = Literal["prestige", "cubes", "shared"]


@dataclass(frozen=True)
class Place:
    """One player's place; players who share it have the same rank."""

    player: int
    rank: int
    score: int
    cubes: int


@dataclass(frozen=True)
class Podium:
    """Best first. `decided` tells what separated the winner from the next player."""

    places: tuple[Place, ...]
    decided: Decided

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(place.player for place in self.places if place.rank == 1)


def podium(position: Mapping[str, Any]) -> Podium:
    """The places in a position's document, finished or not.

    >>> podium({"players": [{"score": 18, "zone": ["m"]}, {"score": 18, "zone": ["mp"]}]}).decided
    'cubes'
    """
    results = [
        (player["score"], sum(map(len, player["zone"])), seat)
        for seat, player in enumerate(position["players"])
    ]
    best_first = sorted(results, key=lambda result: (-result[0], -result[1], result[2]))
    places = tuple(
        Place(seat, 1 + sum((s, c) > (score, cubes) for s, c, _ in results), score, cubes)
        for score, cubes, seat in best_first
    )
    return Podium(places, _decided(places))


def _decided(places: Sequence[Place]) -> Decided:
    if len(places) < 2 or places[0].score != places[1].score:
        return "prestige"
    return "cubes" if places[0].cubes != places[1].cubes else "shared"


def still_to_play(position: Mapping[str, Any]) -> tuple[int, ...]:
    """Who still has a turn in this round, in order: from the player to play up to the one before the First Player."""
    if position.get("over"):
        return ()
    count, seat = len(position["players"]), position["to_play"]
    seats = [seat]
    while (seat := (seat + 1) % count) != position["first"]:
        seats.append(seat)
    return tuple(seats)


def is_last_round(position: Mapping[str, Any]) -> bool:
    """Whether somebody has reached the trigger and the round is being finished."""
    trigger = position.get("rules", {}).get("trigger", 18)
    return not position.get("over") and any(player["score"] >= trigger for player in position["players"])

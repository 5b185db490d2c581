"""Who won, and which tie-break decided it: most prestige, then most cubes in the zone, then shared."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from companion.rules import Position

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


def podium(position: Position) -> Podium:
    """The places in a position, finished or not.

    >>> from companion.rules import new_game
    >>> tied = new_game(seed=1).with_player(0, zone=("m", "m", "", "", ""))
    >>> podium(tied).decided
    'cubes'
    """
    results = [(player.score, player.cubes) for player in position.players]
    best_first = sorted(range(len(results)), key=lambda seat: results[seat], reverse=True)
    places = tuple(
        Place(seat, 1 + sum(other > results[seat] for other in results), *results[seat])
        for seat in best_first
    )
    return Podium(places, _decided(places))


def _decided(places: Sequence[Place]) -> Decided:
    if len(places) < 2 or places[0].score != places[1].score:
        return "prestige"
    return "cubes" if places[0].cubes != places[1].cubes else "shared"


def still_to_play(position: Position) -> tuple[int, ...]:
    """Who still has a turn in this round, in order: from the player to play up to the one before the First Player."""
    if position.over is not None:
        return ()
    count, seat = len(position.players), position.to_play
    seats = [seat]
    while (seat := (seat + 1) % count) != position.first:
        seats.append(seat)
    return tuple(seats)


def is_last_round(position: Position) -> bool:
    """Whether somebody has reached the trigger and the round is being finished."""
    return position.over is None and any(
        player.score >= position.rules.trigger for player in position.players
    )

"""A player with sensible tastes: looks at a sample of turns and takes the one it likes best.

It never enumerates a position, so a turn costs a few milliseconds however heavy the position is.
"""

from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import NamedTuple

from companion.rules.candidates import contracts
from companion.rules.cards import Contract
from companion.rules.errors import IllegalStep
from companion.rules.play import followers, play
from companion.rules.position import Player, Position
from companion.rules.settings import CAPACITY, LETTERS
from companion.rules.steps import Dive, EndTurn, Oxygen, PlayKey, Propel, UseSponsor
from companion.rules.turn import Turn


class Taste(NamedTuple):
    """What things are worth to the player, in prestige."""

    credit: float = 0.22
    battery: float = 0.25
    cube: float = 0.15
    promise: float = 0.9  # of a contract's points, by the square of the share of its cubes already gathered
    unseen_card: float = 0.8
    upgraded: float = 0.5
    hacker: float = 0.7
    mechanic: float = 0.3
    reward: float = 0.6
    neutral_x: float = 0.3
    key: float = 0.06  # an available key
    below: float = 0.05  # an expert below the surface
    whim: float = 0.35  # how much moods count
    keys: int = 3  # keys looked at
    sponsors: int = 3  # sponsor effects tried for each key
    dives: int = 6  # diver effects tried for each of those
    propel: float = 0.35  # how often a battery is tried on a propeller


def choose_turn(position: Position, rng: Random, taste: Taste | None = None) -> Turn:
    """A legal turn for the player to play, at the start of the turn."""
    taste = taste or Taste()
    best: tuple[float, Position] | None = None
    for after in _sample(position, rng, taste):
        liking = _liking(after, taste) + rng.random() * taste.whim
        if best is None or liking > best[0]:
            best = liking, after
    assert best is not None and best[1].progress is not None, "a player always has a key"
    return Turn(best[1].progress.steps)


def _sample(position: Position, rng: Random, taste: Taste) -> Iterator[Position]:
    """Turns played up to their end, without EndTurn."""
    opened = _cash_in(position)
    moves = list(followers(opened))
    keys = [after for step, after in moves if isinstance(step, PlayKey)]
    for keyed in rng.sample(keys, min(taste.keys, len(keys))):
        moves = list(followers(keyed))
        sponsored = [after for step, after in moves if isinstance(step, UseSponsor)]
        ready = [keyed, *rng.sample(sponsored, min(taste.sponsors, len(sponsored)))]
        propelled = [after for step, after in moves if isinstance(step, Propel)]
        if propelled and rng.random() < taste.propel:
            ready += rng.sample(propelled, min(2, len(propelled)))
        for before in ready:
            yield from _dives(_cash_in(before), rng, taste)


def _dives(position: Position, rng: Random, taste: Taste) -> Iterator[Position]:
    dives = [(step, after) for step, after in followers(position) if isinstance(step, Dive)]
    for step, after in rng.sample(dives, min(taste.dives, len(dives))):
        after = _cash_in(after)
        progress = after.progress
        if progress is not None and progress.dives and step.effect is not None:
            seconds = [again for second, again in followers(after) if isinstance(second, Dive)]
            if seconds:
                after = _cash_in(rng.choice(seconds))
        yield after
        if after.player.batteries > 1 and rng.random() < taste.propel:
            yield play(after, Oxygen())


def _cash_in(position: Position) -> Position:
    """Completes the contract worth most, again and again."""
    while True:
        payable = max(contracts(position), key=lambda step: position.cards[step.card].points, default=None)
        if payable is None:
            return position
        try:
            position = play(position, payable)
        except IllegalStep:  # sponsor 4 may need the batteries of another contract first
            return position


def _liking(position: Position, taste: Taste) -> float:
    after = play(position, EndTurn())
    me = after.players[position.to_play]
    known = [after.cards[card] for card in (*me.private, *after.public) if card]
    promised = sorted((_promise(contract, me) for contract in known), reverse=True)
    return (
        me.score
        + taste.credit * min(me.credits, 8)
        + taste.battery * min(me.batteries, 4)
        + taste.cube * me.cubes
        + taste.promise * sum(share / (i + 1) for i, share in enumerate(promised))
        + taste.unseen_card * min(2, me.private.count(None))
        + taste.upgraded * sum(diver.endswith("+") for diver in me.divers)
        + taste.hacker * me.hacker
        + taste.mechanic * me.mechanic
        + taste.reward * sum(reward is not None for reward in me.rewards)
        + taste.neutral_x * min(2, me.neutral_x)
        + taste.key * len(me.keys)
    )


def _promise(contract: Contract, me: Player) -> float:
    """How near a contract is, in points."""
    nearest = max(_share(contract, cubes, CAPACITY[i]) for i, cubes in enumerate(me.zone))
    return contract.points * nearest**2


@lru_cache(maxsize=50_000)
def _share(contract: Contract, cubes: str, capacity: int) -> float:
    """The largest share of the contract's cubes that lies at a level which can still take the rest."""
    best = 0
    for payment in contract.payments:
        have = sum(min(payment.count(letter), cubes.count(letter)) for letter in LETTERS)
        if len(cubes) - have + contract.size <= capacity:
            best = max(best, have)
    return best / contract.size

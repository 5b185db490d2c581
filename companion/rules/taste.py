"""A player with sensible tastes: looks at a sample of turns and takes the one it likes best.

It looks at a few keys and at few of its batteries only, so a turn costs milliseconds however heavy the position is,
and it never peeks into the deck or the bag.
"""

from functools import lru_cache
from random import Random
from typing import NamedTuple

from companion.rules.candidates import contracts, playable_keys
from companion.rules.cards import Contract
from companion.rules.play import play
from companion.rules.position import Player, Position
from companion.rules.search import Outcome, outcomes
from companion.rules.settings import CAPACITY, DRAWN, LETTERS
from companion.rules.steps import Dive, Draw, Explore, Step, UseReward, UseSponsor
from companion.rules.turn import Turn


class Taste(NamedTuple):
    """What things are worth to the player, in prestige, and how hard it looks."""

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
    whim: float = 0.2  # how much moods count
    thrift: float = 0.8  # how often it spends no more batteries than the turn needs
    keys: int = 8  # keys looked at
    looks: int = 250  # tables looked at


def choose_turn(position: Position, rng: Random, taste: Taste | None = None) -> Turn:
    """A legal turn for the player to play; the position is between turns and the game not over."""
    taste = taste or Taste()
    keys = list(playable_keys(position.player))
    spare = min(position.player.batteries, rng.choice((0, 0, 1, 1, 2)))
    seen = position.as_seen_at_table().with_player(position.to_play, batteries=spare)
    if position.deck is not None and len(position.deck) < 2 * DRAWN:
        seen = seen._replace(deck=position.deck)  # an unknown deck never ends, this one may during the turn
    tables = list(outcomes(seen, rng.sample(keys, min(taste.keys, len(keys)))))
    tables = rng.sample(tables, min(taste.looks, len(tables)))
    best = max(
        tables, key=lambda outcome: _liking(outcome, position.to_play, taste) + rng.random() * taste.whim
    )
    batteries = best.batteries[-1] if rng.random() < taste.thrift else rng.choice(best.batteries)
    column = rng.choice(sorted(best.columns(batteries)))
    return _played_out(position, best.turn(column, batteries))


def _played_out(position: Position, turn: Turn) -> Turn:
    """The turn on the real table: cards drawn are looked at, and contracts they allow completed."""
    for step in turn.steps:
        position = play(position, _with_card(position, step))
    assert position.progress is not None
    if position.progress.steps != turn.steps:
        while True:
            payable = max(
                contracts(position), key=lambda step: position.cards[step.card].points, default=None
            )
            if payable is None:
                break
            position = play(position, payable)
    assert position.progress is not None
    return Turn(position.progress.steps)


def _with_card(position: Position, step: Step) -> Step:
    """The step with the card it likes best, when the step draws from a known deck."""
    if not position.deck:
        return step
    drawn = max(position.deck[:DRAWN], key=lambda card: _promise(position.cards[card], position.player))
    match step:
        case Dive(Draw(None), side):
            return Dive(Draw(drawn), side)
        case Dive(Explore(which, Draw(None)), side):
            return Dive(Explore(which, Draw(drawn)), side)
        case UseSponsor(UseReward(which, level, Draw(None))):
            return UseSponsor(UseReward(which, level, Draw(drawn)))
    return step


def _liking(outcome: Outcome, seat: int, taste: Taste) -> float:
    table = outcome.table
    me = table.players[seat]
    known = [table.cards[card] for card in (*me.private, *table.public) if card]
    promised = sorted((_promise(contract, me) for contract in known), reverse=True)
    return (
        me.score
        + taste.credit * min(me.credits, 8)
        + taste.battery * min(me.batteries, 4)
        + taste.cube * me.cubes
        + taste.promise * sum(share / (i + 1) for i, share in enumerate(promised))
        + taste.unseen_card * min(2, me.private.count(None))
        + taste.upgraded * sum(diver[-1] == "+" for diver in me.divers)
        + taste.hacker * me.hacker
        + taste.mechanic * me.mechanic
        + taste.reward * sum(reward is not None for reward in me.rewards)
        + taste.neutral_x * min(2, me.neutral_x)
        + taste.key * len(me.keys)
    )


def _promise(contract: Contract, me: Player) -> float:
    """How near a contract is, in points."""
    nearest = max(_share(contract.need, cubes, room) for cubes, room in zip(me.zone, CAPACITY, strict=True))
    return contract.points * nearest**2


@lru_cache(maxsize=50_000)
def _share(need: str | tuple[int, ...], cubes: str, room: int) -> float:
    """The largest share of a contract's cubes that lies at a level which can still take the rest."""
    contract = Contract("", need, 0)
    best = 0
    for payment in contract.payments:
        have = sum(min(payment.count(letter), cubes.count(letter)) for letter in LETTERS)
        if len(cubes) - have + contract.size <= room:
            best = max(best, have)
    return best / contract.size

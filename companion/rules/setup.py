"""Setting up a game as the rulebook says, with a known deck and bag."""

from collections.abc import Sequence
from random import Random
from typing import Literal

from companion.rules.cards import Cards, sample_cards
from companion.rules.errors import MalformedCards, MalformedPosition
from companion.rules.position import Player, Position, Store
from companion.rules.settings import DIVERS, LETTERS, LEVELS, OWN_KEYS, Rules

SEATS = (("Ana", "red"), ("Ben", "blue"), ("Cleo", "green"), ("Dan", "yellow"))
START_CREDITS = 3
START_BATTERIES = 1


def new_game(
    seed: int,
    players: Sequence[tuple[str, str]] = SEATS[:3],
    rules: Rules | None = None,
    cards: Cards | None = None,
    sponsors: Literal["basic", "mixed"] = "basic",
) -> Position:
    """A start position; the same seed gives the same one.

    >>> new_game(seed=4).players[0].credits
    3
    """
    rules, cards = rules or Rules(), cards or sample_cards()
    rules.check()
    if not 2 <= len(players) <= 4:
        raise MalformedPosition(f"players: Otys is for 2 to 4 players, not {len(players)}")
    if len({colour for _, colour in players}) < len(players):
        raise MalformedPosition("players: each needs a colour of their own")
    spaces = 2 if len(players) == 2 else 3
    if len(cards.contracts) < spaces or len(cards.rewards) < 2 * len(LEVELS):
        raise MalformedCards(
            f"a game needs at least {spaces} contract cards and {2 * len(LEVELS)} reward tokens"
        )
    rng = Random(seed)
    deck = tuple(rng.sample([card.id for card in cards.contracts], len(cards.contracts)))
    bag = tuple(rng.sample(cards.rewards, len(cards.rewards)))
    return Position(
        rules=rules,
        to_play=0,
        first=0,
        round=1,
        players=tuple(_player(name, colour, rng) for name, colour in players),
        sponsors=_sponsors(rng, sponsors),
        display=tuple((bag[2 * i], bag[2 * i + 1]) for i in range(len(LEVELS))),
        store=_store(rng),
        public=deck[:spaces],
        supply_x=rules.neutral_x,
        deck=deck[spaces:],
        bag=bag[2 * len(LEVELS) :],
        reward_discard=(),
        over=None,
        progress=None,
        cards=cards,
    )


def _player(name: str, colour: str, rng: Random) -> Player:
    return Player(
        name=name,
        colour=colour,
        score=0,
        credits=START_CREDITS,
        batteries=START_BATTERIES,
        keys=OWN_KEYS,
        neutral_x=0,
        track=(),
        hacker=0,
        mechanic=0,
        divers=tuple(rng.sample(DIVERS, len(DIVERS))),
        zone=("", *rng.sample(LETTERS, len(LETTERS))),
        rewards=(None,) * len(LEVELS),
        private=(),
    )


def _sponsors(rng: Random, sides: Literal["basic", "mixed"]) -> tuple[str, ...]:
    order = rng.sample("12345", 5)
    return tuple(number + ("a" if sides == "mixed" and rng.random() < 0.5 else "") for number in order)


def _store(rng: Random) -> Store:
    """Two cubes of one colour and one each of two others."""
    filled = [2, 1, 1, 0]
    rng.shuffle(filled)
    return Store(*filled)

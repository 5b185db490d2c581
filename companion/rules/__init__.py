"""The rules of Otys: positions, steps, turns. Pure Python; imports nothing of ours and nothing from outside.

>>> from random import Random
>>> position = new_game(seed=1)
>>> turn = choose_turn(position, Random(1))
>>> position.play_turn(turn).to_play
1
"""

from companion.rules.cards import Cards, Contract, sample_cards
from companion.rules.errors import (
    IllegalStep,
    MalformedCards,
    MalformedNotation,
    MalformedPosition,
    RulesError,
)
from companion.rules.game import Game
from companion.rules.notation import parse_step, parse_steps
from companion.rules.play import winners
from companion.rules.position import Player, Position, Progress, Store
from companion.rules.search import Outcome, outcomes
from companion.rules.settings import CAPACITY, COLOURS, DIVERS, LETTERS, LEVELS, OWN_KEYS, SURFACE, Rules
from companion.rules.setup import SEATS, new_game
from companion.rules.steps import (
    Buy,
    CompleteContract,
    Dive,
    DiverEffect,
    Draw,
    EndTurn,
    Explore,
    Front,
    Gain,
    Improve,
    Key,
    MoveCube,
    Nothing,
    Oxygen,
    PlayKey,
    Propel,
    Search,
    Sell,
    Side,
    SponsorEffect,
    Step,
    SwapCubes,
    TakeBack,
    TakeCube,
    Upgrade,
    UseReward,
    UseSponsor,
)
from companion.rules.taste import choose_turn
from companion.rules.turn import Turn
from companion.rules.turns import turns

__all__ = [
    "CAPACITY",
    "COLOURS",
    "DIVERS",
    "LETTERS",
    "LEVELS",
    "OWN_KEYS",
    "SEATS",
    "SURFACE",
    "Buy",
    "Cards",
    "CompleteContract",
    "Contract",
    "Dive",
    "DiverEffect",
    "Draw",
    "EndTurn",
    "Explore",
    "Front",
    "Gain",
    "Game",
    "IllegalStep",
    "Improve",
    "Key",
    "MalformedCards",
    "MalformedNotation",
    "MalformedPosition",
    "MoveCube",
    "Nothing",
    "Outcome",
    "Oxygen",
    "PlayKey",
    "Player",
    "Position",
    "Progress",
    "Propel",
    "Rules",
    "RulesError",
    "Search",
    "Sell",
    "Side",
    "SponsorEffect",
    "Step",
    "Store",
    "SwapCubes",
    "TakeBack",
    "TakeCube",
    "Turn",
    "Upgrade",
    "UseReward",
    "UseSponsor",
    "choose_turn",
    "new_game",
    "outcomes",
    "parse_step",
    "parse_steps",
    "sample_cards",
    "turns",
    "winners",
]

"""Reading steps and turns. Writing them is `str`."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, cast

from companion.rules.cards import sorted_cubes
from companion.rules.errors import MalformedNotation
from companion.rules.settings import DIVERS
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

_DIVER = "(" + "|".join(DIVERS) + ")"
_CARD = r"([^\s@=/:]+)"
_KEY = r"([1-5]|X)"


@lru_cache(maxsize=4096)
def parse_step(text: str) -> Step:
    """Reads one step.

    >>> parse_step("dive:left/sell=m/credits")
    Dive(effect=Sell(cube='m', gain='credits'), copied='left')
    """
    step = _first(_STEPS, text)
    if step is None:
        raise MalformedNotation(f"{text!r} is not a step; see docs/notation.md for how each is written")
    return cast(Step, step)


def parse_steps(text: str) -> tuple[Step, ...]:
    """Reads steps separated by spaces; the error says which one cannot be read."""
    steps = []
    for number, word in enumerate(text.split(), 1):
        try:
            steps.append(parse_step(word))
        except MalformedNotation as error:
            raise MalformedNotation(f"step {number} of {text!r}: {error}") from None
    return tuple(steps)


_Reader = tuple[re.Pattern[str], Callable[..., Any]]


def _readers(*pairs: tuple[str, Callable[..., Any]]) -> tuple[_Reader, ...]:
    return tuple((re.compile(pattern), read) for pattern, read in pairs)


def _first(readers: tuple[_Reader, ...], text: str) -> Any:
    """The value of the first reader whose whole pattern fits and whose parts can be read, else None."""
    for pattern, read in readers:
        match = pattern.fullmatch(text)
        if match:
            value = read(*match.groups())
            if value is not None:
                return value
    return None


def _key(text: str) -> Key:
    return text if text == "X" else int(text)


def _draw(card: str) -> Draw:
    return Draw(None if card == "?" else card)


def _search(cube: str | None, bonus: str | None, take: str | None) -> Search | None:
    if not (cube or bonus or take):
        return None
    return Search(bool(cube), bool(bonus), _key(take) if take else None)


_FRONTS = _readers(
    (r"([mpft])", TakeCube),
    (rf"draw={_CARD}", _draw),
    (rf"upgrade={_DIVER}", Upgrade),
    (r"none", Nothing),
)


def _fronted(front: str | None, build: Callable[[Front], Any]) -> Any:
    if front is None:
        return build(None)
    read = _first(_FRONTS, front)
    return None if read is None else build(read)


def _use_reward(level: str | None, which: str, front: str | None) -> Any:
    return _fronted(front, lambda choice: UseReward(int(which), int(level) if level else None, choice))


def _explore(which: str, front: str | None) -> Any:
    return _fronted(front, lambda choice: Explore(int(which), choice))


_SPONSOR_EFFECTS = _readers(
    (r"(credit|free|double|resurface|battery)", Gain),
    (r"reward=(?:([1-5])\.)?([12])(?:/(.+))?", _use_reward),
    (rf"take={_KEY}", lambda key: TakeBack(_key(key))),
    (rf"upgrade={_DIVER}", Upgrade),
    (r"move=([mpft])([1-5])>([1-5])", lambda cube, source, target: MoveCube(cube, int(source), int(target))),
    (r"swap=([mpft])([1-5])<>([mpft])([1-5])", lambda a, i, b, j: SwapCubes(a, int(i), b, int(j))),
)
_DIVER_EFFECTS = _readers(
    (rf"(cube)?(?:(?:^|(?<=cube)\+)(?:(bonus)|take={_KEY}))?", _search),
    (r"sell=([mpft])/(credits|prestige)", Sell),
    (r"buy=([mpft])", Buy),
    (rf"draw={_CARD}", _draw),
    (r"engineer=(hacker|mechanic)", Improve),
    (r"explore=([12])(?:/(.+))?", _explore),
)


def _play_key(kind: str, level: str) -> PlayKey:
    return PlayKey(int(level) if kind == "key" else kind.upper(), int(level))


def _sponsor(effect: str) -> UseSponsor | None:
    read: SponsorEffect | None = _first(_SPONSOR_EFFECTS, effect)
    return UseSponsor(read) if read else None


def _dive(side: Side | None, effect: str) -> Dive | None:
    read: DiverEffect | None = _first(_DIVER_EFFECTS, effect)
    return Dive(read, side) if read else None


def _contract(card: str, level: str, cubes: str | None) -> CompleteContract:
    return CompleteContract(card, int(level), sorted_cubes(cubes) if cubes else None)


def _oxygen(side: Literal["left", "right"] | None) -> Oxygen:
    return Oxygen(side)


_STEPS = _readers(
    (r"(key|x|n)([1-5])", _play_key),
    (rf"propel:{_DIVER}([+-][1-7])", lambda diver, by: Propel(diver, int(by))),
    (r"sponsor:(.+)", _sponsor),
    (r"dive", Dive),
    (r"dive:(?:(left|right)/)?(.+)", _dive),
    (rf"contract:{_CARD}@([1-5])(?:=([mpft]+))?", _contract),
    (r"oxygen(?::(left|right))?", _oxygen),
    (r"end", EndTurn),
)

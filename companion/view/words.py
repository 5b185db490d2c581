"""Turns and pieces in words, in the vocabulary of each rulebook.

    "key 3, Trader sold metal for 3 credits, contract c04 for 4"

What a turn sold and for how much depends on where it was played, so the words follow it step by step from the
position before it. A contract drawn is private: its name is never said.
"""

from collections.abc import Iterator
from typing import Final

from companion.rules import Position, Step, Turn
from companion.rules.cards import front_of
from companion.rules.errors import RulesError
from companion.rules.settings import COLOURS, LETTERS
from companion.rules.steps import (
    Buy,
    CompleteContract,
    Dive,
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
    SponsorEffect,
    SwapCubes,
    TakeBack,
    TakeCube,
    Upgrade,
    UseReward,
    UseSponsor,
)
from companion.view.language import N_, Say

RESOURCE: Final = dict(zip(LETTERS, COLOURS, strict=True))
_NAMES: Final = {
    "metal": N_("metal"),
    "plant": N_("plant"),
    "fuel": N_("fuel"),
    "tech": N_("tech"),
}
_INITIALS: Final = {"metal": N_("M"), "plant": N_("P"), "fuel": N_("F"), "tech": N_("T")}
_DIVERS: Final = {
    "metal": N_("Metal expert"),
    "plant": N_("Plant expert"),
    "fuel": N_("Fuel expert"),
    "tech": N_("Tech expert"),
    "trader": N_("Trader"),
    "spy": N_("Spy"),
    "engineer": N_("Engineer"),
    "explorer": N_("Explorer"),
    "hacker": N_("Hacker"),
    "mechanic": N_("Mechanic"),
}
_COLOURS: Final = {
    "red": N_("red"),
    "blue": N_("blue"),
    "green": N_("green"),
    "yellow": N_("yellow"),
    "purple": N_("purple"),
    "orange": N_("orange"),
    "black": N_("black"),
    "white": N_("white"),
}
_OTHERS: Final = {
    "empty": N_("empty"),
    "credit": N_("credit"),
    "credits": N_("2 credits"),
    "battery": N_("battery"),
    "prestige": N_("prestige"),
    "contracts": N_("draw 4 contracts"),
    "upgrade": N_("upgrade"),
    "key": N_("key"),
    "back": N_("played key"),
    "?": N_("unknown"),
}


def resource(say: Say, cube: str) -> str:
    """A resource by its letter or its name."""
    return say(_NAMES[RESOURCE.get(cube, cube)])


def initial(say: Say, cube: str) -> str:
    """The letter a cube wears."""
    return say(_INITIALS[RESOURCE.get(cube, cube)])


def diver(say: Say, tile: str) -> str:
    """A diver or technician. The upgraded side wears a plus, as on the tile."""
    name = _DIVERS.get(tile.removesuffix("+"))
    return (say(name) + ("+" if tile.endswith("+") else "")) if name else tile


def colour(say: Say, name: str) -> str:
    return say(_COLOURS[name]) if name in _COLOURS else name


def key(say: Say, label: Key) -> str:
    """A key token: `key 3`, `X key`, `neutral X key`."""
    if label == "N":
        return say("neutral X key")
    return say("X key") if label == "X" else say("key {label}", label=label)


def money(say: Say, n: int) -> str:
    return say.many("{n} credit", "{n} credits", n)


def batteries(say: Say, n: int) -> str:
    return say.many("{n} battery", "{n} batteries", n)


def cubes(say: Say, letters: str) -> str:
    """Cubes as they are counted aloud.

    >>> from companion.view.language import speaker
    >>> cubes(speaker("en"), "mmp")
    '2 metal, 1 plant'
    """
    counted = [f"{letters.count(letter)} {resource(say, letter)}" for letter in LETTERS if letter in letters]
    return ", ".join(counted) or say("empty")


def content(say: Say, label: str, kind: str = "") -> str:
    """What lies in a slot, from the referee's short form: "trader+", "mmp", "empty", "hacker 2", "red 4"."""
    if not label:
        return ""
    if kind == "sponsor" and label[0].isdigit():
        side = say("advanced") if label.endswith("a") else say("basic")
        return f"{label.removesuffix('a')} ({side})"
    if ":" in label or "|" in label:
        return reward(say, label)
    if set(label) <= set(LETTERS):
        return cubes(say, label)
    if label.removesuffix("+") in _DIVERS:
        return diver(say, label)
    if label in _OTHERS:
        return say(_OTHERS[label])
    return ", ".join(_counted(say, part) for part in label.split(", "))


def label_words(say: Say, label: str) -> str:
    """A label of a pack as people say it, short; letters of cubes, cards and other games' labels stay as they are.

    >>> from companion.view.language import speaker
    >>> [label_words(speaker("fr"), label) for label in ("spy+", "tech+", "metal|plant:credits", "mpf", "rook")]
    ['Espion+', 'technologie+', 'métal ou plante / 2 crédits', 'mpf', 'rook']
    """
    name, plus = label.removesuffix("+"), "+" * label.endswith("+")
    if name in COLOURS:
        return resource(say, name) + plus
    if name in _DIVERS:
        return diver(say, label)
    if label == "key":
        return say("Key")
    if label in _OTHERS:
        return say(_OTHERS[label])
    front, back = front_of(label), label.rpartition(":")[2]
    if (
        ":" in label
        and back in ("credits", "prestige")
        and (front in _OTHERS or set(front.split("|")) <= set(COLOURS))
    ):
        return f"{reward(say, label)} / {say(_OTHERS[back])}"
    return label


def _counted(say: Say, part: str) -> str:
    name, _, number = part.rpartition(" ")
    if not name:
        return part
    if name in _COLOURS:
        return f"{colour(say, name)} {number}"
    return f"{diver(say, name) if name in _DIVERS else say(_OTHERS.get(name, name))} {number}"


def reward(say: Say, token: str) -> str:
    """A reward's front in words.

    >>> from companion.view.language import speaker
    >>> reward(speaker("en"), "metal|plant:credits")
    'metal or plant'
    """
    front = front_of(token)
    if "|" in front:
        first, second = front.split("|")
        return say("{one} or {other}", one=resource(say, first), other=resource(say, second))
    return say(_OTHERS.get(front, front))


def turn_words(say: Say, turn: Turn, before: Position | None) -> tuple[str, ...]:
    """A turn, one phrase for each step. Without the position before it, prices and divers stay unsaid."""
    return tuple(words for _, words in told(say, turn.steps, before))


def told(say: Say, steps: tuple[Step, ...], before: Position | None) -> Iterator[tuple[Step, str]]:
    """Each step with its phrase, told from where the table stood just before it."""
    position = before
    for step in steps:
        if not isinstance(step, EndTurn):
            yield step, step_words(say, step, position)
        if position is not None:
            try:
                position = position.play(step)
            except RulesError:
                # Overruled by the players: the rest is told without prices.
                position = None


def step_words(say: Say, step: Step, at: Position | None) -> str:
    """One step, as it is said about a player whose table stands `at`."""
    match step:
        case PlayKey(label, level):
            return (
                key(say, label)
                if isinstance(label, int)
                else say("{key} at level {level}", key=key(say, label), level=level)
            )
        case Propel(tile, by) if by > 0:
            return say.many(
                "{diver} propelled {n} level down",
                "{diver} propelled {n} levels down",
                by,
                diver=diver(say, tile),
            )
        case Propel(tile, by):
            return say.many(
                "{diver} propelled {n} level up",
                "{diver} propelled {n} levels up",
                -by,
                diver=diver(say, tile),
            )
        case UseSponsor(effect):
            return say("sponsor: {what}", what=_sponsor(say, effect, at))
        case Dive():
            return _dive(say, step, at)
        case CompleteContract(card, _, _):
            points = at.cards[card].points if at is not None and card in at.cards else None
            if points is None:
                return say("contract {card}", card=card)
            return say("contract {card} for {points}", card=card, points=points)
        case Oxygen(None):
            return say("oxygen: the diver stays below")
        case Oxygen(side):
            name = at.players[at.neighbour(side)].name if at is not None and side else ""
            return say("oxygen for {name}'s diver", name=name)
        case EndTurn():
            return say("end of the turn")


def step_detail(say: Say, step: Step) -> str:
    """What tells a step from another with the same words: where a contract was paid from, which of two rewards."""
    match step:
        case CompleteContract(_, level, None):
            return say("from level {n}", n=level)
        case CompleteContract(_, level, paid):
            return say("{cubes} from level {n}", cubes=cubes(say, paid or ""), n=level)
        case Dive(Explore(which, _)) | UseSponsor(UseReward(which, None, _)):
            return say("left") if which == 1 else say("right")
        case UseSponsor(UseReward(which, level, _)):
            return f"{say('level {n}', n=level)}, {say('left') if which == 1 else say('right')}"
    return ""


def _sponsor(say: Say, effect: SponsorEffect, at: Position | None) -> str:
    match effect:
        case Gain("credit"):
            return money(say, 1)
        case Gain("battery"):
            return batteries(say, 1)
        case Gain("free"):
            return say("this diver costs nothing")
        case Gain("double"):
            return say("effect twice")
        case Gain("resurface"):
            return say(
                "{diver} resurfaced", diver=diver(say, at.player.diver_at(5)) if at else say("level 5")
            )
        case Gain():
            return str(effect)
        case UseReward(which, level, front):
            token = _display(at, level, which)
            return say("reward: {what}", what=_front(say, front, token))
        case TakeBack(label):
            return say("{key} taken back", key=key(say, label))
        case Upgrade(tile):
            return say("{diver} upgraded", diver=diver(say, tile))
        case MoveCube(cube, source, target):
            return say(
                "{cube} moved from level {source} to {target}",
                cube=resource(say, cube),
                source=source,
                target=target,
            )
        case SwapCubes(cube, level, other, other_level):
            return say(
                "{cube} of level {level} swapped with {other} of level {target}",
                cube=resource(say, cube),
                level=level,
                other=resource(say, other),
                target=other_level,
            )


def _dive(say: Say, step: Dive, at: Position | None) -> str:
    tile = active_tile(at, step)
    who = diver(say, tile.removesuffix("+")) if tile else say("diver")
    if step.copied and at is not None:
        who = say("Spy as {name}'s {diver}", name=at.players[at.neighbour(step.copied)].name, diver=who)
    match step.effect:
        case None:
            return say("{diver} without its effect", diver=who)
        case Search(cube, bonus, take):
            return _search(say, who, tile, cube, bonus, take)
        case Sell(cube, gain):
            return _sold(say, who, tile, cube, gain, at)
        case Buy(cube):
            paid = _price(at, cube, tile)
            if paid is None:
                return say("{diver} bought {cube}", diver=who, cube=resource(say, cube))
            return say(
                "{diver} bought {cube} for {price}",
                diver=who,
                cube=resource(say, cube),
                price=money(say, paid),
            )
        case Draw():
            return say("{diver} drew contracts and kept one", diver=who)
        case Improve(technician):
            return say("{diver} improved the {technician}", diver=who, technician=diver(say, technician))
        case Explore(which, front):
            token = _display(at, None, which)
            return say("{diver} took a reward: {what}", diver=who, what=_front(say, front, token))


def active_tile(at: Position | None, step: Dive) -> str | None:
    """The tile whose effect a dive uses: the one at the key's level, on the neighbour's board when copied."""
    if at is None or at.progress is None or at.progress.key is None:
        return None
    owner = at.players[at.neighbour(step.copied)] if step.copied else at.player
    return owner.diver_at(at.progress.key.level)


def _search(say: Say, who: str, tile: str | None, cube: bool, bonus: bool, take: Key | None) -> str:
    kind = (tile or "").removesuffix("+")
    found = resource(say, kind) if kind in COLOURS else say("a cube")
    extra = ""
    if take is not None:
        extra = say("{key} taken back", key=key(say, take))
    elif bonus:
        extra = {"metal": key(say, "N"), "plant": money(say, 1), "fuel": batteries(say, 1)}.get(
            kind, say("bonus")
        )
    if cube and extra:
        return say("{diver} found {cube} and {bonus}", diver=who, cube=found, bonus=extra)
    if cube:
        return say("{diver} found {cube}", diver=who, cube=found)
    return say("{diver} gave {bonus}", diver=who, bonus=extra)


def _sold(say: Say, who: str, tile: str | None, cube: str, gain: str, at: Position | None) -> str:
    what = resource(say, cube)
    if at is None:
        unit = say("prestige") if gain == "prestige" else say("credits")
        return say("{diver} sold {cube} for {unit}", diver=who, cube=what, unit=unit)
    row = at.rules.store[min(getattr(at.store, RESOURCE[cube]), len(at.rules.store) - 1)]
    extra = 1 if tile and tile.endswith("+") else 0
    worth = prestige(say, row[1] + extra) if gain == "prestige" else money(say, row[0] + extra)
    return say("{diver} sold {cube} for {price}", diver=who, cube=what, price=worth)


def prestige(say: Say, n: int) -> str:
    return say.many("{n} prestige", "{n} prestige", n)


def _price(at: Position | None, cube: str, tile: str | None) -> int | None:
    if at is None:
        return None
    filled = getattr(at.store, RESOURCE[cube])
    if filled == 0:
        return None
    if at.progress is not None and at.progress.free:
        return 0
    price: int = at.rules.store[filled - 1][0]
    return max(0, price - (1 if tile and tile.endswith("+") else 0))


def _display(at: Position | None, level: int | None, which: int) -> str | None:
    if at is None:
        return None
    at_level = level or (at.progress.key.level if at.progress and at.progress.key else None)
    return at.display[at_level - 1][which - 1] if at_level else None


def _front(say: Say, front: Front, token: str | None) -> str:
    match front:
        case TakeCube(cube):
            return resource(say, cube)
        case Upgrade(tile):
            return say("{diver} upgraded", diver=diver(say, tile))
        case Draw():
            return say("a contract")
        case Nothing():
            return say("nothing")
        case None:
            return reward(say, token) if token else say("a reward")


def sentence(say: Say, turn: Turn, before: Position | None) -> str:
    """The whole turn in one line."""
    return ", ".join(turn_words(say, turn, before))

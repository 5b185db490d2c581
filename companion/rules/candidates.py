"""Every step the table could offer at this moment; some of them are illegal, none that is legal is missing."""

from collections.abc import Iterator

from companion.rules.cards import front_cubes, front_of
from companion.rules.effects import surface_divers
from companion.rules.position import Player, Position, Progress
from companion.rules.rewards import front_does_something
from companion.rules.settings import DRAWN, LETTERS, LEVELS
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
    MoveCube,
    Nothing,
    Oxygen,
    PlayKey,
    Propel,
    Search,
    Sell,
    SponsorEffect,
    Step,
    SwapCubes,
    TakeBack,
    TakeCube,
    Upgrade,
    UseReward,
    UseSponsor,
)


def candidates(position: Position) -> Iterator[Step]:
    progress = position.progress
    if progress is None or progress.key is None:
        yield from playable_keys(position.player)
        yield from contracts(position)
        return
    yield from contracts(position)
    level = progress.key.level
    if not progress.diving:
        if not progress.sponsor_used:
            for sponsor_effect in _sponsor_effects(position, level):
                yield UseSponsor(sponsor_effect)
        yield from _propellers(position)
        yield Dive()
        yield from _dives(position, level)
        return
    if progress.dives and not progress.ending:
        yield from _dives(position, level)
    yield from _endings(position, progress)


def playable_keys(me: Player) -> Iterator[PlayKey]:
    """Every key the player can play, at every level it can be played."""
    for key in me.keys:
        if isinstance(key, int):
            yield PlayKey(key, key)
    for name, held in (("X", "X" in me.keys), ("N", me.neutral_x > 0)):
        if held:
            for level in LEVELS:
                yield PlayKey(name, level)


def contracts(position: Position) -> Iterator[CompleteContract]:
    """Every contract the player to play can pay for now."""
    me = position.player
    for card in (*me.private, *position.public):
        if card:
            contract = position.cards[card]
            size, free = contract.size, contract.free
            for level, cubes in zip(LEVELS, me.zone, strict=True):
                if len(cubes) >= size:
                    for payment, _ in contract.paid_from(cubes):
                        yield CompleteContract(card, level, payment if free else None)


def _propellers(position: Position) -> Iterator[Step]:
    me = position.player
    if me.batteries < 1:
        return
    furthest = position.rules.mechanic[me.mechanic]
    for index, tile in enumerate(me.divers):
        for target in range(max(0, index - furthest), min(len(me.divers), index + furthest + 1)):
            if target != index:
                yield Propel(tile.removesuffix("+"), target - index)


def _sponsor_effects(position: Position, level: int) -> Iterator[SponsorEffect]:
    me = position.player
    match position.sponsors[level - 1]:
        case "1":
            yield Gain("credit")
        case "1a":
            yield Gain("free")
        case "2":
            yield Gain("double")
        case "2a":
            shelves = LEVELS if position.rules.german else (level,)
            for shelf in shelves:
                for which in (1, 2):
                    for front in _fronts(position, position.display[shelf - 1][which - 1], level):
                        yield UseReward(which, shelf if position.rules.german else None, front)
        case "3":
            yield from (TakeBack(key) for key in me.track)
        case "3a":
            yield Gain("resurface")
        case "4":
            yield from _upgrades(me.divers)
        case "4a":
            yield from _upgrades(surface_divers(me))
        case "5":
            yield Gain("battery")
        case "5a":
            yield Gain("battery")
            yield from _swaps(me, level) if position.rules.german else _moves(me, level)


def _upgrades(divers: tuple[str, ...]) -> Iterator[Upgrade]:
    return (Upgrade(tile) for tile in divers if not tile.endswith("+"))


def _moves(me: Player, level: int) -> Iterator[SponsorEffect]:
    for other in LEVELS:
        if other != level:
            for source, target in ((level, other), (other, level)):
                for cube in dict.fromkeys(me.zone[source - 1]):
                    yield MoveCube(cube, source, target)


def _swaps(me: Player, level: int) -> Iterator[SponsorEffect]:
    for other in LEVELS:
        if other != level:
            for cube in dict.fromkeys(me.zone[level - 1]):
                for other_cube in dict.fromkeys(me.zone[other - 1]):
                    yield SwapCubes(cube, level, other_cube, other)


def _fronts(position: Position, token: str | None, level: int) -> Iterator[Front]:
    """What can be answered to a reward's front."""
    if not token or token.startswith("?"):
        return
    front = front_of(token)
    if front in ("battery", "prestige"):
        yield None
    elif not front_does_something(position, front, level):
        yield Nothing()
    elif front == "contracts":
        yield from _draws(position)
    elif front == "upgrade":
        yield from _upgrades(position.player.divers)
    else:
        yield from map(TakeCube, front_cubes(front))


def _draws(position: Position) -> Iterator[Draw]:
    if position.deck is None:
        yield Draw(None)
    else:
        yield from map(Draw, position.deck[:DRAWN])


def _dives(position: Position, level: int) -> Iterator[Step]:
    tile = position.player.diver_at(level)
    for effect in _diver_effects(position, tile, level):
        yield Dive(effect)
    if tile in ("spy", "spy+"):
        for side in position.sides:
            copied = position.players[position.neighbour(side)].diver_at(level)
            for effect in _diver_effects(position, copied, level):
                yield Dive(effect, side)


def _diver_effects(position: Position, tile: str, level: int) -> Iterator[DiverEffect]:
    me = position.player
    match tile.removesuffix("+"):
        case "trader":
            for cube in dict.fromkeys(me.zone[level - 1]):
                yield Sell(cube, "credits")
                yield Sell(cube, "prestige")
            yield from map(Buy, LETTERS)
        case "spy":
            yield from _draws(position)
        case "engineer":
            yield Improve("hacker")
            yield Improve("mechanic")
        case "explorer":
            for which in (1, 2):
                for front in _fronts(position, position.display[level - 1][which - 1], level):
                    yield Explore(which, front)
        case expert:
            yield Search(cube=True)
            if tile.endswith("+"):
                for found in (True, False):
                    if expert == "tech":
                        yield from (Search(found, take=key) for key in me.track)
                    else:
                        yield Search(found, bonus=True)


def _endings(position: Position, progress: Progress) -> Iterator[Step]:
    if not progress.oxygen:
        yield Oxygen()
    for side in position.sides:
        if side in progress.copied and side not in progress.kept:
            yield Oxygen(side)
    yield EndTurn()

"""Slips on the colony board and on other players' boards, in the manner of `companion.referee.slips`."""

from collections.abc import Iterator

from companion.referee import observation
from companion.referee.observation import COLUMNS
from companion.referee.slips import BOUGHT_IN_VAIN, Played, Slip
from companion.rules.cards import Contract
from companion.rules.settings import LEVELS
from companion.rules.steps import Buy, Dive, Propel, Sell, Upgrade, UseSponsor
from vision.reading import EMPTY

UPGRADE_COST = 2


def sponsor_slips(played: Played) -> Iterator[Slip]:
    before, after = played.before.sponsors, played.after.sponsors
    if after != before:
        yield Slip("sponsors-not-rotated", _sponsors(before), before[0], 1)
    for turn in range(1, 5):
        rotated = before[-turn:] + before[:-turn]
        if rotated not in (before, after):
            yield Slip("sponsors-wrong", _sponsors(rotated), rotated[0], 1, 0.5)
    if after == before:
        rotated = before[-1:] + before[:-1]
        yield Slip("sponsors-wrong", _sponsors(rotated), rotated[0], 1)
    for i in range(5):
        for j in range(i + 1, 5):
            swapped = list(after)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            yield Slip("sponsors-wrong", _sponsors(tuple(swapped)), swapped[i], i + 1, 1.0)


def _sponsors(tiles: tuple[str, ...]) -> tuple[observation.Claim, ...]:
    return tuple(claim for level, tile in enumerate(tiles, 1) for claim in observation.sponsor(level, tile))


def store_slips(played: Played) -> Iterator[Slip]:
    """Cubes in a wrong row or column of the Store."""
    rows = len(played.before.rules.store)
    traded = {
        step.effect.cube
        for step in played.turn.steps
        if isinstance(step, Dive) and isinstance(step.effect, Sell | Buy)
    }
    for name, letter in COLUMNS.items():
        filled: int = getattr(played.after.store, name)
        was: int = getattr(played.before.store, name)
        rarity = 0.0 if letter in traded else 1.5
        for pattern in range(1 << rows):
            present = [bool(pattern >> row & 1) for row in range(rows)]
            if sum(present) == filled and present != [row < filled for row in range(rows)]:
                claims = tuple(
                    (f"colony.store.{name}.{row + 1}", letter, int(there))
                    for row, there in enumerate(present)
                )
                yield Slip("store-wrong-row", claims, letter, rarity=rarity)
        if letter not in traded:
            continue
        back = tuple(observation.store(name, was, rows))
        for other, other_letter in COLUMNS.items():
            if other == name:
                continue
            held: int = getattr(played.after.store, other)
            if filled > was and held < rows:
                place = f"colony.store.{other}.{held + 1}"
                for shown in (letter, other_letter):
                    yield Slip("store-wrong-column", (*back, (place, shown, 1)), letter)
            if filled < was and held > 0:
                gone = tuple(observation.store(other, held - 1, rows))
                yield Slip("store-wrong-column", (*back, *gone), letter)


def reward_slips(played: Played) -> Iterator[Slip]:
    """Display tokens not replaced, permanent rewards on a wrong level."""
    taken = [
        (level, which)
        for level in LEVELS
        for which in (1, 2)
        if played.after.display[level - 1][which - 1] is None
        and played.before.display[level - 1][which - 1] is not None
    ]
    for level, which in taken:
        token = played.before.display[level - 1][which - 1] or ""
        yield Slip("reward-not-replaced", ((f"colony.display.{level}.{which}", EMPTY, None),), token, level)
    if played.explored is None:
        return
    level = played.level
    old, new = played.was.rewards[level - 1], played.me.rewards[level - 1]
    for target in LEVELS:
        if target != level:
            claims = (
                *observation.permanent(played.colour, level, old),
                *observation.permanent(played.colour, target, new),
            )
            yield Slip("permanent-wrong-level", claims, new or "", target)


def contract_slips(played: Played) -> Iterator[Slip]:
    """Public cards: not replaced, or taken without paying for them."""
    before, after = played.before, played.after
    for space, (was, now) in enumerate(zip(before.public, after.public, strict=True), 1):
        slot = f"colony.contract.{space}"
        if was and now != was:
            for left in (EMPTY, was):
                yield Slip("contract-not-replaced", ((slot, left, None),), was)
        elif was:
            yield from _unpaid(played, slot, before.cards[was])


def _unpaid(played: Played, slot: str, card: Contract) -> Iterator[Slip]:
    """A card taken and scored with all its cubes still there; its bonus and the level's reward taken or not."""
    me, colour = played.me, played.colour
    coins = (
        *observation.tray(colour, "credit", me.credits + card.bonus.count("c")),
        *observation.tray(colour, "battery", me.batteries + card.bonus.count("b")),
    )
    for bonus in (0, 1):
        scored = ((slot, None, None), *observation.score(colour, me.score + card.points + bonus))
        yield Slip("contract-without-cubes", (*scored, *coins), card.id, rarity=0.5 * bonus)
        if card.bonus:
            yield Slip("contract-without-cubes", scored, card.id, rarity=0.5 * bonus + 0.5)


def payment_slips(played: Played) -> Iterator[Slip]:
    """What should have been paid still lies in the tray."""
    me, colour = played.me, played.colour
    moves = [step for step in played.turn.steps if isinstance(step, Propel)]
    for unpaid in range(1, len(moves) + 1):
        claims = tuple(observation.tray(colour, "battery", me.batteries + unpaid))
        yield Slip("propeller-without-battery", claims, moves[-1].diver, rarity=2.0)
    for step in played.turn.steps:
        match step:
            case UseSponsor(Upgrade(diver)):
                claims = tuple(observation.tray(colour, "credit", me.credits + UPGRADE_COST))
                yield Slip("upgrade-without-money", claims, diver)
            case Dive(Buy(cube)):
                rarity = BOUGHT_IN_VAIN if played.bought_in_vain else 0.0
                for price in (1, 2, 3):
                    claims = tuple(observation.tray(colour, "credit", me.credits + price))
                    yield Slip("bought-without-money", claims, cube, rarity=rarity)
            case _:
                pass

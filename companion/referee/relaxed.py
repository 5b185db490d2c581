"""Turns that would be legal but for one rule: the rule is lifted, and the engine searched as ever."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from companion.referee import observation
from companion.referee.column import Order, moves_to_pass, names, place_of, resurfaced
from companion.referee.observation import Claim
from companion.referee.search import Explanation
from companion.referee.slips import BOUGHT_IN_VAIN, Played
from companion.referee.weighing import NOTHING, Covered
from companion.rules import IllegalStep, Position
from companion.rules.settings import LEVELS, OWN_KEYS
from companion.rules.steps import (
    Buy,
    Dive,
    Explore,
    Gain,
    Improve,
    MoveCube,
    Oxygen,
    PlayKey,
    Propel,
    Sell,
    Step,
    Upgrade,
    UseSponsor,
)

PLENTY = 6
ANYWHERE = (7, 7, 7, 7)
# Nobody breaks a rule for nothing: where moves that were allowed and paid for bring the same diver under the key, or it stood
# there anyhow, divers have rather got out of order.
IN_VAIN = 1.5


@dataclass(frozen=True)
class Lifted:
    """A position in which one more thing is allowed than at the table.

    `covered` facets cannot be trusted to follow the lifted rule; `instead` are the claims that hold for them.
    `swapped` are pairs of slots whose contents have to be read one for the other.
    """

    fault: str
    position: Position
    covered: Covered = NOTHING
    instead: tuple[Claim, ...] = ()
    swapped: tuple[tuple[str, str], ...] = ()


def lifted(position: Position, contradicted: frozenset[str]) -> Iterator[Lifted]:
    """Every rule worth lifting, given which slots no legal turn explains."""
    me, seat = position.player, position.to_play
    tray = frozenset({"tray"})
    yield Lifted("propeller-too-far", position._replace(rules=position.rules._replace(mechanic=ANYWHERE)))
    plenty = position.with_player(seat, batteries=me.batteries + PLENTY)
    yield Lifted("propeller-without-battery", plenty, tray)
    yield Lifted("without-money", position.with_player(seat, credits=me.credits + PLENTY), tray)
    if len(position.rules.store) in position.store:
        last = position.rules.store[-1]
        rules = position.rules._replace(store=(*position.rules.store, last))
        yield Lifted("sold-to-full-column", position._replace(rules=rules))
    keys = frozenset(slot for slot, _, _ in observation.keyring(me.colour, (), 0, ()))
    if keys & contradicted or any(slot.startswith(f"{me.colour}.diver") for slot in contradicted):
        for key in OWN_KEYS:
            if key not in me.keys:
                given = position.with_player(seat, keys=(key,), neutral_x=0)
                for track in (me.track, (*me.track, key)):
                    held = tuple(observation.keyring(me.colour, me.keys, me.neutral_x, track))
                    yield Lifted("key-not-available", given, frozenset({"keys", "tray"}), held)
    displayed = {int(slot.split(".")[2]) for slot in contradicted if slot.startswith("colony.display")}
    if displayed or any(slot.startswith(f"{me.colour}.reward") for slot in contradicted):
        yield from _other_levels(position, displayed or set(LEVELS))


def _other_levels(position: Position, wrong: Collection[int]) -> Iterator[Lifted]:
    """The Display with two levels exchanged, one of them `wrong`, so that a reward of the other one can be taken."""
    for level in LEVELS:
        for other in LEVELS:
            if level < other and (level in wrong or other in wrong):
                display = list(position.display)
                display[level - 1], display[other - 1] = display[other - 1], display[level - 1]
                pairs = tuple(
                    (f"colony.display.{level}.{which}", f"colony.display.{other}.{which}") for which in (1, 2)
                )
                yield Lifted("reward-wrong-level", position._replace(display=tuple(display)), swapped=pairs)


def was_needed(before: Position, found: Explanation, rule: Lifted) -> bool:
    """Whether the turn really is refused by the rules as they are."""
    if rule.swapped and _taken(before, found):
        return True
    return _first_refused(before, found.turn.steps) is not None


def rarity(rule: Lifted, before: Position, found: Explanation) -> float:
    """How much less likely than other faults it is that somebody broke the rule in this turn."""
    moves = sum(isinstance(step, Propel) for step in found.turn.steps)
    match rule.fault:
        case "propeller-without-battery":
            # Below 0 by as many moves as nobody could have paid for.
            left = found.position.players[before.to_play].batteries - PLENTY
            return IN_VAIN if _moves_needed(before, found) <= moves + min(left, 0) else 0.0
        case "propeller-too-far":
            return IN_VAIN if _moves_needed(before, found) <= moves else 0.0
        case "without-money" if Played(before, found.turn, found.position).bought_in_vain:
            return BOUGHT_IN_VAIN
    return 0.0


def _moves_needed(before: Position, found: Explanation) -> int:
    """How many moves that the Mechanic allows bring the activated diver under the key."""
    played = Played(before, found.turn, found.position)
    (activated,) = names((played.activated,))
    distance = abs(_unpropelled(before, found).index(activated) - place_of(played.level))
    return moves_to_pass(distance, before.rules.mechanic[before.player.mechanic])


def _taken(before: Position, found: Explanation) -> tuple[str, ...]:
    """The spaces of the Display a reward was taken from."""
    return tuple(
        f"colony.display.{level}.{which}"
        for level in LEVELS
        for which in (1, 2)
        if found.position.display[level - 1][which - 1] is None
        and before.display[level - 1][which - 1] is not None
    )


def blamed(
    rule: Lifted, before: Position, found: Explanation
) -> tuple[str, tuple[str, ...], str, int | None]:
    """The fault, its slots, the piece and the level, given the turn the lifted rule made possible."""
    steps = found.turn.steps
    key = next(step for step in steps if isinstance(step, PlayKey))
    colour = before.player.colour
    divers = _propelled(before, found, key.level)
    zone = f"{colour}.zone.{key.level}"
    match rule.fault:
        case "propeller-without-battery" if not any(isinstance(step, Propel) for step in steps):
            return _unpaid(before, found, key.level)
        case "propeller-too-far" | "propeller-without-battery":
            moved = [step.diver for step in steps if isinstance(step, Propel)]
            return rule.fault, divers, moved[-1] if moved else "", key.level
        case "key-not-available":
            place = f"{colour}.x" if isinstance(key.key, str) else f"{colour}.key.{key.key}"
            return rule.fault, (place,), str(key.key), key.level
        case "reward-wrong-level":
            swaps = {a: b for pair in rule.swapped for a, b in (pair, pair[::-1])}
            slots = tuple(swaps.get(slot, slot) for slot in _taken(before, found))
            level = int(slots[0].split(".")[2]) if slots else key.level
            return rule.fault, slots, "", level
        case "sold-to-full-column":
            sold = next((_sold(step) for step in steps if _sold(step)), "")
            return rule.fault, (zone,), sold, key.level
    match _first_refused(before, steps):
        case UseSponsor(Upgrade(diver)):
            at = found.position.players[before.to_play].index_of(diver) + 1
            return "upgrade-without-money", (f"{colour}.diver.{at}",), diver, key.level
        case Dive(Buy(cube)):
            column = next(name for name, letter in observation.COLUMNS.items() if letter == cube)
            row = getattr(before.store, column)
            return "bought-without-money", (zone, f"colony.store.{column}.{row}"), cube, key.level
        case Dive(Improve(name)) as refused:
            too_far = steps.count(refused) > 1  # the money was there for a first step of the same technician
            fault = "technician-too-far" if too_far else "technician-without-right"
            return fault, (f"{colour}.{name}",), name, key.level
        case Dive(Explore()):
            return "reward-wrong-level", (f"{colour}.reward.{key.level}",), "", key.level
        case _:
            return "bought-without-money", (f"{colour}.tray",), "", key.level


def _unpaid(before: Position, found: Explanation, level: int) -> tuple[str, tuple[str, ...], str, int | None]:
    """A battery nobody had, and no propeller: a cube moved by sponsor 5, or a diver that stayed below."""
    colour = before.player.colour
    match _first_refused(before, found.turn.steps):
        case UseSponsor(MoveCube(cube, source, target)):
            return "cube-wrong-level", (f"{colour}.zone.{source}", f"{colour}.zone.{target}"), cube, target
    stayed = found.position.players[before.to_play].divers
    places = range(1, place_of(level) + 2)
    return (
        "not-resurfaced",
        tuple(f"{colour}.diver.{n}" for n in places),
        stayed[place_of(level)].removesuffix("+"),
        level,
    )


def _propelled(before: Position, found: Explanation, level: int) -> tuple[str, ...]:
    """The places of the column that look different because of the turn's propeller moves."""
    was, now = before.player, found.position.players[before.to_play]
    stayed = any(isinstance(step, Oxygen) and step.side is None for step in found.turn.steps)
    column = _unpropelled(before, found)
    unmoved = column if stayed else resurfaced(column, level)
    moved = enumerate(zip(unmoved, names(now.divers), strict=True), 1)
    return tuple(f"{was.colour}.diver.{place}" for place, (one, other) in moved if one != other)


def _unpropelled(before: Position, found: Explanation) -> Order:
    """The column under the key had no propeller been used."""
    column = names(before.player.divers)
    if UseSponsor(Gain("resurface")) in found.turn.steps:
        return resurfaced(column, LEVELS[-1])
    return column


def _first_refused(before: Position, steps: tuple[Step, ...]) -> Step | None:
    """The step the rules do not allow, played from the position as it really was."""
    position = before
    for step in steps:
        try:
            position = position.play(step)
        except IllegalStep:
            return step
    return None


def _sold(step: object) -> str:
    return step.effect.cube if isinstance(step, Dive) and isinstance(step.effect, Sell) else ""

"""Which fault explains the boards best: legal turns with slips in them, and turns legal but for one rule.

The slots a kind of slip spoils are covered one kind at a time, so that the turn that was meant is found from the rest
of the table; then every slip on every such turn is weighed against everything that was seen.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from companion.referee import colony_slips, slips
from companion.referee.as_seen import as_seen
from companion.referee.column import PLACES, place_of, resurfaced
from companion.referee.faults import fault
from companion.referee.observation import COLUMNS, Claim, claims, column, expected, in_words
from companion.referee.relaxed import Lifted, blamed, lifted, was_needed
from companion.referee.restoring import seen_in_words
from companion.referee.search import Explanation, explain
from companion.referee.sight import Sight
from companion.referee.slips import Played, Slip
from companion.referee.verdict import Fault
from companion.rules import Position
from companion.rules.cards import Contract
from companion.rules.settings import LEVELS
from companion.rules.steps import PlayKey
from vision.reading import Reading

Family = Callable[[Played], Iterator[Slip]]
FAMILIES: tuple[Family, ...] = (
    slips.key_slips,
    slips.column_slips,
    slips.technician_slips,
    slips.cube_slips,
    slips.score_slips,
    colony_slips.sponsor_slips,
    colony_slips.store_slips,
    colony_slips.reward_slips,
    colony_slips.contract_slips,
    colony_slips.payment_slips,
)
MOST_FAULTS = 3  # more at once is not a slip any more


@dataclass(frozen=True)
class Suspicion:
    """Faults that together explain the boards, and what that costs."""

    faults: tuple[Fault, ...]
    cost: float


def suspect(
    root: Position, sight: Sight, legal: Iterable[Explanation], contradicted: frozenset[str], limit: float
) -> Suspicion | None:
    """The cheapest explanation with a fault in it, None when there is none below `limit`."""
    best = _best_slips(root, sight, _meant(root, sight, legal), None, limit)
    for rule in lifted(root, contradicted):
        found = _without_rule(root, rule, sight, best.cost if best else limit)
        if found is not None:
            best = found
    unseen = tuple(card for card in root.cards.contracts if card.id not in sight.taken)
    if unseen and (best is None or len(best.faults) > 1):
        # Several faults at once are unlikely: perhaps one slip, and a card nobody had shown.
        best = _best_slips(root, sight, _meant(root, sight, (), unseen), best, limit)
    return best


def _best_slips(
    root: Position, sight: Sight, turns: list[Explanation], best: Suspicion | None, limit: float
) -> Suspicion | None:
    for meant in turns:
        found = _with_slips(root, meant, sight, best.cost if best else limit)
        if found is not None:
            best = found
    return best


def covers(root: Position) -> tuple[frozenset[str], ...]:
    """The slots each kind of slip spoils, for the player to play."""
    c = root.player.colour
    keys = {f"{c}.key.{n}" for n in range(1, 6)} | {f"{c}.track.{n}" for n in range(1, 7)} | {f"{c}.x"}
    divers = {f"{c}.diver.{n}" for n in range(1, 9)}
    zone = {f"{c}.zone.{n}" for n in LEVELS}
    store = {f"colony.store.{name}.{row}" for name in COLUMNS for row in range(1, 4)}
    cards = {f"colony.contract.{n}" for n in range(1, 4)}
    rewards = {f"colony.display.{n}.{w}" for n in LEVELS for w in (1, 2)} | {
        f"{c}.reward.{n}" for n in LEVELS
    }
    kinds = (
        keys,
        divers,
        zone,
        store,
        {"colony.score"},
        {"colony.score", *cards},
        cards,
        rewards,
        {f"{c}.hacker", f"{c}.mechanic"},
        {f"colony.sponsor.{n}" for n in LEVELS},
        {f"{c}.tray"},
    )
    return tuple(map(frozenset, kinds))


def _meant(
    root: Position, sight: Sight, legal: Iterable[Explanation], unseen: tuple[Contract, ...] = ()
) -> list[Explanation]:
    """Turns that may have been meant, each once, weighed by everything that was seen."""
    pool = {str(found.turn): found for found in legal}
    settings = sight.settings
    for cover in covers(root):
        found = explain(
            root,
            sight.without(cover),
            settings.meant_window_cost,
            most=settings.meant_turns,
            unseen=unseen,
            give_up_cost=settings.meant_window_cost,
            steps=settings.meant_steps,
        )
        for turn in found.explanations:
            pool.setdefault(str(turn.turn), turn)
    levels = {step.level for found in pool.values() for step in found.turn.steps if isinstance(step, PlayKey)}
    for eye in _other_columns(root, sight, levels):
        found = explain(
            root,
            eye,
            most=2,
            unseen=unseen,
            give_up_cost=settings.meant_window_cost,
            steps=settings.meant_steps,
        )
        for turn in found.explanations:
            pool.setdefault(str(turn.turn), turn)
    return list(pool.values())


def _other_columns(root: Position, sight: Sight, levels: set[int]) -> Iterator[Sight]:
    """The column as it would look had the right diver resurfaced: after none did, or another one."""
    colour = root.player.colour
    places = tuple(f"{colour}.diver.{n}" for n in range(1, PLACES + 1))
    if not any(sight.cost(claim) > sight.settings.doubt_cost for claim in column(colour, root.player.divers)):
        return
    for level in sorted(levels):
        yield _moved(sight, places, resurfaced(places, level))
        for origin in range(1, PLACES):
            if origin != place_of(level):
                below = (*places[1 : origin + 1], places[0], *places[origin + 1 :])
                yield _moved(sight, places, resurfaced(below, level))


def _with_slips(root: Position, meant: Explanation, sight: Sight, limit: float) -> Suspicion | None:
    """The best slips on one turn, added one by one while each explains more than it costs."""
    settings = sight.settings
    table = {_place(claim): claim for claim in claims(meant.position)}
    total = meant.habits + sum(map(sight.cost, table.values()))
    played = Played(root, meant.turn, meant.position)
    candidates = [*_all_slips(played), *_others(played, sight), *as_seen(played, sight)]
    chosen: list[tuple[Slip, dict[tuple[str, str | None], Claim]]] = []
    while len(chosen) < MOST_FAULTS:
        best, best_change = None, 0.0
        for slip in candidates:
            change = settings.fault_cost + slip.rarity
            for claim in slip.claims:
                change += sight.cost(claim) - sight.cost(table.get(_place(claim), claim))
            if change < best_change:
                best, best_change = slip, change
        if best is None:
            break
        before = {_place(claim): table.get(_place(claim), claim) for claim in best.claims}
        chosen.append((best, before))
        table.update({_place(claim): claim for claim in best.claims})
        total += best_change
    if not chosen or total >= limit:
        return None
    named = tuple(_name(root, slip, before, sight.reading) for slip, before in chosen)
    return Suspicion(named, total)


def _all_slips(played: Played) -> Iterator[Slip]:
    for family in FAMILIES:
        yield from family(played)


def _others(played: Played, sight: Sight) -> Iterator[Slip]:
    """Whatever was clearly seen on another player's board and does not belong there."""
    colours = {player.colour for i, player in enumerate(played.before.players) if i != played.before.to_play}
    for colour in sorted(colours):
        wrong: list[Claim] = []
        for claim in claims(played.after):
            slot, label, number = claim
            owner = label if slot == "colony.score" else slot.split(".")[0]
            if owner != colour or slot.endswith(".tray") or sight.cost(claim) <= sight.settings.doubt_cost:
                continue
            seen = sight.reading.best(slot)
            if isinstance(seen, str):
                wrong.append((slot, seen, None))
            elif isinstance(seen, dict) and label is not None and number is not None:
                wrong.append((slot, label, seen.get(label, 0)))
        if wrong and _possible(wrong, played.after):
            yield Slip("other-board-changed", tuple(wrong), colour, rarity=0.5 * (len(wrong) - 1))


def _possible(wrong: list[Claim], position: Position) -> bool:
    """Whether pieces could lie like that: every diver once, no key out of thin air (one may be taken away)."""
    shown: dict[str, dict[str, str | None]] = {}
    for slot, label, number in wrong:
        if number is None:
            shown.setdefault(slot.split(".")[0], {})[slot] = label
    table = expected(position)
    for colour, slots in shown.items():
        divers = [slots.get(f"{colour}.diver.{n}", table[f"{colour}.diver.{n}"]) for n in range(1, 9)]
        if len({str(diver).removesuffix("+") for diver in divers}) < len(divers):
            return False
        tokens = [f"{colour}.key.{n}" for n in range(1, 6)] + [f"{colour}.track.{n}" for n in range(1, 7)]
        lying = sum(slots.get(slot, table[slot]) not in (None, "empty") for slot in tokens)
        if any(slot in slots for slot in tokens) and lying > sum(table[slot] != "empty" for slot in tokens):
            return False
    return True


def _without_rule(root: Position, rule: Lifted, sight: Sight, limit: float) -> Suspicion | None:
    settings = sight.settings
    extra = settings.fault_cost + sum(map(sight.cost, rule.instead))
    if extra >= limit:
        return None
    eye = _swapped(sight, rule.swapped).without(rule.ignored)
    found = explain(root=rule.position, sight=eye, most=1, give_up_cost=limit, steps=settings.meant_steps)
    for turn in found.explanations:
        if turn.cost + extra < limit and was_needed(root, turn):
            name, slots, piece, level = blamed(rule, root, turn)
            wanted = expected(root)
            first = slots[0] if slots else ""
            named = fault(
                name,
                slots,
                player=root.player.name,
                piece=piece,
                level=str(level or ""),
                seen=seen_in_words(sight.reading, first) if first else "",
                wanted=in_words(wanted.get(first)) if first else "",
            )
            return Suspicion((named,), turn.cost + extra)
    return None


def _swapped(sight: Sight, pairs: tuple[tuple[str, str], ...]) -> Sight:
    there = tuple(slot for pair in pairs for slot in pair)
    return _moved(sight, there, tuple(slot for pair in pairs for slot in reversed(pair)))


def _moved(sight: Sight, slots: tuple[str, ...], sources: tuple[str, ...]) -> Sight:
    """The reading with each of `slots` showing what its source showed."""
    tiles = {slot: ps for slot, ps in sight.reading.tiles.items() if slot not in slots}
    for slot, source in zip(slots, sources, strict=True):
        if source in sight.reading.tiles:
            tiles[slot] = sight.reading.tiles[source]
    reading = Reading(sight.reading.boards, tiles, sight.reading.counts, sight.reading.hidden)
    return Sight(reading, sight.settings, sight.ignored, sight.taken)


def _place(claim: Claim) -> tuple[str, str | None]:
    """What a claim is about: a tile slot, or one label of a counted one."""
    return claim[0], claim[1] if claim[2] is not None else None


def _name(
    root: Position, slip: Slip, before: Mapping[tuple[str, str | None], Claim], reading: Reading
) -> Fault:
    """The fault in the players' terms: only the slots that look different because of it."""
    changed = [claim for claim in slip.claims if before[_place(claim)] != claim]
    slots = tuple(dict.fromkeys(claim[0] for claim in changed))
    player, wanted = root.player.name, ""
    if slip.fault == "other-board-changed":
        player = next(p.name for p in root.players if p.colour == slip.piece)
    if changed:
        label, number = before[_place(changed[0])][1:]
        wanted = _wanted(slots[0], changed, before) if number is not None else label or "?"
    seen = seen_in_words(reading, slots[0]) if slots else ""
    if slip.fault in ("score-not-moved", "score-wrong"):
        seen, wanted = str(changed[0][2]), str(before[_place(changed[0])][2])
    if slip.fault in ("technician-without-right", "technician-too-far"):
        seen, wanted = str(changed[0][2]), str(before[_place(changed[0])][2])
    if slip.fault == "permanent-wrong-level":
        seen, wanted = str(slip.level), slots[0].split(".")[2] if slots else ""
    level = str(slip.level) if slip.level else ""
    return fault(slip.fault, slots, player=player, piece=slip.piece, level=level, seen=seen, wanted=wanted)


def _wanted(slot: str, changed: list[Claim], before: Mapping[tuple[str, str | None], Claim]) -> str:
    content = {label: number for (s, label), (_, _, number) in before.items() if s == slot}
    return in_words({str(label): number for label, number in content.items() if number is not None})

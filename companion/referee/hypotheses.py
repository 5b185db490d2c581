"""Which fault explains the boards best: legal turns with slips in them, and turns legal but for one rule.

The facets a kind of slip spoils are covered one kind at a time, so that the turn that was meant is found from the rest
of the table; then every slip on every such turn is weighed against everything that was seen.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.referee import colony_slips, slips
from companion.referee.column import PLACES, place_of, resurfaced
from companion.referee.eyes import Eyes
from companion.referee.faults import fault
from companion.referee.observation import Claim, Place, claims, column, expected, in_words, place
from companion.referee.oddities import oddities, other_boards
from companion.referee.relaxed import Lifted, blamed, lifted, rarity, was_needed
from companion.referee.restoring import seen_in_words
from companion.referee.search import Explanation, Inquiry
from companion.referee.sight import MovedSight, Sight
from companion.referee.slips import Played, Slip
from companion.referee.verdict import Fault
from companion.referee.weighing import Covered, Weigher
from companion.rules import Position
from companion.rules.cards import Contract
from companion.rules.steps import PlayKey
from vision.reading import Reading

Family = Callable[[Played], Iterator[Slip]]
# Each family with the kinds of slots it spoils: it is worth a look when one of them lies wrong.
FAMILIES: tuple[tuple[Family, frozenset[str]], ...] = (
    (slips.key_slips, frozenset({"key", "track", "x"})),
    (slips.column_slips, frozenset({"diver"})),
    (slips.technician_slips, frozenset({"hacker", "mechanic"})),
    (slips.cube_slips, frozenset({"zone"})),
    (slips.score_slips, frozenset({"score"})),
    (colony_slips.sponsor_slips, frozenset({"sponsor"})),
    (colony_slips.store_slips, frozenset({"store"})),
    (colony_slips.reward_slips, frozenset({"display", "reward"})),
    (colony_slips.contract_slips, frozenset({"contract"})),
    (colony_slips.payment_slips, frozenset({"tray"})),
)
# What each kind of slip spoils, to be covered while the turn that was meant is looked for.
COVERS: tuple[Covered, ...] = tuple(
    map(
        frozenset,
        (
            {"keys"},
            {"column"},
            {"zone"},
            {"store"},
            {"score"},
            {"score", "contract", "tray"},
            {"contract"},
            {"display", "reward"},
            {"technician"},
            {"sponsor"},
            {"keys", "sponsor"},
            {"tray"},
        ),
    )
)
MOST_FAULTS = 3  # more at once is not a slip any more


@dataclass(frozen=True)
class Suspicion:
    """Faults that together explain the boards, what that costs, and the legal turn they are slips of, if there is one.

    `shows` is what they leave on the table otherwise than that turn does.
    """

    faults: tuple[Fault, ...]
    cost: float
    meant: Explanation | None = None
    shows: tuple[Claim, ...] = ()


def suspect(
    root: Position,
    looks: Sequence[Eyes],
    legal: Iterable[Explanation],
    limit: float,
    best: Suspicion | None = None,
) -> Suspicion | None:
    """The cheapest explanation with a fault in it, None when there is none below `limit`.

    `looks` are the ways to take the reading, at its word first. Slips and broken rules in that one were looked for before and
    `best` found: only where the look may have been poor there are more turns they may be slips of.
    """
    legal = tuple(legal)
    at_its_word, *others = looks
    if others:
        best = likeliest_slips(root, at_its_word, legal, limit, best)
        for eyes in others:
            bar = best.cost if best else limit
            meant = meant_turns(eyes, root, bar - eyes.extra_cost)
            best = likeliest_slips(root, eyes, [*legal, *meant], limit, best)
    unseen = tuple(card for card in root.cards.contracts if card.id not in at_its_word.sight.taken)
    if unseen:
        bar = best.cost if best else limit
        best = likeliest_slips(root, at_its_word, meant_turns(at_its_word, root, bar, unseen), limit, best)
    return best


def likeliest_slips(
    root: Position,
    eyes: Eyes,
    meant: Iterable[Explanation],
    limit: float,
    best: Suspicion | None = None,
) -> Suspicion | None:
    """The cheapest slips on turns that may have been meant, if they are likelier than `best` and `limit`."""
    for turn in {str(turn.turn): turn for turn in meant}.values():
        best = _with_slips(root, turn, eyes, best.cost if best else limit) or best
    return best


def likeliest_broken_rule(
    root: Position, eyes: Eyes, contradicted: frozenset[str], limit: float, best: Suspicion | None = None
) -> Suspicion | None:
    """The cheapest turn that is legal but for one rule, if it is likelier than `best` and `limit`."""
    for rule in lifted(root, contradicted):
        best = _without_rule(root, rule, eyes, min(limit, best.cost) if best else limit) or best
    return best


def meant_turns(
    eyes: Eyes, root: Position, limit: float, unseen: tuple[Contract, ...] = ()
) -> list[Explanation]:
    """Turns that may have been meant, each once, as long as a slip on them may cost less than `limit`."""
    pool: dict[str, Explanation] = {}
    settings = eyes.sight.settings
    steps = settings.unseen_meant_steps if unseen else settings.meant_steps
    inquiry = eyes.inquiry(root, unseen)
    for cover in COVERS:
        found = inquiry.explain(
            settings.meant_window_cost,
            most=settings.meant_turns,
            give_up_cost=settings.meant_window_cost,
            limit=limit - settings.fault_cost,
            steps=steps,
            covered=cover,
        )
        for turn in found.explanations:
            pool.setdefault(str(turn.turn), turn)
    levels = {step.level for found in pool.values() for step in found.turn.steps if isinstance(step, PlayKey)}
    for other in _other_columns(root, eyes, inquiry, levels):
        found = other.explain(
            most=2,
            give_up_cost=settings.meant_window_cost,
            limit=limit - settings.fault_cost,
            steps=steps,
        )
        for turn in found.explanations:
            pool.setdefault(str(turn.turn), turn)
    return list(pool.values())


def _other_columns(root: Position, eyes: Eyes, inquiry: Inquiry, levels: set[int]) -> Iterator[Inquiry]:
    """The column as it would look had the right diver resurfaced: after none did, or another one.

    A poor look at the column says too little to read a slip from all of it.
    """
    colour, sight = root.player.colour, eyes.sight
    places = tuple(f"{colour}.diver.{n}" for n in range(1, PLACES + 1))
    moved = any(sight.cost(claim) > sight.settings.doubt_cost for claim in column(colour, root.player.divers))
    if eyes.extra_cost or not moved:
        return
    for level in sorted(levels):
        yield inquiry.seeing(eyes.weigher.seeing(_moved(sight, places, resurfaced(places, level))))
        for origin in range(1, PLACES):
            if origin != place_of(level):
                below = (*places[1 : origin + 1], places[0], *places[origin + 1 :])
                yield inquiry.seeing(eyes.weigher.seeing(_moved(sight, places, resurfaced(below, level))))


def _with_slips(root: Position, meant: Explanation, eyes: Eyes, limit: float) -> Suspicion | None:
    """The best slips on one turn, added one by one while each explains more than it costs."""
    settings, sight = eyes.sight.settings, eyes.sight
    table: dict[Place, Claim] = {}
    wrong: dict[str, list[Claim]] = {}
    total = rest = eyes.extra_cost + meant.habits
    for claim in claims(meant.position):
        table[place(claim)] = claim
        cost = eyes.cost(claim)
        total += cost
        if cost > settings.doubt_cost:
            wrong.setdefault(claim[0], []).append(claim)
        else:
            rest += cost
    if not wrong or rest + settings.fault_cost >= limit:
        return None
    played = Played(root, meant.turn, meant.position)
    candidates = [*slips_near(played, wrong), *other_boards(played, sight, wrong)]
    chosen: list[tuple[Slip, dict[Place, Claim]]] = []
    while len(chosen) < MOST_FAULTS:
        further = settings.another_slip_cost if chosen else 0.0
        # One that explains no more than it costs may still be nearly as likely as none.
        best, best_change = None, 0.0 if chosen else limit - total
        for slip in candidates:
            change = settings.fault_cost + further + slip.rarity
            for claim in slip.claims:
                change += eyes.cost(claim) - eyes.cost(table.get(place(claim), claim))
            if change < best_change:
                best, best_change = slip, change
        if best is None:
            break
        total += best_change
        _choose(best, chosen, table)
    if not chosen or total >= limit:
        return _muddle(played, meant, eyes, wrong, limit)
    named = (_name(root, slip, before, sight.reading) for slip, before in chosen)
    return Suspicion(tuple(named), total, meant, tuple(claim for slip, _ in chosen for claim in slip.claims))


def slips_near(played: Played, wrong: Iterable[str]) -> Iterator[Slip]:
    """Every slip on the player's board and the colony that could have to do with what lies wrong."""
    kinds = {slot.split(".")[1] for slot in wrong if slot.split(".")[0] in ("colony", played.colour)}
    for family, spoilt in FAMILIES:
        if spoilt & kinds:
            yield from family(played)


def _muddle(
    played: Played, meant: Explanation, eyes: Eyes, wrong: Mapping[str, Sequence[Claim]], limit: float
) -> Suspicion | None:
    """Hands did something no rule knows: all that could lie as it looks, taken together."""
    settings = eyes.sight.settings
    table = {place(claim): claim for claim in claims(played.after)}
    total = meant.habits + eyes.extra_cost + settings.fault_cost + settings.oddity_cost
    total += sum(map(eyes.cost, table.values()))
    chosen: list[tuple[Slip, dict[Place, Claim]]] = []
    for slip in oddities(played, eyes.sight, wrong):
        spoilt = sum(claim[0] in wrong for claim in slip.claims if table.get(place(claim)) != claim)
        change = spoilt * settings.oddity_slot_cost
        change += sum(eyes.cost(claim) - eyes.cost(table.get(place(claim), claim)) for claim in slip.claims)
        if change < 0.0:
            total += change
            _choose(slip, chosen, table)
    if not chosen or total >= limit:
        return None
    named = (_name(played.before, slip, before, eyes.sight.reading) for slip, before in chosen[:MOST_FAULTS])
    return Suspicion(tuple(named), total, meant)


def _choose(slip: Slip, chosen: list[tuple[Slip, dict[Place, Claim]]], table: dict[Place, Claim]) -> None:
    """Lays a slip on the table, and keeps what lay there."""
    chosen.append((slip, {place(claim): table.get(place(claim), claim) for claim in slip.claims}))
    table.update({place(claim): claim for claim in slip.claims})


def _without_rule(root: Position, rule: Lifted, eyes: Eyes, limit: float) -> Suspicion | None:
    settings, sight = eyes.sight.settings, eyes.sight
    extra = settings.fault_cost + sum(map(sight.cost, rule.instead))
    if extra >= limit:
        return None
    rows = len(rule.position.rules.store)
    weigher = eyes.weigher
    if rule.swapped or rows != len(root.rules.store):
        weigher = Weigher(_swapped(sight, rule.swapped), rows)
    inquiry = Inquiry(rule.position, weigher, work=eyes.work)
    found = inquiry.explain(
        most=1, limit=limit - extra, steps=settings.meant_steps, covered=rule.covered, thrifty=True
    )
    for turn in found.explanations:
        cost = turn.cost + extra + rarity(rule, root, turn)
        if cost < limit and was_needed(root, turn, rule):
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
            return Suspicion((named,), cost)
    return None


def _swapped(sight: Sight, pairs: tuple[tuple[str, str], ...]) -> Sight:
    there = tuple(slot for pair in pairs for slot in pair)
    return _moved(sight, there, tuple(slot for pair in pairs for slot in reversed(pair)))


def _moved(sight: Sight, slots: tuple[str, ...], sources: tuple[str, ...]) -> Sight:
    """The reading with each of `slots`, tiles all, showing what its source showed."""
    return MovedSight(sight, dict(zip(slots, sources, strict=True)))


def _name(root: Position, slip: Slip, before: Mapping[Place, Claim], reading: Reading) -> Fault:
    """The fault in the players' terms: only the slots that look different because of it."""
    changed = [claim for claim in slip.claims if before[place(claim)] != claim]
    slots = tuple(dict.fromkeys(claim[0] for claim in changed))
    player, wanted = root.player.name, ""
    if slip.fault == "other-board-changed":
        player = next(p.name for p in root.players if p.colour == slip.piece)
    if changed:
        label, number = before[place(changed[0])][1:]
        wanted = _wanted(slots[0], changed, before) if number is not None else label or "?"
    seen = seen_in_words(reading, slots[0]) if slots else ""
    if slip.fault in ("score-not-moved", "score-wrong"):
        seen, wanted = str(changed[0][2]), str(before[place(changed[0])][2])
    if slip.fault in ("technician-without-right", "technician-too-far"):
        seen, wanted = str(changed[0][2]), str(before[place(changed[0])][2])
    if slip.fault == "permanent-wrong-level":
        seen, wanted = str(slip.level), slots[0].split(".")[2] if slots else ""
    level = str(slip.level) if slip.level else ""
    return fault(slip.fault, slots, player=player, piece=slip.piece, level=level, seen=seen, wanted=wanted)


def _wanted(slot: str, changed: list[Claim], before: Mapping[Place, Claim]) -> str:
    content = {label: number for (s, label), (_, _, number) in before.items() if s == slot}
    return in_words({str(label): number for label, number in content.items() if number is not None})

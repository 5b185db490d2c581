"""From a belief and a reading to a verdict.

The likeliest legal turn stands when nothing that was clearly seen speaks against it. Otherwise it has to hold against
two turns played with one press, a turn out of turn, and every fault.
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace

from companion.referee import slips
from companion.referee.belief import Belief, fill_in
from companion.referee.deciding import Candidate, Judgement, ask_about, decide
from companion.referee.eyes import Eyes
from companion.referee.facets import MOST_POINTS
from companion.referee.faults import N_, fault
from companion.referee.hypotheses import (
    Suspicion,
    likeliest_broken_rule,
    likeliest_slips,
    meant_turns,
    suspect,
)
from companion.referee.observation import claims, expected, place, tray, zone_level
from companion.referee.restoring import contradicted
from companion.referee.search import Explanation, Inquiry, surprise_cost
from companion.referee.settings import RefereeSettings
from companion.referee.sight import Sight
from companion.referee.stirred import stirred
from companion.referee.verdict import Answer, Fault, Illegal, Played, Unchanged, Unclear
from companion.referee.weighing import Covered
from companion.rules import IllegalStep, Position, Turn
from companion.rules.cards import Contract
from companion.rules.revealing import ways_to_play
from companion.rules.steps import CompleteContract, EndTurn, PlayKey
from vision.reading import Reading

# The facets both players change when two turns are played with one press.
SHARED: Covered = frozenset({"sponsor", "display", "store", "contract", "score"})


def judge(belief: Belief, reading: Reading, settings: RefereeSettings | None = None) -> Judgement:
    """What was played since the belief was formed. Only `Played` and `Unchanged` change the belief."""
    settings = settings or RefereeSettings()
    sight = Sight(belief.steadied(reading), settings, taken=_known_cards(belief.likeliest))
    as_read = sight if sight.reading is reading else Sight(reading, settings)
    judgement = _judge(belief, sight, as_read)
    if isinstance(judgement.verdict, Played):
        return Judgement(judgement.verdict, judgement.belief.accepted(as_read))
    return judgement


def _judge(belief: Belief, sight: Sight, as_read: Sight) -> Judgement:
    root, settings = belief.likeliest, sight.settings
    hidden = _hidden(root, sight)
    if hidden:
        return Judgement(Unclear(hidden, N_("Too much of the boards is hidden.")), belief)
    if root.over is not None:
        return Judgement(Unchanged(), belief)
    eyes = Eyes(sight, len(root.rules.store))
    eyes.work.steps_left = settings.legal_steps
    legal = _legal(belief, eyes)
    still = eyes.weigher.position(root) + settings.unchanged_cost
    # A turn that nothing speaks against is no fault, though one that does not quite fit is a little likelier.
    likely = [turn for turn in legal if turn.cost < min(still, legal[0].cost + settings.clear_cost)]
    if any(_fits(turn.position, root, sight) for turn in likely):
        judgement = decide(legal, sight, belief)
        verdict = judgement.verdict
        if isinstance(verdict, Played) and _may_be_a_slip(verdict, legal, belief, eyes, as_read):
            return ask_about(legal, sight, belief)
        return judgement
    if not contradicted(sight, tuple(claims(root))):
        return Judgement(Unchanged(), belief.looked_at(sight))
    return _doubt(belief, legal, eyes)


def _fits(position: Position, before: Position, sight: Sight) -> bool:
    """Whether nothing clearly seen speaks against a position, the tray of the player who played included."""
    me = position.players[before.to_play]
    coins = (*tray(me.colour, "credit", me.credits), *tray(me.colour, "battery", me.batteries))
    if any(sight.cost(claim) > sight.settings.doubt_cost for claim in coins):
        return False
    return not contradicted(sight, tuple(claims(position)))


def _may_be_a_slip(told: Played, legal: list[Candidate], belief: Belief, eyes: Eyes, as_read: Sight) -> bool:
    """Whether what is in doubt may hide a slip, though nothing that was clearly seen speaks against the turn."""
    sight, (weight, root) = eyes.sight, belief.weighted[0]
    if _cube_left_over(told.position, root, sight) or _newly_in_doubt(told, belief, as_read):
        return True
    limit = legal[0].cost + math.log(weight) + sight.settings.clear_cost
    if limit <= sight.settings.fault_cost or not any(map(sight.doubts, expected(root))):
        return False
    return _slip_as_likely(
        told.position, root, [*meant_turns(eyes, root, limit), *_meant(legal)], eyes, limit
    )


def _cube_left_over(position: Position, before: Position, sight: Sight) -> bool:
    """Whether there is rather a cube more on some level of the player who played than the turn leaves there.

    Vision is not sure of it, so it is no fault; but a cube laid down by mistake on print of its colour looks just so. One
    that was misread in the same way before is as likely as not, and not asked about again.
    """
    me = position.players[before.to_play]
    left = (claim for level, cubes in enumerate(me.zone, 1) for claim in zone_level(me.colour, level, cubes))
    return any(
        sight.cost(claim) > sight.settings.left_over_cost
        and sight.seen(claim[0], str(claim[1])) > (claim[2] or 0)
        for claim in left
    )


def _newly_in_doubt(told: Played, belief: Belief, as_read: Sight) -> bool:
    """Whether the camera has come into doubt, since the last turn, about something that a slip may have changed."""
    if belief.seen is None:
        return False
    turn = slips.Played(belief.likeliest, told.turns[0], told.position)
    return stirred(turn, Sight(belief.seen, as_read.settings), as_read)


def _slip_as_likely(
    told: Position, root: Position, turns: list[Explanation], eyes: Eyes, limit: float
) -> bool:
    """Whether a slip would leave about what is seen, and only slots in doubt tell it from the position that is told."""
    sight = eyes.sight
    slip = likeliest_slips(root, eyes, turns, limit)
    if slip is None or slip.meant is None:
        return False
    left = {place(claim): claim for claim in (*claims(slip.meant.position), *slip.shows)}
    return any(
        claim[1] is not None and claim != left.get(place(claim), claim) and sight.sees(claim[0])
        for claim in claims(told)
    )


def answered(belief: Belief, answer: Answer) -> Belief:
    """What is believed once the players have said which turn it was: what it leaves open stays open."""
    return Belief.among(answer.alike) if answer.alike else belief.with_(answer.position)


def _doubt(belief: Belief, legal: list[Candidate], eyes: Eyes) -> Judgement:
    """Something clearly seen speaks against every legal turn: is it a slip, or were slots misread?"""
    sight, settings, root = eyes.sight, eyes.sight.settings, belief.likeliest
    sharp, poor = eyes.sharp(), eyes.poor()
    gave_up = eyes.work.gave_up
    eyes.work.steps_left = settings.doubt_steps
    most_misread = settings.unexplained_share * sum(map(sight.sees, expected(root)))
    ceiling = settings.poor_look_cost - most_misread * math.log(settings.poor_misread_p)
    still = math.inf
    if not _has_played(root, root.to_play, sight):
        unmoved = (look.weigher.position(root) + look.extra_cost for look in (sharp, poor))
        still = min(unmoved) + settings.unchanged_cost
    clear, clear_cost = legal, _sharpened(legal, eyes, sharp)
    best_cost = min(still, ceiling, clear_cost)
    plain_cost = min(best_cost, settings.poor_look_cost + settings.fault_cost)
    pool, doubt = _meant_and_slipped(root, sharp, _meant(legal), plain_cost, best_cost)
    # Rules broken in plain sight: told before the look is taken for a poor one, they save looking for all it may have misread.
    wrong = _wrong(legal, doubt, root, sight)
    doubt = likeliest_broken_rule(root, sharp, wrong, plain_cost, doubt)
    others = [seat for seat in range(len(root.players)) if seat != root.to_play]
    others = [seat for seat in others if _may_have_played(root, seat, sight)]
    doubt = _out_of_turn(root, others, sharp, min(best_cost, doubt.cost) if doubt else best_cost) or doubt
    looks: tuple[Eyes, ...] = (sharp,)
    if gave_up or doubt is None or doubt.cost >= settings.poor_look_cost + settings.misread_least_cost:
        # Only then may slots have been misread instead.
        looks = (sharp, poor)
        bar = min(ceiling, doubt.cost) if doubt else ceiling
        legal, legal_cost = _likelier(belief, legal, clear_cost, looks, pool, bar)
        best_cost = min(best_cost, legal_cost)
    for look in looks:
        two = _two_turns(root, look, best_cost)
        if two is not None:
            legal, best_cost = [two], two.cost
    nearest = legal[0] if legal else None
    wrong = _wrong(legal, doubt, root, sight)
    if nearest is not None and len(nearest.turns) == 2 and not wrong:
        return decide(legal, sight, belief)
    if doubt is not None and doubt.cost >= best_cost:
        doubt = None
    for look in looks[1:]:
        doubt = _out_of_turn(root, others, look, doubt.cost if doubt else best_cost) or doubt
    doubt = suspect(root, looks, _meant(legal), best_cost, doubt)
    if doubt is not None and clear_cost < doubt.cost + settings.clear_cost:
        return ask_about(clear, sight, belief)
    if doubt is not None:
        # What a fault is a slip of was meant rather than what looks most alike.
        meant = doubt.meant or next(iter(_meant(legal)), None)
        answer = None if meant is None else Answer(meant.turn, fill_in(meant.position, sight), 0.0)
        return Judgement(Illegal(doubt.faults, answer), belief)
    if still <= best_cost:
        return Judgement(Unchanged(), belief.looked_at(sight))
    if nearest is None or len(wrong) > most_misread:
        return Judgement(Unclear(tuple(sorted(wrong)), N_("The boards do not fit together.")), belief)
    if gave_up and len(nearest.turns) == 1:
        # There are turns nobody has looked at: one that slots speak against is not accepted in silence.
        return ask_about(legal, sight, belief)
    judgement = decide(legal, sight, belief)
    if isinstance(judgement.verdict, Played) and len(nearest.turns) == 1:
        limit = best_cost + settings.tie_cost
        if _slip_as_likely(judgement.verdict.position, root, [*pool, *_meant(legal)], sharp, limit):
            return ask_about(legal, sight, belief)
    return judgement


def _meant_and_slipped(
    root: Position, eyes: Eyes, legal: list[Explanation], meant_limit: float, limit: float
) -> tuple[list[Explanation], Suspicion | None]:
    """The turns that may have been meant, and the likeliest slip on them or on legal ones.

    Most slips are common ones, on a turn of which all else fits: they are found among very few turns.
    """
    near = min(eyes.sight.settings.poor_look_cost, meant_limit)
    for bar in (near, meant_limit):
        pool = meant_turns(eyes, root, bar)
        doubt = likeliest_slips(root, eyes, [*pool, *legal], limit if bar == meant_limit else bar)
        if doubt is not None:
            break
    return pool, doubt


def _wrong(
    legal: Sequence[Candidate], doubt: Suspicion | None, root: Position, sight: Sight
) -> frozenset[str]:
    """The slots that do not show what the nearest legal turn, or the one that was meant, leaves there."""
    closest = legal[0].position if legal else doubt.meant.position if doubt and doubt.meant else root
    return frozenset(contradicted(sight, tuple(claims(closest))))


def _meant(legal: Iterable[Candidate]) -> list[Explanation]:
    """The turns of the player to play alone."""
    return [Explanation(c.turns[0], c.position, c.cost, c.habits) for c in legal if len(c.turns) == 1]


def _likelier(
    belief: Belief,
    legal: list[Candidate],
    legal_cost: float,
    looks: tuple[Eyes, Eyes],
    pool: list[Explanation],
    ceiling: float,
) -> tuple[list[Candidate], float]:
    """The legal turns in a good look or those in a poor one, whichever are likelier, and what the best of them costs.

    Turns are weighed against each other by what was seen, against slips by what was clearly seen.
    """
    poor = looks[1]
    found = _legal(belief, poor, ceiling + poor.sight.settings.near_cost)
    found = found or _guessed(belief.likeliest, pool, looks)
    if found and found[0].cost < legal_cost:
        return _apart(found, poor), found[0].cost
    return legal, legal_cost


def _sharpened(legal: list[Candidate], eyes: Eyes, sharp: Eyes) -> float:
    """What the best of some turns costs when the reading is taken at its word."""
    if not legal:
        return math.inf
    best = legal[0].position
    return legal[0].cost + sharp.weigher.position(best) - eyes.weigher.position(best)


def _apart(found: list[Candidate], poor: Eyes) -> list[Candidate]:
    """Turns found in a poor look, weighed against each other: what is misread in all of them cancels."""
    eyes = poor.between_turns()
    weighed = [
        replace(c, cost=c.cost - poor.weigher.position(c.position) + eyes.weigher.position(c.position))
        for c in found
    ]
    return sorted(weighed, key=lambda candidate: candidate.cost)


def _guessed(root: Position, meant: list[Explanation], looks: tuple[Eyes, Eyes]) -> list[Candidate]:
    """Turns found on part of the table, weighed by all of it; the cheapest and those near it."""
    weighed = [
        Candidate.of(
            root,
            turn,
            min(look.weigher.position(turn.position) + look.extra_cost for look in looks) + turn.habits,
        )
        for turn in meant
    ]
    weighed.sort(key=lambda candidate: candidate.cost)
    window = looks[0].sight.settings.window_cost
    return [candidate for candidate in weighed if candidate.cost <= weighed[0].cost + window]


def _legal(belief: Belief, eyes: Eyes, limit: float = math.inf) -> list[Candidate]:
    """Legal turns near the best any key could lead to, from every position believed in, cheapest first."""
    candidates: list[Candidate] = []
    searched: dict[Hashable, tuple[Explanation, ...]] = {}
    best: tuple[Position, tuple[Explanation, ...]] | None = None
    for weight, root in belief.weighted:
        surprise = eyes.extra_cost - math.log(weight)
        same = searched.get(_to_the_player(root))
        if same is not None:
            explanations = _again(root, eyes, same)
        else:
            likely = weight >= eyes.sight.settings.likely_p or root is belief.likeliest
            explanations = (best and _clear_again(root, eyes, *best)) or ()
            if not explanations and (likely or not eyes.extra_cost):
                explanations = _from(root, eyes, limit - surprise, unusual=likely)
            searched[_to_the_player(root)] = explanations
        if explanations:
            best = root, explanations
        for found in explanations:
            cost = found.cost + surprise
            if cost <= limit:
                candidates.append(Candidate.of(root, found, cost))
                limit = min(limit, cost + eyes.sight.settings.window_cost)
    return sorted(candidates, key=lambda candidate: candidate.cost)


def _to_the_player(root: Position) -> Hashable:
    """What the turns of the player to play depend on: not what the others hold, unless they are paid by a Spy."""
    if root.rules.spy_variant:
        others = tuple(player._replace(private=(), track=player.track[:0]) for player in root.players)
    else:
        others = tuple(
            player._replace(private=(), track=player.track[:0], credits=0, batteries=0)
            for player in root.players
        )
    return root.player, others, root.sponsors, root.display, root.store, root.public, root.supply_x


def _clear_again(
    root: Position, eyes: Eyes, other: Position, turns: tuple[Explanation, ...]
) -> tuple[Explanation, ...]:
    """The turns that explained another position believed in, when nothing speaks against the best of them here.

    Such positions differ in coins and cards in a hand: this one has no better turn of its own then. None when it has to be
    searched by itself.
    """
    if _cards(root) != _cards(other) and not all(_known_contracts(found.turn, other) for found in turns):
        return ()
    played = _again(root, eyes, turns)
    clear = played and played[0].cost - played[0].habits < eyes.sight.settings.doubt_cost
    return played if clear else ()


def _cards(root: Position) -> Hashable:
    """Which contracts may be completed: how many cards of a hand nobody has seen is all the same, as long as there are any."""
    private = root.player.private
    return root.public, frozenset(card for card in private if card), None in private


def _again(root: Position, eyes: Eyes, turns: tuple[Explanation, ...]) -> tuple[Explanation, ...]:
    """The turns that explained another position believed in, played from this one, cheapest first."""
    ends: dict[Turn, Iterator[Position]] = {}
    played: list[Explanation] = []
    for found in turns:
        try:
            # A card nobody had shown comes from the hand or from the table, in this order, cheaper first.
            after = next(ends.setdefault(found.turn, ways_to_play(root, (*found.turn.steps, EndTurn()))))
        except (IllegalStep, StopIteration):
            continue
        cost = found.habits + eyes.weigher.position(after)
        played.append(Explanation(found.turn, after, cost, found.habits))
    return tuple(sorted(played, key=lambda found: found.cost))


def _known_contracts(turn: Turn, root: Position) -> bool:
    """Whether every contract of a turn was known before it."""
    cards = (step.card for step in turn.steps if isinstance(step, CompleteContract))
    return all(card in root.public or card in root.player.private for card in cards)


def _from(root: Position, eyes: Eyes, limit: float, unusual: bool = True) -> tuple[Explanation, ...]:
    """Turns from one position: first ordinary ones, then those with a card nobody had shown, then `unusual` ones."""
    settings, inquiry = eyes.sight.settings, eyes.inquiry(root)
    patience, steps = settings.ordinary_cost, settings.search_steps
    if eyes.extra_cost:
        # Misread slots look as if this or that could explain them: what any key could lead to is a poor guide.
        patience, steps = math.inf, settings.poor_steps
    first = inquiry.explain(give_up_cost=patience, limit=limit, steps=steps, thrifty=True)
    ordinary = first.explanations
    if ordinary and ordinary[0].cost <= surprise_cost(root, eyes.sight):
        return ordinary
    # What a poor look has not told among ordinary turns it does not tell among rare ones.
    unseen = _completed(root, eyes.sight) if first.complete or not eyes.extra_cost else ()
    found = list(ordinary)

    def look(
        further: Inquiry, patience: float, steps: int, thrifty: bool = False, most: float = math.inf
    ) -> None:
        near = min([limit, most, *(turn.cost + settings.window_cost for turn in found)])
        turns = further.explain(give_up_cost=patience, limit=near, steps=steps, thrifty=thrifty)
        found.extend(turns.explanations)

    if unseen:
        look(eyes.inquiry(root, unseen), patience, steps, thrifty=True)
    if unusual and not ordinary and patience < settings.near_cost:
        # What costs more than a slip in a poor look is left to those who take the look for a poor one.
        most = settings.poor_look_cost + settings.fault_cost
        look(inquiry, settings.near_cost, settings.meant_steps if found else settings.near_steps, most=most)
        if unseen and not found:
            look(eyes.inquiry(root, unseen), settings.near_cost, settings.near_unseen_steps, most=most)
    found.sort(key=lambda turn: turn.cost)
    return tuple(turn for turn in found if turn.cost <= found[0].cost + settings.window_cost)


def _completed(root: Position, sight: Sight) -> tuple[Contract, ...]:
    """The contracts a card nobody had shown may be, were it completed: the marker has gone as far as their points."""
    me, doubt_cost = root.player, sight.settings.doubt_cost
    gained = max(
        points
        for points in range(MOST_POINTS + 1)
        if not points or sight.cost(("colony.score", me.colour, me.score + points)) <= doubt_cost
    )
    return tuple(
        card for card in root.cards.contracts if card.id not in sight.taken and card.points <= gained
    )


def _two_turns(root: Position, eyes: Eyes, limit: float) -> Candidate | None:
    """Two turns played with one press: the first found on its player's board alone, the second on everything."""
    settings, sight = eyes.sight.settings, eyes.sight
    following = (root.to_play + 1) % len(root.players)
    if not _has_played(root, following, sight) or not _may_have_played(root, root.to_play, sight):
        return None
    first = eyes.inquiry(root).explain(give_up_cost=settings.near_cost, most=8, covered=SHARED)
    best: Candidate | None = None
    for one in first.explanations:
        if one.position.over is not None:
            continue
        bar = best.cost if best else limit
        before = one.habits + settings.two_turns_cost + eyes.extra_cost
        second = eyes.inquiry(fill_in(one.position, sight)).explain(
            most=1,
            give_up_cost=settings.near_cost,
            limit=bar - before,
            steps=settings.meant_steps,
        )
        for two in second.explanations:
            if two.cost + before < bar:
                best = Candidate((one.turn, two.turn), two.position, two.cost + before)
    return best


def _has_played(root: Position, seat: int, sight: Sight) -> bool:
    """Whether a player's keys lie as after a turn: one left its space, and lies on the track or was exchanged."""
    return _kinds_moved(root, seat, sight)["key"] >= 2


def _may_have_played(root: Position, seat: int, sight: Sight) -> bool:
    """The same when one of the two places of the key may be misread: then the column tells of a turn."""
    moved = _kinds_moved(root, seat, sight)
    return moved["key"] >= 2 or (moved["key"] == 1 and moved["diver"] >= 2)


def _kinds_moved(root: Position, seat: int, sight: Sight) -> Counter[str]:
    """How many slots of a player's board lie otherwise, by kind; those of the track and of X keys are counted as keys."""
    moved = contradicted(sight, tuple(_board(root, seat)))
    kinds = (slot.split(".")[1] for slot in moved)
    return Counter("key" if kind in ("track", "x") else kind for kind in kinds)


def _out_of_turn(root: Position, seats: Iterable[int], eyes: Eyes, limit: float) -> Suspicion | None:
    """Somebody else's legal turn explains the boards."""
    best: Suspicion | None = None
    extra = eyes.sight.settings.fault_cost + eyes.extra_cost
    for seat in seats:
        for turn in _from(root._replace(to_play=seat), eyes, limit - extra)[:1]:
            if turn.cost + extra < limit:
                limit = turn.cost + extra
                best = Suspicion((_by_another(root.players[seat].name, root, turn),), limit)
    return best


def _by_another(name: str, root: Position, found: Explanation) -> Fault:
    before, after = expected(root), expected(found.position)
    slots = tuple(s for s in after if before[s] != after[s] and not s.endswith(".tray"))
    played = next(step for step in found.turn.steps if isinstance(step, PlayKey))
    return fault("out-of-turn", slots, player=name, piece=str(played.key), level=str(played.level))


def _hidden(root: Position, sight: Sight) -> tuple[str, ...]:
    """The slots that are missing when too few are in sight to judge a turn."""
    wanted = [slot for slot in expected(root) if slot.split(".")[0] in ("colony", root.player.colour)]
    missing = tuple(slot for slot in wanted if not sight.sees(slot) and not slot.endswith(".tray"))
    return missing if len(missing) > sight.settings.hidden_share * len(wanted) else ()


def _known_cards(root: Position) -> set[str]:
    hands = (card for player in root.players for card in player.private)
    return {card for card in (*root.public, *hands) if card}


def _board(root: Position, seat: int) -> list[tuple[str, str | None, int | None]]:
    colour = root.players[seat].colour
    return [claim for claim in claims(root) if claim[0].split(".")[0] == colour]

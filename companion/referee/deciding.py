"""From the legal turns that explain the boards to a verdict: one stands clear, or the players are asked.

Two turns are the same to the players when the table looks the same after them and as many coins and cards were gained.
Where they differ in any of it, nothing is guessed in silence: a card drawn in secret is missed when it is completed, a
credit when it is spent.
"""

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from companion.referee.belief import Belief, fill_in, ways_to_fill_in
from companion.referee.observation import claims
from companion.referee.search import Explanation
from companion.referee.sight import Sight
from companion.referee.verdict import Answer, Ask, Played, Verdict
from companion.rules import Position, Turn
from companion.rules.steps import CompleteContract, Dive, PlayKey, Sell

Gains = tuple[int, int, int]  # of credits, batteries and cards of the hand


@dataclass(frozen=True)
class Judgement:
    """A verdict, and what to believe if it is accepted."""

    verdict: Verdict
    belief: Belief


@dataclass(frozen=True)
class Candidate:
    """One or two turns that explain the boards."""

    turns: tuple[Turn, ...]
    position: Position
    cost: float
    habits: float = 0.0
    gains: Gains = (0, 0, 0)  # what the player has more of than before, or less

    @classmethod
    def of(cls, root: Position, found: Explanation, cost: float) -> "Candidate":
        was, now = root.player, found.position.players[root.to_play]
        gains = (
            now.credits - was.credits,
            now.batteries - was.batteries,
            len(now.private) - len(was.private),
        )
        return cls((found.turn,), found.position, cost, found.habits, gains)


@dataclass(frozen=True)
class _Outcome:
    """What looks the same to the players, with its share of all that is likely; likeliest turn first."""

    share: float
    weighted: tuple[tuple[float, Candidate], ...]

    @property
    def likeliest(self) -> Candidate:
        return self.weighted[0][1]


def decide(legal: Sequence[Candidate], sight: Sight, belief: Belief) -> Judgement:
    """Played, or a question when explanations remain that differ in what matters."""
    ranked, before = _outcomes(legal, sight), belief.likeliest
    still_open, turns = _still_open(ranked, sight), ranked[0].likeliest.turns
    if len(turns) == 1 and (len(still_open) > 1 or _is_far_fetched(turns[0], sight)):
        return Judgement(_ask(still_open, before, sight), belief)
    seen = [
        (weight * share, candidate, position)
        for outcome in ranked
        for weight, candidate in outcome.weighted
        for share, position in _as_seen(candidate.position, before, sight)
    ]
    after = Belief.among(((weight, position) for weight, _, position in seen), sight.settings)
    # Several turns may lead to the likeliest position, each of them less likely than one that leads elsewhere.
    leading = [(weight, candidate) for weight, candidate, position in seen if position == after.likeliest]
    _, told = max(leading, key=lambda one: one[0])
    return Judgement(Played(told.turns, after.likeliest, ranked[0].share), after)


def _is_far_fetched(turn: Turn, sight: Sight) -> bool:
    """Whether a turn completes a card nobody had seen, and the diver does nothing in it.

    Of all the cards that were not seen some one suits many a table that a slip has left; but who completes one plays an
    ordinary turn else.
    """
    unseen = any(isinstance(step, CompleteContract) and step.card not in sight.taken for step in turn.steps)
    return unseen and any(isinstance(step, Dive) and step.effect is None for step in turn.steps)


def ask_about(legal: Sequence[Candidate], sight: Sight, belief: Belief) -> Judgement:
    """A question, though it may be that none of the turns was played: that is for the players to say."""
    still_open = _still_open(_outcomes(legal, sight), sight)
    return Judgement(_ask(still_open, belief.likeliest, sight), belief)


def _outcomes(legal: Sequence[Candidate], sight: Sight) -> list[_Outcome]:
    """The turns by what looks the same to the players, likeliest first."""
    best = legal[0].cost
    weights = [math.exp(best - candidate.cost) for candidate in legal]
    total = sum(weights)
    alike: dict[Hashable, list[tuple[float, Candidate]]] = {}
    for weight, candidate in zip(weights, legal, strict=True):
        look = _look(fill_in(candidate.position, sight)), candidate.gains
        alike.setdefault(look, []).append((weight / total, candidate))
    outcomes = [_Outcome(sum(weight for weight, _ in group), tuple(group)) for group in alike.values()]
    return sorted(outcomes, key=lambda outcome: -outcome.share)


def _still_open(ranked: list[_Outcome], sight: Sight) -> list[_Outcome]:
    near = math.exp(sight.settings.clear_cost)
    return [outcome for outcome in ranked if outcome.share * near >= ranked[0].share]


def _as_seen(position: Position, before: Position, sight: Sight) -> list[tuple[float, Position]]:
    """A position with what was drawn filled in from what lies there, by all that it may be.

    A token that looks just like the one it replaces is rare, and so is a camera that did not notice the change: what it
    is stays open until the next look, and until then it is taken for the one it looks like.
    """
    ways: list[tuple[float, Position]] = []
    for share, filled in ways_to_fill_in(position, sight):
        sure = filled._replace(
            display=tuple(
                (_noticed(was[0], now[0], seen[0]), _noticed(was[1], now[1], seen[1]))
                for was, now, seen in zip(before.display, position.display, filled.display, strict=True)
            ),
        )
        ways += [(share, filled)] if sure == filled else [(share / 2, filled), (share / 2, sure)]
    return ways


def _noticed(was: str | None, now: str | None, seen: str | None) -> str | None:
    return None if now is None and seen == was else seen


def _ask(outcomes: Sequence[_Outcome], before: Position, sight: Sight) -> Ask:
    """The likeliest answers, as many as fit on the screen, where there is also a way to say that it was none of them."""
    answers = tuple(_answer(outcome, before, sight) for outcome in outcomes[: sight.settings.answers])
    return Ask(_about([answer.turn for answer in answers]), answers)


def _answer(outcome: _Outcome, before: Position, sight: Sight) -> Answer:
    alike = tuple(
        (weight * share, position)
        for weight, candidate in outcome.weighted
        for share, position in _as_seen(candidate.position, before, sight)
    )
    _, position = max(_as_seen(outcome.likeliest.position, before, sight), key=lambda way: way[0])
    return Answer(outcome.likeliest.turns[0], position, outcome.share, alike)


def _about(turns: Iterable[Turn]) -> str:
    """What the answers differ in, in one word."""
    stories = [frozenset(turn.steps) for turn in turns]
    apart = {step for story in stories for step in story if not all(step in other for other in stories)}
    if apart and all(isinstance(step, Dive) and isinstance(step.effect, Sell) for step in apart):
        return "sale"
    if any(isinstance(step, CompleteContract) for step in apart):
        return "contract"
    if any(isinstance(step, PlayKey) for step in apart):
        return "key"
    return "turn"


def _look(position: Position) -> Hashable:
    """What the table looks like, trays and hands left out, and known cards of a hand."""
    hands = tuple(tuple(sorted(card for card in p.private if card)) for p in position.players)
    return frozenset(claim for claim in claims(position) if not claim[0].endswith(".tray")), hands

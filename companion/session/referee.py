"""The referee of the house, as the session asks it."""

from companion.referee import (
    Answer,
    Belief,
    Misplaced,
    Verdict,
    answered,
    as_it_lies,
    judge,
    likely_start,
    misplaced,
)
from companion.rules import Cards, Position, Rules
from companion.state import Seat
from vision.reading import Reading


class HouseReferee:
    """companion.referee with its own settings; see `companion.session.Referee` for what each answer means."""

    def judge(self, belief: Belief, reading: Reading) -> tuple[Verdict, Belief]:
        judgement = judge(belief, reading)
        return judgement.verdict, judgement.belief

    def answered(self, belief: Belief, answer: Answer) -> Belief:
        return answered(belief, answer)

    def as_it_lies(self, belief: Belief, reading: Reading) -> Position:
        return as_it_lies(belief, reading)

    def misplaced(self, position: Position, reading: Reading) -> tuple[Misplaced, ...]:
        return misplaced(position, reading)

    def read_start(
        self, reading: Reading, seats: tuple[Seat, ...], first: int, rules: Rules, cards: Cards
    ) -> tuple[Position, tuple[Misplaced, ...]]:
        return likely_start(reading, seats, rules, cards, first)

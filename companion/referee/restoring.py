"""Pieces that do not stand where they belong, after a knock, an undo or a resume."""

from dataclasses import dataclass

from companion.referee.observation import Claim, claims, expected, in_words
from companion.referee.settings import RefereeSettings
from companion.referee.sight import Sight
from companion.rules import Position
from vision.reading import Reading


@dataclass(frozen=True)
class Misplaced:
    """A piece that does not stand where it belongs: the slot, what lies there, what should."""

    slot: str
    seen: str
    wanted: str


def misplaced(
    position: Position, reading: Reading, settings: RefereeSettings | None = None
) -> tuple[Misplaced, ...]:
    """Every slot that clearly shows something else than it should, in table order.

    Trays are left out: credits and batteries may be held in the hand.
    """
    sight = Sight(reading, settings or RefereeSettings())
    wrong = contradicted(sight, tuple(claims(position)))
    wanted = expected(position)
    return tuple(Misplaced(slot, seen_in_words(reading, slot), in_words(wanted[slot])) for slot in wrong)


def contradicted(sight: Sight, claimed: tuple[Claim, ...]) -> tuple[str, ...]:
    """The slots, each once and in order, of which a claim is clearly not what was seen."""
    wrong = (
        claim[0]
        for claim in claimed
        if not claim[0].endswith(".tray") and sight.cost(claim) > sight.settings.doubt_cost
    )
    return tuple(dict.fromkeys(wrong))


def seen_in_words(reading: Reading, slot: str) -> str:
    """What the camera takes a slot to show, "?" when it is hidden."""
    return in_words(reading.best(slot))

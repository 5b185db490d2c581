"""Turns with cards that lay face down for us: a contract that is completed shows what an unknown card was."""

from collections.abc import Iterable, Iterator, Sequence

from companion.rules.position import Position
from companion.rules.settings import DRAWN
from companion.rules.steps import CompleteContract, Step


def play_revealing(position: Position, steps: Iterable[Step]) -> Position:
    """The position after some steps, contracts completed with cards nobody had shown before included.

    A card that may have come from the hand or from the table is taken for one of the hand.
    """
    for step in steps:
        position = next(_played(position, step), position)
    return position


def ways_to_play(position: Position, steps: Sequence[Step]) -> Iterator[Position]:
    """Where some steps may lead: a card nobody had shown may have come from the hand or from the table."""
    if not steps:
        yield position
        return
    for after in _played(position, steps[0]):
        yield from ways_to_play(after, steps[1:])


def revealed(position: Position, card: str) -> Iterator[tuple[Position, int]]:
    """The position with an unknown card turning out to be `card`, and of how many cards that one was chosen.

    First one of the hand, then one of the table. Completed at once, the two leave the same table and differ in the hand.
    """
    private = position.player.private
    if None in private:
        yield position.with_player(position.to_play, private=_shown(private, card)), DRAWN
    if None in position.public:
        yield position._replace(public=_shown(position.public, card)), 1


def _played(position: Position, step: Step) -> Iterator[Position]:
    if isinstance(step, CompleteContract) and not _is_known(position, step.card):
        ways = [shown for shown, _ in revealed(position, step.card)]
        for shown in ways or [position]:
            yield shown.play(step)
    else:
        yield position.play(step)


def _is_known(position: Position, card: str) -> bool:
    return card in position.public or card in position.player.private


def _shown(cards: tuple[str | None, ...], card: str) -> tuple[str | None, ...]:
    place = cards.index(None)
    return (*cards[:place], card, *cards[place + 1 :])

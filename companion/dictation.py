"""A turn told to the companion tap by tap, as somebody enters it who has the table before their eyes."""

from collections.abc import Iterator
from dataclasses import replace

from companion import actions
from companion.messages import Tapped
from companion.rules import EndTurn, Position, Step, Turn
from companion.rules.steps import CompleteContract, Dive, Draw, Explore, UseReward, UseSponsor
from companion.session.placing import reveal_in_turn

Piece = tuple[str, str]  # slot, label


def dictate(believed: Position, before: Position, turn: Turn) -> tuple[Tapped, ...]:
    """The taps that enter a turn, played from `before`, into a game that is believed to stand at `believed`.

    Cards and tokens nobody has shown yet are told as soon as the screen asks for them, a card of one's own when it is
    completed. Raises ValueError when the rules do not allow the turn from what is believed.
    """
    taps = [Tapped(actions.ENTER_TURN)]
    partial, truth = believed, before
    for step in turn.steps:
        for slot, label in (*_laid_out(partial, truth), *_own_card(partial, step)):
            partial = reveal_in_turn(partial, slot, label)
            taps.append(Tapped(actions.PLACE, (slot, label)))
        chosen, choices = _as_offered(step), partial.steps()
        if chosen not in choices:
            raise ValueError(f"{step} of {turn} cannot be entered in {partial}")
        taps.append(Tapped(actions.CHOOSE_STEP, choices.index(chosen)))
        partial, truth = partial.play(chosen), truth.play(step)
    taps += (Tapped(actions.PLACE, piece) for piece in _laid_out(partial, truth))
    if EndTurn() not in partial.steps():
        raise ValueError(f"{turn} is not complete in {partial}")
    return (*taps, Tapped(actions.ENTERED))


def _laid_out(partial: Position, truth: Position) -> Iterator[Piece]:
    """Face-up cards and tokens that the companion does not know and everybody at the table sees."""
    for space, (known, card) in enumerate(zip(partial.public, truth.public, strict=True), 1):
        if known is None and card and card not in partial.public:
            yield f"colony.contract.{space}", card
    for level, (pair, true_pair) in enumerate(zip(partial.display, truth.display, strict=True), 1):
        for which, (known, token) in enumerate(zip(pair, true_pair, strict=True), 1):
            if known is None and token:
                yield f"colony.display.{level}.{which}", token


def _own_card(partial: Position, step: Step) -> Iterator[Piece]:
    """The card of a contract that comes from the hand, where nobody has seen it."""
    player = partial.player
    if (
        isinstance(step, CompleteContract)
        and None in player.private
        and step.card not in (*partial.public, *player.private)
    ):
        yield f"{player.colour}.private.{player.private.index(None) + 1}", step.card


def _as_offered(step: Step) -> Step:
    """A step without the card that was drawn: it is private, and the screen does not ask for it."""
    match step:
        case Dive(Draw()):
            return replace(step, effect=Draw(None))
        case Dive(Explore(_, Draw()) as effect):
            return replace(step, effect=replace(effect, front=Draw(None)))
        case UseSponsor(UseReward(_, _, Draw()) as effect):
            return UseSponsor(replace(effect, front=Draw(None)))
    return step

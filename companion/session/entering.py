"""A turn entered by touch, step by step, each choice one that the rules allow."""

from companion.notices import notice
from companion.referee import Belief, Played
from companion.rules import Position, Turn
from companion.rules.steps import EndTurn
from companion.session import correcting
from companion.session.evening import Evening
from companion.session.placing import reveal_in_turn
from companion.session.turnover import confirmed
from companion.state import Asking, Entering, Faulted, Hidden, Playing

NO_CAMERA = "no-camera"
BY_HAND = "by-hand"
CORRECTING = "correcting"


def begin(evening: Evening, why: str) -> None:
    """Opens the screen for the player to play.

    After a question, a fault or a poor look the table was read with the turn on it; from any other screen it may not lie
    there yet.
    """
    if not isinstance(evening.mode, Asking | Faulted | Hidden):
        evening.reading = None
    evening.partials = [evening.position]
    evening.show(_screen(evening, why, None))


def begin_correcting(evening: Evening, number: int, before: Position) -> None:
    """Opens the screen over the history, for a turn that was played earlier."""
    evening.partials = [before]
    evening.put_over(_screen(evening, CORRECTING, number))


def pressed(evening: Evening) -> None:
    """The button of the player to play: opens the screen, and ends the turn once nothing more has to be chosen."""
    mode = evening.mode
    if not isinstance(mode, Entering):
        begin(evening, NO_CAMERA)
    elif mode.complete:
        entered(evening)


def choose(evening: Evening, index: int) -> None:
    mode = _mode(evening)
    if not 0 <= index < len(mode.choices):
        raise ValueError(f"there is no choice {index}")
    step = mode.choices[index]
    if step == EndTurn():
        entered(evening)
        return
    evening.partials.append(mode.partial.play(step))
    evening.change(_screen(evening, mode.why, mode.correcting))


def step_back(evening: Evening) -> None:
    mode = _mode(evening)
    if len(evening.partials) > 1:
        evening.partials.pop()
    evening.change(_screen(evening, mode.why, mode.correcting))


def entered(evening: Evening) -> None:
    """The turn is complete: it is played, or takes the place of the one that is corrected."""
    mode = _mode(evening)
    if not mode.complete or mode.partial.progress is None:
        raise ValueError("the turn is not complete: a key and a diver are needed")
    turn, after = Turn(mode.partial.progress.steps), mode.partial.play(EndTurn())
    if mode.correcting is not None:
        correcting.corrected(evening, mode.correcting, turn, after)
        return
    before, belief = evening.position, Belief.of(after)
    if evening.reading is not None:
        belief = belief.accepted(evening.reading)
        evening.boards_lie(evening.reading)
    evening.confirm("played", (turn,), belief, evening.reading)
    confirmed(evening, before, Played((turn,), after, 1.0), seen=False)


def cancel(evening: Evening) -> None:
    mode = _mode(evening)
    evening.partials = []
    if mode.correcting is not None:
        evening.go_back()
    else:
        evening.show(Playing())


def place(evening: Evening, slot: str, label: str | None) -> None:
    """A card or token turned up in the middle of the turn."""
    mode = _mode(evening)
    evening.partials[-1] = reveal_in_turn(mode.partial, slot, label)
    evening.change(_screen(evening, mode.why, mode.correcting))


def camera_back(evening: Evening) -> None:
    """Back to the table, unless somebody is in the middle of telling a turn."""
    mode = evening.mode
    if isinstance(mode, Entering) and mode.why == NO_CAMERA and len(evening.partials) <= 1:
        evening.partials = []
        evening.show(Playing())
    evening.say(notice("camera-back"))


def _mode(evening: Evening) -> Entering:
    if not isinstance(evening.mode, Entering):
        raise ValueError("no turn is being entered")
    return evening.mode


def _screen(evening: Evening, why: str, correcting: int | None) -> Entering:
    partial = evening.partials[-1]
    choices = partial.steps()
    return Entering(partial, choices, correcting, why, EndTurn() in choices)

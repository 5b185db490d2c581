"""The table does not show the position we believe: what belongs where, shrinking as it is put back."""

from typing import Final

from companion import actions
from companion.state import Restoring, State
from companion.view.boards import drawings, misplaced_words, piece_state
from companion.view.box import Box
from companion.view.language import N_
from companion.view.parts import bar, voice
from companion.view.screens import Choice, RestoringScreen

_WHY: Final = {
    "undo": N_("A turn was taken back: please put the pieces back."),
    "resume": N_("The game goes on: please put the pieces as they stood."),
    "knock": N_("A board was knocked: please put the pieces back."),
    "overruled": N_("Please lay the table as it should be."),
}


def draw(state: State, box: Box) -> RestoringScreen:
    """Needs `Restoring` and a game."""
    assert isinstance(state.mode, Restoring) and state.game is not None
    say, position, mode = voice(state), state.game.position, state.mode
    count = len(mode.misplaced)
    return RestoringScreen(
        bar(
            state,
            say("Put it back"),
            say.many("{n} piece left", "{n} pieces left", count) if count else "",
            back=None,
        ),
        say(_WHY[mode.why]),
        drawings(say, position, box, mode.misplaced),
        tuple((piece_state(piece), misplaced_words(say, position, piece)) for piece in mode.misplaced),
        say("Everything stands as it should."),
        (
            Choice(say("Redo"), actions.REDO, icon="redo", enabled=bool(state.game.undone)),
            Choice(
                say("It stands right"), actions.RESTORED, icon="check", tone="plain" if count else "strong"
            ),
        ),
    )

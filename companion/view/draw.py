"""State in, Screen out."""

from typing import Final

from companion.state import (
    Asking,
    Calibrating,
    ChoosingSettings,
    Entering,
    Faulted,
    Hidden,
    History,
    Over,
    PastGames,
    Playing,
    Restoring,
    SettingUp,
    State,
    Welcome,
)
from companion.view import (
    calibration,
    entering,
    fault,
    history,
    past,
    podium,
    question,
    restoring,
    settings,
    setup,
    table,
    verdict,
    welcome,
)
from companion.view.box import Box
from companion.view.screens import Screen

NO_BOX: Final = Box()


def draw(state: State, box: Box = NO_BOX) -> Screen:
    """The screen of a state. Without a box, boards are drawn as the rulebook shows them and pictures bear no marks."""
    match state.mode:
        case Welcome():
            return welcome.draw(state, box)
        case SettingUp():
            return setup.draw(state, box)
        case Playing(verdict=None):
            return table.draw(state, box)
        case Playing():
            return verdict.draw(state, box)
        case Asking():
            return question.draw(state, box)
        case Faulted() | Hidden():
            return fault.draw(state, box)
        case Restoring():
            return restoring.draw(state, box)
        case Entering():
            return entering.draw(state, box)
        case Over():
            return podium.draw(state, box)
        case History():
            return history.draw(state, box)
        case PastGames():
            return past.draw(state, box)
        case ChoosingSettings():
            return settings.draw(state, box)
        case Calibrating():
            return calibration.draw(state, box)

"""Teaching the camera stand and the pack, as far as the guide has come."""

from typing import Any

from companion import actions
from companion.state import Calibrating, State
from companion.view.box import Box
from companion.view.language import Say
from companion.view.marks import picture
from companion.view.parts import bar, voice
from companion.view.screens import CalibrationScreen, CalibrationStep, Choice


def draw(state: State, box: Box) -> CalibrationScreen:
    """Needs `Calibrating`. The guide's value is read by its plain attributes; what it does not have is not shown."""
    assert isinstance(state.mode, Calibrating)
    say, guide = voice(state), state.mode.progress
    return CalibrationScreen(
        bar(state, say("Calibration")),
        say(str(getattr(guide, "headline", "") or "Put the camera over the table")),
        say(
            str(
                getattr(guide, "detail", "")
                or "The colony board and all player boards should be in the picture."
            )
        ),
        tuple(_steps(say, guide)),
        tuple((say(str(name)), str(value), str(tone)) for name, value, tone in getattr(guide, "figures", ())),
        picture(state, box, (), "good", close=False),
        tuple(_choices(say, guide)),
    )


def _steps(say: Say, guide: Any) -> list[CalibrationStep]:
    names = tuple(getattr(guide, "steps", ()))
    now = int(getattr(guide, "at", 0))
    return [
        CalibrationStep(say(str(name)), "done" if at < now else "now" if at == now else "later")
        for at, name in enumerate(names)
    ]


def _choices(say: Say, guide: Any) -> list[Choice]:
    offered = tuple(getattr(guide, "choices", ()))
    if not offered:
        return [Choice(say("Take a picture"), actions.CALIBRATION, "shoot", "camera", "strong")]
    return [
        Choice(
            say(str(text)), actions.CALIBRATION, value, tone="strong" if at == len(offered) - 1 else "plain"
        )
        for at, (text, value) in enumerate(offered)
    ]

"""Teaching the camera stand and the pack, as far as the guide has come."""

from typing import Any, Final

from companion import actions
from companion.state import Calibrating, State
from companion.view.box import Box
from companion.view.language import N_, Say
from companion.view.parts import bar, voice
from companion.view.screens import CalibrationScreen, CalibrationStep, Choice, Mark, Picture
from companion.view.templates import say_filled

# What calibration.guide and calibration.advice say, most special first.
TEMPLATES: Final = (
    N_("Put the camera over the table"),
    N_("Tap the {corner} corner of the {board} board"),
    N_("All corners are set"),
    N_("Drag what does not lie on its print"),
    N_("Lay out the pieces: photograph {n} of {count}"),
    N_("All pieces have been shown"),
    N_("Look whether every label is right"),
    N_("Bare boards, all in the picture. Take a picture when it is sharp."),
    N_("The corner as the board itself is read. The tap jumps to the nearest corner."),
    N_("Each frame belongs on its printed space. One slot moves alone, two fingers move the board's."),
    N_("The companion learns them now."),
    N_("Move a few pieces and look again. What is wrong can be taught once more."),
    N_("In rows, left to right: {pieces}"),
    N_("too dark: turn on a lamp, or expose longer"),
    N_("{share} of the picture is burnt out: expose less, or move the lamp so that it is not mirrored"),
    N_("the picture cuts off {what}: raise the camera, or move the boards towards the middle"),
    N_("top left"),
    N_("top right"),
    N_("bottom right"),
    N_("bottom left"),
    N_("colony"),
    N_("red"),
    N_("blue"),
    N_("green"),
    N_("yellow"),
    N_("Camera"),
    N_("Boards"),
    N_("Layout"),
    N_("Pieces"),
    N_("Check"),
    N_("Scale"),
    N_("Frame"),
    N_("Sharpness"),
    N_("Light"),
    N_("Glare"),
    N_("Back"),
    N_("Next"),
    N_("Done"),
    N_("Take a picture"),
)
_FIRST: Final = "Put the camera over the table"
_FIRST_DETAIL: Final = "Bare boards, all in the picture. Take a picture when it is sharp."
_TONES: Final = ("good", "warn", "fault")


def draw(state: State, box: Box) -> CalibrationScreen:
    """Needs `Calibrating`. The guide's value is read by its plain attributes; what it does not have is not shown."""
    assert isinstance(state.mode, Calibrating)
    say, guide = voice(state), state.mode.progress

    def said(text: object) -> str:
        return say_filled(say, str(text), TEMPLATES)

    return CalibrationScreen(
        bar(state, say("Calibration")),
        said(getattr(guide, "headline", _FIRST)),
        said(getattr(guide, "detail", _FIRST_DETAIL)),
        tuple(_steps(say, guide)),
        tuple((said(name), str(value), str(tone)) for name, value, tone in getattr(guide, "figures", ())),
        Picture(state.picture, tuple(_marks(guide))) if state.picture else None,
        tuple(_choices(say, guide)),
    )


def _steps(say: Say, guide: Any) -> list[CalibrationStep]:
    now = int(getattr(guide, "at", 0))
    return [
        CalibrationStep(
            say_filled(say, str(name), TEMPLATES), "done" if at < now else "now" if at == now else "later"
        )
        for at, name in enumerate(getattr(guide, "steps", ()))
    ]


def _marks(guide: Any) -> list[Mark]:
    return [
        Mark(tuple(mark.points_px), "", mark.tone if mark.tone in _TONES else "good")
        for mark in getattr(guide, "marks", ())
        if len(mark.points_px) > 1
    ]


def _choices(say: Say, guide: Any) -> list[Choice]:
    offered = tuple(getattr(guide, "choices", (("Take a picture", "shoot"),)))
    return [
        Choice(
            say_filled(say, str(text), TEMPLATES),
            actions.CALIBRATION,
            value,
            "camera" if value == "shoot" else "",
            "strong" if value != "back" else "plain",
        )
        for text, value in offered
    ]

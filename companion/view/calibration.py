"""Teaching the camera stand and the pack, as far as the guide has come."""

from typing import Any, Final

from companion import actions
from companion.state import Calibrating, State
from companion.view.box import Box
from companion.view.language import N_, Say
from companion.view.parts import bar, voice
from companion.view.screens import CalibrationScreen, CalibrationStep, Choice, Mark, Picture
from companion.view.templates import say_filled
from companion.view.whys import WHYS
from companion.view.words import label_words

# What calibration.guide and calibration.advice say, most special first.
TEMPLATES: Final = (
    N_("Put the camera over the table"),
    N_("Tap the {corner} corner of the {board} board"),
    N_("All corners are set"),
    N_("Drag what does not lie on its print"),
    N_("Lay out the pieces: photograph {n} of {count}"),
    N_("All pieces have been shown"),
    N_("The companion learns the pieces"),
    N_("Look whether every label is right"),
    N_("Bare boards, all in the picture. Take a picture when it is sharp."),
    N_("The corner as the board itself is read. After the fourth the outline jumps onto its edges."),
    N_("Every outline should lie on the edge of its board."),
    N_("Tap a board to see it large. If every frame lies on its print, go on."),
    N_("Pull a frame onto its print; its corner changes the size."),
    N_("Beside all frames, the whole board moves."),
    N_("The companion learns them now."),
    N_("This takes about a minute."),
    N_("Now: {what}."),
    N_("Lay on each marked place what is written there; all other places stay bare."),
    N_("Tap a board to see it large, and again to see it larger."),
    N_("On the bare table without boards, in rows, a finger apart."),
    N_("In rows, left to right: {pieces}"),
    N_("Move a few pieces and look again. What is wrong can be taught once more."),
    N_("{piece}: was never shown."),
    N_("{piece}: {first} and {second} look much alike: show both again, sharper."),
    N_("these corners do not go round clockwise; tap them again from the board's own top left"),
    N_("this is not the shape of the board; begin with the corner that is top left as the board is read"),
    N_(
        "{count} pieces should lie there, {n} can be told apart: "
        "lay them a finger apart on a plain cloth and take the picture again"
    ),
    N_("too dark: turn on a lamp, or expose longer."),
    N_("{share} of the picture is burnt out: expose less, or move the lamp so that it is not mirrored."),
    N_("the picture cuts off {what}: raise the camera, or move the boards towards the middle."),
    N_(
        "the camera is too high for the {pieces}: {have} pixels per millimetre, {need} are needed: "
        "lower it to about {share} of its height, or take pictures of a higher resolution."
    ),
    N_(
        "out of focus: edges are {width} pixels wide, {limit} is the limit: "
        "focus the camera on the boards, clean the lens, and let the stand come to rest."
    ),
    N_("{n} mm per pixel"),
    N_("{n} cut off"),
    N_("tiles"),
    N_("cubes"),
    N_("photographs"),
    N_("boards"),
    N_("finding the boards"),
    N_("the bare boards, from all photographs together"),
    N_("the pieces could not be learnt; take the pictures again"),
    N_("{place}: a pack of this name has come up meanwhile; rename it and teach again"),
    N_("lens: photograph {n} of {count}"),
    N_("tile {pieces}"),
    N_("track {pieces}"),
    N_("cubes {pieces}"),
    N_("count {pieces}"),
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
    N_("Boards found"),
    N_("Slots read"),
    N_("Doubtful"),
    N_("Hidden"),
    N_("Back"),
    N_("Next"),
    N_("Done"),
    N_("Look again"),
    N_("Teach again"),
    N_("Whole table"),
    N_("Take a picture"),
)
_IN_ROWS: Final = "In rows, left to right: "
_FIRST: Final = "Put the camera over the table"
_FIRST_DETAIL: Final = "Bare boards, all in the picture. Take a picture when it is sharp."
_PIECES: Final = 3  # the step from which on marks are places with something on them
_TONES: Final = ("good", "warn", "fault")


def draw(state: State, box: Box) -> CalibrationScreen:
    """Needs `Calibrating`. The guide's value is read by its plain attributes; what it does not have is not shown."""
    assert isinstance(state.mode, Calibrating)
    say, guide = voice(state), state.mode.progress

    def said(text: object) -> str:
        head, listed, labels = str(text).partition(_IN_ROWS)
        if listed and not head:
            return say(
                _IN_ROWS + "{pieces}",
                pieces=", ".join(label_words(say, label) for label in labels.split(", ")),
            )
        return say_filled(say, str(text), (*TEMPLATES, *WHYS))

    return CalibrationScreen(
        bar(state, say("Calibration")),
        said(getattr(guide, "headline", _FIRST)),
        " ".join(_sentence(said(text)) for text in getattr(guide, "sentences", (_FIRST_DETAIL,))),
        tuple(_steps(say, guide)),
        tuple((said(name), said(value), str(tone)) for name, value, tone in getattr(guide, "figures", ())),
        _picture(say, state, guide),
        tuple(_choices(say, guide)),
        getattr(guide, "touch", ""),
    )


def _sentence(text: str) -> str:
    """Advice and complaints begin small, as errors do; on a screen they are sentences."""
    return text[:1].upper() + text[1:]


def _picture(say: Say, state: State, guide: Any) -> Picture | None:
    """The guide's own picture; before it has one, the last that was seen."""
    jpeg = getattr(guide, "picture", None) or state.picture
    return Picture(jpeg, tuple(_marks(say, guide)), getattr(guide, "crop_px", None)) if jpeg else None


def _steps(say: Say, guide: Any) -> list[CalibrationStep]:
    now = int(getattr(guide, "at", 0))
    return [
        CalibrationStep(
            say_filled(say, str(name), TEMPLATES), "done" if at < now else "now" if at == now else "later"
        )
        for at, name in enumerate(getattr(guide, "steps", ()))
    ]


def _marks(say: Say, guide: Any) -> list[Mark]:
    """Outlines; what is to lie in a place is written over it, in the players' words or, where they are too long, the
    pack's.
    """
    written = getattr(guide, "at", 0) >= _PIECES
    return [
        Mark(
            tuple(mark.points_px),
            _breakable(label_words(say, mark.words)) if written else "",
            _breakable(mark.words) if written else "",
            mark.tone if mark.tone in _TONES else "good",
        )
        for mark in getattr(guide, "marks", ())
    ]


def _breakable(words: str) -> str:
    """A label may go over several lines where its parts meet: the places of tokens are small."""
    return words.replace("|", "| ").replace(":", ": ")


def _choices(say: Say, guide: Any) -> list[Choice]:
    offered = tuple(getattr(guide, "choices", (("Take a picture", "shoot"),)))
    return [
        Choice(
            say_filled(say, str(text), TEMPLATES),
            actions.CALIBRATION,
            value,
            "camera" if value in ("shoot", "look") else "",
            "strong" if value in ("shoot", "next", "done") else "plain",
        )
        for text, value in offered
    ]

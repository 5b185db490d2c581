"""Why something could not be: sentences of rooms that know no language, said in the players'.

Cameras, the journal and the session complain in plain English. Each complaint that can reach a screen is listed here
with places for what fills it; one that nobody foresaw is left to the log rather than shown in a foreign language.
"""

from typing import Final

from companion.rules import Position, Turn
from companion.view.language import N_, Say
from companion.view.templates import find_filled
from companion.view.words import sentence

_CAMERA: Final = (
    N_("The {name} camera is not open."),
    N_("The {name} camera did not start."),
    N_("The {name} camera gave no picture within {seconds} s."),
    N_("The {name} camera gave no picture in time. If this goes on, check its ribbon cable."),
    N_("The {name} camera has been silent for {seconds} s; it is started again."),
    N_(
        "The {name} camera did not start within {seconds} s; it is tried again. "
        "If this goes on, switch the Raspberry Pi off and check the camera's cable."
    ),
    N_("The {name} camera's process ended unexpectedly; it is started again."),
    N_(
        "The {name} camera sees only black: take the cap off the lens, switch the light on, "
        "or push the camera's cable home."
    ),
    N_(
        "The {name} camera cannot be opened ({error}). Another program may be using it: "
        "close it, or restart the Raspberry Pi."
    ),
    N_("The camera gives pictures as {format}, which this program cannot read."),
    N_(
        "The Raspberry Pi camera needs picamera2, which is not here ({error}). On Raspberry Pi OS: "
        "sudo apt install python3-picamera2; elsewhere choose --camera webcam, folder:DIR or simulated."
    ),
    N_(
        "No Raspberry Pi camera number {number} is connected ({count} found). Switch the Pi off, "
        "push both ends of the ribbon cable home, and check with: rpicam-hello --list-cameras"
    ),
    N_(
        "No webcam number {number} can be opened. Plug it in, close other programs that use it, "
        "and make sure that you are in the group video."
    ),
    N_("The {name} gave no picture: check that it is still plugged in."),
    N_("The {name} is not open."),
    N_("{folder}: there is no such folder of pictures."),
    N_("{folder}: holds no JPEG or PNG picture."),
    N_("the simulated camera is not open; call open() first"),
)
_SESSION: Final = (
    N_("no game is being played"),
    N_("no game is being set up"),
    N_("no turn is being entered"),
    N_("no turn can be entered now"),
    N_("pieces are told between turns"),
    N_("the turn is not complete: a key and a diver are needed"),
    N_("the set-up is corrected piece by piece"),
    N_("the start position is not complete yet"),
    N_("the list of games is not up"),
    N_("there is no choice {n}"),
    N_("there is no answer {n} to give"),
    N_("there is no fault to overrule"),
    N_("there is no turn that may have been meant"),
    N_("there is no game to go on with"),
    N_("there is no sponsor {n}"),
    N_("there cannot be fewer than none"),
    N_("nothing is being put back"),
    N_("nothing can be put at {slot} by hand"),
    N_("nobody plays {colour}"),
    N_("nobody sits at {seat}"),
    N_("a player needs a name"),
    N_("somebody else is called {name}"),
    N_("that card lies there already"),
    N_("the store has no column {name}"),
    N_("it takes 0 to 3 steps"),
    N_("it is not one of {pieces}"),
    N_("cubes are written with the letters {letters}"),
    N_("there is no place {n}, only 1 to {count}"),
    N_("{label} cannot lie at {slot}: {error}"),
    N_("{name} cannot be {value}"),
    N_("no action is called {name}"),
)
# As the system says it, in strerror.
_DISK: Final = (
    N_("No space left on device"),
    N_("Permission denied"),
    N_("Read-only file system"),
    N_("No such file or directory"),
    N_("Input/output error"),
    N_("Not a directory"),
)
_STEPS: Final = (N_("the correction of turn {n}"), N_("as the players said"))

WHYS: Final = (*_CAMERA, *_DISK, *_SESSION)


def why_words(say: Say, why: str) -> str:
    """The reason in the players' language; the log keeps the one that cannot be said.

    >>> from companion.view.language import speaker
    >>> why_words(speaker("fr"), "a player needs a name")
    'il faut un nom'
    """
    if say.language == "en":
        return why
    found = find_filled(say, why, WHYS)
    return found if found is not None else say("the log says why")


def undone_words(say: Say, step: str, before: Position | None = None) -> str:
    """What was taken back or brought back: the session names a turn by its notation, people say it in words.

    `before` is where the turn was played from, for the words that depend on it.

    >>> from companion.view.language import speaker
    >>> undone_words(speaker("en"), "Ana: key3 dive:cube")
    'Ana: key 3, diver found a cube'
    """
    found = find_filled(say, step, _STEPS)
    if found is not None:
        return found
    name, colon, turns = step.partition(": ")
    if not colon:
        name, turns = "", step
    try:
        words = "; ".join(sentence(say, Turn.parse(turn), before) for turn in turns.split(" / "))
    except ValueError:
        words = find_filled(say, turns, _STEPS) or turns
    return say("{name}: {what}", name=name, what=words) if name else words

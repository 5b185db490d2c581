"""The camera: what it sees goes to the screen that asked; when it is gone the game goes on by touch."""

from dataclasses import replace

from companion.messages import CannotSee, Seen, Watch
from companion.notices import Notice, notice
from companion.session import entering, setup, table
from companion.session.evening import Evening, corners
from companion.state import Entering, Faulted, Hidden, Playing, SettingUp


def seen(evening: Evening, message: Seen) -> None:
    """A reading: the answer to a press, or one of the live ones. One that nobody waits for any more is let go."""
    asked = evening.looking
    _alive(evening)
    if asked == "no":
        return
    corners_px = {
        board: tuple((x * message.picture_scale, y * message.picture_scale) for x, y in outline)
        for board, outline in corners(message.reading).items()
    }
    evening.state = replace(evening.state, picture=message.picture, corners_px=corners_px)
    if asked == "once":
        table.seen(evening, message)
    elif isinstance(evening.mode, SettingUp):
        setup.seen(evening, message.reading)
    else:
        table.restoring(evening, message.reading)


def cannot_see(evening: Evening, message: CannotSee) -> None:
    """The look failed; the next press tries again."""
    _alive(evening)
    if evening.looking == "once":
        evening.looking = "no"
    evening.say(notice("cannot-see", why=message.why))
    if isinstance(evening.mode, Playing):
        evening.change(replace(evening.mode, note=message.why))


def watch(evening: Evening, message: Watch) -> None:
    """A sign of life. The hand of the next player puts away what was just played."""
    if message.watching != "off":
        _alive(evening)
    evening.state = replace(evening.state, watching=message.watching)
    mode, shown_s = evening.mode, evening.now_s - evening.confirmed_s
    if (
        message.watching == "hand"
        and evening.looking == "no"
        and isinstance(mode, Playing)
        and mode != Playing()
        and shown_s > evening.timing.verdict_s
    ):
        evening.change(Playing())


def lost(evening: Evening, why: str) -> None:
    """Without a camera the player to play enters the turn by touch, and set-up is told piece by piece."""
    _lost(evening, notice("camera-lost", why=why), why)


def back(evening: Evening) -> None:
    if not evening.camera:
        evening.camera = True
        evening.silent_s = 0.0
        evening.state = replace(evening.state, camera_trouble="", watching="watching")
        entering.camera_back(evening)


def tick(evening: Evening, passed_s: float) -> None:
    """A camera that was asked and gives no sign of life is gone. A hand over the boards is a sign of life."""
    if evening.looking == "no" or not evening.camera or evening.state.watching == "hand":
        return
    evening.silent_s += min(passed_s, evening.timing.longest_tick_s)
    timing = evening.timing
    patience_s = timing.reading_s if evening.state.watching == "reading" else timing.silence_s
    if evening.silent_s > patience_s:
        _lost(evening, notice("camera-silent"), "")


def _alive(evening: Evening) -> None:
    evening.silent_s = 0.0
    if not evening.camera:
        back(evening)


def _lost(evening: Evening, said: Notice, why: str) -> None:
    if not evening.camera:
        return
    asked, evening.camera = evening.looking, False
    evening.stop_looking()
    evening.state = replace(evening.state, camera_trouble=why or str(said), watching="off")
    evening.say(said)
    if isinstance(evening.mode, Playing | Faulted | Hidden) or asked == "once":
        evening.close_overlays()
        if not isinstance(evening.mode, Entering):
            entering.begin(evening, entering.NO_CAMERA)

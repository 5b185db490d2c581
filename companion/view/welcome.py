"""The first screen."""

from companion import actions
from companion.state import State, Welcome
from companion.view.box import Box
from companion.view.language import Say
from companion.view.parts import notice, status, voice
from companion.view.screens import Choice, WelcomeScreen


def draw(state: State, box: Box) -> WelcomeScreen:
    """Needs `Welcome`."""
    assert isinstance(state.mode, Welcome)
    say, resumable = voice(state), state.mode.resumable
    new = Choice(say("New game"), actions.NEW_GAME, icon="plus", tone="plain" if resumable else "strong")
    primary = Choice(say("Go on playing"), actions.RESUME, icon="play", tone="strong") if resumable else new
    secondary = (
        *((new,) if resumable else ()),
        Choice(say("Past games"), actions.PAST_GAMES, icon="trophy"),
        Choice(say("Calibrate"), actions.CALIBRATE, icon="calibrate"),
        Choice(say("Settings"), actions.SETTINGS, icon="settings"),
    )
    detail = ""
    if resumable:
        scores = zip(resumable.names, resumable.scores, strict=True)
        detail = "   ".join(f"{name} {score}" for name, score in scores)
    return WelcomeScreen(
        "Otys",
        say("The companion at your table"),
        primary,
        secondary,
        detail,
        pack_words(say, state.settings.pack),
        status(state),
        notice(state),
    )


def pack_words(say: Say, pack: str) -> str:
    """Which copy of the game is read; the sample says everywhere that its cards are invented."""
    if pack == "otys-sample":
        return say("Sample pack: its cards are invented. Calibrate to teach your own copy.")
    return say("Pack: {name}", name=pack)

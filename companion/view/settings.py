"""What people choose once and keep."""

from companion import actions
from companion.state import State
from companion.view.box import Box
from companion.view.language import LANGUAGES, Say
from companion.view.parts import bar, voice
from companion.view.screens import Choice, Option, OptionsScreen
from companion.view.welcome import pack_words

_CLOCKS_S = (0, 60, 120, 180)


def draw(state: State, box: Box) -> OptionsScreen:
    """Needs `ChoosingSettings`."""
    say, now = voice(state), state.settings
    end = (Choice(say("End this game"), actions.END_GAME, icon="flag", tone="warn"),) if state.game else ()
    return OptionsScreen(
        bar(state, say("Settings"), with_status=False),
        (
            Option(
                say("Language"),
                say("It can change in the middle of a game."),
                tuple(_change("language", code, name, now.language) for code, name in LANGUAGES.items()),
            ),
            Option(
                say("Screen"),
                say("Light is easier to read by day."),
                (
                    _change("theme", "dark", say("dark"), now.theme, "moon"),
                    _change("theme", "light", say("light"), now.theme, "sun"),
                ),
            ),
            Option(
                say("Text"),
                say("Large is easier from the far end of the table."),
                tuple(
                    _change("text_size", size, text, now.text_size)
                    for size, text in (("normal", say("normal")), ("large", say("large")))
                ),
            ),
            Option(
                say("Sound"),
                say("Everything it says is on the screen too."),
                (
                    _change("sound", True, say("on"), now.sound, "sound"),
                    _change("sound", False, say("off"), now.sound, "silent"),
                ),
            ),
            Option(
                say("Clock"),
                say("Advice for the length of a turn; nothing happens when it is over."),
                tuple(
                    _change("clock_s", seconds, _clock(say, seconds), now.clock_s) for seconds in _CLOCKS_S
                ),
            ),
            Option(say("Your copy of the game"), pack_words(say, now.pack), ()),
        ),
        end,
    )


def _change(field: str, value: object, text: str, now: object, icon: str = "") -> Choice:
    return Choice(text, actions.CHANGE_SETTING, (field, value), icon, chosen=value == now)


def _clock(say: Say, seconds: int) -> str:
    return say("off") if seconds == 0 else say("{n} min", n=seconds // 60)

"""Sentences that arrive in English with their values filled in, said in the players' language.

Other rooms that know nothing of languages (calibration) speak plain English. A template finds the sentence's places
again, and what fills them is said too.
"""

import re
from collections.abc import Iterable
from functools import cache

from companion.view.language import Say

_PLACE = re.compile(r"\{(\w+)\}")


def say_filled(say: Say, text: str, templates: Iterable[str]) -> str:
    """The sentence in the language of `say`; one that no template knows is left as it is.

    >>> from companion.view.language import speaker
    >>> say_filled(speaker("en"), "Tap the red board", ("Tap the {board} board",))
    'Tap the red board'
    """
    found = find_filled(say, text, templates)
    return text if found is None else found


def find_filled(say: Say, text: str, templates: Iterable[str]) -> str | None:
    """The same, or None for a sentence that no template knows."""
    for template in templates:
        found = _pattern(template).fullmatch(text)
        if found:
            values = {name: say_filled(say, value, templates) for name, value in found.groupdict().items()}
            return say(template, **{name: say.number(value) for name, value in values.items()})
    return None


@cache
def _pattern(template: str) -> re.Pattern[str]:
    pieces = _PLACE.split(template)  # text, place, text, place, …
    written = [f"(?P<{piece}>.+?)" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces)]
    return re.compile("".join(written))

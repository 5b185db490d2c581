"""The players' language: English sentences in the code, French and German in gettext catalogues."""

import gettext
import re
from functools import cache
from pathlib import Path
from typing import Final

LANGUAGES: Final = {"fr": "Français", "en": "English", "de": "Deutsch"}
DOMAIN: Final = "companion"
_DECIMAL: Final = re.compile(r"\d+\.\d+")
FOLDER: Final = Path(__file__).parents[1] / "locale"


class Say:
    """Says an English sentence in one language and fills its places.

    >>> speaker("en")("{name} to play", name="Ana")
    'Ana to play'
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._catalogue = gettext.translation(DOMAIN, FOLDER, [language], fallback=language == "en")

    def __call__(self, text: str, /, **values: object) -> str:
        said = self._catalogue.gettext(text) if text else ""
        return said.format(**values) if values else said

    def number(self, text: str) -> str:
        """A decimal number as the language writes it; any other text as it is.

        >>> speaker("de").number("0.9"), speaker("en").number("0.9"), speaker("fr").number("c04")
        ('0,9', '0.9', 'c04')
        """
        return text.replace(".", ",") if self.language != "en" and _DECIMAL.fullmatch(text) else text

    def many(self, one: str, several: str, n: int, /, **values: object) -> str:
        """The singular or the plural, as the language counts; `n` fills its place too."""
        return self._catalogue.ngettext(one, several, n).format(n=n, **values)


@cache
def speaker(language: str) -> Say:
    """The voice of a language. Unknown ones are a mistake of the caller, not of the players."""
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    return Say(language)


def N_(text: str) -> str:
    """Marks a text for translation where it is only named."""
    return text

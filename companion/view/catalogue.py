"""Keeps the gettext catalogues in step with the code: `python -m companion.view.catalogue`.

Adds what the code says and a catalogue lacks, drops what nobody says any more, and compiles the catalogues. Needs
babel, which only developers have.
"""

import ast
import io
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from companion.notices import SENTENCES
from companion.view.language import DOMAIN, FOLDER

TRANSLATED: Final = ("fr", "de")
_NO_DATE: Final = datetime(2000, 1, 1, tzinfo=UTC)
_ROOT: Final = Path(__file__).parents[2]
# Where sentences for players are written down.
_ROOMS: Final = ("companion/view", "companion/referee", "companion/session", "calibration")

Text = str | tuple[str, str]  # a sentence, or its singular and plural


def texts() -> tuple[Text, ...]:
    """Every sentence the screens can say, sorted."""
    found: set[Text] = set(SENTENCES.values())
    for room in _ROOMS:
        for file in sorted((_ROOT / room).rglob("*.py")):
            found |= set(_said_in(file.read_text(encoding="utf-8")))
    return tuple(sorted(found, key=str))


def _said_in(source: str) -> Iterator[Text]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        literals = [
            arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
        ]
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name == "many" and len(literals) == 2:
            yield literals[0], literals[1]
        elif name in ("say", "N_") and literals and literals[0]:
            yield literals[0]


def po_file(language: str) -> Path:
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def compiled(language: str) -> bytes:
    """The .mo file that belongs to a .po file."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with po_file(language).open("rb") as file:
        catalogue = read_po(file, locale=language)
    # Babel would write the time of day: a compiled catalogue changes only when its sentences do.
    catalogue.creation_date = catalogue.revision_date = _NO_DATE
    buffer = io.BytesIO()
    write_mo(buffer, catalogue)
    return buffer.getvalue()


def update(language: str) -> int:
    """Brings one catalogue up to date; returns how many sentences still wait for a translation."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po, write_po

    path = po_file(language)
    old = Catalog(locale=language)
    if path.exists():
        with path.open("rb") as file:
            old = read_po(file, locale=language)
    # No dates and no authors: a catalogue changes when its sentences do.
    new = Catalog(locale=language, domain=DOMAIN, project="otys-companion", fuzzy=False, header_comment="")
    for text in texts():
        kept = old.get(text if isinstance(text, str) else text[0])
        new.add(text, string=kept.string if kept is not None else None)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, new, omit_header=False, no_location=True, width=0, sort_output=True)
    _drop_dates(path)
    path.with_suffix(".mo").write_bytes(compiled(language))
    return len([message for message in new if message.id and not _complete(message.string)])


def _complete(string: str | Sequence[str] | None) -> bool:
    return bool(string) and all(string or ())


def _drop_dates(path: Path) -> None:
    dated = (
        "POT-Creation-Date",
        "PO-Revision-Date",
        "Last-Translator",
        "Generated-By",
        "Report-Msgid-Bugs-To",
    )
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text(
        "".join(line for line in lines if not line.startswith(tuple(f'"{name}' for name in dated))),
        encoding="utf-8",
    )


def main() -> int:
    waiting = {language: update(language) for language in TRANSLATED}
    for language, count in waiting.items():
        print(f"{language}: {count} sentences wait for a translation")
    return 1 if any(waiting.values()) else 0


if __name__ == "__main__":
    sys.exit(main())

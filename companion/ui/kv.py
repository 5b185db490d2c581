"""Loads the kv file that lies beside a module, once, with the theme in scope."""

from functools import cache
from pathlib import Path

from kivy.lang import Builder

_HEAD = "#:kivy 2.3\n#:import theme companion.ui.theme.theme\n#:import Factory kivy.factory.Factory\n#:set TOUCH 48\n#:set GAP 8\n"


@cache
def load_kv(name: str) -> None:
    """`load_kv("table")` loads companion/ui/table.kv."""
    file = Path(__file__).with_name(f"{name}.kv")
    Builder.load_string(_HEAD + file.read_text(encoding="utf-8"), filename=str(file))

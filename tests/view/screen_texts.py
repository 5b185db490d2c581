"""What can be read on a screen, text by text."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

# Fields that name something for the program, and pictures.
NOT_READ = {
    "action", "colour", "icon", "id", "jpeg", "mark", "resource", "state", "tile", "tone", "touch", "value", "watching",
}  # fmt: skip


def read_in(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a screen that is read, with where it stands."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, tuple | list):
        for at, part in enumerate(value):
            yield from read_in(part, f"{path}[{at}]")
    elif is_dataclass(value):
        for name in (field.name for field in fields(value)):
            if name not in NOT_READ:
                yield from read_in(getattr(value, name), f"{path}.{name}")

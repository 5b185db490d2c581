"""What can be read on a screen, text by text."""

from collections.abc import Collection, Iterator
from dataclasses import fields, is_dataclass

# Fields that name something for the program, and pictures.
NOT_READ = {
    "action", "colour", "icon", "id", "jpeg", "mark", "resource", "state", "tile", "tone", "touch", "value", "watching",
}  # fmt: skip


def texts_in(value: object, path: str = "", *, without: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """Every text inside a screen, with where it stands; fields named in `without` are passed over."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, tuple | list):
        for at, part in enumerate(value):
            yield from texts_in(part, f"{path}[{at}]", without=without)
    elif is_dataclass(value):
        for name in (field.name for field in fields(value)):
            if name not in without:
                yield from texts_in(getattr(value, name), f"{path}.{name}", without=without)


def read_in(screen: object) -> Iterator[tuple[str, str]]:
    """Every text of a screen that is read."""
    return texts_in(screen, without=NOT_READ)

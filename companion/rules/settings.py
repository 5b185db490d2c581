"""The constants no text states and the choices the editions leave: one value for each game."""

from typing import Any, NamedTuple

from companion.rules.errors import MalformedPosition

COLOURS = ("metal", "plant", "fuel", "tech")
LETTERS = "mpft"
LEVELS = (1, 2, 3, 4, 5)
CAPACITY = (3, 3, 4, 5, 6)  # resource spaces of levels 1 to 5
SURFACE = 3  # divers above the water; level L stands at index SURFACE + L - 1 of the column
DIVERS = ("metal", "plant", "fuel", "tech", "trader", "spy", "engineer", "explorer")
MOST_IMPROVEMENTS = 3  # steps of the Mechanic and of the Hacker
DRAWN = 4  # contract cards drawn to keep one
OWN_KEYS = (1, 2, 3, 4, 5, "X")


class Rules(NamedTuple):
    """The settings of one game; what is left out takes its default.

    >>> Rules(edition="de").keys_to_recover
    6
    """

    edition: str = "fr"  # "fr" (also the English text) or "de"
    spy_variant: bool = False
    keys_to_recover: int = 6
    mechanic: tuple[int, ...] = (1, 2, 3, 4)  # furthest propeller move after 0 to 3 improvements
    store: tuple[tuple[int, int], ...] = ((3, 1), (2, 0), (1, 0))  # (credits, prestige), top row first
    neutral_x: int = 12
    trigger: int = 18

    @property
    def german(self) -> bool:
        return self.edition == "de"

    @classmethod
    def from_json(cls, doc: Any) -> "Rules":
        if not isinstance(doc, dict):
            raise MalformedPosition(f"rules: expected an object with the settings, got {doc!r}")
        unknown = sorted(set(doc) - set(cls._fields))
        if unknown:
            raise MalformedPosition(
                f"rules: no setting is called {unknown[0]!r}; known are {', '.join(cls._fields)}"
            )
        values = dict(doc)
        if "mechanic" in values:
            values["mechanic"] = _tuple_of(values["mechanic"], "rules.mechanic")
        if "store" in values:
            rows = _tuple_of(values["store"], "rules.store")
            values["store"] = tuple(_tuple_of(row, f"rules.store[{i}]") for i, row in enumerate(rows))
        rules = cls(**values)
        rules.check()
        return rules

    def to_json(self) -> dict[str, Any]:
        doc = self._asdict()
        doc["mechanic"] = list(self.mechanic)
        doc["store"] = [list(row) for row in self.store]
        return doc

    def check(self) -> None:
        """Raises MalformedPosition when a setting makes no game."""
        if self.edition not in ("fr", "de"):
            raise MalformedPosition(f"rules.edition: {self.edition!r} is neither 'fr' nor 'de'")
        if not isinstance(self.spy_variant, bool):
            raise MalformedPosition(f"rules.spy_variant: {self.spy_variant!r} is neither true nor false")
        _between(self.keys_to_recover, 4, 6, "rules.keys_to_recover")
        if len(self.mechanic) != MOST_IMPROVEMENTS + 1:
            raise MalformedPosition(f"rules.mechanic: expected 4 numbers, got {list(self.mechanic)}")
        for i, furthest in enumerate(self.mechanic):
            _between(furthest, 0, 7, f"rules.mechanic[{i}]")
        if not self.store:
            raise MalformedPosition("rules.store: the Store has no row")
        for i, row in enumerate(self.store):
            if len(row) != 2:
                raise MalformedPosition(f"rules.store[{i}]: expected [credits, prestige], got {list(row)}")
            for worth in row:
                _between(worth, 0, None, f"rules.store[{i}]")
        _between(self.neutral_x, 0, None, "rules.neutral_x")
        _between(self.trigger, 1, None, "rules.trigger")


def _tuple_of(value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise MalformedPosition(f"{where}: expected a list, got {value!r}")
    return tuple(value)


def _between(value: Any, least: int, most: int | None, where: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise MalformedPosition(f"{where}: expected a whole number, got {value!r}")
    if value < least or (most is not None and value > most):
        limits = f"at least {least}" if most is None else f"from {least} to {most}"
        raise MalformedPosition(f"{where}: {value} is not {limits}")

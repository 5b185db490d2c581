"""Which wire goes where: the pins of the buttons, lamps and the buzzer, from one small file.

Numbers are the Broadcom (GPIO) numbers, as gpiozero counts. A file may leave out whatever it does not change:

    [buttons]
    players = [5, 6, 13, 19]   # in the order of the seats
    undo = 26
    debounce_ms = 25
    hold_s = 2.0
    [lamps]
    players = [12, 16, 20, 21]
    attention = 25
    [sound]
    buzzer = 18
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from vision.tomlfile import TomlFile, read_toml

HIGHEST_GPIO = 27  # of the 40-pin header
MOST_PLAYERS = 4


@dataclass(frozen=True)
class Pins:
    """The defaults lie in two rows at the end of the header, so that one flat cable reaches all the buttons."""

    buttons: tuple[int, ...] = (5, 6, 13, 19)
    undo: int = 26
    lamps: tuple[int, ...] = (12, 16, 20, 21)
    attention: int = 25
    buzzer: int | None = 18  # `buzzer = "none"` where there is none
    debounce_s: float = 0.025  # arcade buttons bounce for 5 to 10 ms; nobody presses twice in 25
    hold_s: float = 2.0  # undo must not happen by leaning on it

    def used(self) -> dict[int, str]:
        """GPIO number -> what it is for."""
        named = {gpio: f"button {seat}" for seat, gpio in enumerate(self.buttons, start=1)}
        named |= {gpio: f"lamp {seat}" for seat, gpio in enumerate(self.lamps, start=1)}
        named |= {self.undo: "undo", self.attention: "attention lamp"}
        if self.buzzer is not None:
            named[self.buzzer] = "buzzer"
        return named


DEFAULTS = Pins()

# key in the file -> field, factor from the file's unit
_KEYS: dict[tuple[str, str], tuple[str, float]] = {
    ("buttons", "players"): ("buttons", 1),
    ("buttons", "undo"): ("undo", 1),
    ("buttons", "debounce_ms"): ("debounce_s", 0.001),
    ("buttons", "hold_s"): ("hold_s", 1),
    ("lamps", "players"): ("lamps", 1),
    ("lamps", "attention"): ("attention", 1),
    ("sound", "buzzer"): ("buzzer", 1),
}


def pins_file() -> Path:
    """Where the settings are looked for."""
    return user_config_path("otys-companion") / "pins.toml"


def load_pins(path: Path | None = None) -> Pins:
    """The settings in `path`, or in the usual place if there is a file there; what it leaves out keeps its default."""
    if path is None:
        path = pins_file()
        if not path.exists():
            return DEFAULTS
    file = read_toml(path)
    changes: dict[str, Any] = {}
    for table, entries in file.data.items():
        if not isinstance(entries, dict):
            raise file.error((table,), f"{table} is not known; [buttons], [lamps] and [sound] are")
        for key, value in entries.items():
            if (table, key) not in _KEYS:
                known = (
                    ", ".join(k for t, k in _KEYS if t == table) or "[buttons], [lamps] and [sound] are known"
                )
                raise file.error((table, key), f"{table}.{key} is not known; {known}")
            name, factor = _KEYS[table, key]
            changes[name] = _value(file, (table, key), name, value, factor)
    pins = replace(DEFAULTS, **changes)
    _check(file, pins)
    return pins


def _value(file: TomlFile, key: tuple[str, str], name: str, value: Any, factor: float) -> Any:
    if name in ("debounce_s", "hold_s"):
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value * factor <= 10:
            raise file.error(key, f"{key[1]} must be a number, at most ten seconds")
        return value * factor
    if name in ("buttons", "lamps"):
        if not isinstance(value, list) or not 1 <= len(value) <= MOST_PLAYERS:
            raise file.error(key, f"{key[1]} must list one GPIO number for each seat, at most {MOST_PLAYERS}")
        return tuple(_gpio(file, key, number) for number in value)
    if name == "buzzer" and value == "none":
        return None
    return _gpio(file, key, value)


def _gpio(file: TomlFile, key: tuple[str, str], value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= HIGHEST_GPIO:
        raise file.error(key, f"{value!r} is no GPIO number; the header has 0 to {HIGHEST_GPIO}")
    return value


def _check(file: TomlFile, pins: Pins) -> None:
    every = [*pins.buttons, *pins.lamps, pins.undo, pins.attention]
    every += [pins.buzzer] if pins.buzzer is not None else []
    twice = sorted({gpio for gpio in every if every.count(gpio) > 1})
    if twice:
        raise file.error((), f"GPIO {twice[0]} is used twice; every button and lamp needs a pin of its own")

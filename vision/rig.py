"""One camera stand: its lens, and the focus, exposure and white balance it was locked to (`rig.toml`).

Where two cameras are shown side by side, the right one has a file of its own.
"""

import math
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from vision.lens import FOCAL_WIDTHS, Lens
from vision.tomlfile import TomlFile, read_toml

VERSION = 1
FILE = "rig.toml"
FILES = (FILE, "rig-2.toml")  # one for each camera, from the left
# What each number may be; outside it is a slip or another unit.
_LIMITS = {
    "k1": (-0.5, 0.5),
    "k2": (-0.5, 0.5),
    "focal": (0.2, 5.0),
    "lens_position": (0.0, 32.0),
    "exposure_us": (1.0, 10_000_000.0),
    "gain": (0.5, 64.0),
    "red_gain": (0.1, 16.0),
    "blue_gain": (0.1, 16.0),
}


@dataclass(frozen=True)
class Rig:
    """A stand. Locks that are None are left to the camera.

    `lens_position` is one over metres, `exposure_us` microseconds, `gain` analogue, `red_gain` and `blue_gain`
    the white balance, as picamera2 names them.
    """

    name: str = "stand"
    k1: float = 0.0
    k2: float = 0.0
    focal: float = FOCAL_WIDTHS
    lens_position: float | None = None
    exposure_us: float | None = None
    gain: float | None = None
    red_gain: float | None = None
    blue_gain: float | None = None

    @property
    def lens(self) -> Lens:
        return Lens(self.k1, self.k2, self.focal)


def load_rigs(pack_dir: Path) -> tuple[Rig, ...]:
    """The rigs beside a pack, one for each camera from the left; none where nothing was kept."""
    return tuple(load_rig(pack_dir / name) for name in FILES if (pack_dir / name).is_file())


def load_rig(path: Path) -> Rig:
    """Reads `rig.toml`, or the file in a folder. Raises ValueError with file and line, or OSError."""
    toml = read_toml(path / FILE if path.is_dir() else path)
    if toml.data.get("version") != VERSION:
        raise toml.error(("version",), f"version = {toml.data.get('version')!r}; wanted is {VERSION}")
    known = {field.name for field in fields(Rig)}
    values: dict[str, Any] = {}
    for key, value in toml.data.items():
        if key == "name":
            values["name"] = str(value)
        elif key in known:
            values[key] = _number(toml, key, value)
        elif key != "version":
            raise toml.error((key,), f"{key}: a rig has {', '.join(sorted(known))}")
    return Rig(**values)


def save_rig(rig: Rig, path: Path) -> None:
    """Writes `rig.toml`; whole or not at all."""
    lines = [f"version = {VERSION}"]
    for key, value in asdict(rig).items():
        if isinstance(value, str):
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'{key} = "{escaped}"')
        elif value is not None:
            lines.append(f"{key} = {float(value)!r}")
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".part")
    half.write_text("\n".join(lines) + "\n", encoding="utf-8")
    half.replace(path)


def _number(toml: TomlFile, key: str, value: Any) -> float:
    low, high = _LIMITS[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise toml.error((key,), f"{key} must be a number, not {value!r}")
    if not low <= value <= high:
        raise toml.error((key,), f"{key} = {value:g}; it must be {low:g} to {high:g}")
    return float(value)

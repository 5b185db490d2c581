"""Everything enrolment learnt about the slots of a pack, in one file of plain arrays (no pickle)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.arrays import read_arrays
from vision.pack import Kind, Slot
from vision.read.area import AreaModel
from vision.read.colours import SETTINGS as COLOURS
from vision.read.colours import Colours, Print, print_density, surroundings, table_density
from vision.read.cubes import Area
from vision.read.cut import Cut
from vision.read.cuts import Scene
from vision.read.light import as_light
from vision.read.tile import Geometry, TileModel
from vision.read.tokens import Tokens
from vision.read.tops import Tops
from vision.read.underlay import underlays

FORMAT = 8
# Numbers in an array from which its size in the file matters.
LARGE = 1000
Floats = NDArray[np.float32]
Picture = NDArray[np.uint8]


def group_of(slot: Slot) -> str:
    """Slots that share what was learnt: one label set, read in one way."""
    return f"{slot.kind}:{slot.pieces}"


def is_crowded(slot: Slot) -> bool:
    """Whether markers of several labels may stand on one place."""
    return slot.kind is Kind.TRACK and len(slot.labels) > 1


@cache
def places_as_areas(slot: Slot) -> list[Slot]:
    """Each place of a track as an area of its own, in which its markers are looked for."""
    return [
        replace(slot, id=place_key(slot, i), kind=Kind.COUNT, rect_mm=rect, places_mm=(), size_mm=None)
        for i, rect in enumerate(slot.rects_mm)
    ]


@dataclass(frozen=True, eq=False)
class BareArea:
    """The print of an area, or of a place on a track."""

    logs: Floats

    @cached_property
    def print(self) -> Print:
        return Print.of(self.logs)

    @cached_property
    def light(self) -> Floats:
        return as_light(np.exp(self.logs) - np.float32(COLOURS.offset))


def area_of(model: AreaModel, seen: Scene, slot: Slot, bare: BareArea | None) -> Area:
    """The area of a slot in a scene, above its print as it looks in the light of the moment."""
    area = area_as_expected(model, seen, slot, bare)
    return area if bare is None else area_as_seen(model, area)


def area_as_expected(model: AreaModel, seen: Scene, slot: Slot, bare: BareArea | None) -> Area:
    """The same, above its print in the light that was measured around it."""
    if bare is None:
        area = over_ground(model, seen.area(slot, model.px_per_mm), None)
    else:
        area = over_ground(model, *seen.area_and_print(slot, model.px_per_mm, bare.light))
    return replace(area, full=seen.burnt([(slot.board, slot.rect_mm)])[0])


def area_as_seen(model: AreaModel, area: Area) -> Area:
    """An area above its print as expected, now above it as it is seen between its pieces."""
    return areas_as_seen(model, [area])[0]


def areas_as_seen(model: AreaModel, areas: Sequence[Area]) -> list[Area]:
    """The same for many areas, those of one size in one go."""
    sizes: dict[tuple[int, ...], list[int]] = {}
    for i, area in enumerate(areas):
        sizes.setdefault(area.seen.shape, []).append(i)
    result = list(areas)
    for alike in sizes.values():
        told = underlays([areas[i].seen for i in alike], [areas[i].print for i in alike])
        for i, bare in zip(alike, told, strict=True):
            if bare is not areas[i].print:
                result[i] = replace(over_ground(model, areas[i].seen, bare), full=areas[i].full)
    return result


def over_ground(model: AreaModel, logs: Floats, bare: Floats | None) -> Area:
    """An area and what is beneath its pieces; beside the boards the table's own colour is the bare ground."""
    if bare is None:
        table = table_density(logs)
        return Area(logs, surroundings(logs), table, table)
    off = Print.of(bare).off(logs)
    lit = print_density(off)
    return Area(logs, bare, model.colours.shaded(off, lit), lit)


@dataclass(frozen=True, eq=False)
class Taught:
    """`grounds` are small pictures of the bare boards, the measure of all light.

    `tiles`, `areas` and `tokens` are models by group; `bare_tiles` (by slot, or slot and place: "colony.score#3") and
    `bare_areas` the print beneath pieces, absent where the ground is the table.
    """

    grounds: Mapping[str, Picture]
    tiles: Mapping[str, TileModel] = field(default_factory=dict)
    areas: Mapping[str, AreaModel] = field(default_factory=dict)
    tokens: Mapping[str, Tokens] = field(default_factory=dict)
    bare_tiles: Mapping[str, Floats] = field(default_factory=dict)
    bare_areas: Mapping[str, BareArea] = field(default_factory=dict)


def place_key(slot: Slot, place: int) -> str:
    return f"{slot.id}#{place}" if slot.kind is Kind.TRACK else slot.id


def save_taught(taught: Taught, path: Path) -> None:
    """Writes the file whole or not at all."""
    arrays: dict[str, NDArray[Any]] = {}
    notes: dict[str, Any] = {"format": FORMAT, "tiles": {}, "areas": {}, "tokens": {}}
    for name, picture in taught.grounds.items():
        arrays[f"ground/{name}"] = picture
    for group, tile in taught.tiles.items():
        notes["tiles"][group] = _put(tile, f"tile/{group}/", arrays)
    for group, area in taught.areas.items():
        notes["areas"][group] = _put(area, f"area/{group}/", arrays)
    for group, tokens in taught.tokens.items():
        notes["tokens"][group] = _put(tokens, f"token/{group}/", arrays)
    for slot, bare in taught.bare_tiles.items():
        arrays[f"bare/{slot}"] = bare
    for slot, bare_area in taught.bare_areas.items():
        arrays[f"print/{slot}"] = bare_area.logs
    arrays["notes"] = np.frombuffer(json.dumps(notes).encode(), np.uint8)
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_suffix(".writing")
    halved = {name: _halved(array) for name, array in arrays.items()}
    with scratch.open("wb") as file:
        np.savez(file, **halved)  # type: ignore[arg-type]  # numpy's stub takes the names for its own options
    scratch.replace(path)


def _halved(array: NDArray[Any]) -> NDArray[Any]:
    """Large arrays are stored with three digits: they describe pictures, which are not known any better."""
    fits = array.dtype == np.float32 and array.size > LARGE and np.abs(array).max() < np.finfo(np.float16).max
    return array.astype(np.float16) if fits else array


def load_taught(path: Path) -> Taught:
    """Reads the file; raises OSError when there is none and ValueError when it is not one of ours."""
    if not path.exists():
        raise FileNotFoundError(
            f"{path.parent.parent}: the pack is not taught yet; run: otys-companion enrol {path.parent.parent}"
        )
    try:
        arrays = read_arrays(path)
        notes = json.loads(bytes(arrays["notes"]).decode())
        if notes["format"] != FORMAT:
            raise ValueError(f"format {notes['format']}")
        return _taught(notes, arrays)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(
            f"{path}: cannot be read ({error}); teach the pack again: otys-companion enrol {path.parent.parent}"
        ) from None


def _taught(notes: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Taught:
    def under(head: str) -> dict[str, NDArray[Any]]:
        return {name[len(head) :]: value for name, value in arrays.items() if name.startswith(head)}

    return Taught(
        grounds=under("ground/"),
        tiles={group: _tile(under(f"tile/{group}/"), note) for group, note in notes["tiles"].items()},
        areas={group: _area(under(f"area/{group}/"), note) for group, note in notes["areas"].items()},
        tokens={group: _tokens(under(f"token/{group}/"), note) for group, note in notes["tokens"].items()},
        bare_tiles=under("bare/"),
        bare_areas={slot: BareArea(logs) for slot, logs in under("print/").items()},
    )


def _put(value: object, head: str, arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """A dataclass taken apart: arrays into `arrays`, dataclasses likewise, the rest returned."""
    note: dict[str, Any] = {}
    for one in fields(value):  # type: ignore[arg-type]  # only dataclasses are passed
        content = getattr(value, one.name)
        if isinstance(content, np.ndarray):
            arrays[head + one.name] = content
        elif isinstance(content, Colours | Cut | Geometry | Tops):
            note[one.name] = _put(content, f"{head}{one.name}.", arrays)
        else:
            note[one.name] = content
    return note


def _tile(arrays: Mapping[str, NDArray[Any]], note: Mapping[str, Any]) -> TileModel:
    geometry: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in note["geometry"].items()
    }
    return TileModel(
        labels=tuple(note["labels"]),
        geometry=Geometry(**geometry),
        usual=float(note["usual"]),
        bound=float(note["bound"]),
        trust_bare=float(note.get("trust_bare", 1.0)),
        untaught=tuple(note["untaught"]),
        foreign=(float(foreign[0]), float(foreign[1])) if (foreign := note.get("foreign")) else None,
        **arrays,
    )


def _area(arrays: Mapping[str, NDArray[Any]], note: Mapping[str, Any]) -> AreaModel:
    def part(head: str) -> dict[str, NDArray[Any]]:
        return {name[len(head) :]: value for name, value in arrays.items() if name.startswith(head)}

    return AreaModel(
        labels=tuple(note["labels"]),
        colours=Colours(**part("colours.")),
        size_mm=float(note["size_mm"]),
        upright=bool(note["upright"]),
        cut=Cut(**note["cut"]),
        tops=Tops(**part("tops.")) if note.get("tops") is not None else None,
    )


def _tokens(arrays: Mapping[str, NDArray[Any]], note: Mapping[str, Any]) -> Tokens:
    return Tokens(
        labels=tuple(note["labels"]),
        boards=tuple(note["boards"]),
        radius_mm=float(note["radius_mm"]),
        **arrays,
    )

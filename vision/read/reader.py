"""Reads every slot of the boards that were found: the list of verbs that turns a scene into probabilities."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.fix import Located
from vision.pack import Kind, Pack, Slot
from vision.read.area import Patch, counts, find, log_odds
from vision.read.colours import print_density, table_density
from vision.read.cuts import Scene, backgrounds, on_board, scene
from vision.read.features import features
from vision.read.taught import Taught, group_of, place_key
from vision.read.tile import align, compare, moved_back, probabilities, whitened
from vision.read.track import read_track
from vision.rectify import Picture, inside

Floats = NDArray[np.float32]
# A tray has no stated capacity; nobody lays out more than this flat.
MOST_TOKENS = 20


@dataclass(frozen=True)
class Slots:
    """What lies where: the three parts of a `Reading` that concern slots."""

    tiles: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    counts: Mapping[str, Mapping[str, Mapping[int, float]]] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Reader:
    """Reads the slots of one taught pack."""

    pack: Pack
    taught: Taught

    @cached_property
    def _free(self) -> dict[str, NDArray[np.bool_]]:
        return backgrounds(self.pack)

    @cached_property
    def _groups(self) -> dict[str, list[Slot]]:
        groups: dict[str, list[Slot]] = {}
        for slot in self.pack.slots.values():
            groups.setdefault(group_of(slot), []).append(slot)
        return groups

    def read(self, frame: Picture, located: Located) -> Slots:
        """Probabilities for every slot; those out of the picture or covered are hidden."""
        seen = scene(frame, located, self.pack, self.taught.grounds, self._free)
        tiles: dict[str, dict[str, float]] = {}
        numbers: dict[str, dict[str, dict[int, float]]] = {}
        hidden = set()
        for group, slots in self._groups.items():
            visible = [slot for slot in slots if self._in_view(slot, located)]
            hidden |= {slot.id for slot in slots} - {slot.id for slot in visible}
            if not visible:
                continue
            match visible[0].kind:
                case Kind.TILE if group in self.taught.tiles:
                    tiles |= self._tiles(group, visible, seen)
                case Kind.TRACK if group in self.taught.tiles:
                    numbers |= {slot.id: self._track(group, slot, seen) for slot in visible}
                case Kind.CUBES | Kind.COUNT if group in self.taught.areas:
                    numbers |= {slot.id: self._area(group, slot, seen) for slot in visible}
                case _:
                    hidden |= {slot.id for slot in visible}
        return Slots(tiles, numbers, frozenset(hidden))

    def _in_view(self, slot: Slot, located: Located) -> bool:
        return slot.board in located.fixes and all(
            inside(located, slot.board, rect) for rect in slot.rects_mm
        )

    def _tiles(self, group: str, slots: list[Slot], seen: Scene) -> dict[str, dict[str, float]]:
        model = self.taught.tiles[group]
        wholes = seen.tiles(model.geometry, [(slot.board, slot.rect_mm) for slot in slots])
        rows = whitened(model, features(align(model, wholes).pictures, model.mask))
        bare_rows = whitened(model, features(self._middles(group, wholes), model.mask))
        prints = np.stack(
            [
                self.taught.bare_tiles.get(slot.id, np.full(rows.shape[1], np.nan, np.float32))
                for slot in slots
            ]
        )
        found = compare(model, rows, bare_rows, prints)
        return {slot.id: p for slot, p in zip(slots, probabilities(model, found), strict=True)}

    def _middles(self, group: str, wholes: Floats) -> Floats:
        geo = self.taught.tiles[group].geometry
        nowhere = np.zeros(2, np.float32)
        return np.stack([moved_back(whole, geo, nowhere, 0.0) for whole in wholes])

    def _track(self, group: str, slot: Slot, seen: Scene) -> dict[str, dict[int, float]]:
        model = self.taught.tiles[group]
        wholes = seen.tiles(model.geometry, [(slot.board, rect) for rect in slot.rects_mm])
        bare = [self.taught.bare_tiles.get(place_key(slot, i)) for i in range(len(slot.places_mm))]
        return read_track(model, wholes, self._middles(group, wholes), bare)

    def _area(self, group: str, slot: Slot, seen: Scene) -> dict[str, dict[int, float]]:
        model = self.taught.areas[group]
        logs = seen.area(slot)
        bare = self.taught.bare_areas.get(slot.id)
        lean = seen.lean(slot) if model.upright else (0.0, 0.0)
        if bare is None:
            patch = Patch(logs, table_density(logs), lean)
        else:
            patch = Patch(logs, print_density(logs, bare.logs), lean, bare.bare, bare.filled)
        most = slot.capacity or MOST_TOKENS
        picks = find(model, patch, most if most == 1 else most + 1)
        return counts(model, picks, log_odds(model, patch, picks), most)


def knows_print(pack: Pack, slot: Slot) -> bool:
    """Whether the ground of a slot is the board's print, which a photograph of the bare board shows."""
    return all(on_board(pack, slot.board, rect) for rect in slot.rects_mm)

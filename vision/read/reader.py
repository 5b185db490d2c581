"""Reads every slot of the boards that were found: the list of verbs that turns a scene into probabilities."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.fix import Located
from vision.pack import Kind, Pack, Slot
from vision.read.area import Patch, counts, find, log_odds
from vision.read.colours import table_density
from vision.read.cuts import Scene, backgrounds, on_board, scene
from vision.read.features import features, logs
from vision.read.hidden import SETTINGS as HIDDEN
from vision.read.hidden import covered_share, foreign_print, unlike_table
from vision.read.taught import SINGLE, Taught, group_of, is_single, place_key, places_as_areas
from vision.read.tile import align, compare, moved_back, probabilities, strangeness, whitened
from vision.read.track import read_markers, read_track
from vision.reading import EMPTY
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
        covered = self._covered(seen)
        tiles: dict[str, dict[str, float]] = {}
        numbers: dict[str, dict[str, dict[int, float]]] = {}
        hidden = set()
        for group, slots in self._groups.items():
            visible = [slot for slot in slots if self._in_view(slot, located)]
            # A tile on print is judged by what is seen of it; everything else by the print around it.
            visible = [s for s in visible if covered[s.id] < HIDDEN.covered or self._judged(s)]
            hidden |= {slot.id for slot in slots} - {slot.id for slot in visible}
            if not visible:
                continue
            match visible[0].kind:
                case Kind.TILE if group in self.taught.tiles:
                    read, strange = self._tiles(group, visible, seen)
                    tiles |= read
                    hidden |= {
                        slot for slot, share in strange.items() if share > self._tolerance(covered[slot])
                    }
                case Kind.TRACK if group in self.taught.areas:
                    numbers |= {slot.id: self._crowd(group, slot, seen) for slot in visible}
                case Kind.TRACK if group in self.taught.tiles:
                    numbers |= {slot.id: self._track(group, slot, seen) for slot in visible}
                case Kind.CUBES | Kind.COUNT if group in self.taught.areas:
                    numbers |= self._areas(group, visible, seen)
                case _:
                    hidden |= {slot.id for slot in visible}
        hidden |= {slot for slot in self._off_table(seen, tiles) if covered[slot] > HIDDEN.touched}
        return Slots(
            {slot: p for slot, p in tiles.items() if slot not in hidden},
            {slot: p for slot, p in numbers.items() if slot not in hidden},
            frozenset(hidden),
        )

    def _judged(self, slot: Slot) -> bool:
        return slot.kind is Kind.TILE and slot.id in self.taught.bare_tiles

    def _covered(self, seen: Scene) -> dict[str, float]:
        """For each slot of the boards in view, how much of the print around it is not to be seen."""
        shares = {}
        for name, light in seen.lights.items():
            if name not in self.taught.grounds:
                continue
            foreign = foreign_print(
                self.taught.grounds[name], seen.small[name], light, self.pack.boards[name]
            )
            for slot in self.pack.slots_of(name):
                shares[slot.id] = min(covered_share(foreign, self._free[name], r) for r in slot.rects_mm)
        return {slot: shares.get(slot, 0.0) for slot in self.pack.slots}

    @staticmethod
    def _tolerance(covered: float) -> float:
        """How strange a slot may look before it counts as hidden: less where something covers the print nearby."""
        return HIDDEN.strange / 5 if covered > HIDDEN.half_covered else HIDDEN.strange

    def _off_table(self, seen: Scene, tiles: Mapping[str, Mapping[str, float]]) -> set[str]:
        """Places beside the boards that look bare but not like the table: something lies over them."""
        tones = {}
        for slot in self.pack.slots.values():
            p = tiles.get(slot.id)
            if p is None or knows_print(self.pack, slot) or p[EMPTY] < 0.5:
                continue
            geo = self.taught.tiles[group_of(slot)].geometry
            picture = seen.tiles(geo, [(slot.board, slot.rect_mm)])[0]
            tones[slot.id] = np.asarray(np.median(logs(picture), axis=(0, 1)), np.float32)
        return unlike_table(tones)

    def _in_view(self, slot: Slot, located: Located) -> bool:
        return slot.board in located.fixes and all(
            inside(located, slot.board, rect) for rect in slot.rects_mm
        )

    def _tiles(
        self, group: str, slots: list[Slot], seen: Scene
    ) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
        """Probabilities, and how strange each slot looks."""
        model = self.taught.tiles[group]
        wholes = seen.tiles(model.geometry, [(slot.board, slot.rect_mm) for slot in slots])
        aligned = align(model, wholes)
        rows = whitened(model, features(aligned.pictures, model.mask))
        bare_rows = whitened(model, features(self._middles(group, wholes), model.mask))
        nothing = np.full(rows.shape[1], np.nan, np.float32)
        prints = np.stack([self.taught.bare_tiles.get(slot.id, nothing) for slot in slots])
        found = compare(model, aligned, rows, bare_rows, prints)
        ids = [slot.id for slot in slots]
        strange = dict(zip(ids, strangeness(model, found).tolist(), strict=True))
        return dict(zip(ids, probabilities(model, found), strict=True)), strange

    def _middles(self, group: str, wholes: Floats) -> Floats:
        geo = self.taught.tiles[group].geometry
        nowhere = np.zeros(2, np.float32)
        return np.stack([moved_back(whole, geo, nowhere, 0.0) for whole in wholes])

    def _track(self, group: str, slot: Slot, seen: Scene) -> dict[str, dict[int, float]]:
        model = self.taught.tiles[group]
        wholes = seen.tiles(model.geometry, [(slot.board, rect) for rect in slot.rects_mm])
        bare = [self.taught.bare_tiles.get(place_key(slot, i)) for i in range(len(slot.places_mm))]
        return read_track(model, wholes, self._middles(group, wholes), bare)

    def _crowd(self, group: str, slot: Slot, seen: Scene) -> dict[str, dict[int, float]]:
        patches = [self._patch(group, place, seen) for place in places_as_areas(slot)]
        return read_markers(self.taught.areas[group], patches)

    def _areas(self, group: str, slots: list[Slot], seen: Scene) -> dict[str, dict[str, dict[int, float]]]:
        single = SINGLE + group
        alone = [slot for slot in slots if is_single(slot) and single in self.taught.tiles]
        numbers = {slot.id: self._area(group, slot, seen) for slot in slots if slot not in alone}
        if alone:
            read, _ = self._tiles(single, alone, seen)
            for slot in alone:
                numbers[slot.id] = _single(read[slot.id], self._area(group, slot, seen))
        return numbers

    def _patch(self, group: str, slot: Slot, seen: Scene) -> Patch:
        model = self.taught.areas[group]
        colours = seen.area(slot)
        bare = self.taught.bare_areas.get(slot.id)
        lean = seen.lean(slot) if model.upright else (0.0, 0.0)
        if bare is None:
            return Patch(colours, table_density(colours), lean)
        ground = model.colours.ground(bare.print.off(colours))
        return Patch(colours, ground, lean, bare.bare, bare.filled)

    def _area(self, group: str, slot: Slot, seen: Scene) -> dict[str, dict[int, float]]:
        model = self.taught.areas[group]
        patch = self._patch(group, slot, seen)
        most = slot.capacity or MOST_TOKENS
        picks = find(model, patch, most if most == 1 else most + 1)
        return counts(model, picks, log_odds(model, patch, picks), most)


def _single(
    tile: Mapping[str, float], area: Mapping[str, Mapping[int, float]]
) -> dict[str, dict[int, float]]:
    """A place for one cube: the hidden print says whether there is one, its colour says which."""
    there = 1 - tile[EMPTY]
    votes = {label: tile[label] / max(there, 1e-9) * 0.5 for label in area}
    total = sum(numbers.get(1, 0.0) for numbers in area.values())
    for label, numbers in area.items():
        votes[label] += 0.5 * (numbers.get(1, 0.0) / total if total > 0.02 else votes[label] * 2)
    scale = sum(votes.values())
    return {label: {0: 1 - there * vote / scale, 1: there * vote / scale} for label, vote in votes.items()}


def knows_print(pack: Pack, slot: Slot) -> bool:
    """Whether the ground of a slot is the board's print, which a photograph of the bare board shows."""
    return all(on_board(pack, slot.board, rect) for rect in slot.rects_mm)

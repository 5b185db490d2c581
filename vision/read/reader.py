"""Reads every slot of the boards that were found: the list of verbs that turns a scene into probabilities."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.fix import Located
from vision.pack import Kind, Pack, Rect, Slot
from vision.read.again import lies, unmoved
from vision.read.area import SETTINGS as AREA
from vision.read.area import AreaModel, counts
from vision.read.burnt import burnt_shares, doubt, doubted_counts, doubted_tile
from vision.read.compare import Places, compare, likest, probabilities, strangeness, unless_alike
from vision.read.cubes import Area, find_cubes, lies_open, no_cube, uncovered_share, unseen_cube
from vision.read.cuts import Scene, backgrounds, bare_tables, on_board, reaches, scene
from vision.read.features import features
from vision.read.hidden import SETTINGS as HIDDEN
from vision.read.hidden import (
    all_bare,
    changed_alone,
    covered_shares,
    foreign_print,
    hides,
    may_hide,
    unlike_table,
)
from vision.read.markers import read_markers
from vision.read.memory import Content, Looks, Memory, looks, tone
from vision.read.seek import align_unless_bare, middles
from vision.read.taught import Taught, area_as_expected, areas_as_seen, group_of, place_key, places_as_areas
from vision.read.tile import whitened
from vision.read.tokens import Tray, find_tokens
from vision.read.track import ABSENT, read_tracks
from vision.read.untaught import how_far, strayed
from vision.read.veil import unveiled
from vision.read.vouch import Bare, Hearing, vouched
from vision.read.washed import told_through_veil
from vision.reading import EMPTY
from vision.rectify import Picture, all_inside

Floats = NDArray[np.float32]
# Slots of one set that are read in one go: a whole board's, which vouch for one another; more would fill the memory.
HANDFUL = 256
FAR_MM = 1e5  # farther than any table reaches
# A tray has no stated capacity; nobody lays out more than this flat.
MOST_PIECES = 20


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
    def _reach_mm(self) -> dict[str, Rect]:
        return reaches(self.pack)

    @cached_property
    def _tables(self) -> dict[str, NDArray[np.bool_]]:
        return bare_tables(self.pack, self._reach_mm)

    @cached_property
    def _rects_mm(self) -> dict[str, tuple[list[str], list[Rect]]]:
        """For each board all rectangles of its slots, and whose they are."""
        result = {}
        for board in self.pack.boards:
            both = [(slot.id, rect) for slot in self.pack.slots_of(board) for rect in slot.rects_mm]
            result[board] = [slot for slot, _ in both], [rect for _, rect in both]
        return result

    @cached_property
    def _groups(self) -> dict[str, list[Slot]]:
        groups: dict[str, list[Slot]] = {}
        for slot in self.pack.slots.values():
            groups.setdefault(group_of(slot), []).append(slot)
        return groups

    def read(self, frame: Picture, located: Located, memory: Memory | None = None) -> Slots:
        """Probabilities for every slot; those out of the picture or covered are hidden.

        With a `memory` of earlier frames only slots that look different now are read again.
        """
        seen = scene(frame, located, self.pack, self.taught.grounds, self._free, self._reach_mm, self._tables)
        covered = self._covered(seen)
        in_view = self._in_view(located)
        # A tile is judged by what is seen of it; everything else by the print around it.
        visible = {
            group: [
                slot
                for slot in slots
                if slot.id in in_view and (covered[slot.id] < HIDDEN.covered or slot.kind is Kind.TILE)
            ]
            for group, slots in self._groups.items()
        }
        # One after the other: reading is thousands of short steps, and threads would wait for Python after each.
        now = looks(seen, (slot for slots in visible.values() for slot in slots))
        contents = memory.recall(now) if memory is not None else {}
        lying = memory.lying(slot for slot in now if slot not in contents) if memory is not None else {}
        same: dict[str, Content] = {}
        for slots in visible.values():
            same |= self._unmoved(slots, lying, seen)
        contents |= same
        changed = {g: [s for s in slots if s.id not in contents] for g, slots in visible.items()}
        fresh: dict[str, Content] = {}
        for group, some in in_handfuls(changed):
            fresh |= self._group(group, some, seen, contents | fresh)
        if memory is not None:
            fresh |= self._under_cloth(now, fresh, memory)
            seen_well = {slot: one for slot, one in fresh.items() if one.strange <= HIDDEN.strange}
            memory.keep(now, same | seen_well)
        contents |= fresh
        tiles = {slot: one.tile for slot, one in contents.items() if one.tile is not None}
        numbers = {slot: one.counts for slot, one in contents.items() if one.counts is not None}
        hidden = {slot for slot in self.pack.slots if slot not in tiles and slot not in numbers}
        hidden |= {s for s, one in contents.items() if one.strange > self._tolerance(covered[s])}
        # A tile on print that is not recognised is strange; of one on the table only the print nearby can tell.
        hidden |= {s for s, p in tiles.items() if s not in self.taught.bare_tiles and hides(covered[s], p)}
        on_table = {slot: p for slot, p in tiles.items() if slot not in hidden}
        hidden |= {slot for slot in self._off_table(now, on_table) if covered[slot] > HIDDEN.touched}
        for slot, share in self._doubts(seen).items():
            if slot in tiles:
                tiles[slot] = doubted_tile(tiles[slot], share)
            elif slot in numbers:
                numbers[slot] = doubted_counts(numbers[slot], share, possible(self.pack.slots[slot]))
        return Slots(
            {slot: p for slot, p in tiles.items() if slot not in hidden},
            {slot: p for slot, p in numbers.items() if slot not in hidden},
            frozenset(hidden),
        )

    def _doubts(self, seen: Scene) -> dict[str, float]:
        """Slots of which too much is burnt out to be sure, and how much of a doubt that is."""
        worst: dict[str, float] = {}
        for board in seen.lights:
            slots, rects = self._rects_mm[board]
            shares = burnt_shares(seen.sheet(board), rects).tolist()
            for slot, share in zip(slots, shares, strict=True):
                worst[slot] = max(worst.get(slot, 0.0), doubt(share))
        return {slot: share for slot, share in worst.items() if share > 0}

    def _group(
        self, group: str, slots: list[Slot], seen: Scene, others: Mapping[str, Content]
    ) -> dict[str, Content]:
        """The slots of one set that are not covered; none for a set that was never taught.

        `others` are slots of which the contents are known already.
        """
        if not slots:
            return {}
        match slots[0].kind:
            case Kind.TILE if group in self.taught.tiles:
                return self._tiles(group, slots, seen, others)
            case Kind.TRACK if group in self.taught.areas:
                return {slot.id: self._crowd(group, slot, seen) for slot in slots}
            case Kind.TRACK if group in self.taught.tiles:
                return self._tracks(group, slots, seen)
            case Kind.CUBES if group in self.taught.areas:
                return self._cubes(group, slots, seen)
            case Kind.COUNT if group in self.taught.tokens:
                return {slot.id: self._tokens(group, slot, seen) for slot in slots}
            case _:
                return {}

    def _covered(self, seen: Scene) -> dict[str, float]:
        """For each slot of the boards in view, how much of the print around it is not to be seen."""
        shares: dict[str, float] = {}
        for name, light in seen.lights.items():
            if name not in self.taught.grounds:
                continue
            foreign = foreign_print(
                self.taught.grounds[name], seen.small[name], light, self.pack.boards[name]
            )
            slots, rects = self._rects_mm[name]
            for slot, share in zip(slots, covered_shares(foreign, self._free[name], rects), strict=True):
                shares[slot] = min(float(share), shares.get(slot, 1.0))
        return {slot: shares.get(slot, 0.0) for slot in self.pack.slots}

    @staticmethod
    def _tolerance(covered: float) -> float:
        """How strange a slot may look before it counts as hidden: less where something covers the print nearby."""
        return HIDDEN.strange / 5 if covered > HIDDEN.half_covered else HIDDEN.strange

    def _off_table(self, now: Looks, tiles: Mapping[str, Mapping[str, float]]) -> set[str]:
        """Places beside the boards that look bare but not like the table: something lies over them."""
        tones = {
            slot.id: tone(now[slot.id])
            for slot in self._beside
            if slot.id in tiles and tiles[slot.id][EMPTY] >= 0.5
        }
        return unlike_table(tones)

    @cached_property
    def _beside(self) -> list[Slot]:
        """Slots whose ground is the table."""
        return [slot for slot in self.pack.slots.values() if not knows_print(self.pack, slot)]

    def _in_view(self, located: Located) -> set[str]:
        """Slots that lie wholly in the picture, and tracks of one marker of which some place does: it stands on no other."""
        result = set()
        for board in located.fixes:
            slots, rects = self._rects_mm[board]
            within = all_inside(located, board, rects)
            some = {slot for slot, whole in zip(slots, within, strict=True) if whole}
            outside = {slot for slot, whole in zip(slots, within, strict=True) if not whole}
            result |= some - {slot for slot in outside if not self._has_one_marker(self.pack.slots[slot])}
        return result

    def _has_one_marker(self, slot: Slot) -> bool:
        return slot.kind is Kind.TRACK and len(slot.labels) == 1 and group_of(slot) in self.taught.tiles

    def _unmoved(self, slots: list[Slot], before: Mapping[str, Content], seen: Scene) -> dict[str, Content]:
        """Of the slots of one set, those that hold a tile, a marker or nothing just as before, though the light is another."""
        kept = {slot: one for slot in slots if (one := before.get(slot.id)) is not None}
        how = [one.lie for one in kept.values() if one.lie is not None]
        if not how:
            return {}
        sheets = [seen.sheet(slot.board) for slot in kept]
        lights = [seen.lights[slot.board] for slot in kept]
        same = unmoved(self.taught.tiles[group_of(slots[0])], sheets, lights, how)
        return {slot.id: one for (slot, one), yes in zip(kept.items(), same, strict=True) if yes}

    def _tiles(
        self, group: str, slots: list[Slot], seen: Scene, others: Mapping[str, Content]
    ) -> dict[str, Content]:
        model = self.taught.tiles[group]
        where = [(slot.board, slot.rect_mm) for slot in slots]
        wholes = seen.tiles(model.geometry, where)
        known = [i for i, slot in enumerate(slots) if slot.id in self.taught.bare_tiles]
        guessed = [i for i, slot in enumerate(slots) if i not in known and knows_print(self.pack, slot)]
        like = self._prints_of(group)
        bare_rows, prints = np.full((2, len(slots), model.means.shape[1]), np.nan, np.float32)
        if known:
            bare_rows[known] = whitened(model, features(middles(model.geometry, wholes[known]), model.mask))
            prints[known] = [self.taught.bare_tiles[slots[i].id] for i in known]
        if guessed and len(like):
            bare_rows[guessed] = whitened(
                model, features(middles(model.geometry, wholes[guessed]), model.mask)
            )
            prints[guessed] = likest(bare_rows[guessed], like)
        aligned = align_unless_bare(model, wholes, bare_rows, prints)
        places = Places(aligned, bare_rows, prints)
        far = how_far(model, aligned)
        before = [one.far for slot in self._groups[group] if (one := others.get(slot.id)) and one.far]
        pieces = np.array([*far[~np.isnan(far)], *before], np.float32)
        found = unless_alike(compare(model, places, strayed=strayed(model, pieces)), guessed)
        through = told_through_veil(model, places, seen.burnt(where), found)
        unveiling = np.minimum(through.to_empty - found.to_empty, 0)
        hearing = Hearing(model, places, self._bare_before(group, seen, others), unveiling)
        found = vouched(hearing, through, self._middles_mm(slots))
        strange, tiles = strangeness(model, found).tolist(), probabilities(model, found)
        likeliest = found.to_label.argmax(axis=1).tolist()
        read = [-1 if tile[EMPTY] > 0.5 else label for tile, label in zip(tiles, likeliest, strict=True)]
        how = lies(model, [slot.rect_mm for slot in slots], wholes, aligned, read)
        away = [None if np.isnan(one) else float(one) for one in far]
        return {slot.id: Content(tiles[i], None, strange[i], how[i], away[i]) for i, slot in enumerate(slots)}

    def _middles_mm(self, slots: Sequence[Slot]) -> NDArray[np.float64]:
        """The middles of slots, N x 2; each board lies far from the one before it."""
        boards = {name: FAR_MM * i for i, name in enumerate(self.pack.boards)}
        rects = np.array([slot.rect_mm for slot in slots])
        away = np.array([[boards[slot.board]] for slot in slots])
        return np.asarray(rects[:, :2] + rects[:, 2:] / 2 + away, np.float64)

    def _bare_before(self, group: str, seen: Scene, others: Mapping[str, Content]) -> Bare:
        """The places of a set of which it is known already that they are bare."""
        model, prints = self.taught.tiles[group], self.taught.bare_tiles
        slots = [
            slot
            for slot in self._groups[group]
            if slot.id in prints and slot.id in others and is_bare(others[slot.id])
        ]

        def rows(some: NDArray[np.int64]) -> Floats:
            places = [(slots[i].board, slots[i].rect_mm) for i in some]
            wholes = seen.tiles(model.geometry, places)
            return whitened(model, features(middles(model.geometry, wholes), model.mask))

        known = [prints[slot.id] for slot in slots]
        return Bare(np.stack(known) if known else np.zeros((0, model.means.shape[1]), np.float32), rows)

    def _prints_of(self, group: str) -> Floats:
        """The bare prints of a set's tile slots, as far as they are known."""
        slots = self._groups[group]
        known = [self.taught.bare_tiles[slot.id] for slot in slots if slot.id in self.taught.bare_tiles]
        return np.stack(known) if known else np.zeros((0, 0), np.float32)

    def _tracks(self, group: str, slots: list[Slot], seen: Scene) -> dict[str, Content]:
        model = self.taught.tiles[group]
        places = [(slot.board, rect) for slot in slots for rect in slot.rects_mm]
        wholes = seen.tiles(model.geometry, places)
        lengths = [len(slot.places_mm) for slot in slots]
        bare = [
            self.taught.bare_tiles.get(place_key(slot, i))
            for slot, length in zip(slots, lengths, strict=True)
            for i in range(length)
        ]
        found = read_tracks(model, wholes, bare, [rect for _, rect in places], lengths)
        own = np.split(middles(model.geometry, wholes), np.cumsum(lengths)[:-1])
        return {
            slot.id: Content(None, one.counts, float(self._lost(slot, one.counts, pictures, seen)), one.lie)
            for slot, one, pictures in zip(slots, found, own, strict=True)
        }

    def _lost(
        self, slot: Slot, counts: Mapping[str, Mapping[int, float]], places: Floats, seen: Scene
    ) -> bool:
        """Whether a marker may stand where nobody can see it.

        It does when a place lies out of the picture and it is found on none that lies in it; or when it is recognised
        nowhere beside its board, and yet something lies on one of the places: a lamp near by burns it out.
        """
        within = all_inside(seen.located, slot.board, slot.rects_mm)
        if not within.all():
            (places_p,) = counts.values()
            return all(p < HIDDEN.found for place, p in places_p.items() if place != ABSENT and within[place])
        return not knows_print(self.pack, slot) and nothing_found(slot, counts) and not all_bare(places)

    def _crowd(self, group: str, slot: Slot, seen: Scene) -> Content:
        """A track whose places are areas, of which the print is always known."""
        model = self.taught.areas[group]
        places = places_as_areas(slot)
        prints = [self.taught.bare_areas[place.id] for place in places]
        veiled = np.stack([seen.area(place) for place in places])
        clear = unveiled(veiled, np.stack([one.logs for one in prints]), slot.places_mm)
        counts, ground = read_markers(model, clear, [one.print for one in prints])
        sure = min((max(p.values()) for p in counts.values()), default=1.0)
        # A place that shows neither print nor marker may hide one: the one that is not found elsewhere.
        covered = sure < HIDDEN.found and may_hide(ground, model.colours.likely)
        return Content(counts=counts, strange=float(covered))

    def _under_cloth(self, now: Looks, fresh: Mapping[str, Content], memory: Memory) -> dict[str, Content]:
        """Places beside the boards where nothing is found and the table itself looks another: all of it is hidden."""
        beside = {slot.id: slot for slot in self._beside if slot.id in now}
        bare = {
            slot: one
            for slot, one in fresh.items()
            if slot in beside and one.counts is not None and nothing_found(beside[slot], one.counts)
        }
        if not bare:
            return {}
        tones = {slot: memory.tone(slot) for slot in beside}
        changes = {slot: tone(now[slot]) - before for slot, before in tones.items() if before is not None}
        return {slot: replace(bare[slot], strange=1.0) for slot in changed_alone(changes) if slot in bare}

    def _cubes(self, group: str, slots: list[Slot], seen: Scene) -> dict[str, Content]:
        """The cubes of each area; what the print beneath them looks like is told for many areas in one go."""
        model, prints = self.taught.areas[group], self.taught.bare_areas
        areas = {slot.id: area_as_expected(model, seen, slot, prints.get(slot.id)) for slot in slots}
        doubtful = [
            slot for slot in areas if slot in prints and not lies_open(areas[slot], model.colours.likely)
        ]
        areas |= zip(doubtful, areas_as_seen(model, [areas[slot] for slot in doubtful]), strict=True)
        return {slot.id: self._standing(model, slot, areas[slot.id]) for slot in slots}

    def _standing(self, model: AreaModel, slot: Slot, area: Area) -> Content:
        """The cubes of one area."""
        most = slot.capacity or MOST_PIECES
        on_print, likely = slot.id in self.taught.bare_areas, model.colours.likely
        if on_print and lies_open(area, likely):
            return Content(counts=counts(model.labels, [no_cube(len(model.labels))], most))
        # One more than can lie there: a full area and one too many look different.
        tried = most if most == 1 else most + 1
        cubes = find_cubes(model.colours, model.cut, area, tried, model.tops)
        strange = float(on_print and uncovered_share(area, cubes) > HIDDEN.cloth)
        if on_print:
            cubes = [*cubes, *unseen_cube(area, likely, cubes)]
        return Content(counts=counts(model.labels, cubes, most), strange=strange)

    def _tokens(self, group: str, slot: Slot, seen: Scene) -> Content:
        tokens = self.taught.tokens[group]
        most = slot.capacity or MOST_PIECES
        bare = self.taught.bare_areas.get(slot.id)
        radius_px = tokens.radius_mm * AREA.px_per_mm
        tray = Tray.of(seen.area(slot), None if bare is None else bare.logs, radius_px)
        found = find_tokens(tokens.on(slot.board), tray, AREA.px_per_mm, AREA.margin_mm)
        return Content(counts=counts(tokens.labels, found[: most + 1], most))


def in_handfuls(groups: Mapping[str, Sequence[Slot]]) -> list[tuple[str, list[Slot]]]:
    """The slots of each set, so many at a time that their pictures fit into a small computer's memory."""
    return [
        (group, list(slots[i : i + HANDFUL]))
        for group, slots in groups.items()
        for i in range(0, len(slots), HANDFUL)
    ]


def is_bare(one: Content) -> bool:
    """Whether a tile's place was seen to be bare, nothing lying over it."""
    return one.tile is not None and one.tile[EMPTY] > 0.5 and one.strange <= HIDDEN.strange


def nothing_found(slot: Slot, counts: Mapping[str, Mapping[int, float]]) -> bool:
    """Whether no piece is likely there: none of a label, or its marker on no place of the track."""
    none = ABSENT if slot.kind is Kind.TRACK else 0
    return all(p.get(none, 0.0) > 0.5 for p in counts.values())


def possible(slot: Slot) -> range:
    """How many of a label may lie in a slot, or the places of a track where a marker may stand, nowhere among them."""
    if slot.kind is Kind.TRACK:
        return range(ABSENT, len(slot.places_mm))
    return range((slot.capacity or MOST_PIECES) + 1)


def knows_print(pack: Pack, slot: Slot) -> bool:
    """Whether the ground of a slot is the board's print, which a photograph of the bare board shows."""
    return all(on_board(pack, slot.board, rect) for rect in slot.rects_mm)

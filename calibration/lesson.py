"""What the photographs of an enrolment show of the pieces, kind by kind, as models that reading uses."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.contradictions import Listed, contradictions
from calibration.enrolment import Loose, Photo
from vision.boards import Models
from vision.fix import Located, homography, project
from vision.pack import Kind, Pack, Slot
from vision.read import area, tile
from vision.read.area import AreaLesson, AreaModel, Patch
from vision.read.colours import Print, print_density, table_density
from vision.read.cubes import SETTINGS as CUBES
from vision.read.cubes import CubeSettings, find_cubes, heart_of
from vision.read.cut import Cut, learn_cut
from vision.read.cuts import Scene, backgrounds, ground, on_board, reaches, scene
from vision.read.features import features
from vision.read.light import even
from vision.read.looks import sort_out
from vision.read.marker_training import MarkerLesson, learn_markers
from vision.read.seek import moved_back
from vision.read.taught import (
    BareArea,
    area_of,
    group_of,
    place_key,
    places_as_areas,
)
from vision.read.tile import Geometry, TileModel, geometry, whitened
from vision.read.tile_training import Example, train
from vision.read.token_training import TokenLesson, learn_tokens
from vision.read.tokens import Tokens
from vision.read.tops import Tops, learn_tops, top_colour
from vision.read.track import ABSENT
from vision.read.veil import unveiled
from vision.reading import EMPTY
from vision.rectify import Picture, warp_quad

Floats = NDArray[np.float32]
# Of the size learnt by colour: those tried by shape, which sees how far a cube reaches beyond its brightest part.
CUBE_SIZES = (0.76, 0.82, 0.88, 0.94, 1.0, 1.06, 1.13)
# Sizes are told apart without a second look at what is in doubt: at a wrong one nearly everything is.
AT_A_GLANCE = replace(CUBES, doubtful=(0.0, 0.0))
CLEAR_SIZE = 0.0  # log-odds of the least clear cubes taught, above which their size is the right one
# Bare pictures of table and board that pieces are laid on in training; more look alike.
MOST_GROUNDS = 60


@dataclass(frozen=True, eq=False)
class Shot:
    """A photograph with its boards found and its light measured."""

    photo: Photo
    scene: Scene


class Lesson:
    """All photographs of an enrolment, cut up slot by slot on demand."""

    def __init__(
        self,
        pack: Pack,
        models: Models,
        photos: list[Photo],
        pictures: Mapping[Path, Picture],
        places: Mapping[Path, Located],
        unseen: frozenset[str] = frozenset(),
    ) -> None:
        self.pack = pack
        self.unseen = unseen  # slots whose bare print no photograph shows
        self.lens = models.lens
        self.pictures = pictures
        self.loose = [(photo, piece) for photo in photos for piece in photo.loose]
        self.grounds: dict[str, Picture] = {}
        self.bare: dict[str, Scene] = {}
        self.tables: dict[str, Scene] = {}
        free = backgrounds(pack)
        for photo in photos:
            for board in places[photo.path].fixes if photo.empty else ():
                if board not in self.grounds:
                    located = places[photo.path]
                    self.grounds[board] = ground(pictures[photo.path], located, pack.boards[board])
                    lights = {name: even(pack.boards[name]) for name in located.fixes}
                    self.bare[board] = Scene(pictures[photo.path], located, lights, reaches(pack))
        for photo in photos:
            # Without a photograph of the bare board, the first one of it is the measure of light.
            for board, fix in places[photo.path].fixes.items():
                if board not in self.grounds:
                    located = replace(places[photo.path], fixes={board: fix})
                    self.grounds[board] = ground(pictures[photo.path], located, pack.boards[board])
        self.shots = [
            Shot(photo, scene(pictures[photo.path], places[photo.path], pack, self.grounds, free))
            for photo in photos
            if places[photo.path].fixes
        ]

    def groups(self) -> dict[str, list[Slot]]:
        groups: dict[str, list[Slot]] = {}
        for slot in self.pack.slots.values():
            groups.setdefault(group_of(slot), []).append(slot)
        return groups

    def tile_model(self, slots: list[Slot]) -> TileModel | None:
        """A model of tile slots or track places; None when no piece was shown."""
        sizes = np.array([rect[2:] for slot in slots for rect in slot.rects_mm[:1]])
        share = tile.SETTINGS.track_margin_share if slots[0].kind is Kind.TRACK else None
        geo = geometry((float(np.median(sizes[:, 0])), float(np.median(sizes[:, 1]))), share)
        labels = slots[0].labels
        examples = [
            self._example(shot, slot, place, label, geo) for shot, slot, place, label in self._shown(slots)
        ]
        examples += [
            Example(
                labels.index(piece.label),
                self._loose_picture(photo, piece, geo),
                None,
                True,
                f"{photo.path.name}#{i}",
            )
            for i, (photo, piece) in enumerate(self.loose)
            if piece.pieces == slots[0].pieces
        ]
        if not examples:
            return None
        return train(labels, examples, self._grounds_of(slots, geo), geo)

    def _shown(self, slots: list[Slot]) -> list[tuple[Shot, Slot, int, str]]:
        """Every piece that was shown in a slot: photograph, slot, place, label."""
        shown = []
        for shot in self.shots:
            for slot in slots:
                content = shot.photo.slots.get(slot.id)
                if content is None or slot.board not in shot.scene.located.fixes:
                    continue
                if isinstance(content, str):
                    if content != EMPTY:
                        shown.append((shot, slot, 0, content))
                    continue
                # Two markers on one place hide each other: neither is a good example.
                alone = [p for p in content.values() if p >= 0 and list(content.values()).count(p) == 1]
                shown += [(shot, slot, place, label) for label, place in content.items() if place in alone]
        return shown

    def contradictions(self, tiles: Mapping[str, TileModel]) -> dict[str, str]:
        """Labels of tile slots that were listed wrongly, with the reason."""
        wrong: dict[str, str] = {}
        for group, slots in self.groups().items():
            if slots[0].kind is Kind.TILE and group in tiles:
                model = tiles[group]
                listed = [
                    Listed(
                        f"{shot.photo.path.name}: {slot.id}",
                        slot.labels.index(label),
                        shot.scene.tiles(model.geometry, [(slot.board, slot.rects_mm[place])])[0],
                    )
                    for shot, slot, place, label in self._shown(slots)
                ]
                found = contradictions(model, listed)
                wrong |= {f"{slots[0].pieces}:{label}": why for label, why in found.items()}
        return wrong

    def _example(self, shot: Shot, slot: Slot, place: int, label: str, geo: Geometry) -> Example:
        rect = slot.rects_mm[place]
        whole = shot.scene.tiles(geo, [(slot.board, rect)])[0]
        bare = self.bare.get(slot.board)
        beneath = None
        if bare is not None and on_board(self.pack, slot.board, rect):
            beneath = bare.tiles(geo, [(slot.board, rect)])[0]
        elif bare is not None and bare.frame.shape == shot.scene.frame.shape:
            # The table stays where it is, so beside a board the bare ground is at the same place of the picture.
            beneath = self._table(shot, bare).tiles(geo, [(slot.board, rect)])[0]
        return Example(slot.labels.index(label), whole, beneath, place=f"{slot.id}#{place}")

    def _table(self, shot: Shot, bare: Scene) -> Scene:
        """The bare table beneath a photograph's own boards."""
        key = str(shot.photo.path)
        if key not in self.tables:
            self.tables[key] = Scene(bare.frame, shot.scene.located, shot.scene.lights, reaches(self.pack))
        return self.tables[key]

    def _loose_picture(self, photo: Photo, piece: Loose, geo: Geometry) -> Floats:
        width, height = geo.size_px
        m = geo.margin_px
        inner = [(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)]
        outer = [(x + (m if x > 0 else -m), y + (m if y > 0 else -m)) for x, y in inner]
        corners = project(homography(inner, piece.corners_px), outer)
        return warp_quad(self.pictures[photo.path], corners, geo.whole_px).astype(np.float32)

    def _grounds_of(self, slots: list[Slot], geo: Geometry) -> list[Floats]:
        """Bare pictures of the slots, from every photograph in which they are bare."""
        grounds: list[Floats] = []
        for slot in slots:
            bare = self.bare.get(slot.board)
            if bare is not None:
                grounds += list(bare.tiles(geo, [(slot.board, rect) for rect in slot.rects_mm]))
        for shot in self.shots:
            for slot in slots:
                if shot.photo.slots.get(slot.id) in (EMPTY, {}) and slot.board in shot.scene.located.fixes:
                    grounds += list(shot.scene.tiles(geo, [(slot.board, slot.rect_mm)]))
        step = max(1, len(grounds) // MOST_GROUNDS)
        return grounds[::step]

    def bare_rows(self, slots: list[Slot], model: TileModel) -> dict[str, Floats]:
        """The bare print of every place on a board, in the model's own terms."""
        rows = {}
        nowhere = np.zeros(2, np.float32)
        for slot in slots:
            for place, rect in enumerate(slot.rects_mm):
                if not on_board(self.pack, slot.board, rect):
                    continue
                whole = self._bare_picture(slot, place, model.geometry)
                if whole is not None:
                    middle = moved_back(whole, model.geometry, nowhere, 0.0)
                    rows[place_key(slot, place)] = whitened(model, features(middle[None], model.mask))[0]
        return rows

    def _bare_picture(self, slot: Slot, place: int, geo: Geometry) -> Floats | None:
        bare = self.bare.get(slot.board)
        if bare is None or slot.id in self.unseen:
            return None
        return np.asarray(bare.tiles(geo, [(slot.board, slot.rects_mm[place])])[0])

    def area_model(self, slots: list[Slot]) -> AreaModel | None:
        """A model of cubes in areas of known print or on the table; None when none was shown."""
        labels = slots[0].labels
        lessons = []
        for shot, slot, content in self._listed(slots):
            bare = self._bare_logs(slot)
            logs = shot.scene.area(slot)
            density = table_density(logs) if bare is None else print_density(Print.of(bare).off(logs))
            numbers = tuple(content.get(label, 0) for label in labels)
            lessons.append(AreaLesson(Patch(logs, density, shot.scene.lean(slot)), bare, numbers))
        if not any(sum(lesson.content) for lesson in lessons):
            return None
        best = clearest(area.trained(labels, lessons), lambda model: self._cut(model, slots, AT_A_GLANCE))
        best = replace(best, cut=self._cut(best, slots))
        return replace(best, tops=self._tops(best, slots))

    def token_model(self, slots: list[Slot]) -> Tokens | None:
        """A model of flat tokens in areas; None when none was shown."""
        labels = slots[0].labels
        lessons = [
            TokenLesson(
                shot.scene.area(slot),
                self._grounds(shot, slot),
                slot.board,
                tuple(content.get(label, 0) for label in labels),
            )
            for shot, slot, content in self._listed(slots)
            if any(content.values())
        ]
        if not lessons:
            return None
        return learn_tokens(labels, lessons, area.SETTINGS.px_per_mm, area.SETTINGS.margin_mm)

    def _listed(self, slots: list[Slot]) -> list[tuple[Shot, Slot, Mapping[str, int]]]:
        """Every area of known content: photograph, slot, how many of each label."""
        listed = []
        for shot in self.shots:
            for slot in slots:
                content = shot.photo.slots.get(slot.id, {} if shot.photo.empty else None)
                seen = slot.board in shot.scene.located.fixes
                if seen and content is not None and not isinstance(content, str):
                    listed.append((shot, slot, content))
        return listed

    def _grounds(self, shot: Shot, slot: Slot) -> tuple[Floats | None, ...]:
        """What may lie beneath the tokens of an area: its print, or the table, as the bare photograph shows it or not."""
        print_, bare = self._bare_logs(slot), self.bare.get(slot.board)
        if print_ is not None:
            return (print_,)
        if bare is None or bare.frame.shape != shot.scene.frame.shape:
            return (None,)
        return None, self._table(shot, bare).area(slot)

    def _tops(self, model: AreaModel, slots: list[Slot]) -> Tops:
        """The colours of the tops of the cubes shown, dealt out so that the numbers of each label come right."""
        seen: list[Floats] = []
        contents: list[tuple[int, ...]] = []
        prints = self.bare_prints(slots, model.px_per_mm)
        for shot, slot, content in self._listed(slots):
            numbers = tuple(content.get(label, 0) for label in model.labels)
            if not sum(numbers):
                continue
            area = area_of(model, shot.scene, slot, prints.get(slot.id))
            found = find_cubes(model.colours, model.cut, area, sum(numbers))
            if len(found) == sum(numbers):
                colours = [top_colour(area.seen[heart_of(cube.at_px)]) for cube in found]
                seen.append(np.array(colours, np.float32))
                contents.append(numbers)
        dealt: list[list[Floats]] = [[] for _ in model.labels]
        for colours_, labels in zip(seen, sort_out(seen, contents) if seen else [], strict=True):
            for colour, label in zip(colours_, labels, strict=True):
                dealt[int(label)].append(colour)
        return learn_tops(dealt)

    def _cut(self, model: AreaModel, slots: list[Slot], settings: CubeSettings = CUBES) -> Cut:
        """How clearly the cubes shown were seen, and the clearest places without one."""
        cubes: list[float] = []
        nothings: list[float] = []
        prints = self.bare_prints(slots, model.px_per_mm)
        for shot in self.shots:
            for slot in slots:
                content = shot.photo.slots.get(slot.id)
                if content is None or isinstance(content, str) or slot.board not in shot.scene.located.fixes:
                    continue
                total = sum(content.values())
                area = area_of(model, shot.scene, slot, prints.get(slot.id))
                found = find_cubes(model.colours, Cut(), area, total + 1, settings=settings)
                answers = [cube.answer for cube in found]
                cubes += answers[:total] + [CUBES.hopeless] * (total - len(answers))
                nothings += answers[total:]
        return learn_cut(cubes, nothings)

    def crowd_model(self, slots: list[Slot]) -> AreaModel | None:
        """A model of markers that crowd each other; None when a place is not bare print or none was shown."""
        labels = slots[0].labels
        lessons: list[MarkerLesson] = []
        for slot in slots:
            places = places_as_areas(slot)
            known = [one for one in map(self._bare_logs, places) if one is not None]
            if len(known) < len(places):
                return None
            bare = np.stack(known)
            for shot in self.shots:
                content = shot.photo.slots.get(slot.id)
                if slot.board not in shot.scene.located.fixes or not isinstance(content, Mapping):
                    continue
                seen = unveiled(np.stack([shot.scene.area(place) for place in places]), bare, slot.places_mm)
                for place in set(content.values()) - {ABSENT}:
                    standing = tuple(int(content.get(label) == place) for label in labels)
                    lessons.append(MarkerLesson(seen[place], bare[place], standing))
        return learn_markers(labels, lessons) if lessons else None

    def _bare_logs(self, slot: Slot, px_per_mm: float = area.SETTINGS.px_per_mm) -> Floats | None:
        bare = self.bare.get(slot.board)
        if bare is None or slot.id in self.unseen or not on_board(self.pack, slot.board, slot.rect_mm):
            return None
        return bare.area(slot, px_per_mm)

    def bare_prints(self, slots: list[Slot], px_per_mm: float) -> dict[str, BareArea]:
        prints = {slot.id: self._bare_logs(slot, px_per_mm) for slot in slots}
        return {slot: BareArea(logs) for slot, logs in prints.items() if logs is not None}


def clearest(models: Iterable[AreaModel], cut: Callable[[AreaModel], Cut]) -> AreaModel:
    """Of models of cubes, the likeliest first, the one with whose size the cubes shown are seen most clearly.

    Colours that tell little mistake the size too; shape does not, and at a wrong one sees nothing clear.
    """
    best: AreaModel | None = None
    for model in models:
        sizes = [replace(model, size_mm=model.size_mm * share) for share in CUBE_SIZES]
        tried = [replace(one, cut=cut(one)) for one in sizes]
        best = max(tried if best is None else [best, *tried], key=lambda one: one.cut.clear)
        if best.cut.clear > CLEAR_SIZE:
            break
    if best is None:
        raise ValueError("no size of cubes to choose from")
    return best

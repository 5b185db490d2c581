"""Teaches a pack: from `enrol.toml` and its photographs to what the readers need, and a report of how well."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.bare import Bare, bared, barest_first
from calibration.boards import TaughtPhoto, teach_boards
from calibration.enrolment import Enrolment, Photo, load_enrolment
from calibration.lesson import CLEAR_SIZE, Lesson
from calibration.listed import located_as_listed
from calibration.margins import Margin, area_margin, tile_margin, token_margin
from calibration.shown_whole import check_colours, check_photo, cut_off, without_cut_off
from calibration.unlisted import supposed_bare
from vision.boards import Models, save_boards
from vision.fix import Fix, Located, homography
from vision.lens import Lens
from vision.pack import FILE as PACK_FILE
from vision.pack import TAUGHT_BOARDS, TAUGHT_PACK, TAUGHT_SLOTS, Kind, Pack, load_pack
from vision.picture import load_picture
from vision.read import area
from vision.read.area import AreaModel
from vision.read.taught import (
    BareArea,
    Taught,
    is_crowded,
    places_as_areas,
    save_taught,
)
from vision.read.tile import TileModel
from vision.read.tokens import Tokens
from vision.rectify import Picture

Floats = NDArray[np.float32]
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Report:
    """What enrolment learnt. `wanted` are labels that need (another) photograph, with the reason."""

    margins: tuple[Margin, ...]
    wanted: Mapping[str, str] = field(default_factory=dict)
    # photograph: board not found in it, or slot cut off by its edge
    missing: Mapping[str, str] = field(default_factory=dict)


def enrol(pack_dir: Path, progress: Progress = lambda _: None) -> Report:
    """Teaches the pack in `pack_dir` and writes `taught/` beside it."""
    pack = load_pack(pack_dir)
    enrolment = load_enrolment(pack)
    models, taught, report = teach(pack, enrolment, progress)
    save_boards(models, pack.dir / TAUGHT_BOARDS)
    save_taught(taught, pack.dir / TAUGHT_SLOTS)
    shutil.copyfile(pack.dir / PACK_FILE, pack.dir / TAUGHT_PACK)
    return report


def teach(pack: Pack, enrolment: Enrolment, progress: Progress) -> tuple[Models, Taught, Report]:
    """The same without touching the disk but to read photographs."""
    pictures = {photo.path: load_picture(photo.path) for photo in enrolment.photos}
    for photo in enrolment.photos:
        check_photo(photo, pictures[photo.path])
    check_colours(pictures)
    ordered = barest_first(enrolment.photos)
    progress("boards")
    cornered = [photo for photo in ordered if photo.corners_px]
    given = {photo.path: _given(pack, photo, pictures[photo.path], Lens()) for photo in cornered}
    # Pieces in the picture of a board would be looked for with it: first they go, then what they hid is filled in.
    cleared = bared(pack, supposed_bare(pack, cornered, pictures, given), pictures, given)
    models, places, missing = _boards(pack, ordered, cleared, pictures, progress)
    ordered, lost = without_cut_off(pack, ordered, places)
    if cleared:
        progress("the bare boards, from all photographs together")
        ordered = supposed_bare(pack, ordered, pictures, places)
        cleared = bared(pack, ordered, pictures, places)
        models, places, missing = _boards(pack, ordered, cleared, pictures, progress)
    pictures |= {bare.photo.path: bare.picture for bare in cleared}
    ordered = barest_first([*(bare.photo for bare in cleared), *ordered])
    unseen = {slot for bare in cleared for slot in bare.unseen}
    unseen |= {slot for photo in ordered if photo.empty for slot in cut_off(pack, places[photo.path])}
    lesson = Lesson(pack, models, ordered, pictures, places, frozenset(unseen))
    tiles: dict[str, TileModel] = {}
    areas: dict[str, AreaModel] = {}
    tokens: dict[str, Tokens] = {}
    bare_tiles: dict[str, Floats] = {}
    bare_areas: dict[str, BareArea] = {}
    margins = []
    for group, slots in lesson.groups().items():
        progress(group.replace(":", " "))
        crowd = lesson.crowd_model(slots) if is_crowded(slots[0]) else None
        if crowd is not None:
            areas[group] = crowd
            each = [place for slot in slots for place in places_as_areas(slot)]
            bare_areas |= lesson.bare_prints(each, area.SETTINGS.px_per_mm)
            margins.append(area_margin(group, crowd))
        elif slots[0].kind in (Kind.TILE, Kind.TRACK):
            model = lesson.tile_model(slots)
            if model is not None:
                tiles[group] = model
                bare_tiles |= lesson.bare_rows(slots, model)
                margins.append(tile_margin(group, model))
        elif slots[0].kind is Kind.COUNT:
            flat = lesson.token_model(slots)
            if flat is not None:
                tokens[group] = flat
                bare_areas |= lesson.bare_prints(slots, area.SETTINGS.px_per_mm)
                margins.append(token_margin(group, flat))
        else:
            learnt = lesson.area_model(slots)
            if learnt is not None:
                areas[group] = learnt
                bare_areas |= lesson.bare_prints(slots, learnt.px_per_mm)
                margins.append(area_margin(group, learnt))
    taught = Taught(lesson.grounds, tiles, areas, tokens, bare_tiles, bare_areas)
    wanted = {
        **mixed_up(tiles),
        **_wanted(pack, lesson, margins),
        **unclear(areas),
        **lesson.contradictions(tiles),
    }
    return models, taught, Report(tuple(margins), wanted, {**missing, **lost})


def _boards(
    pack: Pack,
    photos: list[Photo],
    cleared: list[Bare],
    pictures: Mapping[Path, Picture],
    progress: Progress,
) -> tuple[Models, dict[Path, Located], dict[str, str]]:
    """The boards as taught, where they lie in every photograph, and where one was not found."""
    pictures = {**pictures, **{bare.photo.path: bare.picture for bare in cleared}}
    photos = barest_first([*(bare.photo for bare in cleared), *photos])
    models = teach_boards(
        pack,
        [TaughtPhoto(pictures[p.path], p.corners_px) for p in photos if not p.loose or p.corners_px],
        progress=progress,
    )
    progress("finding the boards")
    missing: dict[str, str] = {}
    places = {photo.path: _place(pack, models, photo, pictures[photo.path], missing) for photo in photos}
    for bare in cleared:
        # Only the boards it was made for were cleared in it.
        places[bare.photo.path] = _given(pack, bare.photo, bare.picture, models.lens)
    return models, places, missing


def _place(pack: Pack, models: Models, photo: Photo, bgr: Picture, missing: dict[str, str]) -> Located:
    """Boards where corners were given, and where they are found."""
    size = bgr.shape[1], bgr.shape[0]
    given = _given(pack, photo, bgr, models.lens).fixes
    if set(given) == set(pack.boards) or (photo.loose and not photo.slots):
        return Located(size, models.lens, given)
    found = located_as_listed(pack, models, photo, bgr)
    needed = {pack.slots[slot].board for slot in photo.slots}
    for name in sorted(needed - set(given) - set(found.fixes)):
        missing[f"{photo.path.name}: {name}"] = found.missing.get(name, "not found")
    if needed and not (set(given) | set(found.fixes)) & needed:
        raise ValueError(
            f"{photo.path}: none of its boards was found ({', '.join(sorted(needed))}); "
            "show them whole, or give their corners_px in enrol.toml"
        )
    return Located(size, models.lens, {**found.fixes, **given}, found.missing)


def _given(pack: Pack, photo: Photo, bgr: Picture, lens: Lens) -> Located:
    """The boards whose corners were given with a photograph."""
    size = bgr.shape[1], bgr.shape[0]
    fixes = {
        name: Fix(
            homography(pack.boards[name].corners_mm, lens.flatten(corners, size)), pack.boards[name].size_mm
        )
        for name, corners in photo.corners_px.items()
    }
    return Located(size, lens, fixes)


CLOSE_WAY = 2.5
# Of what log-odds say, what must be left of them.
LEAST_TRUST = 0.5


def unclear(areas: Mapping[str, AreaModel]) -> dict[str, str]:
    """Cubes that were photographed and yet hardly seen: whoever reads with them would see none."""
    return {
        f"{group.partition(':')[2]}:{label}": "is hardly seen in the photographs: show it again, nearer, sharper or brighter"
        for group, model in areas.items()
        if model.upright and model.cut.clear <= CLEAR_SIZE
        for label in model.labels
    }


def mixed_up(tiles: Mapping[str, TileModel]) -> dict[str, str]:
    """Labels that are mistaken for others, or for bare print, where the photographs themselves are read."""
    wanted: dict[str, str] = {}
    for group, model in tiles.items():
        name = group.partition(":")[2]
        for i, label in enumerate(model.labels if model.trust.size else ()):
            other = int(model.trust[i].argmin())
            if model.trust[i, other] < LEAST_TRUST:
                wanted[f"{name}:{label}"] = (
                    f"is easily taken for {model.labels[other]}: show both again, sharper and in more places"
                )
            elif model.trust_bare < LEAST_TRUST:
                wanted[f"{name}:{label}"] = (
                    "is hardly told from the bare board: show it again, brighter and in more places"
                )
    return wanted


def _wanted(pack: Pack, lesson: Lesson, margins: list[Margin]) -> dict[str, str]:
    """Labels that were never shown, and pairs too much alike."""
    wanted: dict[str, str] = {}
    for group, slots in lesson.groups().items():
        name = slots[0].pieces
        shown = {label for _, piece in lesson.loose if piece.pieces == name for label in [piece.label]}
        for shot in lesson.shots:
            for slot in slots:
                content = shot.photo.slots.get(slot.id, {})
                if isinstance(content, str):
                    shown.add(content)
                elif slot.kind is Kind.TRACK:
                    shown |= {label for label, place in content.items() if place >= 0}
                else:
                    shown |= {label for label, number in content.items() if number > 0}
        for label in pack.pieces[name]:
            if label not in shown:
                wanted[f"{group.partition(':')[2]}:{label}"] = "was never shown"
    for margin in margins:
        if margin.way < CLOSE_WAY:
            name = margin.group.partition(":")[2]
            for label in (margin.first, margin.second):
                wanted.setdefault(
                    f"{name}:{label}",
                    f"{margin.first} and {margin.second} look much alike: show both again, sharper",
                )
    return wanted

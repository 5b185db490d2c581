"""Whether a photograph shows what its list says: corners that lie in it, boards large enough, pieces not cut off."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from calibration.enrolment import FILE, Corners, Photo, is_bare
from vision.fix import Located
from vision.pack import Pack
from vision.picture import check_picture, is_grey
from vision.rectify import Picture, all_inside


@dataclass(frozen=True)
class WholeSettings:
    # Of the longer side: a corner found by hand may lie a little beyond the picture.
    most_beyond: float = 0.05
    # Pixels: no print is told on a smaller board. Corners given as shares of the picture, or in millimetres of a small one, end here.
    least_board_px: float = 40.0
    least_piece_px: float = 6.0
    # Pixels by which a slot may be cut off: corners are not given more exactly.
    slack_px: float = 3.0


SETTINGS = WholeSettings()


def check_photo(photo: Photo, bgr: Picture, settings: WholeSettings = SETTINGS) -> None:
    """Raises ValueError when nothing can be learnt from a photograph: black, burnt out, or corners that cannot be meant."""
    if not photo.loose or photo.corners_px:  # cards on a white sheet are no burnt-out picture
        check_picture(bgr, str(photo.path))
    size_px = bgr.shape[1], bgr.shape[0]
    for board, corners in photo.corners_px.items():
        _check_corners(photo, size_px, f"board {board}", corners, settings.least_board_px, settings)
    for piece in photo.loose:
        name = f"{piece.pieces}:{piece.label}"
        _check_corners(photo, size_px, name, piece.corners_px, settings.least_piece_px, settings)


def check_colours(pictures: Mapping[Path, Picture]) -> None:
    """Raises ValueError when one photograph is in black and white and another in colour: they cannot be compared."""
    grey = [path for path, bgr in pictures.items() if is_grey(bgr)]
    if grey and len(grey) < len(pictures):
        raise ValueError(
            f"{grey[0]}: is in black and white, other photographs of this pack are in colour; take it again"
        )


def _check_corners(
    photo: Photo,
    size_px: tuple[int, int],
    what: str,
    corners: Corners,
    least_px: float,
    settings: WholeSettings,
) -> None:
    points, size = np.array(corners), np.array(size_px)
    picture = f"{photo.path.name} of {size_px[0]} x {size_px[1]} pixels"
    beyond = settings.most_beyond * max(size_px)
    off = ((points < -beyond) | (points > size + beyond)).any(axis=1)
    if off.any():
        x, y = points[off][0]
        raise ValueError(
            f"{photo.path.parent / FILE}: {what} has a corner at [{x:g}, {y:g}], outside {picture}; "
            "give corners_px in pixels of that photograph, and show the board whole"
        )
    shortest = float(np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1).min())
    if shortest < least_px:
        raise ValueError(
            f"{photo.path.parent / FILE}: {what} is only {shortest:.1f} pixels long on one side in {picture}; "
            "corners_px are pixels of that photograph, counted from its top left"
        )


def cut_off(pack: Pack, located: Located) -> set[str]:
    """The slots of the boards found in a photograph that do not lie wholly in it."""
    return {
        slot.id
        for board in located.fixes
        for slot in pack.slots_of(board)
        if not all_inside(located, board, slot.rects_mm, -SETTINGS.slack_px).all()
    }


def without_cut_off(
    pack: Pack, photos: Iterable[Photo], places: Mapping[Path, Located]
) -> tuple[list[Photo], dict[str, str]]:
    """The photographs without what is listed in slots that are cut off, and a sentence for each piece lost by it."""
    kept: list[Photo] = []
    said: dict[str, str] = {}
    for photo in photos:
        gone = cut_off(pack, places[photo.path]) & set(photo.slots)
        for slot in sorted(gone):
            if not is_bare(photo.slots[slot]):
                said[f"{photo.path.name}: {slot}"] = (
                    "lies outside the picture: what is listed there was not learnt"
                )
        slots = {slot: content for slot, content in photo.slots.items() if slot not in gone}
        kept.append(replace(photo, slots=slots) if gone else photo)
    return kept, said

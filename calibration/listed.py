"""Which way round a board lies in a photograph whose contents are known, where its print does not tell.

A board that looks the same from all sides is told by its pieces: where they are listed the print has changed, and
where the list says empty it has not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.boards import where_taught
from calibration.enrolment import Photo, is_bare
from vision.align import align
from vision.boards import BoardModel, Models, even_out, radius_px, upright
from vision.fix import Fix, Located
from vision.locate import locate
from vision.pack import Pack, Rect
from vision.rectify import Picture
from vision.repeat import turns


@dataclass(frozen=True)
class ListedSettings:
    # Fewer slots of either kind than this may look changed or bare by chance.
    least_slots: int = 3
    # Grey levels of `even_out` (a full contrast is 45) by which another turn must agree better with the list.
    margin: float = 4.0


SETTINGS = ListedSettings()


def located_as_listed(
    pack: Pack, models: Models, photo: Photo, bgr: Picture, settings: ListedSettings = SETTINGS
) -> Located:
    """Where the boards of a photograph lie, each turned so that its pieces lie where they are listed."""
    found = locate(bgr, models, where_taught(models, (bgr.shape[1], bgr.shape[0])))
    fixes = {name: _as_listed(pack, models.boards[name], found, photo, bgr, settings) for name in found.fixes}
    return replace(found, fixes=fixes)


def _as_listed(
    pack: Pack, model: BoardModel, found: Located, photo: Photo, bgr: Picture, settings: ListedSettings
) -> Fix:
    here = found.fixes[model.name]
    listed = [slot for slot in pack.slots_of(model.name) if slot.id in photo.slots]
    bare = [slot.rect_mm for slot in listed if is_bare(photo.slots[slot.id])]
    filled = [slot.rect_mm for slot in listed if not is_bare(photo.slots[slot.id]) and not slot.places_mm]
    if min(len(bare), len(filled)) < settings.least_slots:
        return here
    best, most = here, _agreement(model, found, bgr, bare, filled) + settings.margin
    for turn in turns(model.reference, model.size_mm):
        aligned = align(bgr, model, here.flat_from_mm @ turn, found.lens)
        if aligned is None:
            continue
        fix = Fix(aligned.flat_from_mm, model.size_mm, here.sure)
        agreement = _agreement(model, replace(found, fixes={model.name: fix}), bgr, bare, filled)
        if agreement > most:
            best, most = fix, agreement
    return best


def _agreement(
    model: BoardModel, located: Located, bgr: Picture, bare: Sequence[Rect], filled: Sequence[Rect]
) -> float:
    """How much more the print has changed where pieces are listed than where none are, in grey levels."""
    reference = model.reference
    seen = even_out(upright(bgr, located, model.name, reference.scale()), radius_px(reference.px_per_mm))
    change = np.abs(seen.astype(np.float32) - reference.flat)

    def over(rects: Sequence[Rect]) -> NDArray[np.float64]:
        means = []
        for x, y, width, height in rects:
            (left, top), (right, bottom) = (
                reference.to_px([(x, y), (x + width, y + height)]).round().astype(int)
            )
            within = change[max(top, 0) : max(bottom + 1, 0), max(left, 0) : max(right + 1, 0)]
            if within.size:  # a tray lies beside its board
                means.append(float(within.mean()))
        return np.array(means)

    pieces, nothing = over(filled), over(bare)
    return float(np.median(pieces) - np.median(nothing)) if len(pieces) and len(nothing) else 0.0

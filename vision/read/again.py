"""Whether a tile, or a track's marker, lies as it lay when it was read: one comparison instead of a search, in any light.

What was recognised is drawn once more, exactly as it lay. If it is still far more like its own taught picture than
like that of any other label, it is the same piece; a bare place is still bare if it looks as it did and like no
piece. The pattern of brightness is compared, which light changes least. Labels that it cannot tell apart, one picture
in two colours, are told apart as they are when they are read, colours and all.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.pack import Rect
from vision.read import fine
from vision.read.cuts import SHEET_PX_PER_MM, Sheet
from vision.read.features import features
from vision.read.light import Light
from vision.read.pixels import sampled
from vision.read.seek import Aligned, middles, way_back
from vision.read.tile import TileModel, whitened
from vision.rectify import Picture

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class AgainSettings:
    # Correlation with what lay there. Other pieces of a set reach 0.85 at the same place, the same piece in another
    # light seldom less than 0.9.
    alike: float = 0.88
    # ... and the same piece hardly less than when it was read. Pictures are taught with the piece a little off, each in its
    # way: where the piece that lay there was taught, another may look more like it than like its own.
    lost: float = 0.04
    apart: float = 0.5  # of the way from any other label's picture; 0 is midway between the two
    # Squared difference from which brightness tells two labels apart, of 2 for unlike ones. Tokens of one picture in two
    # colours come to 0.14, and one of them laid where the other lay could pass for it: there colours are asked. Divers and
    # most cards begin above.
    telling: float = 0.15


SETTINGS = AgainSettings()


@dataclass(frozen=True, eq=False)
class Lie:
    """How the content of a slot lay: where on the board each pixel of its picture is, and what it looks like."""

    mm_from_px: NDArray[np.float64]  # 3 x 3
    label: int  # -1 for a bare place
    shades: Floats  # of the taught picture, or of the bare place when it was read
    alike: float = 0.0  # correlation of the piece with its taught picture when it was read


def lies(
    model: TileModel, rects_mm: Sequence[Rect], wholes: Floats, aligned: Aligned, read: Sequence[int]
) -> list[Lie | None]:
    """What to remember of places that were read in crops with margin, as which labels `read` says; -1 is bare.

    None where no one taught picture was found, or one of another label: what lies as it lay would be that one.
    """
    home = way_back(model.geometry, np.zeros(2, np.float32), 0.0)
    empty = np.array(read) < 0
    ways = _mm_from_px(model, rects_mm, np.where(empty[:, None, None], home, aligned.ways))
    alike = np.zeros(len(empty), np.float32)
    if len(pieces := np.flatnonzero(~empty & (aligned.exemplar >= 0))):
        seen = fine.shades(aligned.pictures[pieces], model.mask)
        alike[pieces] = fine.likeness(seen, model.shades[aligned.exemplar[pieces]], model.mask)
    places = iter(fine.shades(middles(model.geometry, wholes[empty]), model.mask) if empty.any() else ())
    result: list[Lie | None] = []
    for way, label, on, was in zip(ways, read, aligned.exemplar.tolist(), alike.tolist(), strict=True):
        if label < 0:
            result.append(Lie(way, -1, next(places).copy()))
        else:
            as_read = on >= 0 and model.owners[on] == label
            result.append(Lie(way, label, model.shades[on], was) if as_read else None)
    return result


def _mm_from_px(model: TileModel, rects_mm: Sequence[Rect], ways: NDArray[np.float64]) -> NDArray[np.float64]:
    """From pictures to the board, `ways` leading from the slots' crops to the pictures."""
    geo = model.geometry
    x, y, width, height = np.array([geo.whole_rect(rect) for rect in rects_mm]).T
    across, down = width / geo.whole_px[0], height / geo.whole_px[1]
    mm_from_crop = np.zeros((len(rects_mm), 3, 3))
    mm_from_crop[:, 2, 2] = 1
    mm_from_crop[:, 0, 0], mm_from_crop[:, 1, 1] = across, down
    mm_from_crop[:, 0, 2], mm_from_crop[:, 1, 2] = x + across / 2, y + down / 2
    return np.asarray(mm_from_crop @ np.linalg.inv(ways), np.float64)


def unmoved(
    model: TileModel, sheets: Sequence[Sheet], lights: Sequence[Light], lies: Sequence[Lie]
) -> NDArray[np.bool_]:
    """Which of the places show, beyond doubt, what they showed; a set with labels nobody has seen is never sure."""
    if model.untaught:
        return np.zeros(len(lies), np.bool_)
    pictures = _drawn(model, sheets, lies)
    seen = fine.shades(pictures, model.mask)
    own = np.stack([one.shades for one in lies])
    alike = fine.likeness(seen, own, model.mask)
    # All rows have length 1 under the mask: the square of a difference is twice what is lacking in likeness.
    templates = model.weighed_shades.T
    off, off_others, between = 2 - 2 * alike[:, None], 2 - 2 * (seen @ templates), 2 - 2 * (own @ templates)
    labels = np.array([one.label for one in lies])[:, None]
    others = model.owners != labels
    far = (off_others - off > SETTINGS.apart * between) & (between > SETTINGS.telling)
    twins = others & (between <= SETTINGS.telling) & (labels >= 0)
    enough = np.maximum(SETTINGS.alike, np.array([one.alike for one in lies]) - SETTINGS.lost)
    same = (alike > enough) & (far | twins | ~others).all(axis=1)
    if len(some := np.flatnonzero(same & twins.any(axis=1))):
        factors = [_factors(model, lights[i], lies[i]) for i in some.tolist()]
        evened = pictures[some] / np.stack(factors)
        far_in_colour = _told(model, np.asarray(evened, np.float32), ~others[some])
        same[some] = (far_in_colour | ~twins[some]).all(axis=1)
    return np.asarray(same, np.bool_)


def _told(model: TileModel, pictures: Floats, own: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """From which exemplars pictures are far, compared in the metric of the set with those that are their `own`."""
    told = model.both_distances(whitened(model, features(pictures, model.mask)))[1]
    nearest = np.where(own, told, np.inf).argmin(axis=1)
    off = told[np.arange(len(told)), nearest]
    return np.asarray(told - off[:, None] > SETTINGS.apart * model.between[nearest], np.bool_)


def _factors(model: TileModel, light: Light, lie: Lie) -> Floats:
    """The light of the moment in the middle of what lies there: 1 x 1 x 3."""
    across, down = model.geometry.size_px
    x, y, _ = lie.mm_from_px @ ((across - 1) / 2, (down - 1) / 2, 1)
    return light.over((float(x), float(y), 0.0, 0.0), (1, 1))


def _drawn(model: TileModel, sheets: Sequence[Sheet], lies: Sequence[Lie]) -> Picture:
    """Each content as it lay: N x height x width x 3."""
    sheet_from_mm = np.zeros((len(lies), 3, 3))
    sheet_from_mm[:, range(3), range(3)] = SHEET_PX_PER_MM, SHEET_PX_PER_MM, 1.0
    sheet_from_mm[:, :2, 2] = -SHEET_PX_PER_MM * np.array([sheet.origin_mm for sheet in sheets]) - 0.5
    ways = (sheet_from_mm @ np.stack([one.mm_from_px for one in lies]))[:, :2]
    size = model.geometry.size_px
    pictures = np.empty((len(lies), size[1], size[0], 3), np.uint8)
    for sheet, way, picture in zip(sheets, ways, pictures, strict=True):
        sampled(sheet.picture, way, size, picture)
    return pictures

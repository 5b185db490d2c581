"""The light on the table beside the boards, where a board mirrors a lamp and the table does not.

What lies beside a board is evened with the light of its rim. Under glare that rim is brighter than the light that
falls there, and in other colours. The table itself looks the same everywhere: where it seems darker beside one board
than beside those without glare, evened each with its own light, the difference is what glare adds to the rim.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.pack import Kind, Pack, Rect
from vision.read.light import SETTINGS as LIGHT
from vision.read.light import Light
from vision.read.pixels import log, median_colour
from vision.rectify import Picture

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class TableLightSettings:
    pixel_mm: float = 4.0  # finer, wood would only cost time
    rim_mm: float = 4.0  # beside a board lies its shadow
    least_px: int = 60  # of bare table: fewer may be all tokens
    veil: float = 0.01  # of full light, over the rim: half of what the rim says is believed
    clear: float = 0.9  # a rim so much believed needs no help
    darkest: float = 4.0  # camera value below which there is mostly noise
    most: float = 0.8  # log units: what differs by more is another table


SETTINGS = TableLightSettings()


def table_mask(pack: Pack, board: str, reach_mm: Rect, settings: TableLightSettings = SETTINGS) -> Mask:
    """Where a coarse picture of a board and its surroundings shows the table, or tokens strewn on it."""
    columns, rows = (max(1, round(side / settings.pixel_mm)) for side in reach_mm[2:])
    x = reach_mm[0] + (np.arange(columns) + 0.5) * reach_mm[2] / columns
    y = (reach_mm[1] + (np.arange(rows) + 0.5) * reach_mm[3] / rows)[:, None]
    table = np.ones((rows, columns), np.bool_)
    pieces = [rect for slot in pack.slots_of(board) if slot.kind is not Kind.COUNT for rect in slot.rects_mm]
    m = settings.rim_mm
    for left, top, width, height in ((0.0, 0.0, *pack.boards[board].size_mm), *pieces):
        table &= ~((x > left - m) & (x < left + width + m) & (y > top - m) & (y < top + height + m))
    return table


def beside(
    lights: Mapping[str, Light],
    pictures: Mapping[str, Picture],
    reach_mm: Mapping[str, Rect],
    tables: Mapping[str, Mask],
    settings: TableLightSettings = SETTINGS,
) -> dict[str, Floats]:
    """For boards under glare, by which factors of each colour the light of the rim is to be changed beside them.

    `pictures` show each board with its surroundings, `reach_mm`.
    """
    trust = {name: 1 / (1 + (_rim_veil(light) / settings.veil) ** 2) for name, light in lights.items()}
    if all(one > settings.clear for one in trust.values()):
        return {}
    tones = {
        name: tone
        for name, light in lights.items()
        if (tone := _tone(light, pictures[name], reach_mm[name], tables[name], settings)) is not None
    }
    if len(tones) < 2:
        return {}
    weights = np.array([trust[name] for name in tones])
    usual = np.average(np.stack(list(tones.values())), axis=0, weights=weights)
    # A colour that is hardly in the table says little about its light.
    share = np.exp(4 * (usual - usual.max()))
    telling = share / (share + LIGHT.faint**4)
    changes = {name: (tone - usual) * telling * (1 - trust[name]) for name, tone in tones.items()}
    return {
        name: np.exp(change).astype(np.float32)
        for name, change in changes.items()
        if np.abs(change).max() < settings.most
    }


def _rim_veil(light: Light) -> float:
    """How much light a board mirrors at its rim, of full light."""
    veil = light.veil.max(axis=2)
    rim = np.concatenate([veil[0], veil[-1], veil[1:-1, 0], veil[1:-1, -1]])
    return float(rim.mean())


def _tone(
    light: Light, picture: Picture, reach_mm: Rect, table: Mask, settings: TableLightSettings
) -> Floats | None:
    """The usual log colour of the table beside a board, evened with its light; None where too little of it is seen."""
    if np.count_nonzero(table) < settings.least_px:
        return None
    rows, columns = table.shape
    down, right = (
        ((np.arange(count) + 0.5) * side / count).astype(int)
        for count, side in zip((rows, columns), picture.shape[:2], strict=True)
    )
    seen = picture[np.ix_(down, right)][table].astype(np.float32)
    factors = light.over(reach_mm, (columns, rows))[table]
    return log(median_colour(np.maximum(seen, settings.darkest) / factors))

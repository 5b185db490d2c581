"""What lies on the ground of an area: how much each pixel stands out from print or table, whatever light falls on it.

Shadows darken the ground and leave its hue; they stand out little. What the ground looks like just here is taken
from the pixels around that do not stand out, so a tinted lamp, a veil of glare or the grain of the wood stay ground.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.read.colours import Print, print_density
from vision.read.pixels import median_colour, resized, strongest

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class ForegroundSettings:
    plain: float = 5.0  # log-density of the ground from which a pixel stands out
    span: float = 6.0  # nats from there to standing out wholly
    quiet: float = 0.1  # log units: where less than this is usual, small differences count for more
    usual: float = 0.7  # quantile of all pixels that tells how unquiet the ground is
    loudest: float = 2.5  # times a difference may count
    window_px: float = (
        26.0  # the commonest colour within it is the ground's, at first; wider than most tokens
    )
    cell_px: int = 5  # over which the ground's own colour is then taken
    reach_cells: float = 2.0
    hole_px: int = 5  # print in the colours of the ground: as wide a hole in a token is closed


SETTINGS = ForegroundSettings()


def foreground(logs: Floats, bare: Floats | None, widest_px: float = 0.0) -> Floats:
    """0 for ground, 1 for what lies on it, at every pixel of an area.

    `bare` is its print where that is known, `widest_px` the width of what may lie there where it is large.
    """
    ground = logs if bare is None else logs - bare  # what differs by light only, and slowly
    # First roughly, every other pixel of every other row, to know what is ground.
    thin = np.ascontiguousarray(ground[::2, ::2])
    off = thin - _around(thin, max(SETTINGS.window_px, widest_px))
    light = _behind(thin, standing(print_density(off)), logs.shape[:2])
    off = logs - light if bare is None else Print.of(bare).off(logs - light)
    stands = standing(print_density(_louder(off)))
    hole = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (SETTINGS.hole_px, SETTINGS.hole_px))
    return np.asarray(cv2.morphologyEx(stands, cv2.MORPH_CLOSE, hole), np.float32)


def standing(density: Floats) -> Floats:
    """How much pixels stand out, from their log-density of ground."""
    s = SETTINGS
    return np.asarray(np.clip((s.plain - density) * np.float32(1 / s.span), 0, 1), np.float32)


def _louder(off: Floats) -> Floats:
    """Differences in units of what is usual here: under a veil of glare a token differs little, and so does all else."""
    s = SETTINGS
    differences = strongest(np.abs(off[::2, ::2])).ravel()
    at = round(s.usual * (len(differences) - 1))
    usual = float(np.partition(differences, at)[at])
    return off * np.float32(np.clip(s.quiet / max(usual, 1e-3), 1, s.loudest))


def _around(thin: Floats, window_px: float) -> Floats:
    """The median colour around each pixel of a picture of half the size, of five by five coarse cells."""
    height, width = thin.shape[:2]
    cell = window_px / 2 / 5
    cells = resized(thin, (max(1, round(width / cell)), max(1, round(height / cell))))
    return resized(np.asarray(cv2.medianBlur(cells, 5), np.float32), (width, height))


def _behind(ground: Floats, stands: Floats, shape: tuple[int, int]) -> Floats:
    """The colour of the ground around each pixel of a picture of `shape`, from those that do not stand out."""
    s = SETTINGS
    height, width = shape
    size = max(1, round(width / s.cell_px)), max(1, round(height / s.cell_px))
    weight = (1 - stands) ** 4
    cells = resized(np.dstack([ground * weight[..., None], weight]), size)
    # Where nothing but tokens is near, the commonest colour of the whole area.
    common = median_colour(ground[::2, ::2].reshape(-1, 3))
    cells += np.float32(1e-4) * np.array([*common, 1], np.float32)
    soft = cv2.GaussianBlur(cells, (0, 0), s.reach_cells, borderType=cv2.BORDER_REPLICATE)
    return resized(np.ascontiguousarray(soft[..., :3] / soft[..., 3:]), (width, height))

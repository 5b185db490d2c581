"""Takes glare off a row of places, light evened, as those of them that show their print tell it.

A lamp mirrored in varnish lays a veil over print and pieces alike: of all colours a share is left, and something is
added. Both change slowly along a row, most of which is bare, so print seen now beside print as it was taught tells them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.read.colours import SETTINGS as COLOURS
from vision.read.pixels import exp, log

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class VeilSettings:
    reach_mm: float = 25.0  # over which glare stays much the same
    far: float = (
        0.01  # what a place far away says, of what one does here: enough where all is covered near by
    )
    # Log units, round by round: pixels further than this from what the print would show are pieces, not print.
    off: tuple[float, ...] = (0.6, 0.4, 0.25, 0.18)
    dark: float = 30.0  # camera values added before that logarithm: dark print is mostly noise
    thin: int = 2  # every so many pixels of every so many rows are compared
    # Plain print does not tell a share from an addition: so many pixels that spread so far say there is no veil.
    doubt_px: float = 10.0
    doubt_spread: float = 60.0
    left: tuple[float, float] = (0.3, 1.5)  # the least and the most that may be left of a colour


SETTINGS = VeilSettings()


def unveiled(seen: Floats, bare: Floats, at_mm: ArrayLike) -> Floats:
    """Log colours of all places (places x height x width x 3) as they would be without glare, beside their `bare` print.

    `at_mm` are the middles of the places (places x 2).
    """
    left, added = _veil(seen, bare, np.asarray(at_mm, np.float32))
    clear = (_values(seen) - added[:, None, None]) / left[:, None, None, None]
    return log(np.maximum(clear, 0) + np.float32(COLOURS.offset))


def _veil(seen: Floats, bare: Floats, at_mm: Floats) -> tuple[Floats, Floats]:
    """What is left of the colours of each place (places), and what is added to each of them (places x 3)."""
    s = SETTINGS
    dark = np.float32(s.dark)
    now, then = (_thinned(one) for one in (seen, bare))
    shown = np.maximum(now, 0) + dark
    apart = np.linalg.norm(at_mm[:, None] - at_mm[None], axis=2)
    says = np.exp(-((apart / s.reach_mm) ** 2)) + np.float32(s.far)
    doubt = np.float32(s.doubt_px * s.doubt_spread**2)
    products = np.concatenate([np.ones_like(now), then, now, then * then, then * now], axis=1)
    left = np.ones(len(seen), np.float32)
    added = np.zeros((len(seen), 3), np.float32)
    for off in s.off:
        expected = np.maximum(left[:, None, None] * then + added[..., None], 0) + dark
        unlike = np.abs(log(shown / expected)).max(axis=1) / np.float32(off)
        weight = exp(-unlike * unlike)
        sums = says @ (products @ weight[..., None])[..., 0]
        total, x, y, xx, xy = (sums[:, i : i + 3] for i in range(0, 15, 3))
        total = np.maximum(total, np.float32(1e-3))
        # Of every colour as much is left: print that is plain in one of them tells nothing of it.
        varies, follows = ((one - x * other / total).sum(axis=1) for one, other in ((xx, x), (xy, y)))
        left = np.clip((follows + doubt) / (varies + doubt), *s.left).astype(np.float32)
        added = ((y - left[:, None] * x) / total).astype(np.float32)
    return left, added


def _thinned(logs: Floats) -> Floats:
    """Camera values of some pixels of each place: places x 3 x pixels."""
    thin = slice(None, None, SETTINGS.thin)
    some = np.ascontiguousarray(logs[:, thin, thin].transpose(0, 3, 1, 2))
    return _values(some).reshape(*some.shape[:2], -1)


def _values(logs: Floats) -> Floats:
    """Camera values again."""
    return exp(logs) - np.float32(COLOURS.offset)

"""The print beneath the pieces of an area, in the light of that very place.

Light and glare are measured on print where no piece lies, which may be a hand's breadth away; a lamp mirrored in
the varnish ends more sharply than that. But an area shows print of its own, between its pieces and around them:
what that looks like now, beside what it should look like, tells how much is left of it here, and what is added.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.read.colours import SETTINGS as COLOURS
from vision.read.light import as_light, as_values
from vision.read.pixels import exp, log

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class UnderlaySettings:
    thin: int = 3  # every so many pixels of every so many rows are compared
    # Round by round, log units: pixels further than this from what the print should look like are pieces, not print.
    off: tuple[float, ...] = (0.8, 0.4, 0.25)
    dark: float = 0.01  # of full light: below it noise is as large as what is measured
    doubt: float = 0.01  # plain print does not tell what is left from what is added: then little is either
    most: float = 0.5  # by which what is left of the print may differ from what was expected
    # Of what a smooth surface would leave unexplained. A cloth is one, and its colour is no glare on the print beneath.
    printed: float = 0.7
    # Log units by which print is brighter here, on average, where there is glare that was not measured. Print that is
    # darker lies in a shadow, and shadows are known where cubes are looked for.
    brighter: float = 0.05


SETTINGS = UnderlaySettings()


def underlay(seen: Floats, expected: Floats, settings: UnderlaySettings = SETTINGS) -> Floats:
    """Log colours of an area's bare print (height x width x 3) as they look where it is seen beside its pieces.

    `expected` are those in the light that was measured farther away; a line is fitted to the light of each colour,
    and what is added may rise or fall across the area.
    """
    s = settings
    thin = slice(None, None, s.thin)
    bare = expected[thin, thin]
    now, then = (_light(one).reshape(-1, 3).T for one in (seen[thin, thin], bare))
    slope = _slope(*seen.shape[:2])
    some = slope[:, thin, thin].reshape(3, -1)
    parts = np.stack([np.concatenate([one[None], some]) for one in then])  # colours x 4 x pixels
    dark = np.float32(s.dark)
    here = then
    for off in s.off:
        unlike = np.abs(log((now + dark) / (here + dark))).max(axis=0) / np.float32(off)
        weight = exp(-unlike * unlike) / (here + dark) ** 2
        change = _fitted(parts, weight, now - then, s)
        change[:, 0] = np.clip(change[:, 0], -s.most, s.most)
        here = np.clip(then + (change[:, None] @ parts)[:, 0], 1e-4, 1)
    # Mostly there is no glare, which so few pixels tell: all of them are worked out where there is.
    if float((_logs(here) - bare.reshape(-1, 3).T).mean()) <= s.brighter:
        return expected
    without_print = (_fitted(parts[:, 1:], weight, now, s)[:, None] @ parts[:, 1:])[:, 0]
    left, left_without = ((weight * (now - one) ** 2).sum() for one in (here, without_print))
    if left > s.printed * left_without:
        return expected
    added = np.einsum("cp,phw->hwc", change[:, 1:], slope)
    return _logs(np.clip(_light(expected) * (1 + change[:, 0]) + added, 1e-4, 1))


@lru_cache(maxsize=64)
def _slope(height: int, width: int) -> Floats:
    """What is added to an area may be the same everywhere, or rise to the right, or down: 3 x height x width."""
    down, right = np.mgrid[-0.5 : 0.5 : complex(height), -0.5 : 0.5 : complex(width)].astype(np.float32)
    return np.stack([np.ones_like(down), right, down])


def _fitted(parts: Floats, weight: Floats, to: Floats, settings: UnderlaySettings) -> Floats:
    """How much of each part (colours x parts x pixels) adds up to something of each colour (colours x pixels)."""
    weighed = parts * weight[:, None]
    doubt = (settings.doubt * weight.sum(axis=1))[:, None, None] * np.eye(parts.shape[1], dtype=np.float32)
    return np.linalg.solve(weighed @ parts.transpose(0, 2, 1) + doubt, weighed @ to[..., None])[..., 0]


def _logs(light: Floats) -> Floats:
    return log(as_values(light) + np.float32(COLOURS.offset))


def _light(logs: Floats) -> Floats:
    return as_light(exp(np.ascontiguousarray(logs)) - np.float32(COLOURS.offset))

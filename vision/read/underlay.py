"""The print beneath the pieces of an area, in the light of that very place.

Light and glare are measured on print where no piece lies, which may be a hand's breadth away; a lamp mirrored in
the varnish ends more sharply than that. But an area shows print of its own, between its pieces and around them:
what that looks like now, beside what it should look like, tells how much is left of it here, and what is added.
"""

from collections.abc import Sequence
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


def underlays(
    seen: Sequence[Floats], expected: Sequence[Floats], settings: UnderlaySettings = SETTINGS
) -> list[Floats]:
    """Log colours of the bare print (height x width x 3) of areas of one size as they look where it is seen beside their pieces.

    `expected` are those in the light that was measured farther away; a line is fitted to the light of each colour,
    and what is added may rise or fall across the area. So few pixels are compared that many areas take hardly longer
    than one.
    """
    s = settings
    bare = _thinned(expected, s)
    now, then = (_light(one) for one in (_thinned(seen, s), bare))
    slope = _slope(*seen[0].shape[:2])
    some = slope[:, :: s.thin, :: s.thin].reshape(3, -1)
    parts = np.empty((*then.shape[:2], 4, then.shape[2]), np.float32)  # areas x colours x 4 x pixels
    parts[:, :, 0], parts[:, :, 1:] = then, some
    dark = np.float32(s.dark)
    here = then
    for off in s.off:
        unlike = np.abs(log((now + dark) / (here + dark))).max(axis=1, keepdims=True) / np.float32(off)
        weight = exp(-unlike * unlike) / (here + dark) ** 2
        change = _fitted(parts, weight, now - then, s)
        change[..., 0] = np.clip(change[..., 0], -s.most, s.most)
        here = np.clip(then + _added_up(change, parts), 1e-4, 1)
    told = list(expected)
    # Mostly there is no glare, which so few pixels tell: all of them are worked out where there is.
    brighter = (_logs(here) - bare).mean(axis=(1, 2)) > s.brighter
    for i in np.flatnonzero(brighter).tolist():
        without = _added_up(_fitted(parts[i, :, 1:], weight[i], now[i], s), parts[i, :, 1:])
        left, left_without = ((weight[i] * (now[i] - one) ** 2).sum() for one in (here[i], without))
        if left <= s.printed * left_without:
            added = np.einsum("cp,phw->hwc", change[i, :, 1:], slope)
            told[i] = _logs(np.clip(_light(expected[i]) * (1 + change[i, :, 0]) + added, 1e-4, 1))
    return told


def _thinned(areas: Sequence[Floats], settings: UnderlaySettings) -> Floats:
    """Some pixels of areas, colour by colour: areas x colours x pixels."""
    thin = slice(None, None, settings.thin)
    some = np.stack([one[thin, thin].reshape(-1, 3) for one in areas])
    return np.ascontiguousarray(some.transpose(0, 2, 1))


@lru_cache(maxsize=64)
def _slope(height: int, width: int) -> Floats:
    """What is added to an area may be the same everywhere, or rise to the right, or down: 3 x height x width."""
    down, right = np.mgrid[-0.5 : 0.5 : complex(height), -0.5 : 0.5 : complex(width)].astype(np.float32)
    return np.stack([np.ones_like(down), right, down])


def _fitted(parts: Floats, weight: Floats, to: Floats, settings: UnderlaySettings) -> Floats:
    """How much of each part (... x colours x parts x pixels) adds up to something of each colour (... x colours x pixels)."""
    weighed = parts * weight[..., None, :]
    doubt = (settings.doubt * weight.sum(axis=-1))[..., None, None] * np.eye(
        parts.shape[-2], dtype=np.float32
    )
    return np.linalg.solve(weighed @ parts.swapaxes(-1, -2) + doubt, weighed @ to[..., None])[..., 0]


def _added_up(shares: Floats, parts: Floats) -> Floats:
    """So much of each part taken together: ... x colours x pixels."""
    return np.asarray((shares[..., None, :] @ parts)[..., 0, :], np.float32)


def _logs(light: Floats) -> Floats:
    return log(as_values(light) + np.float32(COLOURS.offset))


def _light(logs: Floats) -> Floats:
    return as_light(exp(np.ascontiguousarray(logs)) - np.float32(COLOURS.offset))

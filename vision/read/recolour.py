"""Print as the camera of the moment shows it: places that are seen to be bare tell what became of its colours.

Cameras mix their channels and bend their tones each in its own way. Between logarithms of what two of them see of one
print that is, nearly enough, a mixture and a shift, the same all over a picture.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.read.features import SETTINGS as FEATURES
from vision.read.features import features, logs, pictures_of
from vision.read.pixels import exp
from vision.read.tile import TileModel, unwhitened, whitened

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class RecolourSettings:
    thin: int = 3  # every so many pixels of every so many rows tell the mixture
    most: int = 32  # bare places that are asked, spread over all
    rounds: int = 3
    off: float = 0.15  # log units: a pixel so far off shows a shadow or a neighbour, and counts half
    # Of the pixels, that speak for colours as they were taught: a board of one colour says nothing of others.
    as_taught: float = 0.02


SETTINGS = RecolourSettings()


def recoloured(
    model: TileModel, prints: Floats, taught: Floats, now: Floats, settings: RecolourSettings = SETTINGS
) -> Floats:
    """Prints as they should look now, if those of bare places, `taught`, look like `now`. All rows are whitened."""
    some = np.unique(np.linspace(0, len(taught) - 1, settings.most).round().astype(np.int64))
    thin = slice(None, None, settings.thin)
    then, seen = (_colours(model, rows[some])[:, thin, thin].reshape(-1, 3) for rows in (taught, now))
    mixed = _colours(model, prints)
    mixed = _with_one(mixed) @ _mixture(then, seen, settings)
    values = exp(np.ascontiguousarray(mixed, np.float32)) - np.float32(FEATURES.offset)
    return whitened(model, features(np.clip(values, 0, 255), model.mask))


def _colours(model: TileModel, rows: Floats) -> Floats:
    return logs(pictures_of(unwhitened(model, rows), model.mask))


def _with_one(colours: Floats) -> Floats:
    return np.concatenate([colours, np.ones_like(colours[..., :1])], axis=-1)


def _mixture(then: Floats, seen: Floats, settings: RecolourSettings) -> Floats:
    """The 4 x 3 matrix that takes colours as they were to what is seen of them; pixels that do not fit count little."""
    x, same = _with_one(then), np.eye(4, 3, dtype=np.float32)
    weight = np.ones((len(x), 1), np.float32)
    mixture = same
    for _ in range(settings.rounds):
        steady = settings.as_taught * weight.sum() * np.diag(np.array([1, 1, 1, 0], np.float32))
        mixture = np.linalg.solve(x.T @ (weight * x) + steady, x.T @ (weight * seen) + steady @ same)
        off = np.abs(seen - x @ mixture).max(axis=1, keepdims=True)
        weight = 1 / (1 + (off / np.float32(settings.off)) ** 2)
    return np.asarray(mixture, np.float32)

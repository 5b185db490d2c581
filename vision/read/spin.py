"""How far a round piece is turned: unrolled about its middle, where turning is a shift.

A search over shifts and turns goes by what is largest, which is the rim of a token and the same at every turn. What is
printed within it tells the turn, once the middle is known.
"""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from vision.read.discs import ring_shares, unrolled
from vision.read.tile import SETTINGS as TILE
from vision.read.tile import TileModel

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class SpinSettings:
    within: float = 0.84  # of a token's radius: what lies farther out is rim, or already its ground
    steps: int = 5  # turns tried between two spokes, of which there are few
    # Middles tried, right and down of where a coarse search has put it: its pixels are about as wide.
    around_px: tuple[float, ...] = (-3.0, -1.5, 0.0, 1.5, 3.0)


SETTINGS = SpinSettings()


def is_round(model: TileModel) -> bool:
    return model.angles == TILE.round_angles


def best_turns(model: TileModel, bright: Floats, shift_px: Floats) -> tuple[Floats, Floats, Floats]:
    """For each of N pieces and every exemplar how alike they are as it lies when they are most: likeness, turn, shift.

    `bright` is the brightness of crops with margin, `shift_px` about how far off their middle each piece lies. Turns are
    degrees, N x exemplars; shifts pixels, N x exemplars x 2.
    """
    likest, turns, shifts = zip(
        *(_of_one(model, *one) for one in zip(bright, shift_px, strict=True)), strict=True
    )
    return np.stack(likest), np.stack(turns), np.stack(shifts)


def _of_one(model: TileModel, bright: Floats, shift_px: Floats) -> tuple[Floats, Floats, Floats]:
    steps = np.array(SETTINGS.around_px, np.float32)
    tried = shift_px + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    middle = (np.array(bright.shape[::-1], np.float32) - 1) / 2
    discs = unrolled(bright, np.asarray(middle + tried, np.float32), _radius_px(model))
    spectra = _spectra(discs.transpose(2, 0, 1))
    count = discs.shape[0] * SETTINGS.steps
    products = np.einsum("sfr,efr->esf", spectra, _taught(model).conj(), optimize=True)
    alike = np.fft.irfft(products, n=count, axis=2).reshape(len(products), -1) * SETTINGS.steps
    where, turn = np.divmod(alike.argmax(axis=1), count)
    turns = (turn * 360.0 / count + 180.0) % 360.0 - 180.0
    return alike.max(axis=1).astype(np.float32), turns.astype(np.float32), tried[where]


# As long as a model is in use: a pack may be taught anew while the companion runs.
_TAUGHT: WeakKeyDictionary[TileModel, NDArray[np.complex128]] = WeakKeyDictionary()


def _taught(model: TileModel) -> NDArray[np.complex128]:
    if model not in _TAUGHT:
        height, width = model.mask.shape
        middle = np.array([[(width - 1) / 2, (height - 1) / 2]], np.float32)
        discs = [
            unrolled(one.reshape(height, width), middle, _radius_px(model))[..., 0] for one in model.shades
        ]
        _TAUGHT[model] = _spectra(np.stack(discs))
    return _TAUGHT[model]


def _radius_px(model: TileModel) -> float:
    return SETTINGS.within * min(model.geometry.size_px) / 2


def _spectra(discs: Floats) -> NDArray[np.complex128]:
    """Discs (N x angles x rings) as spectra over the angle, the product of two being their correlation."""
    share = ring_shares(discs.shape[2]) / np.float32(discs.shape[1])
    discs = discs - (discs * share).sum(axis=(1, 2), keepdims=True)
    discs = discs * np.sqrt(share)
    power = np.sqrt((discs**2).sum(axis=(1, 2), keepdims=True))
    return np.asarray(np.fft.rfft(discs / np.maximum(power, np.float32(1e-3)), axis=1))

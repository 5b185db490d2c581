"""Discs unrolled about their middles into rings and angles, where turning is a shift, and how alike they are at each turn.

Likeness at all turns is a product of spectra over the angle. Real and imaginary parts are kept as numbers of their
own, so every step of it is a product of matrices.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class DiscSettings:
    rings: int = 8
    angles: int = 24
    flat: float = 0.4  # of a token's own contrast: flatter places are not blown up to resemble it
    outline: float = 0.5  # how much of likeness is outline, the rest is print


SETTINGS = DiscSettings()


@dataclass(frozen=True, eq=False)
class Discs:
    """Discs about n places, unrolled. Angles come first and places last: what is done to each is done to all at once."""

    logs: Floats  # 3 x angles x rings x n
    stands: Floats  # angles x rings x n: how much of each pixel stands out

    def tokens(self) -> tuple[Floats, Floats]:
        """The same as `Tokens` are kept: n x rings x angles x 3, and n x rings x angles."""
        return (
            np.ascontiguousarray(self.logs.transpose(3, 2, 1, 0)),
            np.ascontiguousarray(self.stands.transpose(2, 1, 0)),
        )


@dataclass(frozen=True, eq=False)
class Shapes:
    """Print and outline of n discs, each without its mean, as spectra over the angle: real parts, then imaginary ones."""

    print: Floats  # frequencies x (2 * 3 * rings) x n
    outline: Floats  # frequencies x (2 * rings) x n
    contrasts: tuple[Floats, Floats]  # n each

    @classmethod
    def of(cls, discs: Discs) -> "Shapes":
        angles, rings, count = discs.stands.shape
        share = ring_shares(rings)[:, None] / np.float32(angles)
        root = np.sqrt(share)
        weights = discs.stands * share
        total = weights.sum(axis=(0, 1))
        mean = np.einsum("carn,arn->cn", discs.logs, weights) / np.maximum(total, np.float32(1e-3))
        # Without its mean, and only where it stands out: written at once in the order that the spectra need.
        inked = np.empty((angles, 3, rings, count), np.float32)
        np.subtract(discs.logs.transpose(1, 0, 2, 3), mean[:, None], out=inked)
        inked *= (discs.stands * root)[:, None]
        print_ = inked.reshape(angles, -1, count)
        outline = (discs.stands - total) * root
        contrasts = tuple(np.sqrt(np.einsum("akn,akn->n", one, one)) for one in (print_, outline))
        waves = _waves(angles)
        spectra = (waves @ one.reshape(angles, -1) for one in (print_, outline))
        print_spectra, outline_spectra = (one.reshape(angles // 2 + 1, -1, count) for one in spectra)
        return cls(print_spectra, outline_spectra, (contrasts[0], contrasts[1]))

    @cached_property
    def opposite(self) -> tuple[Floats, Floats]:
        """Matrices that multiply spectra by the conjugates of these: frequencies x (2 * n) x as many as they have."""
        both = []
        for spectra in (self.print, self.outline):
            real, imaginary = np.split(spectra.transpose(0, 2, 1), 2, axis=2)
            rows = np.concatenate([real, imaginary], axis=2), np.concatenate([-imaginary, real], axis=2)
            both.append(np.concatenate(rows, axis=1))
        return both[0], both[1]


@lru_cache(maxsize=4)
def _waves(angles: int) -> Floats:
    """The Fourier transform over so few angles is a small matrix: real and imaginary part of each frequency x angles."""
    turns = np.outer(np.arange(angles // 2 + 1), np.arange(angles)) * (2 * np.pi / angles)
    return np.stack([np.cos(turns), -np.sin(turns)], axis=1).reshape(-1, angles).astype(np.float32)


@lru_cache(maxsize=4)
def _back(angles: int) -> Floats:
    """The matrix of the way back: angles x real and imaginary part of each frequency."""
    both_halves = np.full(angles // 2 + 1, 2 / angles)
    both_halves[[0, -1]] = 1 / angles
    return np.asarray(_waves(angles).T * np.repeat(both_halves, 2), np.float32)


@lru_cache(maxsize=4)
def ring_shares(rings: int) -> Floats:
    """How much of the disc each ring covers."""
    middles = np.arange(rings, dtype=np.float32) + np.float32(0.5)
    return np.asarray(middles / middles.sum(), np.float32)


def likeness(seen: Shapes, taught: Shapes) -> Floats:
    """Of each place to each exemplar at each turn, from 0 to 1: turns x exemplars x n."""
    s = SETTINGS
    frequencies, _, count = seen.outline.shape
    exemplars = taught.outline.shape[2]
    total = np.zeros((frequencies, 2, exemplars, count), np.float32)
    parts = zip(
        (1 - s.outline, s.outline),
        taught.opposite,
        (seen.print, seen.outline),
        seen.contrasts,
        taught.contrasts,
        strict=True,
    )
    for weight, opposite, spectra, here, there in parts:
        own = there[:, None]
        scale = np.float32(weight) / np.maximum(np.maximum(here, s.flat * own) * own, np.float32(1e-6))
        total += (opposite @ spectra).reshape(total.shape) * scale
    angles = 2 * (frequencies - 1)
    turns = _back(angles) @ total.reshape(2 * frequencies, -1)
    return np.asarray(turns, np.float32).reshape(angles, exemplars, count)


def unrolled(picture: Floats, at_px: Floats, radius_px: float, thin: int = 1) -> Floats:
    """Discs about places (n x 2) of a picture, ring by ring: angles x rings x n (x channels, if it has many)."""
    across, down = _spokes(radius_px, thin)
    x, y = (offset.reshape(-1, 1) + at for offset, at in ((across, at_px[:, 0]), (down, at_px[:, 1])))
    discs = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(discs, np.float32).reshape(*across.shape, *discs.shape[1:])


@lru_cache(maxsize=16)
def _spokes(radius_px: float, thin: int) -> tuple[Floats, Floats]:
    """How far right and down of its middle the pixels of an unrolled disc are: angles x rings each."""
    s = SETTINGS
    radii = ((np.arange(s.rings) + 0.5) / s.rings)[thin // 2 :: thin] * radius_px
    turns = (np.arange(s.angles) * 2 * np.pi / s.angles)[::thin, None]
    return (radii * np.cos(turns)).astype(np.float32), (radii * np.sin(turns)).astype(np.float32)

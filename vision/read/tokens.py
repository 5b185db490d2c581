"""Finds flat tokens by their printed look: any way round, on any ground, under a veil of glare.

A token is unrolled about its middle into rings and angles, where turning it is a shift. Likeness to the taught
tokens, cheap and blind to light, says where to look; what then remains when a taught token, dimmed and veiled as
glare does, is laid over the place says whether there is one and which.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.read.colours import SETTINGS as COLOURS
from vision.read.cut import Cut
from vision.read.looks import deal, look, sort_out

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class TokenSettings:
    rings: int = 8
    angles: int = 24
    coarse: int = 2  # rings and angles are thinned by this while searching
    reach: float = 0.95  # of the half width: rims differ by the ground they lie on
    step_mm: float = 1.5  # of the search; likeness falls to half within twice that
    finer_mm: tuple[float, ...] = (0.75, 0.375)
    flat: float = 0.6  # of a token's own contrast: flatter places are not blown up to resemble it
    alike: float = 0.45  # likeness from which a place is looked at closely
    apart: float = 1.1  # of the radius: two middles are never closer
    veil: tuple[float, float] = (0.3, 1.4)  # of a token's contrast, under glare and in clear light
    grey_levels: float = 10.0  # residuals are counted in squares of this
    least: float = 0.3  # and are never known better
    foreign: float = 4.6  # residual at which a place is as likely a token as not
    steepness: float = 2.75  # log-odds of a token for e times less
    weight: float = 6.7  # log-odds of a token for the whole of likeness
    usual: float = 0.65  # likeness that says nothing either way
    colour: float = 1.0  # of a nat by which its colours explain a disc better than the ground does
    most_odds: float = 7.0  # one look is never surer
    telling: float = 2.5  # log-odds of a label for e times less
    unlike: float = 18.0  # residual of a token of which no like has been seen
    bare: float = 0.0  # log-density of the ground above which a pixel beside a token is none of it
    least_mask: float = 0.3  # of the disc
    same: float = 1.5  # residual below which one taught picture stands for another
    most_exemplars: int = 6  # for each label
    rounds: int = 2


SETTINGS = TokenSettings()


@dataclass(frozen=True, eq=False)
class Tokens:
    """Taught tokens: camera values in even light, exemplars x rings x angles x 3, and whose label each is."""

    pictures: Floats
    owners: Ints
    masks: Floats  # exemplars x rings x angles: 1 where the token was, 0 where the ground beside it
    radius_mm: float

    def only(self, chosen: NDArray[np.bool_] | Ints) -> "Tokens":
        return Tokens(self.pictures[chosen], self.owners[chosen], self.masks[chosen], self.radius_mm)

    @cached_property
    def logs(self) -> Floats:
        return np.asarray(np.log(self.pictures + np.float32(COLOURS.offset)), np.float32)

    @cached_property
    def fine(self) -> "Shapes":
        return Shapes.of(self.logs)

    @cached_property
    def coarse(self) -> "Shapes":
        thin = SETTINGS.coarse
        return Shapes.of(np.ascontiguousarray(self.logs[:, thin // 2 :: thin, ::thin]))


@dataclass(frozen=True, eq=False)
class Shapes:
    """Unrolled log colours without their mean, as spectra over the angle: what a turn leaves comparable."""

    spectra: NDArray[np.complex64]  # n x (rings * 3) x frequencies
    contrast: Floats  # n

    @classmethod
    def of(cls, logs: Floats) -> "Shapes":
        count, rings, angles, _ = logs.shape
        weight = _ring_weights(rings) / angles
        centred = logs - np.einsum("nrac,r->nc", logs, weight)[:, None, None]
        weighted = centred * np.sqrt(weight)[None, :, None, None]
        rows = weighted.transpose(0, 1, 3, 2).reshape(count, rings * 3, angles)
        contrast = np.sqrt(np.einsum("nka,nka->n", rows, rows))
        return cls(np.fft.rfft(rows, axis=-1).astype(np.complex64), contrast.astype(np.float32))


@lru_cache(maxsize=4)
def _ring_weights(rings: int) -> Floats:
    """How much of the disc each ring covers."""
    middles = np.arange(rings, dtype=np.float32) + np.float32(0.5)
    return np.asarray(middles / middles.sum(), np.float32)


def unrolled(logs: Floats, at_px: Floats, radius_px: float, thin: int = 1) -> Floats:
    """Discs about places (n x 2) of a picture, ring by ring: n x rings x angles x 3."""
    s = SETTINGS
    radii = ((np.arange(s.rings) + 0.5) / s.rings)[thin // 2 :: thin] * radius_px
    turns = (np.arange(s.angles) * 2 * np.pi / s.angles)[::thin]
    across = (radii[:, None] * np.cos(turns)).reshape(-1)
    down = (radii[:, None] * np.sin(turns)).reshape(-1)
    x = (at_px[:, :1] + across).astype(np.float32)
    y = (at_px[:, 1:] + down).astype(np.float32)
    discs = cv2.remap(logs, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(discs, np.float32).reshape(len(at_px), len(radii), len(turns), 3)


def likeness(seen: Shapes, taught: Shapes) -> tuple[Floats, Ints]:
    """Correlation of each place with each exemplar at its best turn, and that turn: n x exemplars each."""
    angles = 2 * (seen.spectra.shape[-1] - 1)
    product = np.einsum("nkf,ekf->nef", seen.spectra, taught.spectra.conj(), optimize=True)
    turns = np.fft.irfft(product, angles, axis=-1)
    floor = SETTINGS.flat * taught.contrast
    scale = np.maximum(seen.contrast[:, None], floor[None]) * taught.contrast
    return (turns.max(axis=-1) / np.maximum(scale, 1e-6)).astype(np.float32), turns.argmax(axis=-1)


def residuals(seen_logs: Floats, tokens: Tokens) -> Floats:
    """What no dimming and no veil explains, exemplar laid over place at its best turn: n x exemplars."""
    s = SETTINGS
    _, turns = likeness(Shapes.of(seen_logs), tokens.fine)
    seen = np.exp(seen_logs) - np.float32(COLOURS.offset)
    places = (np.arange(s.angles)[None, None] - turns[..., None]) % s.angles
    whose = np.arange(len(tokens.pictures))[None, :, None]
    laid = tokens.pictures[whose, :, places].transpose(0, 1, 3, 2, 4)  # n x exemplars x rings x angles x 3
    weight = tokens.masks[whose, :, places].transpose(0, 1, 3, 2) * _ring_weights(s.rings)[:, None]
    weight = (weight / (3 * weight.sum(axis=(2, 3), keepdims=True)))[..., None]
    seen = np.broadcast_to(seen[:, None], laid.shape)
    off_seen = seen - (seen * weight).sum(axis=(2, 3, 4), keepdims=True)
    off_laid = laid - (laid * weight).sum(axis=(2, 3, 4), keepdims=True)
    weighted = off_laid * weight
    power = np.maximum((weighted * off_laid).sum(axis=(2, 3, 4)), 1e-6)
    gain = np.clip((weighted * off_seen).sum(axis=(2, 3, 4)) / power, *s.veil)
    rest = off_seen - gain[..., None, None, None] * off_laid
    left = (rest * rest * weight).sum(axis=(2, 3, 4))
    return np.asarray(left / (gain * s.grey_levels) ** 2 + s.least, np.float32)


@dataclass(frozen=True, eq=False)
class Ground:
    """An area: log colours, and by how many nats the colours of tokens explain each pixel better than its ground."""

    logs: Floats
    gain: Floats


@dataclass(frozen=True)
class Token:
    """A token found: where (pixels of the picture), how clear it is, log-odds that it is one and of its labels."""

    at_px: tuple[float, float]
    answer: float
    odds: float
    votes: tuple[float, ...]


def find_tokens(
    tokens: Tokens, cut: Cut, labels: int, area: Ground, px_per_mm: float, margin_mm: float
) -> list[Token]:
    """Every place of an area that may hold a token, the clearest first."""
    logs = area.logs
    s = SETTINGS
    radius_px = tokens.radius_mm * px_per_mm
    at_px, alike = _alike(tokens, logs, radius_px, px_per_mm, margin_mm)
    if not len(at_px):
        return []
    left = residuals(unrolled(logs, at_px, radius_px), tokens)
    gains = unrolled(np.dstack([area.gain] * 3), at_px, radius_px)[..., 0].mean(axis=(1, 2))
    by_label = np.stack(
        [
            left[:, tokens.owners == label].min(axis=1, initial=np.float32(1e6))  # never taught: never seen
            for label in range(labels)
        ],
        axis=1,
    )
    found: list[Token] = []
    for i in np.argsort(by_label.min(axis=1)):
        x, y = (float(one) for one in at_px[i])
        if any(np.hypot(x - one.at_px[0], y - one.at_px[1]) < s.apart * radius_px for one in found):
            continue
        answer = s.steepness * float(np.log(s.foreign / by_label[i].min()))
        answer += s.weight * float(alike[i] - s.usual) + s.colour * float(gains[i])
        votes = s.telling * np.log(by_label[i].min() / by_label[i])
        odds = float(np.clip(cut.odds(answer), -s.most_odds, s.most_odds))
        found.append(Token((x, y), answer, odds, tuple(votes.tolist())))
    return found


def _alike(
    tokens: Tokens, logs: Floats, radius_px: float, px_per_mm: float, margin_mm: float
) -> tuple[Floats, Floats]:
    """Middles of places that resemble a taught token, and how much: a coarse search, then finer about its best places."""
    s = SETTINGS
    height, width = logs.shape[:2]
    rim = margin_mm * px_per_mm + 0.5 * radius_px
    step = s.step_mm * px_per_mm
    columns = np.arange(rim, max(width - rim, rim + 0.1), step, dtype=np.float32)
    rows = np.arange(rim, max(height - rim, rim + 0.1), step, dtype=np.float32)
    grid = np.stack(np.meshgrid(columns, rows), axis=-1)
    like, _ = likeness(Shapes.of(unrolled(logs, grid.reshape(-1, 2), radius_px, s.coarse)), tokens.coarse)
    best = like.max(axis=1).reshape(len(rows), len(columns))
    peaks = (best >= cv2.dilate(best, np.ones((3, 3), np.uint8))) & (best > s.alike / 2)
    at_px = grid[peaks]
    around = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)], np.float32)
    like = best[peaks][:, None]
    for finer_mm in s.finer_mm:
        if len(at_px):
            tried = (at_px[:, None] + around * (finer_mm * px_per_mm)).reshape(-1, 2)
            like, _ = likeness(Shapes.of(unrolled(logs, tried, radius_px)), tokens.fine)
            like = like.max(axis=1).reshape(len(at_px), len(around))
            at_px = tried.reshape(len(at_px), len(around), 2)[np.arange(len(at_px)), like.argmax(axis=1)]
    alike = like.max(axis=1)
    chosen = alike > s.alike
    return np.asarray(at_px[chosen], np.float32), np.asarray(alike[chosen], np.float32)


@dataclass(frozen=True, eq=False)
class Shown:
    """An area of known content: log colours, log-density of its ground, middles of its tokens, how many of each."""

    logs: Floats
    ground: Floats
    at_px: Floats
    content: tuple[int, ...]


def learn_tokens(areas: Sequence[Shown], width_px: float, px_per_mm: float) -> Tokens:
    """Tokens from areas whose contents are known by number."""
    radius_px = width_px / 2 * SETTINGS.reach
    taught = [_taught(area, radius_px, px_per_mm) for area in areas]
    contents = [area.content for area in areas]
    rings = [
        np.stack([look(area.logs, (float(x), float(y)), radius_px) for x, y in area.at_px]) for area in areas
    ]
    dealt = sort_out(rings, contents)
    for _ in range(SETTINGS.rounds):
        dealt = [
            _dealt_again(i, taught, dealt, contents[i]) if np.count_nonzero(contents[i]) > 1 else own
            for i, own in enumerate(dealt)
        ]
    every = _together(taught, dealt)
    labels = sorted(set(every.owners.tolist()))
    kept = np.concatenate([_varied(every, np.flatnonzero(every.owners == label)) for label in labels])
    return every.only(kept)


def _taught(area: Shown, radius_px: float, px_per_mm: float) -> Tokens:
    """The tokens of one area, their labels not yet known."""
    pictures = np.exp(unrolled(area.logs, area.at_px, radius_px)) - np.float32(COLOURS.offset)
    bare = unrolled(np.dstack([area.ground] * 3), area.at_px, radius_px)[..., 0] > SETTINGS.bare
    masks = np.where(bare, 0.0, 1.0).astype(np.float32)
    # A token that can hardly be told from its ground is taken whole.
    masks[masks.mean(axis=(1, 2)) < SETTINGS.least_mask] = 1.0
    return Tokens(pictures, np.zeros(len(pictures), np.int64), masks, radius_px / px_per_mm)


def _together(taught: Sequence[Tokens], dealt: Sequence[Ints]) -> Tokens:
    return Tokens(
        np.concatenate([one.pictures for one in taught]),
        np.concatenate(list(dealt)).astype(np.int64),
        np.concatenate([one.masks for one in taught]),
        taught[0].radius_mm,
    )


def tokens_apart(tokens: Tokens, a: int, b: int) -> float:
    """How far the likest tokens of two labels differ, in deviations of what disturbs a picture."""
    one, other = tokens.only(tokens.owners == a), tokens.only(tokens.owners == b)
    if not (len(one.owners) and len(other.owners)):
        return float("inf")
    return float(np.sqrt(residuals(one.logs, other).min() / SETTINGS.least))


def _dealt_again(
    area: int, taught: Sequence[Tokens], dealt: Sequence[Ints], content: tuple[int, ...]
) -> Ints:
    """The labels of one area's tokens, by how they resemble those of all other areas."""
    others = [i for i in range(len(taught)) if i != area]
    if not others:
        return dealt[area]
    rest = _together([taught[i] for i in others], [dealt[i] for i in others])
    left = residuals(taught[area].logs, rest)
    cost = np.stack(
        [
            left[:, rest.owners == label].min(axis=1, initial=np.float32(SETTINGS.unlike))
            for label in range(len(content))
        ],
        axis=1,
    )
    return deal(np.log(cost), content)


def _varied(every: Tokens, own: Ints) -> Ints:
    """A few of a label's pictures, each new one the least like those before, until nothing new is left."""
    kept = [int(own[0])]
    while len(kept) < min(SETTINGS.most_exemplars, len(own)):
        left = residuals(every.only(own).logs, every.only(np.array(kept))).min(axis=1)
        if left.max() < SETTINGS.same:
            break
        kept.append(int(own[int(left.argmax())]))
    return np.array(kept, np.int64)

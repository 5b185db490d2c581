"""Which pixels of an area show which colour of piece, and which still show the print beneath.

Each label's colour is a small mixture (a cube has lit and dark faces); the print is known pixel by pixel, and may
lie in shadow. Learning is by expectation maximisation: an area said to hold "mmp" may only be explained by m, p,
print and shadow.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.read.pixels import blurred, log, mixed, resized

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class ColourSettings:
    offset: float = 12.0  # added before the logarithm, as noise stays about this size
    blur_px: float = 0.7
    parts: int = 3  # faces of a cube: lit, side, shaded
    tone: float = 0.10  # spread of the print's brightness after evening the light, log units
    hue: float = 0.07  # and of its colour
    shadow: float = 0.5  # mean depth of a shadow on the print
    shadow_hue: float = 0.1  # in shadow other light prevails
    shadow_share: float = 0.15
    shades: tuple[float, ...] = (-0.4, -0.9)  # depths at which the learnt shadows start
    surplus: float = 1.3  # how much commoner a colour is where its label lies, to be taken for it at first
    least_start: int = 30  # pixels, fewer say little about a colour
    doubtful_start: int = 60  # pixels to begin with where no colour stands out
    least_spread: float = 0.06  # of a label's colour in any direction
    slack: float = 0.12  # added to learnt spreads in use: the light of another day
    print_slack: float = 0.6  # of a pixel: how far print may lie off its place
    table_reach: int = 3  # cells each way over which the table's own colour is taken
    table_cell_px: int = 5
    rounds: int = 12
    least_share: float = 0.03  # of a label's pixels that a part must have to be its own
    most_pixels: int = 30_000  # learnt from
    table_share: float = 0.5
    table_cut: float = 0.4
    stray: float = -9.0  # log-density floor: a reflection or a crumb, neither print nor piece


SETTINGS = ColourSettings()

# Half the degrees of freedom, plus dimensions, of the tails: 3.5 is Student's t with four.
_TAIL = 3.5
# The grid of log colours: from black (a little below the offset's) to a burnt-out pixel in an evened light.
_LOW, _STEP, _STEPS = np.float32(2.3), np.float32(0.09), 40
_LUMA = np.full((1, 3), 1 / np.sqrt(3), np.float32)
_ALL = np.ones((1, 3), np.float32)


def colour_logs(picture: Floats, settings: ColourSettings = SETTINGS) -> Floats:
    """Log camera values, a little smoothed."""
    smooth = blurred(picture, settings.blur_px)
    np.maximum(smooth, 0, out=smooth)
    smooth += np.float32(settings.offset)
    return log(smooth)


@dataclass(frozen=True, eq=False)
class Print:
    """The bare print of an area: darkest and brightest log colours within a pixel of each place.

    Print a pixel off its place is still print, so a colour between the two deviates by nothing.
    """

    low: Floats
    high: Floats

    @classmethod
    def of(cls, bare: Floats) -> "Print":
        around = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
        low, high = cv2.erode(bare, around), cv2.dilate(bare, around)
        share = SETTINGS.print_slack
        return cls(
            np.asarray(bare + share * (low - bare), np.float32),
            np.asarray(bare + share * (high - bare), np.float32),
        )

    def off(self, seen: Floats) -> Floats:
        """How far each pixel is from the print."""
        return seen - np.clip(seen, self.low, self.high)


def print_density(off: Floats, settings: ColourSettings = SETTINGS) -> Floats:
    """Log-density of pixels that deviate by `off` from the bare print, in light or in shadow."""
    tone = mixed(off, _LUMA)
    tone2 = tone * tone
    hue2 = np.maximum(mixed(off * off, _ALL) - tone2, 0)
    # The product of the two tails, brightness and colour, under one logarithm.
    lit = _tail(hue2, settings.hue, 1 + tone2 * np.float32(1 / (2 * _TAIL * settings.tone**2)))
    lit += np.float32(np.log((1 - settings.shadow_share) / settings.tone) - 2 * np.log(settings.hue))
    # In shadow: darker by any amount, deep ones seldom, and tinted by the light that still falls there.
    tint = _tail(hue2, settings.shadow_hue)
    dark = np.minimum(tone, 0) * np.float32(1 / settings.shadow)
    dark += np.float32(np.log(settings.shadow_share / settings.shadow) - 2 * np.log(settings.shadow_hue))
    density: Floats = np.maximum(lit, tint + dark)  # the likelier of the two stands for their sum
    return density


def _tail(off2: Floats, spread: float, other: Floats | float = 1.0) -> Floats:
    """Log-density, but for a constant, of squares in a heavy-tailed cloud; `other` is one more factor of it."""
    return -np.float32(_TAIL) * log((1 + off2 * np.float32(1 / (2 * _TAIL * spread**2))) * np.float32(other))


def table_density(seen: Floats, settings: ColourSettings = SETTINGS) -> Floats:
    """Log-density of each pixel if it shows the table, which nobody has described: its own commonest colour.

    Tokens cover the smaller part of a tray, so the closest half of all pixels is table; grain and weave widen it.
    """
    flat = (seen - surroundings(seen, settings)).reshape(-1, 3)
    sample = flat[:: max(1, len(flat) // 4000)]
    middle = np.median(sample, axis=0)
    chosen = sample
    for _ in range(5):
        spread = np.cov(chosen.T) + np.eye(3) * settings.hue**2
        off = sample - middle
        distance = np.einsum("ni,ij,nj->n", off, np.linalg.inv(spread), off)
        chosen = sample[distance <= np.quantile(distance, settings.table_share)]
        middle = chosen.mean(axis=0)
    # Cutting off the outer pixels made the spread too small; half of a normal cloud has 0.4 of its variance.
    spread = np.cov(chosen.T) / settings.table_cut + np.eye(3) * settings.hue**2
    half = np.linalg.cholesky(np.linalg.inv(spread)).astype(np.float32)
    off = (flat - middle.astype(np.float32)) @ half
    ll = -_TAIL * np.log1p(np.einsum("ni,ni->n", off, off) * np.float32(1 / (2 * _TAIL)))
    ll -= np.float32(0.5 * np.linalg.slogdet(spread)[1])
    return np.asarray(ll.reshape(seen.shape[:-1]), np.float32)


def surroundings(seen: Floats, settings: ColourSettings = SETTINGS) -> Floats:
    """The median colour around each pixel, wider than any token: planks and folds differ, tokens stand out."""
    height, width = seen.shape[:2]
    size = max(1, round(width / settings.table_cell_px)), max(1, round(height / settings.table_cell_px))
    cells = resized(seen, size)
    reach = settings.table_reach
    padded = np.pad(
        cells, ((reach, reach), (reach, reach), (0, 0)), mode="reflect" if min(size) > reach else "edge"
    )
    side = 2 * reach + 1
    windows = np.lib.stride_tricks.sliding_window_view(padded, (side, side), axis=(0, 1))
    return resized(np.median(windows, axis=(-2, -1)).astype(np.float32), (width, height))


@dataclass(frozen=True, eq=False)
class _Cloud:
    """One part of a mixture."""

    mean: Floats
    inverse: Floats  # of its covariance
    height: np.float32  # log-density in its middle, but for what all have in common


def _clouds(means: Floats, spreads: Floats, shares: Floats, slack: float) -> list[_Cloud]:
    covariances = spreads + np.eye(3, dtype=np.float32) * np.float32(slack**2)
    heights = np.log(np.maximum(shares, 1e-4)) - 0.5 * np.linalg.slogdet(covariances)[1]
    parts = zip(means, np.linalg.inv(covariances), heights.astype(np.float32), strict=True)
    return [_Cloud(*part) for part in parts]


def _mixture(flat: Floats, clouds: Sequence[_Cloud]) -> Floats:
    """Log-density of pixels (N x 3) under all parts together."""
    total: Floats | None = None
    for cloud in clouds:
        off = flat - cloud.mean
        squares = np.einsum("ni,ni->n", off @ cloud.inverse, off)
        # Heavy tails: a burnt-out face is still nearer to white than to blue.
        ll = cloud.height - np.float32(_TAIL) * log(1 + squares * np.float32(1 / (2 * _TAIL)))
        total = ll if total is None else np.logaddexp(total, ll)
    assert total is not None
    return total


@dataclass(frozen=True, eq=False)
class Colours:
    """Mixtures of Gaussians over log colours: labels x parts."""

    means: Floats  # labels x parts x 3
    spreads: Floats  # labels x parts x 3 x 3, covariances
    shares: Floats  # labels x parts
    taught: NDArray[np.bool_]  # labels
    shade_means: Floats  # shades x 3: how shadows changed the print when the colours were learnt
    shade_spreads: Floats  # shades x 3 x 3

    @cached_property
    def _table(self) -> Floats:
        """Log-densities on a grid of log colours: looking up is a hundred times quicker than computing."""
        axis = _LOW + (np.arange(_STEPS, dtype=np.float32) + 0.5) * _STEP
        grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)
        out = np.full((len(grid), len(self.means)), -50.0, np.float32)
        for label in range(len(self.means)):
            if self.taught[label]:
                parts = self.means[label], self.spreads[label], self.shares[label]
                out[:, label] = _mixture(grid, _clouds(*parts, SETTINGS.slack))
        return out

    @cached_property
    def _shades(self) -> list[_Cloud]:
        share = np.full(
            len(self.shade_means), SETTINGS.shadow_share / max(len(self.shade_means), 1), np.float32
        )
        return _clouds(self.shade_means, self.shade_spreads, share, SETTINGS.slack)

    def ground(self, off: Floats) -> Floats:
        """Log-density of pixels that deviate by `off` from the print: print in light, or in any shadow."""
        return self.shaded(off, print_density(off))

    def shaded(self, off: Floats, lit: Floats) -> Floats:
        """The same, where `lit` is the print's in light or in an even shadow."""
        density = lit.copy()
        flat = density.reshape(-1)
        doubtful = np.flatnonzero(flat < 0)
        if len(doubtful) and self._shades:
            shade = _mixture(off.reshape(-1, 3)[doubtful], self._shades)
            flat[doubtful] = np.maximum(flat[doubtful], shade)
        return density

    @cached_property
    def likely(self) -> float:
        """The log-density of print that looks exactly as it should."""
        return float(self.ground(np.zeros((1, 1, 3), np.float32))[0, 0])

    def density(self, seen: Floats) -> Floats:
        """Log-density of each pixel under each label: the picture's shape x labels."""
        at = np.clip((seen - _LOW) * (1 / _STEP), 0, _STEPS - 1).astype(np.int32)
        index = (at[..., 0] * _STEPS + at[..., 1]) * _STEPS + at[..., 2]
        return np.asarray(np.take(self._table, index, axis=0))


@dataclass(frozen=True, eq=False)
class Lesson:
    """An area whose content is known: log colours, log-density of its bare ground, labels present."""

    seen: Floats
    ground: Floats
    present: frozenset[int]
    off: Floats | None = None  # deviation from the print, where there is one


def learn(count: int, lessons: Sequence[Lesson], settings: ColourSettings = SETTINGS) -> Colours:
    """Colours of `count` labels. Labels never shown stay untaught."""
    pixels, print_ll, allowed, offs = [], [], [], []
    for lesson in lessons:
        flat = lesson.seen.reshape(-1, 3)
        pixels.append(flat)
        print_ll.append(lesson.ground.reshape(-1))
        mask = np.zeros((len(flat), count), bool)
        mask[:, sorted(lesson.present)] = True
        allowed.append(mask)
        offs.append(np.full_like(flat, 9.0) if lesson.off is None else lesson.off.reshape(-1, 3))
    x, ground_ll, may = np.concatenate(pixels), np.concatenate(print_ll), np.concatenate(allowed)
    off = np.concatenate(offs)
    if len(x) > settings.most_pixels:
        kept = np.random.default_rng(3).choice(len(x), settings.most_pixels, replace=False)
        x, ground_ll, may, off = x[kept], ground_ll[kept], may[kept], off[kept]
    taught = np.asarray(may.any(axis=0), bool)
    shown = [int(label) for label in np.flatnonzero(taught)]
    changed = ground_ll < settings.stray / 3
    # Start: how much more often a colour turns up where the label is present than where it is not.
    weight = np.zeros((len(x), count), np.float32)
    codes = _codes(x)
    for label in range(count):
        if taught[label]:
            inside = np.bincount(codes[changed & may[:, label]], minlength=512) + 1.0
            outside = np.bincount(codes[changed & ~may[:, label]], minlength=512) + 1.0
            odds = inside / inside.sum() / (outside / outside.sum())
            # Shadows fall everywhere; what is a label's own turns up only where it lies.
            surplus = np.clip(odds[codes] - settings.surplus, 0, 20)
            weight[:, label] = surplus * may[:, label] * changed
    weight /= np.maximum(weight.sum(axis=1, keepdims=True), 1.0)
    weight *= weight > 0.3
    means = np.zeros((count, settings.parts, 3), np.float32)
    spreads = np.tile(np.eye(3, dtype=np.float32) * 0.05, (count, settings.parts, 1, 1))
    shares = np.full((count, settings.parts), 1 / settings.parts, np.float32)
    for label in shown:
        _start(x, weight[:, label], np.where(may[:, label], ground_ll, np.inf), means[label], settings)
    on_print = any(lesson.off is not None for lesson in lessons)
    shade_means = np.array([[depth] * 3 for depth in settings.shades if on_print], np.float32).reshape(-1, 3)
    shade_spreads = np.tile(np.eye(3, dtype=np.float32) * 0.04, (len(shade_means), 1, 1))
    for _ in range(settings.rounds):
        shades = _shades(off, shade_means, shade_spreads, settings)
        lls = np.full((len(x), count, settings.parts), -50.0, np.float32)
        for label in shown:
            for part in range(settings.parts):
                one = slice(part, part + 1)
                clouds = _clouds(means[label, one], spreads[label, one], shares[label, one], 0.0)
                lls[:, label, part] = _mixture(x, clouds)
        lls[~may] = -50.0
        top = np.maximum(lls.max(axis=(1, 2)), np.maximum(ground_ll, settings.stray))
        top = np.maximum(top, shades.max(axis=1, initial=-50.0))
        likely = np.exp(lls - top[:, None, None])
        shaded = np.exp(shades - top[:, None])
        rest = np.exp(ground_ll - top) + np.exp(settings.stray - top) + shaded.sum(axis=1)
        total_likely = likely.sum(axis=(1, 2)) + rest
        likely /= total_likely[:, None, None]
        for shade in range(len(shade_means)):
            _update(off, shaded[:, shade] / total_likely, shade_means, shade_spreads, shade, settings)
        for label in shown:
            for part in range(settings.parts):
                _update(x, likely[:, label, part], means[label], spreads[label], part, settings)
            sums = likely[:, label].sum(axis=0)
            shares[label] = (sums + 1) / (sums + 1).sum()
    for label in shown:
        _without_strays(means[label], spreads[label], shares[label], settings)
    return Colours(means, spreads, shares, taught, shade_means, shade_spreads)


def _shades(off: Floats, means: Floats, spreads: Floats, settings: ColourSettings) -> Floats:
    share = np.full(1, settings.shadow_share / max(len(means), 1), np.float32)
    columns = [
        _mixture(off, _clouds(means[i : i + 1], spreads[i : i + 1], share, 0.0)) for i in range(len(means))
    ]
    return np.stack(columns, axis=1) if columns else np.zeros((len(off), 0), np.float32)


def _update(
    x: Floats, weight: Floats, means: Floats, spreads: Floats, part: int, settings: ColourSettings
) -> None:
    """One part of a mixture, from the pixels that are likely its own."""
    total = float(weight.sum())
    if total < 8:
        return
    means[part] = weight @ x / total
    off = x - means[part]
    spreads[part] = (off * weight[:, None]).T @ off / total
    spreads[part] += np.eye(3, dtype=np.float32) * np.float32(settings.least_spread**2)


def _without_strays(means: Floats, spreads: Floats, shares: Floats, settings: ColourSettings) -> None:
    """Parts with hardly a pixel of their own show another label's piece that was dealt out wrongly: the largest stands in."""
    stray, largest = shares < settings.least_share, int(shares.argmax())
    means[stray], spreads[stray] = means[largest], spreads[largest]


def _codes(x: Floats) -> NDArray[np.int64]:
    steps = np.clip(((x - 2.4) / (5.6 - 2.4) * 8).astype(np.int64), 0, 7)
    return steps[:, 0] * 64 + steps[:, 1] * 8 + steps[:, 2]


def _start(x: Floats, weight: Floats, ground_ll: Floats, means: Floats, settings: ColourSettings) -> None:
    """Parts start as the darkest, middle and brightest thirds of what is likely the label's.

    Where no colour stands out as its own, that is what the ground explains worst of all it may explain.
    """
    chosen = x[weight > 0.3]
    if len(chosen) < settings.least_start:
        least = np.argsort(ground_ll, kind="stable")[: settings.doubtful_start]
        chosen = x[least[np.isfinite(ground_ll[least])]]
    order = np.argsort(chosen.sum(axis=1), kind="stable")
    for part, third in enumerate(np.array_split(order, settings.parts)):
        means[part] = chosen[third].mean(axis=0)

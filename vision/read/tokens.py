"""Finds flat tokens by what stands out from the ground and by their print: any way round, on any ground, under glare.

A token is unrolled about its middle into rings and angles, where turning it is a shift. Likeness to the taught
tokens in colour and outline says where to look. Then the taught token is laid over the place, its brightness and
its colours faded as a veil of glare does; what remains says whether there is one and which.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.read.colours import SETTINGS as COLOURS
from vision.read.foreground import foreground
from vision.read.pixels import filtered, resized
from vision.read.veil import unveiled

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Spectra = NDArray[np.complex64]


@dataclass(frozen=True)
class TokenSettings:
    rings: int = 8
    angles: int = 24
    coarse: int = 2  # rings and angles are thinned by this while searching
    step_mm: float = 1.5  # of the search; likeness falls to half within twice that
    finer_mm: tuple[float, float] = (0.75, 0.375)  # then, the second time with all rings and angles
    apart_mm: float = 3.0  # the likest of all places within this is looked at
    heart: float = 0.7  # of the radius: what lies there stands out, or there is no token
    stands: float = 0.15  # how much at least
    alike: float = 0.25  # likeness from which a place is looked at closely
    flat: float = 0.4  # of a token's own contrast: flatter places are not blown up to resemble it
    outline: float = 0.5  # how much of likeness is outline, the rest is print
    dark: float = 60.0  # camera values added before the logarithm: hues of what is nearly black say nothing
    fade: tuple[float, float] = (0.3, 1.6)  # of a token's contrast, under glare and in hard light
    vivid: tuple[float, float] = (0.3, 1.3)  # of its colours
    # Squared log units: a token with less contrast, or colour, than this cannot tell how much of it is left.
    plain: float = 0.0025
    grey: float = 0.0005
    faint: float = 0.3  # in units of what disturbs a picture: print no stronger than this is as good as none
    together: float = 1.3  # colours hardly fade less than contrast does
    tone: float = 0.12  # log units by which brightness differs from the taught token's
    hue: float = 0.07  # and colour
    level: float = 0.3  # and the brightness of the whole: enough to tell black tokens from white ones
    least: float = 0.5  # residuals are never known better
    # Log-odds of a token: for the whole of likeness, for e times more residual, for standing out, for correlation.
    like_odds: float = 12.0
    left_odds: float = -1.2
    stands_odds: float = 12.0
    print_odds: float = 13.0
    usual_odds: float = -12.6
    most_odds: float = 7.0  # one look is never surer
    telling: float = 1.2  # log-odds of a label for e times less residual
    nearer: float = 6.0  # and for the whole way from one label's picture to the other's
    own: float = 0.6  # of a token's footprint: where more is taken by a clearer one, there is no other


SETTINGS = TokenSettings()
# Brightness, green to red, blue to yellow: of blue, green, red.
_OPPONENT = np.array([[1 / 3, 1 / 3, 1 / 3], [0, -1, 1], [-1, 0.5, 0.5]], np.float32)


@dataclass(frozen=True, eq=False)
class Tokens:
    """Taught tokens of one label set, unrolled: exemplars x rings x angles, and whose label each is.

    A label may look different on each board, as keys in the colours of their players do; `usable` says which
    exemplars are compared on which of the `boards`.
    """

    labels: tuple[str, ...]
    boards: tuple[str, ...]
    logs: Floats  # exemplars x rings x angles x 3
    masks: Floats  # exemplars x rings x angles: 1 where the token is, 0 where the ground beside it
    owners: Ints  # exemplars
    usable: NDArray[np.bool_]  # exemplars x boards
    radius_mm: float  # of the disc, a little wider than the widest token

    def only(self, chosen: NDArray[np.bool_] | Ints) -> "Tokens":
        return Tokens(
            self.labels,
            self.boards,
            self.logs[chosen],
            self.masks[chosen],
            self.owners[chosen],
            self.usable[chosen],
            self.radius_mm,
        )

    def on(self, board: str) -> "Tokens":
        """The tokens as they look on one board."""
        return self._by_board.get(board, self)

    @cached_property
    def _by_board(self) -> dict[str, "Tokens"]:
        return {board: self.only(self.usable[:, i]) for i, board in enumerate(self.boards)}

    @cached_property
    def colours(self) -> Floats:
        return opponent(self.logs)

    @cached_property
    def fine(self) -> "Shapes":
        return Shapes.of(self.logs, self.masks)

    @cached_property
    def coarse(self) -> "Shapes":
        thin = SETTINGS.coarse
        return Shapes.of(self.logs[:, thin // 2 :: thin, ::thin], self.masks[:, thin // 2 :: thin, ::thin])


@dataclass(frozen=True, eq=False)
class Shapes:
    """Print and outline of unrolled discs, each without its mean, as spectra over the angle."""

    print: Spectra  # n x (rings * 3) x frequencies
    outline: Spectra  # n x rings x frequencies
    contrasts: tuple[Floats, Floats]  # n each

    @classmethod
    def of(cls, logs: Floats, stands: Floats) -> "Shapes":
        """From log colours (n x rings x angles x 3) and how much of each pixel stands out."""
        count, rings, angles, _ = logs.shape
        share = _ring_shares(rings)[:, None] / angles
        weight = stands * share
        total = weight.sum(axis=(1, 2))
        mean = np.einsum("nrac,nra->nc", logs, weight) / np.maximum(total, 1e-3)[:, None]
        root = np.sqrt(share)
        print_ = (logs - mean[:, None, None]) * (stands * root)[..., None]
        outline = (stands - total[:, None, None]) * root
        rows = print_.transpose(0, 3, 1, 2).reshape(count, rings * 3, angles)
        contrasts = (
            np.sqrt(np.einsum("nka,nka->n", rows, rows)),
            np.sqrt(np.einsum("nra,nra->n", outline, outline)),
        )
        waves = _waves(angles)
        return cls(rows @ waves, outline @ waves, contrasts)


@lru_cache(maxsize=4)
def _waves(angles: int) -> Spectra:
    """The Fourier transform over so few angles is a small matrix: angles x frequencies."""
    turns = np.outer(np.arange(angles), np.arange(angles // 2 + 1)) * (2 * np.pi / angles)
    return np.asarray(np.exp(-1j * turns), np.complex64)


@lru_cache(maxsize=4)
def _ring_shares(rings: int) -> Floats:
    """How much of the disc each ring covers."""
    middles = np.arange(rings, dtype=np.float32) + np.float32(0.5)
    return np.asarray(middles / middles.sum(), np.float32)


def likeness(seen: Shapes, taught: Shapes) -> tuple[Floats, Ints]:
    """Of each place to each exemplar at its best turn, from 0 to 1, and that turn: n x exemplars each."""
    s = SETTINGS
    angles = 2 * (seen.outline.shape[-1] - 1)
    parts = (
        (1 - s.outline, seen.print, taught.print),
        (s.outline, seen.outline, taught.outline),
    )
    total: NDArray[np.complex64] | None = None
    for (weight, a, b), here, there in zip(parts, seen.contrasts, taught.contrasts, strict=True):
        scale = np.maximum(np.maximum(here[:, None], s.flat * there) * there, 1e-6) / np.float32(weight)
        product = np.matmul(a.transpose(2, 0, 1), b.conj().transpose(2, 1, 0)) / scale
        total = product if total is None else total + product
    assert total is not None
    count, exemplars = total.shape[1:]
    folded = np.ones(len(total), np.float32) * 2
    folded[[0, -1]] = 1
    back = (_waves(angles).conj() * folded / angles).view(np.float32).reshape(angles, -1, 2)
    halves = total.reshape(len(total), -1)
    turns = back[..., 0] @ halves.real - back[..., 1] @ halves.imag
    turns = turns.reshape(angles, count, exemplars)
    return turns.max(axis=0), turns.argmax(axis=0)


def unrolled(picture: Floats, at_px: Floats, radius_px: float, thin: int = 1) -> Floats:
    """Discs about places (n x 2) of a picture, ring by ring: n x rings x angles x channels."""
    s = SETTINGS
    radii = ((np.arange(s.rings) + 0.5) / s.rings)[thin // 2 :: thin] * radius_px
    turns = (np.arange(s.angles) * 2 * np.pi / s.angles)[::thin]
    across = (radii[:, None] * np.cos(turns)).reshape(-1)
    down = (radii[:, None] * np.sin(turns)).reshape(-1)
    x = (at_px[:, :1] + across).astype(np.float32)
    y = (at_px[:, 1:] + down).astype(np.float32)
    discs = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(discs, np.float32).reshape(len(at_px), len(radii), len(turns), -1)


def opponent(logs: Floats) -> Floats:
    """Brightness and two hues, logarithms of camera values that stay quiet in the dark."""
    values = np.maximum(np.exp(logs) - np.float32(COLOURS.offset), 0)
    return np.asarray(np.log(values + np.float32(SETTINGS.dark)) @ _OPPONENT.T, np.float32)


@dataclass(frozen=True, eq=False)
class Laid:
    """Taught tokens laid over places, each at its best turn and faded as fits best: n x exemplars each."""

    turns: Ints
    left: Floats  # what remains, squared, in units of what usually disturbs a picture
    print: Floats  # correlation of print, brightness and colours
    stands: Floats  # how much of the token's footprint stands out
    seen: Floats  # n x rings x angles x 3, opponent colours
    fitted: Floats  # n x exemplars x rings x angles x 3: the taught ones as they were laid
    weights: Floats  # n x exemplars x rings x angles: of each pixel, their sum is 1


def lay(tokens: Tokens, logs: Floats, stands: Floats) -> Laid:
    """Compares unrolled places with every exemplar."""
    s = SETTINGS
    _, turns = likeness(Shapes.of(logs, stands), tokens.fine)
    places = (np.arange(s.angles) - turns[..., None]) % s.angles
    whose = np.arange(len(tokens.owners))[None, :, None]
    laid = tokens.colours[whose, :, places].transpose(0, 1, 3, 2, 4)
    masks = tokens.masks[whose, :, places].transpose(0, 1, 3, 2)
    shares = masks * _ring_shares(s.rings)[:, None]
    # The rim shows some of the ground.
    weights = np.concatenate([shares[:, :, :-1] * masks[:, :, 1:], np.zeros_like(shares[:, :, :1])], axis=2)
    weights = weights / np.maximum(weights.sum(axis=(2, 3), keepdims=True), 1e-4)
    seen = opponent(logs)
    seen_mean = np.einsum("nrac,nera->nec", seen, weights)
    laid_mean = np.einsum("nerac,nera->nec", laid, weights)
    seen_power = np.einsum("nrac,nera->nec", seen * seen, weights) - seen_mean**2
    laid_power = np.einsum("nerac,nera->nec", laid * laid, weights) - laid_mean**2
    common = np.einsum("nrac,nerac,nera->nec", seen, laid, weights) - seen_mean * laid_mean
    contrast = np.clip((common[..., 0] + s.plain) / (laid_power[..., 0] + s.plain), *s.fade)
    # Hues are compared as they are; brightness about its mean, which light and shadow move as they please.
    hues = common[..., 1:] + seen_mean[..., 1:] * laid_mean[..., 1:]
    laid_hues = (laid_power + laid_mean**2)[..., 1:].sum(axis=-1)
    most = np.clip(s.together * contrast, 0, s.vivid[1])
    vivid = np.clip((hues.sum(axis=-1) + s.grey) / (laid_hues + s.grey), s.vivid[0], most)
    tones_left = seen_power[..., 0] - 2 * contrast * common[..., 0] + contrast**2 * laid_power[..., 0]
    seen_hues = (seen_power + seen_mean**2)[..., 1:].sum(axis=-1)
    hues_left = seen_hues - 2 * vivid * hues.sum(axis=-1) + vivid**2 * laid_hues
    left = tones_left / (contrast * s.tone) ** 2 + hues_left / (vivid * s.hue) ** 2 + s.least
    left += ((seen_mean - laid_mean)[..., 0] / s.level) ** 2
    per_channel = np.array([s.tone, s.hue, s.hue], np.float32) ** -2
    power = (seen_power @ per_channel + s.faint) * (laid_power @ per_channel + s.faint)
    faded = np.concatenate(
        [
            seen_mean[:, :, None, None, :1]
            + contrast[..., None, None, None] * (laid[..., :1] - laid_mean[:, :, None, None, :1]),
            vivid[..., None, None, None] * laid[..., 1:],
        ],
        axis=-1,
    )
    return Laid(
        turns,
        np.asarray(left, np.float32),
        np.asarray((common @ per_channel + s.faint) / np.sqrt(power), np.float32),
        np.einsum("nra,nera->ne", stands, shares) / np.maximum(shares.sum(axis=(2, 3)), 1e-4),
        seen,
        faded,
        weights,
    )


@dataclass(frozen=True)
class Token:
    """A token found: where (pixels of the picture), log-odds that it is one and of its labels."""

    at_px: tuple[float, float]
    odds: float
    votes: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Tray:
    """An area as tokens are looked for in it: log colours, and how much each pixel stands out from the ground."""

    logs: Floats
    stands: Floats

    @classmethod
    def of(cls, logs: Floats, bare: Floats | None, radius_px: float = 0.0) -> "Tray":
        """`bare` is the print beneath, where it is known; `radius_px` that of the tokens, where it is known."""
        # Print tells what glare does to it, and so to the tokens on it.
        clear = logs if bare is None else unveiled(logs[None], bare[None], [(0.0, 0.0)])[0]
        return cls(clear, foreground(clear, bare, 2 * radius_px))

    def discs(self, at_px: Floats, radius_px: float, thin: int = 1) -> tuple[Floats, Floats]:
        """Unrolled log colours and how much they stand out, about places."""
        both = unrolled(self._both, at_px, radius_px, thin)
        return both[..., :3], both[..., 3]

    @cached_property
    def _both(self) -> Floats:
        return np.dstack([self.logs, self.stands])


def find_tokens(tokens: Tokens, tray: Tray, px_per_mm: float, margin_mm: float) -> list[Token]:
    """Every place of an area that may hold a token, the clearest first; no two where only one can lie."""
    s = SETTINGS
    radius_px = tokens.radius_mm * px_per_mm
    at_px, like = _alike(tokens, tray, radius_px, px_per_mm, margin_mm)
    if not len(at_px):
        return []
    logs, stands = tray.discs(at_px, radius_px)
    laid = lay(tokens, logs, stands)
    best = laid.left.argmin(axis=1)
    each = np.arange(len(best))
    odds = s.usual_odds + s.like_odds * like + s.left_odds * np.log(laid.left[each, best])
    odds += s.stands_odds * laid.stands[each, best] + s.print_odds * laid.print[each, best]
    free = np.ones_like(tray.stands)
    found = []
    for i in np.argsort(-odds):
        mask = np.roll(tokens.masks[best[i]], laid.turns[i, best[i]], axis=1)
        share = mask * _ring_shares(s.rings)[:, None]
        left = unrolled(free, at_px[i : i + 1], radius_px)[0, ..., 0] * share / share.sum()
        if left.sum() < s.own:
            continue
        cv2.fillPoly(free, [_footprint(mask, at_px[i], radius_px)], 0.0)
        x, y = (float(one) for one in at_px[i])
        # What stands out of a clearer token beside it does not speak for this one.
        alone = odds[i] - s.stands_odds * (laid.stands[i, best[i]] - (stands[i] * left).sum())
        sure = float(np.clip(alone, -s.most_odds, s.most_odds))
        found.append(Token((x, y), sure, _votes(tokens, laid, int(i))))
    return sorted(found, key=lambda token: -token.odds)


def _footprint(mask: Floats, at_px: Floats, radius_px: float) -> NDArray[np.int32]:
    """The outline of an unrolled mask as a polygon."""
    rings, angles = mask.shape
    reach = (mask * (np.arange(rings)[:, None] + 1)).max(axis=0) / rings * radius_px
    turns = np.arange(angles) * 2 * np.pi / angles
    corners = at_px + np.stack([np.cos(turns), np.sin(turns)], axis=1) * reach[:, None]
    return np.asarray(np.rint(corners), np.int32)


def _votes(tokens: Tokens, laid: Laid, place: int) -> tuple[float, ...]:
    """Log-odds of the labels at a place: by what each leaves unexplained, and to which of two it lies nearer.

    On the way from one label's picture to the other's, what neither explains does not count.
    """
    s = SETTINGS
    left = laid.left[place]
    best = int(left.argmin())
    per_channel = np.array([s.tone, s.hue, s.hue], np.float32) ** -2
    votes = []
    for label in range(len(tokens.labels)):
        own = np.flatnonzero(tokens.owners == label)
        if not len(own):
            votes.append(-s.most_odds * 2)  # never taught: never seen
            continue
        other = int(own[left[own].argmin()])
        if other == best:
            votes.append(0.0)
            continue
        fitted = laid.fitted[place]
        weight = np.sqrt(laid.weights[place, best] * laid.weights[place, other])[..., None] * per_channel
        way = fitted[best] - fitted[other]
        off = laid.seen[place] - (fitted[best] + fitted[other]) / 2
        nearer = float((off * way * weight).sum() / max(float((way * way * weight).sum()), 1e-6))
        votes.append(
            -s.telling * float(np.log(left[other] / left[best])) - s.nearer * float(np.clip(nearer, -1, 1))
        )
    return tuple(votes)


def _alike(
    tokens: Tokens, tray: Tray, radius_px: float, px_per_mm: float, margin_mm: float
) -> tuple[Floats, Floats]:
    """Middles of places that resemble a taught token, and how much: a coarse search, then finer about its best places."""
    s = SETTINGS
    height, width = tray.stands.shape
    rim = margin_mm * px_per_mm + 0.4 * radius_px
    step = s.step_mm * px_per_mm
    columns = np.arange(rim, max(width - rim, rim + 0.1), step, dtype=np.float32)
    rows = np.arange(rim, max(height - rim, rim + 0.1), step, dtype=np.float32)
    grid = np.stack(np.meshgrid(columns, rows), axis=-1)
    small = resized(tray.stands, (max(1, width // 2), max(1, height // 2)))
    hearts = filtered(small, disc(s.heart * radius_px / 2))
    across, down = (np.minimum((grid[..., i] / 2).astype(int), small.shape[1 - i] - 1) for i in (0, 1))
    worth = hearts[down, across] > s.stands
    best = np.full(worth.shape, -1, np.float32)
    if not worth.any():
        return np.zeros((0, 2), np.float32), np.zeros(0, np.float32)
    shapes = Shapes.of(*tray.discs(grid[worth], radius_px, s.coarse))
    best[worth] = likeness(shapes, tokens.coarse)[0].max(axis=1)
    apart = 2 * round(s.apart_mm / s.step_mm) + 1
    peaks = (best >= cv2.dilate(best, np.ones((apart, apart), np.uint8))) & (best > s.alike)
    at_px, like = grid[peaks], best[peaks]
    around = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)], np.float32)
    for finer_mm, thin in zip(s.finer_mm, (s.coarse, 1), strict=True):
        if len(at_px):
            tried = (at_px[:, None] + around * np.float32(finer_mm * px_per_mm)).reshape(-1, 2)
            taught = tokens.fine if thin == 1 else tokens.coarse
            tries = likeness(Shapes.of(*tray.discs(tried, radius_px, thin)), taught)[0].max(axis=1)
            tries = tries.reshape(len(at_px), len(around))
            at_px = tried.reshape(len(at_px), len(around), 2)[np.arange(len(at_px)), tries.argmax(axis=1)]
            like = tries.max(axis=1)
    return at_px, like


@lru_cache(maxsize=64)
def disc(radius_px: float) -> Floats:
    """A round kernel whose sum is 1."""
    reach = int(np.ceil(radius_px))
    down, right = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    kernel = np.clip(radius_px - np.hypot(right, down) + 0.5, 0, 1)
    return np.asarray(kernel / kernel.sum(), np.float32)


def tokens_apart(tokens: Tokens, a: int, b: int) -> float:
    """How far the likest tokens of two labels on one board differ, in deviations of what disturbs a picture."""
    least = float("inf")
    for board in tokens.boards:
        here = tokens.on(board)
        one, other = here.only(here.owners == a), here.only(here.owners == b)
        if len(one.owners) and len(other.owners):
            least = min(least, float(lay(other, one.logs, one.masks).left.min()))
    return float(np.sqrt(least / SETTINGS.least))

"""Finds flat tokens by what stands out from the ground and by their print: any way round, on any ground, under glare.

A token is unrolled about its middle into rings and angles, where turning it is a shift. Likeness to the taught
tokens in colour and outline says where to look. Then the taught token is laid over the place, its brightness and
its colours faded as a veil of glare does; what remains says whether there is one and which.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.read.colours import SETTINGS as COLOURS
from vision.read.discs import Discs, Shapes, likeness, ring_shares, unrolled
from vision.read.foreground import foreground
from vision.read.pixels import exp, filtered, log, resized
from vision.read.veil import unveiled

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class TokenSettings:
    coarse: int = 2  # rings and angles are thinned by this while searching
    step_mm: float = 1.5  # of the search; likeness falls to half within twice that
    finer_mm: tuple[float, float] = (0.75, 0.375)  # then, the second time with all rings and angles
    apart_mm: float = 3.0  # the likest of all places within this is looked at
    heart: float = 0.7  # of the radius: what lies there stands out, or there is no token
    stands: float = 0.15  # how much at least
    alike: float = 0.25  # likeness from which a place is looked at closely
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
# What a squared difference of each counts.
_PER_CHANNEL = np.array([SETTINGS.tone, SETTINGS.hue, SETTINGS.hue], np.float32) ** -2


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
    def discs(self) -> "Discs":
        return Discs(
            np.ascontiguousarray(self.logs.transpose(3, 2, 1, 0)),
            np.ascontiguousarray(self.masks.transpose(2, 1, 0)),
        )

    @cached_property
    def fine(self) -> "Shapes":
        return Shapes.of(self.discs)

    @cached_property
    def coarse(self) -> "Shapes":
        thin = SETTINGS.coarse
        return Shapes.of(
            Discs(self.discs.logs[:, ::thin, thin // 2 :: thin], self.discs.stands[::thin, thin // 2 :: thin])
        )

    @cached_property
    def turned(self) -> "Turned":
        return Turned.of(self)


def opponent(logs: Floats) -> Floats:
    """Brightness and two hues, the first axis: logarithms of camera values that stay quiet in the dark."""
    values = np.maximum(exp(logs) - np.float32(COLOURS.offset), 0)
    quiet = log(values + np.float32(SETTINGS.dark))
    return np.asarray(_OPPONENT @ quiet.reshape(3, -1), np.float32).reshape(logs.shape)


@dataclass(frozen=True, eq=False)
class Turned:
    """Exemplars at each turn, to be laid over what is seen: sums over their pixels are products of matrices."""

    pixels: Ints  # turns x (angles * rings): where each pixel of a turned disc comes from
    colours: Floats  # 3 x exemplars x pixels: opponent colours, not turned
    weights: Floats  # exemplars x pixels: their sum is 1
    mean: Floats  # 3 x exemplars: the colours', and how much they vary about it
    power: Floats
    turned_weights: Floats  # exemplars x turns x pixels; views of what is kept once
    turned_shares: Floats  # ... of the token's part of the disc
    turned_colours: Floats  # 3 x exemplars x turns x pixels, weighed

    @classmethod
    def of(cls, tokens: Tokens) -> "Turned":
        discs = tokens.discs
        angles, rings, count = discs.stands.shape
        back = (np.arange(angles) - np.arange(angles)[:, None]) % angles
        pixels = (back[..., None] * rings + np.arange(rings)).reshape(angles, -1)
        shares = discs.stands * ring_shares(rings)[:, None]
        # The rim shows some of the ground.
        weights = np.zeros_like(shares)
        weights[:, :-1] = shares[:, :-1] * discs.stands[:, 1:]
        weights /= np.maximum(weights.sum(axis=(0, 1)), np.float32(1e-4))
        shares /= np.maximum(shares.sum(axis=(0, 1)), np.float32(1e-4))
        shares, weights = (np.ascontiguousarray(one.reshape(-1, count).T) for one in (shares, weights))
        colours = np.ascontiguousarray(opponent(discs.logs).reshape(3, -1, count).transpose(0, 2, 1))
        weighed = colours * weights
        mean = weighed.sum(axis=2)
        return cls(
            pixels,
            colours,
            weights,
            mean,
            (weighed * colours).sum(axis=2) - mean**2,
            at_each_turn(weights, rings),
            at_each_turn(shares, rings),
            at_each_turn(weighed, rings),
        )


def at_each_turn(discs: Floats, rings: int) -> Floats:
    """Unrolled discs (... x (angles * rings)) at each turn: ... x turns x (angles * rings), a view of twice the discs.

    A disc that is turned begins with another angle and goes round from there.
    """
    size = discs.shape[-1]
    round_twice = np.concatenate([discs, discs], axis=-1)
    windows = sliding_window_view(round_twice, size, axis=-1)
    return np.asarray(windows[..., size:0:-rings, :])


@dataclass(frozen=True, eq=False)
class Laid:
    """Taught tokens laid over places, each at its best turn and faded as fits best: n x exemplars each."""

    tokens: Tokens
    turns: Ints
    left: Floats  # what remains, squared, in units of what usually disturbs a picture
    print: Floats  # correlation of print, brightness and colours
    stands: Floats  # how much of the token's footprint stands out
    level: Floats  # brightness of what is seen
    contrast: Floats  # how much is left of the token's own
    vivid: Floats  # and of its colours
    seen: Floats  # 3 x n x pixels, opponent colours

    def mask(self, place: int, exemplar: int) -> Floats:
        """The mask of a taught token as it was laid over a place: angles x rings."""
        return np.roll(self.tokens.discs.stands[..., exemplar], self.turns[place, exemplar], axis=0)

    def shares(self, exemplars: Ints) -> Floats:
        """How much of its token each pixel shows, one exemplar laid over each place: angles x rings x n."""
        angles, rings, _ = self.tokens.discs.stands.shape
        laid = exemplars, self.turns[np.arange(len(exemplars)), exemplars]
        return np.asarray(self.tokens.turned.turned_shares[laid].T.reshape(angles, rings, -1), np.float32)

    def fitted(self, place: int, exemplar: int) -> tuple[Floats, Floats]:
        """A taught token as it was laid over a place, 3 x pixels, and the weights of its pixels."""
        turned = self.tokens.turned
        pixels = turned.pixels[self.turns[place, exemplar]]
        faded = turned.colours[:, exemplar, pixels]
        faded[0] -= turned.mean[0, exemplar]
        faded[0] *= self.contrast[place, exemplar]
        faded[0] += self.level[place, exemplar]
        faded[1:] *= self.vivid[place, exemplar]
        return faded, turned.weights[exemplar, pixels]


def lay(tokens: Tokens, discs: Discs) -> Laid:
    """Compares unrolled places with every exemplar."""
    s = SETTINGS
    turns = likeness(Shapes.of(discs), tokens.fine).argmax(axis=0).T
    count, exemplars = turns.shape
    turned = tokens.turned
    at_best = np.arange(exemplars), turns
    seen = np.ascontiguousarray(opponent(discs.logs).reshape(3, -1, count).transpose(0, 2, 1))[..., None]
    weights = turned.turned_weights[at_best]
    seen_mean = (weights @ seen)[..., 0]
    laid_mean, laid_power = turned.mean[:, None], turned.power[:, None]
    seen_power = (weights @ (seen * seen))[..., 0] - seen_mean**2
    common = (turned.turned_colours[:, *at_best] @ seen)[..., 0] - seen_mean * laid_mean
    contrast = np.clip((common[0] + s.plain) / (laid_power[0] + s.plain), *s.fade)
    # Hues are compared as they are; brightness about its mean, which light and shadow move as they please.
    hues = (common + seen_mean * laid_mean)[1:].sum(axis=0)
    laid_hues = (laid_power + laid_mean**2)[1:].sum(axis=0)
    most = np.clip(s.together * contrast, 0, s.vivid[1])
    vivid = np.clip((hues + s.grey) / (laid_hues + s.grey), s.vivid[0], most)
    tones_left = seen_power[0] - 2 * contrast * common[0] + contrast**2 * laid_power[0]
    seen_hues = (seen_power + seen_mean**2)[1:].sum(axis=0)
    hues_left = seen_hues - 2 * vivid * hues + vivid**2 * laid_hues
    left = tones_left / (contrast * s.tone) ** 2 + hues_left / (vivid * s.hue) ** 2 + s.least
    left += ((seen_mean - laid_mean)[0] / s.level) ** 2

    def weighed(powers: Floats) -> Floats:
        return np.asarray((powers * _PER_CHANNEL[:, None, None]).sum(axis=0) + s.faint, np.float32)

    print_ = weighed(common) / np.sqrt(weighed(seen_power) * weighed(laid_power))
    standing = np.ascontiguousarray(discs.stands.reshape(-1, count).T)[..., None]
    stands = (turned.turned_shares[at_best] @ standing)[..., 0]
    return Laid(tokens, turns, left, print_, stands, seen_mean[0], contrast, vivid, seen[..., 0])


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

    def discs(self, at_px: Floats, radius_px: float, thin: int = 1) -> Discs:
        """Unrolled log colours and how much they stand out, about places."""
        both = unrolled(self._both, at_px, radius_px, thin)
        planes = np.asarray(cv2.split(both.reshape(-1, len(at_px), 4)), np.float32).reshape(
            4, *both.shape[:-1]
        )
        return Discs(planes[:3], planes[3])

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
    discs = tray.discs(at_px, radius_px)
    laid = lay(tokens, discs)
    best = laid.left.argmin(axis=1)
    each = np.arange(len(best))
    odds = s.usual_odds + s.like_odds * like + s.left_odds * np.log(laid.left[each, best])
    odds += s.stands_odds * laid.stands[each, best] + s.print_odds * laid.print[each, best]
    shares = laid.shares(best)
    free = np.ones_like(tray.stands)
    found = []
    hopeless = odds <= -s.most_odds
    for i in np.argsort(-odds)[: np.count_nonzero(~hopeless)]:
        left = unrolled(free, at_px[i : i + 1], radius_px)[..., 0] * shares[..., i]
        if left.sum() < s.own:
            continue
        cv2.fillPoly(free, [_footprint(laid.mask(i, best[i]), at_px[i], radius_px)], 0.0)
        x, y = (float(one) for one in at_px[i])
        # What stands out of a clearer token beside it does not speak for this one.
        alone = odds[i] - s.stands_odds * (laid.stands[i, best[i]] - (discs.stands[..., i] * left).sum())
        sure = float(np.clip(alone, -s.most_odds, s.most_odds))
        found.append(Token((x, y), sure, _votes(laid, int(i))))
    found.sort(key=lambda token: -token.odds)
    if hopeless.any():
        # Surely none: of which label they are not, and which of two beside each other, need not be worked out.
        left = unrolled(free, at_px[hopeless], radius_px) * shares[..., hopeless]
        no_label = (0.0,) * len(tokens.labels)
        for x, y in at_px[hopeless][left.sum(axis=(0, 1)) >= s.own].tolist():
            found.append(Token((x, y), -s.most_odds, no_label))
    return found


def _footprint(mask: Floats, at_px: Floats, radius_px: float) -> NDArray[np.int32]:
    """The outline of an unrolled mask (angles x rings) as a polygon."""
    angles, rings = mask.shape
    reach = (mask * np.arange(1, rings + 1)).max(axis=1) / rings * radius_px
    corners = at_px + _directions(angles) * reach[:, None]
    return np.asarray(np.rint(corners), np.int32)


@lru_cache(maxsize=4)
def _directions(angles: int) -> NDArray[np.float64]:
    """Right and down, for each angle."""
    turns = np.arange(angles) * 2 * np.pi / angles
    return np.stack([np.cos(turns), np.sin(turns)], axis=1)


def _votes(laid: Laid, place: int) -> tuple[float, ...]:
    """Log-odds of the labels at a place: by what each leaves unexplained, and to which of two it lies nearer.

    On the way from one label's picture to the other's, what neither explains does not count.
    """
    s = SETTINGS
    left = laid.left[place]
    best = int(left.argmin())
    fitted, weights = laid.fitted(place, best)
    votes = []
    for label in range(len(laid.tokens.labels)):
        own = np.flatnonzero(laid.tokens.owners == label)
        if not len(own):
            votes.append(-s.most_odds * 2)  # never taught: never seen
            continue
        other = int(own[left[own].argmin()])
        if other == best:
            votes.append(0.0)
            continue
        other_fitted, other_weights = laid.fitted(place, other)
        way = fitted - other_fitted
        off = laid.seen[:, place] - (fitted + other_fitted) / 2
        weighed = way * np.sqrt(weights * other_weights) * _PER_CHANNEL[:, None]
        nearer = float(np.vdot(off, weighed)) / max(float(np.vdot(way, weighed)), 1e-6)
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
    best[worth] = _likest(tray.discs(grid[worth], radius_px, s.coarse), tokens.coarse)
    apart = 2 * round(s.apart_mm / s.step_mm) + 1
    peaks = (best >= cv2.dilate(best, np.ones((apart, apart), np.uint8))) & (best > s.alike)
    at_px, like = grid[peaks], best[peaks]
    around = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)], np.float32)
    for finer_mm, thin in zip(s.finer_mm, (s.coarse, 1), strict=True):
        if len(at_px):
            tried = (at_px[:, None] + around * np.float32(finer_mm * px_per_mm)).reshape(-1, 2)
            taught = tokens.fine if thin == 1 else tokens.coarse
            tries = _likest(tray.discs(tried, radius_px, thin), taught).reshape(len(at_px), len(around))
            at_px = tried.reshape(len(at_px), len(around), 2)[np.arange(len(at_px)), tries.argmax(axis=1)]
            like = tries.max(axis=1)
    return at_px, like


def _likest(discs: Discs, taught: Shapes) -> Floats:
    """How much each place resembles a taught token, whichever and however it is turned."""
    return np.asarray(likeness(Shapes.of(discs), taught).max(axis=(0, 1)), np.float32)


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
            least = min(least, float(lay(other, one.discs).left.min()))
    return float(np.sqrt(least / SETTINGS.least))

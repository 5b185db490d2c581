"""What was learnt of a set of tiles: the sizes of its pictures, the taught ones, and the metric they are compared in.

In that metric what shifts, light, blur and noise do to a picture counts little (a shrunken Fisher metric: per-feature
noise plus the main directions of disturbance).
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.read import fine
from vision.read.pixels import turn_about, warped

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class TileSettings:
    area_px: int = (
        4000  # a crop's pixels: enough for print of a fiftieth of the piece, little enough to be quick
    )
    finest_px_per_mm: float = 2.0  # a token 18 mm wide then has 36 pixels across
    coarse_side_px: int = 12  # the short side in the search
    margin_share: float = 0.22  # of the short side: how far off a piece may lie
    margin_mm: tuple[float, float] = (2.0, 5.0)
    # Of the coarse templates' variance, what may be lost where they are factored; it stays below a hundredth of a correlation.
    coarse_loss: float = 1e-3
    thin: float = 0.5  # of the work, below which factors are worth their while
    usual_pairs: float = 8.0  # pieces of one label that must be shown before what they differ in is believed
    angles: tuple[float, ...] = (-5.0, 0.0, 5.0)  # degrees, at which a piece is looked for
    # Nobody notices that a round token is turned: neither where it lies nor in the photograph it was taught with.
    round_angles: tuple[float, ...] = (-20.0, -15.0, -10.0, -5.0, 0.0, 5.0, 10.0, 15.0, 20.0)
    round_alike: float = (
        0.9  # of a round outline's area, what an eighth of a turn leaves in its place; a square's is 0.8
    )
    # Markers that share a place lie beside each other, almost half a place off.
    track_margin_share: float = 0.4


SETTINGS = TileSettings()


@dataclass(frozen=True)
class Geometry:
    """Sizes of the pictures of one label set."""

    size_mm: tuple[float, float]
    px_per_mm: float
    margin_mm: float
    size_px: tuple[int, int]  # of the piece, sides divisible by 2
    margin_px: int
    coarse_px: tuple[int, int]
    coarse_margin_px: int

    @property
    def whole_px(self) -> tuple[int, int]:
        """The crop with its margin."""
        return self.size_px[0] + 2 * self.margin_px, self.size_px[1] + 2 * self.margin_px

    def whole_rect(self, rect_mm: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """What of the board the crop with its margin shows, for a slot of this or another size."""
        x, y, width, height = rect_mm
        right = self.margin_px / self.size_px[0] * width
        down = self.margin_px / self.size_px[1] * height
        return x - right, y - down, width + 2 * right, height + 2 * down


def geometry(
    size_mm: tuple[float, float], margin_share: float | None = None, settings: TileSettings = SETTINGS
) -> Geometry:
    """Picture sizes for pieces of a size."""
    width, height = size_mm
    scale = min(settings.finest_px_per_mm, float(np.sqrt(settings.area_px / (width * height))))
    size_px = (max(8, 2 * round(width * scale / 2)), max(8, 2 * round(height * scale / 2)))
    short = min(size_mm)
    share = settings.margin_share if margin_share is None else margin_share
    margin_mm = max(share * short, settings.margin_mm[0])
    if margin_share is None:
        margin_mm = min(margin_mm, settings.margin_mm[1])
    coarse = settings.coarse_side_px / short
    # Long pieces are searched more coarsely: a card needs no more pixels than a token to be found.
    coarse *= min(1.0, (3.2 * short / max(size_mm)) ** 0.5)
    coarse_px = (max(4, round(width * coarse)), max(4, round(height * coarse)))
    return Geometry(
        size_mm,
        scale,
        margin_mm,
        size_px,
        max(2, round(margin_mm * scale)),
        coarse_px,
        max(1, round(margin_mm * coarse)),
    )


def turns(mask: Floats, settings: TileSettings = SETTINGS) -> tuple[float, ...]:
    """The angles at which pieces of an outline are looked for."""
    height, width = mask.shape
    turned = warped(mask, turn_about(((width - 1) / 2, (height - 1) / 2), 45.0, 1.0), (width, height), 0.0)
    stays = np.minimum(mask, turned).sum() / np.maximum(mask, turned).sum()
    return settings.round_angles if stays > settings.round_alike else settings.angles


@dataclass(frozen=True, eq=False)
class ToneColumns:
    """Where colours are looked at: every second pixel of every second line, of those that a piece covers."""

    pixels: Ints  # feature columns, three for each pixel
    pixel_sway: Floats  # the disturbances in them
    cover: Floats  # of each pixel, 0 to 1
    weight: Floats  # the same, adding up to 1


@dataclass(frozen=True, eq=False)
class TileModel:
    """What was learnt of one label set.

    `exemplars` are taught pictures; several may have the same label (`owners`). `whiten` holds the
    disturbances: `noise` per feature, `sway` their main directions already scaled.
    """

    labels: tuple[str, ...]
    geometry: Geometry
    mask: Floats
    coarse_templates: Floats  # dims x (exemplars * angles), weighted, centred, unit length
    coarse_mask: Floats
    owners: Ints  # label index of each exemplar
    means: Floats  # exemplars x features
    noise: Floats  # features: one over the standard deviation
    sway: Floats  # directions x features, orthonormal in whitened space
    sway_shrink: Floats  # directions: what is left of a deviation along each
    usual: float = 1.0  # distance of a true piece from its taught picture
    bound: float = 0.65  # likeness from which a piece is seen
    untaught: tuple[str, ...] = field(default=())
    # The distance at which a piece is as likely of an untaught label, and how much further makes it one log-odd more.
    foreign: tuple[float, float] | None = None
    shades: Floats = field(
        default_factory=lambda: np.zeros((0, 0), np.float32)
    )  # exemplars, as `fine` sees them
    # Labels x labels: what log-odds between two of them are worth; without columns where they are worth what they say.
    trust: Floats = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    trust_bare: float = 1.0  # the same of those between a piece and bare print

    def believed(self, to_label: Floats) -> Floats:
        """Log-odds against the best label (N x labels), each as far as it can be believed."""
        return to_label * self.trust[to_label.argmax(axis=1)] if self.trust.size else to_label

    @cached_property
    def angles(self) -> tuple[float, ...]:
        """Degrees, at which the coarse templates are turned."""
        return turns(self.mask)

    @cached_property
    def coarse_factors(self) -> tuple[Floats, ...]:
        """The coarse templates as a product of two thin matrices, where that is less to multiply with: many are much alike."""
        left, size, right = np.linalg.svd(self.coarse_templates, full_matrices=False)
        lost = 1 - np.cumsum(size**2) / max(float((size**2).sum()), 1e-9)
        rank = int((lost > SETTINGS.coarse_loss).sum()) + 1
        if rank * sum(self.coarse_templates.shape) > SETTINGS.thin * self.coarse_templates.size:
            return (self.coarse_templates,)
        thin = np.ascontiguousarray(left[:, :rank])
        return thin, np.ascontiguousarray(size[:rank, None] * right[:rank])

    @cached_property
    def fine_solvers(self) -> Floats:
        return fine.solvers(self.shades, self.mask)

    @cached_property
    def weighed_shades(self) -> Floats:
        """The exemplars' shades, weighed so that a product with other shades is their correlation."""
        return np.asarray(self.shades * (self.mask / self.mask.sum()).reshape(-1), np.float32)

    @cached_property
    def powers(self) -> Floats:
        """Squared lengths of the taught pictures."""
        return np.asarray((self.means**2).sum(axis=1), np.float32)

    @cached_property
    def members(self) -> Ints:
        """The exemplars of each label that was shown, the first of them repeated where others have more."""
        own = [np.flatnonzero(self.owners == label) for label in np.unique(self.owners)]
        most = max((len(one) for one in own), default=0)
        return np.array([[*one, *one[:1].repeat(most - len(one))] for one in own], np.int64).reshape(-1, most)

    def distances(self, rows: Floats) -> Floats:
        """Squared distances of pictures from the taught ones."""
        return squared(rows, self.means, self.powers)

    @cached_property
    def weights(self) -> Floats:
        """How much each feature counts where labels are told apart: what all share, as their rim, hardly does."""
        return telling(self.means, self.owners)

    @cached_property
    def label_powers(self) -> Floats:
        return np.asarray((self.means**2) @ self.weights, np.float32)

    @cached_property
    def between(self) -> Floats:
        """Squared distances between the taught pictures, as labels are told apart."""
        return self.both_distances(self.means)[1]

    def both_distances(self, rows: Floats) -> tuple[Floats, Floats]:
        """Squared distances of pictures from the taught ones: as a whole, and as labels are told apart."""
        weighed = rows * self.weights
        # One pass over the taught pictures, which are more than what is compared with them.
        cross, told = np.split(np.concatenate([rows, weighed]) @ self.means.T, 2)
        return (
            _apart(rows, rows, self.powers, cross),
            _apart(weighed, rows, self.label_powers, told),
        )

    @cached_property
    def tone_columns(self) -> ToneColumns:
        rows, columns = np.meshgrid(*(np.arange(0, side, 2) for side in self.mask.shape), indexing="ij")
        pixels = (rows * self.mask.shape[1] + columns).ravel()
        cover = self.mask.ravel()[pixels].astype(np.float32)
        at = (3 * pixels[:, None] + np.arange(3)).ravel()
        sway = np.ascontiguousarray(self.sway[:, at])
        return ToneColumns(at, sway, cover, cover / np.float32(cover.sum()))


def telling(means: Floats, owners: Ints, settings: TileSettings = SETTINGS) -> Floats:
    """How much each feature counts, 0 to 1: the more, the more it differs from label to label than within one.

    Where few labels were shown twice, features count as they stray in disturbed pictures, by one.
    """
    labels = np.unique(owners)
    if len(labels) < 2:
        return np.ones(means.shape[1], np.float32)
    middles = np.stack([means[owners == label].mean(axis=0) for label in labels])
    strayed = ((means - middles[np.searchsorted(labels, owners)]) ** 2).sum(axis=0) + settings.usual_pairs
    within = strayed / (len(means) - len(labels) + settings.usual_pairs)
    across = middles.var(axis=0)
    return np.asarray((across / (across + within)) ** 2, np.float32)


def whitened(model: TileModel, rows: Floats) -> Floats:
    """Features in the metric of the set: Euclidean distance there is distance beyond the usual disturbances."""
    scaled: Floats = rows * model.noise
    along = scaled @ model.sway.T
    scaled -= (along * (1 - model.sway_shrink)) @ model.sway
    return scaled


def unwhitened(model: TileModel, rows: Floats) -> Floats:
    """Features again."""
    return np.asarray((rows + shrunk(model, rows) @ model.sway) / model.noise, np.float32)


def shrunk(model: TileModel, rows: Floats) -> Floats:
    """What whitening took out of whitened rows, or of differences of them, along each disturbance."""
    return np.asarray((rows @ model.sway.T) * (1 / model.sway_shrink - 1), np.float32)


def squared(rows: Floats, means: Floats, powers: Floats | None = None) -> Floats:
    """Mean squared differences; `powers` are the squared lengths of `means`, where they are known already."""
    lengths = (means**2).sum(axis=1) if powers is None else powers
    return _apart(rows, rows, lengths, rows @ means.T)


def _apart(weighed: Floats, rows: Floats, powers: Floats, products: Floats) -> Floats:
    """Mean squared differences of rows from others, of which the squared lengths and the products with them are known."""
    total = np.einsum("nf,nf->n", weighed, rows)[:, None] + powers[None, :] - 2 * products
    return np.asarray(np.maximum(total, 0) / np.float32(rows.shape[1]), np.float32)

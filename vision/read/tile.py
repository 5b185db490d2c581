"""Reads tile slots: aligns to the piece, then compares it where the labels of its set differ.

A slot is cut out with a margin. A coarse search finds how far the piece lies off its place; the picture moved
back is compared with every taught picture in a metric in which what shifts, light, blur and noise do to a
picture counts little (a shrunken Fisher metric: per-feature noise plus the main directions of disturbance).
"Empty" is the slot's own bare print, or, off the board, whatever resembles no piece.
"""

from dataclasses import dataclass, field, fields, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.read import fine
from vision.read.features import SETTINGS as FEATURES
from vision.read.features import features, logs
from vision.read.pixels import resized, turn_about, warped
from vision.reading import EMPTY

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
    # Markers that share a place lie beside each other, almost half a place off.
    track_margin_share: float = 0.4
    angles: tuple[float, ...] = (-5.0, 0.0, 5.0)
    rival: float = 0.06  # of correlation: a second exemplar so close to the best in the search is tried too
    rivals: int = 3  # of them are tried, the likest first
    hopeless: float = 0.35  # correlation below which there is no piece to try others on
    at_home: float = 1.2  # of the usual distance: a piece so near its exemplar needs no other
    bare_home: float = 2.5  # of the usual distance: no piece lies on print that is seen so well
    bare_share: float = 0.5  # ... and is so much nearer to itself than to any piece
    sharpness: float = 20.0  # log-odds between two labels for a picture exactly like one of them
    most_foreign: float = 6.0  # log-odds against a label that was never shown, however well another fits
    best_foreign: float = -0.1  # ... and how near it comes to the likeliest, however badly
    doubt: float = 2e-4  # never less: a wrong label in the list, a piece from another box
    most_doubt: float = 0.6
    likeness_step: float = 0.025  # of likeness, for one unit of log-odds
    print_likeness: float = 0.5  # from which bare print is recognised
    # How far colours stray (log units; brightness, then the two colours): cameras mix their channels anew in every
    # light, and shadows darken.
    tone_spread: tuple[float, float, float] = (0.5, 0.25, 0.25)
    most_tone: float = (
        9.0  # squared spreads: a pixel further off shows something else, and how far says no more
    )
    tone_odds: float = (
        2.0  # log-odds for each squared spread of all pixels; print and piece of one colour give none
    )
    # A veil of glare lifts dark colours towards those of print: where a piece's shape is seen, it has the last word.
    most_tone_odds: float = 2.0
    clear: float = 8.0  # log-odds against "empty" by shape from which colours are not asked
    same_tone: float = 2.5  # squared spreads within which a pixel is as it was
    # Standard deviations, squared: beyond it a feature sees a neighbour's edge or a shadow's, and how far says no more.
    most_feature: float = 16.0
    leniency: float = 2.0  # log-odds that must speak against both before a slot is called strange


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

    @cached_property
    def fine_solvers(self) -> Floats:
        return fine.solvers(self.shades, self.mask)

    @cached_property
    def powers(self) -> Floats:
        """Squared lengths of the taught pictures."""
        return np.asarray((self.means**2).sum(axis=1), np.float32)

    @cached_property
    def between(self) -> Floats:
        """Squared distances between the taught pictures."""
        return squared(self.means, self.means)

    def distances(self, rows: Floats) -> Floats:
        """Squared distances of pictures from the taught ones."""
        return squared(rows, self.means, self.powers)

    @cached_property
    def tone_columns(self) -> ToneColumns:
        rows, columns = np.meshgrid(*(np.arange(0, side, 2) for side in self.mask.shape), indexing="ij")
        pixels = (rows * self.mask.shape[1] + columns).ravel()
        cover = self.mask.ravel()[pixels].astype(np.float32)
        at = (3 * pixels[:, None] + np.arange(3)).ravel()
        sway = np.ascontiguousarray(self.sway[:, at])
        return ToneColumns(at, sway, cover, cover / np.float32(cover.sum()))


@dataclass(frozen=True, eq=False)
class Aligned:
    """Pieces moved back to the middle of their pictures. A slot that is surely bare has its own middle."""

    pictures: Floats
    shift_px: Floats  # N x 2, fine pixels
    angle: Floats  # N, degrees
    score: Floats  # N, correlation of the coarse search
    rows: Floats  # N x features, whitened; without columns where the set has no metric yet
    exemplar: Ints  # N, the taught picture each lies on; -1 where there is no piece to lie on one
    ways: NDArray[np.float64]  # N x 3 x 3: from the crop to the picture


def align(model: TileModel, whole: Floats) -> Aligned:
    """Finds the piece in each crop with margin (N x height x width x 3, evened light)."""
    return align_each(model, whole, None)[0]


def align_each(model: TileModel, whole: Floats, label_sets: list[Ints] | None) -> list[Aligned]:
    """The same once for each set of labels, when pieces of several labels may share a place."""
    geo = model.geometry
    angles = SETTINGS.angles
    wide = (geo.coarse_px[0] + 2 * geo.coarse_margin_px, geo.coarse_px[1] + 2 * geo.coarse_margin_px)
    coarse = np.stack([resized(crop, wide) for crop in whole])
    found, downs, rights = correlations(coarse, model.coarse_templates, model.coarse_mask)
    step = np.array([geo.whole_px[0] / wide[0], geo.whole_px[1] / wide[1]], np.float32)
    owners = np.repeat(model.owners, len(angles))
    result = []
    for labels in label_sets or [np.arange(len(model.labels))]:
        columns = np.flatnonzero(np.isin(owners, labels))
        exemplar = columns // len(angles)
        score, best, moves = strongest(found[:, :, columns], downs, rights)
        shift, angle = moves * step, np.asarray(angles, np.float32)[columns[best] % len(angles)]
        on = exemplar[best]
        pictures, ways = _exactly(model, whole, shift, angle, on)
        # Coarsely, other exemplars may fit in a wrong place as well as the right one does in its own.
        tried = exemplar[None, :] == on[:, None]
        taught = len(model.shades) > 0 and model.means.shape[1] > 1
        rows = _described(model, pictures) if taught else np.zeros((len(pictures), 0), np.float32)
        off = _nearest(model, rows) if taught else np.zeros(len(pictures), np.float32)
        for _ in range(SETTINGS.rivals if taught else 0):
            rivals = np.where(tried[:, None, :], np.float32(-1), found[:, :, columns])
            again, next_best, moves = strongest(rivals, downs, rights)
            close = np.flatnonzero(
                (again > np.maximum(score - SETTINGS.rival, SETTINGS.hopeless))
                & (off > SETTINGS.at_home * model.usual)
            )
            if not len(close):
                break
            tried |= exemplar[None, :] == exemplar[next_best][:, None]
            other_shift = moves[close] * step
            other_angle = np.asarray(angles, np.float32)[columns[next_best[close]] % len(angles)]
            other_on = exemplar[next_best[close]]
            others, other_ways = _exactly(model, whole[close], other_shift, other_angle, other_on)
            others_rows = _described(model, others)
            others_off = _nearest(model, others_rows)
            nearer = others_off < off[close]
            better = close[nearer]
            off[better], rows[better] = others_off[nearer], others_rows[nearer]
            on[better], ways[better] = other_on[nearer], other_ways[nearer]
            pictures[better], shift[better], angle[better] = (
                others[nearer],
                other_shift[nearer],
                other_angle[nearer],
            )
        result.append(Aligned(pictures, shift, angle, score, rows, on, ways))
    return result


def align_unless_bare(model: TileModel, whole: Floats, bare_rows: Floats, bare: Floats) -> Aligned:
    """The same as `align`, save that no piece is looked for where the print lies open to see.

    `bare_rows` are the whitened middles of the crops, `bare` each slot's bare print; NaN where it is unknown.
    """
    off = bare_rows - bare
    open_to_see = np.einsum("nf,nf->n", off, off) / np.float32(off.shape[1])
    is_bare = (open_to_see < SETTINGS.bare_home * model.usual) & (
        open_to_see < SETTINGS.bare_share * _nearest(model, bare_rows)
    )
    n = len(whole)
    home = way_back(model.geometry, np.zeros(2, np.float32), 0.0)
    result = Aligned(
        middles(model.geometry, whole).copy(),
        np.zeros((n, 2), np.float32),
        np.zeros(n, np.float32),
        np.zeros(n, np.float32),
        bare_rows.copy(),
        np.full(n, -1),
        np.tile(home, (n, 1, 1)),
    )
    rest = np.flatnonzero(~is_bare)
    if len(rest):
        found = align(model, whole[rest])
        for part in fields(Aligned):
            getattr(result, part.name)[rest] = getattr(found, part.name)
    return result


def middles(geo: Geometry, wholes: Floats) -> Floats:
    """What lies in the middle of crops with margin: the pieces' pictures, if nothing was moved or turned."""
    m = geo.margin_px
    return wholes[:, m : m + geo.size_px[1], m : m + geo.size_px[0]]


def moved_back(whole: Floats, geo: Geometry, shift_px: Floats, angle: float) -> Floats:
    """The piece's picture from a crop with margin, undoing a shift and a turn."""
    if angle == 0.0 and shift_px[0] == 0 and shift_px[1] == 0:
        m = geo.margin_px
        return whole[m : m + geo.size_px[1], m : m + geo.size_px[0]]
    return warped(whole, way_back(geo, shift_px, angle)[:2], geo.size_px)


def way_back(geo: Geometry, shift_px: Floats, angle: float) -> NDArray[np.float64]:
    """The matrix that takes a crop with margin to the piece's picture, undoing a shift and a turn."""
    middle = ((geo.whole_px[0] - 1) / 2 + float(shift_px[0]), (geo.whole_px[1] - 1) / 2 + float(shift_px[1]))
    turn = turn_about(middle, angle)
    turn[:, 2] += np.array([(geo.size_px[0] - 1) / 2 - middle[0], (geo.size_px[1] - 1) / 2 - middle[1]])
    return np.vstack([turn, (0.0, 0.0, 1.0)])


def _exactly(
    model: TileModel, whole: Floats, shift_px: Floats, angle: Floats, exemplars: Ints
) -> tuple[Floats, NDArray[np.float64]]:
    """Pictures moved back, and on until each lies as its exemplar does; and the ways there."""
    size_px = model.geometry.size_px
    moves = zip(shift_px, angle, strict=True)
    back = np.stack([way_back(model.geometry, one, float(turn)) for one, turn in moves])

    def drawn(wholes: Floats, ways: NDArray[np.float64]) -> Floats:
        return np.stack([warped(one, way[:2], size_px) for one, way in zip(wholes, ways, strict=True)])

    pictures = drawn(whole, back)
    if not len(model.shades):
        return pictures, back
    templates, solvers = model.shades[exemplars], model.fine_solvers[exemplars]
    seen = fine.shades(pictures, model.mask)
    alike = fine.likeness(seen, templates, model.mask)
    left = np.arange(len(whole))
    for _ in range(fine.SETTINGS.rounds):
        ways = fine.moves(seen[left], templates[left], solvers[left], size_px)
        far = fine.far(ways, size_px)
        ways, left = ways[far], left[far]
        if not len(left):
            break
        closer = ways @ back[left]
        moved = drawn(whole[left], closer)
        seen_now = fine.shades(moved, model.mask)
        now = fine.likeness(seen_now, templates[left], model.mask)
        better = now > alike[left]
        # What came no closer would be sent the same way again.
        left = left[better]
        back[left], pictures[left] = closer[better], moved[better]
        seen[left], alike[left] = seen_now[better], now[better]
    return pictures, back


def _described(model: TileModel, pictures: Floats) -> Floats:
    return whitened(model, features(pictures, model.mask))


def _nearest(model: TileModel, rows: Floats) -> Floats:
    """How far pictures are from the exemplar they resemble most."""
    return np.asarray(model.distances(rows).min(axis=1), np.float32)


def search(coarse: Floats, templates: Floats, mask: Floats) -> tuple[Floats, Ints, Floats]:
    """Best correlation over all shifts and templates: score, template, shift in coarse pixels (sub-pixel)."""
    found, downs, rights = correlations(coarse, templates, mask)
    return strongest(found, downs, rights)


def correlations(coarse: Floats, templates: Floats, mask: Floats) -> tuple[Floats, int, int]:
    """Correlation of every template at every shift: N x shifts x templates, and how many shifts down and right."""
    n, height, width = coarse.shape[:3]
    rows, columns = mask.shape
    downs, rights = height - rows + 1, width - columns + 1
    values = logs(coarse)
    # Any constant drops out of what follows; without a large one, float32 keeps its digits.
    values -= values.mean()
    # Templates have no mean of their own, so windows need not lose theirs before they are compared.
    found = _windows(values, rows, columns) @ templates
    weight = (mask / mask.sum()).reshape(-1).astype(np.float32)
    mean = _windows(values.transpose(3, 0, 1, 2).reshape(3 * n, height, width, 1), rows, columns) @ weight
    power = _windows(np.einsum("nhwc,nhwc->nhw", values, values)[..., None], rows, columns) @ weight
    power -= (mean.reshape(3, -1) ** 2).sum(axis=0)
    found /= np.sqrt(np.maximum(power, 0.05**2))[:, None]
    return found.reshape(n, downs * rights, -1), downs, rights


def _windows(values: Floats, rows: int, columns: int) -> Floats:
    """Every window of N pictures (N x height x width x channels) as a row: (N x shifts) x (window x channels)."""
    windows = np.lib.stride_tricks.sliding_window_view(values, (rows, columns), axis=(1, 2))
    return windows.transpose(0, 1, 2, 4, 5, 3).reshape(-1, rows * columns * values.shape[3])


def strongest(found: Floats, downs: int, rights: int) -> tuple[Floats, Ints, Floats]:
    n = len(found)
    by_place = found.max(axis=2)
    place = by_place.argmax(axis=1)
    best = found[np.arange(n), place].argmax(axis=1)
    scores = found[np.arange(n), :, best].reshape(n, downs, rights)
    down, right = np.divmod(place, rights)
    moves = np.stack(
        [
            right + _peak(scores, down, right, axis=2) - (rights - 1) / 2,
            down + _peak(scores, down, right, axis=1) - (downs - 1) / 2,
        ],
        axis=1,
    )
    return by_place.max(axis=1), best, moves.astype(np.float32)


def _peak(scores: Floats, down: Ints, right: Ints, axis: int) -> Floats:
    """Sub-pixel offset of a maximum from a parabola through its neighbours; 0 at the rim."""
    n = len(scores)
    rows = np.arange(n)
    at = right if axis == 2 else down
    size = scores.shape[axis]
    inner = (at > 0) & (at < size - 1)
    before, after = np.clip(at - 1, 0, size - 1), np.clip(at + 1, 0, size - 1)
    if axis == 2:
        a, b, c = scores[rows, down, before], scores[rows, down, at], scores[rows, down, after]
    else:
        a, b, c = scores[rows, before, right], scores[rows, at, right], scores[rows, after, right]
    bend = a - 2 * b + c
    offset = np.where(inner & (bend < -1e-6), 0.5 * (a - c) / np.where(bend < -1e-6, bend, -1.0), 0.0)
    return np.clip(offset, -0.5, 0.5).astype(np.float32)


def whitened(model: TileModel, rows: Floats) -> Floats:
    """Features in the metric of the set: Euclidean distance there is distance beyond the usual disturbances."""
    scaled: Floats = rows * model.noise
    along = scaled @ model.sway.T
    scaled -= (along * (1 - model.sway_shrink)) @ model.sway
    return scaled


def squared(rows: Floats, means: Floats, powers: Floats | None = None) -> Floats:
    """Mean squared differences; `powers` are the squared lengths of `means`, where they are known already."""
    cross = rows @ means.T
    lengths = (means**2).sum(axis=1) if powers is None else powers
    total = np.einsum("nf,nf->n", rows, rows)[:, None] + lengths[None, :] - 2 * cross
    return np.asarray(np.maximum(total, 0) / np.float32(rows.shape[1]), np.float32)


@dataclass(frozen=True, eq=False)
class Match:
    """How pictures compare with what was taught, for N slots."""

    to_label: Floats  # N x labels: log-odds against the best label, 0 for the best itself
    to_empty: Floats  # N: log-odds of "empty" against the best label; NaN where the bare ground is unknown
    likeness: Floats  # N: how alike in structure the picture is to the best label, 1 for the same
    bare_likeness: Floats  # N: the same for the bare print; NaN where it is unknown


def compare(model: TileModel, aligned: Aligned, rows: Floats, bare_rows: Floats, bare: Floats) -> Match:
    """Compares aligned features with the labels, and unmoved ones with each slot's own bare print.

    All rows are whitened. A label loses to the best one by how far, on the line from one taught picture to the
    other, the seen picture lies; what no label explains is the same for both and drops out.
    """
    n = len(rows)
    each = np.arange(n)
    found = model.distances(rows)
    best = found.argmin(axis=1)
    least = found[each, best]
    to_label = np.full((n, len(model.labels)), -np.inf, np.float32)
    slack = slackness(model, least)
    for label in range(len(model.labels)):
        own = np.flatnonzero(model.owners == label)
        if len(own):
            nearest = own[found[:, own].argmin(axis=1)]
            way = (found[each, nearest] - least) / np.maximum(model.between[nearest, best], 1e-3)
            to_label[:, label] = -SETTINGS.sharpness * way / slack
    to_label[each, model.owners[best]] = 0
    if model.foreign is not None:
        at, width = model.foreign
        odds = np.clip((least - at) / width, -SETTINGS.most_foreign, None) - np.log(len(model.labels))
        for label in (model.labels.index(name) for name in model.untaught):
            # Never the likeliest: nothing speaks for it but that nothing else fits.
            to_label[:, label] = np.minimum(odds, SETTINGS.best_foreign)
    as_piece, as_bare, between = rows - model.means[best], bare_rows - bare, model.means[best] - bare
    to_empty = SETTINGS.sharpness * (_capped(as_piece) - _capped(as_bare)) / slack
    to_empty /= np.maximum(_capped(between), 1e-3)
    edges = edge_columns(model)
    alike = np.asarray((_cosine(rows[:, edges], model.means[best][:, edges]) + aligned.score) / 2, np.float32)
    bare_alike = _cosine(bare_rows[:, edges], bare[:, edges])
    # Where a piece is seen beyond doubt, or no print is known, colours have nothing to add.
    open_ = np.flatnonzero(~((to_empty < -SETTINGS.clear) & (alike > model.bound)) & ~np.isnan(to_empty))
    if len(open_):
        by_tone, unchanged = _by_tone(model, as_piece[open_], as_bare[open_], between[open_])
        most = np.where(alike[open_] > model.bound, SETTINGS.most_tone_odds, np.inf)
        to_empty[open_] += np.minimum(by_tone, most)
        # Plain print has no edges of its own to be known by: there it is enough that most of it has its colour.
        bare_alike[open_] = np.fmax(bare_alike[open_], unchanged)
    return Match(to_label, to_empty, alike, bare_alike)


def _by_tone(model: TileModel, as_piece: Floats, as_bare: Floats, between: Floats) -> tuple[Floats, Floats]:
    """Log-odds of "empty" by colours alone, and how much of the print has the colour it should have."""
    most, weight = np.float32(SETTINGS.most_tone), model.tone_columns.weight
    bare_off = tones_off(model, as_bare)
    # A piece lies where the search went or where the slot is: it may have been drawn to half a neighbour.
    piece_off = np.minimum(
        *(np.minimum(tones_off(model, off), most) @ weight for off in (as_piece, as_bare - between))
    )
    odds = SETTINGS.tone_odds * (piece_off - np.minimum(bare_off, most) @ weight)
    return odds, (bare_off < SETTINGS.same_tone) @ weight


def likest(bare_rows: Floats, prints: Floats) -> Floats:
    """For slots whose bare print nobody saw, the one of their like that each resembles most."""
    return np.asarray(prints[squared(bare_rows, prints).argmin(axis=1)], np.float32)


def unless_alike(found: Match, guessed: list[int]) -> Match:
    """The same, the print of slots in `guessed` being their likest neighbour's: it counts where it is recognised."""
    guess = np.zeros(len(found.likeness), np.bool_)
    guess[guessed] = True
    unknown = guess & ~(found.bare_likeness >= SETTINGS.print_likeness)
    to_empty, bare = (
        np.where(unknown, np.float32(np.nan), one) for one in (found.to_empty, found.bare_likeness)
    )
    return replace(found, to_empty=to_empty, bare_likeness=bare)


def _capped(off: Floats) -> Floats:
    """Mean squares in which no single feature counts for many: a neighbour's rim in the corner is not the piece."""
    squares = off * off
    np.minimum(squares, np.float32(SETTINGS.most_feature), out=squares)
    return np.asarray(squares.mean(axis=1), np.float32)


def tones_off(model: TileModel, off: Floats) -> Floats:
    """By how many squared spreads the colours of pictures differ that are `off` from each other: N x pixels.

    Pixel by pixel, not on average: what lies beside a piece changes some of them, another piece nearly all.
    """
    at = model.tone_columns
    back = (off @ model.sway.T) * (1 / model.sway_shrink - 1)
    pixels = (off[:, at.pixels] + back @ at.pixel_sway) / model.noise[at.pixels]
    mean = (off[:, -3:] + back @ model.sway[:, -3:]) / model.noise[-3:] / np.float32(FEATURES.mean_weight)
    colours = pixels.reshape(len(off), -1, 3) + mean[:, None, :] * at.cover[:, None]
    spread = np.array(SETTINGS.tone_spread, np.float32)
    return np.asarray(((colours / spread) ** 2).sum(axis=2), np.float32)


def edge_columns(model: TileModel) -> slice:
    """The part of the features that describes edges: what light changes least."""
    return slice(3 * model.mask.size, model.means.shape[1] - 3)


def _cosine(one: Floats, other: Floats) -> Floats:
    lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    return np.asarray((one * other).sum(axis=1) / np.maximum(lengths, 1e-6), np.float32)


def slackness(model: TileModel, distance: Floats) -> Floats:
    """1 for pictures that fit as taught ones do, more for those that do not: then nothing is as sure."""
    slack: Floats = np.sqrt(np.maximum(distance / model.usual, 1.0))
    return slack


def probabilities(model: TileModel, found: Match) -> list[dict[str, float]]:
    """A probability for each label and "empty", for each slot."""
    count = found.to_label.shape[1]
    to_empty = np.where(np.isnan(found.to_empty), empty_by_likeness(model, found), found.to_empty)
    logs_ = np.concatenate([found.to_label, to_empty[:, None]], axis=1)
    top = logs_.max(axis=1, keepdims=True)
    p = np.exp(np.maximum(logs_ - top, -60))
    p[np.isneginf(logs_)] = 0
    p /= p.sum(axis=1, keepdims=True)
    # Where neither a label nor the bare print is recognised, the answer is a guess and says so.
    doubt = SETTINGS.doubt + (SETTINGS.most_doubt - SETTINGS.doubt) * strangeness(model, found)[:, None] ** 2
    p = (1 - doubt) * p + doubt / (count + 1)
    names = (*model.labels, EMPTY)
    return [{name: float(value) for name, value in zip(names, row, strict=True)} for row in p]


def empty_by_likeness(model: TileModel, found: Match) -> Floats:
    """Log-odds of "empty" where the ground is unknown: a table resembles no piece."""
    odds: Floats = np.clip((model.bound - found.likeness) / SETTINGS.likeness_step, -9.0, 9.0)
    return odds


def strangeness(model: TileModel, found: Match) -> Floats:
    """From 0 to 1: how sure it is that neither a piece nor the bare print is seen. 0 where the ground is unknown."""
    as_piece = (found.likeness - model.bound) / SETTINGS.likeness_step
    as_print = (found.bare_likeness - SETTINGS.print_likeness) / SETTINGS.likeness_step
    known = np.where(np.isnan(as_print), 30.0, np.maximum(as_piece, as_print) + SETTINGS.leniency)
    strange: Floats = (1 / (1 + np.exp(np.clip(known, -30, 30)))).astype(np.float32)
    return strange

"""Finds how a piece lies in its slot: a coarse search over shifts and small turns, then the last pixel.

A slot is cut out with a margin. The picture moved back is what labels are told apart by.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import reduce

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from vision.read import fine
from vision.read.features import features, logs
from vision.read.pixels import by_colour, each_warped, resized, warped
from vision.read.spin import best_turns, is_round
from vision.read.tile import Geometry, TileModel, whitened

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class SeekSettings:
    rival: float = 0.06  # of correlation: a second exemplar so close to the best in the search is tried too
    rivals: int = 3  # of them are tried, the likest first
    hopeless: float = 0.35  # correlation below which there is no piece to try others on
    # ... and below which no piece lies on a ground that is unknown: bare tables reach 0.12, pieces 0.8.
    nothing: float = 0.2
    clear_way: float = 0.6  # of the way to another label: one that far behind is not tried
    # ... nor, of a piece near its exemplar, one that falls so far short of the best in correlation at the first glance.
    short: float = 0.15
    labels: int = 4  # of the others are tried, the nearest first
    lost: float = 1.6  # of the usual distance: a round piece so far from every exemplar may be turned farther
    turned: int = 4  # exemplars are tried at the turn at which they are likest
    at_home: float = 1.2  # of the usual distance: a piece so near its exemplar needs no other
    bare_home: float = 2.5  # of the usual distance: no piece lies on print that is seen so well
    bare_share: float = 0.5  # ... and is so much nearer to itself than to any piece


SETTINGS = SeekSettings()


@dataclass(frozen=True, eq=False)
class Aligned:
    """Pieces moved back to the middle of their pictures. A slot that is surely bare has its own middle."""

    pictures: Floats
    shift_px: Floats  # N x 2, fine pixels
    angle: Floats  # N, degrees
    score: Floats  # N, correlation of the coarse search
    rows: Floats  # N x features, whitened; without columns where the set has no metric yet
    distances: Floats  # N x exemplars, squared: of these rows from the taught ones
    told: Floats  # the same as labels are told apart, each label's the least of all ways in which the piece was laid
    exemplar: Ints  # N, the taught picture each lies on; -1 where there is no piece to lie on one
    ways: NDArray[np.float64]  # N x 3 x 3: from the crop to the picture

    def of(self, some: Ints) -> "Aligned":
        return Aligned(*(getattr(self, part.name)[some] for part in fields(Aligned)))

    def take(self, some: Ints, other: "Aligned") -> None:
        """Some pieces as they lie otherwise."""
        for part in fields(Aligned):
            getattr(self, part.name)[some] = getattr(other, part.name)


@dataclass(frozen=True, eq=False)
class Glance:
    """How much every exemplar, at every shift and angle, resembles what is seen coarsely."""

    found: Floats  # N x shifts x (exemplars * angles): correlations
    shifts: tuple[int, int]  # down and right
    angles: int

    @classmethod
    def at(cls, model: TileModel, whole: Floats) -> "Glance":
        coarse = np.stack([resized(crop, _coarse_px(model.geometry)) for crop in whole])
        found, *shifts = correlations(coarse, model.coarse_mask, *model.coarse_factors)
        return cls(found, (shifts[0], shifts[1]), len(model.angles))

    def of(self, some: Ints) -> "Glance":
        return Glance(self.found[some], self.shifts, self.angles)

    def best(self, some: Ints, exemplars: Ints) -> tuple[Floats, Ints]:
        """Where one exemplar resembles each of some pictures most: shift in coarse pixels, and which angle."""
        own = np.arange(self.angles) + self.angles * exemplars[:, None]
        scores = self.found[some[:, None], :, own].max(axis=2)
        angle = scores.argmax(axis=1)
        scores = self.found[some, :, own[np.arange(len(some)), angle]]
        return peaks(scores, *self.shifts), angle


def align(model: TileModel, whole: Floats, glance: Glance | None = None, label: int | None = None) -> Aligned:
    """Finds the piece in each crop with margin (N x height x width x 3, evened light), of one label if it is named."""
    seen = glance or Glance.at(model, whole)
    geo = model.geometry
    step = np.array(geo.whole_px, np.float32) / np.array(_coarse_px(geo), np.float32)
    angles = np.array(model.angles, np.float32)
    every = np.arange(len(whole))
    alike = seen.found.max(axis=1).reshape(len(whole), -1, len(angles)).max(axis=2)
    if label is not None:
        alike[:, model.owners != label] = -1
    on = alike.argmax(axis=1)
    score = alike[every, on]
    moves, turn = seen.best(every, on)
    shift, angle = np.asarray(moves * step, np.float32), angles[turn]
    bright = fine.brightness(whole)
    pictures, ways = _exactly(model, whole, bright, shift, angle, on)
    if not len(model.shades) or model.means.shape[1] <= 1:
        nothing = np.zeros((len(whole), 0), np.float32)
        return Aligned(pictures, shift, angle, score, nothing, nothing, nothing, on, ways)
    rows = _described(model, pictures)
    distances, told = model.both_distances(rows)
    found = Aligned(pictures, shift, angle, score, rows, distances, told, on, ways)

    spun = Spun.none(len(whole), len(model.means))

    def tried(some: Ints, exemplars: Ints) -> Aligned:
        """Some of the pieces, each laid on an exemplar of its own."""
        moves, turn = seen.best(some, exemplars)
        shift, angle = np.asarray(moves * step, np.float32), angles[turn]
        known = spun.known[some]
        shift[known], angle[known] = (one[some, exemplars][known] for one in (spun.shift_px, spun.angle))
        pictures, ways = _exactly(model, whole[some], bright[some], shift, angle, exemplars)
        rows = _described(model, pictures)
        near, told = model.both_distances(rows)
        return Aligned(pictures, shift, angle, score[some], rows, near, told, exemplars, ways)

    # Coarsely, other exemplars may fit in a wrong place as well as the right one does in its own.
    rivals = alike.copy()
    rivals[every, on] = -1
    away = distances.min(axis=1) > SETTINGS.at_home * model.usual
    close = rivals > np.maximum(score - SETTINGS.rival, SETTINGS.hopeless)[:, None]
    some, others = _first(close & away[:, None], -rivals, SETTINGS.rivals)
    if len(some):
        other = tried(some, others)
        _take_best(found, some, other, found.distances.min(axis=1), other.distances.min(axis=1))
    if is_round(model):
        _turned(model, found, bright, spun, tried)
    if label is None:
        _each_as_itself(model, found, alike, tried)
    return found


@dataclass(frozen=True, eq=False)
class Spun:
    """How round pieces lie that are turned farther than is searched: from each exemplar, as far as it is `known`."""

    known: NDArray[np.bool_]  # N
    angle: Floats  # N x exemplars, degrees
    shift_px: Floats  # N x exemplars x 2, fine pixels

    @classmethod
    def none(cls, pieces: int, exemplars: int) -> "Spun":
        shape = pieces, exemplars
        return cls(np.zeros(pieces, np.bool_), np.zeros(shape, np.float32), np.zeros((*shape, 2), np.float32))


def _turned(
    model: TileModel, found: Aligned, bright: Floats, spun: Spun, tried: Callable[[Ints, Ints], Aligned]
) -> None:
    """Round pieces that resemble nothing as they were laid are laid at any other turn, where they lie better so."""
    lost = np.flatnonzero(
        (found.score > SETTINGS.hopeless) & (found.distances.min(axis=1) > SETTINGS.lost * model.usual)
    )
    if not len(lost):
        return
    likest, spun.angle[lost], spun.shift_px[lost] = best_turns(model, bright[lost], found.shift_px[lost])
    spun.known[lost] = True
    before = found.distances[lost].min(axis=1)
    some, exemplars = _first(np.ones(likest.shape, np.bool_), -likest, SETTINGS.turned)
    other = tried(lost[some], exemplars)
    _take_best(found, lost[some], other, found.distances.min(axis=1), other.distances.min(axis=1))
    spun.known[lost] = found.distances[lost].min(axis=1) < before


def _each_as_itself(
    model: TileModel, found: Aligned, alike: Floats, tried: Callable[[Ints, Ints], Aligned]
) -> None:
    """Labels that come near the best are given the piece laid on their own exemplar, before they are told apart.

    Laid on an E, an F is nowhere near the F that was shown.
    """
    members = model.members
    if len(members) < 2:
        return
    of = model.owners[members[:, 0]]
    first = alike.max(axis=1, keepdims=True)
    near_home = found.distances.min(axis=1, keepdims=True) < SETTINGS.at_home * model.usual
    promising = ~near_home | (alike[:, members].max(axis=2) > first - SETTINGS.short)
    untried = promising & (first > SETTINGS.hopeless) & (of[None, :] != model.owners[found.exemplar][:, None])
    by_label = found.told[:, members].min(axis=2)
    nearest = members[np.arange(len(members)), found.told[:, members].argmin(axis=2)]
    best = by_label.argmin(axis=1)[:, None]
    apart = model.between[nearest, np.take_along_axis(nearest, best, axis=1)]
    behind = by_label - np.take_along_axis(by_label, best, axis=1)
    near = untried & (behind < SETTINGS.clear_way * apart)
    some, rivals = _first(near, behind, SETTINGS.labels)
    if not len(some):
        return
    own = members[rivals]
    likest = np.take_along_axis(alike[some], own, axis=1).argmax(axis=1)
    other = tried(some, own[np.arange(len(some)), likest])
    told = found.told.copy()
    np.minimum.at(told, some, other.told)
    _take_best(found, some, other, found.told.min(axis=1), other.told.min(axis=1))
    found.told[:] = told


def _first(worth: NDArray[np.bool_], by: Floats, most: int) -> tuple[Ints, Ints]:
    """Of what is worth a try in each row at most so many, those with the least of `by`: rows and columns."""
    ranks = np.where(worth, by, np.inf).argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
    rows, columns = np.nonzero(worth & (ranks < most))
    return rows, columns


def _take_best(found: Aligned, some: Ints, other: Aligned, before: Floats, now: Floats) -> None:
    """Of `some` pieces, each laid otherwise once or more often, the way that lies best, if it lies better than `before`."""
    order = np.argsort(-now, kind="stable")
    better = order[now[order] < before[some[order]]]
    found.take(some[better], other.of(better))  # of a piece's ways the best comes last, and stays


def _coarse_px(geo: Geometry) -> tuple[int, int]:
    """The size of a coarse crop with its margin."""
    m = geo.coarse_margin_px
    return geo.coarse_px[0] + 2 * m, geo.coarse_px[1] + 2 * m


def align_unless_bare(model: TileModel, whole: Floats, bare_rows: Floats, bare: Floats) -> Aligned:
    """The same as `align`, save that no piece is looked for where the print lies open to see, nor laid on its exemplar
    where nothing like one is seen at a first glance and the place as it is resembles its print more than any piece, or
    its print is unknown.

    `bare_rows` are the whitened middles of the crops, `bare` each slot's bare print; NaN where it is unknown.
    """
    n = len(whole)
    off = bare_rows - bare
    open_to_see = np.einsum("nf,nf->n", off, off) / np.float32(off.shape[1])
    distances = np.full((n, len(model.means)), np.inf, np.float32)

    def nearer_than_pieces(some: Ints, share: float) -> Ints:
        """Of places those that are so much nearer to their print than to any piece."""
        distances[some] = model.distances(bare_rows[some])
        return np.asarray(some[open_to_see[some] < share * distances[some].min(axis=1)], np.int64)

    seen_bare = nearer_than_pieces(
        np.flatnonzero(open_to_see < SETTINGS.bare_home * model.usual), SETTINGS.bare_share
    )
    looked_at = np.ones(n, np.bool_)
    looked_at[seen_bare] = False
    rest = np.flatnonzero(looked_at)
    if not len(rest):
        return _unmoved(model, whole, bare_rows.copy(), distances, np.zeros(n, np.float32))
    glance = Glance.at(model, whole[rest])
    score = np.zeros(n, np.float32)
    score[rest] = glance.found.max(axis=(1, 2))
    no_piece = nearer_than_pieces(rest[score[rest] < SETTINGS.hopeless], 1.0)
    plain = rest[np.isnan(open_to_see[rest]) & (score[rest] < SETTINGS.nothing)]
    rows = bare_rows.copy()
    if len(plain):
        rows[plain] = _described(model, middles(model.geometry, whole[plain]))
        distances[plain] = model.distances(rows[plain])
    result = _unmoved(model, whole, rows, distances, score)
    looked_at[no_piece] = looked_at[plain] = False
    left = looked_at[rest]
    if left.any():
        result.take(rest[left], align(model, whole[rest[left]], glance.of(np.flatnonzero(left))))
    return result


def _unmoved(model: TileModel, whole: Floats, rows: Floats, distances: Floats, score: Floats) -> Aligned:
    """Places as they are, no piece being laid on any exemplar."""
    n = len(whole)
    return Aligned(
        middles(model.geometry, whole).copy(),
        np.zeros((n, 2), np.float32),
        np.zeros(n, np.float32),
        score,
        rows,
        distances,
        distances.copy(),
        np.full(n, -1),
        np.tile(way_back(model.geometry, np.zeros(2, np.float32), 0.0), (n, 1, 1)),
    )


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
    return np.asarray(ways_back(geo, shift_px[None], np.array([angle], np.float32))[0], np.float64)


def ways_back(geo: Geometry, shifts_px: Floats, angles: Floats) -> NDArray[np.float64]:
    """The same for each of N shifts (N x 2) and turns."""
    turns = np.deg2rad(angles.astype(np.float64))
    ways = np.zeros((len(turns), 3, 3))
    ways[:, 2, 2] = 1
    ways[:, 0, 0] = ways[:, 1, 1] = np.cos(turns)
    ways[:, 0, 1], ways[:, 1, 0] = np.sin(turns), -np.sin(turns)
    middles_px = (np.array(geo.whole_px) - 1) / 2 + shifts_px
    ways[:, :2, 2] = (np.array(geo.size_px) - 1) / 2 - (ways[:, :2, :2] @ middles_px[..., None])[..., 0]
    return ways


def _exactly(
    model: TileModel, whole: Floats, bright: Floats, shift_px: Floats, angle: Floats, exemplars: Ints
) -> tuple[Floats, NDArray[np.float64]]:
    """Pictures moved back, and on until each lies as its exemplar does; and the ways there. `bright` is their brightness."""
    size_px = model.geometry.size_px
    back = ways_back(model.geometry, shift_px, angle)

    def drawn(wholes: Floats, ways: NDArray[np.float64]) -> Floats:
        return each_warped(wholes, ways[:, :2], size_px)

    if not len(model.shades):
        return drawn(whole, back), back
    # Only brightness tells how far to move; colours are drawn once, at the end of the way.
    seen = fine.softened(drawn(bright, back), model.mask)
    alike = fine.likeness(seen, model.shades[exemplars], model.mask)
    left = np.arange(len(whole))
    for _ in range(fine.SETTINGS.rounds):
        on = exemplars[left]
        solvers = [model.fine_solvers[one] for one in on]
        ways = fine.moves(seen[left], model.shades[on], solvers, size_px)
        far = fine.far(ways, size_px)
        ways, left = ways[far], left[far]
        if not len(left):
            break
        closer = ways @ back[left]
        seen_now = fine.softened(drawn(bright[left], closer), model.mask)
        now = fine.likeness(seen_now, model.shades[exemplars[left]], model.mask)
        better = now > alike[left]
        # What came no closer would be sent the same way again.
        left = left[better]
        back[left], seen[left], alike[left] = closer[better], seen_now[better], now[better]
    return drawn(whole, back), back


def _described(model: TileModel, pictures: Floats) -> Floats:
    return whitened(model, features(pictures, model.mask))


def search(coarse: Floats, templates: Floats, mask: Floats) -> tuple[Floats, Ints, Floats]:
    """Best correlation over all shifts and templates: score, template, shift in coarse pixels (sub-pixel)."""
    found, downs, rights = correlations(coarse, mask, templates)
    best = found.max(axis=1).argmax(axis=1)
    scores = found[np.arange(len(found)), :, best]
    return scores.max(axis=1), best, peaks(scores, downs, rights)


def correlations(coarse: Floats, mask: Floats, *templates: Floats) -> tuple[Floats, int, int]:
    """Correlation of every template at every shift: N x shifts x templates, and how many shifts down and right.

    Templates are the columns of a matrix, or of the product of several.
    """
    n, height, width = coarse.shape[:3]
    rows, columns = mask.shape
    downs, rights = height - rows + 1, width - columns + 1
    values = logs(coarse)
    # Any constant drops out of what follows; without a large one, float32 keeps its digits.
    values -= values.mean()
    # Templates have no mean of their own, so windows need not lose theirs before they are compared.
    windows = _windows(values, rows, columns)
    found = reduce(np.matmul, templates, windows)
    weight = (mask / mask.sum()).reshape(-1, 1).astype(np.float32)
    mean = windows @ by_colour(weight)
    power = _windows(np.einsum("nhwc,nhwc->nhw", values, values)[..., None], rows, columns) @ weight
    power -= np.einsum("wc,wc->w", mean, mean)[:, None]
    found /= np.sqrt(np.maximum(power, np.float32(0.05**2)))
    return found.reshape(n, downs * rights, -1), downs, rights


def _windows(values: Floats, rows: int, columns: int) -> Floats:
    """Every window of N pictures (N x height x width x channels) as a row: (N x shifts) x (window x channels)."""
    n, height, width, channels = values.shape
    whole, down, right, _ = values.strides
    # The pixels of a line of a window are neighbours, all their channels one run of numbers.
    windows = as_strided(
        values,
        (n, height - rows + 1, width - columns + 1, rows, columns * channels),
        (whole, down, right, down, values.itemsize),
    )
    return windows.reshape(-1, rows * columns * channels)


def peaks(scores: Floats, downs: int, rights: int) -> Floats:
    """Of correlations at every shift (N x shifts) the shift of the highest, in coarse pixels (sub-pixel)."""
    down, right = np.divmod(scores.argmax(axis=1), rights)
    by_place = scores.reshape(-1, downs, rights)
    moves = np.stack(
        [
            right + _peak(by_place, down, right, axis=2) - (rights - 1) / 2,
            down + _peak(by_place, down, right, axis=1) - (downs - 1) / 2,
        ],
        axis=1,
    )
    return moves.astype(np.float32)


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

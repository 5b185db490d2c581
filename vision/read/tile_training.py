"""Learns a label set of tiles from a few pictures: each is disturbed as a table disturbs it, many times over.

The disturbed pictures pass through the same search and the same features as real ones, so the metric and the
probabilities are learnt for what reading will really see.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.read.compare import Places, compare
from vision.read.features import features, logs
from vision.read.fine import shades
from vision.read.pixels import blurred, resized, turn_about, warped
from vision.read.seek import align, peaks, search
from vision.read.spin import is_round
from vision.read.tile import Geometry, TileModel, squared, turns, whitened
from vision.read.trust import Shown, learn_trust, pictures_each
from vision.read.untaught import parting

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Random = np.random.Generator
Box = tuple[int, int, int, int]  # left, top, width, height, in pixels


@dataclass(frozen=True)
class TrainingSettings:
    pictures: int = 1000  # disturbed pictures of a set; more changes nothing that can be measured
    least_each: int = 12
    most_exemplars: int = (
        20  # of one label: five numbers in the colours of four players, each a look of its own
    )
    look_px: tuple[int, int] = (8, 8)  # enough to tell the looks of one label apart
    shift_share: float = 0.75  # of the margin, uniformly
    turn_deg: float = 5.0
    scale: float = 0.025  # a card lies on another: nearer to the camera
    light: float = 0.10  # log factor of brightness left after evening
    tint: float = 0.07  # and of each colour
    slope: float = 0.10  # shading across a piece
    curve: float = 0.10  # cameras bend tones by exposure; log exponent
    glare: float = 120.0  # camera values that a reflection adds, seldom
    rim_mm: float = 0.5  # how far a piece's thickness shows
    rim: float = 0.5  # log factor of its lit or dark side
    blur_px: float = 0.6
    noise: tuple[float, float] = (1.5, 7.0)
    # Of what the metric is learnt from, where labels were photographed more than once: what really happens.
    twins_share: float = 0.5
    most_twins: int = 8  # times one pair counts; few pairs must not speak for all
    whitening: float = 0.3
    directions: int = 48  # of disturbance; further ones drown in the noise
    noise_floor: float = (
        0.35  # of the median: a feature that happened not to vary is not trusted more than this
    )
    alike: float = 0.6  # correlation from which two pictures show the same kind of piece
    least_cover: float = 0.06
    least_piece: float = 0.06  # share of its place that the smallest marker covers
    reality: float = 1.8  # real pictures stray further than disturbed ones
    bounds: tuple[float, float] = (0.5, 0.75)  # of the likeness that parts pieces from nothing
    centring_rounds: int = 2
    centring_deg: tuple[float, ...] = (-6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0)
    uneven: float = 0.15  # log units by which pieces of one set differ everywhere: light, wear
    least_alone: int = 6  # pieces with nothing beside them from which the others' place is learnt at first
    changed: float = 0.25  # log difference from the bare print that shows a piece
    odd: float = (
        0.15  # of the usual width or height: more or less, and what has changed is not one whole piece
    )
    seed: int = 7


SETTINGS = TrainingSettings()


@dataclass(frozen=True, eq=False)
class Example:
    """One taught picture with margin, light evened. `bare` is the same place without a piece, if known."""

    label: int
    whole: Floats
    bare: Floats | None = None
    exact: bool = False  # its corners were given: no need to centre it
    place: str = ""  # where it lay; a piece that stays there is one piece, however often photographed


def piece_mask(examples: Sequence[Example], geo: Geometry, settings: TrainingSettings = SETTINGS) -> Floats:
    """Where pieces of this set cover their place: 1 inside, near 0 where the print still shows."""
    width, height = geo.size_px
    changes = [
        _middle(_change(example.whole, example.bare), geo) > settings.changed
        for example in examples
        if not example.exact and example.bare is not None
    ]
    if not changes:
        return np.ones((height, width), np.float32)
    often = (np.mean(changes, axis=0) > 0.5).astype(np.uint8)
    outlines, _ = cv2.findContours(often, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros((height, width), np.float32)
    # Print and piece may agree in places; what a piece's outline encloses is the piece.
    cv2.drawContours(filled, [o for o in outlines if cv2.contourArea(o) > 6], -1, 1.0, cv2.FILLED)
    if filled.mean() < settings.least_cover:
        # Pieces look like their bare places almost everywhere: no outline can be told from that.
        return np.ones((height, width), np.float32)
    return np.clip(blurred(filled, 0.6), 0.02, 1.0)


def _change(whole: Floats, bare: Floats) -> Floats:
    """How much each pixel differs from the bare print, in log units, single pixels of noise smoothed away."""
    change = blurred(logs(whole), 0.7) - blurred(logs(bare), 0.7)
    largest: Floats = np.abs(change).max(axis=2)
    return largest


def _middle(picture: Floats, geo: Geometry) -> Floats:
    m = geo.margin_px
    return picture[m : m + geo.size_px[1], m : m + geo.size_px[0]]


def centred(examples: list[Example], geo: Geometry, settings: TrainingSettings = SETTINGS) -> list[Example]:
    """Examples moved so that their pieces lie alike, though each was laid down by hand."""
    boxes = [_box_of_change(example, geo, settings) for example in examples]
    whole = [box[2:] for box in boxes if box is not None and not _at_edge(box, geo)]
    usual = np.median(whole, axis=0) if whole else np.zeros(2)
    by_change = [
        _centred_by_change(example, box, usual, geo, settings)
        for example, box in zip(examples, boxes, strict=True)
    ]
    merged = [i for i, one in enumerate(by_change) if one is None]
    moved = [one or example for one, example in zip(by_change, examples, strict=True)]
    moved = _centred_together(moved, merged, geo, settings)
    coarse_mask = coarse_of(piece_mask(moved, geo, settings), geo)
    templates = [coarse_template(example.whole, geo, coarse_mask, 0.0) for example in moved]
    return [
        example
        if example.exact or example.bare is not None
        else _centred_by_others(example, i, moved, templates, coarse_mask, geo)
        for i, example in enumerate(moved)
    ]


def _box_of_change(example: Example, geo: Geometry, settings: TrainingSettings) -> Box | None:
    """What encloses the piece on a known print; None where nothing of a piece's size has changed.

    Where print and piece look alike, or a lamp makes them so, only parts of the piece have changed: its middle is that of
    its outline.
    """
    if example.exact or example.bare is None:
        return None
    changed = (_change(example.whole, example.bare) > settings.changed).astype(np.uint8)
    outlines, _ = cv2.findContours(changed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(outlines, key=cv2.contourArea, default=None)
    if largest is None or cv2.contourArea(largest) <= settings.least_piece * np.prod(geo.size_px):
        return None
    left, top, width, height = cv2.boundingRect(largest)
    return left, top, width, height


def _at_edge(box: Box, geo: Geometry) -> bool:
    left, top, width, height = box
    return min(left, top) == 0 or left + width == geo.whole_px[0] or top + height == geo.whole_px[1]


def _centred_by_change(
    example: Example,
    box: Box | None,
    usual: NDArray[np.float64],
    geo: Geometry,
    settings: TrainingSettings,
) -> Example | None:
    """On a known print the piece is what has changed; None when its neighbours run into it, or not all of it has.

    A piece that lies alone leaves print to see all round it; one that does not would be drawn to its neighbour.
    Pieces of a set are of one size, the `usual` width and height.
    """
    if box is None:
        return example
    size = np.array(box[2:])
    if _at_edge(box, geo) or (np.abs(size - usual) > settings.odd * usual).any():
        return None
    shift = np.array(box[:2]) + (size - np.array(geo.whole_px)) / 2
    return _moved(example, shift.astype(np.float32), 0.0) if np.abs(shift).max() <= geo.margin_px else example


def _centred_together(
    examples: list[Example], merged: list[int], geo: Geometry, settings: TrainingSettings
) -> list[Example]:
    """Where pieces lie side by side, each is put where it resembles the mean of all: an outline is shared."""
    if len(merged) < 2:
        return examples
    alone = [i for i, e in enumerate(examples) if i not in merged and not e.exact and e.bare is not None]
    result = list(examples)
    for turn in range(settings.centring_rounds):
        # At first where those lie is known that lie alone; then what stands beside others must not count either.
        begin = turn == 0 and len(alone) >= settings.least_alone
        shown = alone if begin else [*alone, *merged]
        common, weight = _in_common(np.stack([_middle(logs(result[i].whole), geo) for i in shown]), settings)
        for i in merged:
            whole = logs(examples[i].whole)
            found = {a: _likest_place(_turned(whole, a), common, weight) for a in settings.centring_deg}
            angle, (_, move) = max(found.items(), key=lambda one: one[1][0])
            result[i] = _moved(examples[i], move, angle)
    return result


def _in_common(pictures: Floats, settings: TrainingSettings) -> tuple[Floats, Floats]:
    """The mean of pictures (of logarithms), and how much each value of it counts: what they share is their outline, not their print."""
    level = pictures - pictures.mean(axis=(1, 2), keepdims=True)
    weight = 1 / (level.var(axis=0) + settings.uneven**2)
    return level.mean(axis=0), np.asarray(weight / weight.max(), np.float32)


def _likest_place(whole: Floats, common: Floats, weight: Floats) -> tuple[float, Floats]:
    """Where a crop with margin (of logarithms) resembles a picture most: how much, and how far from its middle."""
    scores = np.asarray(cv2.matchTemplate(whole, common, cv2.TM_CCOEFF_NORMED, mask=weight), np.float32)
    scores[~(np.abs(scores) <= 1.01)] = -1  # a plain spot has no correlation
    return float(scores.max()), peaks(scores.reshape(1, -1), *scores.shape)[0]


def _centred_by_others(
    example: Example, i: int, examples: list[Example], templates: list[Floats], mask: Floats, geo: Geometry
) -> Example:
    """On an unknown ground the piece is where it resembles the others most, its own label's first of all."""
    own = [j for j, other in enumerate(examples) if j != i and other.label == example.label]
    others = [j for j in own if examples[j].exact] or [j for j in range(len(examples)) if j != i]
    if not others:
        return example
    columns = np.stack([templates[j] for j in others], axis=1)
    found = []
    for angle in (-4.0, -2.0, 0.0, 2.0, 4.0):
        score, _, shift = search(_coarse_whole(_turned(example.whole, angle), geo)[None], columns, mask)
        found.append((float(score[0]), angle, shift[0]))
    likeness, angle, move = max(found, key=lambda one: one[0])
    if likeness < SETTINGS.alike:
        return example
    step = np.array(geo.whole_px, np.float32) / (
        np.array(geo.coarse_px, np.float32) + 2 * geo.coarse_margin_px
    )
    return _moved(example, move * step, angle)


def _moved(example: Example, shift_px: Floats, angle: float) -> Example:
    bare = example.bare
    return replace(
        example,
        whole=_shifted(_turned(example.whole, angle), shift_px),
        bare=None if bare is None else _shifted(_turned(bare, angle), shift_px),
    )


def train(
    labels: tuple[str, ...],
    examples: list[Example],
    grounds: Sequence[Floats],
    geo: Geometry,
    settings: TrainingSettings = SETTINGS,
) -> TileModel:
    """A model of one label set. `grounds` are pictures with margin of places without a piece."""
    rng = np.random.default_rng(settings.seed)
    examples = _fewer(centred(examples, geo, settings), geo, settings)
    mask = piece_mask(examples, geo)
    coarse_mask = coarse_of(mask, geo)
    templates = np.stack(
        [
            coarse_template(example.whole, geo, coarse_mask, angle)
            for example in examples
            for angle in turns(mask)
        ],
        axis=1,
    )
    blank = np.zeros((1, 1), np.float32)
    model = TileModel(
        labels=labels,
        geometry=geo,
        mask=mask,
        coarse_templates=templates,
        coarse_mask=coarse_mask,
        owners=np.array([example.label for example in examples], np.int64),
        means=blank,
        noise=blank[0],
        sway=blank,
        sway_shrink=blank[0],
        untaught=tuple(
            label for i, label in enumerate(labels) if not any(example.label == i for example in examples)
        ),
    )
    model = replace(model, shades=shades(np.stack([_middle(e.whole, geo) for e in examples]), mask))
    each = max(settings.least_each, settings.pictures // len(examples))
    taught, kept_back = [], []
    for example in examples:
        wholes = np.stack(
            [disturbed(example.whole, mask, grounds, geo, rng, settings.turn_deg) for _ in range(each)]
        )
        taught.append(features(align(model, wholes[: each * 3 // 4]).pictures, mask))
        kept_back.append(wholes[each * 3 // 4 :])
    # The pictures themselves, not the mean of a dozen disturbed ones, which would have a tint of its own.
    means = features(align(model, np.stack([example.whole for example in examples])).pictures, mask)
    residuals = np.concatenate([row - mean for row, mean in zip(taught, means, strict=True)])
    residuals = np.concatenate([residuals, _twins_apart(means, model.owners, len(residuals), settings)])
    noise, sway, shrink = _metric(residuals, settings)
    model = replace(model, noise=noise, sway=sway, sway_shrink=shrink)
    model = replace(model, means=whitened(model, means))
    usual, bound = _fit(model, kept_back, grounds)
    model = replace(model, usual=usual, bound=bound)
    trust, trust_bare = learn_trust(model, _shown(model, examples, grounds, rng, settings))
    model = replace(model, trust=trust, trust_bare=trust_bare)
    if not model.untaught:
        return model
    return replace(model, foreign=parting(model, [e.whole for e in examples], [e.place for e in examples]))


def _shown(
    model: TileModel,
    examples: Sequence[Example],
    grounds: Sequence[Floats],
    rng: Random,
    settings: TrainingSettings,
) -> list[Shown]:
    """The examples as they lay, and disturbed a few times each: round ones may lie at any turn."""
    turn = 180.0 if is_round(model) else settings.turn_deg
    more = pictures_each(len(examples)) - 1

    def another(example: Example) -> Floats:
        return disturbed(example.whole, model.mask, grounds, model.geometry, rng, turn)

    return [Shown(np.stack([e.whole, *(another(e) for _ in range(more))]), e.bare, e.place) for e in examples]


def _twins_apart(means: Floats, owners: Ints, count: int, settings: TrainingSettings) -> Floats:
    """How two photographs of one label really differ, as often as their share among `count` disturbed ones asks.

    Each is held against the likest of its label only: a label may have several looks.
    """
    apart = squared(means, means)
    apart[owners[:, None] != owners[None, :]] = np.inf
    np.fill_diagonal(apart, np.inf)
    twin = apart.argmin(axis=1)
    paired = np.flatnonzero(np.isfinite(apart[np.arange(len(means)), twin]))
    if not len(paired):
        return means[:0]
    # The difference of two is by a root of two larger than that of each from what both are pictures of.
    differences = (means[paired] - means[twin[paired]]) / np.float32(np.sqrt(2))
    often = max(1, round(settings.twins_share * count / len(paired)))
    return np.repeat(differences, min(often, settings.most_twins), axis=0)


def _fit(model: TileModel, wholes: list[Floats], grounds: Sequence[Floats]) -> tuple[float, float]:
    """The usual distance of a piece from its taught picture, and the likeness that parts pieces from nothing."""
    near, alike = [], []
    for i, pictures in enumerate(wholes):
        aligned = align(model, pictures)
        near.append(aligned.distances[:, i])
        alike.append(compare(model, Places(aligned, aligned.rows, aligned.rows)).likeness)
    usual = float(np.median(np.concatenate(near))) * SETTINGS.reality
    low = float(np.quantile(np.concatenate(alike), 0.05))
    if not grounds:
        return usual, low - 0.12
    aligned = align(model, np.stack(grounds))
    high = float(np.quantile(compare(model, Places(aligned, aligned.rows, aligned.rows)).likeness, 0.9))
    return usual, float(np.clip((low + high) / 2, *SETTINGS.bounds))


def disturbed(
    whole: Floats, mask: Floats, grounds: Sequence[Floats], geo: Geometry, rng: Random, turn_deg: float
) -> Floats:
    """The piece as another hand and another light would show it."""
    s = SETTINGS
    width, height = geo.whole_px
    shift = rng.uniform(-1, 1, 2) * s.shift_share * geo.margin_px
    angle = rng.uniform(-1, 1) * turn_deg
    size = 1 + rng.normal() * s.scale
    turn = turn_about(((width - 1) / 2, (height - 1) / 2), angle, size)
    turn[:, 2] += shift
    picture = warped(whole, turn, (width, height))
    if grounds:
        cover = np.zeros((height, width), np.float32)
        m = geo.margin_px
        cover[m : m + geo.size_px[1], m : m + geo.size_px[0]] = mask
        cover = warped(cover, turn, (width, height), 0.0)
        ground = grounds[int(rng.integers(len(grounds)))]
        picture = _laid(picture, ground, cover, geo.px_per_mm, rng)
    return relit(picture, rng)


def _laid(piece: Floats, ground: Floats, cover: Floats, px_per_mm: float, rng: Random) -> Floats:
    """A piece of some thickness on its ground: a rim lit or dark on one side, a shadow on the other."""
    s = SETTINGS
    height, width = cover.shape
    lean = rng.normal(size=2) * s.rim_mm * px_per_mm
    beside = warped(cover, [[1, 0, lean[0]], [0, 1, lean[1]]], (width, height), 0.0)
    rim = np.maximum(cover - beside, 0)[..., None] * rng.normal() * s.rim
    shadow = np.maximum(beside - cover, 0)[..., None] * abs(rng.normal()) * s.rim
    cover = cover[..., None]
    laid: Floats = piece * np.exp(rim) * cover + ground * np.exp(-shadow) * (1 - cover)
    return laid


def relit(picture: Floats, rng: Random) -> Floats:
    """Another light, another tone curve, a bit of blur, glare and noise."""
    s = SETTINGS
    height, width = picture.shape[:2]
    factor = np.exp(rng.normal() * s.light + rng.normal(size=3) * s.tint).astype(np.float32)
    curve = np.exp(rng.normal() * s.curve + rng.normal(size=3) * s.curve / 2).astype(np.float32)
    across = np.linspace(-0.5, 0.5, width, dtype=np.float32)[None, :]
    along = np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None]
    slope = (rng.normal(size=2) * s.slope).astype(np.float32)
    shading = np.exp(across * slope[0] + along * slope[1])[..., None]
    middle = 96.0  # a tone curve bends about the greys in the middle; which ones hardly matters
    picture = middle * (np.maximum(picture, 1) / np.float32(middle)) ** curve * shading * factor
    at = rng.uniform(-0.5, 0.5, 2).astype(np.float32)
    reach = np.float32(rng.uniform(0.05, 0.8))
    spot = np.exp(-((across - at[0]) ** 2 + (along - at[1]) ** 2) / reach)
    picture = picture + (spot * np.float32(rng.uniform(0, 1) ** 12 * s.glare))[..., None]
    blur = rng.uniform(0, s.blur_px)
    if blur > 0.3:
        picture = blurred(picture.astype(np.float32), blur)
    noise = rng.standard_normal(picture.shape, np.float32) * np.float32(rng.uniform(*s.noise))
    return np.clip(picture + noise, 0, 255).astype(np.float32)


def _metric(residuals: Floats, settings: TrainingSettings) -> tuple[Floats, Floats, Floats]:
    """Noise of each feature and the main directions of disturbance."""
    length = np.sqrt((residuals**2).sum(axis=1, keepdims=True))
    # A few burnt-out pictures must not make the colours they wash away look unreliable in all others.
    residuals = residuals * np.minimum(1, np.median(length) / np.maximum(length, 1e-9))
    spread = residuals.std(axis=0)
    floor = settings.noise_floor * float(np.median(spread)) + 1e-4
    noise = (1 / np.maximum(spread, floor)).astype(np.float32)
    scaled = residuals * noise
    count = min(settings.directions, len(scaled) // 4)
    values, vectors = np.linalg.eigh((scaled @ scaled.T).astype(np.float64))
    order = np.argsort(values)[::-1][:count]
    lengths = np.sqrt(np.maximum(values[order], 1e-9))
    directions = (vectors[:, order].T @ scaled / lengths[:, None]).astype(np.float32)
    variances = values[order] / len(scaled)
    rest = max((scaled**2).sum() / len(scaled) - variances.sum(), 1e-6) / max(scaled.shape[1] - count, 1)
    # Only part of the way: what tells labels apart often lies along a disturbance (a faded ring is still green),
    # and real tables disturb in ways not thought of here.
    shrink = ((rest / np.maximum(variances, rest)) ** (settings.whitening / 2)).astype(np.float32)
    return noise / np.float32(np.sqrt(rest)), directions, shrink


def coarse_of(mask: Floats, geo: Geometry) -> Floats:
    return resized(mask, geo.coarse_px)


def coarse_template(whole: Floats, geo: Geometry, coarse_mask: Floats, angle: float) -> Floats:
    """A picture's middle as a column for `search`: turned, weighted, without its mean, of unit length."""
    # A piece turned clockwise shows what a template turned clockwise shows; see `moved_back` for the sign.
    coarse = _coarse_whole(_turned(whole, -angle), geo)
    m = geo.coarse_margin_px
    values = logs(coarse[m : m + geo.coarse_px[1], m : m + geo.coarse_px[0]])
    weight = (coarse_mask / coarse_mask.sum())[..., None]
    values = values - (values * weight).sum(axis=(0, 1))
    length = np.sqrt(float((values**2 * weight).sum()))
    return np.asarray(values * weight / max(length, 0.05), np.float32).reshape(-1)


def _coarse_whole(whole: Floats, geo: Geometry) -> Floats:
    size = (geo.coarse_px[0] + 2 * geo.coarse_margin_px, geo.coarse_px[1] + 2 * geo.coarse_margin_px)
    return resized(whole, size)


def _turned(whole: Floats, angle: float) -> Floats:
    if angle == 0.0:
        return whole
    height, width = whole.shape[:2]
    turn = turn_about(((width - 1) / 2, (height - 1) / 2), angle, 1.0)
    return warped(whole, turn, (width, height))


def _shifted(whole: Floats, shift_px: Floats) -> Floats:
    height, width = whole.shape[:2]
    return warped(whole, [[1, 0, -shift_px[0]], [0, 1, -shift_px[1]]], (width, height))


def _fewer(examples: list[Example], geo: Geometry, settings: TrainingSettings) -> list[Example]:
    """Of labels that were shown often, the pictures least like each other: every look that was shown."""
    kept: set[int] = set()
    for label in {example.label for example in examples}:
        own = [i for i, example in enumerate(examples) if example.label == label]
        if len(own) > settings.most_exemplars:
            small = [resized(_middle(logs(examples[i].whole), geo), settings.look_px).ravel() for i in own]
            own = [own[i] for i in _apart(np.stack(small), settings.most_exemplars)]
        kept |= set(own)
    return [example for i, example in enumerate(examples) if i in kept]


def _apart(rows: Floats, count: int) -> list[int]:
    """`count` rows, each as far as can be from those before it; the one nearest to the middle is the first."""
    chosen = [int(((rows - rows.mean(axis=0)) ** 2).sum(axis=1).argmin())]
    nearest = ((rows - rows[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < count:
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, ((rows - rows[chosen[-1]]) ** 2).sum(axis=1))
    return chosen

"""Learns the colours and the size of cubes on a board.

They are taught by areas of which only the content is known: there every pixel says how much better a piece explains
it than the bare ground does. Where a footprint of the likely size gathers the most, a piece is taken and what it
covers (its sides included) is crossed out; then the next.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.read.colours import Colours, Lesson, Print, learn
from vision.read.cubes import SETTINGS as CUBES
from vision.read.cut import Cut
from vision.read.looks import look, sort_out
from vision.read.pixels import filtered
from vision.read.tops import Tops

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class AreaSettings:
    px_per_mm: float = 1.25
    margin_mm: float = 3.0  # cubes at the rim, and their tops that lean over it
    clip: float = 3.0  # a single pixel says no more than this (nats): reflections, crumbs
    vote_clip: float = 4.0  # nor does it about which label
    ring_mm: float = 2.0
    ring_weight: float = 0.1  # prefers the end of a row of touching pieces to its middle
    grow_mm: float = 0.4
    lean: float = 1.15  # how far the crossed-out side reaches, of the computed one
    sizes_mm: tuple[float, ...] = (6, 7, 8, 9, 10, 11.5, 13, 15, 17.5, 20, 24)
    lessons: int = 24  # areas the size is learnt from
    heart: float = 0.38  # of a cube's width: the part around its middle that shows nothing but the cube
    hopeless: float = -0.75  # of the clip: nothing more will be found
    stray: float = 0.002  # a label is never surer than all but this


SETTINGS = AreaSettings()
_TURNS_DEG = (0.0, 22.5, 45.0, 67.5)


@dataclass(frozen=True, eq=False)
class AreaModel:
    """What was learnt of one label set of loose pieces. `upright` pieces are cubes: as high as wide."""

    labels: tuple[str, ...]
    colours: Colours
    size_mm: float
    upright: bool
    cut: Cut = field(default_factory=Cut)
    tops: Tops | None = None  # of cubes

    @property
    def px_per_mm(self) -> float:
        """How large its areas are drawn: cubes as the network knows them."""
        return CUBES.side_px / self.size_mm if self.upright else SETTINGS.px_per_mm


@dataclass(frozen=True, eq=False)
class Patch:
    """One area as it is read: log colours, log-density of the bare ground, how far tops lean (mm for each mm).

    `bare` are the log colours of its print, None where the ground is unknown.
    """

    seen: Floats
    ground: Floats
    lean: tuple[float, float] = (0.0, 0.0)
    bare: Floats | None = None


class Piece(Protocol):
    """A piece found in an area: log-odds that it is one, log-odds of its labels."""

    @property
    def odds(self) -> float: ...
    @property
    def votes(self) -> tuple[float, ...]: ...


@dataclass(frozen=True)
class Spot:
    """Where an area of known content holds a piece: mm in the patch, mean nats, label log-odds."""

    at_mm: tuple[float, float]
    score: float
    votes: tuple[float, ...]


def find(model: AreaModel, patch: Patch, most: int, settings: AreaSettings = SETTINGS) -> list[Spot]:
    """As many pieces as are known to lie there, by colour, from the clearest down."""
    densities = model.colours.density(patch.seen)
    best = densities.max(axis=-1)
    evidence = np.clip(best - patch.ground, -settings.clip, settings.clip).astype(np.float32)
    votes = np.maximum(densities, best[..., None] - settings.vote_clip)
    height, width = evidence.shape
    scale = settings.px_per_mm
    rim = max(1, round((settings.margin_mm + min(model.size_mm * 0.12, 1.0)) * scale))
    inside = np.full((height, width), -np.inf, np.float32)
    inside[rim : height - rim, rim : width - rim] = 0
    if (height <= 2 * rim) or (width <= 2 * rim):
        inside[height // 2, width // 2] = 0
    kernels = footprints(model.size_mm, settings)
    scores = [_scores(evidence, kernel, model, settings) for kernel in kernels]
    spots: list[Spot] = []
    for _ in range(most):
        tops = [int((ranked + inside).argmax()) for _, ranked in scores]
        turn = int(np.argmax([scores[i][1].flat[at] for i, at in enumerate(tops)]))
        down, right = divmod(tops[turn], width)
        score = float(scores[turn][0][down, right])
        window, cut = _under(kernels[turn], down, right, (height, width))
        weight = cut * np.clip(evidence[window], 0.05, 1)
        tally = np.einsum("hwl,hw->l", votes[window], weight) / max(float(weight.sum()), 1e-6)
        likely = tuple(float(v) for v in tally - tally.max())
        spots.append(Spot((right / scale, down / scale), score, likely))
        if score < settings.hopeless * settings.clip:
            break
        box = _cross_out(evidence, model, turn, (right, down), patch.lean, settings)
        _again(scores, evidence, kernels, box, model, settings)
    return spots


def _scores(
    evidence: Floats, kernel: Floats, model: AreaModel, settings: AreaSettings
) -> tuple[Floats, Floats]:
    """Mean evidence below the footprint at every place, and the same less what lies around it."""
    filled = filtered(evidence, kernel)
    side = round((model.size_mm + 2 * settings.ring_mm) * settings.px_per_mm)
    around = np.asarray(cv2.blur(evidence, (side, side), borderType=cv2.BORDER_REPLICATE), np.float32)
    return filled, filled - settings.ring_weight * around


def _again(
    scores: list[tuple[Floats, Floats]],
    evidence: Floats,
    kernels: list[Floats],
    box: tuple[int, int, int, int],
    model: AreaModel,
    settings: AreaSettings,
) -> None:
    """Scores anew where a piece was crossed out (left, top, right, bottom), and only there."""
    reach = kernels[0].shape[0] // 2 + round(settings.ring_mm * settings.px_per_mm) + 1
    height, width = evidence.shape
    left, top = max(0, box[0] - reach), max(0, box[1] - reach)
    right, bottom = min(width, box[2] + reach), min(height, box[3] + reach)
    outer = (
        slice(max(0, top - reach), min(height, bottom + reach)),
        slice(max(0, left - reach), min(width, right + reach)),
    )
    inner = (
        slice(top - outer[0].start, bottom - outer[0].start),
        slice(left - outer[1].start, right - outer[1].start),
    )
    for (filled, ranked), kernel in zip(scores, kernels, strict=True):
        new = _scores(np.ascontiguousarray(evidence[outer]), kernel, model, settings)
        filled[top:bottom, left:right] = new[0][inner]
        ranked[top:bottom, left:right] = new[1][inner]


@lru_cache(maxsize=64)
def footprints(size_mm: float, settings: AreaSettings) -> list[Floats]:
    """Kernels of unit sum: a square in four turns."""
    side = size_mm * settings.px_per_mm
    reach = int(np.ceil(side * 0.75))
    down, right = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    kernels = []
    for turn in _TURNS_DEG:
        c, s = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
        far = np.maximum(np.abs(c * right + s * down), np.abs(c * down - s * right))
        kernel = np.clip(side / 2 - far + 0.5, 0, 1)
        kernels.append((kernel / kernel.sum()).astype(np.float32))
    return kernels


def _under(
    kernel: Floats, down: int, right: int, shape: tuple[int, int]
) -> tuple[tuple[slice, slice], Floats]:
    """The part of a picture below a kernel, and the kernel cut to it."""
    reach = kernel.shape[0] // 2
    top, left = max(0, down - reach), max(0, right - reach)
    bottom, end = min(shape[0], down + reach + 1), min(shape[1], right + reach + 1)
    cut = kernel[top - down + reach : bottom - down + reach, left - right + reach : end - right + reach]
    return (slice(top, bottom), slice(left, end)), cut


def _cross_out(
    evidence: Floats,
    model: AreaModel,
    turn: int,
    at_px: tuple[int, int],
    lean: tuple[float, float],
    settings: AreaSettings,
) -> tuple[int, int, int, int]:
    """Nothing else can stand where a piece and its visible sides are. Returns the box."""
    half = (model.size_mm / 2 + settings.grow_mm) * settings.px_per_mm
    a = np.deg2rad(_TURNS_DEG[turn])
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    outline = square @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + np.array(at_px)
    foot = outline - np.array(lean) * model.size_mm * settings.lean * settings.px_per_mm
    hull = np.rint(cv2.convexHull(np.concatenate([outline, foot]).astype(np.float32))).astype(np.int32)
    cv2.fillConvexPoly(evidence, hull, -settings.clip)
    left, top, width, height = cv2.boundingRect(hull)
    return left, top, left + width, top + height


@dataclass(frozen=True, eq=False)
class AreaLesson:
    """An area whose content is known. `bare` is its print, None where the ground is unknown."""

    patch: Patch
    bare: Floats | None
    content: tuple[int, ...]  # how many of each label


def trained(
    labels: tuple[str, ...], lessons: Sequence[AreaLesson], settings: AreaSettings = SETTINGS
) -> Iterator[AreaModel]:
    """Models of cubes of every size, the likeliest first: that with which the taught areas are counted right, most clearly.

    Colours come first, and where they tell little, nor do they tell the size.
    """
    colours = learn(
        len(labels),
        [
            Lesson(
                lesson.patch.seen,
                lesson.patch.ground,
                frozenset(np.flatnonzero(lesson.content).tolist()),
                None if lesson.bare is None else Print.of(lesson.bare).off(lesson.patch.seen),
            )
            for lesson in lessons
        ],
    )
    lessons = [_with_shadows(lesson, colours) for lesson in lessons]
    chosen = _varied(lessons, settings.lessons)
    by_merit: list[tuple[float, AreaModel]] = []
    for size in settings.sizes_mm:
        model = AreaModel(labels, colours, float(size), upright=True)
        taken, left = [], []
        right = 0
        for lesson in chosen:
            total = sum(lesson.content)
            picks = find(model, lesson.patch, total + 1, settings)
            shares = [pick.score for pick in picks]
            taken += shares[:total]
            left += shares[total : total + 1]
            seen = np.bincount([int(np.argmax(p.votes)) for p in picks[:total]], minlength=len(labels))
            right += bool((seen == np.array(lesson.content)).all())
        low, high = _lowest(taken, settings.clip), -_lowest([-one for one in left], settings.clip)
        # Right labels first; then the gap between the least clear pieces and the clearest nothings.
        merit = 3.0 * right / max(len(chosen), 1) + (low - high) / settings.clip
        by_merit.append((merit, model))
    for _, model in sorted(by_merit, key=lambda one: -one[0]):
        yield replace(model, colours=_colours_of_pieces(model, lessons, settings))


def _with_shadows(lesson: AreaLesson, colours: Colours) -> AreaLesson:
    """The same area, its ground now known in the shadows that pieces throw."""
    if lesson.bare is None:
        return lesson
    ground = colours.ground(Print.of(lesson.bare).off(lesson.patch.seen))
    return replace(lesson, patch=replace(lesson.patch, ground=ground, bare=lesson.bare))


def _varied(lessons: Sequence[AreaLesson], most: int) -> list[AreaLesson]:
    """The fullest areas teach most; a few bare ones guard against seeing pieces in shadows."""
    full = sorted((one for one in lessons if sum(one.content)), key=lambda one: -sum(one.content))
    bare = [one for one in lessons if not sum(one.content)]
    return full[: most * 3 // 4] + bare[: most // 4]


def _lowest(scores: Sequence[float], otherwise: float) -> float:
    ordered = np.sort(scores)
    return float(ordered[: max(1, len(ordered) // 20)].mean()) if len(ordered) else otherwise


def _colours_of_pieces(model: AreaModel, lessons: Sequence[AreaLesson], settings: AreaSettings) -> Colours:
    """Colours again, now from the middles of the pieces found: labels dealt out so that their numbers come right.

    Labels that were only ever shown together cannot be told apart by where they occur, only by how many there are.
    """
    radius_px = model.size_mm * settings.px_per_mm * settings.heart
    reach = int(np.ceil(radius_px))
    seen, contents, hearts = [], [], []
    for lesson in lessons:
        total = sum(lesson.content)
        picks = find(model, lesson.patch, total, settings) if total else []
        if len(picks) != total or total == 0:
            continue
        at = [(pick.at_mm[0] * settings.px_per_mm, pick.at_mm[1] * settings.px_per_mm) for pick in picks]
        seen.append(np.stack([look(lesson.patch.seen, one, radius_px)[:6] for one in at]))
        contents.append(lesson.content)
        windows = [
            (
                slice(max(0, round(y) - reach), round(y) + reach + 1),
                slice(max(0, round(x) - reach), round(x) + reach + 1),
            )
            for x, y in at
        ]
        hearts.append([(lesson.patch.seen[window], lesson.patch.ground[window]) for window in windows])
    if not seen:
        return model.colours
    single = [
        Lesson(colours, np.minimum(ground, 0), frozenset({int(label)}))
        for dealt, areas in zip(sort_out(seen, contents), hearts, strict=True)
        for label, (colours, ground) in zip(dealt, areas, strict=True)
    ]
    learnt = learn(len(model.labels), single)
    kept = model.colours
    return replace(learnt, shade_means=kept.shade_means, shade_spreads=kept.shade_spreads)


def counts(
    labels: Sequence[str], found: Sequence[Piece], most: int, settings: AreaSettings = SETTINGS
) -> dict[str, dict[int, float]]:
    """How many of each label: the pieces taken as independent, each there with its odds."""
    numbers = np.zeros((len(labels), most + 2))
    numbers[:, 0] = 1
    if found:
        there = 1 / (1 + np.exp(-np.clip([piece.odds for piece in found], -30, 30)))
        share = np.exp([piece.votes for piece in found])
        share = (1 - settings.stray) * share / share.sum(axis=1, keepdims=True) + settings.stray / len(labels)
        for chance in (there[:, None] * share)[..., None]:
            one_more = numbers[:, :-1] * chance
            numbers *= 1 - chance
            numbers[:, 1:] += one_more
    numbers = numbers[:, : most + 1] + 1e-9
    numbers /= numbers.sum(axis=1, keepdims=True)
    return {
        label: {n: p for n, p in enumerate(row) if p > 1e-7}
        for label, row in zip(labels, numbers.tolist(), strict=True)
    }

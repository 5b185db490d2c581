"""Learns the colours and the size of markers from places on which they are known to stand.

What stands out from the print is a marker, its side and its shadow. The middle of it tells the colour; where that
colour is seen tells the size, without the shadow; then the colour is taken once more, from all but the rim.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.read.area import SETTINGS as AREA
from vision.read.area import AreaModel
from vision.read.colours import Colours, Lesson, Print, learn, print_density
from vision.read.foreground import standing
from vision.read.looks import look, sort_out
from vision.read.pixels import filtered
from vision.read.token_training import middles_of
from vision.read.tokens import disc

Floats = NDArray[np.float32]
# The log-density of print where there is none to be seen.
NO_PRINT = np.float32(-30)


@dataclass(frozen=True)
class MarkerTrainingSettings:
    stands: float = 0.3  # from which a pixel is counted as part of a marker, its side or its shadow
    core: float = 0.5  # of the radius all that makes up: the marker for certain
    heart: float = 0.7  # of the marker's own radius
    rounds: int = 2  # of colour, then size
    clip: float = 3.0  # nats: a single pixel says no more than this
    radii_mm: tuple[float, float, float] = (1.5, 10.0, 0.25)  # the least, the most, and the step


SETTINGS = MarkerTrainingSettings()


@dataclass(frozen=True, eq=False)
class MarkerLesson:
    """A place on which markers stand: its unveiled log colours with margin, its print, how many of each label."""

    seen: Floats
    bare: Floats
    content: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _Shown:
    """One marker: the place it stands on, how likely its print is at every pixel, its label, its middle."""

    seen: Floats
    print: Floats
    label: int
    at_px: Floats


def learn_markers(labels: tuple[str, ...], lessons: Sequence[MarkerLesson]) -> AreaModel:
    """Markers from places of known content, at least one of which is not empty."""
    s = SETTINGS
    lessons = [lesson for lesson in lessons if sum(lesson.content)]
    shown, radius_px = _sorted_out(lessons)
    share = s.core
    for _ in range(s.rounds):
        colours = _colours(len(labels), shown, share * radius_px)
        evidence = [
            np.clip(colours.density(one.seen)[..., one.label] - one.print, -s.clip, s.clip) for one in shown
        ]
        radius_px = _radius_px(evidence)
        shown = [
            replace(one, at_px=_middle(gain, radius_px)) for one, gain in zip(shown, evidence, strict=True)
        ]
        share = s.heart
    colours = _colours(len(labels), shown, share * radius_px)
    return AreaModel(labels, colours, 2 * radius_px / AREA.px_per_mm, upright=False)


def _sorted_out(lessons: Sequence[MarkerLesson]) -> tuple[list[_Shown], float]:
    """Every marker where it stands out from the print, and how far markers and their shadows reach."""
    prints = [print_density(Print.of(lesson.bare).off(lesson.seen)) for lesson in lessons]
    stands = [standing(density) for density in prints]
    numbers = [sum(lesson.content) for lesson in lessons]
    covered = [(one > SETTINGS.stands).sum() / number for one, number in zip(stands, numbers, strict=True)]
    radius_px = max(float(np.sqrt(np.median(covered) / np.pi)), 1.0)
    margin_px = AREA.margin_mm * AREA.px_per_mm
    middles = [
        middles_of(one, number, radius_px, margin_px) for one, number in zip(stands, numbers, strict=True)
    ]
    looks = [
        np.stack([look(lesson.seen, (float(x), float(y)), SETTINGS.core * radius_px) for x, y in at])
        for lesson, at in zip(lessons, middles, strict=True)
    ]
    dealt = sort_out(looks, [lesson.content for lesson in lessons])
    shown = [
        _Shown(lesson.seen, density, int(label), at_px)
        for lesson, density, at, own in zip(lessons, prints, middles, dealt, strict=True)
        for at_px, label in zip(at, own, strict=True)
    ]
    return shown, radius_px


def _colours(count: int, shown: Sequence[_Shown], radius_px: float) -> Colours:
    """Of each label, from all within a radius of the middles of its markers."""
    lessons = []
    for one in shown:
        down, right = np.indices(one.print.shape)
        within = np.hypot(right - one.at_px[0], down - one.at_px[1]) <= max(radius_px, 1.0)
        pixels = one.seen[within]
        lessons.append(Lesson(pixels, np.full(len(pixels), NO_PRINT), frozenset({one.label})))
    return learn(count, lessons)


def _radius_px(evidence: Sequence[Floats]) -> float:
    """The radius within which most speaks for markers, and little against them."""
    radii = np.arange(*SETTINGS.radii_mm) * AREA.px_per_mm
    sums = [
        sum(float(_means(gain, radius).max()) for gain in evidence) / float(disc(radius).max())
        for radius in radii.tolist()
    ]
    return float(radii[int(np.argmax(sums))])


def _middle(gain: Floats, radius_px: float) -> Floats:
    down, right = divmod(int(_means(gain, radius_px).argmax()), gain.shape[1])
    return np.array([right, down], np.float32)


def _means(gain: Floats, radius_px: float) -> Floats:
    """The mean within a radius of every pixel that is on the place, not in its margin."""
    rim = round(AREA.margin_mm * AREA.px_per_mm)
    inside = np.full(gain.shape, -np.inf, np.float32)
    inside[rim:-rim, rim:-rim] = 0
    return filtered(gain.astype(np.float32), disc(radius_px)) + inside

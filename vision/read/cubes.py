"""Finds cubes in an area by their shape: touching or apart, black on dark, white on white, lit or in shadow.

Colour alone leaves out what people see at once: straight edges, faces, print that is suddenly hidden. A small
convolutional network, the same for every pack, weighs all of it. It knows no colour: it is shown how well the
pack's own cubes and the pack's own print explain each pixel, and both pictures with their mean taken away. It
answers for every place how likely the middle of a cube's top is there. Its weights were fitted to simulated tables.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from importlib.resources import as_file, files
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import read_arrays
from vision.read.colours import Colours
from vision.read.cut import Cut
from vision.read.hidden import foreign_share
from vision.read.pixels import mixed, strongest
from vision.read.tops import Tops, top_colour
from vision.read.tops import votes as label_votes

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class CubeSettings:
    side_px: float = 16.0  # every cube is drawn this wide for the network
    stride: int = 2  # pixels for each of its answers
    doubtful: tuple[float, float] = (-6.0, 5.0)  # an answer between these has the area looked at in every way
    spread: tuple[int, ...] = (1, 1, 2, 2, 4, 2)  # how far the taps of each layer lie apart
    apart: float = 0.74  # of a side: two middles are never closer, sizes being learnt roughly
    # Of a side: how roughly the distance of two middles is known. Tops cannot overlap; what seems to be a cube nearer
    # to another than a side is that one's own flank.
    rough: float = 0.07
    beside: float = 1.2  # of a side: nearer than this a flank lies to the middle of its own top
    shade: float = 0.2  # log units by which tops of one label that stand side by side differ in brightness
    hopeless: float = -9.0  # answers below which a place is not worth mentioning
    share: float = (
        0.4  # of the way from the clearest nothing taught to the least clear cube: as likely as not
    )
    most_odds: float = 9.0  # one look is never surer
    # Square log units by which what is seen lacks the pattern of the print, for a nat, and the most such nats.
    pattern: float = 0.0028
    most_pattern: float = 7.0
    sure: float = (
        0.0  # answers of the network above which a place is taken for a top, to tell what tops mirror
    )
    reach: float = (
        1.25  # of a side: as wide a square is covered by a cube, the sides it shows and its deepest shadow
    )
    open_nats: float = 1.5  # by which print looks less likely than in plain light, where no cube can be
    unseen_nats: float = 4.0  # ... where something lies or a shadow falls, though no cube is seen
    unseen_odds: float = -2.2  # log-odds that it is a cube nonetheless
    open_share: float = 0.55  # of a side: over squares so wide
    rim_share: float = 0.375  # of a side: so far from the rim a neighbour's cubes reach into the picture
    heart: float = 0.28  # of a side: the part around its middle that shows nothing but the top
    vote_clip: float = 4.0  # a single pixel says no more than this about the label
    worth_px: float = 8.0  # neighbouring pixels repeat each other: a piece's vote is worth this many of them
    gain: tuple[float, float] = (-4.0, 4.0)  # nats by which a cube explains a pixel better than print
    print: tuple[float, float] = (-8.0, 4.0)  # nats by which print explains it


SETTINGS = CubeSettings()

# Brightness, and the two directions of colour across it.
_TONES = np.array(
    [[1 / 3, 1 / 3, 1 / 3], [2**-0.5, -(2**-0.5), 0], [6**-0.5, 6**-0.5, -2 * 6**-0.5]], np.float32
)


_NEIGHBOURS = np.ones((3, 3), np.float32)
_OFF = np.array([-1, 0, 1])
_MIRRORS = tuple((slice(None, None, down), slice(None, None, right)) for down in (1, -1) for right in (1, -1))


@dataclass(frozen=True)
class Cube:
    """A cube found: where (pixels of the picture), the network's answer, log-odds that it is one and of its labels."""

    at_px: tuple[float, float]
    answer: float
    odds: float
    votes: tuple[float, ...]


@dataclass(frozen=True)
class Face:
    """What may be the top of a cube: where (pixels of the picture), its likeliest label and its log brightness."""

    at_px: tuple[float, float]
    label: int
    tone: float


@dataclass(frozen=True, eq=False)
class Area:
    """An area drawn with cubes `side_px` wide: log colours seen and of the bare ground, its log-density of each pixel.

    `lit` is that of print in light or in an even shadow.
    """

    seen: Floats
    print: Floats
    ground: Floats
    lit: Floats
    full: Floats | None = None  # the light, evened, at which each colour burns out there; None: it does not


def find_cubes(
    colours: Colours,
    cut: Cut,
    area: Area,
    most: int,
    tops: Tops | None = None,
    settings: CubeSettings = SETTINGS,
) -> list[Cube]:
    """The likeliest cubes of an area, clearest first. Labels are told by their `tops`, where those are known."""
    densities = colours.density(area.seen)
    gain = _gain(densities, area, settings)
    inputs = _inputs(area, gain, settings)

    def told(answers: Floats) -> list[Cube]:
        return _told(answers, densities, cut, area, most, tops, settings)

    cubes = told(heat(inputs, settings))
    low, high = settings.doubtful
    if any(low < cube.answer < high for cube in cubes):
        return told(heat_every_way(inputs, settings))
    return cubes


def _told(
    answers: Floats,
    densities: Floats,
    cut: Cut,
    area: Area,
    most: int,
    tops: Tops | None,
    settings: CubeSettings,
) -> list[Cube]:
    """The cubes that the network's answers speak of."""
    places = _tops(np.exp(np.clip(answers, -30, 30)), most, settings)
    hearts = [heart_of(at_px, settings) for at_px, _ in places]
    if tops is None or not places:
        votes = [_votes(densities[heart], settings) for heart in hearts]
    else:
        seen = np.array([top_colour(area.seen[heart]) for heart in hearts], np.float32)
        sure = np.array([raw > settings.sure for _, raw in places])
        votes = [label_votes(one) for one in tops.likelihoods(seen, sure, area.full)]
    faces = [
        Face(at_px, int(np.argmax(labels)), sum(top_colour(area.seen[heart])) / 3)
        for (at_px, _), heart, labels in zip(places, hearts, votes, strict=True)
    ]
    found: list[Cube] = []
    for i, (at_px, raw) in enumerate(places):
        doubt = overlap(at_px, [one.at_px for one in found], settings)
        doubt += other_shade(faces[i], faces[:i], settings)
        answer = raw + print_hidden(area.seen[hearts[i]], area.print[hearts[i]], settings) - doubt
        found.append(Cube(at_px, answer, min(cut.odds(answer), settings.most_odds), votes[i]))
    return sorted(found, key=lambda cube: -cube.answer)


def print_hidden(seen: Floats, bare: Floats, settings: CubeSettings = SETTINGS) -> float:
    """Nats by which a top that hides the print explains a place better than a shadow, in which its pattern still shows.

    Plain print tells nothing.
    """
    pattern, left = (one - one.mean(axis=(0, 1)) for one in (bare, seen))
    lack = float((pattern * (pattern - 2 * left)).mean())
    return min(max(lack / settings.pattern, -settings.most_pattern), settings.most_pattern)


def overlap(
    at_px: tuple[float, float], clearer_px: Sequence[tuple[float, float]], settings: CubeSettings = SETTINGS
) -> float:
    """Nats by which a cube is less likely for standing nearer to a clearer one than two tops can lie."""
    nearest_px = min((hypot(at_px[0] - x, at_px[1] - y) for x, y in clearer_px), default=np.inf)
    lack = max(0.0, 1 - nearest_px / settings.side_px)
    return (lack / settings.rough) ** 2 / 2


def other_shade(face: Face, clearer: Sequence[Face], settings: CubeSettings = SETTINGS) -> float:
    """Nats by which a cube is less likely for standing by a clearer one of its label and being lit otherwise.

    Tops of equal height lie side by side in the same light and throw no shadow on each other: what has the colour but
    not the brightness of the top beside it is a flank of that cube.
    """
    beside = settings.beside * settings.side_px
    off = max(
        (
            abs(face.tone - one.tone)
            for one in clearer
            if one.label == face.label
            and hypot(face.at_px[0] - one.at_px[0], face.at_px[1] - one.at_px[1]) < beside
        ),
        default=0.0,
    )
    return min((off / settings.shade) ** 2 / 2, settings.most_odds)


def lies_open(area: Area, likely: float, settings: CubeSettings = SETTINGS) -> bool:
    """Whether every spot of an area shows its print, which is as `likely` in plain light: nothing stands there."""
    return _lack(area, likely, settings) < settings.open_nats


def _lack(area: Area, likely: float, settings: CubeSettings) -> float:
    """By how much print looks less likely than in plain light, at the spot of an area that shows it least."""
    lack = np.maximum(np.float32(likely) - area.lit, 0)
    side, rim = int(settings.open_share * settings.side_px) | 1, int(settings.rim_share * settings.side_px)
    return float(cv2.blur(lack, (side, side))[rim:-rim, rim:-rim].max(initial=0.0))


def unseen_cube(
    area: Area, likely: float, cubes: Sequence[Cube], settings: CubeSettings = SETTINGS
) -> list[Cube]:
    """What may be a cube that was not recognised: one where an area in which none is likely does not show its print either.

    A shadow looks like that, too, and more often; but unless nothing in it even faintly resembles a cube, nobody can be sure.
    """
    if not cubes or any(cube.odds > settings.unseen_odds for cube in cubes):
        return []
    if _lack(area, likely, settings) < settings.unseen_nats:
        return []
    return [Cube((0.0, 0.0), settings.hopeless, settings.unseen_odds, (0.0,) * len(cubes[0].votes))]


def no_cube(labels: int, settings: CubeSettings = SETTINGS) -> Cube:
    """As little of a cube as one look can be sure of."""
    return Cube((0.0, 0.0), settings.hopeless, -settings.most_odds, (0.0,) * labels)


def uncovered_share(area: Area, cubes: Sequence[Cube], settings: CubeSettings = SETTINGS) -> float:
    """How much of an area shows neither its print nor what the cubes that were found can cover."""
    # What the pack's own shadows look like is too wide a measure for a cloth.
    foreign = foreign_share(area.lit)
    likely = sum(cube.odds > 0 for cube in cubes)
    return foreign - likely * (settings.reach * settings.side_px) ** 2 / area.ground.size


def _gathered(chances: Floats) -> Floats:
    """The middle of a cube may lie between two answers: those of neighbouring places are taken together."""
    together = cv2.filter2D(chances, -1, _NEIGHBOURS, borderType=cv2.BORDER_REFLECT_101)
    return np.asarray(np.log(np.maximum(together, 1e-12)), np.float32)


def _inside(answers: Floats, settings: CubeSettings) -> Floats:
    """No cube at the rim of the picture: its middle would lie outside the area, in a neighbour's."""
    rim = _rim(settings)
    inside = np.full_like(answers, settings.hopeless)
    inside[rim:-rim, rim:-rim] = answers[rim:-rim, rim:-rim]
    return inside


def _rim(settings: CubeSettings) -> int:
    """How many answers from the edge of the picture are the neighbours'."""
    return int(settings.rim_share * settings.side_px / settings.stride)


def network_inputs(colours: Colours, area: Area, settings: CubeSettings = SETTINGS) -> Floats:
    """What the network is shown of an area: height x width x 8."""
    return _inputs(area, _gain(colours.density(area.seen), area, settings), settings)


def _gain(densities: Floats, area: Area, settings: CubeSettings) -> Floats:
    return np.asarray(np.clip(strongest(densities) - area.ground, *settings.gain), np.float32)


def _inputs(area: Area, gain: Floats, settings: CubeSettings) -> Floats:
    bare = mixed(area.print, _TONES)
    mean = cv2.mean(bare)
    seen, ground = (
        [layer - np.float32(off) for layer, off in zip(cv2.split(tones), mean, strict=False)]
        for tones in (mixed(area.seen, _TONES), bare)
    )
    likely = np.clip(area.ground, *settings.print) / 4
    # Brightness of both first, then the colour of each: the order the weights were fitted in.
    layers = [seen[0], ground[0], *seen[1:], *ground[1:], gain / 3, likely]
    return np.asarray(cv2.merge([np.asarray(layer, np.float32) for layer in layers]), np.float32)


@cache
def weights() -> Mapping[str, Floats]:
    """The network's weights: a layer's taps (rows x columns x in x out) and offsets, and the last sum."""
    with as_file(files("vision.read") / "cubes.npz") as path:
        return {name: array.astype(np.float32) for name, array in read_arrays(path).items()}


def heat(inputs: Floats, settings: CubeSettings = SETTINGS) -> Floats:
    """Log-odds of the middle of a cube at every `stride`th pixel."""
    net, picture = weights(), inputs
    for layer, spread in enumerate(settings.spread):
        stride = settings.stride if layer == 0 else 1
        picture = _convolved(picture, net[f"w{layer}"], spread, stride)
        picture += net[f"b{layer}"]
        np.maximum(picture, 0, out=picture)
    answers = picture.reshape(-1, picture.shape[-1]) @ net["wh"] + net["bh"]
    return answers.reshape(picture.shape[:2])


def heat_every_way(inputs: Floats, settings: CubeSettings = SETTINGS) -> Floats:
    """The mean of the answers to an area as it lies, and mirrored and turned by quarters in every way.

    Cubes know no way up, but the network was fitted, not told: what it takes for a cube only if it lies one way is none.
    """
    height, width = inputs.shape[:2]
    # Odd sides: then the places it answers for are the same in a mirror.
    odd = np.pad(inputs, ((0, 1 - height % 2), (0, 1 - width % 2), (0, 0)), mode="edge")
    total = np.zeros((-(-odd.shape[0] // settings.stride), -(-odd.shape[1] // settings.stride)), np.float32)
    for turned in (False, True):
        laid = odd.transpose(1, 0, 2) if turned else odd
        for mirror in _MIRRORS:
            answers = heat(laid[mirror], settings)[mirror]
            total += answers.T if turned else answers
    total /= 2 * len(_MIRRORS)
    return total[: -(-height // settings.stride), : -(-width // settings.stride)]


def _convolved(picture: Floats, taps: Floats, spread: int, stride: int) -> Floats:
    """One layer, each line of taps a product of matrices, which is what processors do best."""
    height, side = picture.shape[0], taps.shape[0]
    lines = _across(picture, side, spread, stride)
    # The lines that a line of taps meets lie one below the other: they are multiplied where they are.
    by_turn = [np.ascontiguousarray(lines[turn::stride]) for turn in range(stride)]
    products: list[Floats] = []
    for i, line in enumerate(taps):
        first, turn = divmod(i * spread, stride)
        met = by_turn[turn][first : first + -(-height // stride)]
        # Two axes: numpy would multiply line by line otherwise.
        products.append(met.reshape(-1, met.shape[-1]) @ line.reshape(-1, line.shape[-1]))
    total = reduce(lambda some, one: np.add(some, one, out=some), products)
    return total.reshape(-1, lines.shape[1], taps.shape[-1])


def _across(picture: Floats, side: int, spread: int, stride: int) -> Floats:
    """In each line every `stride`th place with the `side` places to its left and right, `spread` apart, in a row.

    Beyond the rim is 0, above and below too. To copy whole windows would take several times as long.
    """
    height, width, channels = picture.shape
    rim = side // 2 * spread
    padded = np.zeros((height + 2 * rim, width + 2 * rim, channels), np.float32)
    padded[rim : rim + height, rim : rim + width] = picture
    down, right, along = padded.strides
    # The same as numpy's `as_strided`, which takes longer than many a layer of a small area.
    windows = np.ndarray(
        (len(padded), -(-width // stride), side, channels),
        np.float32,
        padded,
        strides=(down, stride * right, spread * right, along),
    )
    return windows.reshape(*windows.shape[:2], side * channels)


def _tops(chances: Floats, most: int, settings: CubeSettings) -> list[tuple[tuple[float, float], float]]:
    """The clearest answers: where (pixels of the picture) and how clear, no two closer than cubes can stand."""
    answers = _inside(_gathered(chances), settings)
    first, last = _rim(settings) - 0.5, np.array(chances.shape) - _rim(settings) - 0.5
    peaks = (answers >= cv2.dilate(answers, _NEIGHBOURS)) & (answers > settings.hopeless)
    down, right = np.nonzero(peaks)
    nearest = settings.apart * settings.side_px
    kept: list[tuple[tuple[float, float], float]] = []
    middles = _middles(chances, right, down)
    for i in np.argsort(-answers[down, right]).tolist():
        across, along = middles[i]
        if min(across, along) < first or across > last[1] or along > last[0]:
            continue  # a neighbour's: answers at the rim were taken together with those beyond it
        x, y = settings.stride * across + 0.5, settings.stride * along + 0.5
        if all(hypot(x - a, y - b) >= nearest for (a, b), _ in kept):
            kept.append(((x, y), float(answers[down[i], right[i]])))
        if len(kept) == most:
            break
    return kept


def _middles(chances: Floats, right: Ints, down: Ints) -> list[tuple[float, float]]:
    """Where between the answers around each place, none of them at the rim, the middle of its cube is: across and down.

    One answer among nine that are taken together lifts all nine alike: touching cubes would seem to be two answers
    nearer or farther than they are.
    """
    near = chances[down[:, None, None] + _OFF[:, None], right[:, None, None] + _OFF]
    total = near.sum(axis=(1, 2))
    across, along = (near.sum(axis=axis) @ _OFF / total for axis in (1, 2))
    return list(zip((right + across).tolist(), (down + along).tolist(), strict=True))


def heart_of(at_px: Sequence[float], settings: CubeSettings = SETTINGS) -> tuple[slice, slice]:
    """The part of an area that shows nothing but the top of a cube."""
    reach = settings.heart * settings.side_px
    left, top = (max(0, int(one - reach)) for one in at_px)
    right, bottom = (int(one + reach) + 1 for one in at_px)
    return slice(top, bottom), slice(left, right)


def _votes(densities: Floats, settings: CubeSettings) -> tuple[float, ...]:
    heart = densities.reshape(-1, densities.shape[-1])
    heart = np.maximum(heart, heart.max(axis=1, keepdims=True) - settings.vote_clip)
    tally = heart.mean(axis=0) * settings.worth_px
    return tuple(float(vote) for vote in tally - tally.max())

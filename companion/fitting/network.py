"""Fits the cube network: what it should have answered, how wrong it was, and which way each weight should go.

The answers are those of `vision.read.cubes.heat`; here every layer keeps what the way back needs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.fitting.lessons import Lesson
from vision.read.cubes import SETTINGS as CUBES

Floats = NDArray[np.float32]
Weights = dict[str, Floats]
LAYERS = len(CUBES.spread)


@dataclass(frozen=True)
class FitSettings:
    rate: float = 2e-3  # of the longest steps; the first and last ones are a fiftieth of it
    rising: float = 0.1  # of all steps: so long the rate grows, until the slopes' squares are known
    steepest: float = 5.0  # length of a slope; longer ones are of a single odd area and are shortened
    memory: tuple[float, float] = (0.9, 0.999)  # of the mean of gradients, of their squares (Adam)
    batch: int = 12  # areas for each step
    channels: int = 16
    sides: tuple[int, ...] = (5, 3, 3, 3, 3, 3)  # taps of each layer
    scale: tuple[float, float] = (0.92, 1.09)
    # Another renderer, another camera: half of the areas with other contrasts, light that was not all evened out, and
    # colours that explain pixels better or worse.
    other: float = 0.5
    contrast: tuple[float, float] = (0.75, 1.3)
    uneven: float = 0.12
    clearness: tuple[float, float] = (0.6, 1.3)
    noise: float = 0.06
    blurred: float = 0.4  # of the areas
    blur_px: tuple[float, float] = (0.4, 1.2)


SETTINGS = FitSettings()


def fresh(seed: int, inputs: int = 8, settings: FitSettings = SETTINGS) -> Weights:
    """Weights that know nothing yet, as large as keeps a picture's contrast from layer to layer."""
    rng = np.random.default_rng(seed)
    net: Weights = {}
    for layer in range(LAYERS):
        shape = (settings.sides[layer], settings.sides[layer], inputs, settings.channels)
        net[f"w{layer}"] = rng.normal(0, np.sqrt(2 / np.prod(shape[:3])), shape).astype(np.float32)
        net[f"b{layer}"] = np.zeros(settings.channels, np.float32)
        inputs = settings.channels
    net["wh"] = rng.normal(0, np.sqrt(1 / inputs), (inputs, 1)).astype(np.float32)
    net["bh"] = np.full(1, -4, np.float32)  # most places are no middle of a cube
    return net


def loss_and_slopes(net: Mapping[str, Floats], lesson: Lesson) -> tuple[float, Weights]:
    """How wrong the network is about one area (nats), and the slope of that along every weight."""
    pictures, rows, taken = [lesson.inputs], [], []
    for layer, spread in enumerate(CUBES.spread):
        stride = CUBES.stride if layer == 0 else 1
        places = _around(pictures[-1], net[f"w{layer}"].shape[0], spread, stride)
        sums = places @ net[f"w{layer}"].reshape(-1, net[f"w{layer}"].shape[-1]) + net[f"b{layer}"]
        rows.append(places)
        taken.append(sums > 0)
        pictures.append(np.maximum(sums, 0))
    answers = (pictures[-1] @ net["wh"] + net["bh"])[..., 0]
    loss, back = wrongness(answers, lesson.tops_px)
    slopes: Weights = {
        "wh": np.einsum("hwc,hw->c", pictures[-1], back)[:, None].astype(np.float32),
        "bh": np.array([back.sum()], np.float32),
    }
    flow: Floats = back[..., None] * net["wh"][:, 0]
    for layer in reversed(range(LAYERS)):
        taps = net[f"w{layer}"]
        flow = flow * taken[layer]
        flat = flow.reshape(-1, flow.shape[-1])
        slopes[f"w{layer}"] = (rows[layer].reshape(len(flat), -1).T @ flat).reshape(taps.shape)
        slopes[f"b{layer}"] = flat.sum(axis=0)
        if layer:
            to_rows: Floats = flat @ taps.reshape(-1, taps.shape[-1]).T
            flow = _gathered(to_rows, pictures[layer].shape, taps.shape[0], layer)
    return loss, slopes


def _around(picture: Floats, side: int, spread: int, stride: int) -> Floats:
    """Each `stride`th place with the `side` x `side` places around it, `spread` apart, in a row; beyond the rim is 0."""
    height, width, channels = picture.shape
    rim = side // 2 * spread
    padded = np.zeros((height + 2 * rim, width + 2 * rim, channels), np.float32)
    padded[rim : rim + height, rim : rim + width] = picture
    down, right, along = padded.strides
    windows = np.ndarray(
        (-(-height // stride), -(-width // stride), side, side, channels),
        np.float32,
        padded,
        strides=(stride * down, stride * right, spread * down, spread * right, along),
    )
    return windows.reshape(*windows.shape[:2], side * side * channels)


def wrongness(answers: Floats, tops_px: NDArray[np.float64]) -> tuple[float, Floats]:
    """Nats by which answers miss the truth, and their slope for each answer.

    A cube may be answered at any of the nine places around its middle, which are read together; every other place
    should say no.
    """
    places = np.rint((tops_px - 0.5) / CUBES.stride).astype(int)
    odds = np.clip(answers.astype(np.float64), -30, 30)
    back = 1 / (1 + np.exp(-odds))
    loss = np.logaddexp(0, odds)
    windows = [
        (slice(max(0, y - 1), y + 2), slice(max(0, x - 1), x + 2))
        for x, y in places
        if 0 <= x < odds.shape[1] and 0 <= y < odds.shape[0]
    ]
    for window in windows:
        loss[window] = back[window] = 0
    total = float(loss.sum())
    for window in windows:
        together = np.logaddexp.reduce(odds[window], axis=None)
        total += float(np.logaddexp(0, -together))
        back[window] -= np.exp(odds[window] - together) / (1 + np.exp(together))
    return total, back.astype(np.float32)


def _gathered(rows: Floats, shape: tuple[int, ...], side: int, layer: int) -> Floats:
    """What flows back to a picture from the rows that were made of it."""
    height, width, channels = shape
    spread = CUBES.spread[layer]
    rim = side // 2 * spread
    padded = np.zeros((height + 2 * rim, width + 2 * rim, channels), np.float32)
    parts = rows.reshape(height, width, side, side, channels)
    for y in range(side):
        for x in range(side):
            padded[y * spread : y * spread + height, x * spread : x * spread + width] += parts[:, :, y, x]
    return padded[rim : rim + height, rim : rim + width]


@dataclass
class Fit:
    """Weights on their way down the slope (Adam: steps as long as the slopes agree with each other)."""

    net: Weights
    steps: int  # in all
    done: int = 0
    mean: Weights = field(default_factory=dict)
    square: Weights = field(default_factory=dict)

    def step(self, batch: Sequence[Lesson], settings: FitSettings = SETTINGS) -> float:
        """One step; returns the mean loss before it."""
        found = [loss_and_slopes(self.net, lesson) for lesson in batch]
        self.done += 1
        mean_slopes = {name: np.mean([slopes[name] for _, slopes in found], axis=0) for name in self.net}
        length = float(np.sqrt(sum(float((slope**2).sum()) for slope in mean_slopes.values())))
        shortened = min(1.0, settings.steepest / max(length, 1e-9))
        rate = self._rate(settings)
        for name, weight in self.net.items():
            slope = shortened * mean_slopes[name]
            for kept, value, memory in (
                (self.mean, slope, settings.memory[0]),
                (self.square, slope**2, settings.memory[1]),
            ):
                kept[name] = memory * kept.get(name, np.zeros_like(slope)) + (1 - memory) * value
            mean = self.mean[name] / (1 - settings.memory[0] ** self.done)
            square = self.square[name] / (1 - settings.memory[1] ** self.done)
            self.net[name] = (weight - rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)
        return float(np.mean([loss for loss, _ in found]))

    def _rate(self, settings: FitSettings) -> float:
        share = self.done / self.steps
        risen = min(1.0, share / settings.rising)
        fallen = 0.5 + 0.5 * float(np.cos(np.pi * max(0.0, share - settings.rising) / (1 - settings.rising)))
        return settings.rate * max(0.02, min(risen, fallen))


def varied(lesson: Lesson, rng: np.random.Generator, settings: FitSettings = SETTINGS) -> Lesson:
    """The same area mirrored, turned by a quarter, in other hues, a little larger or smaller, and blurred.

    Cubes know no way up; their size is learnt roughly; lenses differ.
    """
    inputs, tops = lesson.inputs, lesson.tops_px.copy()
    if rng.random() < 0.5:
        inputs, tops[:, 0] = inputs[:, ::-1], inputs.shape[1] - 1 - tops[:, 0]
    if rng.random() < 0.5:
        inputs, tops[:, 1] = inputs[::-1], inputs.shape[0] - 1 - tops[:, 1]
    if rng.random() < 0.5:
        inputs, tops = inputs.transpose(1, 0, 2), tops[:, ::-1]
    inputs = np.array(inputs)
    angle, mirrored = rng.uniform(0, 2 * np.pi), rng.choice((-1, 1))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle) * mirrored, np.cos(angle) * mirrored]])
    for pair in ((2, 3), (4, 5)):  # the colour of what is seen, and of the print: turned alike
        inputs[..., pair] = inputs[..., pair] @ turn.T.astype(np.float32)
    larger = Lesson(inputs, tops).scaled(rng.uniform(*settings.scale))
    if rng.random() < settings.blurred:
        larger.inputs[:] = cv2.GaussianBlur(larger.inputs, (0, 0), rng.uniform(*settings.blur_px))
    if rng.random() < settings.other:
        _seen_otherwise(larger.inputs, rng, settings)
    return larger


def _seen_otherwise(inputs: Floats, rng: np.random.Generator, settings: FitSettings) -> None:
    """Changes what is seen of an area as another renderer or camera would."""
    height, width = inputs.shape[:2]

    def field(strength: float) -> Floats:
        coarse = rng.normal(0, strength, (int(rng.integers(2, 5)), int(rng.integers(2, 6))))
        return np.asarray(
            cv2.resize(coarse.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC), np.float32
        )

    inputs[..., :6] *= rng.uniform(*settings.contrast)
    if rng.random() < 0.5:
        inputs[..., 0] += field(settings.uneven)
    for layer, limits in ((6, CUBES.gain), (7, CUBES.print)):
        low, high = np.array(limits) / (3 if layer == 6 else 4)
        inputs[..., layer] = np.clip(
            inputs[..., layer] * rng.uniform(*settings.clearness) + field(settings.uneven), low, high
        )
    inputs[..., [0, 2, 3]] += rng.normal(0, rng.uniform(0, settings.noise), (height, width, 3))

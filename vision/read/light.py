"""The light of the moment: how much brighter each part of a board looks than in its empty reference.

Pictures are kept in camera values, where a change of light is a factor for each colour (a power law keeps
factors factors), so a smooth field of log factors undoes white balance, shading and soft shadows at once.

Varnish also mirrors lamps, windows and the ceiling: a veil of light that is added, not multiplied, and lifts dark
print far more than bright. It lies on the print and not on a matt cube, so it is not taken out of the picture but
told of the print: `Light.on_print` says what the bare board looks like in this light, veil and all.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.pack import Board, Point, Rect
from vision.read.pixels import blurred_small, exp, grown, log, power, sampled

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Number = TypeVar("Number", np.uint8, np.float32)


@dataclass(frozen=True)
class LightSettings:
    px_per_mm: float = 0.25  # a pixel of 4 mm: finer print is blurred away, and with it errors of the fix
    offset: float = 8.0  # added before the logarithm: below it a camera value is mostly noise
    # Of a pixel's strongest colour: one that is hardly in it says little about its light. White balance mixes the
    # channels, and a green without red in it may have twice as much now.
    faint: float = 0.25
    burnt: float = 250.0  # at and above it the sensor says nothing
    reach_mm: float = 25.0  # shadows softer than this are undone
    far_mm: float = 110.0  # where nothing near can be compared, the light this far around is taken
    slot_weight: float = 0.04  # pieces may have changed there; only used where a board is all slots
    outlier: float = 0.12  # a log factor this far from its surroundings is a piece or a hand, not light
    rounds: int = 3
    cell_mm: float = 8.0
    power: float = 2.2  # of light that a camera value stands for
    dark: float = 0.01  # of full light: below it noise is as large as what is measured
    veil_outlier: float = 0.3  # of the light expected: further off is a piece or a hand
    veil_rounds: int = 3
    veil_doubt: float = (
        0.02  # how much of its surroundings must differ in brightness to tell a veil from more light
    )


SETTINGS = LightSettings()


@dataclass(frozen=True, eq=False)
class Light:
    """Log factors on a grid of `cell_mm` over one board, current picture against reference."""

    grid: Floats  # rows x columns x 3
    cell_mm: float
    # The same change as light itself, which is multiplied and added to: of full light.
    gain: Floats
    veil: Floats
    # By which the factors of the board's edge are multiplied beside it, where the table has not the board's glare.
    beside: Floats = field(default_factory=lambda: np.ones(3, np.float32))

    @cached_property
    def _factors(self) -> Floats:
        return np.exp(self.grid)

    def over(self, rect_mm: Rect, size_px: tuple[int, int]) -> Floats:
        """Factors over a rectangle, as a picture of `size_px` (width, height); off the board those of its edge."""
        factors = self._cut(self._factors, rect_mm, size_px)
        return factors if self._holds(rect_mm) else factors * self.beside

    def _holds(self, rect_mm: Rect) -> bool:
        """Whether the middle of a rectangle lies on the board."""
        x, y, width, height = rect_mm
        rows, columns = (float(count * self.cell_mm) for count in self.grid.shape[:2])
        return 0 <= x + width / 2 <= columns and 0 <= y + height / 2 <= rows

    def on_print(self, rect_mm: Rect, bare: Floats) -> Floats:
        """Camera values of bare print over a rectangle as they look in this light, divided by `over`."""
        return self.on_lit_print(rect_mm, as_light(bare), self.over(rect_mm, (bare.shape[1], bare.shape[0])))

    def on_lit_print(self, rect_mm: Rect, bare: Floats, over: Floats) -> Floats:
        """The same, where `bare` is the light of the print, of full light, and `over` is known already."""
        size_px = bare.shape[1], bare.shape[0]
        lit = bare * self._cut(self.gain, rect_mm, size_px)
        lit += self._cut(self.veil, rect_mm, size_px)
        values = as_values(np.clip(lit, 0, 1, out=lit))
        values /= over
        return values

    def _cut(self, field: Floats, rect_mm: Rect, size_px: tuple[int, int]) -> Floats:
        x, y, width, height = rect_mm
        across, down = width / size_px[0] / self.cell_mm, height / size_px[1] / self.cell_mm
        matrix = np.array(
            [
                [across, 0.0, x / self.cell_mm + across / 2 - 0.5],
                [0.0, down, y / self.cell_mm + down / 2 - 0.5],
            ]
        )
        return sampled(field, matrix, size_px)


def as_light(values: Floats) -> Floats:
    """The light that camera values stand for, of full light."""
    return power(np.asarray(np.maximum(values, 0) / 255, np.float32), SETTINGS.power)


def as_values(light: Floats) -> Floats:
    """The camera values that stand for light, of full light."""
    values = power(light, 1 / SETTINGS.power)
    values *= np.float32(255)
    return values


def even(board: Board, settings: LightSettings = SETTINGS) -> Light:
    """The light of the reference itself."""
    rows, columns = _cells(board.size_mm, settings)
    nothing = np.zeros((rows, columns, 3), np.float32)
    return Light(nothing, settings.cell_mm, nothing + 1, nothing)


def background_mask(
    board: Board, rects_mm: list[Rect], margin_mm: float, settings: LightSettings = SETTINGS
) -> Mask:
    """Pixels of the small board picture that no piece can cover."""
    width, height = (max(1, round(side * settings.px_per_mm)) for side in board.size_mm)
    free = np.ones((height, width), np.uint8)
    for x, y, w, h in rects_mm:
        corners = np.array([x - margin_mm, y - margin_mm, x + w + margin_mm, y + h + margin_mm])
        left, top, right, bottom = np.rint(corners * settings.px_per_mm).astype(int)
        free[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)] = 0
    return free.astype(bool)


def measure(
    reference: NDArray[np.uint8],
    current: NDArray[np.uint8],
    background: Mask,
    settings: LightSettings = SETTINGS,
) -> Light:
    """The light over a board from two pictures of it of 4 mm pixels; pieces and hands are outvoted."""
    return measure_all({"": reference}, {"": current}, {"": background}, settings)[""]


def measure_all(
    references: Mapping[str, NDArray[np.uint8]],
    currents: Mapping[str, NDArray[np.uint8]],
    backgrounds: Mapping[str, Mask],
    settings: LightSettings = SETTINGS,
) -> dict[str, Light]:
    """The same for each board by its name; boards of one size are measured in one go, which takes little longer than one."""
    sizes: dict[tuple[int, ...], list[str]] = {}
    for name, picture in references.items():
        sizes.setdefault(picture.shape, []).append(name)
    lights: dict[str, Light] = {}
    for alike in sizes.values():
        was, now = (np.stack([of[name] for name in alike]) for of in (references, currents))
        free = np.stack([backgrounds[name] for name in alike])
        lights |= zip(alike, _lights(was, now, free, settings), strict=True)
    return lights


def _lights(
    references: NDArray[np.uint8],
    currents: NDArray[np.uint8],
    backgrounds: Mask,
    settings: LightSettings,
) -> list[Light]:
    """For boards x height x width (x 3). Inside, every colour of every board is a plane of its own."""
    boards, height, width = backgrounds.shape
    was, now = (
        np.ascontiguousarray(pictures.transpose(0, 3, 1, 2)).reshape(-1, height, width)
        for pictures in (references, currents)
    )
    offset = np.float32(settings.offset)
    logs = log((now + offset) / (was + offset))
    brightest = _strongest(now)
    usable = (_strongest(was) < settings.burnt) & (brightest < settings.burnt) & (brightest > 0)
    by_board = (np.where(backgrounds, 1.0, settings.slot_weight) * usable).astype(np.float32)
    prior = np.repeat(by_board, 3, axis=0)
    size_mm = width / settings.px_per_mm, height / settings.px_per_mm
    rows, columns = _cells(size_mm, settings)
    telling = shows(np.minimum(was, now), settings)
    weight = prior * telling
    field = _median(logs, weight)[:, None, None]
    for step in range(settings.rounds):
        off = _strongest(np.abs(logs - field) * telling)
        # Early rounds must let a strong shading through, later ones need not.
        off /= np.float32(settings.outlier * (settings.rounds - step))
        field = _smooth(logs, weight * np.repeat(exp(-off * off), 3, axis=0), settings)
    planes = np.concatenate([field, *_gain_and_veil(was, now, prior, field, settings)])
    cells = grown(planes, (rows, columns)).reshape(3, boards, 3, rows, columns).transpose(1, 0, 3, 4, 2)
    return [Light(grid, settings.cell_mm, gain, veil) for grid, gain, veil in np.ascontiguousarray(cells)]


def _strongest(planes: NDArray[Number]) -> NDArray[Number]:
    """Of each board the largest of its three colours, pixel by pixel."""
    return np.asarray(np.maximum(np.maximum(planes[::3], planes[1::3]), planes[2::3]), planes.dtype)


def _gain_and_veil(
    reference: NDArray[np.uint8],
    current: NDArray[np.uint8],
    prior: Floats,
    field: Floats,
    settings: LightSettings,
) -> tuple[Floats, Floats]:
    """For each pixel of each plane the line that takes the light of the reference to that of now, from its surroundings.

    Errors count by their share of the light, so that dark print, which shows a veil best, has its say.
    """
    shown = (np.arange(256, dtype=np.float32) / 255) ** np.float32(settings.power)
    was, now = (np.asarray(shown[one], np.float32) for one in (reference, current))
    gain, veil = exp(np.float32(settings.power) * field), np.zeros(was.shape, np.float32)
    dark, tiny = np.float32(settings.dark), np.float32(1e-9)

    def around(planes: Floats) -> Floats:
        near = blurred_small(planes, settings.reach_mm * settings.px_per_mm)
        far = blurred_small(planes, 4 * settings.reach_mm * settings.px_per_mm)
        return near + np.float32(0.03) * grown(far, near.shape[1:])

    # Print of one brightness all around cannot tell a veil from more light: then there is none.
    doubt = around(prior) * np.float32(settings.veil_doubt / settings.dark)
    products = np.stack([np.ones_like(was), was, now, was * was, was * now])
    for step in range(settings.veil_rounds):
        expected = np.maximum(gain * was + veil, 0) + dark
        bound = np.float32(settings.veil_outlier * (settings.veil_rounds - step))
        off = (now - expected + dark) / (bound * expected)
        weight = prior * exp(-off * off) / (expected * expected)
        sums = around(np.asarray(products * weight, np.float32).reshape(-1, *prior.shape[1:]))
        total, x, y, xx, xy = sums.reshape(len(products), -1, *sums.shape[1:])
        small_veil = np.clip((xx * y - x * xy) / np.maximum(xx * (total + doubt) - x * x, tiny), -1, 1)
        small_gain = np.clip((xy - small_veil * x) / np.maximum(xx, tiny), np.float32(1e-3), 20)
        line = grown(np.concatenate([small_gain, small_veil]), prior.shape[1:])
        gain, veil = line[: len(was)], line[len(was) :]
    return gain, veil


def _smooth(logs: Floats, weight: Floats, settings: LightSettings) -> Floats:
    """A weighted mean of the surroundings, of the wider ones where the near ones say little; `weight` by channel."""
    both = np.concatenate([logs * weight, weight])
    near = blurred_small(both, settings.reach_mm * settings.px_per_mm)
    far = grown(blurred_small(both, settings.far_mm * settings.px_per_mm), near.shape[1:])
    far += both.mean(axis=(1, 2), keepdims=True) * np.float32(0.02)
    far_sum, far_weight = far[: len(logs)], far[len(logs) :]
    near_sum, near_weight = near[: len(logs)], near[len(logs) :]
    trust = np.float32(0.05)  # as much as a twentieth of the near surroundings being free
    blended = near_sum + trust * far_sum / np.maximum(far_weight, np.float32(1e-6))
    return grown(blended / (near_weight + trust), logs.shape[1:])


def shows(values: NDArray[np.uint8], settings: LightSettings = SETTINGS) -> Floats:
    """From 0 to 1 for each plane of a colour: how much that is in a pixel, and so tells of the light."""
    brightest = np.maximum(_strongest(values), 1).astype(np.float32)
    share = values / np.repeat(brightest, 3, axis=0)
    # Steeply: there may be twenty times as many pixels that say nothing as those that do.
    power = (share * share) ** 2
    return np.asarray(power / (power + np.float32(settings.faint**4)), np.float32)


def _median(logs: Floats, weight: Floats) -> Floats:
    """Channel by channel, of the pixels that say most."""
    medians = []
    for values, says in zip(logs, weight, strict=True):
        chosen = values[says > 0.5] if (says > 0.5).sum() > 50 else values[says > says.max(initial=0.0) / 2]
        middle = len(chosen) // 2
        medians.append(float(np.partition(chosen, middle)[middle]) if len(chosen) else 0.0)
    return np.array(medians, np.float32)


def _cells(size_mm: Point, settings: LightSettings) -> tuple[int, int]:
    return (
        max(2, round(size_mm[1] / settings.cell_mm)),
        max(2, round(size_mm[0] / settings.cell_mm)),
    )

"""From layers to a frame: light, lens, sensor, JPEG."""

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.conditions import Conditions, Lamp
from hardware.simulated.layers import MIRROR_FULL, Layers
from hardware.simulated.stage import Rig

_COARSE = 24  # light changes slowly: it is worked out on every 24th pixel
_BAND = 96  # rows worked on at once


def expose(layers: Layers, conditions: Conditions) -> NDArray[Any]:
    """The frame as it falls on the sensor: blue first, 8 bits."""
    lit = _light(layers, conditions)
    frame = through_lens(lit, layers)
    blur = conditions.blur_px * layers.rig.size_px[0] / 4608
    if blur > 0.25:
        frame = np.asarray(cv2.GaussianBlur(frame, (0, 0), blur))
    return frame


def encode(frame: NDArray[Any], quality: int) -> bytes:
    done, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done, "OpenCV always encodes an 8-bit picture"
    return bytes(data)


def _light(layers: Layers, conditions: Conditions) -> NDArray[Any]:
    """Colour times light plus mirrored light, and the square root that a camera's gamma amounts to.

    Worked out in bands: all values of one stay in the processor's cache, and memory stays small.
    """
    height, width = layers.open.shape
    rig = layers.rig
    xs = np.arange(0, width + _COARSE, _COARSE)
    ys = np.arange(0, height + _COARSE, _COARSE)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2) - layers.origin_px
    ground = np.column_stack([grid, np.ones(len(grid))]) @ np.linalg.inv(rig.plane(0.0)).T
    ground = ground[:, :2] / ground[:, 2:]
    off_axis = ((grid - np.array(rig.size_px) / 2) ** 2).sum(axis=1) / (rig.size_px[0] / 2) ** 2
    lens = conditions.exposure * (1 - conditions.vignette * np.clip(off_axis, 0, 1.6)) / 255
    shape = (len(ys), len(xs))
    falls = [(lens * _reaching(lamp, ground)).reshape(shape).astype(np.float32) for lamp in layers.lamps]
    lens = lens.reshape(shape).astype(np.float32)
    result = np.empty_like(layers.colour)
    for top in range(0, height, _BAND):
        band = slice(top, min(top + _BAND, height))
        from_lamps = [
            cv2.multiply(lit[band], _rows(fall, band, width), dtype=cv2.CV_32F)
            for lit, fall in zip(layers.lit, falls, strict=True)
        ]
        open_lens = _rows(lens, band, width)
        room = cv2.multiply(layers.open[band], open_lens, dtype=cv2.CV_32F)
        shine = cv2.multiply(layers.mirror[band], open_lens, scale=MIRROR_FULL, dtype=cv2.CV_32F)
        for channel in range(3):
            total = room * conditions.ambient[channel]
            for lamp, reaching in zip(layers.lamps, from_lamps, strict=True):
                cv2.scaleAdd(reaching, lamp.bgr[channel], total, dst=total)
            surface = np.ascontiguousarray(layers.colour[band, :, channel])
            square = cv2.multiply(surface, surface, scale=1 / 255**2, dtype=cv2.CV_32F)
            cv2.multiply(total, square, dst=total)
            if layers.lamps:
                cv2.scaleAdd(shine, layers.lamps[0].bgr[channel], total, dst=total)
            cv2.sqrt(total, dst=total)
            result[band, :, channel] = cv2.convertScaleAbs(total, alpha=255)
    return result


def _reaching(lamp: Lamp, ground: NDArray[Any]) -> NDArray[Any]:
    """How much of a lamp's light falls on flat ground, beside what falls on the middle of the table."""
    to_lamp = np.column_stack([np.array((lamp.x_mm, lamp.y_mm)) - ground, np.full(len(ground), lamp.z_mm)])
    square = (to_lamp**2).sum(axis=1)
    middle = np.hypot(lamp.x_mm, lamp.y_mm) ** 2 + lamp.z_mm**2
    return np.asarray((middle / square) ** 1.5 * lamp.power)


def _rows(field: NDArray[Any], band: slice, width: int) -> NDArray[Any]:
    """Some rows of a coarse field at full resolution, without a seam to the next band."""
    at = np.arange(band.start, band.stop) / _COARSE
    low = np.minimum(at.astype(int), field.shape[0] - 2)
    share = (at - low).astype(np.float32)[:, None]
    tall = field[low] * (1 - share) + field[low + 1] * share
    wide = cv2.resize(tall, (field.shape[1] * _COARSE, len(at)), interpolation=cv2.INTER_LINEAR)
    return np.asarray(wide)[:, :width]


@lru_cache(maxsize=3)
def _bend_map(rig: Rig, origin: tuple[float, float]) -> tuple[NDArray[Any], NDArray[Any]]:
    """For every pixel of the frame, where to look on the canvas. Smooth, so a coarse grid is enough."""
    width, height = rig.size_px
    xs = np.arange(0, width + 16, 16, dtype=np.float64)
    ys = np.arange(0, height + 16, 16, dtype=np.float64)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    source = (rig.unbent(grid) + origin).reshape(len(ys), len(xs), 2).astype(np.float32)
    # Sampled between nodes without the half-pixel shift that resize would make.
    x, y = np.meshgrid(np.arange(width, dtype=np.float32) / 16, np.arange(height, dtype=np.float32) / 16)
    dense = cv2.remap(source, x, y, cv2.INTER_LINEAR)
    first, second = cv2.convertMaps(dense[..., 0], dense[..., 1], cv2.CV_16SC2)
    return np.asarray(first), np.asarray(second)


def through_lens(picture: NDArray[Any], layers: Layers) -> NDArray[Any]:
    """A picture or mask of the canvas as the lens bends it into the frame."""
    first, second = _bend_map(layers.rig, (float(layers.origin_px[0]), float(layers.origin_px[1])))
    return np.asarray(cv2.remap(picture, first, second, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


@lru_cache(maxsize=4)
def _noise_of(level: float) -> NDArray[Any]:
    """A tile of noise of this strength, in whole grey levels."""
    return np.clip(np.round(_noise_tile() * np.float64(level)), -120, 120).astype(np.int16)


@lru_cache(maxsize=1)
def _noise_tile(side: int = 768) -> NDArray[Any]:
    """Noise as a colour sensor gives it: fine in brightness, blotchy in colour."""
    rng = np.random.default_rng(97)
    fine = rng.standard_normal((side, side, 1), dtype=np.float32)
    blotch = cv2.GaussianBlur(rng.standard_normal((side, side, 3), dtype=np.float32), (0, 0), 1.4) * 2.6
    return np.asarray(cv2.GaussianBlur(fine, (0, 0), 0.45)[..., None] * 1.5 + blotch * 0.45, np.float32)


def sensor(frame: NDArray[Any], conditions: Conditions, seed: int) -> NDArray[Any]:
    """The frame a camera gives. Photon noise is even after the square root of the gamma: one level serves all."""
    if conditions.grain <= 0:
        return frame.copy()
    rng = np.random.default_rng([seed, 71])
    # A smaller picture is binned from the same sensor: several pixels share their noise.
    scaled = _noise_of(conditions.grain * float(np.sqrt(frame.shape[1] / 4608)))
    result = np.empty_like(frame)
    side = scaled.shape[0]
    for y in range(0, frame.shape[0], side):
        for x in range(0, frame.shape[1], side):
            part = frame[y : y + side, x : x + side]
            dx, dy = (int(v) for v in rng.integers(0, side, 2))
            noise = np.roll(scaled, (dy, dx), (0, 1))[: part.shape[0], : part.shape[1]]
            result[y : y + side, x : x + side] = cv2.add(part, noise, dtype=cv2.CV_8U)
    return result

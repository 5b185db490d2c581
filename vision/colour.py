"""Which of several boards with the same art is it? The light changes all colours alike; the print does not."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards import BoardModel
from vision.fix import Fix, Located, Matrix
from vision.lens import Lens
from vision.rectify import Picture, Scale, crop


@dataclass(frozen=True)
class ColourSettings:
    # Patches of this size average out noise and small misfits.
    patch_mm: float = 3.0
    # Burnt-out pixels have lost their colour, black ones never had any.
    burnt: float = 250.0
    dark: float = 6.0
    # Two lamps differ by 0.3, a red and a blue board by 0.5: the overall tint counts, but little.
    tint_weight: float = 0.25
    # Misfit of a board in its own place under lamps, dim light and glare stays below this.
    foreign: float = 0.2


SETTINGS = ColourSettings()


def misfit(
    frame: Picture, model: BoardModel, pose: Matrix, lens: Lens, settings: ColourSettings = SETTINGS
) -> float:
    """How far the colours at `pose` are from the board's own, whatever the light; about 0.03 when right."""
    located = Located((frame.shape[1], frame.shape[0]), lens, {model.name: Fix(pose, model.size_mm)})
    reference = model.reference
    scale = Scale(1 / settings.patch_mm, reference.margin_mm)
    seen = crop(frame, located, model.name, model.rect_mm, scale).astype(np.float32)
    size = seen.shape[1], seen.shape[0]
    taught = cv2.resize(reference.bgr, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    usable = cv2.resize(reference.free_area, size, interpolation=cv2.INTER_AREA) > 200
    usable &= (seen.max(axis=2) < settings.burnt) & (seen.max(axis=2) > 0)
    if usable.sum() < 20:
        return settings.foreign
    off = (_tint(seen, settings) - _tint(taught, settings))[usable]
    light = np.median(off, axis=0)
    return float(np.abs(off - light).mean() + settings.tint_weight * np.abs(light).mean())


def _tint(patches: NDArray[np.float32], settings: ColourSettings) -> NDArray[np.float32]:
    logs = np.log(patches + settings.dark)
    tint: NDArray[np.float32] = np.stack([logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1]], axis=-1)
    return tint

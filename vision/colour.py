"""Which of several boards with the same art is it? The light changes all colours alike; the print does not."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards import BoardModel, Models, Reference
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
    # The overall tint is mostly the lamp's (daylight to candle: 1.0); it only decides where nothing else does.
    tint_weight: float = 0.05
    # What lies on the board is not its print: one patch cannot be further off than this.
    most: float = 0.35
    # Misfit of a board in its own place: up to here no question arises, even under a warm lamp ...
    own: float = 0.06
    # ... and beyond this it is another board, even by candle light, under glare and half covered.
    foreign: float = 0.33
    # In between, no other board of the pack may fit better by more than this.
    rival: float = 0.01
    # Boards that differ more than this in size cannot be taken for each other.
    same_size: float = 0.05
    # With too little to go by the colours speak neither for nor against.
    least_patches: int = 20
    unknown: float = 0.1


SETTINGS = ColourSettings()


def misfit(
    frame: Picture, model: BoardModel, pose: Matrix, lens: Lens, settings: ColourSettings = SETTINGS
) -> float:
    """How far the colours at `pose` are from the board's own, whatever the light; about 0.03 when right."""
    return _apart(_sampled(frame, model, pose, lens), model, settings)


def _sampled(frame: Picture, model: BoardModel, pose: Matrix, lens: Lens) -> Picture:
    """The board at `pose`, once a millimetre: a thirtieth of the pixels say as much as all of them."""
    located = Located((frame.shape[1], frame.shape[0]), lens, {model.name: Fix(pose, model.size_mm)})
    scale = Scale(1.0, model.reference.margin_mm)
    return crop(frame, located, model.name, model.rect_mm, scale, average=False)


def _apart(picture: Picture, model: BoardModel, settings: ColourSettings) -> float:
    taught, free = _taught(model.reference, picture.shape[1], picture.shape[0], settings)
    size = taught.shape[1], taught.shape[0]
    seen = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    brightest = seen.max(axis=2)
    usable = free & (brightest < settings.burnt) & (brightest > 0)
    if usable.sum() < settings.least_patches:
        return settings.unknown
    off = (_tint(seen, settings) - taught)[usable]
    light = np.median(off, axis=0)
    apart = np.minimum(np.abs(off - light), settings.most)
    return float(apart.mean() + settings.tint_weight * np.abs(light).mean())


def own_colours(
    frame: Picture,
    models: Models,
    name: str,
    pose: Matrix,
    lens: Lens,
    elsewhere: Mapping[str, Matrix] | None = None,
    settings: ColourSettings = SETTINGS,
) -> bool:
    """Whether it is this board that lies at `pose`, and not its like in another colour.

    A like that was found `elsewhere` is a rival only if both would fit better in each other's place: coloured light
    makes one board look like another, but not the two like each other.
    """

    # Boards of one size look at the same pixels.
    sampled: dict[tuple[bytes, tuple[float, float], float], Picture] = {}

    def off(board: str, place: Matrix) -> float:
        model = models.boards[board]
        key = place.tobytes(), model.size_mm, model.reference.margin_mm
        if key not in sampled:
            sampled[key] = _sampled(frame, model, place, lens)
        return _apart(sampled[key], model, settings)

    here = off(name, pose)
    if here < settings.own:
        return True
    if here >= settings.foreign:
        return False
    size = np.array(models.boards[name].size_mm)
    places = elsewhere or {}
    for rival, model in models.boards.items():
        if rival == name or (np.abs(np.array(model.size_mm) / size - 1) >= settings.same_size).any():
            continue
        gain = here - off(rival, pose)
        if rival in places:
            gain += off(rival, places[rival]) - off(name, places[rival])
        if gain > settings.rival:
            return False
    return True


@lru_cache(maxsize=16)
def _taught(
    reference: Reference, width_mm: int, height_mm: int, settings: ColourSettings
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Tints of the print patch by patch, and which patches no piece can cover."""
    size = max(4, int(width_mm / settings.patch_mm)), max(4, int(height_mm / settings.patch_mm))
    bgr = cv2.resize(reference.bgr, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    free = cv2.resize(reference.free_area, size, interpolation=cv2.INTER_AREA) > 200
    return _tint(bgr, settings), np.asarray(free, np.bool_)


def _tint(patches: NDArray[np.float32], settings: ColourSettings) -> NDArray[np.float32]:
    logs = np.log(patches + settings.dark)
    tint: NDArray[np.float32] = np.stack([logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1]], axis=-1)
    return tint

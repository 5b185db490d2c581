"""Bare places tell what another camera makes of print."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.read import tile, tile_training
from vision.read.compare import capped
from vision.read.features import features, logs
from vision.read.recolour import recoloured
from vision.read.seek import middles

Floats = NDArray[np.float32]
SQUARE = tile.geometry((20.0, 20.0))
COLOURS = ((60, 120, 50), (180, 90, 40), (60, 70, 190), (150, 150, 230))
# Log colours as another camera gives them: channels mixed, contrast lower, everything darker.
MIXTURE = np.array([[0.7, 0.2, 0.0], [0.1, 0.6, 0.15], [0.0, 0.1, 0.7]], np.float32)
SHIFT = np.array([0.6, 0.2, 0.5], np.float32)


def square(colour: tuple[int, int, int], seed: int) -> Floats:
    width, height = SQUARE.whole_px
    picture = np.full((height, width, 3), colour, np.float32)
    cv2.rectangle(picture, (8, 8), (width - 9, height - 9), (30, 40, 30), 1)
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.float32)


def by_another_camera(wholes: Floats) -> Floats:
    return np.asarray(np.clip(np.exp(logs(wholes) @ MIXTURE + SHIFT) - 12, 0, 255), np.float32)


@pytest.fixture(scope="module")
def letters() -> tile.TileModel:
    examples = []
    for i, letter in enumerate("AB"):
        whole = square((200, 215, 220), i)
        cv2.putText(whole, letter, (18, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (30, 30, 30), 3)
        examples.append(tile_training.Example(i, whole, square(COLOURS[0], 9)))
    few = tile_training.TrainingSettings(pictures=80)
    return tile_training.train(("A", "B"), examples, [square(COLOURS[0], 9)], SQUARE, few)


def rows(model: tile.TileModel, wholes: Floats) -> Floats:
    return tile.whitened(model, features(middles(SQUARE, wholes), model.mask))


def test_print_is_expected_in_the_colours_of_the_camera_that_looks(letters: tile.TileModel) -> None:
    witnesses = np.stack([square(colour, seed) for seed in range(4) for colour in COLOURS])
    alone = square((110, 110, 140), 20)[None]
    expected = recoloured(
        letters,
        rows(letters, alone),
        rows(letters, witnesses),
        rows(letters, by_another_camera(witnesses)),
    )
    seen = rows(letters, by_another_camera(alone))
    assert capped(seen - expected)[0] < 0.3 * capped(seen - rows(letters, alone))[0]


def test_the_same_camera_changes_nothing(letters: tile.TileModel) -> None:
    witnesses = np.stack([square(colour, seed) for seed in range(4) for colour in COLOURS])
    print_ = rows(letters, square(COLOURS[1], 30)[None])
    taught = rows(letters, witnesses)
    same = recoloured(letters, print_, taught, taught)
    assert capped(same - print_)[0] < 0.05 * capped(print_ - taught[:1])[0]

"""A piece listed under the wrong label is named; a list without mistakes is not complained about."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.contradictions import Listed, contradictions
from vision.read import tile, tile_training

Floats = NDArray[np.float32]
GEO = tile.geometry((20.0, 20.0))
LETTERS = "EKNO"


def drawn(letter: str, seed: int) -> Floats:
    rng = np.random.default_rng(seed)
    width, height = GEO.whole_px
    picture = np.full((height, width, 3), (170, 210, 230), np.float32)
    at = (width // 2 - 11 + int(rng.integers(-1, 2)), height // 2 + 11 + int(rng.integers(-1, 2)))
    cv2.putText(picture, letter, at, 0, 1.0, (30, 40, 60), 3, cv2.LINE_AA)
    return (picture * rng.uniform(0.85, 1.1) + rng.normal(0, 2, picture.shape)).astype(np.float32)


def taught(labels: str) -> tuple[tile.TileModel, list[Listed]]:
    """Three photographs of every letter, listed as `labels` says."""
    shown = [*LETTERS, *LETTERS, *LETTERS]
    listed = [
        Listed(f"{i}.png: a", LETTERS.index(label), drawn(letter, i))
        for i, (letter, label) in enumerate(zip(shown, labels, strict=True))
    ]
    examples = [tile_training.Example(one.label, one.whole, place=one.where) for one in listed]
    quick = tile_training.TrainingSettings(pictures=150)
    return tile_training.train(tuple(LETTERS), examples, [], GEO, quick), listed


@pytest.mark.parametrize(
    ("labels", "named"),
    [("EKNOEKNOEKNO", {}), ("EKNOEKNONKNO", {"N": "8.png: a is listed as N but looks like E"})],
)
def test_a_wrong_label_is_named_with_its_photograph(labels: str, named: dict[str, str]) -> None:
    found = contradictions(*taught(labels))
    assert {label: why.partition(":")[0] + ":" + why.split(":")[1] for label, why in found.items()} == named

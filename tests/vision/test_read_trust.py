"""Labels that the taught pictures themselves mix up are never told apart with certainty."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.enrol import mixed_up
from vision.read.compare import Match, probabilities
from vision.read.tile import Geometry, TileModel, geometry
from vision.read.tile_training import Example, train

Floats = NDArray[np.float32]
GEO = geometry((20.0, 20.0))
LABELS = ("plain", "stroked", "cross")


def piece(label: int, geo: Geometry, rng: np.random.Generator) -> Floats:
    """A pale square with a figure; the stroke that makes one of two of it is fainter than how each was lit."""
    width, height = geo.whole_px
    picture = np.full((height, width, 3), (60, 100, 50), np.float32)
    m, (right, down) = geo.margin_px, geo.size_px
    cv2.rectangle(picture, (m, m), (m + right - 1, m + down - 1), (190, 215, 225), -1)
    middle = (width // 2, height // 2)
    if LABELS[label] == "cross":
        cv2.drawMarker(picture, middle, (30, 30, 30), cv2.MARKER_CROSS, right // 2, 3)
    else:
        cv2.circle(picture, middle, right // 4, (30, 30, 30), 3)
    if LABELS[label] == "stroked":
        cv2.line(picture, (m + 6, m + 4), (m + 12, m + 4), (186, 211, 221), 1)
    shade = cv2.resize(rng.normal(0, 0.06, (5, 5)), (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(
        np.clip(picture * np.exp(shade)[..., None] + rng.normal(0, 3, picture.shape), 0, 255), np.float32
    )


@pytest.fixture(scope="module")
def model() -> TileModel:
    rng = np.random.default_rng(3)
    examples = [
        Example(label, piece(label, GEO, rng), exact=True, place=f"{label}.{place}")
        for label in range(len(LABELS))
        for place in range(5)
    ]
    return train(LABELS, examples, [], GEO)


def likest(model: TileModel, label: int) -> dict[str, float]:
    """What is answered where one label is seen, and the others are some way off."""
    to_label = np.full((1, len(LABELS)), -8.0, np.float32)
    to_label[0, label] = 0
    one = np.ones(1, np.float32)
    return probabilities(model, Match(to_label, -20 * one, one, 0 * one))[0]


def test_labels_that_a_faint_stroke_tells_apart_are_not_sure(model: TileModel) -> None:
    assert likest(model, 0)["plain"] < 0.9
    assert likest(model, 1)["stroked"] < 0.9
    assert likest(replace(model, trust=np.ones_like(model.trust)), 0)["plain"] > 0.99


def test_a_label_that_differs_plainly_is_as_sure_as_ever(model: TileModel) -> None:
    assert likest(model, 2)["cross"] > 0.99
    assert model.trust[2].min() == 1.0


def test_enrolment_says_which_labels_want_another_photograph(model: TileModel) -> None:
    wanted = mixed_up({"tile:sign": model})
    assert set(wanted) == {"sign:plain", "sign:stroked"}
    assert "stroked" in wanted["sign:plain"]
    assert "bare board" in mixed_up({"tile:sign": replace(model, trust_bare=0.2)})["sign:cross"]

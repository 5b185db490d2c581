"""What the print looks like now, from what it looked like when it was taught, under whatever was mirrored then or is now."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.pack import Board
from vision.read.light import as_light, as_values, measure

SIZE_MM = (200.0, 160.0)
FREE = np.ones((40, 50), bool)


def printed() -> NDArray[np.float32]:
    """A board of dark, middling and bright patches, 4 mm to the pixel: light, of full light."""
    rng = np.random.default_rng(5)
    patches = rng.choice([0.02, 0.1, 0.3], (10, 10, 1)) * np.array([0.9, 1.0, 1.1])
    return np.asarray(np.kron(patches, np.ones((4, 5, 1))), np.float32)


def picture(light: NDArray[np.float32]) -> NDArray[np.uint8]:
    return np.rint(as_values(np.clip(light, 0, 1))).astype(np.uint8)


@pytest.mark.parametrize(("then", "now"), [(0.0, 0.12), (0.12, 0.0), (0.08, 0.03)])
def test_light_mirrored_now_or_when_it_was_taught_is_told_from_that_of_the_print(
    then: float, now: float
) -> None:
    board, light = Board("red", SIZE_MM), printed()
    taught, seen = picture(light + then), picture(0.7 * light + now)
    whole = 0.0, 0.0, *board.size_mm
    found = measure(taught, seen, FREE)
    expected = found.on_print(whole, taught.astype(np.float32)) * found.over(whole, (50, 40))
    off = np.abs(as_light(expected) - as_light(seen.astype(np.float32)))
    assert np.quantile(off[8:-8, 8:-8], 0.9) < 0.02

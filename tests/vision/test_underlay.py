"""Print in an area is expected as it is seen beside its pieces, where a lamp is mirrored in it."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.read.colours import SETTINGS as COLOURS
from vision.read.light import as_light, as_values
from vision.read.underlay import underlays

Floats = NDArray[np.float32]
SIZE_PX = (48, 96)


def printed() -> Floats:
    """Camera values of dark print with a lighter frame and a few lines."""
    rng = np.random.default_rng(2)
    picture = np.full((*SIZE_PX, 3), (60, 80, 50), np.float32) + rng.normal(0, 3, (*SIZE_PX, 1))
    picture[:4] = picture[-4:] = (120, 150, 110)
    picture[:, 20:24] = picture[:, 60:63] = (90, 60, 120)
    return np.asarray(picture, np.float32)


def logs(values: Floats) -> Floats:
    return np.asarray(np.log(np.maximum(values, 0) + COLOURS.offset), np.float32)


def mirrored(values: Floats) -> Floats:
    """A lamp in the varnish, brighter towards the right."""
    lamp = np.linspace(0.02, 0.25, SIZE_PX[1], dtype=np.float32)[None, :, None]
    return as_values(np.minimum(0.9 * as_light(values) + lamp, 1))


def with_cubes(values: Floats) -> Floats:
    """A white cube and a black one stand in the area; matt paint mirrors nothing."""
    standing = values.copy()
    standing[14:30, 30:46] = 235
    standing[20:36, 72:88] = 25
    return standing


def underlay(seen: Floats, expected: Floats) -> Floats:
    return underlays([seen], [expected])[0]


def test_glare_is_told_by_the_print_between_the_cubes() -> None:
    bare = printed()
    seen = with_cubes(mirrored(bare))
    seen += np.random.default_rng(3).normal(0, 4, seen.shape).astype(np.float32)
    found, truth = underlay(logs(seen), logs(bare)), logs(mirrored(bare))
    assert np.abs(found - truth).mean() < 0.05
    assert np.abs(logs(bare) - truth).mean() > 0.4


@pytest.mark.parametrize("light", [1.0, 0.6])
def test_print_as_expected_and_print_in_a_shadow_are_left_to_others(light: float) -> None:
    bare = printed()
    expected = logs(bare)
    assert underlay(logs(with_cubes(bare * np.float32(light))), expected) is expected


def test_a_cloth_over_the_whole_area_is_not_explained_as_glare() -> None:
    bare = printed()
    cloth = np.full_like(bare, (200, 60, 220))
    assert np.abs(underlay(logs(cloth), logs(bare)) - logs(cloth)).mean() > 0.3


def test_of_many_areas_each_is_told_as_if_it_were_alone() -> None:
    """One lies under a lamp, one in plain light, one under a cloth: none of them rubs off on another."""
    bare = printed()
    turned = bare[::-1, ::-1]
    expected = [logs(bare), logs(bare * np.float32(0.8)), logs(bare), logs(turned)]
    cloth = np.full_like(bare, (200, 60, 220))
    seen = [expected[0], logs(cloth), logs(with_cubes(mirrored(bare))), logs(mirrored(turned))]
    together = underlays(seen, expected)
    assert [one is was for one, was in zip(together, expected, strict=True)] == [True, True, False, False]
    for one, *alone in zip(together, seen, expected, strict=True):
        assert np.abs(one - underlay(*alone)).max() < 1e-4

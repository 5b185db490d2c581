"""Cubes drawn by arithmetic, on print, in any turn, touching or apart."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.read import area
from vision.read.area import AreaLesson, AreaModel, Patch, counts
from vision.read.colours import Print, colour_logs, print_density
from vision.read.cubes import find_cubes, heat, lies_open, no_cube, overlap, uncovered_share, weights
from vision.read.cut import Cut, learn_cut
from vision.read.hidden import SETTINGS as HIDDEN
from vision.read.hidden import may_hide
from vision.read.taught import BareArea, area_as_seen, areas_as_seen, over_ground

Floats = NDArray[np.float32]
COLOURS = {"m": (200, 90, 40), "p": (50, 160, 60), "f": (35, 32, 30), "t": (235, 235, 235)}
CUBES = tuple(COLOURS)


def zone(content: str, seed: int, px_per_mm: float = area.SETTINGS.px_per_mm) -> Floats:
    """A printed area of 60 x 24 mm with its margin, in log colours; cubes lie in a row, each turned its own way.

    Each shows its top and the two sides a camera above the far corner sees, and throws a shadow.
    """
    rng = np.random.default_rng(seed)
    fine = 4.0  # drawn at four pixels a millimetre, then reduced as a camera does
    margin = area.SETTINGS.margin_mm
    width, height = round((60 + 2 * margin) * fine), round((24 + 2 * margin) * fine)
    picture = np.full((height, width, 3), (120, 110, 60), np.float32)
    for x in range(26, width - 26, 45):
        cv2.rectangle(picture, (x, 40), (x + 26, 78), (150, 140, 90), 2)
    for i, letter in enumerate(content):
        at = ((margin + 7 + i * 10.5) * fine, (margin + 12 + rng.uniform(-3, 3)) * fine)
        box = cv2.boxPoints((at, (9 * fine, 9 * fine), float(rng.uniform(-30, 30))))
        shadow = np.rint(cv2.convexHull(np.concatenate([box, box + np.array([9, 12])]).astype(np.float32)))
        dark = picture.copy()
        cv2.fillConvexPoly(dark, shadow.astype(np.int32), (0, 0, 0))
        picture = picture * 0.45 + dark * 0.55
        sides = np.rint(cv2.convexHull(np.concatenate([box, box + np.array([-5, -4])]).astype(np.float32)))
        tone = np.array(COLOURS[letter], np.float32)
        cv2.fillConvexPoly(picture, sides.astype(np.int32), (tone * 0.6).tolist(), cv2.LINE_AA)
        top = np.rint(box + np.array([-5, -4])).astype(np.int32)
        cv2.fillConvexPoly(picture, top, tone.tolist(), cv2.LINE_AA)
    size = round((60 + 2 * margin) * px_per_mm), round((24 + 2 * margin) * px_per_mm)
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return colour_logs((small + rng.normal(0, 2, small.shape)).clip(0, 255).astype(np.float32))


@pytest.fixture(scope="module")
def cubes() -> AreaModel:
    bare = zone("", 0)
    lessons = []
    for seed, content in enumerate(("mmp", "ft", "pfm", "tt", "ff", "mp", "")):
        seen = zone(content, seed)
        patch = Patch(seen, print_density(Print.of(bare).off(seen)))
        lessons.append(AreaLesson(patch, bare, tuple(content.count(label) for label in CUBES)))
    return next(area.trained(CUBES, lessons))


@pytest.mark.parametrize("content", ["", "m", "pp", "mft", "ttff", "mmppf"])
def test_cubes_are_counted_by_colour(cubes: AreaModel, content: str) -> None:
    bare = BareArea(zone("", 0, cubes.px_per_mm))
    seen = over_ground(cubes, zone(content, 77, cubes.px_per_mm), bare.logs)
    numbers = counts(CUBES, find_cubes(cubes.colours, Cut(), seen, 6), 5)
    best = {label: max(ns, key=ns.__getitem__) for label, ns in numbers.items()}
    assert best == {label: content.count(label) for label in CUBES}
    assert all(sum(ns.values()) == pytest.approx(1, abs=1e-3) for ns in numbers.values())


def test_two_cubes_are_never_found_where_only_one_can_stand(cubes: AreaModel) -> None:
    bare = BareArea(zone("", 0, cubes.px_per_mm))
    found = find_cubes(
        cubes.colours, Cut(), over_ground(cubes, zone("mtf", 5, cubes.px_per_mm), bare.logs), 20
    )
    places = np.array([cube.at_px for cube in found])
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + np.eye(len(places)) * 99
    assert apart.min() >= 0.7 * 16


def test_print_that_is_as_expected_between_cubes_is_not_worked_out_again(cubes: AreaModel) -> None:
    bare = BareArea(zone("", 0, cubes.px_per_mm))
    area_ = over_ground(cubes, zone("mtf", 5, cubes.px_per_mm), bare.logs)
    assert area_as_seen(cubes, area_) is area_


def test_areas_of_several_sizes_stand_each_above_its_own_print(cubes: AreaModel) -> None:
    bare, seen = zone("", 0, cubes.px_per_mm), zone("mtf", 5, cubes.px_per_mm)
    mirrored = np.log(np.exp(zone("m", 5, cubes.px_per_mm)) + np.float32(30))
    half = slice(None, None), slice(0, bare.shape[1] // 2)
    areas = [
        over_ground(cubes, *pictures)
        for pictures in (
            (seen, bare),
            (mirrored[half], bare[half]),
            (mirrored, bare),
            (seen[half], bare[half]),
        )
    ]
    together = areas_as_seen(cubes, areas)
    assert [one is area_ for one, area_ in zip(together, areas, strict=True)] == [True, False, False, True]
    for one, area_ in zip(together, areas, strict=True):
        assert np.abs(one.print - area_as_seen(cubes, area_).print).max() < 1e-4


@pytest.mark.parametrize("label", CUBES)
def test_print_lies_open_where_nothing_stands_and_no_cube_is_overlooked(cubes: AreaModel, label: str) -> None:
    bare = BareArea(zone("", 0, cubes.px_per_mm))
    likely = cubes.colours.likely
    assert lies_open(over_ground(cubes, zone("", 31, cubes.px_per_mm), bare.logs), likely)
    assert not lies_open(over_ground(cubes, zone(label, 31, cubes.px_per_mm), bare.logs), likely)
    numbers = counts(CUBES, [no_cube(len(CUBES))], 5)
    assert all(0.99 < ns[0] < 1 for ns in numbers.values())


def test_the_network_is_the_sum_over_its_taps() -> None:
    inputs = np.random.default_rng(4).normal(0, 1, (14, 19, 8)).astype(np.float32)
    net, picture = weights(), inputs
    for layer, spread in enumerate((1, 1, 2, 2, 4, 2)):
        taps, stride = net[f"w{layer}"], 2 if layer == 0 else 1
        side, rim = taps.shape[0], taps.shape[0] // 2 * spread
        padded = np.pad(picture, ((rim, rim), (rim, rim), (0, 0)))
        total = sum(
            padded[y * spread :, x * spread :][: picture.shape[0] : stride, : picture.shape[1] : stride]
            @ taps[y, x]
            for y in range(side)
            for x in range(side)
        )
        picture = np.maximum(total + net[f"b{layer}"], 0)
    assert np.allclose(heat(inputs), (picture @ net["wh"] + net["bh"])[..., 0], atol=1e-3)


def test_the_line_between_piece_and_nothing_lies_where_the_pack_was_taught() -> None:
    dim = learn_cut([-2.0, -1.5, -1.0, -1.2], [-7.0, -6.0, -6.5])
    clear = learn_cut([5.0, 6.0, 5.5], [-1.0, -2.0, -1.5])
    assert dim.odds(-2.0) > 1 and dim.odds(-6.0) < -1
    assert clear.odds(5.0) > 1 and clear.odds(-1.0) < -1
    assert learn_cut([], [-3.0]) == Cut()


def test_an_area_that_shows_neither_print_nor_cubes_is_covered(cubes: AreaModel) -> None:
    bare = BareArea(zone("", 0, cubes.px_per_mm))
    seen = zone("mf", 8, cubes.px_per_mm)
    cloth = colour_logs(np.full((*seen.shape[:2], 3), (200, 190, 230), np.float32))
    for picture, covered in ((seen, False), (cloth, True)):
        area_ = over_ground(cubes, picture, bare.logs)
        share = uncovered_share(area_, find_cubes(cubes.colours, Cut(), area_, 6))
        assert (share > HIDDEN.cloth) is covered


def test_a_place_without_its_print_may_hide_a_marker() -> None:
    light, shadow, cloth = (np.full((20, 20), level, np.float32) for level in (7.5, 4.0, 0.0))
    marker = light.copy()
    marker[4:16, 4:16] = -10.0
    assert not may_hide([light, shadow, marker], 7.5)
    assert may_hide([light, cloth], 7.5)


def test_what_seems_a_cube_nearer_to_another_than_its_side_is_less_likely() -> None:
    beside, touching, on_its_flank = (
        overlap((40.0 + away, 20.0), [(40.0, 20.0)]) for away in (20.0, 15.5, 12.5)
    )
    assert beside == 0
    assert touching < 0.5
    assert on_its_flank > 3
    assert overlap((40.0, 20.0), []) == 0

"""Loose pieces drawn by arithmetic: cubes on print, tokens on a table, in any turn and under a veil."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.read import area
from vision.read.area import AreaLesson, AreaModel, Patch, counts, token_ground
from vision.read.colours import Print, colour_logs, print_density, table_density
from vision.read.cubes import find_cubes, heat, uncovered_share, weights
from vision.read.cut import Cut, learn_cut
from vision.read.hidden import SETTINGS as HIDDEN
from vision.read.hidden import may_hide
from vision.read.looks import sort_out
from vision.read.taught import BareArea, over_ground
from vision.read.tokens import find_tokens, tokens_apart

Floats = NDArray[np.float32]
COLOURS = {"m": (200, 90, 40), "p": (50, 160, 60), "f": (35, 32, 30), "t": (235, 235, 235)}
CUBES = tuple(COLOURS)
TOKENS = ("credit", "battery")


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
    return area.train(CUBES, lessons, upright=True)


@pytest.mark.parametrize("content", ["", "m", "pp", "mft", "ttff", "mmppf"])
def test_cubes_are_counted_by_colour(cubes: AreaModel, content: str) -> None:
    bare = BareArea(zone("", 0, cubes.px_per_mm))
    seen = over_ground(cubes, zone(content, 77, cubes.px_per_mm), bare)
    numbers = counts(CUBES, find_cubes(cubes.colours, Cut(), seen, 6), 5)
    best = {label: max(ns, key=ns.__getitem__) for label, ns in numbers.items()}
    assert best == {label: content.count(label) for label in CUBES}
    assert all(sum(ns.values()) == pytest.approx(1, abs=1e-3) for ns in numbers.values())


def test_two_cubes_are_never_found_where_only_one_can_stand(cubes: AreaModel) -> None:
    bare = BareArea(zone("", 0, cubes.px_per_mm))
    found = find_cubes(cubes.colours, Cut(), over_ground(cubes, zone("mtf", 5, cubes.px_per_mm), bare), 20)
    places = np.array([cube.at_px for cube in found])
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + np.eye(len(places)) * 99
    assert apart.min() >= 0.7 * 16


def test_the_network_is_the_sum_over_its_taps() -> None:
    inputs = np.random.default_rng(4).normal(0, 1, (14, 19, 8)).astype(np.float32)
    net, picture = weights(), inputs
    for layer, spread in enumerate((1, 1, 2, 2)):
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


def tray(tokens: Sequence[tuple[str, float, float, float]], seed: int, veil: float = 0.0) -> Floats:
    """A wooden tray with its margin; tokens by label, place (mm) and turn; a veil of glare over all."""
    rng = np.random.default_rng(seed)
    fine = 4.0
    picture = np.full((round(66 * fine), round(76 * fine), 3), (70, 105, 140), np.float32)
    picture += np.sin(np.arange(picture.shape[1]) / 9)[None, :, None] * 8
    for label, x, y, turn in tokens:
        at = (round(x * fine), round(y * fine))
        if label == "credit":
            cv2.circle(picture, at, round(7 * fine), (40, 170, 220), -1, cv2.LINE_AA)
            cv2.circle(picture, at, round(5 * fine), (60, 210, 245), -1, cv2.LINE_AA)
            cv2.ellipse(picture, at, (10, 10), turn + 40, 0, 280, (20, 60, 80), 4, cv2.LINE_AA)
        else:
            for size, tone in (((34, 60), (30, 35, 35)), ((22, 44), (60, 220, 90))):
                box = cv2.boxPoints((at, size, turn))
                cv2.fillConvexPoly(picture, np.rint(box).astype(np.int32), tone, cv2.LINE_AA)
    scale = area.SETTINGS.px_per_mm / fine
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    small = small * (1 - veil) + 230 * veil + rng.normal(0, 2, small.shape)
    return colour_logs(small.clip(0, 255).astype(np.float32))


@pytest.fixture(scope="module")
def tokens() -> AreaModel:
    trays = [
        [("credit", 20, 20, 10), ("credit", 50, 15, 100), ("battery", 35, 45, 30)],
        [("battery", 20, 40, 80), ("credit", 55, 40, 200)],
        [("credit", 30, 30, 300), ("battery", 60, 20, 140), ("battery", 55, 50, 10)],
        [],
    ]
    lessons = []
    for seed, laid in enumerate(trays):
        seen = tray(laid, seed)
        labels = [label for label, *_ in laid]
        content = tuple(labels.count(label) for label in TOKENS)
        lessons.append(AreaLesson(Patch(seen, table_density(seen)), None, content))
    return area.with_tokens(area.train(TOKENS, lessons, upright=False), lessons)


@pytest.mark.parametrize("veil", [0.0, 0.4])
@pytest.mark.parametrize(
    "laid",
    [
        [],
        [("credit", 40, 30, 77)],
        [("battery", 25, 25, 61), ("battery", 50, 40, 155)],
        [("credit", 20, 45, 15), ("credit", 36, 45, 260), ("battery", 55, 20, 118)],
    ],
)
def test_tokens_are_counted_any_way_round_and_under_a_veil(
    tokens: AreaModel, laid: list[tuple[str, float, float, float]], veil: float
) -> None:
    assert tokens.tokens is not None
    seen = tray(laid, 50, veil)
    around = token_ground(tokens.colours, seen, table_density(seen))
    settings = area.SETTINGS
    found = find_tokens(tokens.tokens, tokens.cut, 2, around, settings.px_per_mm, settings.margin_mm)
    numbers = counts(TOKENS, found, 8)
    labels = [label for label, *_ in laid]
    assert {label: max(ns, key=ns.__getitem__) for label, ns in numbers.items()} == {
        label: labels.count(label) for label in TOKENS
    }


def test_unlike_tokens_are_far_apart(tokens: AreaModel) -> None:
    assert tokens.tokens is not None
    assert tokens_apart(tokens.tokens, 0, 1) > 5


def test_the_line_between_piece_and_nothing_lies_where_the_pack_was_taught() -> None:
    dim = learn_cut([-2.0, -1.5, -1.0, -1.2], [-7.0, -6.0, -6.5])
    clear = learn_cut([5.0, 6.0, 5.5], [-1.0, -2.0, -1.5])
    assert dim.odds(-2.0) > 1 and dim.odds(-6.0) < -1
    assert clear.odds(5.0) > 1 and clear.odds(-1.0) < -1
    assert learn_cut([], [-3.0]) == Cut()


def test_tokens_are_sorted_out_when_only_their_numbers_are_known() -> None:
    rng = np.random.default_rng(5)
    coin, battery = np.zeros(6, np.float32), np.full(6, 1.5, np.float32)
    kinds = [[0, 0, 0, 1], [1, 0, 0, 1, 1], [0, 1]]
    looks = [
        np.stack([(coin, battery)[k] + rng.normal(0, 0.1, 6).astype(np.float32) for k in row])
        for row in kinds
    ]
    contents = [(row.count(0), row.count(1)) for row in kinds]
    assert [row.tolist() for row in sort_out(looks, contents)] == kinds


def test_a_token_may_look_different_on_each_board() -> None:
    rng = np.random.default_rng(6)
    grey, own = np.full(18, 3.0), [np.full(18, 3.0) + np.eye(18)[i] * 3 for i in range(3)]

    def area_of(*looks: Floats) -> Floats:
        return np.stack([one + rng.normal(0, 0.05, 18) for one in looks]).astype(np.float32)

    seen = [area_of(grey, own[0]), area_of(own[1], grey), area_of(grey, grey), area_of(grey, own[2])]
    contents = [(1, 1), (1, 1), (0, 2), (1, 1)]
    dealt = sort_out(seen, contents)
    assert [one.tolist() for one in dealt] == [[1, 0], [0, 1], [1, 1], [1, 0]]


def test_an_area_that_shows_neither_print_nor_cubes_is_covered(cubes: AreaModel) -> None:
    bare = BareArea(zone("", 0, cubes.px_per_mm))
    seen = zone("mf", 8, cubes.px_per_mm)
    cloth = colour_logs(np.full((*seen.shape[:2], 3), (200, 190, 230), np.float32))
    for picture, covered in ((seen, False), (cloth, True)):
        area_ = over_ground(cubes, picture, bare)
        share = uncovered_share(area_, find_cubes(cubes.colours, Cut(), area_, 6))
        assert (share > HIDDEN.cloth) is covered


def test_a_place_without_its_print_may_hide_a_marker() -> None:
    light, shadow, cloth = (np.full((20, 20), level, np.float32) for level in (7.5, 4.0, 0.0))
    marker = light.copy()
    marker[4:16, 4:16] = -10.0
    assert not may_hide([light, shadow, marker], 7.5)
    assert may_hide([light, cloth], 7.5)

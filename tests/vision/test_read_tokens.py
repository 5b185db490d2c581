"""Tokens drawn by arithmetic: on a table and on print, in any turn, side by side, under a veil and in tinted light."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.read import area
from vision.read.area import counts
from vision.read.colours import colour_logs
from vision.read.foreground import foreground
from vision.read.looks import sort_out
from vision.read.token_training import TokenLesson, learn_tokens
from vision.read.tokens import Tokens, Tray, at_each_turn, find_tokens, tokens_apart

Floats = NDArray[np.float32]
Laid = Sequence[tuple[str, float, float, float]]
TOKENS = ("credit", "battery")
KEYS = ("X", "N")
FINE = 4.0  # pixels a millimetre at which pictures are drawn, then reduced as a camera does
SCALE, MARGIN = area.SETTINGS.px_per_mm, area.SETTINGS.margin_mm


def photographed(
    picture: Floats, seed: int, veil: float = 0.0, tint: tuple[float, float, float] = (1, 1, 1)
) -> Floats:
    """Log colours of a drawing in tinted light, with a veil of glare over all."""
    small = cv2.resize(picture, None, fx=SCALE / FINE, fy=SCALE / FINE, interpolation=cv2.INTER_AREA)
    small = small * np.array(tint) * (1 - veil) + 230 * veil
    noise = np.random.default_rng(seed).normal(0, 2, small.shape)
    return colour_logs((small + noise).clip(0, 255).astype(np.float32))


def table(checks: bool = False) -> Floats:
    """A wooden table, or one with a checked cloth, 66 x 76 mm."""
    picture = np.full((round(66 * FINE), round(76 * FINE), 3), (70, 105, 140), np.float32)
    picture += np.sin(np.arange(picture.shape[1]) / 9)[None, :, None] * 8
    if checks:
        down, right = np.mgrid[: picture.shape[0], : picture.shape[1]] // round(18 * FINE)
        picture[(down + right) % 2 == 1] *= 0.75
    return picture


def lay(picture: Floats, laid: Laid) -> Floats:
    """Tokens by label, place (mm) and turn, each with its shadow."""
    for label, x, y, turn in laid:
        at = (round(x * FINE), round(y * FINE))
        shadow = (at[0] + 5, at[1] + 6)
        if label == "credit":
            cv2.circle(picture, shadow, round(7 * FINE), (35, 52, 70), -1, cv2.LINE_AA)
            cv2.circle(picture, at, round(7 * FINE), (40, 170, 220), -1, cv2.LINE_AA)
            cv2.circle(picture, at, round(5 * FINE), (60, 210, 245), -1, cv2.LINE_AA)
            cv2.ellipse(picture, at, (10, 10), turn + 40, 0, 280, (20, 60, 80), 4, cv2.LINE_AA)
        else:
            parts = (
                (shadow, (40, 66), (35, 52, 70)),
                (at, (40, 66), (30, 35, 35)),
                (at, (26, 50), (60, 220, 90)),
            )
            for middle, size, tone in parts:
                box = cv2.boxPoints((middle, size, turn))
                cv2.fillConvexPoly(picture, np.rint(box).astype(np.int32), tone, cv2.LINE_AA)
    return picture


def best_of(tokens: Tokens, tray: Tray, board: str) -> tuple[int, ...]:
    numbers = counts(tokens.labels, find_tokens(tokens.on(board), tray, SCALE, MARGIN), 8)
    assert all(sum(ns.values()) == pytest.approx(1, abs=1e-3) for ns in numbers.values())
    return tuple(max(ns, key=ns.__getitem__) for ns in numbers.values())


def numbers_of(labels: Sequence[str], laid: Laid) -> tuple[int, ...]:
    return tuple([one for one, *_ in laid].count(label) for label in labels)


SHOWN: list[Laid] = [
    [("credit", 20, 20, 10), ("credit", 50, 15, 100), ("battery", 35, 45, 30)],
    [("battery", 20, 40, 80), ("credit", 55, 40, 200)],
    [("credit", 30, 30, 300), ("battery", 60, 20, 140), ("battery", 55, 50, 10)],
    [],
]


def taught(pictures: Sequence[Floats]) -> Tokens:
    """Tokens learnt from drawings of what was shown."""
    lessons = [
        TokenLesson(photographed(picture, seed), (None,), "red", numbers_of(TOKENS, laid))
        for seed, (picture, laid) in enumerate(zip(pictures, SHOWN, strict=True))
    ]
    return learn_tokens(TOKENS, lessons, SCALE, MARGIN)


@pytest.fixture(scope="module")
def tokens() -> Tokens:
    return taught([lay(table(), laid) for laid in SHOWN])


@pytest.mark.parametrize("checks", [False, True])
@pytest.mark.parametrize(("veil", "tint"), [(0.0, (1, 1, 1)), (0.5, (1, 1, 1)), (0.0, (0.75, 1, 1.1))])
@pytest.mark.parametrize(
    "laid",
    [
        [],
        [("credit", 40, 30, 77)],
        [("battery", 25, 25, 61), ("battery", 50, 40, 155)],
        [("credit", 20, 45, 15), ("credit", 35, 45, 260), ("battery", 55, 20, 118)],
    ],
)
def test_tokens_are_counted_any_way_round_on_any_table_in_any_light(
    tokens: Tokens, laid: Laid, veil: float, tint: tuple[float, float, float], checks: bool
) -> None:
    tray = Tray.of(photographed(lay(table(checks), laid), 50, veil, tint), None)
    assert best_of(tokens, tray, "red") == numbers_of(TOKENS, laid)


def test_a_token_is_never_found_twice(tokens: Tokens) -> None:
    tray = Tray.of(photographed(lay(table(), [("battery", 35, 35, 20)]), 51), None)
    found = find_tokens(tokens, tray, SCALE, MARGIN)
    assert [one.odds > 0 for one in found].count(True) == 1


def test_what_stands_out_of_one_token_does_not_speak_for_another_beside_it(tokens: Tokens) -> None:
    planks = table()
    seam = round(23 * FINE)
    planks[:, seam - 6 : seam + 6] = (20, 25, 30)
    found = find_tokens(
        tokens, Tray.of(photographed(lay(planks, [("battery", 39, 35, 90)]), 51), None), SCALE, MARGIN
    )
    assert found[0].odds > 6
    assert all(one.odds < -6 for one in found[1:])


def test_a_disc_at_each_turn_is_the_disc_rolled_round_and_kept_only_twice() -> None:
    angles, rings = 24, 8
    discs = np.random.default_rng(3).random((5, angles, rings), np.float32)
    turned = at_each_turn(discs.reshape(5, -1), rings)
    for turn in range(angles):
        np.testing.assert_array_equal(turned[:, turn], np.roll(discs, turn, axis=1).reshape(5, -1))
    first, last = np.lib.array_utils.byte_bounds(turned)
    assert last - first <= 2 * discs.nbytes


def test_unlike_tokens_are_far_apart(tokens: Tokens) -> None:
    assert tokens_apart(tokens, 0, 1) > 5


WIDEST_MM = np.hypot(40, 66) / 2 / FINE


def test_learnt_tokens_are_as_large_as_those_that_were_shown(tokens: Tokens) -> None:
    assert WIDEST_MM < tokens.radius_mm < 1.4 * WIDEST_MM


def test_a_pattern_beside_some_tokens_makes_them_no_larger() -> None:
    pictures = [lay(table(), laid) for laid in SHOWN]
    for x, y in ((20, 10), (20, 31), (50, 26)):
        low, high = ((round((x + way * 9) * FINE), round((y + way) * FINE)) for way in (-1, 1))
        cv2.rectangle(pictures[0], low, high, (30, 35, 200), -1)
    assert WIDEST_MM < taught(pictures).radius_mm < 1.15 * WIDEST_MM


def test_a_square_of_cloth_taken_for_a_token_is_not_kept_as_a_picture_of_its_label() -> None:
    shown: list[tuple[str, Laid]] = [
        ("blue", [("battery", 55, 45, 20)]),
        ("blue", [("battery", 30, 30, 80), ("battery", 55, 20, 140)]),
        *(("red", laid) for laid in SHOWN),
    ]
    pictures = [lay(table(), laid) for _, laid in shown]
    cv2.rectangle(pictures[0], (round(12 * FINE),) * 2, (round(30 * FINE),) * 2, (30, 40, 25), -1)
    lessons = [
        TokenLesson(photographed(picture, seed), (None,), board, numbers_of(TOKENS, laid))
        for seed, (picture, (board, laid)) in enumerate(zip(pictures, shown, strict=True))
    ]
    learnt = learn_tokens(TOKENS, lessons, SCALE, MARGIN)
    # A battery looks the same on both boards; the square was one board's alone.
    assert learnt.usable.all()
    laid: Laid = [("battery", 25, 25, 61), ("battery", 50, 40, 155)]
    assert best_of(learnt, Tray.of(photographed(lay(table(), laid), 9), None), "blue") == numbers_of(
        TOKENS, laid
    )


def test_shadow_stands_out_little_and_a_token_wholly() -> None:
    logs = photographed(lay(table(), [("credit", 38, 33, 0)]), 3)
    stands = foreground(logs, None)
    middle, shadow, bare = ((38, 33), (43.5, 39.6), (15, 15))
    at = [stands[round(y * SCALE), round(x * SCALE)] for x, y in (middle, shadow, bare)]
    assert at[0] > 0.9
    assert at[1] < 0.5
    assert at[2] < 0.1


COLOURS = {"red": (50, 45, 190), "blue": (190, 90, 40)}


def key_place(board: str, laid: Laid) -> Floats:
    """A printed place in its player's colour; X keys are in that colour too, N keys are grey."""
    tone = np.array(COLOURS[board], np.float32)
    picture = np.full((round(46 * FINE), round(76 * FINE), 3), tone * 0.4 + 120, np.float32)
    cv2.rectangle(picture, (24, 24), (picture.shape[1] - 24, picture.shape[0] - 24), tone.tolist(), 6)
    for label, x, y, turn in laid:
        at = (round(x * FINE), round(y * FINE))
        ring = tone if label == "X" else np.array([120, 125, 130], np.float32)
        cv2.circle(picture, at, 30, ring.tolist(), -1, cv2.LINE_AA)
        cv2.circle(picture, at, 21, (ring * 0.3).tolist(), -1, cv2.LINE_AA)
        for across in (turn, turn + 70):
            step = 15 * np.array([np.cos(np.deg2rad(across)), np.sin(np.deg2rad(across))])
            ends = [tuple(int(v) for v in np.rint(np.array(at) + way * step)) for way in (-1, 1)]
            cv2.line(picture, ends[0], ends[1], (225, 225, 225), 6, cv2.LINE_AA)
    return picture


@pytest.fixture(scope="module")
def keys() -> Tokens:
    shown: list[tuple[str, Laid]] = [
        ("red", [("X", 22, 20, 10), ("N", 50, 25, 50)]),
        ("red", [("N", 25, 28, 200), ("N", 55, 16, 90)]),
        ("blue", [("N", 20, 16, 130), ("X", 52, 28, 0)]),
        ("blue", [("N", 30, 22, 20), ("N", 58, 25, 300)]),
    ]
    lessons = []
    for seed, (board, laid) in enumerate(shown):
        bare = photographed(key_place(board, []), 90)
        seen = photographed(key_place(board, laid), seed)
        lessons.append(TokenLesson(seen, (bare,), board, numbers_of(KEYS, laid)))
    return learn_tokens(KEYS, lessons, SCALE, MARGIN)


@pytest.mark.parametrize("board", ["red", "blue"])
@pytest.mark.parametrize(("veil", "tint"), [(0.0, (1, 1, 1)), (0.5, (1, 1, 1)), (0.0, (0.9, 1, 1.1))])
@pytest.mark.parametrize(
    "laid", [[], [("X", 40, 25, 33)], [("N", 40, 25, 33)], [("X", 25, 25, 80), ("N", 40.5, 25, 10)]]
)
def test_keys_in_a_players_colour_are_told_from_grey_ones(
    keys: Tokens, board: str, laid: Laid, veil: float, tint: tuple[float, float, float]
) -> None:
    bare = photographed(key_place(board, []), 90)
    tray = Tray.of(photographed(key_place(board, laid), 60, veil, tint), bare)
    assert best_of(keys, tray, board) == numbers_of(KEYS, laid)


def test_a_label_is_compared_with_how_it_looks_on_its_own_board(keys: Tokens) -> None:
    grey, own = KEYS.index("N"), KEYS.index("X")
    for board in keys.boards:
        here = keys.on(board)
        assert (here.owners == own).sum() == 1
        assert (here.owners == grey).sum() == (keys.owners == grey).sum()


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


CHIPS = {"white": (225, 225, 225), "red": (45, 40, 190), "black": (35, 35, 35)}


def chips(laid: Laid, radius_mm: float) -> Floats:
    """Chips of one colour without any print, on a wooden table of 110 x 110 mm."""
    picture = np.full((round(110 * FINE), round(110 * FINE), 3), (70, 105, 140), np.float32)
    picture += np.sin(np.arange(picture.shape[1]) / 9)[None, :, None] * 8
    for label, x, y, _ in laid:
        at = (round(x * FINE), round(y * FINE))
        cv2.circle(picture, (at[0] + 5, at[1] + 6), round(radius_mm * FINE), (35, 52, 70), -1, cv2.LINE_AA)
        cv2.circle(picture, at, round(radius_mm * FINE), CHIPS[label], -1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("radius_mm", [4.5, 8.0, 16.0])
def test_plain_chips_small_and_large_are_counted_by_colour(radius_mm: float) -> None:
    corners = ((25.0, 25.0), (80.0, 30.0), (28.0, 82.0), (78.0, 78.0))

    def laid(*labels: str) -> Laid:
        return [(label, *at, 0.0) for label, at in zip(labels, corners, strict=False)]

    labels = tuple(CHIPS)
    shown = [laid("white", "red"), laid("black", "white", "white"), laid("red", "black", "red", "black")]
    lessons = [
        TokenLesson(photographed(chips(one, radius_mm), i), (None,), "b", numbers_of(labels, one))
        for i, one in enumerate(shown)
    ]
    learnt = learn_tokens(labels, lessons, SCALE, MARGIN)
    assert radius_mm < learnt.radius_mm < 1.5 * radius_mm
    for one in (laid(), laid("black", "white"), laid("red", "red", "black"), laid("white")):
        logs = photographed(chips(one, radius_mm), 70)
        assert best_of(learnt, Tray.of(logs, None, learnt.radius_mm * SCALE), "b") == numbers_of(labels, one)

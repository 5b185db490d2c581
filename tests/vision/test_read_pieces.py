"""The readers on pieces drawn by arithmetic: known content, other light, shifted and turned."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.pack import Board, Kind, Slot
from vision.read import seek, tile, tile_training
from vision.read.colours import Lesson, colour_logs, learn, table_density
from vision.read.compare import Places, compare, probabilities, strangeness
from vision.read.features import features
from vision.read.hidden import changed_alone, hides, unlike_table
from vision.read.light import background_mask, even, measure, measure_all
from vision.read.reader import nothing_found
from vision.read.seek import align, align_unless_bare
from vision.read.tile import whitened

Floats = NDArray[np.float32]
LABELS = ("A", "B", "C")
SIZE_MM = (20.0, 20.0)


def drawn(letter: str, geo: tile.Geometry, shift: tuple[float, float] = (0, 0), angle: float = 0.0) -> Floats:
    """A tile with a letter, lying off its place."""
    width, height = geo.whole_px
    picture = _ground(geo)
    piece = np.full((height, width, 3), (170, 210, 230), np.float32)
    cv2.putText(piece, letter, (width // 2 - 11, height // 2 + 11), 0, 1.0, (30, 40, 60), 3, cv2.LINE_AA)
    cover = np.zeros((height, width), np.float32)
    m = geo.margin_px
    cover[m : m + geo.size_px[1], m : m + geo.size_px[0]] = 1
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0)
    turn[:, 2] += shift
    piece = cv2.warpAffine(piece, turn, (width, height), borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpAffine(cover, turn, (width, height))[..., None]
    return (piece * cover + picture * (1 - cover)).astype(np.float32)


def _ground(geo: tile.Geometry) -> Floats:
    width, height = geo.whole_px
    picture = np.full((height, width, 3), (90, 120, 60), np.float32)
    cv2.circle(picture, (width // 2, height // 2), 9, (60, 60, 160), 2, cv2.LINE_AA)
    cv2.line(picture, (0, 6), (width, height - 6), (150, 160, 90), 2, cv2.LINE_AA)
    return picture


@pytest.fixture(scope="module")
def letters() -> tuple[tile.TileModel, Floats]:
    """A model of three letters taught from one picture each, and the bare place in its terms."""
    geo = tile.geometry(SIZE_MM)
    bare = _ground(geo)
    examples = [tile_training.Example(i, drawn(letter, geo), bare) for i, letter in enumerate(LABELS)]
    quick = tile_training.TrainingSettings(pictures=240)
    model = tile_training.train(LABELS, examples, [bare], geo, quick)
    m = geo.margin_px
    middle = bare[m : m + geo.size_px[1], m : m + geo.size_px[0]]
    return model, whitened(model, features(middle[None], model.mask))[0]


def read(
    letters: tuple[tile.TileModel, Floats], wholes: list[Floats]
) -> tuple[list[dict[str, float]], Floats]:
    model, bare = letters
    stack = np.stack(wholes)
    aligned = align(model, stack)
    m, (width, height) = model.geometry.margin_px, model.geometry.size_px
    unmoved = whitened(model, features(stack[:, m : m + height, m : m + width], model.mask))
    found = compare(model, Places(aligned, unmoved, np.tile(bare, (len(wholes), 1))))
    return probabilities(model, found), strangeness(model, found)


def test_a_tile_is_read_though_it_lies_off_its_place_in_another_light(
    letters: tuple[tile.TileModel, Floats],
) -> None:
    geo = letters[0].geometry
    light = np.array([0.55, 0.7, 0.9], np.float32)
    wholes = [drawn(letter, geo, (4, -3), 4.0) * light for letter in LABELS]
    seen, _ = read(letters, wholes)
    assert [max(p, key=p.__getitem__) for p in seen] == list(LABELS)
    assert min(p[letter] for p, letter in zip(seen, LABELS, strict=True)) > 0.9


def test_a_bare_place_is_empty_and_probabilities_add_up(letters: tuple[tile.TileModel, Floats]) -> None:
    seen, strange = read(letters, [_ground(letters[0].geometry) * 0.8])
    assert seen[0]["empty"] > 0.95
    assert sum(seen[0].values()) == pytest.approx(1, abs=1e-5)
    assert min(seen[0].values()) > 0
    assert strange[0] < 0.1


def test_where_print_lies_open_no_piece_is_looked_for_and_elsewhere_nothing_changes(
    letters: tuple[tile.TileModel, Floats],
) -> None:
    model, bare = letters
    geo = model.geometry
    wholes = np.stack([_ground(geo) * 0.8, drawn("B", geo, (4, -3), 4.0), _ground(geo), drawn("C", geo)])
    m, (width, height) = geo.margin_px, geo.size_px
    unmoved = whitened(model, features(wholes[:, m : m + height, m : m + width], model.mask))
    quick = align_unless_bare(model, wholes, unmoved, np.tile(bare, (4, 1)))
    slow = align(model, wholes)
    for name in ("pictures", "shift_px", "angle", "score", "rows"):
        assert np.allclose(getattr(quick, name)[[1, 3]], getattr(slow, name)[[1, 3]], atol=1e-4)
    assert np.array_equal(quick.rows[[0, 2]], unmoved[[0, 2]])
    # Of a place whose print nobody knows, nobody can say that it is bare.
    unknown = np.full_like(unmoved, np.nan)
    searched = align_unless_bare(model, wholes, unknown, unknown)
    assert np.allclose(searched.score, slow.score, atol=1e-5)
    assert np.allclose(searched.rows[[1, 3]], slow.rows[[1, 3]], atol=1e-3)


def test_a_table_that_resembles_no_piece_is_not_searched_for_one(
    letters: tuple[tile.TileModel, Floats],
) -> None:
    model = letters[0]
    width, height = model.geometry.whole_px
    wood = np.random.default_rng(5).normal(150, 4, (height, width, 3)).astype(np.float32)
    wholes = np.stack([wood, drawn("C", model.geometry, (4, -3), 4.0)])
    unknown = np.full((2, model.means.shape[1]), np.nan, np.float32)
    found = align_unless_bare(model, wholes, unknown, unknown)
    assert found.exemplar[0] == -1
    assert found.exemplar[1] >= 0
    tiles = probabilities(model, compare(model, Places(found, unknown, unknown)))
    assert tiles[0]["empty"] > 0.95
    assert tiles[1]["C"] > 0.9


def test_a_piece_near_its_exemplar_is_laid_on_no_label_that_falls_short_at_the_first_glance(
    letters: tuple[tile.TileModel, Floats], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = letters[0]
    wholes = np.stack([drawn(letter, model.geometry) for letter in LABELS])
    exactly = seek._exactly

    def laid(short: float) -> int:
        """How often a piece is laid on an exemplar, all labels being near by what is seen closely."""
        pieces: list[int] = []

        def counted(*arguments: Any) -> Any:
            pieces.append(len(arguments[1]))
            return exactly(*arguments)

        monkeypatch.setattr(seek, "_exactly", counted)
        monkeypatch.setattr(seek, "SETTINGS", replace(settings, clear_way=9.0, short=short))
        align(model, wholes)
        return sum(pieces)

    settings = seek.SETTINGS
    assert laid(0.0) == len(LABELS)
    assert laid(2.0) == len(LABELS) ** 2


def test_the_features_of_an_aligned_piece_are_those_of_its_picture(
    letters: tuple[tile.TileModel, Floats],
) -> None:
    model = letters[0]
    aligned = align(model, np.stack([drawn(letter, model.geometry, (3, 2), -3.0) for letter in LABELS]))
    assert np.allclose(aligned.rows, whitened(model, features(aligned.pictures, model.mask)), atol=1e-3)


def test_a_place_is_bare_though_a_neighbour_reaches_into_it(letters: tuple[tile.TileModel, Floats]) -> None:
    geo = letters[0].geometry
    side = geo.size_px[0]
    pictures = []
    for shift in ((0.72 * side, 0), (0, -0.75 * side), (-0.8 * side, 0.1 * side)):
        beside = np.abs(drawn("A", geo) - _ground(geo)).max(axis=2) > 1
        lie = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32)
        size = (geo.whole_px[0], geo.whole_px[1])
        cover = cv2.warpAffine(beside.astype(np.uint8), lie, size)[..., None] > 0
        neighbour = cv2.warpAffine(drawn("A", geo), lie, size)
        pictures.append(np.where(cover, neighbour, _ground(geo)).astype(np.float32))
    seen, strange = read(letters, pictures)
    assert min(p["empty"] for p in seen) > 0.95
    assert strange.max() < 0.1


def test_a_piece_is_seen_by_its_shape_where_glare_gives_it_the_colours_of_the_print() -> None:
    geo = tile.geometry(SIZE_MM)
    m, (width, height) = geo.margin_px, geo.size_px

    def pale(letter: str) -> Floats:
        return (0.35 * drawn(letter, geo) + 0.65 * np.array((150, 170, 180))).astype(np.float32)

    def veiled(letter: str) -> Floats:
        return (0.58 * drawn(letter, geo, (2, 1)) + 0.42 * np.array((200, 215, 225))).astype(np.float32)

    # The place of each piece shows its picture in print, as the places of keys do.
    examples = [tile_training.Example(i, drawn(one, geo), pale(one)) for i, one in enumerate(LABELS)]
    quick = tile_training.TrainingSettings(pictures=240)
    model = tile_training.train(LABELS, examples, [pale("A")], geo, quick)
    for letter in LABELS:
        unmoved, bare = (
            whitened(model, features(one[None, m : m + height, m : m + width], model.mask))
            for one in (veiled(letter), pale(letter))
        )
        aligned = align(model, veiled(letter)[None])
        seen = probabilities(model, compare(model, Places(aligned, unmoved, bare)))[0]
        assert max(seen, key=seen.__getitem__) == letter
        aligned = align(model, pale(letter)[None])
        seen = probabilities(model, compare(model, Places(aligned, bare, bare)))[0]
        assert seen["empty"] > 0.95


def test_a_cloth_changes_one_place_of_the_table_and_a_dim_room_all_of_them() -> None:
    same, darker = np.zeros(3, np.float32), np.full(3, -0.6, np.float32)
    places = [f"red.track.{i}" for i in range(1, 7)]
    assert changed_alone(dict.fromkeys(places, same) | {"red.tray": darker}) == {"red.tray"}
    assert changed_alone(dict.fromkeys([*places, "red.tray"], darker)) == set()
    assert changed_alone({"red.tray": darker}) == {"red.tray"}
    assert changed_alone({}) == set()


def test_a_marker_on_the_first_place_of_its_track_is_something_found() -> None:
    rect_mm = (0.0, 0.0, 9.0, 9.0)
    track, tray = (Slot("red.s", "red", kind, "m", ("m",), rect_mm) for kind in (Kind.TRACK, Kind.COUNT))
    assert not nothing_found(track, {"m": {0: 0.99}})
    assert nothing_found(track, {"m": {-1: 0.99}})
    assert nothing_found(tray, {"m": {0: 0.99}})
    assert not nothing_found(tray, {"m": {1: 0.99}})


def test_glare_beside_a_piece_does_not_hide_it_and_a_hand_over_bare_table_does() -> None:
    key, bare, doubtful = (
        {"back": 0.99, "empty": 0.01},
        {"back": 0.01, "empty": 0.99},
        {"back": 0.6, "empty": 0.4},
    )
    assert not hides(0.7, key)
    assert hides(0.7, bare)
    assert hides(0.7, doubtful)
    assert not any(hides(0.2, tile) for tile in (key, bare, doubtful))


def test_a_label_that_was_never_shown_is_not_taken_for_another(
    letters: tuple[tile.TileModel, Floats],
) -> None:
    geo = letters[0].geometry
    bare = _ground(geo)
    examples = [
        tile_training.Example(i, drawn(letter, geo), bare, place=letter) for i, letter in enumerate("ABCHR")
    ]
    model = tile_training.train(
        tuple("ABCHRQ"), examples, [bare], geo, tile_training.TrainingSettings(pictures=240)
    )
    m, (width, height) = geo.margin_px, geo.size_px
    middle = bare[m : m + height, m : m + width]
    taught = model, whitened(model, features(middle[None], model.mask))[0]
    seen, _ = read(taught, [drawn(letter, geo, (2, -1), 2.0) * 0.9 for letter in "ABCHRQ"])
    assert min(p[letter] for p, letter in zip(seen, "ABCHR", strict=False)) > 0.9
    assert max(seen[-1].values()) < 0.8
    assert seen[-1]["Q"] > 0.2


def test_what_is_neither_a_piece_nor_the_print_is_strange_and_not_sure(
    letters: tuple[tile.TileModel, Floats],
) -> None:
    geo = letters[0].geometry
    rng = np.random.default_rng(4)
    hand = cv2.GaussianBlur(rng.normal(150, 12, (geo.whole_px[1], geo.whole_px[0], 3)), (0, 0), 2.0)
    seen, strange = read(letters, [hand.astype(np.float32)])
    assert strange[0] > 0.5
    assert max(seen[0].values()) < 0.9


def test_the_light_is_measured_on_the_print_and_pieces_are_outvoted() -> None:
    board = Board("board", (240.0, 200.0))
    rng = np.random.default_rng(1)
    bare = cv2.GaussianBlur(rng.uniform(60, 180, (50, 60, 3)), (0, 0), 1.0).astype(np.uint8)
    slot = (80.0, 60.0, 60.0, 60.0)
    free = background_mask(board, [slot], 2.0)
    now = bare.astype(np.float32) * np.array([0.6, 0.8, 1.1])
    now[16:30, 21:34] = (20, 20, 240)
    light = measure(bare, now.clip(0, 255).astype(np.uint8), free)
    factors = light.over((20.0, 20.0, 40.0, 40.0), (10, 10)).mean(axis=(0, 1))
    assert np.allclose(factors, (0.6, 0.8, 1.1), atol=0.06)
    assert np.allclose(even(board).over(slot, (8, 8)), 1)


def test_boards_measured_together_have_each_its_own_light() -> None:
    rng = np.random.default_rng(2)
    sizes = {"red": (50, 60), "blue": (50, 60), "colony": (40, 90)}
    bare = {name: rng.integers(40, 200, (*size, 3), np.uint8) for name, size in sizes.items()}
    now = {
        "red": bare["red"] // 2,
        "blue": (bare["blue"] * np.array([0.7, 0.9, 1.1])).astype(np.uint8),
        "colony": bare["colony"] + np.uint8(20),
    }
    free = {name: np.ones(size, np.bool_) for name, size in sizes.items()}
    together = measure_all(bare, now, free)
    for name, light in together.items():
        alone = measure(bare[name], now[name], free[name])
        for one in ("grid", "gain", "veil"):
            np.testing.assert_allclose(getattr(light, one), getattr(alone, one), atol=1e-4)
    assert np.allclose(np.exp(together["blue"].grid).mean(axis=(0, 1)), (0.7, 0.9, 1.1), atol=0.05)


def test_a_veil_of_mirrored_light_is_told_of_the_print_and_not_taken_for_more_light() -> None:
    rng = np.random.default_rng(5)
    board = Board("board", (240.0, 200.0))
    bare = cv2.GaussianBlur(rng.uniform(0, 200, (50, 60, 3)), (0, 0), 0.8).astype(np.uint8)
    veil = np.linspace(0.0, 0.08, 60)[None, :, None]
    now = 255 * (0.7 * (bare / 255) ** 2.2 + veil) ** (1 / 2.2)
    now[10:20, 25:40] = (20, 20, 240)  # a piece
    light = measure(bare, now.clip(0, 255).astype(np.uint8), np.ones((50, 60), np.bool_))
    whole = (0.0, 0.0, *board.size_mm)
    told = light.on_print(whole, bare.astype(np.float32)) * light.over(whole, (60, 50))
    off = np.abs(np.log((told + 8) / (now + 8))).max(axis=2)
    assert np.quantile(np.delete(off, slice(10, 20), axis=0), 0.9) < 0.08
    # A factor alone is far off in the dark.
    scaled = np.abs(np.log((bare * light.over(whole, (60, 50)) + 8) / (now + 8))).max(axis=2)
    assert np.quantile(scaled, 0.9) > 0.2
    in_even_light = even(board).on_print(whole, bare.astype(np.float32))
    assert np.allclose(in_even_light, bare, atol=0.1)


def test_a_colour_that_is_hardly_in_the_print_says_nothing_of_the_light() -> None:
    board = Board("board", (240.0, 200.0))
    bare = np.full((50, 60, 3), (60, 105, 5), np.uint8)
    bare[::5, ::4] = (200, 150, 120)
    now = bare.copy()
    # Another white balance: some of the green is counted as red.
    now[(bare == (60, 105, 5)).all(axis=2)] = (60, 105, 30)
    light = measure(bare, now, np.ones((50, 60), np.bool_))
    factors = light.over((0.0, 0.0, *board.size_mm), (12, 10))
    assert np.abs(factors - 1).max() < 0.12


def test_a_table_nobody_described_is_told_from_tokens_on_it() -> None:
    rng = np.random.default_rng(3)
    table = np.full((90, 60, 3), (70, 110, 150), np.float32) + rng.normal(0, 6, (90, 60, 3))
    cv2.circle(table, (30, 40), 7, (40, 200, 230), -1)
    density = table_density(colour_logs(table.clip(0, 255).astype(np.float32)))
    assert density[40, 30] < density[10:25].mean() - 5


def test_something_over_the_table_is_unlike_the_other_places_beside_the_boards() -> None:
    tones = {f"track.{i}": np.full(3, 4.0 + 0.02 * i, np.float32) for i in range(6)}
    tones["track.6"] = np.array([4.0, 4.4, 5.0], np.float32)
    assert unlike_table(tones) == {"track.6"}


def test_colours_that_stand_out_nowhere_begin_with_their_own_pixels() -> None:
    """White on light print is hardly "changed", and pieces shown alone are all there is: none may begin as another."""
    grounds = np.zeros((20, 20), np.float32)
    lessons = [
        Lesson(np.full((20, 20, 3), np.log(np.float32(level))), grounds, frozenset({label}))
        for label, level in enumerate((60, 120, 240))
    ]
    learnt = learn(3, lessons)
    assert np.allclose(np.exp(learnt.means[:, 0].mean(axis=1)), (60, 120, 240), rtol=0.02)

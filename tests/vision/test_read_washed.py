"""Pieces that mirror a lamp are told apart by what is left of them, and round ones however they were turned."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.read import tile, tile_training
from vision.read.compare import Places, compare
from vision.read.features import features, pictures_of
from vision.read.light import as_light, as_values
from vision.read.pixels import turn_about, warped
from vision.read.seek import Aligned, align, middles
from vision.read.tile import unwhitened, whitened
from vision.read.washed import Veiled, told_through_veil

Floats = NDArray[np.float32]
Colour = tuple[int, int, int]
CARD = tile.geometry((52.0, 20.0))
COIN = tile.geometry((18.0, 18.0))
# The sea behind each diver, and the cube it brings up.
DIVERS: dict[str, tuple[Colour, Colour]] = {
    "metal": ((120, 60, 15), (200, 90, 10)),
    "tech": ((110, 80, 50), (225, 225, 225)),
    "fuel": ((90, 50, 40), (110, 20, 90)),
}
NEVER = np.full((1, 3), 10.0, np.float32)  # no colour burns out


def ground(geo: tile.Geometry) -> Floats:
    width, height = geo.whole_px
    return np.full((height, width, 3), (60, 90, 50), np.float32)


def card(sea: Colour, cube: Colour) -> Floats:
    """A dark card with a light plate at its right end, on which the cube is drawn."""
    picture, m = ground(CARD), CARD.margin_px
    width, height = CARD.size_px
    cv2.rectangle(picture, (m, m), (m + width, m + height), sea, cv2.FILLED)
    cv2.rectangle(
        picture, (m + width - 34, m + 3), (m + width - 4, m + height - 4), (215, 230, 235), cv2.FILLED
    )
    cv2.circle(picture, (m + width - 19, m + height // 2), 10, cube, cv2.FILLED, cv2.LINE_AA)
    cv2.circle(picture, (m + 20, m + height // 2), 9, (60, 110, 160), 3, cv2.LINE_AA)
    return picture


def coin(dot: Colour, turned: float) -> Floats:
    """A round token with a stroke across and a dot beside it."""
    width, height = COIN.whole_px
    middle = width // 2, height // 2
    face = ground(COIN)
    cv2.circle(face, middle, COIN.size_px[0] // 2, (70, 140, 220), cv2.FILLED, cv2.LINE_AA)
    cv2.circle(face, middle, COIN.size_px[0] // 2 - 4, (220, 225, 220), cv2.FILLED, cv2.LINE_AA)
    cv2.line(face, (middle[0], middle[1] - 8), (middle[0], middle[1] + 8), (30, 30, 30), 2, cv2.LINE_AA)
    cv2.circle(face, (middle[0] - 6, middle[1] - 2), 4, dot, cv2.FILLED, cv2.LINE_AA)
    return warped(face, turn_about(((width - 1) / 2, (height - 1) / 2), turned, 1.0), (width, height))


def trained(wholes: dict[str, Floats], geo: tile.Geometry) -> tile.TileModel:
    bare = ground(geo)
    examples = [tile_training.Example(i, whole, bare) for i, whole in enumerate(wholes.values())]
    return tile_training.train(
        tuple(wholes), examples, [bare], geo, tile_training.TrainingSettings(pictures=200)
    )


@pytest.fixture(scope="module")
def divers() -> tile.TileModel:
    return trained({label: card(*colours) for label, colours in DIVERS.items()}, CARD)


def veiled(whole: Floats, left: float, added: float, burnt: Floats) -> Floats:
    lit_ = np.minimum(left * as_light(whole) + np.float32(added), burnt)
    noise = np.random.default_rng(5).normal(0, 3, whole.shape)
    return np.clip(as_values(lit_) + noise, 0, 255).astype(np.float32)


def odds(model: tile.TileModel, aligned: Aligned, burnt: Floats | None) -> dict[str, float]:
    unknown = np.full_like(aligned.rows, np.nan)
    places = Places(aligned, unknown, unknown)
    found = compare(model, places)
    if burnt is not None:
        found = told_through_veil(model, places, burnt, found)
    return dict(zip(model.labels, found.to_label[0].tolist(), strict=True))


def test_a_blue_cube_under_mirrored_light_is_not_taken_for_a_white_one(divers: tile.TileModel) -> None:
    seen = align(divers, veiled(card(*DIVERS["metal"]), 0.8, 0.25, NEVER)[None])
    without, with_veil = odds(divers, seen, None), odds(divers, seen, NEVER)
    assert with_veil["metal"] == 0
    assert max(with_veil["tech"], with_veil["fuel"]) < -8
    assert without["metal"] < 0


def test_colours_that_are_burnt_out_tell_nothing(divers: tile.TileModel) -> None:
    burnt = np.array([[0.9, 0.5, 0.3]], np.float32)
    for label, colours in DIVERS.items():
        seen = align(divers, veiled(card(*colours), 0.8, 0.22, burnt)[None])
        told = odds(divers, seen, burnt)
        assert max(told, key=told.__getitem__) == label


def test_a_piece_that_fits_as_it_is_keeps_its_odds(divers: tile.TileModel) -> None:
    seen = align(divers, card(*DIVERS["fuel"])[None])
    assert odds(divers, seen, NEVER) == odds(divers, seen, None)


def test_a_label_close_to_the_best_is_looked_at_beneath_a_veil_however_it_looks_roughly() -> None:
    seas: list[Colour] = [
        (120, 60, 15),
        (40, 110, 60),
        (30, 40, 130),
        (110, 110, 40),
        (90, 40, 100),
        (20, 20, 20),
    ]
    model = trained({str(i): card(sea, (225, 225, 225)) for i, sea in enumerate(seas)}, CARD)
    seen = align(model, veiled(card(seas[0], (225, 225, 225)), 0.8, 0.25, NEVER)[None])
    far = np.full(len(seas), -20.0, np.float32)
    far[0] = 0
    left_out = set(range(len(seas))) - {*model.owners[Veiled.over(model, seen, NEVER[0], far).exemplars]}
    assert left_out
    for label in left_out:
        close = far.copy()
        close[label] = -1
        assert label in model.owners[Veiled.over(model, seen, NEVER[0], close).exemplars]


def test_taught_pictures_come_back_from_their_features(divers: tile.TileModel) -> None:
    taught = align(divers, np.stack([card(*colours) for colours in DIVERS.values()])).pictures
    again = pictures_of(features(taught, divers.mask), divers.mask)
    assert np.abs(again - taught).max() < 1
    assert np.abs(pictures_of(unwhitened(divers, divers.means), divers.mask) - again).mean() < 1


def test_a_round_token_is_read_however_far_two_hands_turned_it() -> None:
    dots: dict[str, Colour] = {"metal": (200, 90, 30), "fuel": (120, 40, 110)}
    # Each was taught turned another way: what lies as the one does must not be taken for it.
    taught_at = {"metal": -9.0, "fuel": 9.0}
    model = trained({label: coin(dot, taught_at[label]) for label, dot in dots.items()}, COIN)
    for label, dot in dots.items():
        for turned in (-12.0, 0.0, 12.0):
            told = odds(model, align(model, coin(dot, turned)[None]), None)
            assert max(told, key=told.__getitem__) == label, turned
            assert min(told.values()) < -8, turned


def test_a_round_token_is_told_at_any_turn_and_wherever_it_lies_in_its_place() -> None:
    # A turned token is as unlike the picture of its own label as that of any other: by its rim alone it lies anyhow.
    dots: dict[str, Colour] = {"black": (20, 20, 20), "red": (40, 40, 210)}
    model = trained({label: coin(dot, 0.0) for label, dot in dots.items()}, COIN)
    for turned in (-150.0, -70.0, 45.0, 90.0, 180.0):
        for label, dot in dots.items():
            seen = align(model, np.roll(coin(dot, turned), (1, -2), axis=(0, 1))[None])
            told = odds(model, seen, None)
            assert max(told, key=told.__getitem__) == label, turned
            assert seen.distances.min() < 3 * model.usual, turned


def test_only_round_pieces_are_looked_for_at_wide_angles() -> None:
    square = np.ones((36, 36), np.float32)
    disc = np.zeros((36, 36), np.float32)
    cv2.circle(disc, (18, 18), 17, 1.0, cv2.FILLED, cv2.LINE_AA)
    assert max(tile.turns(square)) < 10 < max(tile.turns(disc))


def numeral(key: bool) -> Floats:
    """The printed place of a key, or a key with a ring lying on it; both show the same stroke."""
    width, height = COIN.whole_px
    middle = width // 2, height // 2
    picture = ground(COIN)
    cv2.circle(picture, middle, COIN.size_px[0] // 2, (25, 45, 20), cv2.FILLED, cv2.LINE_AA)
    if key:
        cv2.circle(picture, middle, COIN.size_px[0] // 2 - 3, (60, 170, 70), 3, cv2.LINE_AA)
        cv2.circle(picture, middle, COIN.size_px[0] // 2 - 7, (50, 90, 150), 2, cv2.LINE_AA)
    cv2.line(picture, (middle[0], middle[1] - 7), (middle[0], middle[1] + 7), (200, 210, 200), 3, cv2.LINE_AA)
    return picture


def test_whether_a_key_lies_under_glare_is_told_by_both_with_a_veil_on() -> None:
    bare = numeral(key=False)
    model = tile_training.train(
        ("key",),
        [tile_training.Example(0, numeral(key=True), bare)],
        [bare, ground(COIN)],
        COIN,
        tile_training.TrainingSettings(pictures=120),
    )

    def described(whole: Floats) -> Floats:
        return whitened(model, features(middles(COIN, whole[None]), model.mask))

    for key in (True, False):
        whole = veiled(numeral(key), 0.7, 0.35, NEVER)
        places = Places(align(model, whole[None]), described(whole), described(bare))
        without = compare(model, places)
        found = told_through_veil(model, places, NEVER, without)
        towards_truth = -1 if key else 1
        assert towards_truth * found.to_empty[0] > 3
        assert towards_truth * found.to_empty[0] > towards_truth * without.to_empty[0]

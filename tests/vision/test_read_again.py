"""A tile that lies as it lay is known again in another light; whatever else lies there is not taken for it."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.fix import Fix, Located
from vision.lens import Lens
from vision.pack import Board, Kind, Pack, Slot
from vision.read import tile, tile_training
from vision.read.again import Lie, lies, unmoved
from vision.read.cuts import SHEET_PX_PER_MM, Scene, Sheet, reaches
from vision.read.light import Light, even
from vision.read.memory import Content, Memory, looks
from vision.read.pixels import turn_about, warped
from vision.read.seek import align

Floats = NDArray[np.float32]
LABELS = ("E", "F", "C")
RECT_MM = (20.0, 20.0, 20.0, 20.0)
GEO = tile.geometry(RECT_MM[2:])
OFF_MM, TURNED = (1.5, -1.0), 3.0
LAMP = 0.32, 0.44, 0.6
EVEN = even(Board("red", (60.0, 60.0)))


def table(
    letter: str | None,
    off_mm: tuple[float, float] = (0.0, 0.0),
    angle: float = 0.0,
    card: tuple[int, int, int] = (170, 210, 230),
) -> Sheet:
    """A board with a ring and a line printed on its one slot, and perhaps a card lying there."""
    side = round(60 * SHEET_PX_PER_MM)
    picture: Floats = np.full((side, side, 3), (90, 120, 60), np.float32)
    cv2.circle(picture, (side // 2, side // 2), 11, (60, 60, 160), 3, cv2.LINE_AA)
    cv2.line(picture, (0, 20), (side, side - 30), (150, 160, 90), 3, cv2.LINE_AA)
    if letter is not None:
        piece = np.full((side, side, 3), card, np.float32)
        cv2.putText(piece, letter, (side // 2 - 11, side // 2 + 11), 0, 1.0, (30, 40, 60), 3, cv2.LINE_AA)
        cover: Floats = np.zeros((side, side), np.float32)
        cover[40:80, 40:80] = 1
        turn = turn_about((side / 2, side / 2), angle)
        turn[:, 2] += np.array(off_mm) * SHEET_PX_PER_MM
        cover = warped(cover, turn, (side, side), 0.0)[..., None]
        picture = warped(piece, turn, (side, side)) * cover + picture * (1 - cover)
    return Sheet(picture.astype(np.uint8), (0.0, 0.0))


def relit(sheet: Sheet, seed: int = 3) -> Sheet:
    """A dim warm lamp from the left, where a bright day came from above, and the camera's noise."""
    side = sheet.picture.shape[0]
    lamp = np.linspace(1.25, 0.75, side)[None, :, None] * np.array(LAMP)
    noise = np.random.default_rng(seed).normal(0, 3, sheet.picture.shape)
    return replace(sheet, picture=np.clip(sheet.picture * lamp + noise, 0, 255).astype(np.uint8))


def crop(sheet: Sheet) -> Floats:
    return sheet.cut(GEO.whole_rect(RECT_MM), GEO.whole_px).astype(np.float32)


def taught(cards: dict[str, tuple[int, int, int]], letter: str | None = None) -> tile.TileModel:
    """A model of labels and the colours of their cards, each with its own letter or all with the same."""
    bare = crop(table(None))
    examples = [
        tile_training.Example(i, crop(table(letter or label, card=card)), bare)
        for i, (label, card) in enumerate(cards.items())
    ]
    quick = tile_training.TrainingSettings(pictures=120)
    return tile_training.train(tuple(cards), examples, [bare], GEO, quick)


@pytest.fixture(scope="module")
def letters() -> tile.TileModel:
    return taught(dict.fromkeys(LABELS, (170, 210, 230)))


def remembered(model: tile.TileModel, sheet: Sheet, bare: bool = False) -> Lie:
    whole = crop(sheet)[None]
    aligned = align(model, whole)
    read = [-1] if bare else model.owners[aligned.exemplar].tolist()
    lie = lies(model, [RECT_MM], whole, aligned, read)[0]
    assert lie is not None
    return lie


def known_again(
    model: tile.TileModel, sheets: list[Sheet], before: list[Lie], light: Light = EVEN
) -> NDArray[np.bool_]:
    return unmoved(model, sheets, [light] * len(sheets), before)


def test_a_tile_is_known_again_in_another_light(letters: tile.TileModel) -> None:
    before = [remembered(letters, table(letter, OFF_MM, TURNED)) for letter in LABELS]
    now = [relit(table(letter, OFF_MM, TURNED)) for letter in LABELS]
    assert [letters.labels[lie.label] for lie in before] == list(LABELS)
    assert known_again(letters, now, before).all()


@pytest.mark.parametrize("after", [table("E", OFF_MM, TURNED), table("F", (-1.0, 1.0), -2.0), table(None)])
def test_another_tile_a_moved_one_and_none_are_not_taken_for_the_one_that_lay_there(
    letters: tile.TileModel, after: Sheet
) -> None:
    before = remembered(letters, table("F", OFF_MM, TURNED))
    assert not known_again(letters, [relit(after)], [before]).any()


def test_a_tile_laid_on_the_picture_of_another_label_than_it_was_read_as_is_not_known_again(
    letters: tile.TileModel,
) -> None:
    # It is told by its strokes, and laid on whatever taught picture it covers best: an F may lie on an E.
    whole = crop(table("F"))[None]
    on_an_e = replace(align(letters, whole), exemplar=np.flatnonzero(letters.owners == LABELS.index("E")))
    assert lies(letters, [RECT_MM], whole, on_an_e, [LABELS.index("F")]) == [None]
    assert lies(letters, [RECT_MM], whole, on_an_e, [LABELS.index("E")]) != [None]


def test_a_bare_place_is_known_again_until_something_lies_on_it(letters: tile.TileModel) -> None:
    before = remembered(letters, table(None), bare=True)
    now = [relit(table(None)), relit(table("C"))]
    assert known_again(letters, now, [before, before]).tolist() == [True, False]


def test_labels_of_one_brightness_are_known_again_by_their_colours() -> None:
    # Red and blue cards, equally bright to the camera, with the same letter on them.
    cards = {"red": (120, 150, 240), "blue": (240, 150, 120)}
    model = taught(cards, "E")
    red, blue = (table("E", card=card) for card in cards.values())
    before = [remembered(model, sheet) for sheet in (red, blue)]
    assert known_again(model, [red, blue], before).all()
    assert not known_again(model, [blue, red], before).any()
    lamp = replace(EVEN, grid=EVEN.grid + np.log(np.array(LAMP, np.float32)))
    assert known_again(model, [relit(red), relit(blue)], before, lamp).all()
    assert not known_again(model, [relit(blue), relit(red)], before, lamp).any()


def test_a_set_with_a_label_that_nobody_has_shown_is_always_read_anew(letters: tile.TileModel) -> None:
    before = remembered(letters, table("F"))
    assert known_again(letters, [table("F")], [before]).all()
    assert not known_again(replace(letters, untaught=("X",)), [table("F")], [before]).any()


def test_only_what_was_read_beyond_doubt_is_looked_for_again(letters: tile.TileModel) -> None:
    lie = remembered(letters, table("F"))
    slots = {name: Slot(name, "red", Kind.TILE, "letter", LABELS, RECT_MM) for name in ("red.1", "red.2")}
    pack = Pack(Path(), "p", "", {"red": Board("red", (60.0, 60.0))}, {}, slots)
    fix = Fix(np.diag([SHEET_PX_PER_MM, SHEET_PX_PER_MM, 1.0]), (60.0, 60.0))
    frame = table("F").picture
    located = Located((frame.shape[1], frame.shape[0]), Lens(), {"red": fix})
    seen = Scene(frame, located, {"red": even(pack.boards["red"])}, reaches(pack))
    memory = Memory()
    sure, doubtful = Content({"F": 0.97}, lie=lie), Content({"F": 0.6}, lie=lie)
    memory.keep(looks(seen, slots.values()), {"red.1": sure, "red.2": doubtful})
    assert memory.lying(["red.1", "red.2", "red.3"]) == {"red.1": sure}


def test_what_is_much_less_alike_than_when_it_was_read_is_read_anew(letters: tile.TileModel) -> None:
    before = remembered(letters, table("F"))
    shifted = [table("F", (0.5, 0.3))]
    assert before.alike > 0.97
    assert known_again(letters, shifted, [replace(before, alike=0.0)]).all()
    assert not known_again(letters, shifted, [before]).any()

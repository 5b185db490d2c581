"""Boards found by their print: turned, tilted, in other light, covered, knocked, mixed up, absent."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_tables import Placed, Shot, art_board, chess_board, letter_board, photograph

from vision.boards import Models, load_boards, save_boards, teach_board
from vision.fix import Located, homography, project
from vision.lens import Lens
from vision.locate import locate
from vision.pack import Board
from vision.repeat import turns
from vision.rig import Rig, save_rig

LENS = Lens(-0.03, 0.004)
SHOT = Shot(lens=LENS, px_per_mm=1.5, tilt_px=(10, 4, 12, 0), noise=2)
COLONY = art_board((330, 250), (60, 200, 220), 11)
RED, BLUE = (art_board((280, 210), tint, 22) for tint in ((50, 40, 210), (210, 110, 40)))
TABLE = {
    "colony": Placed(COLONY, (0, 0), 2),
    "red": Placed(RED, (-330, 20), 88),
    "blue": Placed(BLUE, (330, 10), -91),
}


@pytest.fixture(scope="module")
def models() -> Models:
    frame, corners = photograph(TABLE, SHOT)
    return Models(
        {
            name: teach_board(frame, corners[name], Board(name, placed.size_mm), lens=LENS)
            for name, placed in TABLE.items()
        },
        LENS,
    )


def error_px(located: Located, corners: dict[str, np.ndarray]) -> float:
    return max(
        float(np.linalg.norm(located.corners_px(name) - corners[name], axis=1).max()) for name in corners
    )


@pytest.mark.parametrize(
    "shot",
    [
        SHOT,
        replace(SHOT, gains=(0.55, 0.8, 1.05), side_light=0.35, seed=5),
        replace(SHOT, gains=(0.25, 0.25, 0.28), noise=4, seed=6),
        replace(SHOT, px_per_mm=1.25, shift_px=(40, -25), seed=7),
    ],
    ids=["as taught", "a warm lamp from one side", "dim", "the camera raised and nudged"],
)
def test_every_board_is_found_within_a_pixel(models: Models, shot: Shot) -> None:
    frame, corners = photograph(TABLE, shot)
    located = locate(frame, models)
    assert set(located.fixes) == set(TABLE)
    assert error_px(located, corners) < 1.0
    assert all(fix.sure > 0.9 for fix in located.fixes.values())


def test_boards_are_found_at_any_turn_and_told_apart_by_colour(models: Models) -> None:
    swapped = {
        "colony": Placed(COLONY, (20, 10), 200),
        "red": Placed(RED, (330, -30), 130),
        "blue": Placed(BLUE, (-340, 20), 5),
    }
    frame, corners = photograph(swapped, replace(SHOT, gains=(0.7, 0.9, 1.1), seed=3))
    located = locate(frame, models)
    assert set(located.fixes) == set(TABLE)
    assert error_px(located, corners) < 1.0


def test_a_knocked_board_is_found_again_and_the_others_are_followed(models: Models) -> None:
    frame, _ = photograph(TABLE, SHOT)
    before = locate(frame, models)
    knocked = {**TABLE, "red": Placed(RED, (-345, -60), 30)}
    frame, corners = photograph(knocked, replace(SHOT, seed=9))
    located = locate(frame, models, before)
    assert error_px(located, corners) < 1.0


def test_a_small_nudge_is_followed_to_a_fraction_of_a_pixel(models: Models) -> None:
    frame, _ = photograph(TABLE, SHOT)
    before = locate(frame, models)
    frame, corners = photograph(TABLE, replace(SHOT, shift_px=(3.3, -2.4), seed=4))
    assert error_px(locate(frame, models, before), corners) < 0.5


def test_a_board_half_under_a_hand_is_still_found(models: Models) -> None:
    frame, corners = photograph(TABLE, SHOT)
    middle = corners["red"].mean(axis=0)
    cv2.line(frame, (0, 700), (int(middle[0]), int(middle[1])), (120, 150, 200), 130)
    located = locate(frame, models)
    assert error_px(located, corners) < 1.0


def test_an_absent_board_is_said_to_be_missing_and_its_place_is_not_given_away(models: Models) -> None:
    frame, corners = photograph({name: TABLE[name] for name in ("colony", "blue")}, SHOT)
    located = locate(frame, models)
    assert set(located.fixes) == {"colony", "blue"}
    assert error_px(located, corners) < 1.0
    assert "red" in located.missing["red"]


def test_half_a_board_is_found_with_its_corners_beyond_the_picture(models: Models) -> None:
    frame, corners = photograph(TABLE, replace(SHOT, shift_px=(-260, 0), seed=2))
    located = locate(frame, models)
    assert corners["red"].min() < -20
    assert "red" in located.fixes
    assert np.linalg.norm(located.corners_px("red") - corners["red"], axis=1).max() < 2.5


def test_a_sliver_of_a_board_is_not_reported_with_certainty(models: Models) -> None:
    frame, corners = photograph(TABLE, replace(SHOT, shift_px=(-400, 0), seed=2))
    assert corners["red"][:, 0].max() < 130
    located = locate(frame, models)
    assert "red" not in located.fixes or located.fixes["red"].sure < 0.9


def test_another_edition_with_a_fifth_of_the_print_in_common_is_not_taken_for_the_board(
    models: Models,
) -> None:
    mixed = art_board((280, 210), (50, 40, 210), 77)
    strip = mixed.shape[1] // 5
    mixed[:, :strip] = RED[:, :strip]
    frame, _ = photograph({"colony": TABLE["colony"], "red": Placed(mixed, (-330, 20), 88)}, SHOT)
    assert set(locate(frame, models).fixes) == {"colony"}


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_is_found_where_there_is_no_board(models: Models, seed: int) -> None:
    bare, _ = photograph({}, replace(SHOT, seed=seed, noise=6))
    assert not locate(bare, models).fixes
    other = {"x": Placed(art_board((300, 220), (10, 10, 10), 90 + seed), (0, 0), 10)}
    assert not locate(photograph(other, SHOT)[0], models).fixes
    noise = np.random.default_rng(seed).integers(0, 255, (600, 900, 3)).astype(np.uint8)
    assert not locate(noise, models).fixes


def test_what_was_taught_is_kept_without_loss(
    models: Models, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("pack") / "taught" / "boards.npz"
    save_boards(models, path)
    frame, corners = photograph(TABLE, replace(SHOT, seed=8))
    again = load_boards(path)
    assert again.lens == LENS
    save_rig(Rig(focal=0.4), path.parents[1] / "rig.toml")
    assert load_boards(path).lens == replace(LENS, focal=0.4)
    assert error_px(locate(frame, again), corners) < 1.0


def test_a_damaged_or_missing_file_of_teaching_says_what_to_do(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("pack") / "taught" / "boards.npz"
    with pytest.raises(FileNotFoundError, match="enrol"):
        load_boards(path)
    path.parent.mkdir()
    path.write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(ValueError, match="run enrol again"):
        load_boards(path)


GRIDS = {"letters": (letter_board(), 20.0, 10.0, 15), "chess": (chess_board(), 46.0, 16.0, 8)}


@pytest.fixture(scope="module")
def grids() -> dict[str, Models]:
    """Boards that are nothing but slots, filling the frame, and much the same everywhere."""
    taught = {}
    for name, (picture, cell, edge, count) in GRIDS.items():
        placed = Placed(picture, (0, 0), 2)
        shot = Shot(px_per_mm=800 / placed.size_mm[0], tilt_px=(6, 3, 8, 2))
        frame, corners = photograph({name: placed}, shot)
        slots = [(edge + c * cell, edge + r * cell, cell, cell) for r in range(count) for c in range(count)]
        board = Board(name, placed.size_mm)
        taught[name] = Models({name: teach_board(frame, corners[name], board, slots)}, Lens())
    return taught


def with_pieces(name: str, share: float) -> np.ndarray:
    picture, cell, edge, count = GRIDS[name]
    shown, rng = picture.copy(), np.random.default_rng(3)
    for row in range(count):
        for column in range(count):
            if rng.random() < share:
                x, y = (round((edge + (n + 0.5) * cell) * 4) for n in (column, row))
                reach = round(cell * 4 * 0.42)
                cv2.rectangle(shown, (x - reach, y - reach), (x + reach, y + reach), (190, 220, 235), -1)
                cv2.putText(shown, "ABCDEF"[row % 6], (x - 20, y + 20), 0, 1.6, (20, 20, 20), 3)
    return shown


@pytest.mark.parametrize("name", GRIDS)
@pytest.mark.parametrize(
    ("moved_mm", "turned", "gains"),
    [
        ((0, 0), 2, (1, 1, 1)),
        ((4, -6), 4, (0.6, 0.75, 0.9)),
        ((0, 0), 182, (1, 1, 1)),
        ((20, 4), 95, (1, 1, 1)),
    ],
    ids=["as taught", "nudged under a lamp", "turned half round", "turned a quarter"],
)
def test_a_board_of_squares_is_put_on_the_right_square_and_the_right_way_round(
    grids: dict[str, Models],
    name: str,
    moved_mm: tuple[float, float],
    turned: float,
    gains: tuple[float, float, float],
) -> None:
    placed = Placed(with_pieces(name, 0.25), moved_mm, turned)
    shot = Shot(px_per_mm=720 / placed.size_mm[0], tilt_px=(6, 3, 8, 2), gains=gains, noise=3)
    frame, corners = photograph({name: placed}, shot)
    located = locate(frame, grids[name])
    assert error_px(located, corners) < 1.0


def without_words() -> np.ndarray:
    """A board of squares that is the same from all four sides."""
    picture, cell, edge, count = GRIDS["letters"]
    board = np.full_like(picture, (60, 95, 35))
    for row in range(count):
        for column in range(count):
            r, c = min(row, count - 1 - row), min(column, count - 1 - column)
            colour = (
                (90, 60, 200) if r % 7 == 0 and c % 7 == 0 else (230, 200, 150) if r == c else (60, 95, 35)
            )
            x, y = (round((edge + n * cell) * 4) for n in (column, row))
            corner = x + round(cell * 4), y + round(cell * 4)
            cv2.rectangle(board, (x, y), corner, colour, -1)
            cv2.rectangle(board, (x, y), corner, (20, 40, 10), 3)
    return board


@pytest.mark.parametrize("slip_px", [(4.0, 3.0), (-3.0, 4.0), (3.0, -4.0)])
def test_the_turns_of_a_board_follow_its_print_however_its_corners_were_given(
    slip_px: tuple[float, float],
) -> None:
    outline = [(0.0, 0.0), (320.0, 0.0), (320.0, 320.0), (0.0, 320.0)]
    shot = Shot(px_per_mm=2.5, tilt_px=(6, 3, 8, 2))
    frame, corners = photograph({"words": Placed(without_words(), (0, 0), 1)}, shot)
    # A hand that slips at two of the corners: turned about the middle, lines land beside their like.
    given = corners["words"] + np.array([slip_px, (0, 0), (0, 0), slip_px])
    slots = [(10.0 + 20 * c, 10.0 + 20 * r, 20.0, 20.0) for r in range(15) for c in range(15)]
    model = teach_board(frame, given, Board("words", (320.0, 320.0)), slots)
    truly = homography(corners["words"], outline) @ homography(outline, given)
    half, quarter, back = turns(model.reference, model.size_mm)
    lines = [(x, y) for x in (30.0, 150.0, 290.0) for y in (30.0, 150.0, 290.0)]
    for turn, degrees in ((half, 180), (quarter, 90), (back, -90)):
        about = np.vstack([cv2.getRotationMatrix2D((160, 160), -degrees, 1.0), (0, 0, 1)])
        wanted = project(np.linalg.inv(truly) @ about @ truly, lines)
        assert np.abs(project(turn, lines) - wanted).max() < 0.6

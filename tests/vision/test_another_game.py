"""Another game from end to end: a word game nobody programmed, taught by its files alone and read again."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.enrol import enrol
from vision.look import Looker
from vision.turned import way_round

Picture = NDArray[np.uint8]
Words = dict[str, str]

SQUARES, CELL_MM, EDGE_MM, PX = 6, 20, 10, 6
SIDE_MM = SQUARES * CELL_MM + 2 * EDGE_MM
FRAME = (900, 900)
CORNERS = [[60, 50], [845, 42], [852, 850], [52, 856]]
LETTERS = "AEKNOR_"
EDGE = "WORDS  WORDS  WORDS"
# No photograph shows the bare board, and only B2 is never seen bare.
TAUGHT: tuple[Words, ...] = (
    {"B2": "A", "B3": "K", "B4": "N"},
    {"B2": "O", "C2": "R", "D2": "E", "D3": "_", "D4": "N", "E6": "A", "A6": "K"},
    {"B2": "K", "A1": "E", "F1": "R", "F2": "O", "F3": "A", "F4": "_", "C5": "N", "D5": "O"},
)
SEEN: tuple[Words, ...] = (
    {"B2": "N", "C3": "A", "C4": "R", "D4": "O", "E4": "K", "F6": "_"},
    {"B2": "E", "B3": "R", "A5": "K", "A6": "N", "E1": "_", "F1": "A", "E2": "O"},
)


def drawn_board(edge: str) -> Picture:
    """Dark green with coloured squares, the same however it is turned but for words on its edge."""
    board = np.full((SIDE_MM * PX, SIDE_MM * PX, 3), (60, 105, 40), np.uint8)
    for row in range(SQUARES):
        for column in range(SQUARES):
            r, c = min(row, SQUARES - 1 - row), min(column, SQUARES - 1 - column)
            colour = (50, 40, 190) if r == c == 0 else (190, 120, 60) if r == c else (60, 105, 40)
            x, y = ((EDGE_MM + n * CELL_MM) * PX for n in (column, row))
            cv2.rectangle(board, (x, y), (x + CELL_MM * PX, y + CELL_MM * PX), colour, -1)
            cv2.rectangle(board, (x, y), (x + CELL_MM * PX, y + CELL_MM * PX), (10, 25, 10), 4)
    cv2.putText(board, edge, (80, SIDE_MM * PX - 14), 0, 1.4, (230, 235, 235), 4, cv2.LINE_AA)
    return board


def drawn_tile(letter: str) -> Picture:
    side = round(18.5 * PX)
    tile = np.full((side, side, 3), (190, 215, 225), np.uint8)
    if letter != "_":
        cv2.putText(tile, letter, (26, 78), 0, 2.2, (30, 30, 30), 9, cv2.LINE_AA)
    cv2.rectangle(tile, (0, 0), (side - 1, side - 1), (150, 175, 185), 3)
    return tile


def photograph(
    words: Words, seed: int, light: tuple[float, float, float] = (1.0, 1.0, 1.0), edge: str = EDGE
) -> Picture:
    """The board from above with tiles laid by hand, in some light."""
    rng = np.random.default_rng(seed)
    board = drawn_board(edge)
    size = board.shape[1], board.shape[0]
    for slot, letter in words.items():
        tile = drawn_tile(letter)
        reach = tile.shape[0] / 2
        turn = cv2.getRotationMatrix2D((reach, reach), float(rng.uniform(-4, 4)), 1.0)
        middle = [EDGE_MM + (n + 0.5) * CELL_MM for n in (int(slot[1]) - 1, ord(slot[0]) - ord("A"))]
        turn[:, 2] += np.array(middle) * PX + rng.uniform(-1.5, 1.5, 2) * PX - reach
        cover = cv2.warpAffine(np.full(tile.shape[:2], 255, np.uint8), turn, size)
        board[cover > 127] = cv2.warpAffine(tile, turn, size)[cover > 127]
    outline = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
    pose = cv2.getPerspectiveTransform(outline, np.array(CORNERS, np.float32))
    frame = np.full((FRAME[1], FRAME[0], 3), (205, 210, 215), np.uint8)
    cv2.warpPerspective(
        board, pose, FRAME, dst=frame, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
    )
    lit = cv2.GaussianBlur(frame, (0, 0), 0.8) * np.array(light) + rng.normal(0, 2, frame.shape)
    return np.clip(lit, 0, 255).astype(np.uint8)


def by_another_camera(frame: Picture) -> Picture:
    """The same table in stronger colours: no light makes one of the other."""
    light = (frame / 255.0) ** 2.2
    grey = light.mean(axis=2, keepdims=True)
    return (255 * np.clip(grey + 1.8 * (light - grey), 0, 1) ** (1 / 2.2)).astype(np.uint8)


def slots() -> list[str]:
    return [f"{row}{column}" for row in "ABCDEF"[:SQUARES] for column in range(1, SQUARES + 1)]


@pytest.fixture(scope="module")
def looker(tmp_path_factory: pytest.TempPathFactory) -> Looker:
    return taught(tmp_path_factory.mktemp("words"), EDGE)


def taught(folder: Path, edge: str) -> Looker:
    """The game of its files, on a board with words on its edge or without."""
    pack = [
        'version = 1\nname = "words"\ngame = "words"',
        f"[boards.board]\nsize_mm = [{SIDE_MM}, {SIDE_MM}]",
        f"[pieces]\nletter = {list(LETTERS)}",
    ]
    for slot in slots():
        x, y = (EDGE_MM + n * CELL_MM for n in (int(slot[1]) - 1, ord(slot[0]) - ord("A")))
        pack.append(
            f'[[slots]]\nid = "{slot}"\nboard = "board"\nkind = "tile"\npieces = "letter"\n'
            f"rect_mm = [{x}, {y}, {CELL_MM}, {CELL_MM}]"
        )
    (folder / "pack.toml").write_text("\n".join(pack), encoding="utf-8")
    lessons = []
    for number, words in enumerate(TAUGHT):
        cv2.imwrite(str(folder / f"{number}.png"), photograph(words, number, edge=edge))
        lessons.append(f'[[photos]]\nfile = "{number}.png"\nempty = true')
        lessons += [f"[photos.corners_px]\nboard = {CORNERS}"] if number == 0 else []
        lessons.append("[photos.slots]")
        lessons += [f'{slot} = "{letter}"' for slot, letter in words.items()]
    (folder / "enrol.toml").write_text("\n".join(lessons), encoding="utf-8")
    enrol(folder)
    return Looker.load(folder)


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.6, 0.75, 0.85)], ids=["same light", "warm and dim"])
def test_a_word_game_taught_without_a_bare_board_is_read_square_by_square(
    looker: Looker, light: tuple[float, float, float]
) -> None:
    for number, words in enumerate(SEEN):
        looker.forget()
        reading = looker.look(photograph(words, 10 + number, light))
        seen = reading.boards["board"]
        assert np.abs(np.array(seen.corners_px) - np.array(CORNERS)).max() < 3
        read = {slot: max(p, key=lambda label, p=p: p[label]) for slot, p in reading.tiles.items()}
        assert read == {slot: words.get(slot, "empty") for slot in slots()}


def test_bare_squares_are_bare_to_another_camera_than_the_one_that_taught(looker: Looker) -> None:
    for number, words in enumerate(SEEN):
        looker.forget()
        reading = looker.look(by_another_camera(photograph(words, 101 + number)))
        assert {slot for slot in slots() if slot not in words and reading.best(slot) != "empty"} == set()
        letters = {slot: letter for slot, letter in words.items() if letter != "_"}
        assert {slot: reading.best(slot) for slot in letters} == letters


def test_a_square_no_photograph_shows_bare_is_still_known_to_hold_a_tile(looker: Looker) -> None:
    looker.forget()
    reading = looker.look(photograph({"B2": "R", "B3": "A"}, 20))
    assert reading.tiles["B2"]["R"] > 0.9


def test_a_square_no_photograph_shows_bare_is_known_by_its_like(looker: Looker) -> None:
    looker.forget()
    reading = looker.look(photograph({"B3": "R", "C3": "A", "F6": "_"}, 21))
    assert reading.tiles["B2"]["empty"] > 0.9


def test_pieces_tell_which_way_round_a_board_lies_that_is_the_same_from_all_sides(tmp_path: Path) -> None:
    looker = taught(tmp_path, edge="")
    words = {"B2": "K", "B3": "A", "B4": "R", "B5": "E", "C4": "A", "D4": "K", "E4": "E", "F4": "R"}
    for turned in (None, cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180):
        looker.forget()
        frame = photograph(words, 30, edge="")
        reading = looker.look(frame if turned is None else np.asarray(cv2.rotate(frame, turned), np.uint8))
        read = {slot: reading.best(slot) for slot in slots()}
        assert read == {slot: words.get(slot, "empty") for slot in slots()}
    # The board stays as it lies; whoever turns it between two looks turns its pieces with it.
    again = looker.look(frame)
    assert {slot: again.best(slot) for slot in slots()} == read


@pytest.mark.parametrize(
    ("here", "turned", "believed"), [(7.0, 3.5, False), (30.0, 1.0, True)], ids=["by chance", "plainly"]
)
def test_pieces_turn_a_board_against_its_words_only_where_they_tell_plainly(
    looker: Looker, here: float, turned: float, believed: bool
) -> None:
    looker.forget()
    frame = photograph(SEEN[0], 40)
    looker.look(frame)
    located, model = looker.located, looker.models.boards["board"]
    assert located is not None
    assert located.fixes["board"].sure >= 0.95
    asked = iter([here])
    told = way_round(frame, model, located, lambda _: next(asked, turned))
    # Two turns are equally good: none of them can be believed.
    assert told is None
    asked = iter([here, turned])
    told = way_round(frame, model, located, lambda _: next(asked, here))
    assert (told is not None) is believed

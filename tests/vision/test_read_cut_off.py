"""A track that the picture's edge cuts off: its one marker stands where it is seen, or somewhere nobody can see."""

import cv2
import numpy as np
import pytest
from drawn_tables import art_board
from numpy.typing import NDArray

from calibration.enrol import enrol
from vision.look import Looker

Picture = NDArray[np.uint8]

PX = 4
SIZE_MM = (110.0, 90.0)
MARGIN_MM = 25.0
PLACES_MM = [(20.0, 102.0), (45.0, 102.0), (70.0, 102.0), (95.0, 102.0)]
MARKER_MM = (15.0, 12.0)


def photograph(place: int | None, seed: int, cut_mm: float = 0.0) -> Picture:
    """The board from above with its track below it, the right side of the table out of the picture."""
    rng = np.random.default_rng(seed)
    width, height = (round((side + 2 * MARGIN_MM) * PX) for side in SIZE_MM)
    frame = np.full((height, width, 3), (90, 130, 165), np.uint8)
    edge = round(MARGIN_MM * PX)
    board = art_board(SIZE_MM, (40, 60, 200), 4)
    frame[edge : edge + board.shape[0], edge : edge + board.shape[1]] = board
    if place is not None:
        x, y = (round((MARGIN_MM + at) * PX) for at in PLACES_MM[place])
        half = [round(side * PX / 2) for side in MARKER_MM]
        cv2.rectangle(frame, (x - half[0], y - half[1]), (x + half[0], y + half[1]), (40, 40, 150), -1)
        cv2.circle(frame, (x, y), half[1] - 5, (70, 210, 235), 5, cv2.LINE_AA)
        cv2.line(frame, (x - half[0], y - half[1]), (x, y), (235, 235, 235), 3, cv2.LINE_AA)
    seen = cv2.GaussianBlur(frame, (0, 0), 0.8) + rng.normal(0, 2, frame.shape)
    return np.asarray(np.clip(seen, 0, 255), np.uint8)[:, : width - round(cut_mm * PX)]


@pytest.fixture(scope="module")
def looker(tmp_path_factory: pytest.TempPathFactory) -> Looker:
    folder = tmp_path_factory.mktemp("track")
    (folder / "pack.toml").write_text(
        f'version = 1\nname = "track"\ngame = "race"\n[boards.board]\nsize_mm = {list(SIZE_MM)}\n'
        '[pieces]\nrunner = ["runner"]\n[[slots]]\nid = "board.track"\nboard = "board"\nkind = "track"\n'
        f'pieces = "runner"\nsize_mm = {list(MARKER_MM)}\nplaces_mm = {[list(place) for place in PLACES_MM]}\n'
    )
    right, bottom = ((MARGIN_MM + side) * PX for side in SIZE_MM)
    left = MARGIN_MM * PX
    corners = [[left, left], [right, left], [right, bottom], [left, bottom]]
    lessons = [f'[[photos]]\nfile = "0.png"\nempty = true\n[photos.corners_px]\nboard = {corners}']
    cv2.imwrite(str(folder / "0.png"), photograph(None, 0))
    for number, place in enumerate((0, 2), 1):
        cv2.imwrite(str(folder / f"{number}.png"), photograph(place, number))
        lessons.append(
            f'[[photos]]\nfile = "{number}.png"\n[photos.slots]\n"board.track" = {{ runner = {place} }}'
        )
    (folder / "enrol.toml").write_text("\n".join(lessons))
    enrol(folder)
    return Looker.load(folder)


@pytest.mark.parametrize("place", range(len(PLACES_MM)))
def test_a_track_wholly_in_the_picture_is_read(looker: Looker, place: int) -> None:
    looker.forget()
    assert looker.look(photograph(place, 10)).counts["board.track"]["runner"][place] > 0.95


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_marker_that_is_seen_stands_on_no_place_out_of_the_picture(looker: Looker, place: int) -> None:
    looker.forget()
    assert looker.look(photograph(place, 20, cut_mm=36)).counts["board.track"]["runner"][place] > 0.95


@pytest.mark.parametrize("place", [3, None])
def test_where_no_marker_is_seen_it_may_stand_out_of_the_picture(looker: Looker, place: int | None) -> None:
    looker.forget()
    reading = looker.look(photograph(place, 30, cut_mm=36))
    assert reading.boards["board"].found
    assert "board.track" in reading.hidden
    # Nor is it remembered as if it had been read.
    assert "board.track" in looker.look(photograph(place, 31, cut_mm=36)).hidden

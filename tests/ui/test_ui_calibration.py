"""A finger calibrates: from the welcome screen through corners and layout to the pieces, with loupe and zoom."""

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from conftest import Hearing
from fingers import Finger
from kivy.tests.common import UnitTestTouch

from calibration.packs import packs_dir
from calibration.shown import Shown
from calibration.write import pack_toml
from companion import actions
from companion.calibrator import Calibrator, CalibratorSettings
from companion.journal.journal import Journal
from companion.messages import Message
from companion.rules import sample_cards
from companion.session import Session
from companion.state import Calibrating, Welcome
from companion.ui.calibration import TouchedPicture
from companion.ui.window import Touchscreen
from hardware.frame import Frame
from vision.pack import Board, Kind, Pack, Slot

CORNERS = ((240.0, 180.0), (1360.0, 180.0), (1360.0, 1020.0), (240.0, 1020.0))
LABELS = ("credits", "prestige")
REWARD = Slot("red.reward.1", "red", Kind.TILE, "permanent", LABELS, (40, 40, 60, 40))
PACK = Pack(
    Path(), "Sample", "otys", {"red": Board("red", (280, 210))}, {"permanent": LABELS}, {REWARD.id: REWARD}
)


class DrawnCamera:
    """One dark board with a printed space on a light table."""

    name = "drawn"
    _taken = 0

    def open(self) -> None: ...

    def close(self) -> None: ...

    def small(self, timeout_s: float = 1.0) -> Frame:
        frame = self.full()
        return Frame(np.asarray(cv2.resize(frame.bgr, (640, 480)), np.uint8), frame.time_s)

    def full(self, timeout_s: float = 3.0) -> Frame:
        self._taken += 1
        bgr = np.full((1200, 1600, 3), (90, 130, 165), np.uint8)
        cv2.fillPoly(bgr, [np.array(CORNERS, np.int32)], (60, 60, 30), cv2.LINE_AA)
        cv2.rectangle(bgr, (400, 340), (640, 500), (120, 110, 70), -1)
        return Frame(np.asarray(cv2.GaussianBlur(bgr, (0, 0), 0.8), np.uint8), 2.0 * self._taken)


class Table:
    """Session, calibrator and window as the application puts them together, in one thread."""

    def __init__(self, touchscreen: Touchscreen, folder: Path) -> None:
        layout = packs_dir() / "otys-sample"
        layout.mkdir(parents=True)
        (layout / "pack.toml").write_text(pack_toml(PACK), encoding="utf-8")
        self.touchscreen = touchscreen
        self.session = Session(Journal(folder), lambda name: sample_cards())
        self.messages: deque[Message] = deque()
        self.calibrator = Calibrator(
            DrawnCamera(), layout, self.messages.append, settings=CalibratorSettings(wait_s=0.0)
        )
        self.finger = Finger(touchscreen, self.go_on)
        self.show()

    def hear(self, message: Message) -> None:
        self.messages.append(message)

    def go_on(self) -> None:
        """Everything that follows from a touch, and the next picture."""
        for _ in range(2):
            self._handle()
            self.calibrator.step()
        self._handle()
        self.show()

    def _handle(self) -> None:
        while self.messages:
            message = self.messages.popleft()
            if not self.calibrator.hear(message):
                self.session.handle(message)
                self.calibrator.attend(isinstance(self.session.state.mode, Calibrating))

    def show(self) -> None:
        self.touchscreen.show(self.session.state)
        self.touchscreen.settle(3)

    @property
    def shown(self) -> Shown:
        mode = self.session.state.mode
        assert isinstance(mode, Calibrating) and isinstance(mode.progress, Shown)
        return mode.progress

    @property
    def picture(self) -> TouchedPicture:
        return next(w for w in self.touchscreen.stage.walk() if isinstance(w, TouchedPicture))

    def at(self, point_px: tuple[float, float]) -> tuple[float, float]:
        """Where in the window a pixel of the camera's picture is; the screen's is as large here."""
        x, y = self.picture.to_window_px(point_px)
        return float(x), float(y)

    def put_down(self, point_px: tuple[float, float]) -> Any:
        touch = UnitTestTouch(*self.at(point_px))
        touch.touch_down()
        return touch

    def drag(self, start_px: tuple[float, float], end_px: tuple[float, float]) -> None:
        touch = self.put_down(start_px)
        touch.touch_move(*self.at(end_px))
        touch.touch_up()
        self.go_on()


@pytest.fixture
def table(
    seven_inch: Touchscreen, heard: Hearing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Table]:
    monkeypatch.setenv("OTYS_DATA", str(tmp_path))
    table = Table(seven_inch, tmp_path)
    heard.answer = table.hear
    yield table
    heard.answer = lambda message: None


def tap_all_corners(table: Table) -> None:
    table.finger.press(actions.CALIBRATE)
    table.finger.press(actions.CALIBRATION, "shoot")
    for corner in CORNERS:
        table.finger.touch(*table.at(corner))


def test_the_welcome_screen_leads_to_the_live_picture_and_back(table: Table) -> None:
    table.finger.press(actions.CALIBRATE)
    assert table.shown.headline == "Put the camera over the table"
    assert table.shown.picture is not None
    table.finger.press(actions.BACK)
    assert isinstance(table.session.state.mode, Welcome)
    assert not table.calibrator.step(), "the camera is free again"


def test_corners_tapped_with_a_finger_jump_onto_the_edges_of_the_board(table: Table) -> None:
    tap_all_corners(table)
    assert table.shown.headline == "All corners are set"
    (outline,) = table.shown.marks
    assert np.abs(np.array(outline.points_px[:4]) - CORNERS).max() < 1.5


def test_a_loupe_shows_what_the_finger_hides_until_it_is_lifted(table: Table) -> None:
    table.finger.press(actions.CALIBRATE)
    table.finger.press(actions.CALIBRATION, "shoot")
    picture = table.picture
    touch = table.put_down(CORNERS[0])
    assert picture.canvas.after.length() > 0
    touch.touch_move(*table.at((CORNERS[0][0] + 30, CORNERS[0][1])))
    touch.touch_up()
    assert picture.canvas.after.length() == 0
    table.go_on()
    (mark,) = table.shown.marks
    assert mark.points_px[0] == pytest.approx((CORNERS[0][0] + 30, CORNERS[0][1]), abs=3), (
        "where it left, not where it came down"
    )


def test_a_tapped_board_fills_the_screen_and_its_frames_are_pulled_there(table: Table) -> None:
    tap_all_corners(table)
    table.finger.press(actions.CALIBRATION, "next")
    table.finger.touch(*table.at((800.0, 800.0)))
    assert table.shown.crop_px is not None
    before = table.shown.marks[-1].points_px[0]
    table.drag((480.0, 400.0), (520.0, 430.0))
    after = table.shown.marks[-1].points_px[0]
    assert (after[0] - before[0], after[1] - before[1]) == pytest.approx((40, 30), abs=4)
    table.finger.press(actions.CALIBRATION, "whole")
    assert table.shown.crop_px is None


def test_what_to_lay_is_written_where_it_belongs(table: Table) -> None:
    tap_all_corners(table)
    table.finger.press(actions.CALIBRATION, "next")
    table.finger.press(actions.CALIBRATION, "next")
    assert table.shown.headline == "Lay out the pieces: photograph 1 of 2"
    screen = table.touchscreen.stage.screen
    assert [(mark.text, mark.short) for mark in screen.picture.marks] == [("2 credits", "credits")]
    for _ in range(2):
        table.finger.press(actions.CALIBRATION, "shoot")
    assert table.shown.headline == "All pieces have been shown"
    table.finger.press(actions.CALIBRATION, "back")
    assert table.shown.headline == "Lay out the pieces: photograph 2 of 2"

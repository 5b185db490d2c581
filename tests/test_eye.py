"""The eye reads only a still table, once for each request, and says why when it cannot."""

from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest

from companion.eye import Eye, EyeSettings, Wanted
from companion.messages import CameraBack, CameraLost, CannotSee, Message, Seen, Watch
from hardware.frame import CameraLost as CameraTrouble
from hardware.frame import Frame, Picture
from vision.reading import Reading

READING = Reading({}, {}, {})


class Table:
    """A camera, a settle and a looker that do as the test says."""

    name = "scripted"

    def __init__(self, stillness: list[str | CameraTrouble]) -> None:
        self.stillness: Iterator[str | CameraTrouble] = iter(stillness)
        self.now_s = 0.0
        self.fulls = 0
        self.swapped = False
        self.looked_at: list[frozenset[str]] = []
        self.meanwhile: Callable[[], None] = lambda: None
        self.next: str = "moving"
        self.error: ValueError | None = None

    def open(self) -> None: ...

    def close(self) -> None: ...

    def small(self, timeout_s: float = 1.0) -> Frame:
        told = next(self.stillness)
        if isinstance(told, CameraTrouble):
            raise told
        self.next = told
        self.now_s += 0.1
        return Frame(np.zeros((4, 4, 3), np.uint8), self.now_s)

    def full(self, timeout_s: float = 3.0) -> Frame:
        self.fulls += 1
        return Frame(np.full((1440, 2560, 3), 128, np.uint8), self.now_s)

    def see(self, picture: Picture, time_s: float) -> str:
        return self.next

    def same(self, before: Picture, now: Picture) -> bool:
        return not self.swapped

    def look(self, bgr: Picture, boards: frozenset[str]) -> Reading:
        if self.error is not None:
            raise self.error
        self.looked_at.append(boards)
        self.meanwhile()
        return READING


def watch(table: Table, wanted: Wanted, steps: int) -> list[Message]:
    heard: list[Message] = []
    eye = Eye(table, table, table, heard.append)
    eye.want(wanted)
    for _ in range(steps):
        eye.step()
    return heard


def test_nothing_is_read_while_a_hand_is_over_the_boards() -> None:
    table = Table(["hand", "moving", "hand"])
    heard = watch(table, "one", 3)
    assert table.fulls == 0
    assert heard == [Watch("hand"), Watch("watching"), Watch("hand")]


def test_a_still_table_is_read_once_when_it_is_asked_for() -> None:
    table = Table(["moving", "still", "still", "still"])
    heard = watch(table, "one", 4)
    assert table.fulls == 1
    assert [type(message) for message in heard] == [Watch, Watch, Seen, Watch]
    assert heard[-1] == Watch("still")


def test_a_still_table_nobody_asks_about_is_not_read() -> None:
    table = Table(["still", "still"])
    assert watch(table, "nothing", 2) == [Watch("still")]
    assert table.fulls == 0


def test_a_live_look_reads_again_and_again_but_not_every_picture() -> None:
    table = Table(["still"] * 20)
    heard = watch(table, "live", 20)
    assert sum(isinstance(message, Seen) for message in heard) == 1 + int(1.9 / EyeSettings().live_pause_s)


def test_the_picture_for_the_screen_is_small_and_says_its_scale() -> None:
    heard = watch(Table(["still"]), "one", 1)
    (seen,) = [message for message in heard if isinstance(message, Seen)]
    assert seen.picture is not None
    picture = cv2.imdecode(np.frombuffer(seen.picture, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape[:2] == (720, 1280)
    assert seen.picture_scale == pytest.approx(0.5)


def test_a_picture_nobody_can_read_is_a_sentence() -> None:
    table = Table(["still"])
    table.error = ValueError("The picture is black: is the lens cap on?")
    heard = watch(table, "one", 1)
    assert CannotSee("The picture is black: is the lens cap on?") in heard


def test_a_resting_hand_is_waited_for_with_signs_of_life() -> None:
    table = Table([*["hand"] * 50, "still"])
    heard = watch(table, "one", 51)
    assert heard[:-3] == [Watch("hand")] * 5
    assert isinstance(heard[-2], Seen)


def test_a_lost_camera_is_told_once_and_so_is_its_return() -> None:
    gone = CameraTrouble("the camera is gone")
    heard = watch(Table(["still", gone, gone, "still"]), "nothing", 4)
    assert heard == [Watch("still"), CameraLost("the camera is gone"), CameraBack(), Watch("still")]


BOARDS = frozenset({"colony", "red"})


class Expecting:
    """An eye that expects a press, step by step."""

    def __init__(self, stillness: list[str | CameraTrouble], ahead: bool = True) -> None:
        self.table = Table(stillness)
        self.heard: list[Message] = []
        self.eye = Eye(self.table, self.table, self.table, self.heard.append, ahead=ahead)
        self.eye.expect(BOARDS)

    def step(self, times: int = 1) -> "Expecting":
        for _ in range(times):
            self.eye.step()
        return self

    def press(self) -> list[Message]:
        """What is heard from the press to the end of the next step."""
        self.heard.clear()
        self.eye.want("one", BOARDS)
        self.eye.step()
        return self.heard


def test_an_expected_look_is_read_once_when_the_hand_has_left_and_told_when_it_is_asked_for() -> None:
    expecting = Expecting(["hand", "still", "still", "still", "still"]).step(4)
    assert expecting.table.looked_at == [BOARDS]
    assert not [message for message in expecting.heard if isinstance(message, Seen)]
    (seen,) = expecting.press()
    assert isinstance(seen, Seen)
    assert expecting.table.fulls == 1


def test_what_moved_after_it_was_read_ahead_is_read_again() -> None:
    expecting = Expecting(["still", "moving", "hand", "still"]).step(3)
    assert [type(message) for message in expecting.press()] == [Watch, Seen, Watch]
    assert expecting.table.fulls == 2


def test_a_piece_moved_unseen_while_the_boards_were_read_is_read_again() -> None:
    expecting = Expecting(["still"] * 2).step()
    expecting.table.swapped = True
    expecting.press()
    assert expecting.table.fulls == 2


def test_a_press_while_the_boards_are_read_ahead_is_answered_with_that_reading() -> None:
    expecting = Expecting(["still"] * 2)
    expecting.table.meanwhile = lambda: expecting.eye.want("one", BOARDS)
    expecting.step()
    assert [type(message) for message in expecting.heard] == [Watch, Watch, Seen, Watch]
    assert expecting.heard[1] == Watch("reading")
    expecting.step()
    assert expecting.table.fulls == 1


def test_a_press_while_the_boards_are_read_slowly_is_answered_after_a_glance_at_the_table() -> None:
    expecting = Expecting(["still"] * 2)
    expecting.eye = Eye(
        expecting.table, expecting.table, expecting.table, expecting.heard.append, EyeSettings(unseen_s=0.0)
    )
    expecting.eye.expect(BOARDS)
    expecting.table.meanwhile = lambda: expecting.eye.want("one", BOARDS)
    expecting.step()
    assert not [message for message in expecting.heard if isinstance(message, Seen)]
    expecting.step()
    assert [message for message in expecting.heard if isinstance(message, Seen)]
    assert expecting.table.fulls == 1


def test_a_second_press_on_an_untouched_table_gets_a_picture_of_its_own() -> None:
    expecting = Expecting(["still"] * 4).step()
    expecting.press()
    expecting.press()
    assert expecting.table.fulls == 2


def test_a_look_at_other_boards_than_expected_is_read_anew() -> None:
    expecting = Expecting(["still"] * 2).step()
    expecting.eye.want("one", frozenset({"colony"}))
    expecting.step()
    assert expecting.table.looked_at == [BOARDS, frozenset({"colony"})]


def test_what_cannot_be_read_ahead_is_tried_again_when_it_is_asked_for() -> None:
    expecting = Expecting(["still"] * 2)
    expecting.table.error = ValueError("The picture is black: is the lens cap on?")
    expecting.step()
    assert expecting.heard == [Watch("still")]
    expecting.table.error = None
    assert any(isinstance(message, Seen) for message in expecting.press())


def test_what_was_read_ahead_is_forgotten_with_the_camera() -> None:
    expecting = Expecting(["still", CameraTrouble("the camera is gone"), "still", "still"]).step(2)
    expecting.press()
    assert expecting.table.fulls == 2


def test_a_folder_of_pictures_is_never_read_ahead() -> None:
    assert Expecting(["still"] * 3, ahead=False).step(3).table.fulls == 0


def test_no_press_expected_any_more_is_no_reading_ahead() -> None:
    expecting = Expecting(["still", "moving", "still"]).step(2)
    expecting.eye.expect(frozenset())
    expecting.step()
    assert expecting.table.fulls == 1

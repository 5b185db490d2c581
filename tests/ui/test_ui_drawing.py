"""Kivy draws only what changed, only on its own thread, and nothing at all when nothing happens."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from conftest import Hearing

from companion import actions
from companion.messages import Tapped
from companion.state import Settings
from companion.ui.gallery import sample_picture
from companion.ui.window import Touchscreen
from companion.view.samples import SAMPLE_SIZE_PX, samples


@pytest.fixture
def painted(seven_inch: Touchscreen, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, int]]]:
    """Every widget that paints itself, with the thread it does it on."""
    from companion.ui.pen import Painted

    log: list[tuple[str, int]] = []
    paint = Painted._repaint

    def noted(widget: Any, *args: object) -> None:
        log.append((type(widget).__name__, threading.get_ident()))
        paint(widget, *args)

    noted.__name__ = "_repaint"  # Kivy finds a callback again by its name
    monkeypatch.setattr(Painted, "_repaint", noted)
    yield log


def fresh(touchscreen: Touchscreen, name: str) -> Any:
    """A screen whose view was made just now, so that it paints through the log."""
    touchscreen.stage._table = touchscreen.stage._view = None
    touchscreen.stage.screen = None
    state = replace(samples(sample_picture())[name], settings=Settings())
    touchscreen.show(state)
    touchscreen.settle(6)
    return state


def test_nothing_is_drawn_while_nothing_happens(
    seven_inch: Touchscreen, painted: list[tuple[str, int]]
) -> None:
    fresh(seven_inch, "table")
    assert painted
    painted.clear()
    seven_inch.settle(10)
    assert painted == []
    from kivy.core.window import Window

    assert not Window.canvas.needs_redraw


def test_the_same_state_again_draws_nothing(seven_inch: Touchscreen, painted: list[tuple[str, int]]) -> None:
    state = fresh(seven_inch, "table")
    painted.clear()
    seven_inch.show(replace(state, settings=Settings()))
    seven_inch.settle(4)
    assert painted == []


def test_a_hand_over_the_table_draws_only_the_bar(
    seven_inch: Touchscreen, painted: list[tuple[str, int]]
) -> None:
    state = fresh(seven_inch, "table")
    painted.clear()
    seven_inch.show(replace(state, watching="hand"))
    seven_inch.settle(4)
    # The last turn's line shows the whole screen's value, the title the whole bar's; cards, store and race stay.
    assert {name for name, _ in painted} <= {"BarTitle", "StatusView", "LastView"}


def test_of_many_states_only_the_newest_is_drawn(
    seven_inch: Touchscreen, painted: list[tuple[str, int]]
) -> None:
    state = fresh(seven_inch, "table")
    painted.clear()
    for watching in ("hand", "still", "reading", "watching", "still"):
        seven_inch.show(replace(state, watching=watching))
    seven_inch.settle(4)
    assert [name for name, _ in painted].count("StatusView") == 1
    assert seven_inch.stage.screen.bar.status.watching == "still"


def test_states_from_another_thread_are_drawn_on_the_main_one(
    seven_inch: Touchscreen, painted: list[tuple[str, int]]
) -> None:
    fresh(seven_inch, "table")
    painted.clear()
    worker = threading.Thread(target=seven_inch.show, args=(samples(sample_picture())["fault"],))
    worker.start()
    worker.join()
    seven_inch.settle(4)
    assert {thread for _, thread in painted} == {threading.get_ident()}


def test_a_live_picture_replaces_the_one_of_the_calibration(seven_inch: Touchscreen) -> None:
    fresh(seven_inch, "calibration")
    seven_inch.preview(b"no picture at all")
    seven_inch.settle(2)
    assert seven_inch.stage.screen.picture.jpeg == b"no picture at all"


def test_a_screenshot_is_a_small_png(seven_inch: Touchscreen, tmp_path: Any) -> None:
    fresh(seven_inch, "table")
    file = seven_inch.screenshot(tmp_path / "pictures" / "table.png")
    assert file.read_bytes().startswith(b"\x89PNG")
    assert file.stat().st_size < 300_000


def test_a_finger_on_the_calibration_picture_is_told_in_its_pixels(
    seven_inch: Touchscreen, heard: Hearing
) -> None:
    from kivy.tests.common import UnitTestTouch

    from companion.ui.calibration import TouchedPicture

    fresh(seven_inch, "calibration")
    picture = next(widget for widget in seven_inch.stage.walk() if isinstance(widget, TouchedPicture))
    left, bottom, width, height = picture._shown
    touch = UnitTestTouch(left + width / 4, bottom + height / 2)
    touch.touch_down()
    touch.touch_up()
    (tapped,) = heard
    assert isinstance(tapped, Tapped) and tapped.action == actions.CALIBRATION
    assert tapped.value[0] == "tap"
    assert tapped.value[1] == pytest.approx((SAMPLE_SIZE_PX[0] / 4, SAMPLE_SIZE_PX[1] / 2), abs=2)

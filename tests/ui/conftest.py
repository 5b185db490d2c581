"""One offscreen window for all tests of a process: Kivy has only one."""

import os
import tempfile

import pytest

os.environ["KIVY_HOME"] = tempfile.mkdtemp(prefix="kivy-")

from companion.messages import Message
from companion.ui.window import SEVEN_INCH, Touchscreen
from companion.view.samples import sample_box


class Hearing(list[Message]):
    """Every message the screen sent; `answer` may be set to let a session hear it too."""

    def __init__(self) -> None:
        self.answer = lambda message: None

    def hear(self, message: Message) -> None:
        self.append(message)
        self.answer(message)


_heard = Hearing()


@pytest.fixture(scope="session")
def _window() -> Touchscreen:
    return Touchscreen(_heard.hear, sample_box(), headless=True)


@pytest.fixture
def touchscreen(_window: Touchscreen) -> Touchscreen:
    """The window, with nothing over its screen."""
    _window.stage.close()
    return _window


@pytest.fixture
def seven_inch(touchscreen: Touchscreen) -> Touchscreen:
    touchscreen.resize(SEVEN_INCH)
    return touchscreen


@pytest.fixture
def heard() -> Hearing:
    _heard.clear()
    _heard.answer = lambda message: None
    return _heard

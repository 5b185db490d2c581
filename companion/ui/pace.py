"""How often the window looks for fingers, that it sleeps in between, and that one frame is finished before the next begins.

Kivy's clock runs without pause from a third of a frame before anything is due: with few looks a second that is most of what
a window at rest costs. And it hands a touch on one whole wait after it was found.
"""

from typing import Any, Final

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics.opengl import glFinish

# A finger that lies on the glass is followed as smoothly as most screens can show it.
_FOLLOWING_PER_S: Final = 60
# How far from its time something may happen.
_RESOLUTION_S: Final = 0.001


def keep_pace() -> None:
    """Sets the pace of Kivy's clock, once for the window of this process."""
    Clock.get_resolution = lambda: _RESOLUTION_S
    at_once = Clock.create_trigger(_nothing)
    follow = Clock.create_trigger(_nothing, 1 / _FOLLOWING_PER_S, interval=True)

    def down(*_: Any) -> None:
        at_once()
        follow()

    def up(*_: Any) -> None:
        at_once()
        follow.cancel()

    Window.bind(on_mouse_down=down, on_mouse_up=up)
    # Frames that wait to be drawn hold tens of megabytes, and then come all at once.
    Window.bind(on_flip=lambda _: glFinish())


def _nothing(_: float) -> None:
    """Something that is due ends the clock's sleep."""

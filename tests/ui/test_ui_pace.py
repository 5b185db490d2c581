"""The window sleeps between looks for a finger, and wakes for one."""

from kivy.clock import Clock
from kivy.core.window import Window

from companion.ui.window import Touchscreen


def _follows() -> bool:
    """Whether something is due again and again, several times as often as the window looks by itself."""
    return any(event.loop and 0 < event.timeout < 0.02 for event in Clock.get_events())


def test_a_finger_is_handed_on_without_another_wait(seven_inch: Touchscreen) -> None:
    seven_inch.settle()
    for finger in ("on_mouse_down", "on_mouse_up"):
        Window.dispatch(finger, 5, 5, "left", [])
        assert Clock.get_min_timeout() == 0
        seven_inch.settle(1)


def test_a_finger_is_followed_until_it_leaves(seven_inch: Touchscreen) -> None:
    seven_inch.settle()
    assert not _follows()
    Window.dispatch("on_mouse_down", 5, 5, "left", [])
    seven_inch.settle(1)
    assert _follows()
    Window.dispatch("on_mouse_up", 5, 5, "left", [])
    seven_inch.settle(1)
    assert not _follows()


def test_the_clock_sleeps_until_shortly_before_something_is_due(seven_inch: Touchscreen) -> None:
    assert Clock.get_resolution() < 0.005

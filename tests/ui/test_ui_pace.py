"""The window sleeps between looks for a finger, and wakes for one."""

from kivy.clock import Clock
from kivy.core.window import Window

from companion.ui.window import Touchscreen
from companion.view.samples import samples


def _due_s() -> float:
    """How long the clock may sleep."""
    return float(Clock.get_min_timeout() - Clock.time())


def test_a_finger_is_handed_on_without_another_wait(seven_inch: Touchscreen) -> None:
    seven_inch.show(samples()["table"])
    seven_inch.settle()
    assert Clock.get_min_timeout() > 0
    Window.dispatch("on_mouse_down", 5, 5, "left", [])
    assert Clock.get_min_timeout() == 0
    seven_inch.settle(1)
    Window.dispatch("on_mouse_up", 5, 5, "left", [])
    assert Clock.get_min_timeout() == 0
    seven_inch.settle(1)


def test_a_finger_is_followed_until_it_leaves(seven_inch: Touchscreen) -> None:
    seven_inch.settle()
    resting = len(list(Clock.get_events()))
    Window.dispatch("on_mouse_down", 5, 5, "left", [])
    seven_inch.settle(1)
    assert _due_s() < 0.02
    Window.dispatch("on_mouse_up", 5, 5, "left", [])
    seven_inch.settle(1)
    assert len(list(Clock.get_events())) == resting


def test_the_clock_sleeps_until_shortly_before_something_is_due(seven_inch: Touchscreen) -> None:
    assert Clock.get_resolution() < 0.005

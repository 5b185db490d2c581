"""Views are kept from one screen to the next, and made ahead: nothing of what they showed before may stay behind."""

from dataclasses import replace

import numpy as np
import pytest
from fingers import Finger

from companion import actions
from companion.messages import Tapped
from companion.state import Settings, State
from companion.ui.gallery import sample_picture
from companion.ui.window import Touchscreen
from companion.view.samples import samples

NAMES = ("table", "verdict", "question", "fault", "history", "setup-players", "setup-rules", "podium")


def shown(touchscreen: Touchscreen, state: State, settings: Settings) -> np.ndarray:
    from companion.ui.screenshot import grab

    touchscreen.show(replace(state, settings=settings))
    touchscreen.settle(4)
    # Without the lane of the scroll bar, which fades some time after it moved.
    return np.asarray(grab(touchscreen.stage), np.int16)[:, :-16]


@pytest.mark.parametrize("name", NAMES)
def test_a_screen_that_was_away_comes_back_in_todays_language_theme_and_size(
    seven_inch: Touchscreen, name: str
) -> None:
    states = samples(sample_picture())
    old, new = Settings("en", "dark"), Settings("de", "light", text_size="large")
    shown(seven_inch, states[name], old)
    # Somebody changes everything while another screen is up.
    shown(seven_inch, states["past-games"], old)
    shown(seven_inch, states["past-games"], new)
    kept = shown(seven_inch, states[name], new)
    seven_inch.stage._turn()
    fresh = shown(seven_inch, states[name], new)
    assert np.abs(kept - fresh).max() <= 8


def test_screens_made_ahead_show_nothing_of_what_they_were_made_from(seven_inch: Touchscreen) -> None:
    states = samples(sample_picture())
    other = states["table-two"]
    shown(seven_inch, states["welcome"], Settings())
    seven_inch.stage._turn()
    fresh = shown(seven_inch, other, Settings())
    shown(seven_inch, states["welcome"], Settings())
    seven_inch.stage._turn()
    for name in ("table", "welcome", "history"):
        seven_inch.stage.prepare(_screen(states[name]))
    seven_inch.settle(3)
    assert seven_inch.stage.kept == 3
    assert np.abs(shown(seven_inch, other, Settings()) - fresh).max() <= 8


def test_a_kind_of_screen_is_made_only_once(seven_inch: Touchscreen) -> None:
    states = samples(sample_picture())
    shown(seven_inch, states["history"], Settings())
    assert not seven_inch.stage.prepare(_screen(states["history"]))


def test_a_list_and_its_tabs_begin_anew_when_they_come_back(seven_inch: Touchscreen) -> None:
    from companion.ui.entering import EnteringView
    from companion.ui.widgets import Rows

    states = samples(sample_picture())
    shown(seven_inch, states["history"], Settings())
    (rows,) = [widget for widget in seven_inch.stage.walk() if isinstance(widget, Rows)]
    rows.scroll_y = 0.2
    shown(seven_inch, states["table"], Settings())
    shown(seven_inch, states["history"], Settings())
    assert rows.scroll_y == 1
    shown(seven_inch, states["entering-step"], Settings())
    (entering,) = [widget for widget in seven_inch.stage.walk() if isinstance(widget, EnteringView)]
    entering.at = 1
    shown(seven_inch, states["table"], Settings())
    shown(seven_inch, states["entering-step"], Settings())
    assert entering.at == 0


def test_a_button_that_was_put_aside_and_taken_back_does_what_it_says(
    seven_inch: Touchscreen, heard: list[object]
) -> None:
    states = samples(sample_picture())
    finger = Finger(seven_inch)
    for name in ("setup-rules", "settings", "setup-rules", "settings"):
        shown(seven_inch, states[name], Settings())
    finger.press(actions.CHANGE_SETTING, ("language", "fr"))
    assert heard == [Tapped(actions.CHANGE_SETTING, ("language", "fr"))]


def test_a_name_that_is_too_long_ends_in_dots_and_a_sentence_counts_as_clipped() -> None:
    from kivy.graphics import Canvas

    from companion.ui.pen import Pen

    pen = Pen()
    with Canvas():
        assert pen.text((0, 0, 60, 30), "Maximiliane", 20, elide=True) <= 61
        assert pen.clipped == []
        pen.text((0, 0, 60, 30), "Maximiliane", 20)
    assert [clipped.text for clipped in pen.clipped] == ["Maximiliane"]


def _screen(state: State) -> object:
    from companion.view import draw
    from companion.view.samples import sample_box

    return draw(state, sample_box())

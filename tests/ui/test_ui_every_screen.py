"""Every screen in three sizes and three languages: all of it is there, all of it can be hit, and it looks as it did."""

from collections import defaultdict
from dataclasses import replace
from string import Formatter
from typing import Any

import pytest
from references import difference, kept, thumbnail

from companion.notices import SENTENCES, notice
from companion.referee.faults import FAULTS, fault
from companion.referee.verdict import Answer, Illegal
from companion.rules import Turn
from companion.state import Faulted
from companion.ui.gallery import SIZES, sample_picture, views
from companion.ui.window import Touchscreen
from companion.view.language import LANGUAGES
from companion.view.samples import samples
from companion.view.whys import WHYS

NAMES = tuple(samples(sample_picture()))
# JPEG noise of the kept sheets and another renderer's edges stay below 20; a label that moved by a line is above 40.
ALIKE = 28.0
# More than anybody was seen to play in one turn.
LONGEST = Turn.parse(
    "x4 contract:c16@4 propel:engineer+2 propel:explorer-3 sponsor:double dive:left/explore=1/upgrade=engineer "
    "dive:right/explore=2/upgrade=explorer contract:c04@5 oxygen"
)


def drawn(touchscreen: Touchscreen, name: str, size: tuple[int, int], language: str, **settings: Any) -> Any:
    (_, _, _, state), *_ = views([name], [size], [language])
    touchscreen.resize(size)
    touchscreen.show(replace(state, settings=replace(state.settings, **settings)))
    touchscreen.settle()
    return touchscreen.stage


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_screen_is_whole_and_looks_as_it_did(
    touchscreen: Touchscreen, name: str, size: tuple[int, int]
) -> None:
    from companion.ui.screenshot import grab
    from companion.ui.widgets import clipped_below

    for language in LANGUAGES:
        stage = drawn(touchscreen, name, size, language)
        assert [(type(widget).__name__, text) for widget, text in clipped_below(stage)] == []
        apart = difference(thumbnail(grab(stage)), kept(size, language, NAMES.index(name)))
        assert apart < ALIKE, (
            f"{name} {size} {language} differs by {apart:.0f}: look at it, then draw the references anew"
        )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_everything_fits_in_large_text_and_can_be_hit_with_a_finger(
    touchscreen: Touchscreen, name: str, size: tuple[int, int]
) -> None:
    from kivy.uix.behaviors import ButtonBehavior

    from companion.ui.theme import UNITS_PER_MM, theme
    from companion.ui.widgets import clipped_below

    stage = drawn(touchscreen, name, size, "de", text_size="large", theme="light")
    assert [(type(widget).__name__, text) for widget, text in clipped_below(stage)] == []
    least_px = 9 * UNITS_PER_MM * theme.u
    small = [
        (type(widget).__name__, widget.size)
        for widget in stage.walk(restrict=True)
        if isinstance(widget, ButtonBehavior)
        and widget.value is not None
        and min(widget.size) < least_px - 1
        and widget.get_root_window() is not None
        and widget.height > 0
    ]
    assert small == []


def test_the_sample_of_every_screen_is_in_the_gallery() -> None:
    assert len(NAMES) == len(set(NAMES)) >= 20


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_keyboard_and_a_sheet_of_options_fit_and_can_be_hit(
    touchscreen: Touchscreen, size: tuple[int, int]
) -> None:
    from companion.ui.theme import UNITS_PER_MM, theme
    from companion.ui.widgets import Tap, clipped_below

    stage = drawn(touchscreen, "setup-players", size, "de", text_size="large")
    stage.chosen(stage.screen.seats[0].name)
    for _ in range(2):
        touchscreen.settle(4)
        overlay = stage.children[0]
        assert list(clipped_below(overlay)) == []
        taps = [widget for widget in overlay.walk() if isinstance(widget, Tap)]
        assert len(taps) > 10
        assert min(min(widget.size) for widget in taps) >= 9 * UNITS_PER_MM * theme.u - 1
        stage = drawn(touchscreen, "setup-check", size, "de", text_size="large")
        board = stage.screen.boards[0]
        stage.chosen(
            next(piece.choice for piece in board.pieces if piece.choice and "display" in piece.choice.value)
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fault_and_every_notice_fits_its_screen(seven_inch: Touchscreen, language: str) -> None:
    from companion.ui.widgets import clipped_below

    states = samples(sample_picture())
    settings = replace(states["fault"].settings, language=language)
    meant = Answer(LONGEST, states["fault"].game.position, 0.0)
    for fault_id in FAULTS:
        words = {"player": "Friederike", "piece": "tech+", "level": "4", "seen": "mmpf", "wanted": "mmpftt"}
        wrong = fault(fault_id, ("green.diver.5",), **words)
        for nearest in (None, meant):
            mode = Faulted(Illegal((wrong, wrong), nearest))
            seven_inch.show(replace(states["fault"], mode=mode, settings=settings))
            seven_inch.settle(2)
            assert [text for _, text in clipped_below(seven_inch.stage)] == [], fault_id
    for notice_id, sentence in SENTENCES.items():
        values = {name: "/home/pi/otys" for _, name, _, _ in Formatter().parse(sentence) if name}
        seven_inch.show(replace(states["table"], said=notice(notice_id, **values), settings=settings))
        seven_inch.settle(2)
        assert [text for _, text in clipped_below(seven_inch.stage)] == [], notice_id
    # The longest a camera says is longer than a line.
    longest = Formatter().vformat(max(WHYS, key=len), (), defaultdict(lambda: "No module named picamera2"))
    seven_inch.show(replace(states["table"], said=notice("camera-lost", why=longest), settings=settings))
    seven_inch.settle(2)
    assert [text for _, text in clipped_below(seven_inch.stage)] == []

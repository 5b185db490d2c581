"""What looks the same is not read again; what changed is."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.fix import Fix, Located
from vision.lens import Lens
from vision.pack import Board, Kind, Pack, Slot
from vision.read.cuts import Scene, reaches
from vision.read.light import even
from vision.read.memory import Content, Memory, looks
from vision.read.reader import HANDFUL, in_handfuls

Picture = NDArray[np.uint8]
BOARD = Board("red", (200.0, 120.0))
SLOTS = {
    f"red.diver.{i}": Slot(
        f"red.diver.{i}", "red", Kind.TILE, "diver", ("spy",), (10.0 + 60 * i, 20.0, 40.0, 30.0)
    )
    for i in range(3)
}
PACK = Pack(Path(), "p", "", {"red": BOARD}, {}, SLOTS)
PX_PER_MM = 4.0


def seen(frame: Picture, brighter: float = 1.0) -> Scene:
    """A board seen from straight above, its light known."""
    fix = Fix(np.diag([PX_PER_MM, PX_PER_MM, 1.0]), BOARD.size_mm)
    located = Located((frame.shape[1], frame.shape[0]), Lens(), {"red": fix})
    light = even(BOARD)
    lights = {"red": replace(light, grid=light.grid + np.float32(np.log(brighter)))}
    return Scene(frame, located, lights, reaches(PACK))


def table(seed: int, brighter: float = 1.0, cube_mm: tuple[float, float] | None = None) -> Picture:
    """Print with lines and letters, the camera's noise, and perhaps one small cube."""
    picture = np.full((480, 800, 3), (90, 110, 70), np.uint8)
    for i in range(3):
        cv2.putText(picture, f"D{i}", (60 + 240 * i, 180), 0, 2.0, (200, 210, 190), 6)
    if cube_mm is not None:
        left, top = (round(side * PX_PER_MM) for side in cube_mm)
        cv2.rectangle(picture, (left, top), (left + 32, top + 32), (60, 80, 50), -1)
    noise = np.random.default_rng(seed).normal(0, 3, picture.shape)
    return np.clip(picture * brighter + noise, 0, 255).astype(np.uint8)


def remembered(first: Picture) -> Memory:
    memory = Memory()
    memory.keep(looks(seen(first), SLOTS.values()), {slot: Content({"spy": 1.0}) for slot in SLOTS})
    return memory


def test_what_looks_the_same_through_noise_and_another_light_is_remembered() -> None:
    again = looks(seen(table(2, brighter=0.8), brighter=0.8), SLOTS.values())
    assert remembered(table(1)).recall(again) == {slot: Content({"spy": 1.0}) for slot in SLOTS}


def test_a_dark_cube_on_dark_print_has_its_slot_read_again_and_no_other() -> None:
    again = looks(seen(table(2, cube_mm=(82.0, 30.0))), SLOTS.values())
    assert set(remembered(table(1)).recall(again)) == {"red.diver.0", "red.diver.2"}


def test_slow_changes_add_up_because_the_picture_of_the_reading_is_kept() -> None:
    memory = remembered(table(1))
    recalled = [
        len(memory.recall(looks(seen(table(2, brighter=1 - 0.04 * step)), SLOTS.values())))
        for step in range(6)
    ]
    assert recalled[0] == len(SLOTS)
    assert recalled[-1] == 0


def test_a_slot_never_read_is_not_recalled() -> None:
    assert Memory().recall(looks(seen(table(1)), SLOTS.values())) == {}


def test_a_doubtful_reading_is_made_once_more_and_then_kept() -> None:
    memory = Memory()
    doubtful = {"red.diver.0": Content({"spy": 0.6, "empty": 0.4}), "red.diver.1": Content({"spy": 1.0})}
    first = looks(seen(table(1)), SLOTS.values())
    memory.keep(first, doubtful)
    again = looks(seen(table(2)), SLOTS.values())
    assert set(memory.recall(again)) == {"red.diver.1"}
    memory.keep(again, {"red.diver.0": doubtful["red.diver.0"]})
    assert memory.recall(looks(seen(table(3)), SLOTS.values())) == doubtful


def test_a_slot_in_doubt_that_changed_is_in_doubt_anew() -> None:
    memory = Memory()
    count = Content(counts={"m": {1: 0.5, 2: 0.5}, "p": {0: 1.0}})
    memory.keep(looks(seen(table(1)), SLOTS.values()), {"red.diver.1": count})
    changed = looks(seen(table(2, cube_mm=(82.0, 30.0))), SLOTS.values())
    memory.keep(changed, {"red.diver.1": count})
    assert memory.recall(changed) == {}


def test_a_board_that_shivers_by_a_third_of_a_millimetre_looks_the_same() -> None:
    shifted = np.roll(table(2), 1, axis=1)
    assert len(remembered(table(1)).recall(looks(seen(shifted), SLOTS.values()))) == len(SLOTS)


def test_slots_are_read_so_many_at_a_time_and_none_is_left_out() -> None:
    many = [replace(SLOTS["red.diver.0"], id=f"red.diver.{i}") for i in range(2 * HANDFUL + 3)]
    handfuls = in_handfuls({"tile:diver": many, "tile:key": [], "cubes:cube": many[:3]})
    assert [(group, len(slots)) for group, slots in handfuls] == [
        ("tile:diver", HANDFUL),
        ("tile:diver", HANDFUL),
        ("tile:diver", 3),
        ("cubes:cube", 3),
    ]
    assert [slot for group, slots in handfuls if group == "tile:diver" for slot in slots] == many


def test_a_slot_is_remembered_in_six_bytes_a_pixel() -> None:
    now = looks(seen(table(1)), SLOTS.values())
    darkest, brightest = now.bounds("red.diver.0")
    assert darkest.nbytes + brightest.nbytes == 6 * len(now["red.diver.0"])


def test_the_tone_of_a_remembered_slot_is_that_of_its_pixels() -> None:
    before = remembered(table(1)).tone("red.diver.0")
    assert before is not None
    assert np.abs(before - np.log(np.array([90, 110, 70]) + 12.0)).max() < 0.03


def test_print_as_bright_as_can_be_measured_looks_as_it_did() -> None:
    burnt = np.full((480, 800, 3), 255, np.uint8)
    memory = remembered(burnt)
    assert set(memory.recall(looks(seen(burnt), SLOTS.values()))) == set(SLOTS)
    dark = looks(seen(burnt // 2), SLOTS.values())
    assert not memory.recall(dark)


def test_busy_print_that_is_replaced_by_other_busy_print_is_read_again() -> None:
    """Among many edges every pixel is as bright as some neighbour was; yet together they tell another picture."""

    def hatched(shift_px: int) -> Picture:
        picture = table(1)
        strokes = np.where((np.arange(120) + shift_px) % 24 < 12, 120, 104).astype(np.uint8)
        picture[80:200, 40:200] = strokes[:, None, None]
        return picture

    kept = remembered(hatched(0))
    assert "red.diver.0" in kept.recall(looks(seen(hatched(0)), SLOTS.values()))
    again = kept.recall(looks(seen(hatched(12)), SLOTS.values()))
    assert "red.diver.0" not in again
    assert "red.diver.1" in again

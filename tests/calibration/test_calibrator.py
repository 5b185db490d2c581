"""The guided calibration with a camera: from bare boards on the simulated table to a pack that reads a frame."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from table_person import Person, rows_of_cards

from calibration.enrol import Report
from calibration.loose import loose_quads
from calibration.packs import packs_dir
from calibration.plan import plan
from calibration.shown import Shown
from calibration.write import pack_toml
from companion import actions
from companion.calibrator import Calibrator, CalibratorSettings, pack_setting
from companion.messages import Message, Tapped
from hardware.frame import CameraLost, Frame
from hardware.simulated.contents import bare
from vision.look import Looker
from vision.overlay import content_words
from vision.pack import Board, Kind, Pack, Slot, load_pack

CORNERS = ((120.0, 90.0), (680.0, 90.0), (680.0, 510.0), (120.0, 510.0))
LABELS = ("credits", "prestige")
PACK = Pack(
    Path(),
    "Sample",
    "otys",
    {"red": Board("red", (280, 210))},
    {"permanent": LABELS},
    {"red.reward.1": Slot("red.reward.1", "red", Kind.TILE, "permanent", LABELS, (40, 40, 30, 20))},
)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OTYS_DATA", str(tmp_path))
    return tmp_path


class DrawnCamera:
    """One dark board on a light table; `trouble` makes it fail."""

    name = "drawn"

    def __init__(self) -> None:
        self.trouble = ""
        self.metadata: dict[str, Any] = {}
        self._taken = 0

    def open(self) -> None: ...

    def close(self) -> None: ...

    def small(self, timeout_s: float = 1.0) -> Frame:
        frame = self.full()
        return Frame(np.asarray(cv2.resize(frame.bgr, (400, 300)), np.uint8), frame.time_s)

    def full(self, timeout_s: float = 3.0) -> Frame:
        if self.trouble:
            raise CameraLost(self.trouble)
        self._taken += 1
        bgr = np.full((600, 800, 3), (90, 130, 165), np.uint8)
        cv2.fillPoly(bgr, [np.array(CORNERS, np.int32)], (60, 60, 30), cv2.LINE_AA)
        return Frame(
            np.asarray(cv2.GaussianBlur(bgr, (0, 0), 0.8), np.uint8), 2.0 * self._taken, self.metadata
        )


class Table:
    """A calibrator before a drawn board, its screen up."""

    def __init__(self, teach: Callable[[Path, Callable[[str], None]], Report], name: str = "") -> None:
        self.camera = DrawnCamera()
        self.sent: list[Message] = []
        self.layout = packs_dir() / "otys-sample"
        self.layout.mkdir(parents=True, exist_ok=True)
        (self.layout / "pack.toml").write_text(pack_toml(PACK), encoding="utf-8")
        self.calibrator = Calibrator(
            self.camera,
            self.layout,
            self.sent.append,
            name=name,
            teach=teach,
            settings=CalibratorSettings(wait_s=0.01),
        )
        self.calibrator.attend(True)
        self.calibrator.step()

    @property
    def screen(self) -> Shown:
        return next(
            m.value for m in reversed(self.sent) if isinstance(m, Tapped) and isinstance(m.value, Shown)
        )

    def do(self, *touches: Any) -> Shown:
        for touch in touches:
            assert self.calibrator.hear(Tapped(actions.CALIBRATION, touch))
            self.calibrator.step()
        return self.screen

    def to_the_lesson(self) -> Shown:
        corners = [("tap", corner) for corner in CORNERS]
        self.do("shoot", *corners, "next", "next", "shoot", "shoot")
        return self.do("next")

    def until(self, said: Callable[[Shown], bool]) -> Shown:
        for _ in range(5000):
            if said(self.screen):
                return self.screen
            self.calibrator.step()
        raise AssertionError(f"the screen still says {self.screen.headline!r}: {self.screen.sentences}")


def refuse(folder: Path, progress: Callable[[str], None]) -> Report:
    progress("boards")
    raise ValueError("none of its boards was found; show them whole")


def test_from_bare_boards_to_a_pack_that_reads_a_frame(data: Path) -> None:
    adopted: list[Path] = []
    person = Person(
        data, lambda slot: slot.board == "red" and slot.pieces in ("cube", "permanent"), adopt=adopted.append
    )
    assert person.screen.headline == "Put the camera over the table"
    person.frame()
    assert person.screen.headline == "Tap the top left corner of the red board"
    assert person.screen.touch == "corner"
    person.tap_corners()
    assert person.screen.headline == "All corners are set"
    assert {name: tone for name, _, tone in person.screen.figures}["Scale"] == "good"
    person.press("next")
    person.press("next")
    for wanted in plan(person.pack):
        person.lay(wanted)
        person.press("shoot")
    assert person.screen.headline == "All pieces have been shown"
    person.press("next")
    assert person.screen.choices == (), "nothing can be pressed while it learns"
    person.wait_for("Look whether every label is right")
    assert person.screen.figures[0] == ("Boards found", "1", "good")
    assert person.taps < 15

    held = {"red.reward.1": "prestige", "red.reward.4": "credits", "red.zone.2": "mt", "red.zone.4": "pp"}
    person.studio.lay({**bare(person.studio.layout), **held})
    looker = Looker.load(packs_dir() / "our-otys")
    reading = looker.look(person.camera.full().bgr)
    read = {slot.id: content_words(slot, reading)[0].replace(" ", "") for slot in looker.pack.slots.values()}
    assert {slot: words for slot, words in read.items() if words} == held

    person.press("done")
    assert person.sent[-2:] == [
        Tapped(actions.CHANGE_SETTING, ("pack", "our-otys")),
        Tapped(actions.BACK),
    ]
    assert adopted == [packs_dir() / "our-otys"]
    assert (packs_dir() / "our-otys" / "cards.json").is_file()

    person.sit_down(packs_dir() / "our-otys")
    assert person.screen.headline == "Look whether every label is right", "a known pack is only checked"
    assert person.look().figures[0] == ("Boards found", "1", "good")
    person.press("again")
    person.frame()
    assert person.screen.headline == "All corners are set", "boards that were taught are found by themselves"


def test_loose_cards_are_found_by_size_on_a_table_with_seams(data: Path) -> None:
    person = Person(data, lambda slot: slot.board == "red")
    red = person.corners()["red"]
    scale = float(np.linalg.norm(red[1] - red[0])) / person.pack.boards["red"].size_mm[0]
    cards = tuple(f"contract:c{n:02}" for n in range(1, 17))
    person.studio.poses, person.studio.placed = {}, rows_of_cards(person.studio, cards)
    width, height = person.studio.layout.card_mm
    quads = loose_quads(person.camera.full().bgr, (width * scale, height * scale))
    assert len(quads) == len(cards)
    for row in (quads[:8], quads[8:]):
        lefts = [quad[0][0] for quad in row]
        assert lefts == sorted(lefts)
    assert max(quad[0][1] for quad in quads[:8]) < min(quad[0][1] for quad in quads[8:])


def test_what_is_being_learnt_is_shown_and_trouble_is_a_sentence() -> None:
    table = Table(refuse)
    assert table.to_the_lesson().headline == "The companion learns the pieces"
    screen = table.until(lambda shown: shown.headline != "The companion learns the pieces")
    assert screen.sentences == ("none of its boards was found; show them whole",)
    assert [value for _, value in screen.choices] == ["back", "next"]


def test_a_pack_is_never_overwritten() -> None:
    taught: list[Path] = []

    def teach(folder: Path, progress: Callable[[str], None]) -> Report:
        taught.append(folder)
        raise ValueError("enough")

    (packs_dir() / "our-otys").mkdir(parents=True)
    table = Table(teach)
    table.to_the_lesson()
    table.until(lambda shown: shown.sentences == ("enough",))
    assert taught[0].name == "our-otys-2"
    assert load_pack(taught[0]).name == "our-otys-2"
    assert list((packs_dir() / "our-otys").iterdir()) == []


def test_a_new_pack_has_the_name_it_was_given() -> None:
    table = Table(refuse, name="attic")
    table.to_the_lesson()
    assert (packs_dir().parent / "calibrating" / "attic" / "enrol.toml").is_file()


def test_a_lost_camera_is_said_and_the_calibration_goes_on_when_it_is_back() -> None:
    table = Table(refuse)
    table.camera.trouble = "The drawn camera is gone. Plug it in."
    table.calibrator.step()
    assert table.screen.sentences == ("The drawn camera is gone. Plug it in.",)
    table.camera.trouble = ""
    screen = table.until(lambda shown: "gone" not in shown.sentences[0])
    assert screen.headline == "Put the camera over the table"


def test_without_its_screen_it_leaves_the_camera_alone_and_begins_anew_the_next_time() -> None:
    table = Table(refuse)
    table.do("shoot")
    assert table.screen.at == 1
    table.calibrator.attend(False)
    table.camera.trouble = "nobody may ask now"
    assert not table.calibrator.step()
    table.camera.trouble = ""
    table.calibrator.attend(True)
    assert table.calibrator.step()
    assert table.screen.at == 0


def test_only_touches_on_its_own_screen_are_its_business() -> None:
    calibrator = Table(refuse).calibrator
    assert not calibrator.hear(Tapped(actions.BACK))
    assert not calibrator.hear(Tapped(actions.CALIBRATION, Shown("", (), (), 0, (), ())))
    assert calibrator.hear(Tapped(actions.CALIBRATION, "shoot"))


def test_a_touch_that_means_nothing_here_changes_nothing() -> None:
    table = Table(refuse)
    before = table.screen
    after = table.do("done?", ("drag", (1, 2), (3, 4)), ("tap", (5, 5)), ("tap", "here"), 17, ("pinch",))
    assert after.at == before.at and after.headline == before.headline


def test_a_pack_elsewhere_is_named_by_its_folder(tmp_path: Path) -> None:
    assert pack_setting(packs_dir() / "ours") == "ours"
    assert pack_setting(tmp_path / "usb" / "ours") == str(tmp_path / "usb" / "ours")


def test_the_camera_is_free_during_a_calibration_and_locked_to_its_stand_again_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    locked: list[Path | None] = []
    monkeypatch.setattr("companion.calibrator.lock_camera", lambda camera, pack_dir: locked.append(pack_dir))
    table = Table(refuse)
    table.calibrator.step()
    assert locked == [None]
    table.calibrator.attend(False)
    assert not table.calibrator.step()
    assert not table.calibrator.step()
    assert locked == [None, table.layout]

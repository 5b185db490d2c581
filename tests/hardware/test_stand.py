"""The doctor's look at the camera stand: too high, too low, and what it says without a taught pack."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.doctor import _stand
from companion.journal.settings import save_settings
from companion.stand import Stand, chosen_pack, examine_stand
from companion.state import Settings
from vision.fix import Fix, Located
from vision.lens import Lens
from vision.pack import Pack, load_pack

SIZE_PX = (1600, 1200)
PACK = """
version = 1
name = "Ours"
game = "otys"
[boards.colony]
size_mm = [300, 200]
[pieces]
sponsor = ["1", "2"]
[[slots]]
id = "colony.sponsor.1"
board = "colony"
kind = "tile"
pieces = "sponsor"
rect_mm = [10, 10, 20, 20]
[[slots]]
id = "colony.sponsor.2"
board = "colony"
kind = "tile"
pieces = "sponsor"
rect_mm = [270, 170, 20, 20]
"""


@dataclass
class Looks:
    """Finds the board where it is told to: `px_per_mm` large, its top left corner at `at_px`."""

    pack: Pack
    located: Located

    def look(self, bgr: np.ndarray) -> None:
        pass


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    (tmp_path / "pack.toml").write_text(PACK)
    return load_pack(tmp_path)


def looks(pack: Pack, px_per_mm: float, at_px: tuple[float, float]) -> Looks:
    pose = np.array([[px_per_mm, 0, at_px[0]], [0, px_per_mm, at_px[1]], [0, 0, 1]])
    return Looks(pack, Located(SIZE_PX, Lens(), {"colony": Fix(pose, (300.0, 200.0))}))


def squares() -> np.ndarray:
    """Sharp and well lit."""
    bgr = np.full((SIZE_PX[1], SIZE_PX[0], 3), 60, np.uint8)
    for x in range(0, SIZE_PX[0], 64):
        cv2.rectangle(bgr, (x, 0), (x + 31, SIZE_PX[1]), (180, 170, 160), -1)
    return bgr


def advice(stand: Stand) -> dict[str, tuple[str, str]]:
    return {one.what: (one.tone, one.text + "; " + one.remedy) for one in stand.advice}


def test_a_good_stand_is_praised_with_its_figures(pack: Pack) -> None:
    stand = examine_stand(squares(), looks(pack, 3.0, (100, 100)))  # type: ignore[arg-type]
    assert (stand.pack, stand.boards) == ("Ours", ("colony",))
    assert {tone for tone, _ in advice(stand).values()} == {"good"}
    assert set(advice(stand)) == {"height", "focus", "light"}


def test_a_camera_that_is_too_high_is_told_how_far_to_come_down(pack: Pack) -> None:
    tone, text = advice(examine_stand(squares(), looks(pack, 0.5, (100, 100))))["height"]  # type: ignore[arg-type]
    assert tone == "fault"
    assert "the camera is too high" in text
    assert "lower it to about 45 %" in text


def test_a_camera_that_is_too_low_is_told_what_it_cuts_off(pack: Pack) -> None:
    tone, text = advice(examine_stand(squares(), looks(pack, 6.0, (100, 100))))["frame"]  # type: ignore[arg-type]
    assert tone == "fault"
    assert "cuts off colony.sponsor.2" in text
    assert "raise the camera" in text


def test_without_a_pack_sharpness_and_light_are_judged_all_the_same() -> None:
    stand = examine_stand(squares(), None)
    assert (stand.pack, stand.boards) == ("", ())
    assert set(advice(stand)) == {"focus", "light"}


def test_the_doctor_says_when_no_board_is_in_the_picture(pack: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = Looks(pack, Located(SIZE_PX, Lens(), {}))
    monkeypatch.setattr("companion.doctor.Looker.load", lambda folder: empty)
    findings = {finding.part: finding for finding in _stand(squares(), pack.dir)}
    assert findings["stand"].state == "missing"
    assert findings["stand"].text == "sees no board of Ours"
    assert "calibrate" in findings["stand"].remedy
    assert findings["stand: focus"].state == "ok"


def test_a_pack_taught_by_another_version_is_said_and_the_rest_is_judged(pack: Pack) -> None:
    findings = {finding.part: finding for finding in _stand(squares(), pack.dir)}
    assert findings["pack"].state == "weak"
    assert f"otys-companion enrol {pack.dir}" in findings["pack"].remedy
    assert findings["stand: light"].state == "ok"


def test_the_pack_of_the_next_game_is_the_one_that_is_examined(pack: Pack, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    save_settings(folder, Settings(pack=str(pack.dir)))
    assert chosen_pack(folder) is None, "nobody has taught it"
    (pack.dir / "taught").mkdir()
    (pack.dir / "taught" / "slots.npz").touch()
    assert chosen_pack(folder) == pack.dir
    save_settings(folder, Settings(pack=str(tmp_path / "gone")))
    assert chosen_pack(folder) is None

"""The settings file of the pins."""

from pathlib import Path

import pytest

from hardware.pins import DEFAULTS, load_pins


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "pins.toml"
    path.write_text(text)
    return path


def test_the_defaults_use_every_pin_once_and_leave_the_special_ones_alone() -> None:
    used = DEFAULTS.used()
    assert len(used) == 4 + 4 + 3
    # 0 and 1 identify add-on boards, 2 and 3 are I2C with a fixed pull-up, 14 and 15 the serial console.
    assert not {0, 1, 2, 3, 14, 15} & set(used)


def test_without_a_file_the_defaults_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert load_pins() == DEFAULTS


def test_the_file_in_the_usual_place_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "otys-companion").mkdir()
    write(tmp_path / "otys-companion", "[buttons]\nundo = 17\n")
    assert load_pins().undo == 17


def test_a_file_changes_only_what_it_names(tmp_path: Path) -> None:
    pins = load_pins(
        write(tmp_path, "[buttons]\nplayers = [17, 27]\ndebounce_ms = 40\n[sound]\nbuzzer = 'none'\n")
    )
    assert pins.buttons == (17, 27)
    assert pins.debounce_s == pytest.approx(0.040)
    assert pins.buzzer is None
    assert pins.lamps == DEFAULTS.lamps


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[buttons]\nundo = 28\n", "pins.toml:2: 28 is no GPIO number; the header has 0 to 27"),
        ("[buttons]\nundo = true\n", "True is no GPIO number"),
        ("[buttons]\nundo = 5\n", "GPIO 5 is used twice"),
        ("[buttons]\nplayers = [5, 6, 13, 19, 22]\n", "at most 4"),
        ("[buttons]\nplayers = 5\n", "must list one GPIO number"),
        ("[buttons]\nhold_s = -1\n", "at most ten seconds"),
        ("[buttons]\nredo = 4\n", "buttons.redo is not known; players, undo, debounce_ms, hold_s"),
        ("[motors]\nleft = 4\n", "motors.left is not known"),
        ("buzzer = 4\n", "buzzer is not known"),
        ("[buttons\n", "pins.toml:1"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(ValueError) as error:
        load_pins(write(tmp_path, text))
    assert complaint in str(error.value)


def test_a_file_of_a_hundred_megabytes_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pins.toml"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(ValueError, match="too large"):
        load_pins(path)

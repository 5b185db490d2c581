"""`otys-companion doctor`, on machines that exist only as folders and on this one."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import doctor
from companion.cli import main
from companion.doctor import Finding, Machine, examine, filesystem, healthy
from hardware.frame import Camera, CameraLost, Frame

PI = "Raspberry Pi 5 Model B Rev 1.0\0"
Find = Callable[..., dict[str, Finding]]


class Still:
    """A camera with one picture."""

    name = "test camera"

    def __init__(self, size: tuple[int, int] = (4608, 2592), lost: str = "", grey: int = 160) -> None:
        self.size = size
        self.lost = lost
        self.grey = grey
        self.closed = False

    def open(self) -> None:
        if self.lost:
            raise CameraLost(self.lost)

    def small(self, timeout_s: float = 1.0) -> Frame:
        return self.full()

    def full(self, timeout_s: float = 3.0) -> Frame:
        """Sharp squares, so that focus and light can be judged."""
        bgr = np.full((self.size[1], self.size[0], 3), self.grey // 4, np.uint8)
        for x in range(0, self.size[0], 64):
            bgr[:, x : x + 32] = self.grey
        return Frame(bgr, 0.0)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Find:
    """Examines a machine made of `files`; returns the findings by part."""
    monkeypatch.setenv("OTYS_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(doctor, "list_packs", dict)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "no-such-factory")

    def examine_it(
        files: dict[str, str] | None = None, camera: Camera | None = None, env: dict[str, str] | None = None
    ) -> dict[str, Finding]:
        root = tmp_path / "machine"
        root.mkdir(exist_ok=True)
        for name, text in (files or {}).items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        machine = Machine(
            root, env or {}, make_camera=lambda spelling, locks: camera or Still(lost=f"no {spelling}")
        )
        return {finding.part: finding for finding in examine(machine)}

    return examine_it


def test_a_machine_with_none_of_it_is_told_what_stands_in_and_is_healthy(find: Find) -> None:
    found = find()
    for part in ("camera", "buttons", "display", "touch", "pack"):
        assert found[part].state == "missing", found[part]
        assert found[part].remedy
    assert found["Python"].state == found["packages"].state == found["disk"].state == "ok"
    assert healthy(list(found.values()))


def test_a_pi_with_everything_is_well(find: Find, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "pin_factory", object)
    camera = Still()
    found = find(
        {
            "proc/device-tree/model": PI,
            "proc/bus/input/devices": 'N: Name="10-0038 generic ft5x06 (79)"\n',
            "proc/mounts": "/dev/mmcblk0p2 / ext4 rw 0 0\n",
            "sys/class/thermal/thermal_zone0/temp": "51234\n",
            "sys/class/drm/card1-DSI-1/status": "connected\n",
            "sys/class/drm/card1-HDMI-A-1/status": "disconnected\n",
            "sys/devices/platform/soc/soc:firmware/get_throttled": "0\n",
        },
        camera,
    )
    assert {finding.state for part, finding in found.items() if part != "pack"} == {"ok"}
    assert "Raspberry Pi 5" in found["Python"].text
    assert found["power and heat"].text == "51 °C"
    assert found["camera"].text == "test camera: 4608 x 2592 pixels"
    assert found["display"].text == "a screen is connected: DSI-1"
    assert "button 1 5" in found["buttons"].text
    assert camera.closed


def test_a_pi_whose_camera_and_pins_fail_is_told_why_and_can_still_play(find: Find) -> None:
    found = find({"proc/device-tree/model": PI})
    assert found["camera"].state == "broken"
    assert found["camera"].text == "no picamera"
    assert "by touch" in found["camera"].remedy
    assert found["buttons"].state == "broken"
    assert healthy(list(found.values()))


def test_a_dark_picture_is_said_before_the_evening_begins(find: Find) -> None:
    finding = find({"dev/video0": ""}, Still(grey=40))["stand: light"]
    assert finding.state == "weak"
    assert finding.text == "too dark"
    assert "lamp" in finding.remedy


def test_a_picture_out_of_focus_is_said(find: Find, monkeypatch: pytest.MonkeyPatch) -> None:
    still = Still((2048, 1152))
    soft = Frame(cv2.GaussianBlur(still.full().bgr, (0, 0), 9).astype(np.uint8), 0.0)
    monkeypatch.setattr(still, "full", lambda timeout_s=3.0: soft)
    finding = find({"dev/video0": ""}, still)["stand: focus"]
    assert finding.state == "broken"
    assert "out of focus" in finding.text
    assert "clean the lens" in finding.remedy


def test_a_device_closed_to_this_user_is_said_with_its_group(
    find: Find, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "gpiochip0")
    finding = find({"dev/gpiochip0": "", "dev/video0": ""}, Still())["rights"]
    assert finding.state == "broken"
    assert finding.text == "/dev/gpiochip0 is closed to this user"
    assert finding.remedy.startswith("sudo usermod -aG gpio $USER")


def test_another_machines_webcam_is_tried(find: Find) -> None:
    assert find({"dev/video0": ""})["camera"].text == "no webcam"


def test_a_camera_with_few_pixels_is_called_weak(find: Find) -> None:
    finding = find({"dev/video0": ""}, Still((1920, 1080)))["camera"]
    assert finding.state == "weak"
    assert "docs/hardware.md" in finding.remedy


@pytest.mark.parametrize(
    ("flags", "degrees", "text", "remedy"),
    [
        ("0x1", "45000", "the voltage is too low", "power supply"),
        ("0x50000", "45000", "the voltage was since power-on too low", "power supply"),
        ("0x8", "84000", "84 °C; it slows itself down", "heat sink"),
        ("0", "81000", "81 °C; it slows itself down", "heat sink"),
    ],
)
def test_low_voltage_and_heat_are_told_apart(
    find: Find, flags: str, degrees: str, text: str, remedy: str
) -> None:
    finding = find(
        {
            "sys/class/thermal/thermal_zone0/temp": degrees,
            "sys/devices/platform/soc/soc:firmware/get_throttled": flags,
        }
    )["power and heat"]
    assert finding.state == "weak"
    assert text in finding.text
    assert remedy in finding.remedy


def test_a_folder_that_forgets_at_power_off_is_said(find: Find) -> None:
    finding = find({"proc/mounts": "overlay / overlay rw 0 0\n"})["journal"]
    assert finding.state == "weak"
    assert "overlay" in finding.text
    assert "--data" in finding.remedy


def test_a_folder_that_cannot_be_written_is_essential(find: Find, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_cannot_write", lambda folder: "Read-only file system")
    found = find()
    assert found["journal"].state == "broken"
    assert "Read-only file system" in found["journal"].text
    assert not healthy(list(found.values()))


def test_writing_is_really_tried(tmp_path: Path) -> None:
    assert doctor._cannot_write(tmp_path) == ""
    assert doctor._cannot_write(tmp_path / "gone") == "No such file or directory"
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_essential(find: Find, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "NEEDED_FREE_BYTES", 10**18)
    found = find()
    assert found["disk"].state == "broken"
    assert not healthy(list(found.values()))


def test_a_python_too_old_is_essential(find: Find, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    found = find()
    assert found["Python"].text == "3.9.2 is not between 3.11 and 3.13"
    assert not healthy(list(found.values()))


def test_a_package_that_is_not_installed_is_named(find: Find, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PACKAGES", ("numpy", "no-such-package"))
    assert "no-such-package" in find()["packages"].text


def test_a_pack_with_a_mistake_is_shown_with_its_line(
    find: Find, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pack.toml").write_text("version = 7\n")
    monkeypatch.setattr(doctor, "list_packs", lambda: {"ours": tmp_path})
    finding = find()["pack"]
    assert finding.state == "broken"
    assert "pack.toml:1" in finding.text


def test_a_pins_file_with_a_mistake_is_shown_with_its_line(find: Find, tmp_path: Path) -> None:
    pins = tmp_path / "config" / "otys-companion" / "pins.toml"
    pins.parent.mkdir(parents=True)
    pins.write_text("[buttons]\nundo = 99\n")
    finding = find()["buttons"]
    assert finding.state == "broken"
    assert "pins.toml:2: 99 is no GPIO number" in finding.text


def test_a_desktop_counts_as_a_display(find: Find) -> None:
    assert find(env={"WAYLAND_DISPLAY": "wayland-0"})["display"].text == "WAYLAND_DISPLAY is wayland-0"


def test_the_innermost_mount_counts() -> None:
    mounts = "/dev/a / ext4 rw\n/dev/b /mnt/my\\040games vfat rw\ntmpfs /mnt tmpfs rw\nbroken\n"
    assert filesystem(mounts, Path("/mnt/my games/otys")) == "vfat"
    assert filesystem(mounts, Path("/mnt/other")) == "tmpfs"
    assert filesystem(mounts, Path("/home")) == "ext4"
    assert filesystem("", Path("/home")) == ""


def test_the_command_prints_a_sentence_and_a_remedy_and_fails_when_the_camera_it_was_given_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OTYS_DATA", str(tmp_path))
    code = main(["doctor", "--camera", f"folder:{tmp_path}/none"])
    out = capsys.readouterr().out
    assert code == 1
    assert "no such folder" in " ".join(out.split())
    assert "→" in out


def test_the_command_prints_one_json_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OTYS_DATA", str(tmp_path))
    monkeypatch.setattr(doctor, "NEEDED_FREE_BYTES", 10**18)
    code = main(["doctor", "--json", "--camera", f"folder:{tmp_path}"])
    document = json.loads(capsys.readouterr().out)
    assert code == 1
    assert document["healthy"] is False
    parts = {finding["part"]: finding for finding in document["findings"]}
    assert parts["disk"]["state"] == "broken"
    assert set(parts["disk"]) == {"part", "state", "text", "remedy", "essential"}


def test_a_camera_that_does_not_exist_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--camera", "kinect"]) == 2
    assert "choose picamera" in capsys.readouterr().err

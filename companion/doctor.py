"""What works on this machine, what does not, and what to do about it: one finding for each part."""

import importlib.metadata
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from calibration.advice import Tone
from calibration.packs import SAMPLE, list_packs, packs_dir
from companion.journal.folder import data_folder
from companion.rigs import locks_of
from companion.stand import chosen_pack, examine_stand
from hardware.choose import choose_camera
from hardware.frame import Camera, CameraLost
from hardware.gpio import NoGpio, pin_factory
from hardware.locks import Locks
from hardware.pins import load_pins, pins_file
from vision.look import Looker
from vision.pack import load_pack
from vision.rectify import Picture

# ok; weak: works, but will not for long or not well; missing: not here, something else does its work; broken.
State = Literal["ok", "weak", "missing", "broken"]

NEEDED_FREE_BYTES = 100_000_000  # a year of evenings; less, and the system itself begins to stumble
HOT_C = 80.0  # the Pi slows down from here
VOLATILE = frozenset({"overlay", "tmpfs", "ramfs"})
PYTHONS = ((3, 11), (3, 13))
PACKAGES = ("otys-companion", "kivy", "opencv-python", "numpy", "gpiozero", "picamera2", "lgpio")
ONLY_ON_A_PI = frozenset({"picamera2", "lgpio"})
ENOUGH_PX = 7_000_000  # numerals on the smallest tokens of a four-player table
SETTLING_FRAMES = 10  # exposure and white balance of an unlocked camera find their place within a second
DEVICES = {"video": "video*", "gpio": "gpiochip*"}  # by the group that opens them
TONES: Mapping[Tone, State] = {"good": "ok", "warn": "weak", "fault": "broken"}
TOUCH_NAMES = re.compile(r"touch|ft5|goodix|ilitek|waveshare|egalax", re.IGNORECASE)
# Bits of the firmware's get_throttled: what is so now, and what has happened since power-on.
UNDER_VOLTAGE, THROTTLED, TOO_HOT = 1 << 0, 1 << 2, 1 << 3
SINCE_BOOT = 16


@dataclass(frozen=True)
class Finding:
    """`essential` parts that are broken keep the companion from running as it was asked to."""

    part: str
    state: State
    text: str
    remedy: str = ""
    essential: bool = False


@dataclass(frozen=True)
class Machine:
    """Where the doctor looks. Tests point it at a folder; `root` holds proc, sys and dev."""

    root: Path = Path("/")
    environment: Mapping[str, str] | None = None
    camera: str | None = None  # as for play; None looks for one
    make_camera: Callable[[str, Sequence[Locks]], Camera] = choose_camera

    def read(self, path: str) -> str:
        """A file of the kernel's, or nothing."""
        try:
            return (self.root / path).read_text(errors="replace").strip("\0\n ")
        except OSError:
            return ""

    def env(self, name: str) -> str:
        return (os.environ if self.environment is None else self.environment).get(name, "")

    @property
    def model(self) -> str:
        return self.read("proc/device-tree/model")

    @property
    def is_pi(self) -> bool:
        return "Raspberry Pi" in self.model


def examine(machine: Machine) -> Iterator[Finding]:
    """Every part in turn, as soon as it is known: the camera may take a few seconds."""
    yield from _versions(machine)
    yield _heat(machine)
    yield from _rights(machine)
    yield from _camera(machine)
    yield _pins(machine)
    yield _display(machine)
    yield _touch(machine)
    yield from _packs()
    yield from _journal(machine)


def healthy(findings: Sequence[Finding]) -> bool:
    return not any(finding.state == "broken" and finding.essential for finding in findings)


def _versions(machine: Machine) -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    low, high = (".".join(map(str, python)) for python in PYTHONS)
    if PYTHONS[0] <= sys.version_info[:2] <= PYTHONS[1]:
        yield Finding("Python", "ok", f"{version} on {machine.model or sys.platform}", essential=True)
    else:
        remedy = f"install Python {low} to {high} and run make run again"
        yield Finding(
            "Python", "broken", f"{version} is not between {low} and {high}", remedy, essential=True
        )
    found, missing = [], []
    for package in PACKAGES:
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            if package not in ONLY_ON_A_PI:
                missing.append(package)
    if missing:
        remedy = "install again: make run, or deploy/install.sh on a Raspberry Pi"
        yield Finding("packages", "broken", f"not installed: {', '.join(missing)}", remedy, essential=True)
    else:
        yield Finding("packages", "ok", ", ".join(found), essential=True)


def _heat(machine: Machine) -> Finding:
    millidegrees = machine.read("sys/class/thermal/thermal_zone0/temp")
    warm_c = int(millidegrees) / 1000 if millidegrees.isdigit() else None
    text = f"{warm_c:.0f} °C" if warm_c is not None else "this machine does not tell its temperature"
    try:
        flags = int(machine.read("sys/devices/platform/soc/soc:firmware/get_throttled") or "0", 16)
    except ValueError:
        flags = 0
    ever = flags | flags >> SINCE_BOOT
    if ever & UNDER_VOLTAGE:
        when = "is" if flags & UNDER_VOLTAGE else "was since power-on"
        remedy = "use the official power supply (Pi 4: 5.1 V 3 A, Pi 5: 5 V 5 A) and its own short cable"
        return Finding("power and heat", "weak", f"{text}; the voltage {when} too low", remedy)
    if ever & (THROTTLED | TOO_HOT) or (warm_c is not None and warm_c >= HOT_C):
        remedy = "give the Raspberry Pi a heat sink or a fan, and do not close it in"
        return Finding("power and heat", "weak", f"{text}; it slows itself down", remedy)
    return Finding("power and heat", "ok", text)


def _camera(machine: Machine) -> Iterator[Finding]:
    spelling = machine.camera
    if spelling is None:
        if machine.is_pi:
            spelling = "picamera"
        elif any((machine.root / "dev").glob("video*")):
            spelling = "webcam"
        else:
            remedy = "plug one in, or play on the simulated table: otys-companion demo"
            yield Finding("camera", "missing", "no camera here; games can be entered by touch", remedy)
            return
    pack_dir = chosen_pack(data_folder())
    try:
        camera = machine.make_camera(spelling, locks_of(pack_dir) if pack_dir else ())
        try:
            camera.open()
            for _ in range(SETTLING_FRAMES):
                camera.small()
            frame = camera.full()
        finally:
            camera.close()
    except CameraLost as error:
        remedy = "games can be entered by touch until it works"
        yield Finding("camera", "broken", str(error), remedy, essential=machine.camera is not None)
        return
    height, width = frame.bgr.shape[:2]
    text = f"{camera.name}: {width} x {height} pixels"
    if width * height < ENOUGH_PX:
        remedy = "small symbols need 7 megapixels for four players; see docs/hardware.md"
        yield Finding("camera", "weak", f"{text} are few", remedy)
    else:
        yield Finding("camera", "ok", text)
    yield from _stand(frame.bgr, pack_dir)


def _stand(bgr: Picture, pack_dir: Path | None) -> Iterator[Finding]:
    """Whether the camera stands right for the pack in use: height, frame, focus and light."""
    looker = None
    try:
        looker = Looker.load(pack_dir) if pack_dir else None
    except (ValueError, OSError) as error:
        remedy = (
            f"teach it again: otys-companion enrol {pack_dir} (the sample is made anew at the next start)"
        )
        yield Finding("pack", "weak", str(error), remedy)
    try:
        stand = examine_stand(bgr, looker)
    except ValueError as error:
        remedy = "look at the picture on the screen: otys-companion calibrate"
        yield Finding("stand", "broken", str(error), remedy)
        return
    if stand.boards:
        yield Finding("stand", "ok", f"sees the boards {', '.join(stand.boards)} of {stand.pack}")
    elif stand.pack:
        remedy = "lay out the boards under the camera and ask again, or teach them: otys-companion calibrate"
        yield Finding("stand", "missing", f"sees no board of {stand.pack}", remedy)
    for advice in stand.advice:
        yield Finding(f"stand: {advice.what}", TONES[advice.tone], advice.text, advice.remedy)


def _rights(machine: Machine) -> Iterator[Finding]:
    """Devices that are there but closed to this user; one that is open needs no word."""
    for group, pattern in DEVICES.items():
        device = next(iter(sorted((machine.root / "dev").glob(pattern))), None)
        if device is not None and not os.access(device, os.R_OK | os.W_OK):
            remedy = f"sudo usermod -aG {group} $USER, then log in again"
            yield Finding("rights", "broken", f"/dev/{device.name} is closed to this user", remedy)


def _pins(machine: Machine) -> Finding:
    try:
        pins = load_pins()
    except (ValueError, OSError) as error:
        return Finding("buttons", "broken", str(error), f"correct or remove {pins_file()}")
    try:
        pin_factory()
    except NoGpio as error:
        state: State = "broken" if machine.is_pi else "missing"
        return Finding("buttons", state, str(error), "play with --buttons keyboard, or by touch")
    used = ", ".join(f"{name} {gpio}" for gpio, name in pins.used().items())
    return Finding("buttons", "ok", f"the pins can be used: {used}")


def _display(machine: Machine) -> Finding:
    for name in ("WAYLAND_DISPLAY", "DISPLAY"):
        if machine.env(name):
            return Finding("display", "ok", f"{name} is {machine.env(name)}")
    connected = [
        status.parent.name.partition("-")[2]
        for status in sorted((machine.root / "sys/class/drm").glob("card*-*/status"))
        if status.read_text().strip() == "connected"
    ]
    if connected:
        return Finding("display", "ok", f"a screen is connected: {', '.join(connected)}")
    remedy = "check the screen's cable and power; without a screen: otys-companion demo --headless"
    return Finding("display", "missing", "no screen is connected and no desktop is running", remedy)


def _touch(machine: Machine) -> Finding:
    names = re.findall(r'Name="([^"]*)"', machine.read("proc/bus/input/devices"))
    touching = [name for name in names if TOUCH_NAMES.search(name)]
    if touching:
        return Finding("touch", "ok", touching[0])
    return Finding(
        "touch", "missing", "no touchscreen was found", "a mouse does the same; check the touch cable"
    )


def _packs() -> Iterator[Finding]:
    found = list_packs()
    if not set(found) - {SAMPLE}:
        remedy = "teach the companion your copy of the game: otys-companion calibrate"
        yield Finding("pack", "missing", f"none of your own in {packs_dir()}", remedy)
    for path in found.values():
        try:
            pack = load_pack(path)
        except (ValueError, OSError) as error:
            remedy = "correct the file at that line, or teach the pack again"
            yield Finding("pack", "broken", str(error), remedy)
        else:
            yield Finding("pack", "ok", f"{pack.name}: {len(pack.boards)} boards, {len(pack.slots)} slots")


def _journal(machine: Machine) -> Iterator[Finding]:
    folder = data_folder()
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(nearest).free
    if free < NEEDED_FREE_BYTES:
        remedy = "remove old files, or move the games to a larger disk with OTYS_DATA"
        yield Finding("disk", "broken", f"only {free / 1e6:.0f} MB free for {folder}", remedy, essential=True)
    else:
        yield Finding("disk", "ok", f"{free / 1e9:.1f} GB free", essential=True)
    trouble = _cannot_write(nearest)
    kind = filesystem(machine.read("proc/mounts"), nearest)
    if trouble:
        remedy = (
            f"give it to the user who plays: sudo chown -R $USER {folder}, or choose another with OTYS_DATA"
        )
        yield Finding("journal", "broken", f"{folder} cannot be written: {trouble}", remedy, essential=True)
    elif kind in VOLATILE:
        remedy = "put it on a partition or USB disk that is written through: OTYS_DATA, or deploy/install.sh --data"
        yield Finding(
            "journal", "weak", f"{folder} lies on {kind}, which may forget games at power-off", remedy
        )
    else:
        yield Finding("journal", "ok", f"games are kept in {folder}", essential=True)


def _cannot_write(folder: Path) -> str:
    """Writes and syncs a file, as the journal does; says why it failed."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"doctor")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error.strerror or str(error)
    return ""


def filesystem(mounts: str, path: Path) -> str:
    """The kind of file system `path` lies on, from the kernel's list of mounts.

    >>> filesystem("/dev/sda1 / ext4 rw 0 0\\ntmpfs /run tmpfs rw 0 0", Path("/run/user/1000"))
    'tmpfs'
    """
    here = path.resolve()
    best, kind = -1, ""
    for line in mounts.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        point = Path(fields[1].replace("\\040", " "))
        if (here == point or point in here.parents) and len(point.parts) >= best:
            best, kind = len(point.parts), fields[2]
    return kind

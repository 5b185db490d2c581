"""The camera that `--camera` names. What was chosen is said by its `name`; nothing falls back in silence."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from hardware.beside import Beside
from hardware.folder import FolderCamera
from hardware.frame import Camera, CameraLost
from hardware.locks import Locks, locks_for
from hardware.picamera import PiCamera
from hardware.process import DEFAULTS, CameraProcess, ProcessSettings
from hardware.webcam import Webcam

SIMULATED_SEED = 1  # the same table every time
SPELLINGS = "picamera, picamera:N, picamera:both, webcam, webcam:N, folder:DIR or simulated"


def choose_camera(
    spelling: str,
    locks: Sequence[Locks] = (),
    settings: ProcessSettings = DEFAULTS,
    on_lost: Callable[[str], None] = lambda sentence: None,
    on_back: Callable[[], None] = lambda: None,
) -> Camera:
    """A camera that is not open yet, with the locks of each from the left. Real ones run in a process of their own; files and the simulated table need none.

    >>> choose_camera("webcam:2").name
    'webcam 2'
    """
    kind, _, value = spelling.partition(":")

    def apart(make: Callable[[], Camera]) -> CameraProcess:
        return CameraProcess(make().name, make, settings, on_lost, on_back)

    match kind:
        case "picamera" if value == "both":
            return apart(partial(_both, tuple(locks)))
        case "picamera":
            return apart(partial(PiCamera, _index(spelling, value), locks_for(0, locks)))
        case "webcam":
            return apart(partial(Webcam, _index(spelling, value)))
        case "folder" if value:
            return FolderCamera(Path(value).expanduser())
        case "simulated" if not value:
            # Loaded only when asked for: the simulated table brings the rules of the game and its drawings along.
            from hardware.simulated.table import SimulatedTable

            return SimulatedTable(SIMULATED_SEED).camera
        case _:
            raise ValueError(f"--camera {spelling!r} is not known: choose {SPELLINGS}")


def check_spelling(spelling: str) -> None:
    """Raises ValueError when `--camera` names nothing we know, or a folder without pictures; draws nothing."""
    camera = choose_camera(spelling) if spelling != "simulated" else None
    if isinstance(camera, FolderCamera):
        try:
            camera.open()
        except CameraLost as lost:
            raise ValueError(f"--camera {spelling}: {lost}") from lost
        camera.close()


def _index(spelling: str, value: str) -> int:
    if not value:
        return 0
    if not (value.isascii() and value.isdigit() and len(value) <= 2):
        raise ValueError(f"--camera {spelling!r}: after the colon a camera's number is wanted, from 0")
    return int(value)


def _both(locks: Sequence[Locks]) -> Beside:
    return Beside([PiCamera(number, locks_for(number, locks)) for number in (0, 1)])

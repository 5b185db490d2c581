"""Opens everything an evening needs, and says aloud what was chosen."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from calibration.packs import SAMPLE, list_packs
from companion import actions
from companion.app import PULSE_S, App
from companion.calibrator import Calibrator
from companion.documents import read_cards
from companion.eye import Eye
from companion.journal.folder import data_folder
from companion.journal.journal import Journal
from companion.journal.settings import load_settings, save_settings
from companion.messages import Pressed, Tapped, UndoHeld
from companion.rigs import locks_of
from companion.sample import open_otys, open_pack
from companion.session import Session
from companion.ui.window import SEVEN_INCH, Touchscreen
from companion.view import Box
from hardware.choose import check_spelling, choose_camera
from hardware.controls import open_controls
from hardware.folder import FolderCamera
from hardware.frame import Camera, CameraLost
from hardware.pins import load_pins
from vision.look import Looker
from vision.pack import TAUGHT_SLOTS, load_pack
from vision.settle import Settle

Say = Callable[[str], None]


def play_evening(camera: str, buttons: str, pack: str | None, windowed: bool, say: Say) -> None:
    """The touchscreen until somebody leaves it."""
    check_spelling(camera)
    session, pack_dir = _open(pack, say)
    watching = choose_camera(camera, locks_of(pack_dir))
    size_px = SEVEN_INCH if windowed else None
    run_window(session, watching, Looker.load(pack_dir), buttons, size_px, say)


def calibrate_table(camera: str, pack: str | None, windowed: bool, say: Say) -> None:
    """The touchscreen with the calibration up. A pack that is not there yet is made from the sample's layout.

    The camera is free to focus and expose anew: what it settles on is kept with the pack.
    """
    check_spelling(camera)
    known = pack in (None, SAMPLE) or pack in list_packs() or Path(pack).expanduser().exists()
    name = "" if known or pack is None else pack_name(pack)
    session, pack_dir = _open(pack if known else SAMPLE, say)
    # A layout that nobody has taught yet can be fitted; until then the eye knows the sample.
    taught = pack_dir if (pack_dir / TAUGHT_SLOTS).is_file() else open_pack(SAMPLE, say)
    run_window(
        session,
        choose_camera(camera),
        Looker.load(taught),
        "none",
        SEVEN_INCH if windowed else None,
        say,
        lambda app: app.send(Tapped(actions.CALIBRATE)),
        name,
        pack_dir,
    )


def pack_name(name: str) -> str:
    """A name for a new pack that is also a folder's.

    >>> pack_name("our-otys")
    'our-otys'
    """
    if not name or name.startswith(".") or Path(name).name != name:
        raise ValueError(f"--pack {name!r}: a new pack needs a plain name, such as our-otys")
    return name


def _open(pack: str | None, say: Say) -> tuple[Session, Path]:
    """The journal with its session, and the folder of the pack."""
    folder = data_folder()
    settings = load_settings(folder)
    if pack is not None:
        settings = replace(settings, pack=pack)
    pack_dir = open_otys(settings.pack, say)
    say(f"pack: {load_pack(pack_dir).name} ({pack_dir})")
    session = Session(
        Journal(folder),
        lambda name: read_cards(open_pack(name, say) / "cards.json"),
        settings=settings,
        save_settings=lambda chosen: save_settings(folder, chosen),
    )
    return session, pack_dir


def run_window(
    session: Session,
    camera: Camera,
    looker: Looker,
    buttons: str,
    size_px: tuple[int, int] | None,
    say: Say,
    beside: Callable[[App], None] = lambda app: None,
    new_pack: str = "",
    layout: Path | None = None,
) -> None:
    """Session, eye, controls and window together; `beside` may start something that uses the running application.

    `new_pack` names what a calibration makes; without it the pack in use is only checked, unless it is the sample.
    `layout` is the folder of the pack to calibrate when it is not the looker's.
    """
    screen = Touchscreen(lambda message: app.send(message), Box.of(looker.pack), size_px)
    controls = open_controls(
        buttons,
        load_pins(),
        on_press=lambda player: app.send(Pressed(player)),
        on_undo=lambda: app.send(UndoHeld()),
        say=say,
    )
    say(f"buttons: {controls.name}")
    app = App(session, screen.show, controls, screen.stop)
    screen.beat(app.pulse, PULSE_S)
    if controls.keyboard is not None:
        screen.listen(controls.keyboard)
    try:
        camera.open()
        say(f"camera: {camera.name}")
    except CameraLost as trouble:
        # The eye goes on trying; until then the game goes by touch, and the screen says so.
        say(f"camera: {trouble}")
    eye = Eye(camera, looker, Settle(), app.send, ahead=not isinstance(camera, FolderCamera))

    def adopt(folder: Path) -> None:
        taught = Looker.load(folder)
        eye.learn(taught)
        screen.learn(Box.of(taught.pack))

    app.start(eye, Calibrator(camera, layout or looker.pack.dir, app.send, adopt, new_pack))
    beside(app)
    try:
        screen.run()
    finally:
        app.stop()

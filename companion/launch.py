"""Opens everything an evening needs, and says aloud what was chosen."""

from collections.abc import Callable
from dataclasses import replace

from companion.app import App
from companion.documents import read_cards
from companion.eye import Eye
from companion.journal.folder import data_folder
from companion.journal.journal import Journal
from companion.journal.settings import load_settings, save_settings
from companion.messages import Pressed, UndoHeld
from companion.sample import open_pack
from companion.session import Session
from companion.ui.window import SEVEN_INCH, Touchscreen
from companion.view import Box
from hardware.choose import choose_camera
from hardware.controls import open_controls
from hardware.frame import Camera, CameraLost
from hardware.pins import load_pins
from vision.look import Looker
from vision.pack import load_pack
from vision.settle import Settle

Say = Callable[[str], None]


def play_evening(camera: str, buttons: str, pack: str | None, windowed: bool, say: Say) -> None:
    """The touchscreen until somebody leaves it."""
    folder = data_folder()
    settings = load_settings(folder)
    if pack is not None:
        settings = replace(settings, pack=pack)
    pack_dir = open_pack(settings.pack, say)
    say(f"pack: {load_pack(pack_dir).name} ({pack_dir})")
    watching = choose_camera(camera)
    session = Session(
        Journal(folder),
        lambda name: read_cards(open_pack(name, say) / "cards.json"),
        settings=settings,
        save_settings=lambda chosen: save_settings(folder, chosen),
    )
    run_window(session, watching, Looker.load(pack_dir), buttons, SEVEN_INCH if windowed else None, say)


def run_window(
    session: Session,
    camera: Camera,
    looker: Looker,
    buttons: str,
    size_px: tuple[int, int] | None,
    say: Say,
    beside: Callable[[App], None] = lambda app: None,
) -> None:
    """Session, eye, controls and window together; `beside` may start something that uses the running application."""
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
    if controls.keyboard is not None:
        screen.listen(controls.keyboard)
    try:
        camera.open()
        say(f"camera: {camera.name}")
    except CameraLost as trouble:
        # The eye goes on trying; until then the game goes by touch, and the screen says so.
        say(f"camera: {trouble}")
    app.start(Eye(camera, looker, Settle(), app.send))
    beside(app)
    try:
        screen.run()
    finally:
        app.stop()

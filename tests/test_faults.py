"""One running companion and everything that goes wrong around it: it goes on, or it says what to do.

The application with its threads, the session, the referee, the eye, the journal and the finding of boards are real; what lies in a
slot is told by the table itself. Time passes with the pictures, so nothing waits for a clock.
"""

import json
import queue
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from calibration.boards import TaughtPhoto, teach_boards
from companion import actions
from companion.app import App
from companion.documents import read_cards
from companion.eye import Eye
from companion.journal.journal import Journal
from companion.messages import Message, Pressed, Tapped
from companion.referee import expected
from companion.rules import Position
from companion.session import Session
from companion.state import Entering, Hidden, Playing, SettingUp, State, Welcome
from hardware.controls import Silent
from hardware.frame import CameraLost, Frame
from hardware.simulated.contents import bare
from hardware.simulated.enrolment import write_pack
from hardware.simulated.stage import Pose
from hardware.simulated.table import SimulatedTable
from vision.fix import Located
from vision.look import Looker
from vision.pack import load_pack
from vision.settle import Settle

SEED = 434
SIZE_PX = (1024, 576)
STEP_S = 0.1
PATIENCE_S = 60.0  # at the table; the pictures of a minute are drawn in seconds


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


class TroubledCamera:
    """The simulated camera with a cable that can be pulled and a lens that can be covered."""

    name = "troubled"

    def __init__(self, table: SimulatedTable, clock: Clock) -> None:
        self._camera, self._clock = table.camera, clock
        self.unplugged = self.covered = False

    def open(self) -> None:
        self._camera.open()

    def close(self) -> None:
        self._camera.close()

    def small(self, timeout_s: float = 1.0) -> Frame:
        self._clock.now_s += STEP_S
        return self._seen(self._camera.small)

    def full(self, timeout_s: float = 3.0) -> Frame:
        return self._seen(self._camera.full)

    def _seen(self, take: Callable[[], Frame]) -> Frame:
        if self.unplugged:
            raise CameraLost("The camera is gone: check its cable.")
        frame = take()
        return replace(frame, bgr=np.zeros_like(frame.bgr)) if self.covered else frame


class TrueReader:
    """What lies on every board that was found, as the table knows it."""

    def __init__(self, table: SimulatedTable) -> None:
        self.table = table

    def read(self, bgr: Any, located: Located, memory: Any) -> Any:
        tiles, counts, hidden = {}, {}, set()
        for slot, content in expected(self.table.position).items():
            if slot.partition(".")[0] not in located.fixes:
                hidden.add(slot)
            elif isinstance(content, dict):
                counts[slot] = {label: {number: 1.0} for label, number in content.items()}
            elif content is not None:
                tiles[slot] = {content: 1.0}
        return SimpleNamespace(tiles=tiles, counts=counts, hidden=frozenset(hidden))


class Running:
    """A companion at a table of two, and somebody who looks at its screen."""

    def __init__(self, folder: Path) -> None:
        self.clock = Clock()
        self.table = SimulatedTable(SEED, 2, "easy", size_px=SIZE_PX, clock=self.clock, art_seed=SEED)
        self.pack_dir, self.data = folder / "pack", folder / "data"
        studio = self.table.studio
        write_pack(studio, self.table.cards.to_json(), self.pack_dir, lambda words: None)
        self.camera = TroubledCamera(self.table, self.clock)
        self.journal = Journal(self.data)
        session = Session(self.journal, lambda pack: read_cards(self.pack_dir / "cards.json"))
        self.states: queue.Queue[State] = queue.Queue()
        self.app = App(session, self.states.put, Silent("none"), lambda: None, self.clock)
        self.camera.open()
        # On the table's clock hands take no time: what was read just before they came would be told after they have left.
        self.app.start(Eye(self.camera, self._looker(), Settle(), self.app.send, ahead=False))

    def _looker(self) -> Looker:
        """Boards are taught from a picture of them bare, with nothing but that to go by."""
        studio, lying = self.table.studio, self.table.studio.held
        studio.lay(bare(studio.layout))
        shot = studio.photograph()
        studio.lay(lying)
        pack = load_pack(self.pack_dir)
        models = teach_boards(pack, [TaughtPhoto(shot.bgr, shot.truth.boards)])
        return Looker(pack, models, TrueReader(self.table))  # type: ignore[arg-type]

    def until(self, wanted: Callable[[State], bool]) -> State:
        """The first state of this kind from now on."""
        began_s = self.clock.now_s
        while self.clock.now_s - began_s < PATIENCE_S:
            try:
                state = self.states.get(timeout=PATIENCE_S)
            except queue.Empty:
                break
            if wanted(state):
                return state
        pytest.fail(
            f"the screen still shows {self.app.session.state.mode}, {self.app.session.state.notice!r}"
        )

    def send(self, message: Message, wanted: Callable[[State], bool]) -> State:
        while not self.states.empty():
            self.states.get()
        self.app.send(message)
        return self.until(wanted)

    def tap(self, action: str, wanted: Callable[[State], bool]) -> State:
        return self.send(Tapped(action), wanted)

    def set_up(self) -> None:
        self.until(lambda state: isinstance(state.mode, Welcome))
        self.tap(actions.NEW_GAME, lambda state: isinstance(state.mode, SettingUp))
        self.tap(actions.NEXT, lambda state: step(state) == "rules")
        self.tap(actions.NEXT, lambda state: step(state) == "table")
        self.until(lambda state: isinstance(state.mode, SettingUp) and state.mode.checked)
        self.tap(actions.START, lambda state: isinstance(state.mode, Playing))

    def play(self) -> int:
        """Hands make the next turn and leave; the player who will press."""
        pending = self.table.next_turn()
        assert pending is not None
        self.clock.now_s = pending.done_s
        return pending.press.player

    def press(self, player: int, wanted: Callable[[State], bool]) -> State:
        return self.send(Pressed(player), wanted)

    def goes_on(self) -> None:
        """The next turn is played, and told as it was."""
        self.told(self.play())

    def told(self, player: int) -> State:
        """The player presses, and hears what was played."""
        before = self._turns(self.app.session.state)
        state = self.press(player, lambda state: self._turns(state) > before)
        assert isinstance(state.mode, Playing) and state.mode.verdict is not None and state.game is not None
        assert public(state.game.position) == public(self.table.position)
        return state

    @staticmethod
    def _turns(state: State) -> int:
        return len(state.game.history) if state.game is not None else 0


def step(state: State) -> str:
    return state.mode.step if isinstance(state.mode, SettingUp) else ""


def public(position: Position) -> tuple[object, ...]:
    return position.to_play, *((p.score, p.credits, p.zone, p.divers, p.keys) for p in position.players)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    companion = Running(tmp_path)
    yield companion
    companion.app.stop()
    companion.journal.close()


def test_one_evening_survives_everything_that_goes_wrong(running: Running) -> None:
    running.set_up()
    running.goes_on()
    _the_camera_is_unplugged(running)
    _the_lens_is_covered(running)
    _a_board_is_out_of_view(running)
    _the_folder_of_games_is_deleted(running)
    _the_folder_of_games_cannot_be_written(running)
    _the_pack_is_edited(running)


def _the_camera_is_unplugged(running: Running) -> None:
    player = running.play()
    running.camera.unplugged = True
    state = running.until(lambda state: isinstance(state.mode, Entering))
    assert state.camera_trouble == "The camera is gone: check its cable."
    assert state.notice == "The game goes on by touch. The camera is gone: check its cable."
    running.camera.unplugged = False
    state = running.until(lambda state: not state.camera_trouble and isinstance(state.mode, Playing))
    running.told(player)
    running.goes_on()


def _the_lens_is_covered(running: Running) -> None:
    player = running.play()
    running.camera.covered = True
    state = running.press(player, lambda state: isinstance(state.mode, Hidden))
    assert isinstance(state.mode, Hidden) and state.mode.unclear.why == "Too much of the boards is hidden."
    boards = {slot.partition(".")[0] for slot in state.mode.unclear.slots}
    assert boards >= {"colony", running.table.position.players[player].colour}
    running.camera.covered = False
    running.told(player)
    running.goes_on()


def _a_board_is_out_of_view(running: Running) -> None:
    player = running.play()
    poses = running.table.studio.poses
    colour = running.table.position.players[player].colour
    lay = poses[colour]
    script = running.table.camera._script
    assert script is not None
    away = Pose(lay.x_mm + 5000.0, lay.y_mm, lay.turn_deg)
    running.table.camera.play(replace(script, after=replace(script.after, poses={**poses, colour: away})))
    state = running.press(player, lambda state: isinstance(state.mode, Hidden))
    assert isinstance(state.mode, Hidden)
    assert any(slot.startswith(f"{colour}.") for slot in state.mode.unclear.slots)
    running.table.camera.play(script)
    running.told(player)
    running.goes_on()


def _the_folder_of_games_is_deleted(running: Running) -> None:
    shutil.rmtree(running.data)
    running.goes_on()
    assert running.journal.trouble is None and running.journal.durable
    assert (running.data / "journal.sqlite").is_file()


def _the_folder_of_games_cannot_be_written(running: Running) -> None:
    """Root may write anywhere, so a file stands where the folder was."""
    shutil.rmtree(running.data)
    running.data.write_text("in the way")
    state = running.told(running.play())
    assert str(running.data) in state.notice and "keep the power on" in state.notice
    running.data.unlink()
    running.until(lambda state: state.notice == "The game is on the disk again, nothing is missing.")
    assert running.journal.durable
    running.goes_on()


def _the_pack_is_edited(running: Running) -> None:
    """The game goes on with what was read when it began; the next one is told what is wrong with the file."""
    (running.pack_dir / "pack.toml").write_text("version = 99")
    (running.pack_dir / "cards.json").write_text("{")
    running.goes_on()
    running.tap(actions.END_GAME, lambda state: not isinstance(state.mode, Playing))
    running.tap(actions.NEW_GAME, lambda state: isinstance(state.mode, SettingUp))
    running.tap(actions.NEXT, lambda state: step(state) == "rules")
    cards = running.table.cards.to_json()
    state = running.tap(actions.NEXT, lambda state: "cards.json" in state.notice)
    assert "cannot be read" in state.notice and step(state) == "table"
    (running.pack_dir / "cards.json").write_text(json.dumps(cards))
    running.until(lambda state: isinstance(state.mode, SettingUp) and state.mode.checked)

"""The application hands the calibration's touches to the calibrator and everything else to the session."""

import queue
from pathlib import Path
from typing import Any, cast

import pytest

from companion import actions
from companion.app import App
from companion.calibrator import Calibrator
from companion.cli import main
from companion.journal.journal import Journal
from companion.messages import Message, Tapped
from companion.rules import sample_cards
from companion.session import Session
from companion.state import Calibrating, Welcome
from hardware.controls import open_controls
from hardware.pins import load_pins


class Listening:
    """Takes what is meant for a calibrator and tells when its screen is up."""

    def __init__(self) -> None:
        self.up: queue.Queue[bool] = queue.Queue()
        self.heard: queue.Queue[Any] = queue.Queue()

    def hear(self, message: Message) -> bool:
        mine = isinstance(message, Tapped) and message.action == actions.CALIBRATION
        if mine:
            self.heard.put(cast(Tapped, message).value)
        return mine

    def attend(self, wanted: bool) -> None:
        self.up.put(wanted)

    def wait_until(self, wanted: bool) -> None:
        while self.up.get(timeout=10) is not wanted:
            pass


def test_touches_reach_the_calibrator_while_its_screen_is_up(tmp_path: Path) -> None:
    session = Session(Journal(tmp_path), lambda name: sample_cards())
    controls = open_controls(
        "none", load_pins(), on_press=lambda player: None, on_undo=lambda: None, say=lambda said: None
    )
    listening = Listening()
    app = App(session, lambda state: None, controls, lambda: None)
    app.start(None, cast(Calibrator, listening))
    try:
        app.send(Tapped(actions.CALIBRATE))
        listening.wait_until(True)
        app.send(Tapped(actions.CALIBRATION, ("tap", (3.0, 4.0))))
        assert listening.heard.get(timeout=10) == ("tap", (3.0, 4.0))
        assert session.state.mode == Calibrating(), "a touch is no progress"
        app.send(Tapped(actions.BACK))
        listening.wait_until(False)
        assert isinstance(session.state.mode, Welcome)
    finally:
        app.stop()


def test_a_new_pack_needs_a_plain_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setenv("OTYS_DATA", str(tmp_path))
    assert main(["calibrate", "--pack", "../elsewhere", "--camera", "simulated"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "needs a plain name" in said

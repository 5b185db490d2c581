"""What systemd hears."""

import queue
import socket
from pathlib import Path

import pytest

from companion import actions
from companion import app as running
from companion.journal.journal import Journal
from companion.messages import Tapped
from companion.rules import sample_cards
from companion.session import Session
from companion.state import State
from hardware.controls import Silent
from hardware.watchdog import Watchdog

PATIENT_S = 30.0  # only ever waited for in full when the test fails


def test_systemd_hears_ready_alive_and_stopping(tmp_path: Path) -> None:
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(path))
        systemd.settimeout(10)
        watchdog = Watchdog({"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"})
        assert watchdog.period_s == 10
        watchdog.ready("waiting for\nplayers")
        assert systemd.recv(200) == b"READY=1\nSTATUS=waiting for players"
        watchdog.alive()
        assert systemd.recv(200) == b"WATCHDOG=1"
        watchdog.stopping()
        assert systemd.recv(200) == b"STOPPING=1"


def test_an_abstract_socket_is_reached_too() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind("\0otys-watchdog-test")
        systemd.settimeout(10)
        Watchdog({"NOTIFY_SOCKET": "@otys-watchdog-test"}).ready()
        assert systemd.recv(200) == b"READY=1"


def test_without_systemd_nothing_happens() -> None:
    watchdog = Watchdog({})
    assert watchdog.period_s is None
    watchdog.ready()
    watchdog.alive()


def test_a_systemd_that_does_not_listen_is_no_reason_to_stop(tmp_path: Path) -> None:
    Watchdog({"NOTIFY_SOCKET": str(tmp_path / "gone")}).alive()


def test_a_window_that_no_longer_draws_is_not_called_alive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = 0.0
    alive: queue.Queue[float] = queue.Queue()
    shown: queue.Queue[State] = queue.Queue()

    class Noting(Watchdog):
        def alive(self, status: str = "") -> None:
            alive.put(now_s)

    monkeypatch.setattr(running, "Watchdog", Noting)
    session = Session(Journal(tmp_path), lambda name: sample_cards())
    app = running.App(session, shown.put, Silent("none"), lambda: None, clock=lambda: now_s)
    app.pulse()
    app.start(None)
    try:
        assert alive.get(timeout=PATIENT_S) == 0.0
        shown.get(timeout=PATIENT_S)
        now_s = running.LONGEST_SILENCE_S + 1
        app.send(Tapped(actions.CALIBRATE))
        shown.get(timeout=PATIENT_S)  # the worker goes on, the window does not
        app.send(Tapped(actions.BACK))
        shown.get(timeout=PATIENT_S)
        now_s += 1
        app.pulse()
        app.send(Tapped(actions.CALIBRATE))
        while (last_s := alive.get(timeout=PATIENT_S)) != now_s:
            assert last_s == 0.0
    finally:
        app.stop()

"""What systemd hears."""

import socket
from pathlib import Path

from hardware.watchdog import Watchdog


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

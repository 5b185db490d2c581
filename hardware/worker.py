"""What runs inside the camera process: opens the camera, sends small pictures as they come and full ones when asked.

It never decides that it hangs; its owner does, by what it no longer hears. Messages are short JSON documents:
out `["open"]`, `["small", header]`, `["busy"]`, `["full", request, header]`, `["locking"]`, `["locked", request]`,
`["trouble", sentence]`; in `["full", request, timeout_s]`, `["lock", request, locks]` and `["close"]`.
"""

import json
import os
import select
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from typing import Any

from hardware.frame import Camera
from hardware.locks import Lockable, Locks
from hardware.ring import Ring


def run(
    make: Callable[[], Camera], connection: Connection, small: Ring, full: Ring, small_period_s: float
) -> None:
    """The whole life of the camera process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the owner, who closes us in order
    threading.Thread(target=_end_with_owner, daemon=True).start()
    try:
        camera = make()
        camera.open()
        _send(connection, "open")
        try:
            _serve(camera, connection, small, full, small_period_s)
        finally:
            camera.close()
    except (EOFError, BrokenPipeError):
        pass  # the owner is gone
    except Exception as error:  # the owner must hear why; nobody else can
        _send(connection, "trouble", " ".join(str(error).split()) or type(error).__name__)


def _serve(camera: Camera, connection: Connection, small: Ring, full: Ring, small_period_s: float) -> None:
    due_s = time.monotonic()
    # Made once: `connection.poll` would make one for every picture.
    listening = select.poll()
    listening.register(connection, select.POLLIN)
    while True:
        while listening.poll(1000 * max(0.0, due_s - time.monotonic())):
            request, *values = json.loads(connection.recv_bytes())
            if request == "close":
                return
            if request == "lock":
                _lock(camera, connection, *values)
                continue
            number, timeout_s = values
            _send(connection, "busy")  # a full picture takes its time; silence counts from here
            _send(connection, "full", number, _full(camera, connection, full, timeout_s))
        _send(connection, "small", small.write(camera.small()).to_json())
        # A camera that is slower than the period sets the pace itself.
        due_s = max(due_s + small_period_s, time.monotonic())


def _full(camera: Camera, connection: Connection, ring: Ring, timeout_s: float) -> list[Any]:
    """The header of the next full picture. Its pixels are only in the ring once this is over."""
    frame = camera.full(timeout_s)
    _send(connection, "busy")
    return ring.write(frame).to_json()


def _lock(camera: Camera, connection: Connection, number: int, locks: list[list[Any]]) -> None:
    _send(connection, "locking")  # focusing anew takes as long as opening
    if isinstance(camera, Lockable):
        camera.lock([Locks.from_json(values) for values in locks])
    _send(connection, "locked", number)


def _send(connection: Connection, *message: Any) -> None:
    connection.send_bytes(json.dumps(message).encode())


def _end_with_owner() -> None:
    """A camera that hangs must not outlive its owner, or the next start finds the camera taken."""
    owner = parent_process()
    if owner is not None:
        wait([owner.sentinel])
        os._exit(1)

"""Tells systemd that the program is ready and alive, so that a frozen one is started again. Standard library only.

The socket is a local one (AF_UNIX) that systemd itself opens and names in NOTIFY_SOCKET; nothing leaves the machine.
Without systemd every call does nothing.
"""

import contextlib
import os
import socket
from collections.abc import Mapping


class Watchdog:
    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        usec = environment.get("WATCHDOG_USEC", "")
        # Half of what systemd allows, as its manual advises. WATCHDOG_PID is not looked at: it names cage, which
        # starts us, and the service lets every process of it notify.
        self.period_s: float | None = int(usec) / 2e6 if self._address and usec.isdigit() else None

    def ready(self, status: str = "") -> None:
        self._tell("READY=1", status)

    def alive(self, status: str = "") -> None:
        """To be called at least every `period_s`, from the loop whose life is to be proven."""
        self._tell("WATCHDOG=1", status)

    def stopping(self) -> None:
        self._tell("STOPPING=1")

    def _tell(self, message: str, status: str = "") -> None:
        if not self._address:
            return
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        lines = [message, f"STATUS={' '.join(status.split())}"] if status else [message]
        # A restarting systemd may not listen for a moment; the next call comes soon.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            channel.connect(address)
            channel.sendall("\n".join(lines).encode())

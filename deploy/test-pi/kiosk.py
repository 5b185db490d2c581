"""Runs inside the Debian root: the service's own command under cage, on a screen that exists only in memory.

What systemd would wait for must arrive: READY=1 once, then WATCHDOG=1 again and again.
"""

import contextlib
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SERVICE = Path(__file__).parents[1] / "otys-companion.service"
HOME = Path("/srv/kiosk")
START_S = 300.0
WATCHDOG_S = 10
PREPARE = 'from companion.sample import open_pack; open_pack("otys-sample", print)'  # as install.sh does
# A screen and no touch, made by cage itself.
HEADLESS = {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1"}


def main() -> int:
    text = SERVICE.read_text()
    given = dict(line.split("=", 1) for line in re.findall(r"^Environment=(.*)$", text, re.MULTILINE))
    homes = {"HOME": str(HOME), "OTYS_DATA": str(HOME), "XDG_CONFIG_HOME": str(HOME / "config")}
    environment = os.environ | given | homes | HEADLESS
    HOME.mkdir(exist_ok=True)  # the sample stays for the next run, as it does on a Pi
    subprocess.run([sys.executable, "-c", PREPARE], env=environment, check=True)

    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"{folder}/notify")
        environment |= {"NOTIFY_SOCKET": f"{folder}/notify", "WATCHDOG_USEC": f"{WATCHDOG_S}000000"}
        kiosk = subprocess.Popen(
            command(text), env=environment | {"XDG_RUNTIME_DIR": folder}, start_new_session=True
        )
        try:
            told = listen(systemd, kiosk, 4)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(kiosk.pid, signal.SIGTERM)
            kiosk.wait(timeout=60)
    good = told == ["READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"]
    print(
        f"{'ok  ' if good else 'FAIL'} the kiosk starts under cage and gives signs of life ({', '.join(told)})"
    )
    return 0 if good else 1


def command(service: str) -> list[str]:
    """The service's command with this Python's companion, and the simulated table in place of the Pi's camera.

    The pins stay asked for: that there are none must not keep it from starting.
    """
    found = re.search(r"^ExecStart=(.*)$", service, re.MULTILINE)
    assert found is not None
    words = ["simulated" if word == "picamera" else word for word in shlex.split(found[1])]
    at = next(number for number, word in enumerate(words) if word.endswith("otys-companion"))
    return [*words[:at], sys.executable, "-m", "companion", *words[at + 1 :]]


def listen(systemd: socket.socket, kiosk: "subprocess.Popen[bytes]", count: int) -> list[str]:
    """The first lines of what systemd hears; the first may take long, the others may not."""
    told: list[str] = []
    systemd.settimeout(1.0)
    until_s = time.monotonic() + START_S
    while len(told) < count and time.monotonic() < until_s:
        try:
            told.append(systemd.recv(500).decode().splitlines()[0])
            until_s = time.monotonic() + WATCHDOG_S
        except TimeoutError:
            if kiosk.poll() is not None:
                return [*told, f"it ended with code {kiosk.returncode}"]
    return told if len(told) == count else [*told, "nothing in time"]


if __name__ == "__main__":
    raise SystemExit(main())

"""Runs inside the Debian root: the service's own command under cage, on a screen that exists only in memory.

What systemd would wait for must arrive: READY=1 once, then WATCHDOG=1 again and again.
"""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

SERVICE = Path(__file__).parents[1] / "otys-companion.service"
START_S = 120.0
WATCHDOG_S = 4


def main() -> int:
    text = SERVICE.read_text()
    command = re.search(r"^ExecStart=(.*)$", text, re.MULTILINE)
    assert command is not None
    words = [
        word.replace("/opt/otys-companion/venv/bin/otys-companion", "companion")
        for word in shlex.split(command[1])
    ]
    at = words.index("companion")
    words[at : at + 1] = [sys.executable, "-m", "companion"]
    # There is no camera of a Pi here; the pins are missing, too, and must not keep it from starting.
    words = ["simulated" if word == "picamera" else word for word in words]
    settings = dict(line.split("=", 1) for line in re.findall(r"^Environment=(.*)$", text, re.MULTILINE))

    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        address = f"{folder}/notify"
        systemd.bind(address)
        systemd.settimeout(START_S)
        environment = os.environ | settings
        environment |= {
            "OTYS_DATA": f"{folder}/data",
            "XDG_CONFIG_HOME": f"{folder}/config",
            "XDG_RUNTIME_DIR": folder,
        }
        environment |= {
            "HOME": folder,
            "NOTIFY_SOCKET": address,
            "WATCHDOG_USEC": str(WATCHDOG_S * 1_000_000),
        }
        environment |= {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1"}
        kiosk = subprocess.Popen(words, env=environment, start_new_session=True)
        told: list[str] = []
        try:
            while len(told) < 4:
                told.append(systemd.recv(500).decode().splitlines()[0])
                systemd.settimeout(2 * WATCHDOG_S)
        except TimeoutError:
            told.append("nothing in time")
        finally:
            os.killpg(kiosk.pid, signal.SIGTERM)
            kiosk.wait(timeout=30)
    good = told == ["READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"]
    print(
        f"{'ok  ' if good else 'FAIL'} the kiosk starts under cage and gives signs of life ({', '.join(told)})"
    )
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())

"""Kivy leaves the terminal to us."""

import os
import subprocess
import sys


def test_what_we_say_on_standard_error_is_seen_with_a_window_open() -> None:
    script = """
import sys
from companion.ui.window import Touchscreen
Touchscreen(lambda message: None, size_px=(320, 240), headless=True)
print("a sentence for the user", file=sys.stderr)
"""
    # An environment without what other tests have told Kivy.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("KIVY_")}
    ran = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60
    )
    assert ran.returncode == 0
    assert ran.stderr.splitlines() == ["a sentence for the user"]

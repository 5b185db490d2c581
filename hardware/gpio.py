"""The way to the pins: gpiozero over lgpio, the one library that drives the Pi 4 and the Pi 5 alike."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

BY_TOUCH = "The keyboard and the buttons on the screen do the same."


class NoGpio(OSError):
    """The pins cannot be reached: says why and what to do."""


def pin_factory() -> Any:
    """gpiozero's factory for this machine. GPIOZERO_PIN_FACTORY (e.g. `mock`) chooses another, as in gpiozero."""
    from gpiozero import BadPinFactory, Device

    if Device.pin_factory is not None:
        return Device.pin_factory
    chosen = os.environ.get("GPIOZERO_PIN_FACTORY")
    try:
        if chosen:
            Device.ensure_pin_factory()
            return Device.pin_factory
        with _a_folder_of_our_own():
            from gpiozero.pins.lgpio import LGPIOFactory
        return LGPIOFactory()
    except BadPinFactory as error:
        raise NoGpio(f"GPIOZERO_PIN_FACTORY={chosen} cannot be used ({error}).") from error
    except ImportError as error:
        raise NoGpio(
            f"The pins need lgpio, which is not here ({error}). On a Raspberry Pi: sudo apt install python3-lgpio. "
            + BY_TOUCH
        ) from error
    except pin_errors() as error:
        raise NoGpio(
            f"The pins cannot be opened ({error}). On a Raspberry Pi: sudo usermod -aG gpio $USER, then log in again. "
            + BY_TOUCH
        ) from error


@contextmanager
def claiming() -> Iterator[None]:
    """A pin that cannot be had is a NoGpio: most often a companion that already runs holds it."""
    try:
        yield
    except pin_errors() as error:
        raise NoGpio(
            f"The pins cannot be used ({error}). Another program may hold them: sudo systemctl stop otys-companion. "
            + BY_TOUCH
        ) from error


def pin_errors() -> tuple[type[Exception], ...]:
    """What reaching for a pin may raise. lgpio has an error of its own, which is no OSError."""
    from gpiozero import GPIOZeroError

    return (OSError, GPIOZeroError, getattr(sys.modules.get("lgpio"), "error", GPIOZeroError))


@contextmanager
def _a_folder_of_our_own() -> Iterator[None]:
    """On import lgpio lays a named pipe into the current folder, opens it and never needs its name again.

    A service starts in `/`, where it may not write; so it gets a folder that exists only for that moment.
    """
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="otys-pins-") as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            try:
                os.chdir(before)
            except (
                OSError
            ):  # `sudo -u` starts us in somebody else's home, which we could not have used either
                os.chdir("/")

"""The way to the pins: gpiozero over lgpio, the one library that drives the Pi 4 and the Pi 5 alike."""

import os
from typing import Any


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
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except BadPinFactory as error:
        raise NoGpio(f"GPIOZERO_PIN_FACTORY={chosen} cannot be used ({error}).") from error
    except ImportError as error:
        raise NoGpio(
            f"The pins need lgpio, which is not here ({error}). On a Raspberry Pi: sudo apt install python3-lgpio. "
            "The keyboard and the buttons on the screen do the same."
        ) from error
    except Exception as error:  # lgpio.error is not an OSError, and the module may be missing when we name it
        raise NoGpio(
            f"The pins cannot be opened ({error}). On a Raspberry Pi: sudo usermod -aG gpio $USER, then log in again. "
            "The keyboard and the buttons on the screen do the same."
        ) from error

"""What a camera stand keeps still, so that colours and sharpness do not wander during a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self, runtime_checkable

from vision.rig import Rig

# libcamera's numbers for AfMode; its enumeration would have to be imported from libcamera itself.
AF_MANUAL = 0


@dataclass(frozen=True)
class Locks:
    """The locks of one camera. None leaves it to the camera."""

    lens_position: float | None = None  # 1 / metres
    exposure_us: int | None = None
    analogue_gain: float | None = None
    colour_gains: tuple[float, float] | None = None  # red, blue

    @classmethod
    def from_rig(cls, rig: Rig) -> Self:
        """What the calibration of the stand kept."""
        red, blue = rig.red_gain, rig.blue_gain
        return cls(
            lens_position=rig.lens_position,
            exposure_us=None if rig.exposure_us is None else round(rig.exposure_us),
            analogue_gain=rig.gain,
            colour_gains=None if red is None or blue is None else (red, blue),
        )

    @classmethod
    def from_metadata(cls, metadata: Mapping[str, Any]) -> Self:
        """What the camera chose by itself for a frame, to be kept from now on."""
        gains = metadata.get("ColourGains")
        return cls(
            lens_position=metadata.get("LensPosition"),
            exposure_us=metadata.get("ExposureTime"),
            analogue_gain=metadata.get("AnalogueGain"),
            colour_gains=(gains[0], gains[1]) if gains else None,
        )

    def controls(self) -> dict[str, Any]:
        """What is locked, as libcamera names it."""
        controls: dict[str, Any] = {}
        if self.lens_position is not None:
            controls |= {"AfMode": AF_MANUAL, "LensPosition": self.lens_position}
        if self.exposure_us is not None and self.analogue_gain is not None:
            controls |= {
                "AeEnable": False,
                "ExposureTime": self.exposure_us,
                "AnalogueGain": self.analogue_gain,
            }
        if self.colour_gains is not None:
            controls |= {"AwbEnable": False, "ColourGains": self.colour_gains}
        return controls

    def to_json(self) -> list[Any]:
        return [self.lens_position, self.exposure_us, self.analogue_gain, self.colour_gains]

    @classmethod
    def from_json(cls, values: Sequence[Any]) -> Self:
        lens_position, exposure_us, analogue_gain, gains = values
        return cls(lens_position, exposure_us, analogue_gain, (gains[0], gains[1]) if gains else None)


AUTOMATIC = Locks()
UNLOCKED = {"AeEnable": True, "AwbEnable": True}  # gives back what was locked before


@runtime_checkable
class Lockable(Protocol):
    """A camera, or several side by side, that can be locked while it is open."""

    def lock(self, locks: Sequence[Locks]) -> None:
        """One for each camera from the left; a camera without one focuses once and exposes by itself."""
        ...


def locks_for(number: int, locks: Sequence[Locks]) -> Locks:
    """The locks of camera `number`.

    >>> locks_for(1, [Locks(lens_position=1.5)]) == AUTOMATIC
    True
    """
    return locks[number] if number < len(locks) else AUTOMATIC

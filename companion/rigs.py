"""The camera stand beside its pack: what each camera settled on at the calibration, and is locked to from then on.

One file for each camera, from the left: `rig.toml`, and `rig-2.toml` where two cameras are shown side by side.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hardware.frame import Camera
from hardware.locks import Lockable, Locks
from hardware.optics import focal_widths
from vision.rig import FILES, Rig, load_rigs, save_rig


def locks_of(pack_dir: Path) -> tuple[Locks, ...]:
    """What the calibration kept for each camera; none where nothing was kept."""
    return tuple(Locks.from_rig(rig) for rig in load_rigs(pack_dir))


def keep_rig(metadata: Mapping[str, Any], pack_dir: Path) -> None:
    """Keeps focus, exposure and white balance beside the pack, for cameras that tell them."""
    cameras = metadata.get("cameras") or [metadata]
    rigs = [_rig(camera) for camera in cameras]
    if any(Locks.from_rig(rig) == Locks() for rig in rigs):
        return
    for name, rig in zip(FILES, rigs, strict=False):
        save_rig(rig, pack_dir / name)
    for name in FILES[len(rigs) :]:
        (pack_dir / name).unlink(missing_ok=True)  # of a second camera that is gone


def lock_camera(camera: Camera, pack_dir: Path | None) -> None:
    """Holds the camera still as the pack's stand wants it, from now on; without a pack it is let free."""
    locks = locks_of(pack_dir) if pack_dir is not None else ()
    if isinstance(camera, Lockable) and (locks or pack_dir is None):
        camera.lock(locks)


def _rig(metadata: Mapping[str, Any]) -> Rig:
    locks = Locks.from_metadata(metadata)
    red, blue = locks.colour_gains or (None, None)
    rig = Rig(
        lens_position=locks.lens_position,
        exposure_us=locks.exposure_us,
        gain=locks.analogue_gain,
        red_gain=red,
        blue_gain=blue,
    )
    focal = focal_widths(str(metadata.get("Model", "")))
    return rig if focal is None else replace(rig, focal=focal)

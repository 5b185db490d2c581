"""Our camera for the Pi on libcamera's virtual camera. Two things differ from a Pi: no raw modes, no dma heap."""

import picamera2
from picamera2.allocators import LibcameraAllocator

from hardware.picamera import PiCamera

_open = picamera2.Picamera2.__init__


def _open_with_plain_memory(self, camera_num=0, verbose_console=None, tuning=None, allocator=None):  # type: ignore[no-untyped-def]
    _open(self, camera_num, verbose_console, tuning, allocator)
    self.allocator = LibcameraAllocator(self.camera)


picamera2.Picamera2.__init__ = _open_with_plain_memory
picamera2.Picamera2._get_raw_modes = lambda self: [{"format": "NV12", "size": (4608, 2592)}]


def virtual_camera(index: int = 0) -> PiCamera:
    return PiCamera(index)

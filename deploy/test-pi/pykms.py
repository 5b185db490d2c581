"""Stands in for the kernel's display library, which picamera2 imports for previews we never open."""

from typing import Any


class _Anything:
    def __getattr__(self, name: str) -> "_Anything":
        return _Anything()

    def __call__(self, *arguments: Any, **named: Any) -> "_Anything":
        return _Anything()


PixelFormat = _Anything()


def __getattr__(name: str) -> _Anything:
    if name.startswith("__"):
        raise AttributeError(name)
    return _Anything()

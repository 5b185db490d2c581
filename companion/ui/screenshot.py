"""The window's pixels as a PNG, small enough to be kept."""

from pathlib import Path

import cv2
import numpy as np
from kivy.core.window import Window
from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glFinish, glReadPixels

Pixels = np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]


def grab() -> Pixels:
    """What the window shows, RGB, top row first."""
    width, height = (int(side) for side in Window.size)
    Window.dispatch("on_draw")
    glFinish()
    data = glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE)
    pixels = np.frombuffer(data, np.uint8).reshape(height, width, 4)
    return np.ascontiguousarray(pixels[::-1, :, :3])


def save(path: Path) -> Path:
    """Writes the window as a PNG and gives its path back."""
    path.parent.mkdir(parents=True, exist_ok=True)
    encoded = cv2.imencode(".png", grab()[:, :, ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 9])[1]
    path.write_bytes(encoded.tobytes())
    return path

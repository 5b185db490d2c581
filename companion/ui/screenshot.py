"""The screen's pixels as a PNG, small enough to be kept."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from kivy.core.window import Window
from kivy.graphics import ClearBuffers, ClearColor
from kivy.graphics.fbo import Fbo

Pixels = np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]


def grab(stage: Any) -> Pixels:
    """What a stage shows, RGB, top row first.

    Drawn into a buffer of its own: an offscreen window keeps the surface it was born with when it is made larger.
    """
    width, height = (int(side) for side in Window.size)
    buffer = Fbo(size=(width, height), with_stencilbuffer=True)
    with buffer:
        ClearColor(*Window.clearcolor)
        ClearBuffers()
    buffer.add(stage.canvas)
    buffer.draw()
    pixels = np.frombuffer(buffer.pixels, np.uint8).reshape(height, width, 4)
    buffer.remove(stage.canvas)
    return np.ascontiguousarray(pixels[::-1, :, :3])


def save(stage: Any, path: Path) -> Path:
    """Writes a stage as a PNG and gives its path back."""
    path.parent.mkdir(parents=True, exist_ok=True)
    encoded = cv2.imencode(".png", grab(stage)[:, :, ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 9])[1]
    path.write_bytes(encoded.tobytes())
    return path

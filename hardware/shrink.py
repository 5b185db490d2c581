"""The small picture of a camera that has no small stream of its own."""

import cv2
import numpy as np

from hardware.frame import Picture

SMALL_WIDTH = 640


def shrink(bgr: Picture, width: int = SMALL_WIDTH) -> Picture:
    """At most `width` wide, same shape of picture, averaged so that noise does not look like movement."""
    height_px, width_px = bgr.shape[:2]
    if width_px <= width:
        return bgr
    size = (width, max(1, round(height_px * width / width_px)))
    return cv2.resize(bgr, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)

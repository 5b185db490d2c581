"""The small picture of a camera that has no small stream of its own."""

from hardware.frame import Picture
from vision.picture import shrunk

SMALL_WIDTH = 640


def shrink(bgr: Picture, width: int = SMALL_WIDTH) -> Picture:
    """At most `width` wide, same shape of picture, averaged so that noise does not look like movement."""
    height_px, width_px = bgr.shape[:2]
    if width_px <= width:
        return bgr
    size = (width, max(1, round(height_px * width / width_px)))
    return shrunk(bgr, size)

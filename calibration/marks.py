"""Lines and words over the picture of a calibration."""

from dataclasses import dataclass

from vision.fix import Located
from vision.pack import Point, Rect


@dataclass(frozen=True)
class Mark:
    """Something to draw over the picture: an open or closed line through `points_px`, and words beside it."""

    points_px: tuple[Point, ...]
    words: str = ""
    tone: str = "good"


def closed(located: Located, board: str, rect: Rect) -> tuple[Point, ...]:
    """The outline of a rectangle of a board in the picture."""
    x, y, width, height = rect
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
    return tuple((float(px), float(py)) for px, py in located.mm_to_px(board, corners))

"""Small pictures of every screen, to notice what changed: `python tests/ui/references.py` draws them anew.

One sheet for each size and language; look at them before they are kept.
"""

import sys
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

FOLDER: Final = Path(__file__).with_name("references")
WIDE: Final = 112  # pixels of a thumbnail: enough to see a panel move, small enough to keep two hundred
ACROSS: Final = 6

Pixels = Any


def thumbnail(pixels: Pixels) -> Pixels:
    high = round(WIDE * pixels.shape[0] / pixels.shape[1])
    return cv2.resize(pixels, (WIDE, high), interpolation=cv2.INTER_AREA)


def sheet_file(size: tuple[int, int], language: str) -> Path:
    return FOLDER / f"{size[0]}x{size[1]}-{language}.jpg"


def sheet(thumbnails: list[Pixels]) -> Pixels:
    high = thumbnails[0].shape[0]
    lines = -(-len(thumbnails) // ACROSS)
    paper = np.zeros((lines * high, ACROSS * WIDE, 3), np.uint8)
    for at, small in enumerate(thumbnails):
        top, left = at // ACROSS * high, at % ACROSS * WIDE
        paper[top : top + high, left : left + WIDE] = small
    return paper


def kept(size: tuple[int, int], language: str, at: int) -> Pixels:
    """The thumbnail of the screen that is number `at` in the gallery."""
    paper = cv2.imread(str(sheet_file(size, language)))
    assert paper is not None, f"{sheet_file(size, language)} is missing"
    high = round(WIDE * size[1] / size[0])
    top, left = at // ACROSS * high, at % ACROSS * WIDE
    return paper[top : top + high, left : left + WIDE, ::-1]


def difference(one: Pixels, other: Pixels) -> float:
    """The largest difference of a place of 8 x 8 pixels, 0 to 255: text that changed its edge says little, a panel much."""
    apart = np.abs(one.astype(np.float32) - other.astype(np.float32)).mean(axis=2)
    return float(cv2.blur(apart, (8, 8)).max())


def main() -> None:
    from companion.ui.gallery import SIZES, views
    from companion.ui.screenshot import grab
    from companion.ui.window import Touchscreen
    from companion.view.language import LANGUAGES
    from companion.view.samples import sample_box

    touchscreen = Touchscreen(lambda _: None, sample_box(), headless=True)
    drawn: dict[tuple[tuple[int, int], str], list[Pixels]] = {}
    for _, size, language, state in views():
        touchscreen.resize(size)
        touchscreen.show(state)
        touchscreen.settle()
        drawn.setdefault((size, language), []).append(thumbnail(grab(touchscreen.stage)))
    FOLDER.mkdir(exist_ok=True)
    for (size, language), thumbnails in drawn.items():
        cv2.imwrite(
            str(sheet_file(size, language)), sheet(thumbnails)[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, 82]
        )
    print(f"{len(SIZES) * len(LANGUAGES)} sheets in {FOLDER}", file=sys.stderr)


if __name__ == "__main__":
    main()

"""Draws every screen in every size and language: `python -m companion.ui.gallery OUTDIR`."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, cast

import cv2
import numpy as np

from companion.state import State
from companion.ui.palette import DARK, Palette
from companion.ui.window import Touchscreen
from companion.view.box import Box
from companion.view.language import LANGUAGES
from companion.view.marks import to_pixels
from companion.view.samples import SAMPLE_CORNERS, SAMPLE_SIZE_PX, sample_box, samples

Language = Literal["fr", "en", "de"]
SIZES: Final = ((800, 480), (1280, 720), (720, 1280))
# file name, screen, size, language, theme
BEST: Final[tuple[tuple[str, str, tuple[int, int], str, Literal["dark", "light"]], ...]] = (
    ("table", "table", (1280, 720), "en", "dark"),
    ("table-light-fr", "table", (800, 480), "fr", "light"),
    ("table-portrait-de", "table", (720, 1280), "de", "dark"),
    ("question", "question", (800, 480), "en", "dark"),
    ("restoring", "restoring", (800, 480), "en", "dark"),
    ("podium", "podium", (1280, 720), "en", "dark"),
    ("welcome", "welcome-resume", (800, 480), "en", "dark"),
    ("set-up", "setup-players", (800, 480), "en", "dark"),
)


@cache
def sample_picture() -> bytes:
    """A table from above, plain but with boards and slots where the sample's corners say. A JPEG."""
    wide, high = SAMPLE_SIZE_PX
    table: Any = np.full((high, wide, 3), (62, 96, 134), np.uint8)
    table += np.random.default_rng(3).integers(0, 8, (high, 1, 1)).astype(np.uint8)
    box, colours = sample_box(), DARK
    for board, corners in SAMPLE_CORNERS.items():
        outline = np.array(corners, np.int32)
        cv2.fillPoly(table, [outline], (86, 66, 30), cv2.LINE_AA)
        cv2.polylines(table, [outline], True, _bgr(colours, board), 6, cv2.LINE_AA)
        _paint_slots(table, box, board)
    table = cv2.GaussianBlur(table, (0, 0), 1.1)
    return bytes(cv2.imencode(".jpg", table, [cv2.IMWRITE_JPEG_QUALITY, 88])[1])


def _paint_slots(table: Any, box: Box, board: str) -> None:
    shades = ((190, 170, 120), (120, 160, 90), (80, 110, 190), (200, 200, 205))
    for at, (slot, place) in enumerate(sorted(box.slots.items())):
        if place.board == board and not slot.endswith((".tray", ".score", ".hacker", ".mechanic")):
            corners = np.array(to_pixels(place.rect_mm, box.sizes_mm[board], SAMPLE_CORNERS[board]), np.int32)
            cv2.fillPoly(
                table, [corners], shades[at % 4] if ".diver." in slot else (120, 104, 70), cv2.LINE_AA
            )


def _bgr(colours: Palette, board: str) -> tuple[int, int, int]:
    hex_colour = getattr(colours, board, colours.accent)
    return int(hex_colour[5:7], 16), int(hex_colour[3:5], 16), int(hex_colour[1:3], 16)


def views(
    screens: Sequence[str] | None = None,
    sizes: Sequence[tuple[int, int]] = SIZES,
    languages: Sequence[str] = tuple(LANGUAGES),
) -> Iterator[tuple[str, tuple[int, int], str, State]]:
    """Every combination: name, size, language, state. Sizes change least often: a resize is dear."""
    states = samples(sample_picture())
    for size in sizes:
        for name in screens or states:
            if name not in states:
                raise ValueError(f"no screen {name!r}; there are {', '.join(states)}")
            for language in languages:
                state = states[name]
                yield (
                    name,
                    size,
                    language,
                    replace(state, settings=replace(state.settings, language=cast(Language, language))),
                )


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m companion.ui.gallery", description=__doc__)
    parser.add_argument("outdir", type=Path)
    parser.add_argument("--screens", help="names, separated by commas")
    parser.add_argument("--sizes", help="e.g. 800x480,720x1280")
    parser.add_argument("--languages", help="e.g. fr,de")
    parser.add_argument(
        "--best",
        action="store_true",
        help="only the few pictures the documents show, but for those of a table",
    )
    parser.add_argument("--theme", choices=("dark", "light"), default="dark")
    parser.add_argument("--text", choices=("normal", "large"), default="normal")
    chosen = parser.parse_args(argv)
    if chosen.best:
        return _draw(chosen.outdir, best(), chosen.text)
    sizes = [
        (int(w), int(h))
        for w, _, h in (size.partition("x") for size in (chosen.sizes or "").split(",") if size)
    ]
    drawn = (
        (
            f"{name}-{size[0]}x{size[1]}-{language}",
            size,
            replace(state, settings=replace(state.settings, theme=chosen.theme)),
        )
        for name, size, language, state in views(
            chosen.screens.split(",") if chosen.screens else None,
            sizes or SIZES,
            chosen.languages.split(",") if chosen.languages else tuple(LANGUAGES),
        )
    )
    return _draw(chosen.outdir, drawn, chosen.text)


def best() -> Iterator[tuple[str, tuple[int, int], State]]:
    """The pictures the documents show, but for those of a table: file name, size, state."""
    for name, screen, size, language, theme in BEST:
        (_, _, _, state), *_ = views([screen], [size], [language])
        yield name, size, replace(state, settings=replace(state.settings, theme=theme))


def _draw(outdir: Path, drawn: Iterable[tuple[str, tuple[int, int], State]], text_size: Any) -> int:
    touchscreen = Touchscreen(lambda _: None, sample_box(), headless=True)
    count = 0
    for name, size, state in drawn:
        touchscreen.resize(size)
        touchscreen.show(replace(state, settings=replace(state.settings, text_size=text_size)))
        touchscreen.settle()
        touchscreen.screenshot(outdir / f"{name}.png")
        count += 1
        if sys.stderr.isatty():
            print(f"\r{count} {name}   ", end="", file=sys.stderr)
    print(f"{count} pictures in {outdir}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

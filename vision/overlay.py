"""A picture of what was read: outlines where the boards and slots are, labels in them, doubt in colour."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.fix import Located
from vision.pack import Kind, Pack, Rect, Slot
from vision.reading import EMPTY, Reading
from vision.rectify import Picture

Colour = tuple[int, int, int]  # blue, green, red
Points = NDArray[np.float64]


@dataclass(frozen=True)
class OverlaySettings:
    sure: Colour = (120, 214, 92)
    doubtful: Colour = (46, 176, 250)
    guessed: Colour = (82, 82, 240)
    hidden: Colour = (176, 176, 176)
    board: Colour = (255, 236, 200)
    ink: Colour = (250, 250, 250)
    paper: Colour = (38, 30, 24)
    # From here up a label is as good as certain, below here it is a guess.
    sure_p: float = 0.95
    doubtful_p: float = 0.7
    # Line and text sizes as shares of the picture's width: they stay readable when it is shrunk to a phone.
    line_share: float = 1 / 1100
    text_share: float = 1 / 150
    label_sizes: tuple[float, ...] = (1.0, 0.8, 0.62)
    # How much of the photograph shows through filled areas.
    fill: float = 0.22
    paper_fill: float = 0.72
    # The photograph steps back a little behind the drawing.
    dim: float = 0.9


SETTINGS = OverlaySettings()


def draw_overlay(
    bgr: Picture,
    pack: Pack,
    located: Located,
    reading: Reading,
    caption: str = "",
    settings: OverlaySettings = SETTINGS,
) -> Picture:
    """The photograph with everything that was read drawn over it; the input is left alone."""
    pen = _Pen((bgr * settings.dim).astype(np.uint8), settings)
    for name in located.fixes:
        pen.outline(located.corners_px(name), settings.board, 2.0)
    for slot in pack.slots.values():
        if slot.board in located.fixes:
            _draw_slot(pen, located, slot, reading, settings)
    for name, fix in located.fixes.items():
        words = name if fix.sure >= settings.sure_p else f"{name} {round(100 * fix.sure)} %"
        pen.tag(located.corners_px(name)[:2].mean(axis=0), words, settings.board, 1.5)
    missing = [name for name in pack.boards if name not in located.fixes]
    notes = [caption] if caption else []
    notes += [f"not found: {', '.join(missing)}"] if missing else []
    notes.append(f"{len(reading.tiles) + len(reading.counts)} slots read, {len(reading.hidden)} hidden")
    pen.caption(notes)
    return pen.finish()


def content_words(slot: Slot, reading: Reading) -> tuple[str, float]:
    """What is said to lie in a slot, in a few characters, and how sure; ("", p) when it is empty."""
    if slot.id in reading.tiles:
        label, p = max(reading.tiles[slot.id].items(), key=lambda item: item[1])
        return ("" if label == EMPTY else label), p
    counts = reading.counts.get(slot.id)
    if counts is None:
        return "?", 0.0
    words, sure = [], 1.0
    for label, numbers in counts.items():
        number, p = max(numbers.items(), key=lambda item: item[1])
        sure = min(sure, p)
        if slot.kind is Kind.CUBES:
            words.append(label * number)
        elif slot.kind is Kind.COUNT and number > 0:
            words.append(f"{number} {label}")
    return "  ".join(word for word in words if word), sure


def _draw_slot(
    pen: "_Pen", located: Located, slot: Slot, reading: Reading, settings: OverlaySettings
) -> None:
    if slot.id in reading.hidden:
        for rect in slot.rects_mm:
            pen.hatch(_quad(located, slot.board, rect))
        return
    if slot.kind is Kind.TRACK:
        _draw_track(pen, located, slot, reading, settings)
        return
    quad = _quad(located, slot.board, slot.rect_mm)
    words, p = content_words(slot, reading)
    colour = _shade(p, settings)
    if words or p < settings.sure_p:
        pen.fill(quad, colour)
        pen.outline(quad, colour, 1.4)
        doubt = f" {round(100 * p)}" if p < settings.sure_p else ""
        pen.label(quad, (words or EMPTY) + doubt, colour)
    else:
        pen.outline(quad, colour, 0.6)


def _draw_track(
    pen: "_Pen", located: Located, slot: Slot, reading: Reading, settings: OverlaySettings
) -> None:
    """Only the places that markers stand on are drawn; all thirty would hide the board."""
    standing: dict[int, list[tuple[str, float]]] = {}
    for label, numbers in reading.counts.get(slot.id, {}).items():
        place, p = max(numbers.items(), key=lambda item: item[1])
        standing.setdefault(place, []).append((label, p))
    for place, markers in standing.items():
        if not 0 <= place < len(slot.places_mm):
            continue
        quad = _quad(located, slot.board, slot.place_rect_mm(place))
        least = min(p for _, p in markers)
        pen.fill(quad, _shade(least, settings))
        pen.outline(quad, _shade(least, settings), 1.4)
        words = " ".join(label for label, _ in markers)
        doubt = f" {round(100 * least)}" if least < settings.sure_p else ""
        pen.label(quad, f"{words} {place}{doubt}", _shade(least, settings))


def _quad(located: Located, board: str, rect_mm: Rect) -> Points:
    x, y, width, height = rect_mm
    return located.mm_to_px(board, [(x, y), (x + width, y), (x + width, y + height), (x, y + height)])


def _shade(p: float, settings: OverlaySettings) -> Colour:
    if p >= settings.sure_p:
        return settings.sure
    return settings.doubtful if p >= settings.doubtful_p else settings.guessed


Box = tuple[int, int, int, int]  # left, top, right, bottom


@dataclass(frozen=True)
class _Tag:
    box: Box
    words: str
    colour: Colour
    size: float


class _Pen:
    """Collects fills, lines and tags, and lays them over the photograph in that order."""

    def __init__(self, canvas: Picture, settings: OverlaySettings) -> None:
        self._canvas = canvas
        self._fills = canvas.copy()
        self._lines: list[tuple[Points, Colour, float]] = []
        self._tags: list[_Tag] = []
        self._labels: list[tuple[Points, str, Colour]] = []
        self._settings = settings
        width = canvas.shape[1]
        self._line_px = max(1.0, width * settings.line_share)
        self._text_px = max(9.0, width * settings.text_share)

    def fill(self, quad: Points, colour: Colour) -> None:
        cv2.fillPoly(self._fills, [_whole(quad)], colour, cv2.LINE_AA)

    def outline(self, quad: Points, colour: Colour, weight: float) -> None:
        self._lines.append((quad, colour, weight))

    def hatch(self, quad: Points) -> None:
        """Stripes: nothing is said about this place."""
        self.outline(quad, self._settings.hidden, 0.8)
        for share in np.linspace(0.15, 0.85, 4):
            a = quad[0] + share * (quad[1] - quad[0])
            b = quad[3] + share * (quad[2] - quad[3])
            self.outline(np.stack([a, b]), self._settings.hidden, 0.6)

    def tag(self, at: Points, words: str, colour: Colour, size: float) -> None:
        """Words in a place of their own."""
        self._tags.append(_Tag(self._box(at, words, size), words, colour, size))

    def label(self, quad: Points, words: str, colour: Colour) -> None:
        """Words for a slot: in it if there is room, else beside it, else smaller."""
        self._labels.append((quad, words, colour))

    def _place_labels(self) -> None:
        """Doubtful ones first: they are what a person looks for. One that finds no room at all is left out."""
        boxes = [tag.box for tag in self._tags]
        for quad, words, colour in sorted(self._labels, key=lambda label: label[2] == self._settings.sure):
            options = [
                (size, self._box(at, words, size))
                for size in self._settings.label_sizes
                for at in self._spots(quad, size)
            ]
            free = [option for option in options if not any(_touch(option[1], box) for box in boxes)]
            if free:
                size, box = free[0]
                boxes.append(box)
                self._tags.append(_Tag(box, words, colour, size))

    def _spots(self, quad: Points, size: float) -> list[Points]:
        """Foot, middle and head of the slot as the picture is held, then beyond foot and head."""
        middle = quad.mean(axis=0)
        low, high = quad.min(axis=0), quad.max(axis=0)
        half = size * self._text_px
        ys = (high[1] - half, middle[1], low[1] + half, high[1] + half, low[1] - half)
        return [np.array([middle[0], y]) for y in ys]

    def caption(self, lines: Sequence[str]) -> None:
        """Words in the lower left corner."""
        height = self._canvas.shape[0]
        step = 2.2 * self._text_px
        for index, words in enumerate(reversed(lines)):
            left = np.array([self._text_px + self._width(words, 1.3) / 2, height - step * (index + 0.8)])
            self.tag(left, words, self._settings.ink, 1.3)

    def finish(self) -> Picture:
        s = self._settings
        canvas = cv2.addWeighted(self._fills, s.fill, self._canvas, 1 - s.fill, 0)
        for quad, colour, weight in self._lines:
            thick = max(1, round(weight * self._line_px))
            closed = len(quad) > 2
            # A dark line underneath keeps the light one visible on a light board.
            cv2.polylines(canvas, [_whole(quad)], closed, s.paper, thick + max(2, thick), cv2.LINE_AA)
            cv2.polylines(canvas, [_whole(quad)], closed, colour, thick, cv2.LINE_AA)
        self._place_labels()
        paper = canvas.copy()
        for tag in self._tags:
            cv2.rectangle(paper, tag.box[:2], tag.box[2:], s.paper, -1, cv2.LINE_AA)
        canvas = cv2.addWeighted(paper, s.paper_fill, canvas, 1 - s.paper_fill, 0)
        for tag in self._tags:
            left, top, _, bottom = tag.box
            scale, weight = self._font(tag.size)
            pad = (bottom - top) * 0.28
            cv2.rectangle(canvas, (left, top), (left + max(2, round(pad / 3)), bottom), tag.colour, -1)
            origin = round(left + pad), round(bottom - pad)
            font = cv2.FONT_HERSHEY_DUPLEX
            cv2.putText(canvas, _plain(tag.words), origin, font, scale, s.ink, weight, cv2.LINE_AA)
        return np.asarray(canvas, np.uint8)

    def _font(self, size: float) -> tuple[float, int]:
        """Scale and stroke of Hershey letters, whose capitals are 21 units high."""
        scale = size * self._text_px / 21
        return scale, max(1, round(scale * 1.1))

    def _width(self, words: str, size: float) -> float:
        scale, weight = self._font(size)
        (width, _), _ = cv2.getTextSize(_plain(words), cv2.FONT_HERSHEY_DUPLEX, scale, weight)
        return float(width)

    def _box(self, at: Points, words: str, size: float) -> Box:
        height = size * self._text_px * 2.0
        width = self._width(words, size) + 0.56 * height
        rows, columns = self._canvas.shape[:2]
        left = min(max(float(at[0]) - width / 2, 0.0), max(0.0, columns - width - 1))
        top = min(max(float(at[1]) - height / 2, 0.0), max(0.0, rows - height - 1))
        return round(left), round(top), round(left + width), round(top + height)


def _touch(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _whole(points: Points) -> NDArray[np.int32]:
    return np.asarray(np.clip(points, -30_000, 30_000).round(), np.int32)


def _plain(words: str) -> str:
    """Hershey letters know ASCII only."""
    return words.encode("ascii", "replace").decode("ascii")

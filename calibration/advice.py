"""Camera advice from numbers: is the stand too high or too low, out of focus, too dark, burnt out?"""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from vision.fix import Located
from vision.pack import Kind, Pack
from vision.rectify import Picture, inside

Tone = Literal["good", "warn", "fault"]


@dataclass(frozen=True)
class AdviceSettings:
    # A printed tile is told from its like by details of a twentieth of its short side: they need a pixel each.
    tile_px: float = 22.0
    # A cube of eight millimetres needs so many pixels for its colour to be more than its edges.
    cube_mm: float = 8.0
    cube_px: float = 11.0
    # Below this share of what is needed nothing can be read at all.
    hopeless: float = 0.6
    # Blur that costs a tile its details, in millimetres and in pixels: whichever is larger.
    blur_mm: float = 0.55
    blur_px: float = 1.7
    # Grey levels: in a living room with one lamp the boards have a 90th percentile of 100 and more.
    dark: float = 60.0
    very_dark: float = 30.0
    # A lamp reflected in a lacquered board burns out a percent or two.
    burnt: int = 252
    burnt_share: float = 0.03
    very_burnt_share: float = 0.15


SETTINGS = AdviceSettings()


@dataclass(frozen=True)
class Needs:
    """Pixels per millimetre that the pieces of a pack ask for."""

    tiles: float
    cubes: float

    @property
    def most(self) -> float:
        return max(self.tiles, self.cubes)


@dataclass(frozen=True)
class Measured:
    """What a picture is like. `px_per_mm` and `outside` are None and empty while no board is found."""

    px_per_mm: float | None
    blur_px: float
    light: float  # 90th percentile of the grey levels
    burnt_share: float
    outside: tuple[str, ...] = ()  # slots that are not in the picture


@dataclass(frozen=True)
class Advice:
    """One sentence about the stand, and what to do. `figure` is short enough for a screen."""

    what: Literal["height", "frame", "focus", "light", "glare"]
    tone: Tone
    figure: str
    text: str
    remedy: str = ""


def needs(pack: Pack, settings: AdviceSettings = SETTINGS) -> Needs:
    """What the smallest tile and the cubes of a pack ask for."""
    tiles = [min(slot.rect_mm[2:]) for slot in pack.slots.values() if slot.kind is Kind.TILE]
    has_cubes = any(slot.kind is Kind.CUBES for slot in pack.slots.values())
    return Needs(
        settings.tile_px / min(tiles) if tiles else 0.0,
        settings.cube_px / settings.cube_mm if has_cubes else 0.0,
    )


def measure(
    bgr: Picture,
    pack: Pack | None = None,
    located: Located | None = None,
    settings: AdviceSettings = SETTINGS,
) -> Measured:
    """Sharpness and light of a picture; with boards found also the scale and what is cut off."""
    grey = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    scales, outside = [], []
    if located is not None and pack is not None:
        scales = [located.px_per_mm(name) for name in located.fixes]
        outside = [
            slot.id
            for slot in pack.slots.values()
            if slot.board in located.fixes and not all(inside(located, slot.board, r) for r in slot.rects_mm)
        ]
    sample = bgr[::4, ::4]
    return Measured(
        min(scales) if scales else None,
        blur_px(np.asarray(grey, np.uint8)),
        float(np.percentile(grey[::4, ::4], 90)),
        float((sample.min(axis=2) >= settings.burnt).mean()),
        tuple(outside),
    )


def blur_px(grey: Picture) -> float:
    """Width (standard deviation) of the blur on the sharpest edges, in pixels.

    Blurring again by a known amount weakens a sharp edge much and a soft one little; how much tells the width.
    """
    known = 1.5
    values = grey.astype(np.float32)
    again = cv2.GaussianBlur(values, (0, 0), known)
    first = cv2.Sobel(again, cv2.CV_32F, 1, 0) ** 2 + cv2.Sobel(again, cv2.CV_32F, 0, 1) ** 2
    strong = first >= max(float(np.percentile(first, 98)), 1e-3)
    # Steepness of the same edges before; a light smoothing keeps noise from posing as sharpness.
    light = 0.6
    before = cv2.GaussianBlur(values, (0, 0), light)
    steep = cv2.Sobel(before, cv2.CV_32F, 1, 0) ** 2 + cv2.Sobel(before, cv2.CV_32F, 0, 1) ** 2
    ratio = float(np.sqrt(steep[strong].mean() / max(float(first[strong].mean()), 1e-6)))
    # ratio^2 = (width^2 + known^2) / (width^2 + light^2)
    squared = max(ratio**2, 1.0 + 1e-3)
    width2 = (known**2 - squared * light**2) / (squared - 1)
    return float(np.sqrt(np.clip(width2, 0.01, 400.0)))


def advise(measured: Measured, wanted: Needs, settings: AdviceSettings = SETTINGS) -> list[Advice]:
    """Everything worth saying about a stand, one entry for each matter, good news included."""
    found = [_height(measured, wanted, settings)] if measured.px_per_mm else []
    if measured.outside:
        found.append(_frame(measured))
    return [*found, _focus(measured, settings), *_light(measured, settings)]


def _height(measured: Measured, wanted: Needs, settings: AdviceSettings) -> Advice:
    have, need = measured.px_per_mm or 0.0, wanted.most
    figure = f"{1 / have:.2f} mm per pixel"
    if have >= need:
        return Advice("height", "good", figure, f"{have:.1f} pixels per millimetre; {need:.1f} are needed")
    piece = "tiles" if wanted.tiles >= wanted.cubes else "cubes"
    return Advice(
        "height",
        "fault" if have < settings.hopeless * need else "warn",
        figure,
        f"the camera is too high for the {piece}: {have:.1f} pixels per millimetre, {need:.1f} are needed",
        f"lower it to about {round(100 * have / need)} % of its height, or take pictures of a higher resolution",
    )


def _frame(measured: Measured) -> Advice:
    shown = ", ".join(measured.outside[:3]) + (" ..." if len(measured.outside) > 3 else "")
    return Advice(
        "frame",
        "fault",
        f"{len(measured.outside)} cut off",
        f"the picture cuts off {shown}",
        "raise the camera, or move the boards towards the middle",
    )


def _focus(measured: Measured, settings: AdviceSettings) -> Advice:
    allowed = max(settings.blur_px, settings.blur_mm * (measured.px_per_mm or 0.0))
    figure = f"{min(100, round(100 * settings.blur_px / max(measured.blur_px, 1e-3)))} %"
    if measured.blur_px <= allowed:
        return Advice("focus", "good", figure, f"sharp: edges are {measured.blur_px:.1f} pixels wide")
    return Advice(
        "focus",
        "fault" if measured.blur_px > 2 * allowed else "warn",
        figure,
        f"out of focus: edges are {measured.blur_px:.1f} pixels wide, {allowed:.1f} is the limit",
        "focus the camera on the boards, clean the lens, and let the stand come to rest",
    )


def _light(measured: Measured, settings: AdviceSettings) -> list[Advice]:
    figure = f"{round(100 * min(1.0, measured.light / 200))} %"
    if measured.light < settings.dark:
        tone: Tone = "fault" if measured.light < settings.very_dark else "warn"
        return [Advice("light", tone, figure, "too dark", "turn on a lamp, or expose longer")]
    if measured.burnt_share > settings.burnt_share:
        tone = "fault" if measured.burnt_share > settings.very_burnt_share else "warn"
        share = f"{100 * measured.burnt_share:.0f} % of the picture is burnt out"
        return [
            Advice("glare", tone, figure, share, "expose less, or move the lamp so that it is not mirrored")
        ]
    return [Advice("light", "good", figure, "enough light")]

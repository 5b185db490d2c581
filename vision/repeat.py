"""Boards that look like themselves shifted by a square or turned round: chess, word games, grids of all kinds.

Point by point such a board fits in many places. Only the picture as a whole, outline and all, fits best in one.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards import BoardModel, Reference, even_out, radius_px
from vision.fix import Fix, Located, Matrix, project
from vision.lens import Lens
from vision.rectify import Picture, warp_quad

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class RepeatSettings:
    px_per_mm: float = 1.0  # a word of five millimetres can still be told from its mirror image
    # The board is looked for so far around the pose, as a share of its short side.
    reach: float = 0.35
    # The whole print must fit this much better elsewhere before a board is moved there.
    margin: float = 0.02
    # ... and this much better turned: pieces on a board that looks alike from all sides fit one way by chance.
    turn_margin: float = 0.08
    # Fits that close are compared again by the pixels in which they differ (by grey levels of `even_out`).
    telling: float = 40.0
    least_telling: int = 60
    # Lines that land so far beside their like tell nothing, nor does the rim, where a hand that gave the corners slipped.
    beside_mm: float = 1.0
    rim_mm: float = 3.0
    # How often, and down to which gain in likeness, a turn is fitted: corners given by hand are no perfect square.
    turn_steps: int = 60
    turn_gain: float = 1e-4
    turn_blur_px: int = 9  # lines three millimetres beside their like still find it
    telling_margin: float = 0.12
    told_alike: float = 0.4
    # A board lies as it was taught, or as it lay before, unless words on it say otherwise: what is not quite the same
    # on all sides of a photograph (shading, a fold) says as much, or is as little like the print, through another camera.
    turned_margin: float = 0.2
    turned_alike: float = 0.7
    # ... and this much once it has been followed: pieces that cover what tells, one after the other, reach 0.5.
    followed_margin: float = 0.6
    # Correlation of the print with itself, turned or shifted, from which on it counts as repeating.
    alike: float = 0.25
    alike_shifted: float = 0.5
    # Colour stays when the light changes: log ratios in the grey levels of `even_out`, a strong colour being 1.
    colour: float = 45.0
    # Added before the logarithm; the colour of darker pixels is noise.
    colour_offset: float = 24.0
    # Shifts smaller than this share of the short side are the width of the print's own strokes.
    least_shift: float = 0.03


SETTINGS = RepeatSettings()


def repeats(model: BoardModel, settings: RepeatSettings = SETTINGS) -> bool:
    """Whether the board can be mistaken for itself in another place or turn."""
    return bool(turns(model.reference, model.size_mm, settings)) or _shifts(model.reference, settings)


def untangled(
    frame: Picture,
    model: BoardModel,
    pose: Matrix,
    lens: Lens,
    expected: Matrix,
    followed: bool = False,
    settings: RepeatSettings = SETTINGS,
) -> tuple[Matrix, bool]:
    """The shift and turn of `pose` in which the whole print fits best, and whether that is beyond doubt.

    `pose` has to be right up to such a shift and turn. When in doubt, `expected` is taken where it fits as well, or
    else the turn nearest to its own; the more so where the board lay there a moment ago (`followed`).
    """
    turned_margin = settings.followed_margin if followed else settings.turned_margin
    reach_mm = settings.reach * min(model.size_mm)
    ways = (np.eye(3), *turns(model.reference, model.size_mm, settings))
    # In the order of likelihood before looking: as expected, then turned.
    likely = sorted(ways, key=lambda way: _turned_by(pose @ way, expected))
    fits = [_fits(frame, model, pose, turn, lens, reach_mm, settings) for turn in likely]
    here, there = (max(fit[i].score for fit in fits) for i in (0, 1))
    small_mm = settings.least_shift * min(model.size_mm)
    if _apart_mm(pose, expected, model.size_mm) > small_mm:
        before, _ = _fits(frame, model, expected, np.eye(3), lens, 2 * small_mm, settings)
        if before.score > max(here, there) - settings.margin:
            return np.asarray(expected @ before.move, np.float64), False
    place, clear = (0, here > there + settings.margin) if here > there - settings.margin else (1, True)
    if not clear:
        first = max(fits, key=lambda fit: fit[0].score)
        told, _ = _tell(frame, model, pose, lens, first[0].move, first[1].move, settings)
        place, clear = int(told < -settings.telling_margin), abs(told) > settings.telling_margin
    rivals = [fit[place] for fit in fits]
    top = max(fit.score for fit in rivals)
    chosen, *others = (fit for fit in rivals if fit.score > top - settings.turn_margin)
    if not any(np.array_equal(chosen.move, turn) for turn in ways):
        # A pose that is off is too rough to tell turns by; once it has been put right, they are compared.
        others, clear = [], clear and not others
    for rival in others:
        told, alike = _tell(frame, model, pose, lens, chosen.move, rival.move, settings)
        turned = told < -turned_margin and alike > settings.turned_alike
        if turned:
            chosen = rival
        clear = clear and (turned or told > settings.telling_margin)
    stays = bool(np.array_equal(chosen.move, np.eye(3)))
    return (pose if stays else np.asarray(pose @ chosen.move, np.float64)), clear


@dataclass(frozen=True, eq=False)
class _Fit:
    score: float
    move: Matrix  # millimetres -> millimetres


def _fits(
    frame: Picture,
    model: BoardModel,
    pose: Matrix,
    turn: Matrix,
    lens: Lens,
    reach_mm: float,
    settings: RepeatSettings,
) -> tuple[_Fit, _Fit]:
    """How well the whole print fits in a turn: about where it is, and best anywhere else."""
    around = _around(frame, model, pose @ turn, lens, reach_mm, settings)
    score = cv2.matchTemplate(around, _template(model.reference, settings), cv2.TM_CCOEFF_NORMED)
    middle = round(reach_mm * settings.px_per_mm)
    near = min(middle, max(4, round(settings.least_shift * min(model.size_mm) * settings.px_per_mm)))
    window = slice(middle - near, middle + near + 1)

    def best(scores: Floats, left: int) -> _Fit:
        _, most, _, (x, y) = cv2.minMaxLoc(scores)
        shift = np.eye(3)
        # Rounding costs a pixel or two: that is no shift.
        if max(abs(x - left), abs(y - left)) > 2:
            shift[:2, 2] = (x - left) / settings.px_per_mm, (y - left) / settings.px_per_mm
        return _Fit(float(most), turn @ shift)

    here = best(np.ascontiguousarray(score[window, window]), near)
    score[window, window] = -1.0
    return here, best(np.asarray(score, np.float32), middle)


def _apart_mm(pose: Matrix, other: Matrix, size_mm: tuple[float, float]) -> float:
    """How far the corners of two poses are from each other."""
    width, height = size_mm
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    return float(np.abs(project(np.linalg.inv(pose) @ other, corners) - corners).max())


def _turned_by(pose: Matrix, expected: Matrix) -> float:
    """The angle between two poses' upper edges, in degrees."""
    angles = []
    for matrix in (pose, expected):
        (x0, y0), (x1, y1) = project(matrix, [(0, 0), (100, 0)])
        angles.append(float(np.rad2deg(np.arctan2(y1 - y0, x1 - x0))))
    return abs((angles[0] - angles[1] + 180.0) % 360.0 - 180.0)


def _tell(
    frame: Picture,
    model: BoardModel,
    pose: Matrix,
    lens: Lens,
    a: Matrix,
    b: Matrix,
    settings: RepeatSettings,
) -> tuple[float, float]:
    """Two poses compared by those pixels only in which they differ: above 0 for `a`, below for `b`.

    And how much the better one looks like the print there, 1 for the same.
    """
    template = _template(model.reference, settings)
    rows, columns = template.shape[:2]
    px = _px_from_mm(settings)
    between = px @ np.linalg.inv(a) @ b @ np.linalg.inv(px)
    moved = cv2.warpPerspective(template, between, (columns, rows), flags=cv2.INTER_LINEAR)
    beside = round(settings.beside_mm * settings.px_per_mm)
    nearby = np.ones((2 * beside + 1, 2 * beside + 1), np.uint8)
    apart = np.maximum(template - cv2.dilate(moved, nearby), cv2.erode(moved, nearby) - template)
    differ = np.zeros((rows, columns), np.bool_)
    rim = round(settings.rim_mm * settings.px_per_mm)
    within = slice(rim, rows - rim), slice(rim, columns - rim)
    differ[within] = apart[within].max(axis=2) > settings.telling
    if differ.sum() < settings.least_telling:
        return 0.0, 0.0
    wanted = template[differ]
    alike = []
    for move in (a, b):
        seen = _around(frame, model, pose @ move, lens, 0.0, settings)[differ]
        alike.append(float((seen * wanted).sum() / max(np.linalg.norm(seen) * np.linalg.norm(wanted), 1e-6)))
    # When pieces cover what would tell, neither looks right and the difference is chance.
    told = alike[0] - alike[1] if max(alike) >= settings.told_alike else 0.0
    return told, max(alike)


@lru_cache(maxsize=16)
def turns(
    reference: Reference, size_mm: tuple[float, float], settings: RepeatSettings = SETTINGS
) -> tuple[Matrix, ...]:
    """The turns (half, and quarters of a square board) under which the print correlates with itself.

    Each is fitted to the print: what is left between the board and its turned self is print, not a corner given badly.
    """
    width, height = size_mm
    ways = {2: np.array([[-1, 0, width], [0, -1, height], [0, 0, 1.0]])}
    if abs(width - height) < 0.02 * width:
        ways[1] = np.array([[0, -1, width], [1, 0, 0], [0, 0, 1.0]])
        ways[3] = np.array([[0, 1, 0], [-1, 0, height], [0, 0, 1.0]])
    # Coarse, so that a square that lands a millimetre beside its like still counts.
    small = cv2.resize(reference.flat, (96, 96), interpolation=cv2.INTER_AREA).astype(np.float64)
    small -= small.mean()
    power = max(float((small**2).sum()), 1e-6)
    return tuple(
        _fitted(way, reference, settings)
        for n, way in ways.items()
        if float((small * np.rot90(small, n)).sum()) / power >= settings.alike
    )


def _fitted(way: Matrix, reference: Reference, settings: RepeatSettings) -> Matrix:
    """A turn as the print itself shows it; as it was where the print does not say."""
    print_ = np.ascontiguousarray(_template(reference, settings)[..., 0])
    px = _px_from_mm(settings)
    start = (px @ way @ np.linalg.inv(px)).astype(np.float32)
    everywhere = np.full(print_.shape, 255, np.uint8)
    stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, settings.turn_steps, settings.turn_gain)
    try:
        _, turned = cv2.findTransformECC(
            print_, print_, start, cv2.MOTION_HOMOGRAPHY, stop, everywhere, settings.turn_blur_px
        )
    except cv2.error:  # raised where the steps lead nowhere
        return way
    return np.asarray(np.linalg.inv(px) @ turned.astype(np.float64) @ px, np.float64)


def _px_from_mm(settings: RepeatSettings) -> Matrix:
    """From millimetres of the board to pixels of its template, whose middles lie half a pixel from their edges."""
    scale = settings.px_per_mm
    return np.array([[scale, 0.0, -0.5], [0.0, scale, -0.5], [0.0, 0.0, 1.0]])


@lru_cache(maxsize=16)
def _shifts(reference: Reference, settings: RepeatSettings) -> bool:
    template = np.ascontiguousarray(_template(reference, settings)[..., 0])
    rows, columns = template.shape
    middle = template[rows // 4 : rows - rows // 4, columns // 4 : columns - columns // 4]
    score = cv2.matchTemplate(template, middle, cv2.TM_CCOEFF_NORMED)
    least = max(3, round(settings.least_shift * min(rows, columns)))
    y, x = rows // 4, columns // 4
    score[max(0, y - least) : y + least + 1, max(0, x - least) : x + least + 1] = -1.0
    return bool(score.max() >= settings.alike_shifted)


@lru_cache(maxsize=16)
def _template(reference: Reference, settings: RepeatSettings) -> Floats:
    """The board without the table around it, at the scale of the comparison."""
    margin = round(reference.margin_mm * reference.px_per_mm)
    inner = reference.bgr[margin : reference.bgr.shape[0] - margin, margin : reference.bgr.shape[1] - margin]
    ratio = settings.px_per_mm / reference.px_per_mm
    size = max(8, round(inner.shape[1] * ratio)), max(8, round(inner.shape[0] * ratio))
    shrunk = np.asarray(cv2.resize(inner, size, interpolation=cv2.INTER_AREA), np.uint8)
    return _look(shrunk, settings)


def _look(bgr: Picture, settings: RepeatSettings) -> Floats:
    """Print and colour as three channels about zero: squares of one brightness may still differ in colour."""
    print_ = even_out(bgr, radius_px(settings.px_per_mm)).astype(np.float32) - 128
    logs = np.log(cv2.blur(bgr, (3, 3)).astype(np.float32) + settings.colour_offset)
    blue, green, red = cv2.split(logs)
    ratios = red - green, blue - (red + green) / 2
    # The lamp tints everything alike; what differs from the usual is the board's.
    tints = [settings.colour * (ratio - np.median(ratio)) for ratio in ratios]
    return np.asarray(cv2.merge([print_, *tints]), np.float32)


def _around(
    frame: Picture, model: BoardModel, pose: Matrix, lens: Lens, reach_mm: float, settings: RepeatSettings
) -> Floats:
    width, height = model.size_mm
    low, right, bottom = -reach_mm, width + reach_mm, height + reach_mm
    located = Located((frame.shape[1], frame.shape[0]), lens, {"": Fix(pose, model.size_mm)})
    corners = located.mm_to_px("", [(low, low), (right, low), (right, bottom), (low, bottom)])
    rows, columns = _template(model.reference, settings).shape[:2]
    reach_px = round(reach_mm * settings.px_per_mm)
    return _look(warp_quad(frame, corners, (columns + 2 * reach_px, rows + 2 * reach_px)), settings)

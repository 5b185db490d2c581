"""All boards lie on one table: a board that shows little of itself borrows the tilt from one that shows much."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.align import Aligned
from vision.fix import Matrix, project
from vision.lens import Lens, Points


@dataclass(frozen=True)
class PlaneSettings:
    # Share of the board its agreeing points must span to carry a tilt of its own.
    least_span: float = 0.45
    least_weight: float = 45.0
    # The borrowed pose must fit the board's own points this well, in frame pixels of a 1536 px frame.
    worst_px: float = 2.0


SETTINGS = PlaneSettings()


def steadied(
    found: Mapping[str, Aligned],
    sizes_mm: Mapping[str, tuple[float, float]],
    lens: Lens,
    size_px: tuple[int, int],
    settings: PlaneSettings = SETTINGS,
) -> dict[str, Aligned]:
    """Poses as they were, except for weak ones, which become a turn and a shift in a strong board's plane."""
    weak = {name for name, a in found.items() if not _strong(a, sizes_mm[name], settings)}
    if not weak or len(weak) == len(found):
        return dict(found)
    guide = max(found.keys() - weak, key=lambda name: found[name].weight)
    result = dict(found)
    for name in weak:
        flat_px = lens.flatten(found[name].frame_px, size_px)
        pose = _in_plane(found[name].points_mm, flat_px, found[guide].flat_from_mm)
        if pose is None:
            continue
        off = np.linalg.norm(project(pose, found[name].points_mm) - flat_px, axis=1)
        if np.median(off) < settings.worst_px * size_px[0] / 1536:
            result[name] = replace(found[name], flat_from_mm=pose)
    return result


def _strong(aligned: Aligned, size_mm: tuple[float, float], settings: PlaneSettings) -> bool:
    hull = cv2.convexHull(aligned.points_mm.astype(np.float32))
    span = cv2.contourArea(hull) / (size_mm[0] * size_mm[1])
    return bool(span >= settings.least_span and aligned.weight >= settings.least_weight)


def _in_plane(points_mm: Points, flat_px: Points, guide: Matrix) -> Matrix | None:
    on_guide = project(np.asarray(np.linalg.inv(guide), np.float64), flat_px)
    similar, _ = cv2.estimateAffinePartial2D(points_mm, on_guide, method=cv2.LMEDS)
    if similar is None:
        return None
    pose: Matrix = guide @ np.vstack([similar, [0, 0, 1]])
    return pose

"""ArUco stickers as a help to find boards, where someone has put them on (`markers` in pack.toml)."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from vision.fix import Matrix, project
from vision.lens import Lens, Points
from vision.rectify import Picture


@dataclass(frozen=True)
class MarkerSettings:
    # The small dictionary: fifty markers of 4 x 4 are enough for any table and read from furthest away.
    dictionary: int = cv2.aruco.DICT_4X4_50
    width_px: int = 2304


SETTINGS = MarkerSettings()


def marked(
    frame: Picture,
    markers: Mapping[str, Mapping[int, tuple[float, float]]],
    lens: Lens,
    settings: MarkerSettings = SETTINGS,
) -> dict[str, Matrix]:
    """Rough poses (millimetres -> flat pixels) of the boards that show at least two of their markers."""
    if not any(markers.values()):
        return {}
    size_px = frame.shape[1], frame.shape[0]
    centres = _centres(frame, settings)
    poses = {}
    for board, places in markers.items():
        seen = [marker for marker in places if marker in centres]
        if len(seen) < 2:
            continue
        mm = np.array([places[marker] for marker in seen], np.float64)
        flat = lens.flatten([centres[marker] for marker in seen], size_px)
        pose = _pose(mm, flat)
        if pose is not None:
            poses[board] = pose
    return poses


def _centres(frame: Picture, settings: MarkerSettings) -> dict[int, Points]:
    shrink = min(1.0, settings.width_px / frame.shape[1])
    small = cv2.resize(frame, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(settings.dictionary))
    corners, ids, _ = detector.detectMarkers(small)
    if ids is None:
        return {}
    return {
        int(marker): (np.asarray(quad, np.float64).reshape(4, 2).mean(axis=0) + 0.5) / shrink - 0.5
        for marker, quad in zip(np.asarray(ids).ravel(), corners, strict=True)
    }


def _pose(mm: Points, flat: Points) -> Matrix | None:
    if len(mm) >= 4:
        found, _ = cv2.findHomography(mm, flat, 0)
        if found is not None and np.abs(project(np.asarray(found, np.float64), mm) - flat).max() < 20:
            return np.asarray(found, np.float64)
    similar, _ = cv2.estimateAffinePartial2D(mm, flat)
    return None if similar is None else np.asarray(np.vstack([similar, [0, 0, 1]]), np.float64)

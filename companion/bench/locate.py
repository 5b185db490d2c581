"""Finding the boards: how often, how exactly, how fast, on simulated tables seen again through a shaken camera."""

import json
import statistics
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards import TaughtPhoto, teach_boards
from companion.bench.figure import Figure, rate
from hardware.simulated.record import Order, record
from vision.boards import Models
from vision.fix import Located, homography, project
from vision.locate import locate
from vision.pack import load_pack
from vision.picture import load_picture
from vision.rectify import Picture

COMMON_PX = 1536  # corner errors are given in pixels of a frame this wide
FAR_OFF_PX = 5.0  # a board reported further off than this is not found but made up


@dataclass(frozen=True)
class _Seen:
    """One frame with the corners of its boards."""

    bgr: Picture
    corners_px: dict[str, NDArray[np.float64]]


@dataclass
class _Score:
    boards: int = 0
    found: int = 0
    made_up: int = 0
    errors_px: list[float] | None = None

    def add(self, located: Located, seen: _Seen) -> None:
        self.errors_px = self.errors_px or []
        for name, corners in seen.corners_px.items():
            self.boards += 1
            if name not in located.fixes:
                continue
            off = np.linalg.norm(located.corners_px(name) - corners, axis=1).max()
            error = float(off) * COMMON_PX / located.size_px[0]
            if error > FAR_OFF_PX:
                self.made_up += 1
                continue
            self.found += 1
            self.errors_px.append(error)


def measure(quick: bool, progress: Callable[[str], None], scratch: Path) -> list[Figure]:
    """Tables of every number of players; quick, one of four."""
    figures: list[Figure] = []
    for conditions in ("livingroom",) if quick else ("livingroom", "hard"):
        score = _Score()
        for seed in (74,) if quick else (71, 72, 73):
            progress(f"{conditions} table {seed}")
            order = Order(seed, 2 + seed % 3, 3 if quick else 12, conditions, 0.0, (2304, 1296), None)
            _found(score, *_table(order), 1 if quick else 5, seed)
        figures += _rates(score, conditions)
    return figures


def _found(score: _Score, models: Models, frames: list[_Seen], again: int, seed: int) -> None:
    """Looks for the boards in every frame, and in each seen `again` times through a shaken camera."""
    rng = np.random.default_rng(seed)
    for frame in frames:
        for seen in (frame, *(_again(frame, rng) for _ in range(again))):
            score.add(locate(seen.bgr, models), seen)


def _rates(score: _Score, conditions: str) -> list[Figure]:
    errors = sorted(score.errors_px or [float("nan")])
    worst = errors[min(len(errors) - 1, int(0.999 * len(errors)))]
    return [
        rate(f"boards found, {conditions}", score.found, score.boards, 99.9, "at least", "no hand in view"),
        rate(f"boards found where there is none, {conditions}", score.made_up, score.boards, 0.0, "at most"),
        Figure(
            f"corner error, {conditions}",
            worst,
            "px",
            1.0,
            "at most",
            len(errors),
            note=f"99.9 % of boards, frame {COMMON_PX} px wide; half are within {statistics.median(errors):.2f}",
        ),
    ]


def times(models: Models, first: Picture, second: Picture, rounds: int) -> list[Figure]:
    """Two full frames of a table of four, boards where they were."""
    before = locate(first, models)
    known = locate(second, models, before)
    followed = _middle_ms(lambda: locate(second, models, known), rounds)
    # The camera was pushed by some millimetres: every board is somewhere else.
    push = np.array([[1, 0, 11], [0, 1, -7]], np.float64)
    pushed = np.asarray(
        cv2.warpAffine(second, push, second.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    nudged = _middle_ms(lambda: locate(pushed, models, known), max(3, rounds // 3))
    player = next(name for name in models.boards if name != "colony")
    # Where a board was knocked from: turned round and far from where it lies now.
    away = {name: fix for name, fix in locate(second, models).fixes.items() if name != player}
    gone = replace(before, fixes=away)
    lost = _middle_ms(lambda: locate(second, models, gone), max(3, rounds // 3))
    grey = cv2.resize(
        cv2.cvtColor(second, cv2.COLOR_BGR2GRAY), (COMMON_PX, 864), interpolation=cv2.INTER_AREA
    )
    sift = cv2.SIFT.create(2000)
    one_pass = _middle_ms(lambda: sift.detectAndCompute(grey, None), max(3, rounds // 3))
    return [
        Figure("boards followed", followed, "ms", 20.0, count=rounds, note="five boards, 4608 x 2592"),
        Figure("boards followed after the camera was pushed", nudged, "ms", count=max(3, rounds // 3)),
        Figure("one board lost and found", lost, "ms", 500.0, count=max(3, rounds // 3)),
        Figure(
            "one board lost and found, in SIFT passes",
            lost / one_pass,
            "x",
            note=f"of {COMMON_PX} x 864, 2000 features",
        ),
    ]


def _middle_ms(work: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def _table(order: Order) -> tuple[Models, list[_Seen]]:
    """A table, taught from its own enrolment, and its frames without hands."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "table"
        record(order, folder)
        pack = load_pack(folder / "pack")
        photos = tomllib.loads((folder / "pack" / "enrol.toml").read_text(encoding="utf-8"))["photos"]
        models = teach_boards(
            pack,
            [
                TaughtPhoto(load_picture(folder / "pack" / p["file"]), p.get("corners_px", {}))
                for p in photos
                if "loose" not in p
            ],
        )
        return models, list(_frames(folder))


def _frames(folder: Path) -> Iterator[_Seen]:
    for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        press = json.loads(line)
        if not press["hidden"]:
            corners = {board: np.array(points, np.float64) for board, points in press["boards"].items()}
            yield _Seen(load_picture(folder / press["file"]), corners)


def _again(seen: _Seen, rng: np.random.Generator) -> _Seen:
    """The same table with the camera tilted, turned and shifted a little, and the light changed."""
    height, width = seen.bgr.shape[:2]
    square = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    turn = np.deg2rad(rng.uniform(-12, 12))
    middle = np.array([width / 2, height / 2])
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    pulled = (square - middle) @ spin * rng.uniform(0.82, 0.95) + middle + rng.normal(0, 0.01 * width, (4, 2))
    matrix = homography(square, pulled)
    moved = cv2.warpPerspective(
        seen.bgr, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    gains = np.asarray(rng.uniform(0.55, 1.1) * rng.uniform(0.85, 1.15, 3), np.float32)
    lit = moved.astype(np.float32) * gains + np.asarray(rng.normal(0, 3, moved.shape), np.float32)
    corners = {name: project(matrix, points) for name, points in seen.corners_px.items()}
    return _Seen(np.clip(lit, 0, 255).astype(np.uint8), corners)

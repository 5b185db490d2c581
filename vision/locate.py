"""Finds every board by its own printed picture, and follows it from frame to frame.

Guesses come from cheap to dear: where the board was, where the others say it went, where it was taught,
what its features vote for, which outlines look like it. Every guess is put to the same test (`align`), and
only that test decides.
"""

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from vision.align import Aligned, align, plausible
from vision.aruco import marked
from vision.assign import Candidate, assign, overlap
from vision.boards import Models
from vision.colour import misfit, own_colours
from vision.fix import Fix, Located, Matrix
from vision.follow import follow
from vision.lens import Lens
from vision.outline import outlines
from vision.plane import steadied
from vision.rectify import Picture
from vision.repeat import repeats, untangled
from vision.vote import frame_features, guesses

__all__ = ["Fix", "Located", "locate"]


@dataclass(frozen=True)
class LocateSettings:
    # With so large a share of its print in place a board is where we think; nothing else need be tried.
    certain_share: float = 0.62
    # A followed board may lose most of itself to a hand before it is searched for.
    followed_share: float = 0.3
    # A board that was as sure as this need not prove again that it is not its like, nor that it is not turned round.
    known: float = 0.95
    # How sure of a board that fits as well shifted or turned.
    tangled_sure: float = 0.7
    # Lost boards are searched in a small picture first; a larger one costs four times as much.
    widths_px: tuple[int, ...] = (768, 1536)
    threads: int = 4
    # A board with so many features is found by them or not at all.
    enough_features: int = 250
    tries: int = 3  # voted places tested for a board before giving up
    found: float = 0.5  # least `sure` of a board that is reported
    # Share of its print that shows a board where nobody expected it: another edition of the game has 0.25 in common.
    anew_share: float = 0.3


SETTINGS = LocateSettings()


def locate(
    frame: Picture,
    models: Models,
    previous: Located | None = None,
    lens: Lens | None = None,
    settings: LocateSettings = SETTINGS,
) -> Located:
    """Where every board lies; boards that are absent, covered or in doubt have no fix but a reason."""
    search = _Search(frame, models, lens or models.lens, settings)
    if previous is not None and previous.size_px == search.size_px:
        search.follow(previous)
    if not search.found:
        search.where_taught()
    if search.lost:
        search.by_markers()
    for width_px in settings.widths_px:
        if search.lost:
            search.by_features(width_px)
    if search.lost:
        search.by_outline()
    sizes = {name: model.size_mm for name, model in models.boards.items()}
    steady = steadied(search.found, sizes, search.lens, search.size_px)
    found = {name: Fix(one.flat_from_mm, sizes[name], one.sure()) for name, one in steady.items()}
    found |= search.unmoved
    return Located(
        search.size_px,
        search.lens,
        {name: found[name] for name in models.boards if name in found},
        {name: _why(name) for name in models.boards if name not in found},
    )


class _Search:
    """One frame being searched: what has been found so far, and every way to find more."""

    def __init__(self, frame: Picture, models: Models, lens: Lens, settings: LocateSettings) -> None:
        self.frame = frame
        self.models = models
        self.lens = lens
        self.settings = settings
        self.size_px = frame.shape[1], frame.shape[0]
        self.found: dict[str, Aligned] = {}
        self.before: dict[str, Matrix] = {}
        self.unmoved: dict[str, Fix] = {}

    @property
    def lost(self) -> list[str]:
        return [name for name in self.models.boards if name not in self.found]

    def follow(self, previous: Located) -> None:
        """Boards near where they were; then those that moved together with one that was found (a nudge)."""
        fixes = {name: fix for name, fix in previous.fixes.items() if name in self.models.boards}
        self.before = before = {name: fix.flat_from_mm for name, fix in fixes.items()}
        followed = {name: self._followed(name, fix) for name, fix in fixes.items()}
        strayed = [name for name, aligned in followed.items() if aligned is None]
        if strayed:
            # Long steps of OpenCV's, which do not hold Python up: a thread for each board.
            with ThreadPoolExecutor(max_workers=self.settings.threads) as pool:
                around = pool.map(lambda name: self._strayed(name, before[name]), strayed)
                followed |= dict(zip(strayed, around, strict=True))
        for name, aligned in followed.items():
            if aligned is not None and aligned.flat_from_mm is before[name]:
                # No hand could have put another board in its place so exactly.
                self.unmoved[name] = fixes[name]
                self.found[name] = aligned
        self._accept(followed, 0.0)
        if not self.found:
            return
        guide = max(self.found, key=lambda name: self.found[name].weight)
        moved = self.found[guide].flat_from_mm @ np.linalg.inv(before[guide])
        pushed = {name: self._align(name, moved @ before[name]) for name in self.lost if name in before}
        self._accept(pushed, self.settings.certain_share)

    def _followed(self, name: str, fix: Fix) -> Aligned | None:
        """The board where it was, or a pixel beside it; looks at no other board and at no colour."""
        if fix.sure < self.settings.known:
            return None
        return follow(self.frame, self.models.boards[name], fix.flat_from_mm, self.lens)

    def _strayed(self, name: str, pose: Matrix) -> Aligned | None:
        """The board near where it was, if its print is there."""
        aligned = self._align(name, pose, near=True)
        if aligned is None or aligned.share < self.settings.certain_share:
            aligned = self._untangled(name, self._align(name, pose))
        if aligned is None or aligned.share < self.settings.followed_share:
            return None
        return aligned

    def where_taught(self) -> None:
        """The stand often has not moved since the boards were taught."""
        poses = {name: self._taught_pose(name) for name in self.lost}
        near = {n: self._untangled(n, self._align(n, pose)) for n, pose in poses.items() if pose is not None}
        self._accept(near, self.settings.certain_share)

    def by_markers(self) -> None:
        """ArUco stickers, for those who like them."""
        poses = marked(self.frame, self.models.markers, self.lens)
        self._accept({name: self._align(name, poses[name]) for name in self.lost if name in poses}, 0.0)

    def by_features(self, width_px: int) -> None:
        """Features vote for places; colour says which board lies in which; the print has the last word."""
        features = frame_features(self.frame, self.lens, width_px)
        px_per_mm = self._px_per_mm()
        candidates = []
        for name in self.lost:
            model = self.models.boards[name]
            for guess in guesses(features, model, px_per_mm):
                pose = guess.flat_from_mm
                if plausible(pose, model.size_mm, self.size_px) and not self._taken(name, pose):
                    off = misfit(self.frame, model, pose, self.lens)
                    candidates.append(Candidate(name, pose, model.size_mm, guess.votes, off))
        assigned = assign(candidates)
        tried = sorted(self.lost, key=lambda name: -assigned[name].votes if name in assigned else 0.0)
        for name in tried:
            own = sorted((c for c in candidates if c.board == name), key=lambda c: -c.value)
            if name in assigned:
                own = [assigned[name], *(c for c in own if c is not assigned[name])]
            voted = [c.flat_from_mm for c in own[: self.settings.tries]]
            others = {board: c.flat_from_mm for board, c in assigned.items() if board != name}
            self._take(name, self._best(name, voted, others))
        self._make_way([name for name in tried if name in self.found])

    def by_outline(self) -> None:
        """Anything four-sided of the right shape, for boards whose features are few or repeat."""
        for name in self.lost:
            model = self.models.boards[name]
            if len(model.keypoints) > self.settings.enough_features and not repeats(model):
                continue
            self._take(name, self._best(name, outlines(self.frame, model, self.lens)))

    def _align(self, name: str, pose: Matrix, near: bool = False) -> Aligned | None:
        return align(self.frame, self.models.boards[name], pose, self.lens, near)

    def _accept(self, seen: Mapping[str, Aligned | None], least_share: float) -> None:
        """Takes those boards of which enough is seen and which, all considered, lie where they seem to."""
        good = {name: one for name, one in seen.items() if one is not None and one.share >= least_share}
        places = {name: one.flat_from_mm for name, one in good.items()}
        taken = [
            name for name, one in good.items() if name not in self.found and self._holds(name, one, places)
        ]
        self.found |= {name: good[name] for name in taken}
        self._make_way(taken)

    def _make_way(self, taken: Iterable[str]) -> None:
        """A board was taken for its like because that one seemed to lie elsewhere: if it does not, they change places."""
        for name in taken:
            here = self.found[name]
            places = {board: one.flat_from_mm for board, one in self.found.items() if board != name}
            if own_colours(self.frame, self.models, name, here.flat_from_mm, self.lens, places):
                continue
            del self.found[name]
            for like in self.lost:
                if like != name:
                    self._take(like, self._best(like, [here.flat_from_mm]))

    def _take(self, name: str, aligned: Aligned | None) -> None:
        if aligned is not None:
            self.found[name] = aligned

    def _holds(self, name: str, aligned: Aligned, others: Mapping[str, Matrix]) -> bool:
        """Enough print, a place of its own, and its own colours. `others` are where other lost boards may lie."""
        if aligned.sure() < self.settings.found or self._taken(name, aligned.flat_from_mm):
            return False
        places = {**others, **{board: found.flat_from_mm for board, found in self.found.items()}}
        return own_colours(self.frame, self.models, name, aligned.flat_from_mm, self.lens, places)

    def _taken(self, name: str, pose: Matrix) -> bool:
        size_mm = self.models.boards[name].size_mm
        return any(
            overlap(pose, size_mm, other.flat_from_mm, self.models.boards[board].size_mm)
            for board, other in self.found.items()
        )

    def _best(
        self, name: str, poses: Iterable[Matrix], others: Mapping[str, Matrix] = MappingProxyType({})
    ) -> Aligned | None:
        """The pose that most of the print agrees with; one that leaves no doubt ends the search."""
        best: Aligned | None = None
        for pose in poses:
            aligned = self._untangled(name, self._align(name, pose))
            if aligned is None or aligned.share < self.settings.anew_share:
                continue
            if not self._holds(name, aligned, others):
                continue
            if best is None or aligned.weight > best.weight:
                best = aligned
            if best.share >= self.settings.certain_share:
                break
        return best

    def _untangled(self, name: str, aligned: Aligned | None) -> Aligned | None:
        """A board that fits in many places by its points is put where it fits best as a whole."""
        model = self.models.boards[name]
        if aligned is None or not repeats(model):
            return aligned
        expected = self.before.get(name, model.pose)
        clear = True
        # Twice: from a pose that was slightly off, the first comparison is slightly unfair.
        for _ in range(2):
            pose, clear = untangled(
                self.frame, model, aligned.flat_from_mm, self.lens, expected, name in self.before
            )
            if pose is aligned.flat_from_mm:
                break
            aligned = self._align(name, pose)
            if aligned is None:
                return None
        return aligned if clear else replace(aligned, trust=self.settings.tangled_sure)

    def _taught_pose(self, name: str) -> Matrix | None:
        """The pose of the teaching photograph in this frame's size; None when the frame has another shape."""
        model = self.models.boards[name]
        across, down = (new / old for new, old in zip(self.size_px, model.pose_size_px, strict=True))
        if abs(across / down - 1) > 0.01:
            return None
        return np.asarray(np.diag([across, down, 1.0]) @ model.pose, np.float64)

    def _px_per_mm(self) -> float:
        """The scale of the table: that of the boards already found, or as taught."""
        poses: Mapping[str, tuple[Matrix, float]] = {
            name: (aligned.flat_from_mm, 1.0) for name, aligned in self.found.items()
        } or {n: (m.pose, self.size_px[0] / m.pose_size_px[0]) for n, m in self.models.boards.items()}
        scales = []
        for name, (pose, factor) in poses.items():
            width, height = self.models.boards[name].size_mm
            fix = Located(self.size_px, Lens(), {name: Fix(pose, (width, height))})
            scales.append(fix.px_per_mm(name) * factor)
        return float(np.median(scales))


def _why(name: str) -> str:
    return f"the {name} board is not to be seen: it is outside the picture, covered, or not the one that was taught"

"""Teaching the boards of a pack: their print from the photograph with corners, the lens from all the others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from vision.align import align
from vision.boards import Models, teach_board
from vision.fix import Fix, Located
from vision.lens import Lens
from vision.lensfit import Corners, Pair, fit_lens
from vision.locate import locate
from vision.pack import Pack
from vision.rectify import Picture
from vision.rig import load_rigs

# Corners give a first lens; one pass over the other photographs refines it. A second changes nothing.
LENS_ROUNDS = 1
# Of the picture's width. A board that lies where it lay is bent alike in both photographs: what differs then is noise.
LEAST_MOVE = 0.02


@dataclass(frozen=True, eq=False)
class TaughtPhoto:
    """A photograph and the corners given with it: board -> four points, clockwise from its own top left."""

    bgr: Picture
    corners_px: Mapping[str, ArrayLike]


def teach_boards(
    pack: Pack,
    photos: Sequence[TaughtPhoto],
    lens: Lens | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Models:
    """Learns every board of the pack. Photographs without corners only help to know the lens.

    Give the photograph of the bare boards first: a board is taught from the first one that has its corners.
    A known `lens` (from a rig) is kept as it is.
    """
    lacking = [name for name in pack.boards if not any(name in photo.corners_px for photo in photos)]
    if lacking:
        raise ValueError(
            f"no photograph has corners for {', '.join(lacking)}: "
            "give corners_px once for each board, clockwise from its own top left"
        )
    if lens is not None:
        return _teach(pack, photos, lens)
    corners = [_corners(pack, photo) for photo in photos]
    rigs = load_rigs(pack.dir)
    like = Lens(focal=rigs[0].focal, cameras=len(rigs)) if rigs else Lens()
    models = _teach(pack, photos, fit_lens([], corners, like))
    for _ in range(LENS_ROUNDS):
        pairs = []
        for number, photo in enumerate(photos, start=1):
            progress(f"lens: photograph {number} of {len(photos)}")
            pairs += _pairs(models, photo.bgr)
        models = _teach(pack, photos, fit_lens(pairs, corners, like))
    return models


def _teach(pack: Pack, photos: Sequence[TaughtPhoto], lens: Lens) -> Models:
    boards = {}
    for name, board in pack.boards.items():
        photo = next(photo for photo in photos if name in photo.corners_px)
        corners = np.asarray(photo.corners_px[name], np.float64)
        covered = [rect for slot in pack.slots.values() for rect in slot.rects_mm if slot.board == name]
        boards[name] = teach_board(photo.bgr, corners, board, covered, lens)
    return Models(boards, lens, {name: board.markers for name, board in pack.boards.items()})


def _corners(pack: Pack, photo: TaughtPhoto) -> Corners:
    boards = {
        name: (np.array(pack.boards[name].corners_mm), np.asarray(corners, np.float64).reshape(4, 2))
        for name, corners in photo.corners_px.items()
        if name in pack.boards
    }
    return Corners(boards, (photo.bgr.shape[1], photo.bgr.shape[0]))


def where_taught(models: Models, size_px: tuple[int, int]) -> Located:
    """The boards where they lay in the photographs with their corners: the stand and they often stay."""
    return Located(
        size_px,
        models.lens,
        {n: Fix(m.pose, m.size_mm) for n, m in models.boards.items() if m.pose_size_px == size_px},
    )


def _pairs(models: Models, bgr: Picture) -> list[Pair]:
    """The print of each board where it was taught and where it lies in this photograph."""
    located = locate(bgr, models, where_taught(models, (bgr.shape[1], bgr.shape[0])))
    pairs = []
    for name, fix in located.fixes.items():
        model = models.boards[name]
        if model.pose_size_px != located.size_px:
            continue
        aligned = align(bgr, model, fix.flat_from_mm, models.lens)
        if aligned is None:
            continue
        taught = Located(model.pose_size_px, models.lens, {name: Fix(model.pose, model.size_mm)})
        first = taught.mm_to_px(name, aligned.points_mm)
        moved = float(np.median(np.linalg.norm(first - aligned.frame_px, axis=1)))
        if moved > LEAST_MOVE * located.size_px[0]:
            pairs.append(Pair(first, aligned.frame_px, located.size_px))
    return pairs

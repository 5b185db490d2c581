"""The guided calibration as plain values: what to ask for now, what to draw, and what came of it.

`Guide` never changes; every touch and every picture gives another one. A screen shows `headline`, `detail`,
`steps`, `at`, `figures`, `choices` and `marks`, and calls `saw`, `tap`, `drag`, `choose` and `shot`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from pathlib import Path

import numpy as np

from calibration.advice import Advice, advise, measure, needs
from calibration.plan import Wanted, plan
from calibration.snap import snap_corner
from calibration.write import Photo, write_pack
from vision.fix import Fix, Located, homography
from vision.lens import Lens
from vision.outline import quads_px
from vision.pack import Pack, Point, Rect, Slot
from vision.rectify import Picture

CORNER_NAMES = ("top left", "top right", "bottom right", "bottom left")
# A board tapped as a quadrilateral that is further from its proportions than this was tapped in the wrong order.
MOST_SKEW = 1.35


class Stage(IntEnum):
    """The steps, in order."""

    FRAME = 0
    CORNERS = 1
    LAYOUT = 2
    PIECES = 3
    CHECK = 4


@dataclass(frozen=True)
class GuideStep:
    """One step as a list shows it."""

    stage: Stage
    name: str


STEPS = (
    GuideStep(Stage.FRAME, "Camera"),
    GuideStep(Stage.CORNERS, "Boards"),
    GuideStep(Stage.LAYOUT, "Layout"),
    GuideStep(Stage.PIECES, "Pieces"),
    GuideStep(Stage.CHECK, "Check"),
)


@dataclass(frozen=True)
class Mark:
    """Something to draw over the picture: an open or closed line through `points_px`, and words beside it."""

    points_px: tuple[Point, ...]
    words: str = ""
    tone: str = "good"


@dataclass(frozen=True)
class Guide:
    """Where a calibration stands. Begin with `Guide(pack)`: the layout to be fitted, say the sample's."""

    pack: Pack
    stage: Stage = Stage.FRAME
    advice: tuple[Advice, ...] = ()
    size_px: tuple[int, int] = (0, 0)
    empty_file: str = ""  # the photograph of the bare boards, on which corners are tapped
    corners_px: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)
    wanted: tuple[Wanted, ...] = ()
    taken: tuple[Photo, ...] = ()
    complaint: str = ""

    @property
    def steps(self) -> tuple[str, ...]:
        return tuple(step.name for step in STEPS)

    @property
    def at(self) -> int:
        return int(self.stage)

    @property
    def board(self) -> str | None:
        """The board whose corners are wanted next."""
        return next((name for name in self.pack.boards if len(self.corners_px.get(name, ())) < 4), None)

    @property
    def showing(self) -> Wanted | None:
        """The pieces to lay out for the next photograph."""
        return self.wanted[len(self.taken)] if len(self.taken) < len(self.wanted) else None

    @property
    def headline(self) -> str:
        match self.stage:
            case Stage.FRAME:
                return "Put the camera over the table"
            case Stage.CORNERS if self.board:
                corner = CORNER_NAMES[len(self.corners_px.get(self.board, ()))]
                return f"Tap the {corner} corner of the {self.board} board"
            case Stage.CORNERS:
                return "All corners are set"
            case Stage.LAYOUT:
                return "Drag what does not lie on its print"
            case Stage.PIECES if self.showing:
                return f"Lay out the pieces: photograph {len(self.taken) + 1} of {len(self.wanted)}"
            case Stage.PIECES:
                return "All pieces have been shown"
            case Stage.CHECK:
                return "Look whether every label is right"

    @property
    def detail(self) -> str:
        if self.complaint:
            return self.complaint
        match self.stage:
            case Stage.FRAME:
                trouble = [f"{a.text}: {a.remedy}" for a in self.advice if a.tone != "good"]
                return (
                    ". ".join(trouble) or "Bare boards, all in the picture. Take a picture when it is sharp."
                )
            case Stage.CORNERS:
                return "The corner as the board itself is read. The tap jumps to the nearest corner."
            case Stage.LAYOUT:
                return "Each frame belongs on its printed space. One slot moves alone, two fingers move the board's."
            case Stage.PIECES:
                return _show(self.showing) if self.showing else "The companion learns them now."
            case Stage.CHECK:
                return "Move a few pieces and look again. What is wrong can be taught once more."

    @property
    def figures(self) -> tuple[tuple[str, str, str], ...]:
        names = {
            "height": "Scale",
            "frame": "Frame",
            "focus": "Sharpness",
            "light": "Light",
            "glare": "Glare",
        }
        return tuple((names[a.what], a.figure, a.tone) for a in self.advice)

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        back = () if self.stage is Stage.FRAME else (("Back", "back"),)
        match self.stage:
            case Stage.FRAME:
                return (("Take a picture", "shoot"),)
            case Stage.CORNERS if self.board:
                return back
            case Stage.PIECES if self.showing:
                return (*back, ("Take a picture", "shoot"))
            case Stage.CHECK:
                return (*back, ("Done", "done"))
            case _:
                return (*back, ("Next", "next"))

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Corners and outlines so far; from the layout on every slot."""
        outlines = [
            Mark((*corners, corners[0]) if len(corners) == 4 else corners, name)
            for name, corners in self.corners_px.items()
            if corners
        ]
        if self.stage is Stage.CORNERS or self.located is None:
            return tuple(outlines)
        located = self.located
        return (
            *outlines,
            *(
                Mark(_closed(located, slot.board, rect), slot.id)
                for slot in self.pack.slots.values()
                if slot.board in located.fixes
                for rect in slot.rects_mm
            ),
        )

    @property
    def located(self) -> Located | None:
        """The boards as tapped."""
        whole = {name: c for name, c in self.corners_px.items() if len(c) == 4 and name in self.pack.boards}
        if not whole or self.size_px == (0, 0):
            return None
        fixes = {
            name: Fix(
                homography(self.pack.boards[name].corners_mm, np.array(corners)),
                self.pack.boards[name].size_mm,
            )
            for name, corners in whole.items()
        }
        return Located(self.size_px, Lens(), fixes)

    def saw(self, bgr: Picture) -> "Guide":
        """A live picture: sharpness, light and, once boards are known, millimetres per pixel."""
        size_px = (bgr.shape[1], bgr.shape[0])
        located = self.located if self.size_px == size_px else None
        measured = measure(bgr, self.pack, located)
        return replace(self, advice=tuple(advise(measured, needs(self.pack))))

    def shot(self, file: str, bgr: Picture) -> "Guide":
        """A photograph was taken and kept as `file`."""
        if self.stage is Stage.FRAME:
            size_px = (bgr.shape[1], bgr.shape[0])
            return replace(
                self.saw(bgr),
                stage=Stage.CORNERS,
                empty_file=file,
                size_px=size_px,
                corners_px={},
                complaint="",
            )
        wanted = self.showing
        if self.stage is not Stage.PIECES or wanted is None:
            return self
        loose: tuple[tuple[str, Sequence[Point]], ...] = ()
        if wanted.loose:
            quads = quads_px(bgr, len(wanted.loose))
            if len(quads) != len(wanted.loose):
                return replace(
                    self,
                    complaint=f"{len(wanted.loose)} pieces should lie there, {len(quads)} can be told apart: "
                    "lay them a finger apart on a plain cloth and take the picture again",
                )
            loose = tuple(zip(wanted.loose, quads, strict=True))
        photo = Photo(file, slots=wanted.slots, loose=loose)
        return replace(self.saw(bgr), taken=(*self.taken, photo), complaint="")

    def tap(self, tapped_px: Point, bgr: Picture) -> "Guide":
        """A corner of the board that is asked for, snapped to what is there."""
        board = self.board
        if self.stage is not Stage.CORNERS or board is None:
            return self
        corners = (*self.corners_px.get(board, ()), snap_corner(bgr, tapped_px))
        if len(corners) == 4 and (wrong := _wrong(corners, self.pack.boards[board].size_mm)):
            return replace(self, corners_px={**self.corners_px, board: ()}, complaint=f"{board}: {wrong}")
        return replace(self, corners_px={**self.corners_px, board: corners}, complaint="")

    def drag(self, slots: Sequence[str], from_px: Point, to_px: Point) -> "Guide":
        """Moves slots of one board along with a finger."""
        located = self.located
        chosen = [self.pack.slots[slot] for slot in slots if slot in self.pack.slots]
        if self.stage is not Stage.LAYOUT or located is None or not chosen:
            return self
        board = chosen[0].board
        (x0, y0), (x1, y1) = located.px_to_mm(board, [from_px, to_px])
        moved = {s.id: _moved(s, float(x1 - x0), float(y1 - y0)) for s in chosen if s.board == board}
        return replace(self, pack=replace(self.pack, slots={**self.pack.slots, **moved}))

    def choose(self, value: str) -> "Guide":
        """One of `choices` was pressed; "shoot" and "done" are for the caller to act on."""
        calm = replace(self, complaint="")
        if value == "back":
            if self.stage is Stage.CORNERS and any(self.corners_px.values()):
                return replace(calm, corners_px=_without_last(self.corners_px))
            if self.stage is Stage.PIECES and self.taken:
                return replace(calm, taken=self.taken[:-1])
            return replace(calm, stage=Stage(max(0, self.stage - 1)))
        if value == "next" and self.stage < Stage.CHECK:
            stage = Stage(self.stage + 1)
            wanted = tuple(plan(self.pack)) if stage is Stage.PIECES else self.wanted
            return replace(calm, stage=stage, wanted=wanted)
        return calm

    def photos(self) -> list[Photo]:
        """Everything taken so far, as `enrol.toml` lists it."""
        return [Photo(self.empty_file, True, self.corners_px), *self.taken]

    def write(self, folder: Path) -> None:
        """Writes `pack.toml` and `enrol.toml`; the photographs lie there already."""
        write_pack(self.pack, self.photos(), folder)


def _show(wanted: Wanted) -> str:
    if wanted.loose:
        return "In rows, left to right: " + ", ".join(piece.split(":", 1)[1] for piece in wanted.loose)
    said = []
    for slot, content in wanted.slots.items():
        words = (
            content if isinstance(content, str) else ", ".join(f"{label} {n}" for label, n in content.items())
        )
        said.append(f"{slot}: {words}")
    return "; ".join(said)


def _wrong(corners: Sequence[Point], size_mm: tuple[float, float]) -> str:
    """What is odd about four tapped corners, or nothing."""
    points = np.array(corners)
    sides = np.roll(points, -1, axis=0) - points
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    if (turns <= 0).any():
        return "these corners do not go round clockwise; tap them again from the board's own top left"
    lengths = np.linalg.norm(sides, axis=1)
    seen = (lengths[0] + lengths[2]) / (lengths[1] + lengths[3])
    off = seen / (size_mm[0] / size_mm[1])
    if not 1 / MOST_SKEW < off < MOST_SKEW:
        return (
            "this is not the shape of the board; begin with the corner that is top left as the board is read"
        )
    return ""


def _closed(located: Located, board: str, rect: Rect) -> tuple[Point, ...]:
    x, y, width, height = rect
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
    return tuple((float(px), float(py)) for px, py in located.mm_to_px(board, corners))


def _moved(slot: Slot, x_mm: float, y_mm: float) -> Slot:
    left, top, width, height = slot.rect_mm
    return replace(
        slot,
        rect_mm=(left + x_mm, top + y_mm, width, height),
        places_mm=tuple((x + x_mm, y + y_mm) for x, y in slot.places_mm),
    )


def _without_last(corners_px: Mapping[str, tuple[Point, ...]]) -> dict[str, tuple[Point, ...]]:
    last = [name for name, corners in corners_px.items() if corners][-1]
    return {**corners_px, last: corners_px[last][:-1]}

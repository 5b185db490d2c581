"""The guided calibration as plain values: what to ask for now, what to draw, and what came of it.

`Guide` never changes; every touch and every picture gives another one. A screen shows `headline`, `sentences`,
`steps`, `at`, `figures`, `choices`, `marks` and `crop_px`; whoever has the camera calls `saw`, `tap`, `drag`, `choose`,
`shot`, `learning` and `checked`. Sentences are English; `companion.view` says them in the players' language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from pathlib import Path

import numpy as np

from calibration.advice import Advice, advise, measure, needs
from calibration.fitting import board_at, pulled
from calibration.framing import framed
from calibration.loose import loose_quads
from calibration.marks import Mark, closed
from calibration.plan import Content, Wanted, plan
from calibration.snap import snap_board
from calibration.write import Photo, write_pack
from vision.fix import Fix, Located, homography
from vision.lens import Lens
from vision.pack import Pack, Point, Rect
from vision.rectify import Picture

CORNER_NAMES = ("top left", "top right", "bottom right", "bottom left")
# A board tapped as a quadrilateral that is further from its proportions than this was tapped in the wrong order.
MOST_SKEW = 1.35
CROP_MARGIN = 0.04  # of a board's own size, so that its edge is seen
NEAR = 0.4  # of a board is seen at the second tap: the smallest tokens then have room for their words


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
class Guide:
    """Where a calibration stands. Begin with `Guide(pack)`: the layout to be fitted, say the sample's."""

    pack: Pack
    stage: Stage = Stage.FRAME
    advice: tuple[Advice, ...] = ()
    size_px: tuple[int, int] = (0, 0)
    shapes_px: tuple[tuple[Point, ...], ...] = ()  # what looks like boards while the camera is being placed
    empty_file: str = ""  # the photograph of the bare boards, on which corners are tapped
    corners_px: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)
    zoomed: str = ""  # the board that fills the screen
    near_px: Point | None = None  # the part of it that does
    wanted: tuple[Wanted, ...] = ()
    taken: tuple[Photo, ...] = ()
    lesson: str = ""  # what is being learnt just now
    counts: tuple[tuple[str, int, str], ...] = ()  # of the check: name, number, tone
    read: tuple[tuple[str, Mark], ...] = ()  # of the check: board, and what was read on it
    notes: tuple[str, ...] = ()  # of the check: what enrolment had to say
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
        if self.lesson:
            return "The companion learns the pieces"
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
    def sentences(self) -> tuple[str, ...]:
        """What is to be said beneath the headline, one sentence each."""
        if self.lesson:
            return ("This takes about a minute.", f"Now: {self.lesson}.")
        if self.complaint:
            return (self.complaint,)
        trouble = tuple(f"{a.text}: {a.remedy}." for a in self.advice if a.tone != "good")
        match self.stage:
            case Stage.FRAME:
                return trouble or ("Bare boards, all in the picture. Take a picture when it is sharp.",)
            case Stage.CORNERS if self.board:
                return (
                    "The corner as the board itself is read. After the fourth the outline jumps onto its edges.",
                )
            case Stage.CORNERS:
                return trouble or ("Every outline should lie on the edge of its board.",)
            case Stage.LAYOUT if self.zoomed:
                return (
                    "Pull a frame onto its print; its corner changes the size.",
                    "Beside all frames, the whole board moves.",
                )
            case Stage.LAYOUT:
                return ("Tap a board to see it large. If every frame lies on its print, go on.",)
            case Stage.PIECES:
                return _asked(self.showing) if self.showing else ("The companion learns them now.",)
            case Stage.CHECK:
                return self.notes or (
                    "Move a few pieces and look again. What is wrong can be taught once more.",
                )

    @property
    def detail(self) -> str:
        return " ".join(self.sentences)

    @property
    def figures(self) -> tuple[tuple[str, str, str], ...]:
        names = {
            "height": "Scale",
            "frame": "Frame",
            "focus": "Sharpness",
            "light": "Light",
            "glare": "Glare",
        }
        if self.stage is Stage.CHECK:
            return tuple((name, str(number), tone) for name, number, tone in self.counts)
        return tuple((names[a.what], a.figure, a.tone) for a in self.advice)

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        if self.lesson:
            return ()
        back = () if self.stage is Stage.FRAME else (("Back", "back"),)
        whole = (("Whole table", "whole"),) if self.zoomed else ()
        match self.stage:
            case Stage.FRAME:
                return (("Take a picture", "shoot"),)
            case Stage.CORNERS if self.board:
                return back
            case Stage.PIECES if self.showing:
                return (*back, *whole, ("Take a picture", "shoot"))
            case Stage.CHECK:
                return (*whole, ("Teach again", "again"), ("Look again", "look"), ("Done", "done"))
            case _:
                return (*back, *whole, ("Next", "next"))

    @property
    def marks(self) -> tuple[Mark, ...]:
        """What looks like boards, then corners and outlines, then every slot, then what is to lie in them."""
        if self.stage is Stage.FRAME:
            return tuple(Mark((*corners, corners[0])) for corners in self.shapes_px)
        outlines = [
            Mark((*corners, corners[0]) if len(corners) == 4 else corners)
            for name, corners in self.corners_px.items()
            if corners and self.zoomed in ("", name)
        ]
        if self.stage is Stage.CHECK:
            return (*outlines, *(mark for board, mark in self.read if self.zoomed in ("", board)))
        located = self.located
        if self.stage is Stage.CORNERS or located is None:
            return tuple(outlines)
        if self.stage is Stage.PIECES:
            return self._laid(located)
        return (
            *outlines,
            *(
                Mark(closed(located, slot.board, rect), slot.id)
                for slot in self.pack.slots.values()
                if slot.board in located.fixes and self.zoomed in ("", slot.board)
                for rect in slot.rects_mm
            ),
        )

    def _laid(self, located: Located) -> tuple[Mark, ...]:
        """Every slot that is to hold something, with the words of it."""
        return tuple(
            Mark(closed(located, slot.board, slot.rects_mm[place]), words, "warn")
            for slot_id, content in (self.showing.slots.items() if self.showing else ())
            if (slot := self.pack.slots[slot_id]).board in located.fixes and self.zoomed in ("", slot.board)
            for place, words in _words(content, len(slot.rects_mm) > 1)
        )

    @property
    def crop_px(self) -> Rect | None:
        """The part of the picture to show: the board that was tapped, with all its slots."""
        located = self.located
        if located is None or self.zoomed not in located.fixes:
            return None
        corners = [np.array(located.corners_px(self.zoomed))]
        corners += [
            np.array(closed(located, self.zoomed, rect))
            for slot in self.pack.slots_of(self.zoomed)
            for rect in slot.rects_mm
        ]
        points = np.concatenate(corners)
        low, high = points.min(axis=0), points.max(axis=0)
        margin = CROP_MARGIN * (high - low)
        low = np.maximum(low - margin, 0.0)
        high = np.minimum(high + margin, np.array(self.size_px))
        if self.near_px is not None:
            half = NEAR * (high - low) / 2
            middle = np.clip(self.near_px, low + half, high - half)
            low, high = middle - half, middle + half
        return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])

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
        """A full picture: sharpness, light and how many millimetres a pixel has."""
        size_px = (bgr.shape[1], bgr.shape[0])
        located = self.located if self.size_px == size_px else None
        measured = measure(bgr, self.pack, located)
        if self.stage is not Stage.FRAME:
            return replace(self, advice=tuple(advise(measured, needs(self.pack))))
        shapes = framed(bgr, self.pack)
        measured = replace(measured, px_per_mm=shapes.px_per_mm if shapes else None)
        return replace(
            self,
            advice=tuple(advise(measured, needs(self.pack))),
            size_px=size_px,
            shapes_px=shapes.corners_px if shapes else (),
        )

    def shot(
        self, file: str, bgr: Picture, known_px: Mapping[str, tuple[Point, ...]] | None = None
    ) -> "Guide":
        """A photograph was taken and kept as `file`; `known_px` are corners that were found without a finger."""
        if self.stage is Stage.FRAME:
            return replace(
                self.saw(bgr),
                stage=Stage.CORNERS,
                empty_file=file,
                corners_px=dict(known_px or {}),
                complaint="",
            )._with_scale(bgr)
        wanted = self.showing
        if self.stage is not Stage.PIECES or wanted is None:
            return self
        loose: tuple[tuple[str, Sequence[Point]], ...] = ()
        if wanted.loose:
            quads = loose_quads(bgr, self._piece_px(wanted.loose[0]))
            if len(quads) != len(wanted.loose):
                return replace(
                    self,
                    complaint=f"{len(wanted.loose)} pieces should lie there, {len(quads)} can be told apart: "
                    "lay them a finger apart on a plain cloth and take the picture again",
                )
            loose = tuple(zip(wanted.loose, quads, strict=True))
        photo = Photo(file, slots=wanted.contents(self.pack), loose=loose)
        return replace(self, taken=(*self.taken, photo), complaint="", zoomed="", near_px=None)

    def _piece_px(self, piece: str) -> tuple[float, float]:
        """How large a loose piece is in the picture: as large as the slots it belongs in."""
        name, located = piece.split(":", 1)[0], self.located
        sizes = [slot.rect_mm[2:] for slot in self.pack.slots.values() if slot.pieces == name]
        scale = np.median([located.px_per_mm(board) for board in located.fixes]) if located else 1.0
        width, height = np.median(sizes, axis=0) * scale
        return float(width), float(height)

    def tap(self, tapped_px: Point, bgr: Picture) -> "Guide":
        """A corner of the board that is asked for; with the fourth, all jump onto its edges. Later the board to see large."""
        board = self.board
        if self.stage is Stage.CORNERS and board is not None:
            corners = (*self.corners_px.get(board, ()), tapped_px)
            if len(corners) == 4:
                if wrong := _wrong(corners, self.pack.boards[board].size_mm):
                    return replace(self, corners_px={**self.corners_px, board: ()}, complaint=wrong)
                corners = snap_board(bgr, corners)
            tapped = replace(self, corners_px={**self.corners_px, board: corners}, complaint="")
            return tapped._with_scale(bgr)
        located = self.located
        if self.stage in (Stage.LAYOUT, Stage.PIECES, Stage.CHECK) and located is not None:
            board = board_at(self.pack, located, tapped_px) or ""
            closer = board == self.zoomed and board and self.near_px is None
            return replace(self, zoomed=board, near_px=tapped_px if closer else None)
        return self

    def _with_scale(self, bgr: Picture) -> "Guide":
        return self.saw(bgr) if self.board is None else self

    def drag(self, from_px: Point, to_px: Point) -> "Guide":
        """Pulls the frames that lay under the finger along with it."""
        located = self.located
        if self.stage is not Stage.LAYOUT or located is None:
            return self
        return replace(self, pack=pulled(self.pack, located, from_px, to_px))

    def choose(self, value: str) -> "Guide":
        """One of `choices` was pressed; "shoot", "look", "again" and "done" are for the caller to act on."""
        calm = replace(self, complaint="", zoomed="", near_px=None)
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

    def learning(self, lesson: str) -> "Guide":
        """What enrolment is busy with; nothing when it is over."""
        return replace(self, lesson=lesson, complaint="")

    def checked(
        self,
        corners_px: Mapping[str, tuple[Point, ...]],
        size_px: tuple[int, int],
        counts: tuple[tuple[str, int, str], ...],
        read: tuple[tuple[str, Mark], ...] = (),
    ) -> "Guide":
        """A look at the table with what was learnt: where the boards were found and how well it could be read."""
        return replace(
            self,
            stage=Stage.CHECK,
            corners_px=corners_px,
            size_px=size_px,
            counts=counts,
            read=read,
            complaint="",
        )

    def photos(self) -> list[Photo]:
        """Everything taken so far, as `enrol.toml` lists it."""
        return [Photo(self.empty_file, True, self.corners_px), *self.taken]

    def write(self, folder: Path) -> None:
        """Writes `pack.toml` and `enrol.toml`; the photographs lie there already."""
        write_pack(self.pack, self.photos(), folder)


def _asked(wanted: Wanted) -> tuple[str, ...]:
    if wanted.loose:
        pieces = ", ".join(piece.split(":", 1)[1] for piece in wanted.loose)
        return (
            "On the bare table without boards, in rows, a finger apart.",
            f"In rows, left to right: {pieces}",
        )
    return (
        "Lay on each marked place what is written there; all other places stay bare.",
        "Tap a board to see it large, and again to see it larger.",
    )


def _words(content: Content, track: bool) -> list[tuple[int, str]]:
    """What is written over a slot, and over which of its places."""
    if isinstance(content, str):
        return [(0, content)]
    if track:
        return [(place, label) for label, place in content.items()]
    return [(0, ", ".join(f"{number} {label}" for label, number in content.items()))]


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


def _without_last(corners_px: Mapping[str, tuple[Point, ...]]) -> dict[str, tuple[Point, ...]]:
    last = [name for name, corners in corners_px.items() if corners][-1]
    return {**corners_px, last: corners_px[last][:-1]}

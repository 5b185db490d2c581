"""Learns tokens from areas of which only the content is known: how many of each label lie there, not where.

What stands out is divided among as many middles as there are tokens; how much there is of it says how large they
are. Labels are dealt out so that tokens of one label look most alike and the stated numbers come right.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.read.discs import likeness
from vision.read.looks import deal, look, sort_out
from vision.read.pixels import filtered
from vision.read.tokens import Tokens, Tray, disc, lay

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class TokenTrainingSettings:
    stands: float = 0.3  # from which a pixel is counted as part of a token
    covers: float = 1.15  # of the radius: where one token lies, the middle of no other
    widest: float = 1.5  # of the usual radius: how far from its middle a token may reach
    most: float = 0.97  # of what stands out belongs to the token, the rest is shadow and crumbs
    about: float = 1.2  # of the usual radius: how far most tokens reach
    beyond: float = (
        1.12  # of the reach of the widest: some ground is seen around every token, for its outline
    )
    rounds: int = 4  # of dividing what stands out among middles
    inside: float = 0.45  # how much a ring stands out that is within the outline
    gap: int = 2  # angles each way: gaps in an outline are closed,
    spike: int = 1  # shadows and neighbours beside it cut off
    unlike: float = 60.0  # residual of a token of which no like has been seen
    same_board: float = 12.0  # residual from which a label looks different on another board
    same: float = 1.5  # residual below which one taught picture stands for another
    most_exemplars: int = 6  # for each label
    deals: int = 2
    guesses: int = 2  # at how large tokens are


SETTINGS = TokenTrainingSettings()


@dataclass(frozen=True, eq=False)
class TokenLesson:
    """An area whose content is known: its log colours, and how many of each label lie there.

    `grounds` are pictures of what may be beneath, None for a table of which nothing is known.
    """

    logs: Floats
    grounds: tuple[Floats | None, ...]
    board: str
    content: tuple[int, ...]

    def tray(self, radius_px: float) -> Tray:
        """The area over the ground that explains most of it: a cloth may have moved since it was seen bare."""
        trays = [Tray.of(self.logs, ground, radius_px) for ground in self.grounds]
        return min(trays, key=lambda tray: float(tray.stands.mean()))


def learn_tokens(
    labels: tuple[str, ...], lessons: Sequence[TokenLesson], px_per_mm: float, margin_mm: float
) -> Tokens:
    """Tokens from areas of known content, at least one of which is not empty."""
    s = SETTINGS
    lessons = [lesson for lesson in lessons if sum(lesson.content)]
    numbers = [sum(lesson.content) for lesson in lessons]
    usual_px = 0.0
    # What stands out of a large token is known only when one knows how large it is.
    for _ in range(s.guesses):
        trays = [lesson.tray(s.about * usual_px) for lesson in lessons]
        usual_px, middles = _sized(trays, numbers, margin_mm * px_per_mm)
    looks = [
        np.stack([look(lesson.logs, (float(x), float(y)), usual_px) for x, y in at])
        for lesson, at in zip(lessons, middles, strict=True)
    ]
    contents = [lesson.content for lesson in lessons]
    dealt = sort_out(looks, contents)
    radius_px = s.beyond * _widest_px(trays, middles, dealt, usual_px)
    boards = tuple(sorted({lesson.board for lesson in lessons}))
    taught = [
        _taught(labels, boards, lesson.board, tray, at, radius_px, px_per_mm)
        for lesson, tray, at in zip(lessons, trays, middles, strict=True)
    ]
    for _ in range(s.deals):
        dealt = [_dealt_again(i, taught, dealt, contents[i]) for i in range(len(taught))]
    every = _outlined(_together(taught, dealt))
    kept = np.concatenate([_varied(every, label) for label in sorted(set(every.owners.tolist()))])
    return _on_boards(every.only(kept))


def _sized(trays: Sequence[Tray], numbers: Sequence[int], margin_px: float) -> tuple[float, list[Floats]]:
    """The radius of a usual token and where all their middles lie, from how many there are in each area."""
    covered = sum(float((tray.stands > SETTINGS.stands).sum()) for tray in trays)
    usual_px = max(float(np.sqrt(covered / sum(numbers) / np.pi)), 1.0)
    return usual_px, [
        middles_of(tray.stands, number, usual_px, margin_px)
        for tray, number in zip(trays, numbers, strict=True)
    ]


def _widest_px(
    trays: Sequence[Tray], middles: Sequence[Floats], dealt: Sequence[Ints], usual_px: float
) -> float:
    """How far from its middle a usual token of the widest label reaches: the pattern of a cloth beside some is outvoted."""
    s = SETTINGS
    every = [_reaches(tray.stands, at, usual_px) for tray, at in zip(trays, middles, strict=True)]
    reaches, owners = np.concatenate(every), np.concatenate(list(dealt))
    widest = max(float(np.median(reaches[owners == label])) for label in np.unique(owners))
    return float(np.clip(widest, usual_px, s.widest * usual_px))


def middles_of(stands: Floats, count: int, radius_px: float, margin_px: float) -> Floats:
    """Middles of as many tokens as are known to lie there: count x 2."""
    s = SETTINGS
    height, width = stands.shape
    rim = max(1, round(margin_px))
    inside = np.full((height, width), -np.inf, np.float32)
    inside[rim : max(height - rim, rim + 1), rim : max(width - rim, rim + 1)] = 0
    left = stands.copy()
    places = []
    for _ in range(count):
        down, right = divmod(int((filtered(left, disc(radius_px)) + inside).argmax()), width)
        places.append((right, down))
        cv2.circle(left, (right, down), round(radius_px * s.covers), 0.0, -1)
    at_px = np.array(places, np.float32).reshape(-1, 2)
    pixels, mass = _mass(stands)
    for _ in range(s.rounds):
        far = np.linalg.norm(pixels[:, None] - at_px[None], axis=2)
        whose, near = far.argmin(axis=1), far.min(axis=1, initial=np.inf) < s.widest * radius_px
        for i in range(count):
            own = near & (whose == i)
            if own.any():
                at_px[i] = np.average(pixels[own], axis=0, weights=mass[own])
    return at_px


def _mass(stands: Floats) -> tuple[Floats, Floats]:
    """The pixels that stand out (n x 2) and how much."""
    down, right = np.nonzero(stands > SETTINGS.stands)
    return np.stack([right, down], axis=1).astype(np.float32), stands[down, right]


def _reaches(stands: Floats, at_px: Floats, radius_px: float) -> Floats:
    """How far each token reaches from its middle."""
    s = SETTINGS
    pixels, mass = _mass(stands)
    far = np.linalg.norm(pixels[:, None] - at_px[None], axis=2)
    whose, near = far.argmin(axis=1), far.min(axis=1, initial=np.inf)
    reaches = np.full(len(at_px), radius_px, np.float32)
    for i in range(len(at_px)):
        own = (whose == i) & (near < s.widest * radius_px)
        if own.any():
            order = np.argsort(near[own])
            gathered = np.cumsum(mass[own][order])
            reaches[i] = near[own][order][np.searchsorted(gathered, s.most * gathered[-1])]
    return reaches


def _taught(
    labels: tuple[str, ...],
    boards: tuple[str, ...],
    board: str,
    tray: Tray,
    at_px: Floats,
    radius_px: float,
    px_per_mm: float,
) -> Tokens:
    """The tokens of one area, their labels not yet known, each usable on its own board."""
    logs, stands = tray.discs(at_px, radius_px).tokens()
    usable = np.tile(np.array([board == one for one in boards]), (len(at_px), 1))
    owners = np.zeros(len(at_px), np.int64)
    return Tokens(labels, boards, logs, _outline(stands), owners, usable, radius_px / px_per_mm)


def _outline(stands: Floats) -> Floats:
    """1 as far out as a token stands out in each direction, n x rings x angles."""
    s = SETTINGS
    within = np.maximum.accumulate(stands[:, ::-1], axis=1)[:, ::-1] > s.inside

    def around(
        mask: NDArray[np.bool_], reach: int, how: Callable[..., NDArray[np.bool_]]
    ) -> NDArray[np.bool_]:
        return how(np.stack([np.roll(mask, turn, axis=2) for turn in range(-reach, reach + 1)]), axis=0)

    closed = around(around(within, s.gap, np.any), s.gap, np.all)
    return around(around(closed, s.spike, np.all), s.spike, np.any).astype(np.float32)


def _together(taught: Sequence[Tokens], dealt: Sequence[Ints]) -> Tokens:
    first = taught[0]
    return Tokens(
        first.labels,
        first.boards,
        np.concatenate([one.logs for one in taught]),
        np.concatenate([one.masks for one in taught]),
        np.concatenate(list(dealt)).astype(np.int64),
        np.concatenate([one.usable for one in taught]),
        first.radius_mm,
    )


def _dealt_again(
    area: int, taught: Sequence[Tokens], dealt: Sequence[Ints], content: tuple[int, ...]
) -> Ints:
    """The labels of one area's tokens, by how they resemble those of all other areas."""
    others = [i for i in range(len(taught)) if i != area]
    if np.count_nonzero(content) < 2 or not others:
        return dealt[area]
    rest = _together([taught[i] for i in others], [dealt[i] for i in others])
    left = lay(rest, taught[area].discs).left
    cost = np.stack(
        [
            left[:, rest.owners == label].min(axis=1, initial=np.float32(SETTINGS.unlike))
            for label in range(len(content))
        ],
        axis=1,
    )
    return deal(np.log(cost), content)


def _outlined(every: Tokens) -> Tokens:
    """The same with outlines that all tokens of a label agree on: shadows fall to one side, neighbours lie anywhere."""
    turns = likeness(every.fine, every.fine).argmax(axis=0).T
    masks = every.masks.copy()
    for i, label in enumerate(every.owners):
        alike = [np.roll(every.masks[j], turns[i, j], axis=1) for j in np.flatnonzero(every.owners == label)]
        masks[i] = np.mean(alike, axis=0) >= 0.5
    # A token that can hardly be told from its ground is taken whole.
    masks[masks.mean(axis=(1, 2)) == 0] = 1.0
    return Tokens(every.labels, every.boards, every.logs, masks, every.owners, every.usable, every.radius_mm)


def _varied(every: Tokens, label: int) -> Ints:
    """A few of a label's pictures, at least one of each board, until nothing new is left."""
    s = SETTINGS
    own = np.flatnonzero(every.owners == label)
    kept, alike = _usual(every.only(own))
    while len(kept) < min(max(s.most_exemplars, len(kept)), len(alike)):
        left = lay(every.only(own[kept]), every.only(own[alike]).discs).left.min(axis=1)
        if left.max() < s.same:
            break
        kept.append(int(alike[int(left.argmax())]))
    return np.asarray(own[kept], np.int64)


def _usual(pictures: Tokens) -> tuple[list[int], Ints]:
    """Of one label's pictures the most usual one of each board, and those that look like the usual one of their board.

    The pattern of a cloth stands out as tokens do, and some of what was cut out may be a square of it.
    """
    alike = lay(pictures, pictures.discs).left < SETTINGS.same_board
    many = (alike & alike.T).sum(axis=1)
    usual: list[int] = []
    like_usual = np.zeros(len(many), bool)
    for at_home in pictures.usable.T:
        if at_home.any():
            usual.append(int(np.where(at_home, many, -1).argmax()))
            like_usual |= at_home & alike[:, usual[-1]]
    return usual, np.flatnonzero(like_usual)


def _on_boards(tokens: Tokens) -> Tokens:
    """The same, each exemplar now usable on every board where its label looks like it or was never shown."""
    usable = tokens.usable.copy()
    for label in set(tokens.owners.tolist()):
        own = tokens.owners == label
        for i in range(len(tokens.boards)):
            home = own & tokens.usable[:, i]
            away = np.flatnonzero(own & ~home)
            if not home.any():
                usable[away, i] = True
            elif len(away):
                left = lay(tokens.only(home), tokens.only(away).discs).left.min(axis=1)
                usable[away, i] = left < SETTINGS.same_board
    return Tokens(
        tokens.labels,
        tokens.boards,
        tokens.logs,
        tokens.masks,
        tokens.owners,
        usable,
        tokens.radius_mm,
    )

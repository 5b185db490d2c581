"""A stroke alphabet of our own: every glyph is a few lines and curves in a unit square, drawn with a round pen.

A stroke is a list of points; one that starts with `~` is a smooth curve through them. y runs down,
0 is the cap line and 1 the base line.
"""

from functools import lru_cache

import numpy as np

Stroke = tuple[tuple[float, float], ...]

_GLYPHS = {
    "A": "0 1,.5 0,1 1|.17 .66,.83 .66",
    "B": "0 0,0 1|~0 0,.6 0,.84 .13,.8 .36,.55 .47,0 .47|~0 .47,.65 .48,.95 .66,.88 .9,.6 1,0 1",
    "C": "~.95 .17,.72 .01,.42 .01,.12 .2,.02 .5,.12 .8,.42 .99,.72 .99,.95 .83",
    "D": "0 0,0 1|~0 0,.45 0,.82 .14,.98 .5,.82 .86,.45 1,0 1",
    "E": ".9 0,0 0,0 1,.9 1|0 .49,.75 .49",
    "F": ".9 0,0 0,0 1|0 .49,.72 .49",
    "G": "~.94 .16,.7 .01,.4 .01,.12 .2,.02 .5,.12 .8,.4 .99,.72 .98,.95 .82|.95 .84,.95 .54,.6 .54",
    "H": "0 0,0 1|1 0,1 1|0 .49,1 .49",
    "I": ".5 0,.5 1",
    "J": "~.8 0,.8 .4,.78 .78,.58 .99,.28 .97,.08 .78",
    "K": "0 0,0 1|.95 0,0 .58|.34 .4,1 1",
    "L": "0 0,0 1,.88 1",
    "M": "0 1,.06 0,.5 .68,.94 0,1 1",
    "N": "0 1,0 0,1 1,1 0",
    "O": "~.5 0,.17 .1,.01 .5,.17 .9,.5 1,.83 .9,.99 .5,.83 .1,.5 0",
    "P": "0 1,0 0|~0 0,.6 0,.92 .12,.92 .42,.6 .55,0 .55",
    "Q": "~.5 0,.17 .1,.01 .5,.17 .9,.5 1,.83 .9,.99 .5,.83 .1,.5 0|.62 .74,1 1.06",
    "R": "0 1,0 0|~0 0,.58 0,.9 .12,.9 .41,.58 .53,0 .53|.48 .53,.98 1",
    "S": "~.9 .14,.68 .01,.32 .01,.08 .14,.1 .36,.42 .47,.78 .56,.95 .76,.84 .94,.5 1,.2 .97,.02 .83",
    "T": "0 0,1 0|.5 0,.5 1",
    "U": "~0 0,0 .35,.02 .74,.2 .96,.5 1,.8 .96,.98 .74,1 .35,1 0",
    "V": "0 0,.5 1,1 0",
    "W": "0 0,.22 1,.5 .3,.78 1,1 0",
    "X": "0 0,1 1|1 0,0 1",
    "Y": "0 0,.5 .5,1 0|.5 .5,.5 1",
    "Z": "0 0,1 0,0 1,1 1",
    "0": "~.5 0,.16 .12,.04 .5,.16 .88,.5 1,.84 .88,.96 .5,.84 .12,.5 0",
    "1": ".18 .22,.56 0,.56 1",
    "2": "~.06 .22,.24 .03,.6 .01,.88 .18,.82 .42,.5 .66,.04 1|.04 1,.96 1",
    "3": "~.08 .14,.34 0,.7 .02,.88 .2,.8 .4,.42 .48|~.42 .48,.82 .54,.97 .74,.82 .94,.46 1,.04 .86",
    "4": ".72 1,.72 0,.02 .7,.98 .7",
    "5": ".86 0,.18 0,.12 .45|~.12 .45,.5 .36,.86 .48,.95 .7,.8 .93,.46 1,.05 .88",
    "6": "~.84 .06,.5 .02,.2 .22,.05 .6,.14 .9,.5 1,.84 .9,.94 .68,.8 .48,.5 .42,.2 .5,.07 .66",
    "7": "0 0,.96 0,.36 1",
    "8": "~.5 .46,.2 .36,.12 .18,.26 .02,.5 0,.74 .02,.88 .18,.8 .36,.5 .46,.16 .58,.04 .78,.2 .96,.5 1,.8 .96,.96 .78,.84 .58,.5 .46",
    "9": "~.93 .36,.8 .52,.5 .58,.2 .52,.06 .32,.16 .1,.5 0,.86 .1,.95 .4,.8 .78,.5 .98,.16 .94",
    "+": ".5 .2,.5 .86|.15 .53,.85 .53",
    "-": ".15 .55,.85 .55",
    "/": ".1 1,.9 0",
    "'": ".5 0,.5 .2",
    ".": ".48 .97,.52 1",
    ":": ".48 .3,.52 .33|.48 .9,.52 .93",
    "x": ".08 .35,.92 1|.92 .35,.08 1",
}
_NARROW = {"I": 0.25, "1": 0.62, ".": 0.25, ":": 0.25, "'": 0.25, "M": 1.2, "W": 1.3, " ": 0.55}


@lru_cache(maxsize=128)
def strokes(glyph: str) -> tuple[Stroke, ...]:
    """The strokes of one character in the unit square; none for a character the alphabet lacks."""
    found = _GLYPHS.get(glyph, _GLYPHS.get(glyph.upper(), ""))
    return tuple(_stroke(text) for text in found.split("|") if text)


def advance(glyph: str) -> float:
    """Width of a character's body, in widths of an ordinary one."""
    return _NARROW.get(glyph, 1.0)


def _stroke(text: str) -> Stroke:
    smooth = text.startswith("~")
    points = np.array([[float(n) for n in pair.split()] for pair in text.removeprefix("~").split(",")])
    if smooth:
        points = through(points)
    return tuple((float(x), float(y)) for x, y in points)


def through(
    points: "np.ndarray[tuple[int, int], np.dtype[np.float64]]", steps: int = 7
) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """A Catmull-Rom curve through the points; closed when the last one is the first."""
    closed = bool(np.allclose(points[0], points[-1]))
    before = points[-2] if closed else 2 * points[0] - points[1]
    after = points[1] if closed else 2 * points[-1] - points[-2]
    knots = np.vstack([before, points, after])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    pieces = []
    for a, b, c, d in zip(knots, knots[1:], knots[2:], knots[3:], strict=False):
        pieces.append(
            0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        )
    return np.vstack([*pieces, points[-1:]])

"""Where to draw the line between a piece and nothing: another art, another lens, and all pieces answer a little
lower or higher. The pieces a pack was taught with say how its own answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class CutSettings:
    share: float = (
        0.4  # of the way from the clearest nothing taught to the least clear piece: as likely as not
    )
    sure: float = 4.0  # log-odds of the least clear piece taught
    # Log-odds for each log-odd of the raw answer. No steeper: where pieces and nothings answer nearly alike, another light
    # moves both by more than what lies between them.
    steepness: tuple[float, float] = (0.8, 1.0)
    # Where "as likely as not" may lie. No higher: by day cubes answer far above it and nothings far below, but in bad light
    # a cube answers about 0 and nothings as ever.
    level: tuple[float, float] = (-6.0, -1.0)
    above: float = 2.0  # the nothings taught, where those answer so high that it has to be higher
    highest: float = 2.5  # so clear a nothing is a neighbour's cube at the rim
    outlying: float = 0.05  # of the pieces and nothings taught are left out as odd


SETTINGS = CutSettings()


@dataclass(frozen=True)
class Cut:
    """The answer at which a piece is as likely as not, and how steep its odds are there."""

    level: float = 0.0
    steepness: float = 1.0
    clear: float = 0.0  # answer of the least clear pieces taught

    def odds(self, answer: float) -> float:
        return self.steepness * (answer - self.level)


def learn_cut(pieces: Sequence[float], nothings: Sequence[float], settings: CutSettings = SETTINGS) -> Cut:
    """From answers for pieces known to lie there, and the clearest answers where none does."""
    if not len(pieces):
        return Cut()
    low = float(np.quantile(pieces, settings.outlying))
    if not len(nothings):
        return Cut(clear=low)
    high = float(np.quantile(nothings, 1 - settings.outlying))
    lowest, usual = settings.level
    most = min(max(usual, high + settings.above), settings.highest)
    level = float(np.clip(high + settings.share * (low - high), lowest, most))
    steepness = float(np.clip(settings.sure / max(low - level, 1e-3), *settings.steepness))
    return Cut(level, steepness, low)

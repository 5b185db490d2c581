"""Which way round a board lies that looks alike from all sides: its pieces tell what its print does not.

Read upside down, letters are none that were taught. Where the print leaves a doubt, the board is read in every turn
it may lie in, and the turn in which most slots are recognised is believed, once a few slots make the difference.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from vision.align import align
from vision.boards import BoardModel
from vision.fix import Fix, Located
from vision.pack import Kind, Pack
from vision.read.reader import Slots
from vision.rectify import Picture
from vision.repeat import turns


@dataclass(frozen=True)
class TurnedSettings:
    # Slots by which one turn must be ahead of the others: a piece or two look like another upside down.
    ahead: float = 3.0
    # With so many more slots not recognised than twice as many as before, the board may have been turned.
    worse: float = 6.0
    sure: float = 0.95  # of a board, from which its print leaves no doubt
    # Times as many slots not recognised as in another turn, from which pieces are believed against such print.
    against_print: float = 3.0


SETTINGS = TurnedSettings()


def in_doubt(fix: Fix, missed: float, before: float | None, settings: TurnedSettings = SETTINGS) -> bool:
    """Whether a board that is alike turned may lie another way round than it was found.

    `missed` of its slots were not recognised; `before` as many were when its pieces last told how it lies, if ever.
    """
    worse = missed > 2 * (before or 0.0) + settings.worse
    return worse or (before is None and fix.sure < settings.sure)


def way_round(
    frame: Picture,
    model: BoardModel,
    located: Located,
    missed: Callable[[Located], float],
    settings: TurnedSettings = SETTINGS,
) -> tuple[Fix, float] | None:
    """The fix of a board in which its slots are recognised, and how many are not; None when its pieces do not tell.

    `missed` says how many slots are not recognised where the board lies.
    """
    here = located.fixes[model.name]
    ways = [here]
    for turn in turns(model.reference, model.size_mm):
        aligned = align(frame, model, here.flat_from_mm @ turn, located.lens)
        if aligned is not None:
            ways.append(Fix(aligned.flat_from_mm, model.size_mm, here.sure))
    misses = [missed(replace(located, fixes={model.name: way})) for way in ways]
    least, *others = sorted(misses)
    if not others or others[0] - least < settings.ahead:
        return None
    # Pieces hard to recognise are so in every turn, and chance makes one of them the best.
    if here.sure >= settings.sure and least > 0 and misses[0] / least < settings.against_print:
        return None
    found = ways[misses.index(least)]
    return replace(found, sure=max(found.sure, settings.sure)), least


def unrecognised(pack: Pack, board: str, slots: Slots) -> float:
    """How many tile slots of a board are not recognised; doubtful ones count in part."""
    own = [slot.id for slot in pack.slots_of(board) if slot.kind is Kind.TILE]
    return sum(1.0 - max(slots.tiles[slot].values()) if slot in slots.tiles else 1.0 for slot in own)

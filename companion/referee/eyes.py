"""A reading taken at its word, or for a poor one.

Nearly every look is good: a slot that looks clear is as it looks. Now and then a look is poor (glare, a shadow, a board
half a slot off), and then several slots show something else than lies there. Which of the two it was is part of every
explanation: slots that cannot be as they look tell of a poor look, and in a poor look the others mean less as well.
"""

from dataclasses import replace

from companion.referee.observation import Claim
from companion.referee.search import Inquiry, Work
from companion.referee.sight import Sight
from companion.referee.weighing import Weigher
from companion.rules import Position
from companion.rules.cards import Contract


class Eyes:
    """One way to take a reading: its sight, what taking it so costs, and the inquiries made with it."""

    def __init__(self, sight: Sight, rows: int, extra_cost: float = 0.0, work: Work | None = None) -> None:
        self.sight = sight
        self.extra_cost = extra_cost
        self.weigher = Weigher(sight, rows)
        self._rows = rows
        self.work = work or Work()
        self._inquiries: dict[tuple[int, tuple[Contract, ...]], Inquiry] = {}

    def sharp(self) -> "Eyes":
        """The same reading taken at its word: what looks clear is as it looks."""
        settings = self.sight.settings
        sight = Sight(self.sight.reading, settings, self.sight.ignored, self.sight.taken, settings.sharpness)
        return Eyes(sight, self._rows, 0.0, self.work)

    def poor(self) -> "Eyes":
        """The same reading taken for a poor one."""
        settings = self.sight.settings
        doubting = replace(settings, misread_p=settings.poor_misread_p)
        sight = Sight(self.sight.reading, doubting, self.sight.ignored, self.sight.taken)
        return Eyes(sight, self._rows, settings.poor_look_cost, self.work)

    def between_turns(self) -> "Eyes":
        """A poor look as it speaks for one turn and against another: a slot does not just differ, it shows one thing."""
        settings = self.sight.settings
        telling = replace(settings, misread_p=settings.poor_misread_as_p)
        return Eyes(Sight(self.sight.reading, telling, self.sight.ignored, self.sight.taken), self._rows)

    def inquiry(self, root: Position, unseen: tuple[Contract, ...] = ()) -> Inquiry:
        """The inquiry into the turns of a position, the same one whenever it is asked for."""
        key = (id(root), unseen)
        known = self._inquiries.get(key)
        if known is None:
            known = self._inquiries[key] = Inquiry(root, self.weigher, unseen, self.work)
        return known

    def cost(self, claim: Claim) -> float:
        return self.sight.cost(claim)

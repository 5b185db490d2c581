"""One look at the table: finds the boards, then reads their slots."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from time import perf_counter

from vision.boards import Models, load_boards
from vision.fix import Located
from vision.locate import locate
from vision.pack import TAUGHT_BOARDS, TAUGHT_SLOTS, Pack, check_as_taught, load_pack
from vision.picture import BadPicture, is_grey
from vision.read.memory import Memory
from vision.read.reader import Reader, Slots
from vision.read.taught import load_taught
from vision.reading import Reading
from vision.rectify import Picture
from vision.repeat import turns
from vision.turned import in_doubt, unrecognised, way_round


@dataclass
class Looker:
    """Looks at frame after frame and remembers what it saw: boards need only be followed, and
    only what has changed is read again.
    """

    pack: Pack
    models: Models
    reader: Reader
    located: Located | None = field(default=None, repr=False)
    memory: Memory = field(default_factory=Memory, repr=False)
    # How many slots of a board were not recognised when its pieces last told which way round it lies.
    misses: dict[str, float] = field(default_factory=dict, repr=False)

    @classmethod
    def load(cls, pack_dir: Path) -> "Looker":
        """Reads a taught pack. Raises ValueError or OSError with a sentence that says what to do."""
        pack = load_pack(pack_dir)
        check_as_taught(pack)
        taught = load_taught(pack.dir / TAUGHT_SLOTS)
        return cls(pack, load_boards(pack.dir / TAUGHT_BOARDS), Reader(pack, taught))

    def look(self, bgr: Picture, boards: frozenset[str] = frozenset(), name: str = "the picture") -> Reading:
        """Everything that can be read in one picture; `ms` says how long locating and reading took.

        `boards` are the ones that lie on the table; none named means all of the pack. Raises BadPicture for one in black and
        white of a game taught in colour: cubes and tokens would be read wrong, and surely.
        """
        start = perf_counter()
        if self._in_colour and is_grey(bgr):
            raise BadPicture(
                f"{name}: is in black and white, but the pack {self.pack.name!r} was taught in colour; take it in colour"
            )
        wanted = {name: model for name, model in self.models.boards.items() if not boards or name in boards}
        self.located = locate(bgr, replace(self.models, boards=wanted), self.located)
        found = perf_counter()
        slots = self.reader.read(bgr, self.located, self.memory)
        if self._turned_round(bgr, slots):
            slots = self.reader.read(bgr, self.located, self.memory)
        done = perf_counter()
        return Reading(
            boards=self.located.seen(self.pack.boards),
            tiles=slots.tiles,
            counts=slots.counts,
            hidden=slots.hidden,
            ms={"locate": 1000 * (found - start), "read": 1000 * (done - found)},
        )

    @cached_property
    def _in_colour(self) -> bool:
        return not all(is_grey(model.reference.bgr) for model in self.models.boards.values())

    def _turned_round(self, bgr: Picture, slots: Slots) -> bool:
        """Whether a board lies another way round than it was found, as its pieces tell; then it lies so from now on."""
        located = self.located
        assert located is not None
        fixes = dict(located.fixes)
        for board, fix in located.fixes.items():
            model, before = self.models.boards[board], self.misses.get(board)
            if not turns(model.reference, model.size_mm):
                continue

            def missed(there: Located, board: str = board) -> float:
                return unrecognised(self.pack, board, self.reader.read(bgr, there))

            if in_doubt(fix, unrecognised(self.pack, board, slots), before):
                told = way_round(bgr, model, located, missed)
                if told is not None:
                    fixes[board], self.misses[board] = told
        self.located = replace(located, fixes=fixes)
        moved = any(fixes[board].flat_from_mm is not fix.flat_from_mm for board, fix in located.fixes.items())
        if moved:
            self.memory = Memory()
        return moved

    def forget(self) -> None:
        """The next picture has nothing to do with the last one."""
        self.located = None
        self.memory = Memory()
        self.misses = {}

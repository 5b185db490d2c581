"""How long a look at a table of four takes, against what no reader can do without: decoding the frame and warping what is read."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter

from companion.bench.album import RELIT, page, players
from companion.bench.figure import Figure
from vision.look import Looker
from vision.picture import load_picture
from vision.read.cuts import reaches, sheet
from vision.read.memory import Memory
from vision.rectify import Picture


@dataclass(frozen=True)
class Looks:
    """Milliseconds on the clock for frames of one table, boards known: the quickest of a few tries each."""

    first: float  # nothing was read before
    next: float  # the frame of a turn before was read
    relit: float  # the same, in another light
    decode: float  # the frame out of its file
    warp: float  # all that is read, drawn upright

    @property
    def needed(self) -> float:
        """What no reader can do without."""
        return self.decode + self.warp

    def ratio(self, look: float) -> float:
        """A look, decoding included, in units of what no reader can do without."""
        return (self.decode + look) / self.needed


def timed_looks(looker: Looker, album: Path, tries: int = 6) -> Looks:
    """Looks at pages of the album that are a turn apart, two by two."""
    last = len(players(album))
    before, after, earlier = (load_picture(album / page(number)) for number in (1, 2, last - 1))
    relit = load_picture(album / RELIT)
    looker.forget()

    def turn_by_turn(one: Picture, other: Picture) -> float:
        looker.look(one)
        looker.look(other)
        return min(_ms(partial(looker.look, (one, other)[i % 2])) for i in range(tries))

    following, in_another_light = turn_by_turn(before, after), turn_by_turn(earlier, relit)

    def afresh() -> None:
        looker.memory = Memory()
        looker.look(before)

    looker.look(before)
    first = min(_ms(afresh) for _ in range(tries))
    located = looker.located
    assert located is not None
    reach = reaches(looker.pack)
    warp = min(
        _ms(lambda: [sheet(before, located, board, reach[board]) for board in located.fixes])
        for _ in range(tries)
    )
    decode = min(_ms(partial(load_picture, album / page(1))) for _ in range(tries))
    return Looks(first, following, in_another_light, decode, warp)


def _ms(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return 1000 * (perf_counter() - start)


def figures(looks: list[Looks]) -> list[Figure]:
    usual = sorted(looks, key=lambda one: one.relit)[len(looks) // 2]
    count = len(looks)
    needed = f"decoded and read, against decoding ({usual.decode:.0f} ms) and warping ({usual.warp:.0f} ms)"
    followed = "boards followed and read after a turn, four players, 12 MP"
    return [
        Figure(followed, usual.next, "ms", 120.0, count=count),
        Figure(f"{followed}, in another light", usual.relit, "ms", 120.0, count=count),
        Figure(
            "boards followed and everything read anew, four players, 12 MP", usual.first, "ms", count=count
        ),
        Figure("look_ratio", usual.ratio(usual.next), "x", 3.0, count=count, note=needed),
        Figure("look_ratio, in another light", usual.ratio(usual.relit), "x", 3.0, count=count, note=needed),
    ]

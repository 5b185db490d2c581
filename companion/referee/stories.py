"""What the divers that may still be used in a turn can do: the stories a lower bound is taken over."""

from dataclasses import dataclass

from companion.rules.position import Progress


@dataclass(frozen=True)
class Story:
    """What the divers that may still be used do at most: cubes that come, trades, improvements, rewards taken."""

    cubes: int = 0
    trades: int = 0
    improves: int = 0
    explores: bool = False


# One diver does one of these things, or less; two (sponsor 2) are thought to do anything.
STORIES: tuple[tuple[Story, ...], ...] = (
    (Story(),),
    (
        Story(cubes=1, trades=1),
        Story(improves=1),
        Story(cubes=1, explores=True),
    ),
    (Story(cubes=2, trades=2, improves=2, explores=True),),
)


def effects_left(progress: Progress, sponsor: str) -> int:
    """How many times a diver's effect may still be used: sponsor 2 makes it twice."""
    if progress.ending:
        return 0
    if progress.diving:
        return progress.dives
    return 1 + (sponsor == "2" or progress.dives > 0)

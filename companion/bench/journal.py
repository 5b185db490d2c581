"""The journal over a long evening: power cuts, memory, size on disk, time to confirm and to resume."""

import gc
import os
import resource
import select
import signal
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from time import perf_counter

from companion import actions
from companion.bench.figure import Figure, rate
from companion.journal.journal import Journal
from companion.journal.store import FILE
from companion.messages import Pressed, Seen, Tapped, Tick
from companion.referee import Answer, Belief, Misplaced, Played, Verdict, expected, misplaced
from companion.rules import SEATS, Cards, Position, Rules, Turn, choose_turn, new_game, sample_cards
from companion.session import Session
from companion.state import Seat
from vision.reading import BoardSeen, Reading

TURN_BYTES = 4096
PICTURE_BYTES = 200_000  # a picture of the table as a JPEG, kept for the screen
GAMES = (
    1,
    2,
    3,
)  # seeds; the same games come again, so that what grows is ours and not the player's who chose the turns
SQUARE = ((100.0, 100.0), (1400.0, 104.0), (1396.0, 1100.0), (96.0, 1103.0))


class KnowingReferee:
    """Says what is known to have been played: this part measures the session and the journal, not the judgement."""

    def __init__(self) -> None:
        self.verdict: Played | None = None
        self.start = new_game(1)

    def judge(self, belief: Belief, reading: Reading) -> tuple[Verdict, Belief]:
        assert self.verdict is not None
        return self.verdict, Belief.of(self.verdict.position)

    def answered(self, belief: Belief, answer: Answer) -> Belief:
        return Belief.of(answer.position)

    def as_it_lies(self, belief: Belief, reading: Reading) -> Position:
        return belief.likeliest

    def misplaced(self, position: Position, reading: Reading) -> tuple[Misplaced, ...]:
        return misplaced(position, reading)

    def read_start(
        self, reading: Reading, seats: tuple[Seat, ...], first: int, rules: Rules, cards: Cards
    ) -> tuple[Position, tuple[Misplaced, ...]]:
        return self.start, ()


def unsure_reading(position: Position, rng: Random) -> Reading:
    """The table as a camera sees it: right, and nowhere quite certain."""
    tiles: dict[str, dict[str, float]] = {}
    counts: dict[str, dict[str, dict[int, float]]] = {}
    for slot, content in expected(position).items():
        if isinstance(content, dict):
            counts[slot] = {}
            for label, number in content.items():
                sure = rng.betavariate(60, 1)
                counts[slot][label] = {number: sure, number + 1: 1 - sure}
        elif content is not None:
            sure = rng.betavariate(60, 1)
            tiles[slot] = {"empty": 0.0, "spy": 1 - sure} | {content: sure}
    boards = {
        name: BoardSeen(True, SQUARE) for name in ("colony", *(player.colour for player in position.players))
    }
    return Reading(boards, tiles, counts)


@cache
def played_game(seed: int) -> tuple[Position, tuple[tuple[Turn, Position], ...]]:
    """A whole game of four: its start, and every turn with the table after it."""
    start = table = new_game(seed, players=SEATS)
    rng, turns = Random(seed), []
    while table.over is None:
        turn = choose_turn(table, rng)
        table = table.play_turn(turn)
        turns.append((turn, table.as_seen_at_table()))
    return start.as_seen_at_table(), tuple(turns)


class Evening:
    """Games played one after the other through the session, as a long evening goes."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.referee = KnowingReferee()
        self.journal = Journal(folder)
        self.session = Session(self.journal, lambda pack: sample_cards(), self.referee)
        self.rng = Random(seed)
        self.now_s = 0.0

    def play_game(self) -> Iterator[float]:
        """One game; after each turn the seconds from its reading to the disk."""
        start, turns = played_game(self.rng.choice(GAMES))
        self._set_up(start)
        for number, (turn, after) in enumerate(turns):
            self.referee.verdict = Played((turn,), after, 0.99)
            reading = unsure_reading(after, self.rng)
            self.now_s += 40.0
            self.session.handle(Tick(self.now_s))
            self.session.handle(Pressed(number % len(start.players)))
            begun = perf_counter()
            self.session.handle(Seen(reading, bytes(PICTURE_BYTES)))
            yield perf_counter() - begun

    def _set_up(self, start: Position) -> None:
        self.session.handle(Tapped(actions.NEW_GAME))
        for _ in range(len(start.players) - 2):
            self.session.handle(Tapped(actions.ADD_SEAT))
        for action in (actions.NEXT, actions.NEXT):
            self.session.handle(Tapped(action))
        self.referee.start = start
        self.session.handle(Seen(unsure_reading(start, self.rng)))
        self.session.handle(Tapped(actions.START))


def soak(folder: Path, turns: int, progress: Callable[[str], None] = lambda text: None) -> list[Figure]:
    """At least so many turns: memory at the end of early and of late games, bytes on the disk, time to confirm."""
    for game in GAMES:
        played_game(game)
    evening = Evening(folder, seed=1)
    times: list[float] = []
    memory: list[int] = []
    while len(times) < turns:
        progress(f"turn {len(times)} of {turns}")
        times += evening.play_game()
        gc.collect()
        memory.append(_resident_bytes())
    played = len(times)
    evening.journal.close()
    size = (folder / FILE).stat().st_size
    times.sort()
    early, late = memory[max(1, len(memory) // 5)], memory[-1]  # the first game still fills caches
    return [
        Figure("memory over a long evening", 100 * (late / early - 1), "% growth", 5.0, count=played),
        Figure("journal per turn", size / played, "bytes", TURN_BYTES, count=played),
        Figure("turn confirmed on disk, median", 1000 * times[played // 2], "ms", count=played),
        Figure("turn confirmed on disk, 99 %", 1000 * times[int(played * 0.99)], "ms", count=played),
        Figure("game resumed from disk", 1000 * resume_s(folder), "ms"),
    ]


def _resident_bytes() -> int:
    """Memory of this process, caches of the interpreter included."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


def resume_s(folder: Path) -> float:
    """From opening the journal to the position of the last game."""
    begun = perf_counter()
    journal = Journal(folder)
    record = journal.open_game(journal.games()[0].id)
    Position.from_json(record.position(), sample_cards())
    passed = perf_counter() - begun
    journal.close()
    return passed


def power_cuts(folder: Path, kills: int, seed: int = 1) -> Figure:
    """Processes killed while they confirm turns: how many confirmed events were missing afterwards."""
    for game in GAMES:
        played_game(game)
    rng, told = Random(seed), dict[str, int]()
    for _ in range(kills):
        told |= _killed(folder, rng)
    journal = Journal(folder)
    kept = {game.id: journal.read_game(game.id).events for game in journal.games()}
    journal.close()
    lost = sum(max(0, number - kept.get(game, 0)) for game, number in told.items())
    return rate(
        "confirmed events lost in power cuts", lost, sum(told.values()), 0.0, "at most", f"{kills} kills"
    )


def _killed(folder: Path, rng: Random) -> dict[str, int]:
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _confirm_forever(folder, writes, rng.randrange(1000))
        finally:
            os._exit(1)
    os.close(writes)
    select.select([reads], [], [], 10.0)
    select.select([], [], [], rng.random() * 0.03)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reads) as pipe:
        lines = [line.split() for line in pipe.read().splitlines()]
    return {game: int(number) for game, number in lines}


def _confirm_forever(folder: Path, told: int, seed: int) -> None:
    evening = Evening(folder, seed)
    while True:
        for _ in evening.play_game():
            assert evening.session.state.game is not None and evening.journal.durable
            game = evening.session.state.game.id
            os.write(told, f"{game} {len(evening.journal.events(game))}\n".encode())


def measure(quick: bool, progress: Callable[[str], None], scratch: Path) -> list[Figure]:
    """The figures of the journal and the session."""
    with tempfile.TemporaryDirectory() as folder:
        figures = soak(Path(folder) / "soak", 100 if quick else 2000, progress)
        progress("power cuts")
        figures.append(power_cuts(Path(folder) / "cuts", 20 if quick else 200))
    return figures

"""The journal over a long evening: power cuts, memory, size on disk, time to confirm and to resume."""

import gc
import os
import select
import signal
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter

from companion import actions
from companion.bench.figure import Figure, rate
from companion.journal.journal import Journal
from companion.journal.store import FILE
from companion.messages import Pressed, Seen, Tapped, Tick
from companion.referee import Answer, Belief, Misplaced, Played, Verdict, expected, misplaced
from companion.rules import Cards, Position, Rules, choose_turn, new_game, sample_cards
from companion.session import Session
from companion.state import Over, Playing, Seat
from vision.reading import BoardSeen, Reading

TURN_BYTES = 4096
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


class Evening:
    """Games played one after the other through the session, as a real evening goes."""

    def __init__(self, folder: Path, seed: int, players: int = 4) -> None:
        self.referee = KnowingReferee()
        self.journal = Journal(folder)
        self.session = Session(self.journal, lambda pack: sample_cards(), self.referee)
        self.rng = Random(seed)
        self.players = players
        self.now_s = 0.0
        self.games = 0

    def play(self, turns: int, confirmed: Callable[[float], None] = lambda seconds: None) -> None:
        """So many turns; `confirmed` hears how long each took from the reading to the disk."""
        for _ in range(turns):
            if not isinstance(self.session.state.mode, Playing):
                self._new_game()
            assert self.session.state.game is not None
            position = self.session.state.game.position
            turn = choose_turn(position, self.rng)
            after = position.play_turn(turn)
            self.referee.verdict = Played((turn,), after, 0.99)
            reading = unsure_reading(after, self.rng)
            self.now_s += 40.0
            self.session.handle(Tick(self.now_s))
            self.session.handle(Pressed(position.to_play))
            begun = perf_counter()
            self.session.handle(Seen(reading, b"\xff" * 200_000))
            confirmed(perf_counter() - begun)

    def _new_game(self) -> None:
        self.games += 1
        self.session.handle(Tapped(actions.NEW_GAME))
        while len(self.session.state.mode.seats) < self.players:  # type: ignore[union-attr]
            self.session.handle(Tapped(actions.ADD_SEAT))
        seats = [(seat.name, seat.colour) for seat in self.session.state.mode.seats]  # type: ignore[union-attr]
        self.referee.start = new_game(self.games, players=seats)
        for action in (actions.NEXT, actions.NEXT):
            self.session.handle(Tapped(action))
        self.session.handle(Seen(unsure_reading(self.referee.start, self.rng)))
        self.session.handle(Tapped(actions.START))

    @property
    def over(self) -> bool:
        return isinstance(self.session.state.mode, Over)


def soak(folder: Path, turns: int, progress: Callable[[str], None] = lambda text: None) -> list[Figure]:
    """A long run of turns: memory after the first fifth and at the end, bytes on the disk, time to confirm."""
    evening = Evening(folder, seed=1)
    times: list[float] = []
    tracemalloc.start()
    try:
        memory: list[int] = []
        for part in range(5):
            progress(f"turn {part * turns // 5} of {turns}")
            evening.play(turns // 5, times.append)
            while not evening.over:  # memory is compared at the same point of a game
                evening.play(1, times.append)
            gc.collect()
            memory.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    played = len(times)
    evening.journal.close()
    size = (folder / FILE).stat().st_size
    times.sort()
    growth = 100 * (memory[-1] / memory[0] - 1)
    return [
        Figure("memory after a long evening", growth, "% growth", 5.0, count=played),
        Figure("journal per turn", size / played, "bytes", TURN_BYTES, count=played),
        Figure("turn confirmed on disk, median", 1000 * times[played // 2], "ms", count=played),
        Figure("turn confirmed on disk, 99 %", 1000 * times[int(played * 0.99)], "ms", count=played),
        Figure("time to resume a game", 1000 * resume_s(folder), "ms"),
    ]


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
    rng, told, lost = Random(seed), dict[str, int](), 0
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
        evening.play(1)
        assert evening.session.state.game is not None and evening.journal.durable
        game = evening.session.state.game.id
        os.write(told, f"{game} {len(evening.journal.events(game))}\n".encode())


def measure(quick: bool, progress: Callable[[str], None]) -> list[Figure]:
    """The figures of the journal and the session."""
    with tempfile.TemporaryDirectory() as folder:
        figures = soak(Path(folder) / "soak", 250 if quick else 2000, progress)
        progress("power cuts")
        figures.append(power_cuts(Path(folder) / "cuts", 30 if quick else 200))
    return figures

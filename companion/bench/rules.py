"""How fast the rules are, side by side with python-chess on this machine, and what heavy positions cost."""

import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from random import Random

from companion.bench.figure import Figure
from companion.rules import SEATS, Position, Rules, choose_turn, new_game, turns
from companion.rules.columns import final_orders, orders

MIDGAME_TURNS = (12, 18, 24, 30)  # turns after which a position of a game is taken
MIDGAME_RESULTS = (1_000, 4_000)  # around the 2,000 of a typical position
HEAVY_BATTERIES = 3
HEAVY_MECHANIC = 2


def measure(quick: bool, progress: Callable[[str], None], scratch: Path) -> list[Figure]:
    games = 6 if quick else 24
    seconds = 1.0 if quick else 4.0
    progress("playing games to take positions from")
    positions = midgame_positions(games)
    progress(f"every turn of {len(positions)} positions, and python-chess")
    ours, results = _results_per_s(positions, seconds)
    theirs, moves = _chess_moves_per_s(seconds)
    # Taken in turns: what else the machine does slows both alike.
    ours_again, results_again = _results_per_s(positions, seconds)
    ours, results = (ours + ours_again) / 2, results + results_again
    progress("typical positions")
    slowest, typical, count = _typical_ms(positions)
    progress("a heavy position")
    heavy, heavy_s, peak_mb = _heavy()
    return [
        Figure(
            "rules: distinct results a second",
            ours,
            "1/s",
            count=results,
            note="turn and position of each; a turn's steps are put together when asked for",
        ),
        Figure(
            "rules: python-chess moves a second", theirs, "1/s", count=moves, note="legal moves, push and pop"
        ),
        Figure("rules: results for each python-chess move", ours / theirs, "", 1.0, "at least", results),
        Figure(
            "rules: typical mid-game position, median",
            typical,
            "ms",
            40.0,
            "at most",
            count,
            note=f"2 batteries, 1,000 to 4,000 results; slowest {slowest:.1f} ms",
        ),
        Figure("rules: heavy position, results streamed", heavy, "", count=1, note=f"in {heavy_s:.2f} s"),
        Figure("rules: heavy position, peak memory", peak_mb, "MB", 200.0, "at most"),
    ]


def midgame_positions(games: int) -> list[Position]:
    """Positions of games by a player with sensible tastes, as a camera knows them: deck and bag unknown."""
    positions = []
    for seed in range(games):
        rng = Random(seed)
        rules = Rules(edition="de" if seed % 4 == 3 else "fr", spy_variant=seed % 5 == 4)
        position = new_game(seed, SEATS[: 2 + seed % 3], rules, sponsors="mixed" if seed % 2 else "basic")
        for played in range(1, MIDGAME_TURNS[-1] + 1):
            position = position.play_turn(choose_turn(position, rng))
            if position.over is not None:
                break
            if played in MIDGAME_TURNS:
                positions.append(position.as_seen_at_table())
    return positions


def heavy_position() -> Position:
    """Three batteries, a Mechanic improved twice, sponsor 2, a Spy in reach, contracts payable."""
    position = new_game(5, SEATS[:3], sponsors="basic").as_seen_at_table()
    return position.with_player(
        0,
        credits=2,
        batteries=HEAVY_BATTERIES,
        mechanic=HEAVY_MECHANIC,
        keys=(4,),
        track=(1, 2, 3, 5, "X"),
        zone=("", "", "m", "pft", "f"),
        divers=("metal", "plant", "tech+", "fuel", "engineer", "trader", "spy+", "explorer"),
    )


def _results_per_s(positions: list[Position], seconds: float) -> tuple[float, int]:
    results = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for position in positions:
            for _ in turns(position):
                results += 1
    return results / spent, results


def _chess_moves_per_s(seconds: float) -> tuple[float, int]:
    import chess

    rng = Random(1)
    boards = []
    for _ in range(6):
        board = chess.Board()
        for ply in range(60):
            legal = list(board.legal_moves)
            if not legal:
                break
            board.push(rng.choice(legal))
            if ply % 10 == 9:
                boards.append(board.copy())
    moves = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for board in boards:
            for move in board.legal_moves:
                board.push(move)
                board.pop()
                moves += 1
    return moves / spent, moves


def _typical_ms(positions: list[Position]) -> tuple[float, float, int]:
    times = []
    for position in positions:
        position = position.with_player(position.to_play, batteries=2)
        start = time.process_time()
        results = sum(1 for _ in turns(position))
        spent = 1000 * (time.process_time() - start)
        if MIDGAME_RESULTS[0] <= results <= MIDGAME_RESULTS[1]:
            times.append(spent)
    times.sort()
    return times[-1], times[len(times) // 2], len(times)


def _heavy() -> tuple[int, float, float]:
    position = heavy_position()
    for kept in (orders, final_orders):  # so that the memory of the column tables is counted too
        kept.cache_clear()
    tracemalloc.start()
    for _ in turns(position):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    start = time.process_time()
    results = sum(1 for _ in turns(position))
    return results, time.process_time() - start, peak / 1e6

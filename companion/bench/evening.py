"""Whole evenings: simulated camera -> settle -> locate -> read -> referee -> journal -> state, with the real session.

The art sets are used nowhere else: nothing was chosen by looking at them.

How turns are counted, the worst case for us wherever there is a choice:

- A turn counts at its first press. It is right when it was accepted as it was played, or when a question was asked and the right
  answer was among its answers.
- It is wrong in silence when it was accepted, at any try, and something in the position differs from the truth that did not differ
  before it. What an earlier turn got wrong and nobody has put right is that turn's, and counts once.
- When a board was knocked and the companion asks for its pieces to be put back first, the press that follows counts, of a turn
  played right and of one shown wrong.
- A right turn that was called a fault, or not seen, is pressed again a few times. Then the players tell it themselves, as people do:
  by the turn the fault screen offers, or by hand. So the game goes on from the truth, but the turn has been counted by then.
- Nobody at this table notices a legal turn that was told wrongly, though the score on the screen may differ from the marker on
  the board: the game goes on from what was believed, alarms that come of it are counted as false alarms, and the final scores of
  the game must equal the truth all the same. Only a mistake that was accepted is noticed and taken back, and it is not "caught".
"""

import statistics
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

import cv2

from companion.agreement import told_as_played
from companion.bench.figure import Figure, rate
from companion.bench.taught import Table, teach
from companion.conductor import Shown, Tempo
from companion.frugal import collect_seldom
from companion.messages import Seen
from companion.rehearsal import HandClock, Rehearsal
from companion.rules import Position
from companion.state import Asking, Faulted
from hardware.simulated.table import SimulatedTable
from vision.look import Looker

MISTAKES = 0.15
# On the clock of the table; a game takes less than one.
LONGEST_S = 3 * 3600.0
TEMPO = Tempo(read_s=0.5, decide_s=0.5, press_s=0.2, hasty_every=9)


@dataclass(frozen=True)
class Game:
    """One game to play: on which table, which game, and after how many turns to stop."""

    table: Table
    seed: int
    turns: int | None = None


@dataclass
class Tally:
    """What came of the presses of one or more games."""

    turns: int = 0
    right_first: int = 0
    silently_wrong: int = 0
    questions: int = 0
    false_alarms: int = 0
    put_back: int = 0  # a knock left pieces behind, and the companion asked for them first
    unclear: int = 0
    mistakes: int = 0
    caught: int = 0
    named: int = 0
    games: int = 0  # played to their end, or meant to be
    final_right: int = 0
    knocked: int = 0
    nudged: int = 0
    relit: int = 0
    hands: int = 0  # presses with a hand still over the boards
    verdict_ms: list[float] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)  # what went wrong, for whoever looks into it

    def add(self, other: "Tally") -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def _games(art_seed: int, players: int, *seeds: int, turns: int | None = None) -> list[Game]:
    table = Table(art_seed, seeds[0], players)
    return [Game(table, seed, turns) for seed in seeds]


# Long ones first: the last games end at about the same time.
FULL = (
    *_games(9921, 4, 283, 286, 289),
    *_games(9923, 4, 291, 292, 293),
    *_games(9922, 3, 284, 285, 287, 288),
    *_games(9924, 3, 290, 294, 295),
    *_games(9921, 2, 281, 282, 296),
    *_games(9924, 2, 297, 298, 299),
)
# One game: every other begins with drawing its table once more.
QUICK = (*_games(9402, 2, 46, turns=14),)


def measure(quick: bool, progress: Callable[[str], None], scratch: Path) -> list[Figure]:
    """Two processes teach and play at a time."""
    total = Tally()
    for tally in _played(QUICK if quick else FULL, scratch, progress):
        total.add(tally)
    ms = sorted(total.verdict_ms) or [float("nan")]
    legal = total.turns
    happened = (
        f"{total.knocked} boards knocked, {total.nudged} nudges of the camera, {total.relit} changes of light, "
        f"{total.hands} presses with a hand over the boards"
    )
    worked = "the processor's time"
    return [
        rate("turns right the first time", total.right_first, legal, 99.9, "at least", happened),
        rate("wrong and accepted in silence", total.silently_wrong, legal, 0, "at most"),
        rate("questions asked", total.questions, legal, 5, "at most"),
        rate("false alarms", total.false_alarms, legal, 0.1, "at most"),
        rate("knocks put back before the turn was judged", total.put_back, legal, None, "at most"),
        rate("looks that saw too little", total.unclear, legal, None, "at most"),
        rate("mistakes caught", total.caught, total.mistakes, 99, "at least"),
        rate("mistakes named rightly", total.named, total.mistakes, 95, "at least"),
        # Short games have no end to compare.
        *(
            [rate("final scores equal to the truth", total.final_right, total.games, 100, "at least")]
            * bool(total.games)
        ),
        Figure(
            "reading to verdict, median", statistics.median(ms), "ms", 20, "at most", len(ms), note=worked
        ),
        Figure(
            "reading to verdict, 99 %",
            ms[int(0.99 * (len(ms) - 1))],
            "ms",
            250,
            "at most",
            len(ms),
            note=worked,
        ),
    ]


def _played(games: tuple[Game, ...], scratch: Path, progress: Callable[[str], None]) -> Iterator[Tally]:
    tables = list(dict.fromkeys(game.table for game in games))
    with ProcessPoolExecutor(2, get_context("spawn"), _begin) as pool:
        taught = [pool.submit(teach, table, scratch) for table in tables]
        for number, pack in enumerate(as_completed(taught), 1):
            pack.result()
            progress(f"table {number} of {len(tables)} is taught")
        running = {pool.submit(play, game, game.table.pack_dir(scratch)): game for game in games}
        for number, done in enumerate(as_completed(running), 1):
            game, tally = running[done], done.result()
            progress(
                f"game {number} of {len(games)}: {game.table.players} players, {tally.turns} turns, "
                f"{tally.right_first} right the first time"
            )
            for miss in tally.missed:
                progress(f"  art {game.table.art_seed}, game {game.seed}: {miss}")
            yield tally


def _begin() -> None:
    cv2.setNumThreads(1)  # a core for each process, and no more threads than that
    collect_seldom()  # as every command does


def play(
    game: Game, pack_dir: Path, heard: Callable[[Shown, Seen], None] = lambda shown, seen: None
) -> Tally:
    """One game from the bare boards to its end. `heard` is told of every press and the reading behind it."""
    clock = HandClock()
    at = game.table
    table = SimulatedTable(
        at.seed,
        at.players,
        at.conditions,
        MISTAKES,
        at.size_px,
        clock,
        art_seed=at.art_seed,
        game_seed=game.seed,
    )
    tally = Tally()

    def told(shown: Shown) -> None:
        count(tally, shown)
        if rehearsal.seen is not None:
            heard(shown, rehearsal.seen)

    with tempfile.TemporaryDirectory() as folder:
        looker = Looker.load(pack_dir)
        rehearsal = Rehearsal(table, clock, looker, Path(folder), told, turns=game.turns, tempo=TEMPO)
        state = rehearsal.run(LONGEST_S)
    tally.verdict_ms = [1000 * s for s in rehearsal.verdict_s]
    tally.knocked, tally.nudged, tally.relit = (
        table.happened[what] for what in ("knocked", "nudged", "relit")
    )
    if game.turns is None or table.position.over is not None:
        tally.games = 1
        if state.game is not None and table.position.over is not None:
            tally.final_right = int(_scores(state.game.position) == _scores(table.position))
        else:
            tally.missed.append(f"the game was not over after {LONGEST_S / 3600:g} hours")
    return tally


def count(tally: Tally, shown: Shown) -> None:
    """What one press adds to the tally; the rules are those at the head of this module."""
    press, accepted = shown.press, shown.outcome in ("played", "over")
    tally.hands += shown.hand
    if shown.outcome == "restoring":
        tally.put_back += 1
        return
    if press.mistake is not None:
        tally.mistakes += 1
        tally.caught += not accepted
        named = isinstance(shown.state.mode, Faulted) and press.mistake.fault in {
            fault.id for fault in shown.state.mode.illegal.faults
        }
        tally.named += named
        if not named:
            tally.missed.append(f"{press.mistake.fault} in {press.turn}: {_said(shown)}")
        return
    right = _right(shown)
    wrong = accepted and not right
    tally.silently_wrong += wrong
    if wrong or (not shown.tries and not right):
        tally.missed.append(f"{press.turn}: {_said(shown)}")
    if shown.tries:
        return
    tally.turns += 1
    tally.right_first += right
    tally.questions += shown.outcome == "asked"
    tally.false_alarms += shown.outcome == "fault"
    tally.unclear += shown.outcome in ("unclear", "unchanged")


def _right(shown: Shown) -> bool:
    """Whether the turn was told as it was played, or could be by an answer to the question that was asked."""
    mode, game, before = shown.state.mode, shown.state.game, shown.before.game
    if isinstance(mode, Asking):
        told = [answer.position for answer in mode.ask.answers]
    elif shown.outcome in ("played", "over") and game is not None:
        told = [game.position]
    else:
        return False
    press = shown.press
    believed = before.position if before is not None else press.before
    return any(told_as_played(believed, position, press.before, press.position) for position in told)


def _said(shown: Shown) -> str:
    if isinstance(shown.state.mode, Faulted):
        return "fault " + ", ".join(fault.id for fault in shown.state.mode.illegal.faults)
    if shown.outcome == "played" and shown.state.game is not None and shown.state.game.history:
        return "played " + "; ".join(str(turn) for turn in shown.state.game.history[-1].turns)
    return shown.outcome


def _scores(position: Position) -> list[int]:
    return [player.score for player in position.players]

"""Whole evenings: simulated camera -> settle -> locate -> read -> referee -> journal -> state, with the real session.

The art sets are used nowhere else: nothing was chosen by looking at them.
"""

import statistics
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from calibration.enrol import enrol
from companion.bench.figure import Figure, rate
from companion.conductor import Shown
from companion.messages import Seen
from companion.rehearsal import HandClock, Rehearsal
from companion.rules import Position
from companion.state import Faulted
from hardware.simulated.enrolment import write_pack
from hardware.simulated.table import SimulatedTable
from vision.look import Looker

SIZE_PX = (2304, 1296)
MISTAKES = 0.15


@dataclass(frozen=True)
class Evening:
    """One game to play: the art, the seed, how many play, and after how many turns to stop."""

    art_seed: int
    seed: int
    players: int
    turns: int | None
    conditions: str = "livingroom"


@dataclass
class Tally:
    """What came of the presses of one or more evenings."""

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
    games_over: int = 0
    final_right: int = 0
    verdict_ms: list[float] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)  # what went wrong, for whoever looks into it

    def add(self, other: "Tally") -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


FULL = tuple(
    Evening(art, seed, players, None)
    for art, seed, players in (
        (9101, 41, 2), (9101, 42, 3), (9101, 43, 4), (9102, 44, 2), (9102, 45, 3), (9102, 46, 4),
        (9103, 47, 2), (9103, 48, 3), (9103, 49, 4), (9104, 50, 3), (9104, 51, 4), (9104, 52, 4),
    )
)  # fmt: skip
QUICK = (Evening(9101, 41, 2, 8), Evening(9102, 46, 4, 8))


def measure(quick: bool, progress: Callable[[str], None]) -> list[Figure]:
    """Two processes play at a time; each teaches its own copy of the game first."""
    total = Tally()
    for tally in _played(QUICK if quick else FULL, progress):
        total.add(tally)
    ms = sorted(total.verdict_ms) or [float("nan")]
    legal = total.turns
    return [
        rate("turns right the first time", total.right_first, legal, 99.9, "at least"),
        rate("wrong and accepted in silence", total.silently_wrong, legal, 0, "at most"),
        rate("questions asked", total.questions, legal, 5, "at most"),
        rate("false alarms", total.false_alarms, legal, 0.1, "at most"),
        rate("knocks put back before the turn was judged", total.put_back, legal, None, "at most"),
        rate("looks that saw too little", total.unclear, legal, None, "at most"),
        rate("mistakes caught", total.caught, total.mistakes, 99, "at least"),
        rate("mistakes named rightly", total.named, total.mistakes, 95, "at least"),
        rate("final scores equal to the truth", total.final_right, total.games_over, 100, "at least"),
        Figure("reading to verdict, median", statistics.median(ms), "ms", 20, "at most", len(ms)),
        Figure("reading to verdict, 99 %", ms[int(0.99 * (len(ms) - 1))], "ms", 250, "at most", len(ms)),
    ]


def _played(evenings: Iterable[Evening], progress: Callable[[str], None]) -> Iterable[Tally]:
    evenings = tuple(evenings)
    with ProcessPoolExecutor(max_workers=2, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(play, evening): evening for evening in evenings}
        for number, done in enumerate(as_completed(running), 1):
            evening, tally = running[done], done.result()
            progress(
                f"game {number} of {len(evenings)}: {evening.players} players, {tally.turns} turns, "
                f"{tally.right_first} right the first time"
            )
            for miss in tally.missed:
                progress(f"  art {evening.art_seed}, seed {evening.seed}: {miss}")
            yield tally


def play(evening: Evening, heard: Callable[[Shown, Seen], None] = lambda shown, seen: None) -> Tally:
    """One evening from the bare boards to its end. `heard` is told of every press and the reading behind it."""
    clock = HandClock()
    table = SimulatedTable(
        evening.seed,
        evening.players,
        evening.conditions,
        MISTAKES,
        SIZE_PX,
        clock,
        art_seed=evening.art_seed,
    )
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        pack_dir = Path(folder) / "pack"
        write_pack(table.studio, table.cards.to_json(), pack_dir, lambda words: None)
        enrol(pack_dir)
        journal_folder = Path(folder) / "journal"
        journal_folder.mkdir()

        def told(shown: Shown) -> None:
            count(tally, shown)
            if rehearsal.seen is not None:
                heard(shown, rehearsal.seen)

        rehearsal = Rehearsal(table, clock, Looker.load(pack_dir), journal_folder, told, turns=evening.turns)
        state = rehearsal.run()
    tally.verdict_ms = [1000 * s for s in rehearsal.verdict_s]
    if state.game is not None and table.position.over is not None:
        tally.games_over = 1
        tally.final_right = int(_scores(state.game.position) == _scores(table.position))
    return tally


def count(tally: Tally, shown: Shown) -> None:
    """What one press adds to the tally. A turn counts at its first press; later tries of the same turn do not."""
    press, accepted = shown.press, shown.outcome in ("played", "over")
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
    if shown.outcome == "restoring":
        tally.put_back += 1
        return
    if shown.tries:
        return
    tally.turns += 1
    tally.questions += shown.outcome == "asked"
    tally.false_alarms += shown.outcome == "fault"
    tally.unclear += shown.outcome in ("unclear", "unchanged")
    right = accepted and shown.state.game is not None and agree(shown.state.game.position, press.position)
    # A question is no mistake: with the right answer the turn is right.
    tally.right_first += right or shown.outcome == "asked"
    tally.silently_wrong += accepted and not right
    if not right and shown.outcome != "asked":
        tally.missed.append(f"{press.turn}: {_said(shown)}")


def agree(ours: Position, truth: Position) -> bool:
    """Whether what we believe is what happened, as far as anybody at the table can know."""
    return _agree(_known(ours), _known(truth))


def _known(position: Position) -> dict[str, Any]:
    document = position.to_json()
    for secret in ("deck", "bag", "reward_discard", "rules"):
        document.pop(secret, None)
    for player in document["players"]:
        player["private"] = len(player["private"])
        # The front of a token that lies face down is known only to who saw it.
        player["rewards"] = [token and token.partition(":")[2] for token in player["rewards"]]
    return document


def _agree(ours: Any, truth: Any) -> bool:
    """Equal, where what we do not know (null) contradicts nothing."""
    if isinstance(ours, dict) and isinstance(truth, dict):
        return ours.keys() == truth.keys() and all(_agree(ours[key], truth[key]) for key in ours)
    if isinstance(ours, list) and isinstance(truth, list):
        return len(ours) == len(truth) and all(map(_agree, ours, truth))
    return ours is None or bool(ours == truth)


def _said(shown: Shown) -> str:
    if isinstance(shown.state.mode, Faulted):
        return "fault " + ", ".join(fault.id for fault in shown.state.mode.illegal.faults)
    if shown.outcome == "played" and shown.state.game is not None and shown.state.game.history:
        return "played " + "; ".join(str(turn) for turn in shown.state.game.history[-1].turns)
    return shown.outcome


def _scores(position: Position) -> list[int]:
    return [player.score for player in position.players]

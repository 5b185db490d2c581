"""The demo: a whole game on the simulated table, played by the conductor, judged by the real companion."""

import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from calibration.packs import SAMPLE
from companion.app import App
from companion.conductor import Conductor, Shown
from companion.journal.journal import Journal
from companion.launch import Say, run_window
from companion.referee import Played, text
from companion.rehearsal import HandClock, Rehearsal
from companion.rules import Position, Turn
from companion.sample import open_pack
from companion.session import Session
from companion.state import Asking, Faulted, Over, Playing, State
from companion.ui.window import SEVEN_INCH, Touchscreen
from companion.view import Box, language
from companion.view.words import sentence
from hardware.simulated.motion import Pace
from hardware.simulated.scenario import DEMO_SEED, evening
from hardware.simulated.table import SimulatedTable, quick
from vision.look import Looker

# A quarter of the full picture: every piece is still read rightly, and it is drawn four times as fast.
SIZE_PX = (2304, 1296)


def demo_headless(out: Path, turns: int | None, say: Say, tell: Callable[[str], None]) -> None:
    """One line for each press on the terminal, screenshots of what the table would show in `out`."""
    pack_dir = open_pack(SAMPLE, say)
    looker = Looker.load(pack_dir)
    clock = HandClock()
    table = _table(clock, Pace())
    screen = Touchscreen(lambda message: None, Box.of(looker.pack), SEVEN_INCH, headless=True)
    out.mkdir(parents=True, exist_ok=True)
    album = _Album(screen, out)

    def told(shown: Shown) -> None:
        album.take(shown)
        tell(in_words(shown))

    with tempfile.TemporaryDirectory() as folder:
        rehearsal = Rehearsal(table, clock, looker, Path(folder), told, turns=turns)
        state = rehearsal.run()
    album.last(state)
    say(f"{album.count} screenshots in {out}")


def demo_on_screen(turns: int | None, speed: float, say: Say) -> None:
    """The same on the touchscreen, at a speed people can follow."""
    pack_dir = open_pack(SAMPLE, say)
    looker = Looker.load(pack_dir)
    table = _table(time.monotonic, quick(Pace(), speed))
    with tempfile.TemporaryDirectory() as folder:
        session = Session(Journal(Path(folder)), lambda pack: table.cards)

        def conduct(app: App) -> None:
            conductor = Conductor(table, app.send, lambda shown: say(in_words(shown)), turns=turns)

            def run() -> None:
                while not conductor.done:
                    conductor.step(app.session.state, time.monotonic())
                    time.sleep(0.05)

            threading.Thread(target=run, name="conductor", daemon=True).start()

        run_window(session, table.camera, looker, "none", SEVEN_INCH, say, conduct)


def in_words(shown: Shown) -> str:
    """One line of the terminal: who pressed, what the companion said.

    Ana: key 3, Trader sold metal for 3 credits
    """
    game, say = shown.before.game, language.speaker("en")
    # Told from what the companion believed: the table's own position knows cards that nobody has shown.
    before = game.position if game is not None else shown.press.before
    match shown.state.mode:
        case Faulted(illegal):
            said = "NOT LEGAL: " + " ".join(text(fault) for fault in illegal.faults)
        case Asking(ask):
            said = (
                "QUESTION: " + " or ".join(sentence(say, answer.turn, before) for answer in ask.answers) + "?"
            )
        case Playing(Played(turns)):
            said = _turns(say, turns, before)
        case Over() if shown.state.game is not None:
            told = (entry.turns for entry in reversed(shown.state.game.history) if entry.turns)
            said = f"{_turns(say, next(told, ()), before)}; the game is over"
        case _:
            said = shown.outcome
    scores = (
        " ".join(f"{player.name} {player.score}" for player in shown.state.game.position.players)
        if shown.state.game
        else ""
    )
    return f"{before.players[shown.press.player].name}: {said}  [{scores}]"


def _turns(say: language.Say, turns: tuple[Turn, ...], before: Position) -> str:
    return "; then ".join(sentence(say, turn, before) for turn in turns)


def _table(clock: Callable[[], float], pace: Pace) -> SimulatedTable:
    return SimulatedTable(
        DEMO_SEED, 2, "livingroom", size_px=SIZE_PX, clock=clock, art_seed=0, pace=pace, game=evening
    )


class _Album:
    """Screenshots: the first of each kind of screen, and every fifth turn."""

    def __init__(self, screen: Touchscreen, out: Path) -> None:
        self._screen = screen
        self._out = out
        self._kinds: set[str] = set()
        self._turns = 0
        self.count = 0

    def take(self, shown: Shown) -> None:
        self._turns += shown.outcome == "played"
        if shown.outcome not in self._kinds or (shown.outcome == "played" and self._turns % 5 == 0):
            self._kinds.add(shown.outcome)
            self._save(shown.state, shown.outcome)

    def last(self, state: State) -> None:
        self._save(state, "end")

    def _save(self, state: State, kind: str) -> None:
        self._screen.show(state)
        self._screen.settle()
        self.count += 1
        self._screen.screenshot(self._out / f"{self.count:02}-{kind}.png")

"""An evening that plays itself: the conductor sees the screen only, the session the table only."""

from pathlib import Path

from session_tables import reading_of

from companion.bench.evening import Tally, agree, count
from companion.conductor import Shown
from companion.rehearsal import HandClock, Rehearsal
from companion.rules import new_game
from companion.state import Playing
from hardware.frame import Picture
from hardware.simulated.motion import Pace
from hardware.simulated.table import SimulatedTable, quick
from vision.reading import Reading


class TrueEyes:
    """Reads what the simulated table really shows."""

    def __init__(self, table: SimulatedTable) -> None:
        self.table = table
        self.boards: set[frozenset[str]] = set()

    def look(self, bgr: Picture, boards: frozenset[str]) -> Reading:
        self.boards.add(boards)
        return reading_of(self.table.position)


def test_an_evening_goes_from_set_up_through_its_turns(tmp_path: Path) -> None:
    clock = HandClock()
    table = SimulatedTable(
        5, players=2, conditions="easy", size_px=(640, 360), clock=clock, art_seed=3, pace=quick(Pace(), 4)
    )
    eyes, shown = TrueEyes(table), list[Shown]()
    tally = Tally()

    def told(what: Shown) -> None:
        shown.append(what)
        count(tally, what)

    rehearsal = Rehearsal(table, clock, eyes, tmp_path, told, turns=3)
    state = rehearsal.run(longest_s=600)
    assert isinstance(state.mode, Playing)
    assert [what.outcome for what in shown] == ["played"] * 3
    assert (tally.turns, tally.right_first, tally.silently_wrong, tally.false_alarms) == (3, 3, 0, 0)
    assert state.game is not None and agree(state.game.position, table.position)
    assert eyes.boards == {frozenset(("colony", "red", "blue"))}


def test_a_position_that_differs_in_one_cube_does_not_agree() -> None:
    position = new_game(5)
    zone = ("m", *position.players[0].zone[1:])
    assert agree(position.as_seen_at_table(), position)
    assert not agree(position.with_player(0, zone=zone), position)

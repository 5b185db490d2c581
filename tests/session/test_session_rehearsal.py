"""An evening that plays itself: the conductor sees the screen only, the session the table only."""

from collections.abc import Callable
from pathlib import Path

import pytest
from session_tables import reading_of

from companion.agreement import agree
from companion.bench.evening import Tally, count
from companion.conductor import Shown
from companion.rehearsal import HandClock, Rehearsal
from companion.rules import Position, new_game
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
    assert len(rehearsal.verdict_s) == 3, "readings at set-up lead to no verdict"


class WrongEyes(TrueEyes):
    """Reads what the table shows, but of some turns, counted from 1, something else."""

    def __init__(self, table: SimulatedTable, wrong: dict[int, Callable[[Position], Reading]]) -> None:
        super().__init__(table)
        self.turn, self.at = 0, table.position
        self.wrong = wrong

    def look(self, bgr: Picture, boards: frozenset[str]) -> Reading:
        if self.table.position is not self.at:
            self.turn, self.at = self.turn + 1, self.table.position
        return self.wrong.get(self.turn, reading_of)(self.table.position)


def two_zones_misread(position: Position) -> Reading:
    """The fuel at level 2 of red and the plant at level 5 not seen."""
    zone = position.players[0].zone
    assert (zone[1], zone[4]) == ("ft", "p")
    return reading_of(position.with_player(0, zone=(zone[0], "t", *zone[2:4], "")))


def two_divers_misread(position: Position) -> Reading:
    """The upper two of red taken for each other."""
    first, second, *others = position.players[0].divers
    return reading_of(position.with_player(0, divers=(second, first, *others)))


def red_knocked_and_hacker_misread(position: Position) -> Reading:
    return reading_of(position.with_player(0, hacker=1), {"red": 30.0})


def red_knocked(position: Position) -> Reading:
    return reading_of(position, {"red": 30.0})


def red_covered(position: Position) -> Reading:
    reading = reading_of(position)
    covered = frozenset(slot for slot in (*reading.tiles, *reading.counts) if slot.startswith("red."))
    return Reading(
        reading.boards,
        {slot: labels for slot, labels in reading.tiles.items() if slot not in covered},
        {slot: numbers for slot, numbers in reading.counts.items() if slot not in covered},
        covered,
    )


def evening_of(
    folder: Path, turns: int, wrong: dict[int, Callable[[Position], Reading]]
) -> tuple[Rehearsal, SimulatedTable, list[Shown]]:
    """Turn 3 is "key2 sponsor:battery dive:cube", red's; the cube is fuel."""
    clock, shown = HandClock(), list[Shown]()
    table = SimulatedTable(
        6, players=2, conditions="easy", size_px=(320, 180), clock=clock, art_seed=3, pace=quick(Pace(), 8)
    )
    rehearsal = Rehearsal(table, clock, WrongEyes(table, wrong), folder, shown.append, turns=turns)
    rehearsal.run(longest_s=600)
    return rehearsal, table, shown


@pytest.mark.parametrize("misread", [two_divers_misread, two_zones_misread])
def test_a_false_alarm_and_a_knock_after_it_do_not_cost_the_evening(
    tmp_path: Path, misread: Callable[[Position], Reading]
) -> None:
    rehearsal, table, shown = evening_of(tmp_path, 4, {3: misread, 4: red_knocked})
    assert [what.outcome for what in shown] == ["played"] * 2 + ["fault"] * 3 + ["played"]
    assert rehearsal.conductor.done
    game = rehearsal.session.state.game
    assert game is not None and agree(game.position, table.position)
    assert [str(turn) for turn in game.history[3].turns] == ["key2 sponsor:battery dive:cube"]


def test_pieces_that_never_stand_right_for_the_camera_do_not_cost_the_evening(tmp_path: Path) -> None:
    rehearsal, table, shown = evening_of(tmp_path, 4, {3: red_knocked_and_hacker_misread, 4: red_knocked})
    assert [what.outcome for what in shown] == ["played"] * 2 + ["restoring"] + ["fault"] * 3 + ["played"]
    tally = Tally()
    for what in shown:
        count(tally, what)
    assert (tally.turns, tally.right_first, tally.false_alarms, tally.put_back) == (4, 3, 1, 1)
    assert rehearsal.conductor.done
    game = rehearsal.session.state.game
    assert game is not None and agree(game.position, table.position)


def test_a_turn_under_a_hand_that_stays_is_entered_and_the_evening_goes_on(tmp_path: Path) -> None:
    rehearsal, table, shown = evening_of(tmp_path, 4, {3: red_covered})
    assert [what.outcome for what in shown] == ["played"] * 2 + ["unclear"] * 3 + ["played"]
    assert rehearsal.conductor.done
    game = rehearsal.session.state.game
    assert game is not None and agree(game.position, table.position)


def test_a_position_that_differs_in_one_cube_does_not_agree() -> None:
    position = new_game(5)
    zone = ("m", *position.players[0].zone[1:])
    assert agree(position.as_seen_at_table(), position)
    assert not agree(position.with_player(0, zone=zone), position)

"""Between two presses a hand comes in, pieces move one after another, the hand leaves; the clock is the test's own."""

from collections import Counter

import numpy as np
import pytest

from hardware.frame import CameraLost
from hardware.simulated import scenario
from hardware.simulated.camera import SMALL_PX
from hardware.simulated.motion import Pace
from hardware.simulated.table import SimulatedTable, quick


class Clock:
    def __init__(self):
        self.now_s = 100.0

    def __call__(self):
        return self.now_s


@pytest.fixture(scope="module")
def table_and_clock():
    clock = Clock()
    table = SimulatedTable(3, 2, "easy", size_px=(960, 540), clock=clock)
    table.camera.open()
    return table, clock


def _apart(one, two):
    return np.abs(one.bgr.astype(int) - two.bgr).mean()


def test_the_table_lies_still_until_a_turn_is_asked_for(table_and_clock):
    table, clock = table_and_clock
    one = table.camera.small()
    clock.now_s += 5
    two = table.camera.small()
    assert one.bgr.shape == (SMALL_PX[1], SMALL_PX[0], 3)
    assert (one.time_s, two.time_s) == (clock.now_s - 5, clock.now_s)
    assert _apart(one, two) < 2


def test_a_turn_is_a_hand_in_pieces_moved_a_hand_out(table_and_clock):
    table, clock = table_and_clock
    still = table.camera.small()
    pending = table.next_turn()
    begin_s = clock.now_s
    assert pending.press.player == 0 and pending.done_s > begin_s + 1
    script = table.camera._script
    pieces = {len(script.before.placed), len(script.after.placed)}
    hands = []
    for clock.now_s in np.linspace(begin_s, pending.done_s, 30):
        moment = script.moment(clock.now_s)
        hands.append(len(moment.hands))
        assert min(pieces) - 1 <= len(moment.placed) + len(moment.carried) <= max(pieces) + 1
        assert len(moment.carried) <= 1
    assert hands[0] == hands[-1] == 0 and sum(hands) > 20
    clock.now_s = (begin_s + pending.done_s) / 2
    moved = np.abs(table.camera.small().bgr.astype(int) - still.bgr).max(axis=2) > 30
    assert table.camera.moving and moved.mean() > 0.005
    clock.now_s = pending.done_s + 0.1
    assert not table.camera.moving
    assert table.camera.full().bgr.shape == (540, 960, 3)


def test_the_game_goes_on_to_its_end_and_every_player_presses():
    table = SimulatedTable(1, 2, "easy", size_px=(640, 360), clock=Clock())
    players = set()
    while (pending := table.next_turn()) is not None:
        players.add(pending.press.player)
    assert players == {0, 1} and table.position.over is not None


def test_a_closed_camera_says_so(table_and_clock):
    table, _ = table_and_clock
    table.camera.close()
    with pytest.raises(CameraLost, match="not open"):
        table.camera.small()
    table.camera.open()


def test_the_demo_has_two_mistakes_and_one_sale_nobody_could_see():
    table = SimulatedTable(
        scenario.DEMO_SEED, 2, "livingroom", size_px=(640, 360), clock=Clock(), game=scenario.evening
    )
    game = []
    while (pending := table.next_turn()) is not None:
        game.append(pending.press)
    assert [press.mistake.fault for press in game if press.mistake] == list(scenario.MISTAKES)
    covered = [press for press in game if press.covered]
    assert len(covered) == 1 and "sell=" in str(covered[0].turn)
    assert game[-1].position.over is not None


def test_a_faster_pace_is_the_same_movement_in_less_time():
    pace = quick(Pace(), 4)
    assert pace.carry_s == pytest.approx(Pace().carry_s / 4) and pace.most_s == pytest.approx(1.25)


def test_another_game_is_played_on_the_same_table_and_what_happens_is_counted():
    one, other = (
        SimulatedTable(5, 2, "hard", 0.0, (640, 360), Clock(), art_seed=5, game_seed=seed) for seed in (1, 2)
    )
    assert one.studio.poses == other.studio.poses and one.studio.conditions == other.studio.conditions
    assert one.start != other.start
    studio, seen = one.studio, Counter()
    before = dict(studio.poses), studio.rig, studio.conditions.lamps
    while one.next_turn() is not None:
        now = dict(studio.poses), studio.rig, studio.conditions.lamps
        for what, was, is_ in zip(("knocked", "nudged", "relit"), before, now, strict=True):
            seen[what] += was != is_
        before = now
    assert one.happened == seen and seen.total() > 0

"""What did not change is not drawn again, and nobody can tell from the picture."""

from dataclasses import replace

import numpy as np

from hardware.simulated.clutter import loose_pieces
from hardware.simulated.hand import Hand
from hardware.simulated.layers import Layers
from hardware.simulated.painting import Painting
from hardware.simulated.render import Renderer, Scene
from hardware.simulated.table import SimulatedTable


class Counting(Renderer):
    """Counts what it draws."""

    drawn = 0

    def _put(self, layers, stroke):
        self.drawn += 1
        super()._put(layers, stroke)


def _scenes(table, clock):
    """Moments of a few turns: hands, pieces in the air, knocked boards, a nudged camera, other light."""
    studio = table.studio
    for number in range(4):
        pending = table.next_turn()
        if number == 1:
            studio.knock("red", leave_behind=True)
        if number == 2:
            studio.nudge()
        if number == 3:
            studio.relight()
        script = table.camera._script
        for now_s in np.linspace(clock[0], pending.done_s + 0.2, 9):
            moment = script.moment(float(now_s))
            beside = loose_pieces(studio.layout, studio.things, moment.poses)
            rig = replace(moment.rig, size_px=(480, 270))
            pieces = (*moment.placed, *beside)
            yield Scene(moment.poses, pieces, studio.things, moment.carried, moment.hands), rig
        yield studio.scene(), replace(studio.rig, size_px=(480, 270))
        clock[0] = pending.done_s + 0.2


def test_a_frame_after_others_is_bit_for_bit_a_frame_drawn_afresh():
    clock = [0.0]
    table = SimulatedTable(431, 3, "hard", 0.5, (480, 270), clock=lambda: clock[0], art_seed=431)
    art = table.studio.renderer.art
    renderer, hands, carried = Renderer(art), 0, 0
    for scene, rig in _scenes(table, clock):
        conditions = table.studio.conditions
        drawn = renderer.exposed(scene, rig, conditions).bgr
        assert np.array_equal(drawn, Renderer(art).exposed(scene, rig, conditions).bgr)
        hands, carried = hands + len(scene.hands), carried + len(scene.carried)
    assert hands > 10 and carried > 4


def test_a_table_nobody_touches_is_drawn_once_and_only_exposed_again(studio):
    renderer = Counting(studio.renderer.art)
    one = renderer.render(studio.scene(), studio.rig, studio.conditions, 1)
    once = renderer.drawn
    two = renderer.render(studio.scene(), studio.rig, studio.conditions, 2)
    assert renderer.drawn == once > 50
    assert not np.array_equal(one.bgr, two.bgr), "each exposure has its own noise"


def test_only_what_touches_a_moved_piece_is_drawn_again(studio):
    renderer = Counting(studio.renderer.art)
    renderer.exposed(studio.scene(), studio.rig, studio.conditions)
    all_of_it, renderer.drawn = renderer.drawn, 0
    studio.lay({**studio.held, "red.zone.5": "t"})
    renderer.exposed(studio.scene(), studio.rig, studio.conditions)
    assert 2 <= renderer.drawn < all_of_it / 3
    renderer.drawn = 0
    renderer.exposed(studio.scene((Hand(0.0, 0.0, 0.0),)), studio.rig, studio.conditions)
    assert renderer.drawn == 0, "a hand comes over what is drawn already"


def test_strokes_that_change_their_order_are_all_drawn_again(studio):
    ground = Layers.blank(studio.rig, (), 0.0)
    squares = {
        "low": np.array([(10.0, 10), (60, 10), (60, 60), (10, 60)]),
        "high": np.array([(40.0, 40), (90, 40), (90, 90), (40, 90)]),
    }
    tones = {"low": (50.0, 60.0, 70.0), "high": (200.0, 210.0, 220.0)}
    painting = Painting(ground, lambda layers, name: layers.fill(squares[name], tones[name]))
    assert tuple(painting.show(["low", "high"]).colour[50, 50]) == tones["high"]
    assert tuple(painting.show(["high", "low"]).colour[50, 50]) == tones["low"]
    assert tuple(painting.show(["high"]).colour[20, 20]) == (0, 0, 0)

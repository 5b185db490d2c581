from itertools import permutations
from random import Random

from companion.referee.column import (
    LikelyOrders,
    before_resurfacing,
    fewest_moves,
    fewest_moves_and_a_rise,
    names,
    resurfaced,
)
from companion.rules.effects import propel
from companion.rules.settings import DIVERS


def test_before_resurfacing_undoes_resurfacing():
    for level in range(1, 6):
        assert before_resurfacing(resurfaced(DIVERS, level), level) == DIVERS


def test_the_fewest_moves_never_overstate_what_propellers_can_do():
    rng = Random(1)
    for _ in range(300):
        furthest, moves = rng.randint(1, 4), rng.randint(0, 4)
        assert fewest_moves(DIVERS, _moved(DIVERS, moves, furthest, rng), furthest) <= moves


def test_the_fewest_moves_and_a_rise_never_overstate_what_both_can_do():
    rng = Random(3)
    for _ in range(2000):
        furthest, before, later = rng.randint(1, 4), rng.randint(0, 2), rng.randint(0, 2)
        order = _moved(DIVERS, before, furthest, rng)
        order = _moved((order[-1], *order[:-1]), later, furthest, rng)
        assert fewest_moves_and_a_rise(DIVERS, order, furthest) <= before + later


def _moved(order, moves, furthest, rng):
    for _ in range(moves):
        index = rng.randrange(8)
        by = rng.choice([n for n in range(-furthest, furthest + 1) if n and 0 <= index + n < 8])
        order = propel(order, index, by)
    return order


def test_one_move_is_known_to_be_one():
    assert fewest_moves(DIVERS, propel(DIVERS, 2, 3), 3) == 1
    assert fewest_moves(DIVERS, propel(DIVERS, 2, 3), 1) == 3


def test_a_rise_is_for_nothing_and_a_move_beside_it_is_one():
    risen = (DIVERS[-1], *DIVERS[:-1])
    assert fewest_moves_and_a_rise(DIVERS, risen, 2) == 0
    assert fewest_moves_and_a_rise(DIVERS, propel(risen, 2, 2), 2) == 1
    assert fewest_moves_and_a_rise(DIVERS, DIVERS, 4) == 2


def test_orders_are_listed_likeliest_first():
    rng = Random(2)
    costs = [[rng.random() * 9 for _ in DIVERS] for _ in DIVERS]
    listed = [order for _, order in zip(range(20), iter(LikelyOrders(DIVERS, costs)), strict=False)]
    true = sorted(sum(costs[i][d] for i, d in enumerate(order)) for order in permutations(range(8)))[:20]
    assert [round(cost, 9) for cost, _ in listed] == [round(cost, 9) for cost in true]


def test_names_leave_the_side_out():
    assert names(("spy+", "metal")) == ("spy", "metal")

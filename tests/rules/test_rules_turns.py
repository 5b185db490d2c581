"""turns() against the plain engine: every sequence of legal steps, played out."""

import pickle

import pytest
from odd_positions import odd_position
from rules_tables import after, table

from companion.rules import Position, Turn, new_game, turns
from companion.rules.play import followers
from companion.rules.steps import EndTurn
from companion.rules.turns import turns_by_steps

MOST_STATES = 1_200  # positions within a turn that are played out; heavier ones are left to other seeds


def played_out(position: Position, most: int) -> dict[Position, Turn] | None:
    """Every result by steps, None when there are too many positions on the way."""
    found: dict[Position, Turn] = {}
    seen: set[Position] = set()
    stack = [position]
    while stack:
        here = stack.pop()
        for step, reached in followers(here):
            if isinstance(step, EndTurn):
                assert here.progress is not None
                found.setdefault(reached, Turn(here.progress.steps))
                continue
            assert reached.progress is not None
            same = reached._replace(progress=reached.progress._replace(steps=(), start=position))
            if same not in seen:
                seen.add(same)
                stack.append(reached)
                if len(seen) > most:
                    return None
    return found


def agrees(position: Position, most: int = MOST_STATES) -> bool:
    """Whether the position could be compared; fails when turns() differs from playing it out."""
    expected = played_out(position, most)
    if expected is None:
        return False
    found: dict[Position, Turn] = {}
    for turn, reached in turns(position):
        assert reached not in found, f"{turn} and {found[reached]} lead to the same position"
        found[reached] = turn
    missing, wrong = expected.keys() - found.keys(), found.keys() - expected.keys()
    assert not missing, f"not found: {expected[next(iter(missing))]} in {position!r}"
    assert not wrong, f"illegal: {found[next(iter(wrong))]} in {position!r}"
    for reached, turn in found.items():
        assert position.play_turn(turn) == reached
    return True


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_turns_are_exactly_what_steps_lead_to_without_batteries(first: int) -> None:
    assert sum(agrees(odd_position(seed, batteries=(0,))) for seed in range(first, first + 10)) >= 6


@pytest.mark.parametrize("first", range(1000, 1040, 10))
def test_turns_are_exactly_what_steps_lead_to_with_a_battery(first: int) -> None:
    assert (
        sum(agrees(odd_position(seed, batteries=(1,)), most=2_000) for seed in range(first, first + 10)) >= 2
    )


@pytest.mark.parametrize("sponsor", ["1", "1a", "2", "2a", "3", "3a", "4", "4a", "5", "5a"])
def test_every_sponsor_with_a_battery_and_a_contract(sponsor: str) -> None:
    me = {"zone": ("", "m", "", "ft", ""), "private": ("t-battery",)}
    assert agrees(with_sponsor(sponsor, batteries=1, **me))


@pytest.mark.parametrize("sponsor", ["3a", "4", "4a", "5a"])
def test_sponsors_that_care_about_the_column_with_two_batteries(sponsor: str) -> None:
    assert agrees(with_sponsor(sponsor, batteries=2))


def with_sponsor(sponsor: str, **me: object) -> Position:
    """The sponsor at level 4, where the only key is played."""
    others = [number for number in "12345" if number != sponsor[0]]
    player = {"keys": (4,), "track": (1, 2, 3, 5, "X"), "credits": 2, **me}
    return table(2, sponsors=(*others[:3], sponsor, others[3]), me=player)


def test_a_mechanic_improved_often_with_two_batteries() -> None:
    position = table(
        2, me={"keys": (5,), "track": (1, 2, 3, 4, "X"), "batteries": 2, "mechanic": 1, "credits": 0}
    )
    assert agrees(position._replace(sponsors=("5", "3", "2", "4", "1")), most=4_000)


def test_turns_in_the_middle_of_a_turn_go_on_from_there() -> None:
    position = after(table(), "key1 sponsor:credit")
    results = dict(turns(position))
    assert results and all(str(turn).startswith("key1 sponsor:credit ") for turn in results)
    assert all(table().play_turn(turn) == reached for turn, reached in results.items())


def test_the_slow_and_the_fast_way_give_the_same_positions() -> None:
    position = table(me={"batteries": 0})
    assert {p for _, p in turns_by_steps(position)} == {p for _, p in turns(position)}


def test_turns_come_one_by_one() -> None:
    heavy = new_game(seed=5).as_seen_at_table().with_player(0, batteries=4, mechanic=2, credits=20)
    turn, reached = next(turns(heavy))
    assert heavy.play_turn(turn) == reached


def test_turns_and_positions_survive_being_sent_to_another_process() -> None:
    for turn, reached in list(turns(table()))[:20]:
        assert pickle.loads(pickle.dumps(turn)) == turn
        assert pickle.loads(pickle.dumps(reached)) == reached
    middle = after(table(), "key1 sponsor:credit")
    assert pickle.loads(pickle.dumps(middle)) == middle

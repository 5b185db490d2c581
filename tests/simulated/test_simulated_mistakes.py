"""Every kind of mistake comes up, is wrong by no more than it says, and is put right at the next press."""

from collections import Counter
from random import Random

import pytest

from companion.rules import SEATS, Dive, Turn, UseSponsor, choose_turn, new_game, sample_cards, turns
from hardware.simulated.contents import contents, differing, label
from hardware.simulated.game import presses
from hardware.simulated.layout import layout
from hardware.simulated.mistakes import FAULT_IDS, OUT_OF_TURN, WRONGS
from hardware.simulated.played import Played
from hardware.simulated.press import start

AGREED = [
    "key-not-available",
    "no-key",
    "two-keys",
    "key-not-flipped",
    "key-not-left",
    "keys-not-returned",
    "keys-returned-early",
    "neutral-x-kept",
    "not-resurfaced",
    "wrong-diver-resurfaced",
    "column-order",
    "propeller-too-far",
    "propeller-without-battery",
    "upgrade-without-right",
    "upgrade-without-money",
    "cube-wrong-colour",
    "cube-wrong-level",
    "too-many-cubes",
    "level-over-capacity",
    "cube-thrown-away",
    "store-wrong-row",
    "store-wrong-column",
    "sold-to-full-column",
    "bought-without-money",
    "contract-without-cubes",
    "contract-wrong-cubes",
    "contract-not-replaced",
    "score-not-moved",
    "score-wrong",
    "sponsors-not-rotated",
    "sponsors-wrong",
    "reward-wrong-level",
    "reward-not-replaced",
    "permanent-wrong-level",
    "technician-without-right",
    "technician-too-far",
    "other-board-changed",
    "out-of-turn",
]
# A full column is rare in play; it has a test of its own below.
RARE = {"sold-to-full-column"}


def _games(seeds, share):
    for seed in seeds:
        position = start(seed, 2 + seed % 3, sample_cards())
        at = layout(seed, [player.colour for player in position.players])
        yield from presses(position, at, seed, share)


def test_the_list_of_faults_is_the_agreed_one():
    assert sorted(FAULT_IDS) == sorted(AGREED)


def test_every_kind_of_mistake_comes_up_in_play():
    seen = Counter(press.mistake.fault for press in _games(range(12), 0.7) if press.mistake)
    assert not set(AGREED) - set(seen) - RARE


def test_a_mistake_is_put_right_at_the_next_press():
    game = list(_games([2], 0.5))
    wrong = [i for i, press in enumerate(game) if press.mistake]
    assert wrong
    for i in wrong:
        press, right = game[i], game[i + 1]
        assert right.mistake is None and right.before == press.before == press.position
        if press.mistake.fault != OUT_OF_TURN:
            assert right.turn == press.turn and right.player == press.player
            assert set(press.mistake.slots) == set(differing(press.held, right.held))


def test_no_legal_turn_shows_what_a_mistake_shows():
    looked = 0
    for press in _games([5], 0.5):
        if press.mistake is None or press.mistake.fault == OUT_OF_TURN or len(press.before.player.keys) < 2:
            continue
        at = layout(5, [player.colour for player in press.before.players])
        drawn = [slot for slot in press.held if slot.startswith(("colony.contract", "colony.display"))]
        shown = {slot: label(c) for slot, c in press.held.items() if slot not in drawn}
        for _, after in turns(press.before):
            legal = contents(after, at)
            if all(label(legal[slot]) == content for slot, content in shown.items()):
                # Only what was drawn can tell them apart, so one of the two has drawn nothing or too little.
                assert any(label(legal[slot]) != label(press.held[slot]) for slot in drawn)
        looked += 1
        if looked == 6:
            return
    raise AssertionError("the game had too few mistakes")


def test_without_mistakes_every_press_is_the_legal_turn_it_says():
    for press in _games([1], 0.0):
        assert press.mistake is None
        assert press.before.play_turn(press.turn) == press.position


@pytest.mark.parametrize("fault", ["propeller-without-battery", "propeller-too-far"])
def test_a_propeller_against_the_rules_brings_another_diver_under_the_key(fault):
    rng, shown = Random(6), 0
    position = new_game(6, SEATS[:2])
    while position.over is None:
        turn = choose_turn(position, rng)
        played = Played(position, turn, position.play_turn(turn), layout(6, ("red", "blue")))
        wrong = WRONGS[fault](played, rng)
        if wrong is not None:
            shown += 1
            stood = played.player.diver_at(played.level).removesuffix("+")
            assert played.steps(UseSponsor) or label(wrong[f"{played.colour}.diver.1"]) != stood
            assert isinstance(played.key.key, int)
        position = position.play_turn(turn)
    assert shown


def test_a_cube_is_sold_to_a_full_column():
    rng = Random(4)
    position = new_game(4, SEATS[:2])
    for _ in range(200):
        turn = choose_turn(position, rng)
        full = position._replace(store=position.store._replace(metal=3))
        full = full.with_player(full.to_play, zone=("m", "m", "m", "m", "m"), keys=(1, 2, 3, 4, 5, "X"))
        for level in range(1, 6):
            if full.player.diver_at(level) == "trader":
                sold = Turn.parse(f"key{level} dive")
                played = Played(full, sold, full.play_turn(sold), layout(4, ("red", "blue")))
                wrong = WRONGS["sold-to-full-column"](played, rng)
                assert wrong is not None and isinstance(sold.steps[1], Dive)
                assert wrong["colony.store.metal.3"] == "m"
                zone = f"{played.colour}.zone.{level}"
                assert (played.right[zone], wrong[zone]) == ("m", "")
                return
        position = position.play_turn(turn)
    raise AssertionError("the Trader never went under water")

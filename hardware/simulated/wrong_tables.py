"""Wrong turns of every kind people make, each with the name of its fault.

A mistake takes a right turn and gives what the table shows instead, or None where that mistake cannot happen.
The definitions are this module's own: what the referee makes of them is for the referee to find out.
"""

from collections.abc import Callable
from random import Random

from companion.rules import (
    CompleteContract,
    Explore,
    Improve,
    Oxygen,
    Sell,
    TakeBack,
    UseReward,
    UseSponsor,
)
from hardware.simulated.contents import EMPTY, Content, Contents, label, letters
from hardware.simulated.layout import CAPACITIES, CUBES, RESOURCES
from hardware.simulated.played import SURFACE, Played
from hardware.simulated.wrong_turns import WRONG_TURNS

Wrong = Callable[[Played, Random], Contents | None]


def key_not_available(turn: Played, rng: Random) -> Contents | None:
    """A level is used as if its key were there; the X key that should open it stays where it is."""
    if isinstance(turn.key.key, int) or turn.level in turn.player.keys or turn.recovered:
        return None
    sponsors = [slot for slot in turn.right if slot.startswith("colony.sponsor.")]
    return turn.undone([*turn.own("key", "x", "track"), *sponsors])


def no_key(turn: Played, rng: Random) -> Contents | None:
    if not isinstance(turn.key.key, int) or turn.recovered:
        return None
    return turn.undone(turn.own("key", "x", "track"))


def two_keys(turn: Played, rng: Random) -> Contents | None:
    left = [key for key in turn.player_after.keys if isinstance(key, int)]
    lying = len(turn.player_after.track)
    if not left or lying >= 6 or turn.recovered:
        return None
    other = rng.choice(left)
    return turn.edited({f"{turn.colour}.key.{other}": EMPTY, f"{turn.colour}.track.{lying + 1}": "back"})


def key_not_flipped(turn: Played, rng: Random) -> Contents | None:
    """The key has left its space and lies somewhere on the table, but not on the track."""
    lying = len(turn.player_after.track)
    if not isinstance(turn.key.key, int) or not lying or turn.effects(TakeBack):
        return None
    return turn.edited({f"{turn.colour}.track.{lying}": EMPTY})


def key_not_left(turn: Played, rng: Random) -> Contents | None:
    lying = len(turn.player_after.track)
    if not lying or lying >= 6:
        return None
    last, free = f"{turn.colour}.track.{lying}", f"{turn.colour}.track.{rng.randint(lying + 1, 6)}"
    return turn.edited({last: EMPTY, free: turn.right[last]})


def _takes_back(turn: Played) -> bool:
    """Some key came back by an effect, so the track is not simply one longer."""
    return "take=" in str(turn.turn)


def keys_not_returned(turn: Played, rng: Random) -> Contents | None:
    if not turn.recovered or _takes_back(turn) or len(turn.player.track) >= 6:
        return None
    return turn.edited({**turn.gone(), **turn.keys_played()})


def keys_returned_early(turn: Played, rng: Random) -> Contents | None:
    track = turn.player_after.track
    if len(track) < 2:
        return None
    edits: dict[str, Content] = dict.fromkeys(turn.own("track"), EMPTY)
    edits |= {f"{turn.colour}.key.{level}": "key" for level in range(1, 6)}
    edits[f"{turn.colour}.x"] = {"X": 1, "N": turn.player_after.neutral_x}
    return turn.edited(edits)


def neutral_x_kept(turn: Played, rng: Random) -> Contents | None:
    if not turn.recovered or "N" not in (*turn.player.track, turn.key.key):
        return None
    return turn.changed(x={"X": int("X" in turn.player_after.keys), "N": turn.player_after.neutral_x + 1})


def not_resurfaced(turn: Played, rng: Random) -> Contents | None:
    return None if turn.steps(Oxygen) else turn.with_column(turn.before_resurfacing())


def wrong_diver_resurfaced(turn: Played, rng: Random) -> Contents | None:
    if turn.steps(Oxygen):
        return None
    column = turn.before_resurfacing()
    others = [level for level in range(1, 6) if level != turn.level]
    column.insert(0, column.pop(SURFACE + rng.choice(others) - 1))
    return turn.with_column(column)


def column_order(turn: Played, rng: Random) -> Contents | None:
    column = turn.column()
    i = rng.randrange(1, 7)
    column[i], column[i + 1] = column[i + 1], column[i]
    return turn.with_column(column)


def upgrade_without_right(turn: Played, rng: Random) -> Contents | None:
    basic = [i for i, diver in enumerate(turn.column()) if not diver.endswith("+")]
    if not basic or "upgrade=" in str(turn.turn):
        return None
    column = turn.column()
    column[rng.choice(basic)] += "+"
    return turn.with_column(column)


def _gained(turn: Played) -> tuple[int, str] | None:
    """The level and colour of the one cube the turn brought into the zone, when that is all it did there."""
    found = None
    for level in range(1, 6):
        old, new = turn.player.zone[level - 1], turn.player_after.zone[level - 1]
        if old == new:
            continue
        more = [letter for letter in CUBES if new.count(letter) == old.count(letter) + 1]
        if found or len(more) != 1 or len(new) != len(old) + 1:
            return None
        found = level, more[0]
    return found


def _zone(turn: Played, level: int, cubes: str) -> dict[str, Content]:
    return {f"{turn.colour}.zone.{level}": letters(cubes)}


def cube_wrong_colour(turn: Played, rng: Random) -> Contents | None:
    if (gain := _gained(turn)) is None or turn.before.store != turn.after.store:
        return None
    level, cube = gain
    other = rng.choice([letter for letter in CUBES if letter != cube])
    return turn.edited(_zone(turn, level, turn.player_after.zone[level - 1].replace(cube, other, 1)))


def cube_wrong_level(turn: Played, rng: Random) -> Contents | None:
    if (gain := _gained(turn)) is None:
        return None
    level, cube = gain
    zone = turn.player_after.zone
    free = [other for other in range(1, 6) if other != level and len(zone[other - 1]) < CAPACITIES[other - 1]]
    if not free:
        return None
    other = rng.choice(free)
    return turn.edited(
        {
            **_zone(turn, level, zone[level - 1].replace(cube, "", 1)),
            **_zone(turn, other, zone[other - 1] + cube),
        }
    )


def too_many_cubes(turn: Played, rng: Random) -> Contents | None:
    if (gain := _gained(turn)) is None:
        return None
    level, cube = gain
    zone = turn.player_after.zone[level - 1]
    return turn.edited(_zone(turn, level, zone + cube)) if len(zone) < CAPACITIES[level - 1] else None


def level_over_capacity(turn: Played, rng: Random) -> Contents | None:
    zone = turn.player_after.zone[turn.level - 1]
    if len(zone) != CAPACITIES[turn.level - 1]:
        return None
    gain = _gained(turn)
    cube = gain[1] if gain and gain[0] == turn.level else rng.choice(CUBES)
    return turn.edited(_zone(turn, turn.level, zone + cube))


def cube_thrown_away(turn: Played, rng: Random) -> Contents | None:
    full = [level for level in range(1, 6) if turn.player_after.zone[level - 1]]
    if not full:
        return None
    level = rng.choice(full)
    zone = turn.player_after.zone[level - 1]
    return turn.edited(_zone(turn, level, zone.replace(rng.choice(zone), "", 1)))


def store_wrong_row(turn: Played, rng: Random) -> Contents | None:
    for name in RESOURCES:
        old, new = getattr(turn.before.store, name), getattr(turn.after.store, name)
        slot = f"colony.store.{name}."
        if new == old + 1 and new < 3:
            row = rng.randint(new + 1, 3)
            return turn.edited({f"{slot}{new}": "", f"{slot}{row}": turn.right[f"{slot}{new}"]})
        if new == old - 1 and new >= 1:
            row = rng.randint(1, new)
            return turn.edited({f"{slot}{row}": "", f"{slot}{old}": turn.was[f"{slot}{old}"]})
    return None


def store_wrong_column(turn: Played, rng: Random) -> Contents | None:
    if not turn.effects(Sell):
        return None
    for name in RESOURCES:
        old, new = getattr(turn.before.store, name), getattr(turn.after.store, name)
        if new != old + 1:
            continue
        others = [o for o in RESOURCES if o != name and getattr(turn.after.store, o) < 3]
        if others:
            other = rng.choice(others)
            row = getattr(turn.after.store, other) + 1
            source = f"colony.store.{name}.{new}"
            return turn.edited({source: "", f"colony.store.{other}.{row}": turn.right[source]})
    return None


def contract_without_cubes(turn: Played, rng: Random) -> Contents | None:
    """A public card is taken and scored, and no cube is paid."""
    public = [card for card in turn.after.public if card]
    deck = turn.after.deck
    if not public or not deck or turn.steps(CompleteContract):
        return None
    card = turn.before.cards[rng.choice(public)]
    if any(True for cubes in turn.player_after.zone for _ in card.paid_from(cubes)):
        return None
    place = turn.after.public.index(card.id) + 1
    bonus = turn.player_after
    return turn.edited(
        {
            f"colony.contract.{place}": deck[0],
            "colony.score": _score(turn, bonus.score + card.points),
            f"{turn.colour}.tray": {
                "credit": bonus.credits + card.bonus.count("c"),
                "battery": bonus.batteries + card.bonus.count("b"),
            },
        }
    )


def contract_wrong_cubes(turn: Played, rng: Random) -> Contents | None:
    """One cube of another colour is paid in place of one the contract shows."""
    for step in turn.steps(CompleteContract):
        left = turn.player_after.zone[step.level - 1]
        need = turn.before.cards[step.card].need
        paid = step.cubes or (need if isinstance(need, str) else "")
        swaps = [(own, other) for own in set(paid) for other in set(left) if own != other]
        if swaps and len(left) < CAPACITIES[step.level - 1]:
            own, other = rng.choice(sorted(swaps))
            return turn.edited(_zone(turn, step.level, left.replace(other, "", 1) + own))
    return None


def contract_not_replaced(turn: Played, rng: Random) -> Contents | None:
    """The card is gone and its space empty, or it still lies there although it was paid and scored."""
    for step in turn.steps(CompleteContract):
        if step.card in turn.before.public:
            place = turn.before.public.index(step.card) + 1
            slot = f"colony.contract.{place}"
            if label(turn.right[slot]) not in (EMPTY, step.card):
                return turn.edited({slot: rng.choice([EMPTY, step.card])})
    return None


def _score(turn: Played, score: int) -> dict[str, int]:
    standing = turn.right["colony.score"]
    assert isinstance(standing, dict), "the score track holds markers"
    return {**standing, turn.colour: score}


def score_not_moved(turn: Played, rng: Random) -> Contents | None:
    if turn.player.score == turn.player_after.score:
        return None
    return turn.edited({"colony.score": _score(turn, turn.player.score)})


def score_wrong(turn: Played, rng: Random) -> Contents | None:
    wrong = turn.player_after.score + rng.choice([-2, -1, 1, 2])
    if wrong < 0 or wrong in (turn.player.score, turn.player_after.score):
        return None
    return turn.edited({"colony.score": _score(turn, wrong)})


def _with_sponsors(turn: Played, sponsors: list[str]) -> Contents:
    return turn.edited({f"colony.sponsor.{level}": tile for level, tile in enumerate(sponsors, 1)})


def sponsors_not_rotated(turn: Played, rng: Random) -> Contents | None:
    if isinstance(turn.key.key, int) or turn.steps(UseSponsor):
        return None
    return _with_sponsors(turn, list(turn.before.sponsors))


def sponsors_wrong(turn: Played, rng: Random) -> Contents | None:
    """Two sponsors change places, or an X key moves them the wrong way round."""
    sponsors = list(turn.after.sponsors)
    if isinstance(turn.key.key, int) or rng.random() < 0.5:
        i, j = rng.sample(range(5), 2)
        sponsors[i], sponsors[j] = sponsors[j], sponsors[i]
    else:
        before = turn.before.sponsors
        sponsors = [*before[1:], before[0]]
    return _with_sponsors(turn, sponsors)


def reward_not_replaced(turn: Played, rng: Random) -> Contents | None:
    taken = [(turn.level, effect.which) for effect in turn.effects(Explore)]
    taken += [(effect.level or turn.level, effect.which) for effect in turn.effects(UseReward)]
    if len(taken) != 1:
        return None
    return turn.edited({"colony.display.{}.{}".format(*taken[0]): EMPTY})


def permanent_wrong_level(turn: Played, rng: Random) -> Contents | None:
    if len(turn.effects(Explore)) != 1:
        return None
    placed = f"{turn.colour}.reward.{turn.level}"
    free = [slot for slot in turn.own("reward") if slot != placed and turn.right[slot] == EMPTY]
    if not free or turn.was[placed] != EMPTY:
        return None
    return turn.edited({placed: EMPTY, rng.choice(free): turn.right[placed]})


def _technicians(turn: Played, most: int) -> list[str]:
    return [name for name in ("hacker", "mechanic") if getattr(turn.player_after, name) <= most]


def technician_without_right(turn: Played, rng: Random) -> Contents | None:
    able = _technicians(turn, 2)
    if not able or turn.effects(Improve):
        return None
    name = rng.choice(able)
    return turn.changed(**{name: {name: getattr(turn.player_after, name) + 1}})


def technician_too_far(turn: Played, rng: Random) -> Contents | None:
    moved = turn.effects(Improve)
    if len(moved) != 1 or getattr(turn.player_after, moved[0].technician) > 2:
        return None
    name: str = moved[0].technician
    return turn.changed(**{name: {name: getattr(turn.player_after, name) + 1}})


def other_board_changed(turn: Played, rng: Random) -> Contents | None:
    """Somebody else's cube, technician or divers are moved."""
    other = rng.choice([p for i, p in enumerate(turn.after.players) if i != turn.me])
    kind = rng.choice(["zone", "diver", "hacker", "key"])
    if kind == "zone":
        level = rng.randint(1, 5)
        zone = other.zone[level - 1]
        more = len(zone) < CAPACITIES[level - 1]
        new = zone + rng.choice(CUBES) if more else zone[1:]
        return turn.edited({f"{other.colour}.zone.{level}": letters(new)})
    if kind == "diver":
        i = rng.randint(1, 7)
        one, two = f"{other.colour}.diver.{i}", f"{other.colour}.diver.{i + 1}"
        return turn.edited({one: turn.right[two], two: turn.right[one]})
    if kind == "hacker":
        if other.hacker > 2:
            return None
        return turn.edited({f"{other.colour}.hacker": {"hacker": other.hacker + 1}})
    keys = [key for key in other.keys if isinstance(key, int)]
    return turn.edited({f"{other.colour}.key.{rng.choice(keys)}": EMPTY}) if keys else None


WRONGS: dict[str, Wrong] = {
    "key-not-available": key_not_available,
    "no-key": no_key,
    "two-keys": two_keys,
    "key-not-flipped": key_not_flipped,
    "key-not-left": key_not_left,
    "keys-not-returned": keys_not_returned,
    "keys-returned-early": keys_returned_early,
    "neutral-x-kept": neutral_x_kept,
    "not-resurfaced": not_resurfaced,
    "wrong-diver-resurfaced": wrong_diver_resurfaced,
    "column-order": column_order,
    "upgrade-without-right": upgrade_without_right,
    "cube-wrong-colour": cube_wrong_colour,
    "cube-wrong-level": cube_wrong_level,
    "too-many-cubes": too_many_cubes,
    "level-over-capacity": level_over_capacity,
    "cube-thrown-away": cube_thrown_away,
    "store-wrong-row": store_wrong_row,
    "store-wrong-column": store_wrong_column,
    "contract-without-cubes": contract_without_cubes,
    "contract-wrong-cubes": contract_wrong_cubes,
    "contract-not-replaced": contract_not_replaced,
    "score-not-moved": score_not_moved,
    "score-wrong": score_wrong,
    "sponsors-not-rotated": sponsors_not_rotated,
    "sponsors-wrong": sponsors_wrong,
    "reward-not-replaced": reward_not_replaced,
    "permanent-wrong-level": permanent_wrong_level,
    "technician-without-right": technician_without_right,
    "technician-too-far": technician_too_far,
    "other-board-changed": other_board_changed,
    **WRONG_TURNS,
}
OUT_OF_TURN = "out-of-turn"
FAULT_IDS = (*WRONGS, OUT_OF_TURN)

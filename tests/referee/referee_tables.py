"""Tables for the referee's tests: positions shown to a camera that sees well, or as told."""

from collections.abc import Mapping
from random import Random

from companion.bench.synthetic import Alphabet, Noise, reading_of
from companion.referee import Belief, Verdict, expected, judge
from companion.rules import SEATS, Position, Rules, choose_turn, new_game, sample_cards
from vision.reading import Reading

CARDS = sample_cards()
ALPHABET = Alphabet([card.id for card in CARDS.contracts], sorted(set(CARDS.rewards)))
# The column of `stage`, the same with the Spy at level 1, and a turn after which nothing that is to be had is left out.
DIVERS = ("trader", "metal", "spy", "plant", "tech", "engineer", "fuel", "explorer")
SPY_AT_1 = ("trader", "metal", "plant", "spy", "tech", "engineer", "fuel", "explorer")
WHOLE_TURN = "key1 sponsor:credit dive:cube"
CLEAR = Noise(doubt=(1e-5, 1e-3), misread_p=0.0, covered_p=0.0)


def shown(
    position: Position,
    changes: Mapping[str, object] | None = None,
    hidden: tuple[str, ...] = (),
    seed: int = 0,
    noise: Noise = CLEAR,
) -> Reading:
    """A reading of a position, with some slots changed by hand and some covered."""
    slots = expected(position)
    assert not changes or changes.keys() <= slots.keys(), changes
    slots.update(_drawn(position, slots))
    slots.update(changes or {})  # type: ignore[arg-type]
    table = {slot: content for slot, content in slots.items() if slot not in hidden}
    reading = reading_of(table, ALPHABET, Random(seed), noise)  # type: ignore[arg-type]
    return Reading(reading.boards, reading.tiles, reading.counts, reading.hidden | set(hidden))


def _drawn(position: Position, slots: Mapping[str, object]) -> dict[str, str]:
    """Something for each piece that was drawn and not seen yet."""
    known = {*position.public, *(card for player in position.players for card in player.private)}
    cards = (card.id for card in reversed(CARDS.contracts) if card.id not in known)
    return {
        slot: next(cards) if slot.startswith("colony.contract") else ALPHABET.rewards[0]
        for slot, content in slots.items()
        if content is None
    }


def cubes(letters: str) -> dict[str, int]:
    return {letter: letters.count(letter) for letter in "mpft"}


def game(seed: int, players: int = 2, turns: int = 0, rules: Rules | None = None) -> Position:
    """A position some turns into a game."""
    rng = Random(seed)
    position = new_game(seed, SEATS[:players], rules=rules, sponsors="mixed")
    for _ in range(turns):
        position = position.play_turn(choose_turn(position, rng))
    return position


def stage(**changes: object) -> Position:
    """Two players, basic sponsors 1 to 5 from the top, Ana to play with everything in reach."""
    position = new_game(3, SEATS[:2])
    me = position.player._replace(
        divers=DIVERS,
        zone=("", "m", "p", "f", "t"),
    )
    me = me._replace(**{name: value for name, value in changes.items() if name in me._fields})
    rest = {name: value for name, value in changes.items() if name not in me._fields}
    position = position._replace(
        players=(me, *position.players[1:]), sponsors=("1", "2", "3", "4", "5"), public=("c01", "c02")
    )
    return position._replace(**rest).as_seen_at_table()


def judged(before: Position, reading: Reading) -> Verdict:
    return judge(Belief.of(before), reading).verdict


def in_doubt(reading: Reading, slot: str, label: str, numbers: Mapping[int, float]) -> Reading:
    """The same reading, with other probabilities for the number of one label in a slot."""
    counts = {**reading.counts, slot: {**reading.counts[slot], label: numbers}}
    return Reading(reading.boards, reading.tiles, counts, reading.hidden)

"""The referee's figures, on readings made from values: whole games, mistakes, corrupted slots, time.

The mistakes are the simulator's, which knows nothing of the referee's hypotheses.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from companion.bench.figure import Figure, rate
from companion.bench.synthetic import Alphabet, Content, Noise, corrupt, reading_of
from companion.referee import Ask, Belief, Illegal, Played, expected, judge
from companion.rules import SEATS, Position, Turn, choose_turn, new_game, sample_cards
from hardware.simulated.layout import layout
from hardware.simulated.mistakes import FAULT_IDS, spoil
from vision.reading import Reading

Progress = Callable[[str], None]
TURNS_IN_A_GAME = 60
STRIDE = 7  # corrupted readings are taken from many games: not of every turn
CORRUPTED = (1, 2, 3, 5, 8)
# Still right at 2 and at 5 corrupted slots; the others are shown for the curve.
CORRUPTED_LIMITS = {2: 99.0, 5: 95.0}
# How sure the reading is of what is wrong; None is in doubt, between 0.5 and 0.9.
SURE = (None, 0.9, 0.99, 0.9999, 1 - 1e-6)
_CARDS = sample_cards()
ALPHABET = Alphabet([card.id for card in _CARDS.contracts], sorted(set(_CARDS.rewards)))


@dataclass
class Tally:
    """What came of judging turns."""

    turns: int = 0
    right: int = 0
    wrong: int = 0
    asked: int = 0
    answered_right: int = 0
    alarms: int = 0
    slots: int = 0
    slots_raw: int = 0
    slots_reconciled: int = 0
    ms: list[float] = field(default_factory=list)


def measure(quick: bool, progress: Progress, scratch: Path) -> list[Figure]:
    """Every figure asked of the referee; `quick` takes a few of the turns."""
    turns, mistakes, spoilt, curve = (30, 15, 4, 0) if quick else (1200, 1000, 300, 100)
    tally = play_games(turns, progress)
    figures = _game_figures(tally)
    figures += _mistake_figures(mistakes, progress)
    for sure in SURE:
        for k in CORRUPTED:
            count = spoilt if k in CORRUPTED_LIMITS else curve
            if count:
                figures.append(_corruption_figure(count, k, sure, progress))
    return [*figures, _heavy_figure(progress), _another_game_figure(progress)]


def games(first_seed: int) -> Iterator[tuple[Position, Turn, Position, Random, bool]]:
    """Turn after turn of game after game, of 2, 3 and 4 players in turn; the last value marks a game's start."""
    seed = first_seed
    while True:
        rng = Random(seed)
        position = new_game(seed, SEATS[: 2 + seed % 3], sponsors="mixed")
        for number in range(TURNS_IN_A_GAME):
            if position.over is not None:
                break
            turn = choose_turn(position, rng)
            after = position.play_turn(turn)
            yield position, turn, after, rng, number == 0
            position = after
        seed += 1


def play_games(turns: int, progress: Progress) -> Tally:
    """Games in a living room, the referee believing only what it saw itself."""
    tally = Tally()
    belief: Belief | None = None
    for before, turn, after, rng, fresh in games(1):
        if tally.turns == turns:
            break
        if tally.turns % 100 == 0:
            progress(f"turn {tally.turns} of {turns}")
        belief = Belief.of(before) if fresh or belief is None else belief
        reading = reading_of(_known(after), ALPHABET, rng)
        right = tally.right + tally.answered_right
        belief = _judge_turn(tally, belief, reading, after)
        if tally.right + tally.answered_right == right:
            progress(f"  turn {tally.turns} was not told: {turn}")
    return tally


def _judge_turn(tally: Tally, belief: Belief, reading: Reading, after: Position) -> Belief:
    # The time the one thread that judges works, so that whatever else the machine does is left out.
    began = time.thread_time()
    judgement = judge(belief, reading)
    tally.ms.append(1000 * (time.thread_time() - began))
    tally.turns += 1
    verdict = judgement.verdict
    shown: Position | None = None
    match verdict:
        case Played():
            shown = verdict.position
            same = same_table(shown, after)
            tally.right += same
            tally.wrong += not same
            _count_slots(tally, reading, shown, after)
            return judgement.belief if same else Belief.of(after)
        case Ask():
            tally.asked += 1
            tally.answered_right += any(same_table(answer.position, after) for answer in verdict.answers)
        case Illegal():
            tally.alarms += 1
        case _:
            pass
    return Belief.of(after)


def same_table(one: Position, other: Position) -> bool:
    """Whether two positions look the same; a piece nobody has seen yet may be any."""
    wanted = expected(other)
    return all(content in (None, wanted[slot]) for slot, content in expected(one).items())


def _count_slots(tally: Tally, reading: Reading, shown: Position, after: Position) -> None:
    reconciled = expected(shown)
    for slot, content in expected(after).items():
        seen = reading.best(slot)
        if seen is not None:
            tally.slots += 1
            tally.slots_raw += seen == content
            tally.slots_reconciled += reconciled[slot] in (None, content)


def _game_figures(tally: Tally) -> list[Figure]:
    n = tally.turns
    ms = sorted(tally.ms)
    note = (
        "simulated readings, 2 to 4 players, living room; "
        f"{tally.right} at once, {tally.answered_right} with the right answer to a question"
    )
    return [
        rate("turns right the first time", tally.right + tally.answered_right, n, 99.9, "at least", note),
        rate("wrong and accepted in silence", tally.wrong, n, 0.0, "at most"),
        rate("questions asked", tally.asked, n, 5.0, "at most"),
        rate("false alarms", tally.alarms, n, 0.1, "at most"),
        rate("slots right, raw reading", tally.slots_raw, tally.slots, None, "at least"),
        rate("slots right, reconciled", tally.slots_reconciled, tally.slots, None, "at least"),
        Figure("reading to verdict, median", ms[n // 2], "ms", 20.0, count=n),
        Figure("reading to verdict, 99th percentile", ms[int(0.99 * n)], "ms", 250.0, count=n),
    ]


def _mistake_figures(mistakes: int, progress: Progress) -> list[Figure]:
    count, caught, named, same_slots = Counter[str](), Counter[str](), Counter[str](), 0
    ms: list[float] = []
    shown: dict[str, int] = {}
    for number, (before, turn, after, rng, _) in enumerate(games(10_001)):
        if sum(count.values()) == mistakes or number > 40 * mistakes:
            break
        at = layout(before.players[0].score + len(before.players), [p.colour for p in before.players])
        press = spoil(before, turn, after, at, rng, shown)
        if press is None or press.mistake is None:
            continue
        if sum(count.values()) % 50 == 0:
            progress(f"mistake {sum(count.values())} of {mistakes}")
        table = {slot: _counted(slot, content) for slot, content in press.held.items()}
        reading = reading_of(table, ALPHABET, rng, Noise(covered_p=0.0))
        began = time.thread_time()
        verdict = judge(Belief.of(before), reading).verdict
        ms.append(1000 * (time.thread_time() - began))
        fault = press.mistake.fault
        count[fault] += 1
        if isinstance(verdict, Illegal):
            caught[fault] += 1
            if verdict.faults[0].id == fault:
                named[fault] += 1
                same_slots += set(verdict.faults[0].slots) == set(press.mistake.slots)
                continue
        said = verdict.faults[0].id if isinstance(verdict, Illegal) else type(verdict).__name__.lower()
        progress(f"  {fault} in {turn} was called {said}")
    total = sum(count.values())
    weak = {fault: f"{named[fault]}/{count[fault]}" for fault in FAULT_IDS if named[fault] < count[fault]}
    note = "named less than always: " + ", ".join(f"{fault} {share}" for fault, share in weak.items())
    right = sum(named.values())
    return [
        rate("mistakes caught", sum(caught.values()), total, 99.0, "at least"),
        rate("mistakes named rightly", right, total, 95.0, "at least", note if weak else ""),
        rate("named ones with exactly the slots of the truth", same_slots, right, None, "at least"),
        Figure("mistake to verdict, median", sorted(ms)[total // 2], "ms", None, count=total),
        Figure("mistake to verdict, 99th percentile", sorted(ms)[int(0.99 * total)], "ms", None, count=total),
    ]


def _corruption_figure(turns: int, k: int, sure: float | None, progress: Progress) -> Figure:
    """Slots of which another label comes first, chosen at random over all boards."""
    tally, quiet = Tally(), Noise(misread_p=0.0, covered_p=0.0)
    how = "in doubt" if sure is None else f"at {sure:.6g}"
    progress(f"{k} slots wrong {how}")
    for number, (before, _, after, rng, _) in enumerate(games(20_001)):
        if tally.turns == turns:
            break
        if number % STRIDE:
            continue
        reading = reading_of(_known(after), ALPHABET, rng, quiet)
        slots = rng.sample(sorted([*reading.tiles, *reading.counts]), k)
        _judge_turn(tally, Belief.of(before), corrupt(reading, slots, ALPHABET, rng, sure), after)
    note = (
        f"{tally.right} at once, {tally.answered_right} with the right answer to a question; "
        f"wrong in silence {tally.wrong}, said to be a fault {tally.alarms}"
    )
    right, limit = tally.right + tally.answered_right, CORRUPTED_LIMITS.get(k)
    return rate(f"right with {k} slots wrong {how}", right, turns, limit, "at least", note)


def _heavy_figure(progress: Progress) -> Figure:
    """A position with far more turns than a game meets: six batteries, a long propeller, all divers upgraded."""
    progress("heavy positions")
    worst = 0.0
    for seed in range(6):
        rng, position = Random(seed), _some_turns(seed, 12)
        me = position.player
        position = position.with_player(
            position.to_play,
            batteries=6,
            credits=9,
            mechanic=3,
            divers=tuple(diver.removesuffix("+") + "+" for diver in me.divers),
        )
        after = position.play_turn(choose_turn(position, rng))
        reading = reading_of(_known(after), ALPHABET, rng)
        worst = max(worst, _judging_ms(position, reading))
    return Figure("reading to verdict, heavy positions, worst", worst, "ms", 1000.0, count=6)


def _another_game_figure(progress: Progress) -> Figure:
    """Everything changed: the table of another game, as after a camera was turned or the boards were swept."""
    progress("another game on the table")
    worst = 0.0
    for seed in range(6):
        one, other = _some_turns(seed, 12), _some_turns(seed + 100, 30)
        reading = reading_of(_known(other), ALPHABET, Random(seed))
        worst = max(worst, _judging_ms(one, reading))
    return Figure("reading to verdict, another game on the table, worst", worst, "ms", 1000.0, count=6)


def _some_turns(seed: int, turns: int) -> Position:
    rng = Random(seed)
    position = new_game(seed, SEATS[:4], sponsors="mixed")
    for _ in range(turns):
        position = position.play_turn(choose_turn(position, rng))
    return position


def _judging_ms(position: Position, reading: Reading) -> float:
    began = time.thread_time()
    judge(Belief.of(position), reading)
    return 1000 * (time.thread_time() - began)


def _known(position: Position) -> dict[str, Content]:
    """What lies in each slot of a position whose deck and bag are known."""
    return {slot: content for slot, content in expected(position).items() if content is not None}


def _counted(slot: str, content: str | Mapping[str, int]) -> Content:
    """A slot as the simulator writes it, as a reading counts it."""
    if not isinstance(content, str):
        return content
    if slot.split(".")[1] in ("zone", "store"):
        return {letter: content.count(letter) for letter in "mpft"}
    return "back" if content.startswith("back") else content

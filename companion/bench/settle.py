"""When the table is still: hands that rest in view, how soon it is still when they have gone, hands there from the start."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import cv2
import numpy as np

from companion.bench.figure import Figure, rate
from companion.rules import choose_turn, sample_cards
from hardware.simulated.contents import contents
from hardware.simulated.press import start
from hardware.simulated.studio import Studio
from vision.rectify import Picture
from vision.settle import Scene, Settle

# Art that nothing was chosen on.
SEEDS = (7101, 7102, 7103, 7104)
PLAYERS = 4
TURNS = 10
SMALL_PX = (640, 360)
PERIOD_S = 1 / 30
REST_S = 0.5
NOISE = 2.0  # grey levels of a small picture


def measure(quick: bool, progress: Callable[[str], None], scratch: Path) -> list[Figure]:
    """Every table is shown bare, with a hand at rest, and bare again."""
    hands = seen = forgotten = 0
    waits_s: list[float] = []
    for seed in SEEDS[:1] if quick else SEEDS:
        progress(f"hands over table {seed}")
        bare, *reaching = _tables(seed, 4 if quick else 12)
        for hand in reaching:
            hands += 1
            stream = _Stream(seed)
            stream.show(bare)
            seen += Scene.STILL not in stream.show(hand)
            answers = stream.show(bare)
            # A table that is never still again has waited for as long as it was watched.
            waits_s.append(
                PERIOD_S * (answers.index(Scene.STILL) if Scene.STILL in answers else len(answers))
            )
            late = _Stream(seed)
            late.show(hand)
            forgotten += late.show(bare)[-1] is Scene.STILL
    return [
        rate("hands at rest that keep the table from being still", seen, hands, 99.9, "at least"),
        Figure("from the last motion to still", max(waits_s), "s", 0.15, count=hands, note="the longest"),
        rate("hands there from the start, forgotten when they leave", forgotten, hands, None, "at least"),
    ]


class _Stream:
    """The small stream of a camera, thirty pictures a second, with its noise."""

    def __init__(self, seed: int) -> None:
        self._settle = Settle()
        self._rng = np.random.default_rng(seed)
        self._count = 0

    def show(self, picture: Picture) -> list[Scene]:
        """The answers to one picture shown for a while."""
        answers = []
        for _ in range(round(REST_S / PERIOD_S)):
            noisy = picture + self._rng.normal(0, NOISE, picture.shape)
            answers.append(self._settle.see(np.clip(noisy, 0, 255).astype(np.uint8), self._count * PERIOD_S))
            self._count += 1
        return answers


def _tables(seed: int, hands: int) -> Iterator[Picture]:
    """A table in the middle of a game: bare, then with one hand after another."""
    cards = sample_cards()
    position = start(seed, PLAYERS, cards)
    rng = Random(seed)
    for _ in range(TURNS):
        position = position.play_turn(choose_turn(position, rng))
    colours = [player.colour for player in position.players]
    known = {card["id"]: card for card in cards.to_json()["contracts"]}
    conditions = "hard" if seed % 2 else "livingroom"
    studio = Studio.build(seed, colours, known, conditions, (960, 540))
    studio.lay(contents(position, studio.layout))
    yield _small(studio.photograph().bgr)
    for number in range(hands):
        hand = studio.reaching(colours[number % len(colours)])
        yield _small(studio.photograph((hand,)).bgr)


def _small(bgr: Picture) -> Picture:
    return np.asarray(cv2.resize(bgr, SMALL_PX, interpolation=cv2.INTER_AREA), np.uint8)

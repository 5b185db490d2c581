"""How fast the simulated table draws: seconds of one core for a frame of four players, at both sizes."""

import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import cv2

from companion.bench.figure import Figure
from companion.rules import choose_turn, sample_cards
from hardware.simulated.contents import contents
from hardware.simulated.press import start
from hardware.simulated.studio import FULL_PX, Studio

PLAYERS = 4
TURNS = 20  # a table in the middle of a game, with most pieces on it
SIZES = ((FULL_PX, 3.0), ((1536, 864), 0.4))


def measure(quick: bool, progress: Callable[[str], None], scratch: Path) -> list[Figure]:
    """Frames of a game: before each a turn is played and a hand comes; what did not change is drawn already."""
    cards = sample_cards()
    position = start(1, PLAYERS, cards)
    rng = Random(1)
    for _ in range(TURNS):
        position = position.play_turn(choose_turn(position, rng))
    known = {card["id"]: card for card in cards.to_json()["contracts"]}
    colours = [player.colour for player in position.players]
    repeats = 1 if quick else 6
    figures = []
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        for size_px, limit_s in SIZES:
            progress(f"drawing an edition for {size_px[0]} x {size_px[1]}")
            studio = Studio.build(1, colours, known, "hard", size_px)
            studio.lay(contents(position, studio.layout))
            studio.photograph()
            took = []
            now = position
            for i in range(repeats):
                progress(f"frame {i + 1} of {repeats} at {size_px[0]} x {size_px[1]}")
                now = now.play_turn(choose_turn(now, rng))
                studio.lay(contents(now, studio.layout))
                begin = time.process_time()
                studio.photograph((studio.reaching("red"),))
                took.append(time.process_time() - begin)
            figures.append(
                Figure(
                    f"simulated frame, {size_px[0]} x {size_px[1]}, four players, a turn later, with a hand",
                    sum(took) / len(took),
                    "s",
                    limit_s,
                    count=repeats,
                    low=min(took),
                    high=max(took),
                    note="seconds of one core; low and high are the fastest and the slowest frame",
                )
            )
    finally:
        cv2.setNumThreads(threads)
    return figures

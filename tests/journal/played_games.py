"""Whole games for the journal's tests, played once by the rules' own player."""

from functools import cache
from random import Random
from typing import Any

from companion.journal.figures import ending, game_figures
from companion.journal.journal import Journal
from companion.journal.record import Record
from companion.rules import Position, Turn, choose_turn, new_game, sample_cards
from vision.reading import BoardSeen, Reading

NAMES, COLOURS = ("Ana", "Ben", "Cleo"), ("red", "blue", "green")


@cache
def played_game(seed: int = 1) -> tuple[Position, tuple[tuple[Turn, Position], ...]]:
    """A start, and every turn with the position after it, up to the end of the game."""
    start = position = new_game(seed)
    rng, turns = Random(seed), []
    while position.over is None:
        turn = choose_turn(position, rng)
        position = position.play_turn(turn)
        turns.append((turn, position))
    return start, tuple(turns)


def begin(journal: Journal, seed: int = 1) -> Record:
    start = played_game(seed)[0].to_json()
    return journal.begin(NAMES, COLOURS, "otys-sample", sample_cards().to_json(), start)


def play(
    journal: Journal, record: Record, count: int, seed: int = 1, reading: Reading | None = None
) -> Record:
    """The next `count` turns of the game."""
    done = record.turns
    for turn, position in played_game(seed)[1][done : done + count]:
        player = record.position()["to_play"]
        about = {"player": player, "turns": [str(turn)]}
        record = journal.add(record, "played", about, position.to_json(), 12.5, reading)
    return record


def whole_game(journal: Journal, seed: int = 1) -> Record:
    record = play(journal, begin(journal, seed), 1000, seed)
    return journal.add(
        record, "ended", ending(record.position()["over"]["winners"], game_figures(record, sample_cards()))
    )


def table_reading(seed: int = 1, players: tuple[str, ...] = ("red", "blue", "green", "yellow")) -> Reading:
    """A reading of a full table with the doubts of a real camera: every slot a little unsure in its own way."""
    rng = Random(seed)
    tiles: dict[str, dict[str, float]] = {}
    counts: dict[str, dict[str, dict[int, float]]] = {}

    def tile(slot: str, *labels: str) -> None:
        first, second = rng.sample(labels, 2)
        sure = rng.betavariate(60, 1)
        tiles[slot] = {"empty": (1 - sure) * 0.2} | {first: sure, second: (1 - sure) * 0.8}

    def number(slot: str, *labels: str) -> None:
        counts[slot] = {}
        for label in labels:
            sure, count = rng.betavariate(60, 1), rng.randrange(4)
            counts[slot][label] = {count: sure, count + 1: 1 - sure}

    divers = ("metal", "plant", "fuel", "tech", "trader", "spy", "engineer", "explorer", "spy+", "metal+")
    fronts = ("metal|plant:credits", "battery:prestige", "contracts:credits", "upgrade:prestige")
    for colour in players:
        for place in range(1, 9):
            tile(f"{colour}.diver.{place}", *divers)
        for place in range(1, 6):
            tile(f"{colour}.key.{place}", "key", "empty")
            tile(f"{colour}.reward.{place}", "credits", "prestige")
            number(f"{colour}.zone.{place}", "m", "p", "f", "t")
        for place in range(1, 7):
            tile(f"{colour}.track.{place}", "back", "empty")
        number(f"{colour}.x", "X", "N")
        number(f"{colour}.hacker", "hacker")
        number(f"{colour}.mechanic", "mechanic")
        number(f"{colour}.tray", "credit", "battery")
    for level in range(1, 6):
        tile(f"colony.sponsor.{level}", "1", "2a", "3", "4", "5a")
        for which in (1, 2):
            tile(f"colony.display.{level}.{which}", *fronts)
    for column, letter in zip(("metal", "plant", "fuel", "tech"), "mpft", strict=True):
        for row in (1, 2, 3):
            number(f"colony.store.{column}.{row}", letter)
    for space in (1, 2, 3):
        tile(f"colony.contract.{space}", *(f"c{card:02}" for card in range(1, 33)))
    number("colony.score", *players)
    corners = ((412.31, 300.92), (1710.4, 296.1), (1716.8, 1280.7), (405.3, 1284.9))
    boards = {name: BoardSeen(True, corners) for name in ("colony", *players)}
    return Reading(boards, tiles, counts, frozenset({"red.zone.5"}))


def documents(record: Record) -> list[dict[str, Any]]:
    return [link.position() for link in record.line()]

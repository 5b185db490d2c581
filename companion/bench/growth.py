"""How cost grows: the same work for more players, more pixels, more batteries, longer games; and where a press spends its time."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter

import cv2
import numpy as np

from calibration.enrol import enrol
from companion.journal.journal import Journal
from companion.referee import Belief, judge
from companion.rules import SEATS, Position, choose_turn, new_game, sample_cards, turns
from hardware.simulated.contents import contents
from hardware.simulated.develop import encode
from hardware.simulated.enrolment import write_pack
from hardware.simulated.studio import Studio
from vision.look import Looker
from vision.read.cuts import reaches, sheet
from vision.reading import Reading
from vision.rectify import Picture

ART_SEED = 9104
WIDTHS_PX = (1536, 2304, 3072, 4608)


@dataclass(frozen=True)
class Series:
    """One line of a plot: `points` are (x, y), y in milliseconds unless the label says otherwise."""

    plot: str
    x_label: str
    y_label: str
    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Stages:
    """Where the time from the button to the verdict goes: milliseconds by stage, and of what no reader can do without."""

    plot: str
    spent: tuple[tuple[str, float], ...]
    needed: tuple[tuple[str, float], ...]


def grow(progress: Callable[[str], None]) -> list[Series | Stages]:
    """Every series; a few minutes."""
    return [*_rules(progress), *_looks(progress), resuming(progress)]


def _rules(progress: Callable[[str], None]) -> list[Series]:
    progress("rules: batteries")
    rng = Random(5)
    position = new_game(5, SEATS[:3])
    for _ in range(30):
        position = position.play_turn(choose_turn(position, rng))
    ms, results = [], []
    for batteries in range(5):
        charged = position.with_player(position.to_play, batteries=batteries)
        began = perf_counter()
        count = sum(1 for _ in turns(charged))
        ms.append((float(batteries), 1000 * (perf_counter() - began)))
        results.append((float(batteries), float(count)))
    label = "batteries of the player to play"
    return [
        Series("turns-by-batteries", label, "ms", "all legal turns", tuple(ms)),
        Series(
            "turns-by-batteries",
            label,
            "ms",
            "thousands of results",
            tuple((x, y / 1000) for x, y in results),
        ),
    ]


def _looks(progress: Callable[[str], None]) -> list[Series | Stages]:
    cards = sample_cards()
    known = {card["id"]: card for card in cards.to_json()["contracts"]}
    by_players: list[tuple[float, float]] = []
    by_size: list[tuple[float, float]] = []
    by_cubes: list[tuple[float, float]] = []
    stages: list[Stages] = []
    for players in (2, 3, 4):
        progress(f"vision: {players} players")
        position = new_game(9, SEATS[:players], cards=cards)
        colours = [player.colour for player in position.players]
        with tempfile.TemporaryDirectory() as folder:
            studio = Studio.build(9, colours, known, "easy", (4608, 2592), ART_SEED)
            write_pack(studio, cards.to_json(), Path(folder), lambda words: None)
            enrol(Path(folder))
            looker = Looker.load(Path(folder))
            studio.lay(contents(position, studio.layout))
            picture = studio.photograph().bgr
            by_players.append((players, _look_ms(looker, picture)))
            if players == 4:
                progress("vision: a press by its stages")
                stages.append(_press(looker, studio, position))
                by_size = [
                    (
                        width * width * 9 / 16 / 1e6,
                        _look_ms(looker, _shrunk(picture, width)),
                    )
                    for width in WIDTHS_PX
                ]
                for zone in ("", "m", "mpf", "mpftm"):
                    filled = _with_cubes(position, zone)
                    studio.lay(contents(filled, studio.layout))
                    cubes = sum(len(level) for player in filled.players for level in player.zone)
                    by_cubes.append((cubes, _look_ms(looker, studio.photograph().bgr)))
    return [
        Series("look-by-players", "players", "ms", "locate and read, 12 megapixels", tuple(by_players)),
        Series("look-by-pixels", "megapixels", "ms", "locate and read, four players", tuple(by_size)),
        Series(
            "look-by-cubes",
            "cubes on the player boards",
            "ms",
            "locate and read, four players",
            tuple(by_cubes),
        ),
        *stages,
    ]


def _press(looker: Looker, studio: Studio, position: Position, tries: int = 5) -> Stages:
    """A turn is played; what its press costs from the frame's file to the verdict, the quickest of a few tries."""
    after = position.play_turn(choose_turn(position, Random(9)))
    frames = []
    for shown in (position, after):
        studio.lay(contents(shown, studio.layout))
        frames.append(encode(studio.photograph().bgr, studio.conditions.jpeg))
    before, pressed = (_decoded(frame) for frame in frames)
    looks: list[Reading] = []
    for _ in range(tries):
        looker.forget()
        looker.look(before)
        looks.append(looker.look(pressed))
    located = looker.located
    assert located is not None, "a look locates"
    reach = reaches(looker.pack)
    decode = _quickest_ms(lambda: _decoded(frames[1]), tries)
    warp = _quickest_ms(
        lambda: [sheet(pressed, located, board, reach[board]) for board in located.fixes], tries
    )
    judging = _quickest_ms(lambda: judge(Belief.of(position.as_seen_at_table()), looks[0]), tries)
    spent = (
        ("decode the frame", decode),
        ("follow the boards", min(look.ms["locate"] for look in looks)),
        ("read the slots", min(look.ms["read"] for look in looks)),
        ("judge the turn", judging),
    )
    return Stages("press-by-stage", spent, (("decode the frame", decode), ("warp what is read", warp)))


def _decoded(jpeg: bytes) -> Picture:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def _quickest_ms(work: Callable[[], object], tries: int) -> float:
    took = []
    for _ in range(tries):
        began = perf_counter()
        work()
        took.append(1000 * (perf_counter() - began))
    return min(took)


def _with_cubes(position: Position, zone: str) -> Position:
    """Every level of every player holds as much of `zone` as fits, in the order of the rules."""
    for index in range(len(position.players)):
        levels = tuple("".join(sorted(zone[:room], key="mpft".index)) for room in (3, 3, 4, 5, 6))
        position = position.with_player(index, zone=levels)
    return position


def _shrunk(picture: Picture, width: int) -> Picture:
    return cv2.resize(picture, (width, width * 9 // 16), interpolation=cv2.INTER_AREA).astype(np.uint8)


def _look_ms(looker: Looker, picture: Picture, times: int = 5) -> float:
    """Median time of looks at boards that are already known."""
    looker.forget()
    looker.look(picture)
    spent = sorted(sum(looker.look(picture).ms.values(), 0.0) for _ in range(times))
    return spent[times // 2]


def resuming(progress: Callable[[str], None]) -> Series:
    progress("journal: length of the game")
    points = []
    rng = Random(3)
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder))
        position = new_game(3, SEATS[:2]).as_seen_at_table()
        cards = position.cards.to_json()
        names, colours = zip(*SEATS[:2], strict=True)
        record = journal.begin(names, colours, "otys-sample", cards, position.to_json())
        for turn in range(1, 41):
            played, player = choose_turn(position, rng), position.to_play
            position = position.play_turn(played)
            about = {"player": player, "turns": [str(played)]}
            record = journal.add(record, "played", about, position.to_json())
            if turn % 10 == 0:
                began = perf_counter()
                journal.open_game(record.game.id)
                points.append((float(turn), 1000 * (perf_counter() - began)))
        journal.close()
    return Series("resume-by-turns", "turns played", "ms", "resuming the game", tuple(points))

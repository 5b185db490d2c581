"""One state for each screen, from a game that was really played by the rules. For the gallery, the tests and the bench."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any, Final

from companion.journal.podium import podium
from companion.journal.statistics import GameFigures, PlayerFigures, Sources
from companion.notices import notice
from companion.referee.faults import fault
from companion.referee.restoring import Misplaced
from companion.referee.verdict import Answer, Ask, Illegal, Played, Unclear
from companion.rules import Position, Turn, parse_step
from companion.state import (
    Asking,
    Calibrating,
    ChoosingSettings,
    Entering,
    Entry,
    Faulted,
    Game,
    GameSummary,
    Hidden,
    History,
    Over,
    PastGames,
    Playing,
    Restoring,
    Seat,
    SettingUp,
    State,
    Welcome,
)
from companion.view.box import Box, schematic
from companion.view.marks import to_pixels

FOUR: Final = (("Ana", "red"), ("Benoît", "blue"), ("Friederike", "green"), ("Dragomir", "yellow"))
TWO: Final = (("Ana", "red"), ("Ben", "blue"))
_LINK: Final = "https://app.bgstatsapp.com/createPlay.html?data=otys"


@dataclass(frozen=True)
class Outline:
    """A line the guide draws on the picture."""

    points_px: tuple[tuple[float, float], ...]
    words: str = ""
    tone: str = "good"


@dataclass(frozen=True)
class Guide:
    """What a calibration guide shows."""

    headline: str = "Tap the top right corner of the blue board"
    sentences: tuple[str, ...] = (
        "The corner as the board itself is read. After the fourth the outline jumps onto its edges.",
    )
    steps: tuple[str, ...] = ("Camera", "Boards", "Layout", "Pieces", "Check")
    at: int = 1
    figures: tuple[tuple[str, str, str], ...] = (("Sharpness", "92 %", "good"), ("Light", "71 %", "warn"))
    choices: tuple[tuple[str, str], ...] = (("Back", "back"),)
    marks: tuple[Outline, ...] = ()
    crop_px: tuple[float, float, float, float] | None = None
    touch: str = "corner"


@cache
def played_game(name: str, turns: int | None = None) -> Game:
    """A game that was kept, "four" or "two" by its players, after some turns or to its end."""
    text = resources.files("companion.view").joinpath("sample_games.json").read_text(encoding="utf-8")
    kept = json.loads(text)[name]
    position = Position.from_json(kept["start"])
    entries = [Entry(1, "setup", None, (), tuple(0 for _ in position.players), after=position)]
    for notation in kept["turns"][:turns]:
        seat, turn = position.to_play, Turn.parse(notation)
        position = position.play_turn(turn)
        scores = tuple(player.score for player in position.players)
        entries.append(Entry(len(entries) + 1, "played", seat, (turn,), scores, 40.0, after=position))
    return Game("sample", position, tuple(entries))


def _payable(game: Game) -> Game:
    """The same game with cubes for the first two contracts on some boards."""
    position = game.position
    for seat, card in ((0, 0), (2, 0), (2, 1)):
        contract = position.public[card]
        if contract:
            zone = position.players[seat].zone
            cubes = position.cards[contract].payments[0]
            position = position.with_player(
                seat, zone=(*zone[:3], zone[3] if card else cubes, cubes if card else zone[4])
            )
    position = position._replace(store=position.store._replace(tech=0))
    last = replace(game.history[-1], after=position)
    return replace(game, position=position, history=(*game.history[:-1], last))


@cache
def samples(picture: bytes | None = None) -> Mapping[str, State]:
    """Name -> state, one for each screen and each face it has."""
    played = played_game("four", 72)
    middle = _payable(played_game("four", 74))
    two = played_game("two", 23)
    seen: dict[str, Any] = {"picture": picture, "corners_px": SAMPLE_CORNERS} if picture else {}
    table = State(Playing(), middle, watching="watching")
    return {
        "welcome": State(Welcome(), watching="watching"),
        "welcome-resume": State(
            Welcome(_summary("g9", "2026-11-14T20:31:00", FOUR, (12, 7, 15, 9), 41, False)),
            watching="watching",
        ),
        "setup-players": State(SettingUp("players", tuple(Seat(*seat) for seat in FOUR), 2)),
        "setup-rules": State(
            SettingUp("rules", tuple(Seat(*seat) for seat in FOUR), 2, advanced=frozenset("24"))
        ),
        "setup-check": State(
            _checking(
                ("red.diver.2", "empty", "spy"),
                ("colony.sponsor.4", "2", "5a"),
                ("blue.zone.3", "m", "empty"),
            ),
            watching="watching",
        ),
        "setup-ready": State(_checking(), watching="still"),
        "table": table,
        "table-two": State(
            Playing(),
            replace(two, reminders=_reminders(two.position)),
            watching="hand",
        ),
        "table-last-round": State(Playing(), _last_round(), watching="reading"),
        "table-no-camera": replace(
            table,
            watching="off",
            camera_trouble="it is not plugged in",
            said=notice(
                "camera-lost", why="The webcam 0 gave no picture: check that it is still plugged in."
            ),
        ),
        "verdict": State(Playing(_last_played(played)), played, watching="still", **seen),
        "question": State(
            _asking(middle), replace(middle, position=_selling(middle.position)), watching="still"
        ),
        "fault": State(
            Faulted(Illegal(_faults(middle.position), _meant(middle.position))),
            middle,
            watching="still",
            **seen,
        ),
        "hidden": State(
            Hidden(Unclear(("red.zone.2", "red.zone.3", "red.diver.5"), "Too much of the boards is hidden.")),
            middle,
            watching="hand",
            **seen,
        ),
        "restoring": State(Restoring("knock", _knocked(middle.position)), middle, watching="watching"),
        "entering-key": State(_entering(middle.position), middle, camera_trouble="it is not plugged in"),
        "entering-step": State(_entering(middle.position, "key4"), middle),
        "podium": _podium("four"),
        "podium-tie": _podium("two", tie=True),
        "history": State(
            History(selected=middle.history[-3].number),
            replace(middle, history=middle.history[:-1], undone=middle.history[-1:]),
        ),
        "past-games": State(PastGames(_past(), "g7")),
        "settings": replace(table, mode=ChoosingSettings()),
        "calibration": State(Calibrating(Guide(marks=_outlines())), watching="watching", **seen),
        "calibration-camera": State(Calibrating(_PLACING), watching="watching", **seen),
        "calibration-pieces": State(Calibrating(_pieces()), watching="watching", **seen),
        "calibration-check": State(Calibrating(_CHECKED), watching="watching", **seen),
    }


SAMPLE_SIZE_PX: Final = (1600, 900)
SAMPLE_CORNERS: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "colony": ((560.0, 250.0), (1040.0, 262.0), (1034.0, 630.0), (552.0, 618.0)),
    "red": ((70.0, 110.0), (478.0, 96.0), (490.0, 402.0), (82.0, 416.0)),
    "blue": ((1120.0, 96.0), (1528.0, 108.0), (1520.0, 416.0), (1112.0, 404.0)),
    "green": ((78.0, 490.0), (486.0, 484.0), (490.0, 790.0), (82.0, 796.0)),
    "yellow": ((1116.0, 486.0), (1524.0, 492.0), (1518.0, 800.0), (1110.0, 792.0)),
}


def _reminders(position: Position) -> tuple[tuple[str, str], ...]:
    """What hands have to do after an X key that was the last one free."""
    return (("sponsors-rotate", " ".join(position.sponsors)), ("keys-return", position.players[0].name))


_PLACING: Final = Guide(
    "Put the camera over the table",
    (
        (
            "the camera is too high for the tiles: 0.9 pixels per millimetre, 1.4 are needed: "
            "lower it to about 64 % of its height, or take pictures of a higher resolution."
        ),
        "too dark: turn on a lamp, or expose longer.",
    ),
    at=0,
    figures=(
        ("Scale", "1.11 mm per pixel", "warn"),
        ("Sharpness", "98 %", "good"),
        ("Light", "24 %", "warn"),
    ),
    choices=(("Take a picture", "shoot"),),
    touch="",
)
_CHECKED: Final = Guide(
    "Look whether every label is right",
    ("Move a few pieces and look again. What is wrong can be taught once more.",),
    at=4,
    figures=(
        ("Boards found", "5", "good"),
        ("Slots read", "160", "good"),
        ("Doubtful", "2", "warn"),
        ("Hidden", "1", "warn"),
    ),
    choices=(("Whole table", "whole"), ("Teach again", "again"), ("Look again", "look"), ("Done", "done")),
    touch="board",
)


def _pieces() -> Guide:
    """One board seen large, with what is to lie on it."""
    box, corners = sample_box(), SAMPLE_CORNERS["red"]
    divers = ("metal", "metal+", "plant", "plant+", "fuel", "fuel+", "tech", "tech+")
    laid = {f"red.diver.{n}": label for n, label in enumerate(divers, 1)}
    laid |= {f"red.key.{n}": "key" for n in range(1, 6)} | {f"red.zone.{n}": "mpf" for n in range(1, 6)}
    marks = tuple(
        Outline(to_pixels(box.slots[slot].rect_mm, box.sizes_mm["red"], corners), label, "warn")
        for slot, label in laid.items()
    )
    return Guide(
        "Lay out the pieces: photograph 1 of 4",
        (
            "Lay on each marked place what is written there; all other places stay bare.",
            "Tap a board to see it large, and again to see it larger.",
        ),
        at=3,
        figures=(),
        choices=(("Back", "back"), ("Whole table", "whole"), ("Take a picture", "shoot")),
        marks=marks,
        crop_px=(50.0, 80.0, 460.0, 400.0),
        touch="board",
    )


def _outlines() -> tuple[Outline, ...]:
    """Two boards whose corners were tapped."""
    return tuple(Outline(SAMPLE_CORNERS[name]) for name in ("colony", "red"))


def sample_box() -> Box:
    """Where the slots of the samples' boards are."""
    return schematic(tuple(colour for _, colour in FOUR))


def _summary(
    game: str, when: str, seats: tuple[tuple[str, str], ...], scores: tuple[int, ...], turns: int, over: bool
) -> GameSummary:
    return GameSummary(
        game,
        when,
        tuple(name for name, _ in seats),
        tuple(colour for _, colour in seats),
        scores,
        turns,
        over,
    )


def _past() -> tuple[GameSummary, ...]:
    return (
        _summary("g9", "2026-11-14T20:31:00", FOUR, (12, 7, 15, 9), 41, False),
        _summary("g8", "2026-11-07T21:05:00", FOUR, (14, 19, 18, 11), 62, True),
        _summary("g7", "2026-10-31T19:44:00", TWO, (18, 18), 38, True),
        _summary("g6", "2026-10-24T20:12:00", FOUR[:3], (21, 13, 17), 47, True),
    )


def _checking(*missing: tuple[str, str, str]) -> SettingUp:
    seats = tuple(Seat(*seat) for seat in FOUR)
    start = played_game("four", 0).position.as_seen_at_table()
    return SettingUp(
        "table", seats, 0, missing=tuple(Misplaced(*piece) for piece in missing), checked=True, start=start
    )


def _last_played(game: Game) -> Played:
    return Played(game.history[-1].turns, game.position, 0.99)


def _last_round() -> Game:
    """A game in which somebody has just reached the trigger and others still play."""
    game = played_game("four", 93)
    position = game.position.with_player(game.position.first, score=game.position.rules.trigger)
    return replace(game, position=position, last_round_announced=True)


def _asking(game: Game) -> Asking:
    """A sale for credits or for prestige: what no camera can tell when the tray is hidden."""
    position = _selling(game.position)
    answers = []
    for gain in ("credits", "prestige"):
        turn = Turn.parse(f"key4 dive:sell=t/{gain}")
        answers.append(Answer(turn, position.play_turn(turn), 0.5))
    turn = Turn.parse("key4 dive")
    return Asking(Ask("sale", (*answers, Answer(turn, position.play_turn(turn), 0.1))))


def _selling(position: Position) -> Position:
    """The position with the Trader at level 4, tech beside it and room at the top of the Store."""
    player = position.player
    divers = list(player.divers)
    here, level_4 = player.index_of("trader"), 6
    divers[here], divers[level_4] = divers[level_4], divers[here]
    keys = tuple(dict.fromkeys((*player.keys, 4)))
    track = tuple(key for key in player.track if key != 4)
    position = position.with_player(
        position.to_play,
        divers=tuple(divers),
        keys=tuple(sorted(keys, key=str)),
        track=track,
        zone=(*player.zone[:3], "mt", player.zone[4]),
    )
    return position._replace(store=position.store._replace(tech=0))


def _faults(position: Position) -> tuple[Any, ...]:
    player = position.player
    diver = player.diver_at(2).removesuffix("+")
    return (
        fault(
            "not-resurfaced",
            (f"{player.colour}.diver.5", f"{player.colour}.diver.1"),
            player=player.name,
            piece=diver,
            level="2",
        ),
        fault("score-not-moved", ("colony.score",), player=player.name, seen="4", wanted="7"),
    )


def _meant(position: Position) -> Answer:
    """The turn that makes those faults when the Trader stays below and the marker where it stood."""
    turn = Turn.parse("key2 contract:c16@4 dive:buy=f")
    return Answer(turn, position.play_turn(turn), 0.0)


def _knocked(position: Position) -> tuple[Misplaced, ...]:
    colour, player = position.players[0].colour, position.players[0]
    return (
        Misplaced(f"{colour}.diver.4", "empty", player.divers[3]),
        Misplaced(f"{colour}.diver.5", player.divers[3], player.divers[4]),
        Misplaced(f"{colour}.zone.2", "mp", "empty"),
        Misplaced(f"{colour}.key.3", "empty", "key"),
    )


def _entering(position: Position, *steps: str) -> Entering:
    position = _selling(position)
    for step in steps:
        position = position.play(parse_step(step))
    return Entering(position, position.steps())


def _podium(name: str, tie: bool = False) -> State:
    game = played_game(name)
    position = game.position
    if tie:
        score = max(player.score for player in position.players)
        zones = (("m", "p", "", "mft", ""), ("", "p", "f", "", "t"))
        for seat, zone in enumerate(zones):
            position = position.with_player(seat, score=score, zone=zone)
        last = replace(game.history[-1], scores=(score, score))
        game = replace(game, position=position, history=(*game.history[:-1], last))
    figures = GameFigures(
        tuple(
            PlayerFigures(len(game.history) // len(position.players), 1800.0, 4, _split(player.score))
            for player in position.players
        ),
        tuple(entry.scores for entry in game.history),
    )
    return State(Over(podium(position), figures, _LINK), game)


def _split(score: int) -> Sources:
    contracts = round(score * 0.6)
    upgrades = min(score - contracts, 3)
    sales = min(score - contracts - upgrades, 2)
    return Sources(contracts, upgrades, sales, score - contracts - upgrades - sales)

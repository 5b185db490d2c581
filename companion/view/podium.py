"""The end: the podium, what decided it, the curve of the game, and a code to take it home."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import qrcode

from companion import actions
from companion.journal.podium import Podium, podium
from companion.journal.statistics import SOURCES, GameFigures
from companion.state import Entry, Over, State
from companion.view.box import Box
from companion.view.language import N_, Say
from companion.view.parts import bar, players_of, voice
from companion.view.screens import Bar, Choice, Curve, Place, Player, PodiumScreen

_SOURCE_WORDS: Final = {
    "contracts": ("contract", N_("Contracts")),
    "upgrades": ("upgrade", N_("Upgrades")),
    "sales": ("trader", N_("Sales")),
    "rewards": ("reward", N_("Rewards")),
    "other": ("question", N_("Other")),
}


def draw(state: State, box: Box) -> PodiumScreen:
    """Needs `Over` and a game."""
    assert isinstance(state.mode, Over) and state.game is not None
    say, game, mode = voice(state), state.game, state.mode
    position = game.position
    ended = Ended(
        players_of(position),
        mode.podium or podium(position),
        mode.figures,
        curve_of(len(position.players), game.history, mode.figures),
        position.rules.trigger,
        mode.bgstats,
    )
    return screen(
        say,
        ended,
        bar(state, say("The game is over"), say("Round {n}", n=position.round), with_status=False),
        (
            Choice(say("History"), actions.HISTORY, icon="history"),
            Choice(say("New game"), actions.NEW_GAME, icon="plus", tone="strong"),
        ),
    )


@dataclass(frozen=True)
class Ended:
    """What a podium tells about a game, just ended or of another evening."""

    players: tuple[Player, ...]
    podium: Podium
    figures: GameFigures | None
    curve: tuple[tuple[int, ...], ...]
    trigger: int
    link: str = ""


def screen(say: Say, ended: Ended, top: Bar, choices: tuple[Choice, ...]) -> PodiumScreen:
    players, result = ended.players, ended.podium
    turning = turning_point(ended.curve, result)
    lines = tuple(
        (player, tuple(scores[seat] for scores in ended.curve)) for seat, player in enumerate(players)
    )
    return PodiumScreen(
        top,
        headline(say, players, result),
        decided(say, players, result),
        places(say, players, result, ended.figures),
        say("Prestige by source"),
        tuple((icon, say(name)) for icon, name in _SOURCE_WORDS.values()),
        say("How it went"),
        Curve(ended.trigger, lines, turning),
        _turning_words(say, players, result, turning),
        qr(ended.link) if ended.link else (),
        say("Scan for BG Stats") if ended.link else "",
        choices,
    )


def headline(say: Say, players: tuple[Player, ...], result: Podium) -> str:
    names = [players[seat].name for seat in result.winners]
    if len(names) == 1:
        return say("{name} wins", name=names[0])
    return say("{names} and {last} share the victory", names=", ".join(names[:-1]), last=names[-1])


def decided(say: Say, players: tuple[Player, ...], result: Podium) -> str:
    """What separated the winner from the next."""
    best, second = result.places[0], result.places[1]
    if result.decided == "prestige":
        return say.many(
            "{n} prestige ahead of {name}",
            "{n} prestige ahead of {name}",
            best.score - second.score,
            name=players[second.player].name,
        )
    if result.decided == "cubes":
        return say(
            "Both have {score} prestige. {name} has more cubes: {n} to {other}.",
            score=best.score,
            name=players[best.player].name,
            n=best.cubes,
            other=second.cubes,
        )
    return say("{score} prestige and {n} cubes each: nothing separates them.", score=best.score, n=best.cubes)


def places(
    say: Say, players: tuple[Player, ...], result: Podium, figures: GameFigures | None
) -> tuple[Place, ...]:
    return tuple(
        Place(
            place.rank,
            players[place.player],
            place.score,
            say.many("{n} cube", "{n} cubes", place.cubes),
            _sources(figures, place.player),
        )
        for place in result.places
    )


def _sources(figures: GameFigures | None, seat: int) -> tuple[tuple[str, int], ...]:
    if figures is None or seat >= len(figures.players):
        return ()
    sources = figures.players[seat].sources
    return tuple(
        (_SOURCE_WORDS[name][0], getattr(sources, name)) for name in SOURCES if getattr(sources, name)
    )


def curve_of(
    count: int, history: Sequence[Entry], figures: GameFigures | None
) -> tuple[tuple[int, ...], ...]:
    """The scores of all players after each entry, from the set-up on."""
    if figures is not None and figures.curve:
        return figures.curve
    return ((0,) * count, *(entry.scores for entry in history if entry.turns))


def turning_point(curve: tuple[tuple[int, ...], ...], result: Podium) -> int | None:
    """The entry after which the winner was never behind again; None when the winner always led."""
    winner = result.places[0].player
    behind = [at for at, scores in enumerate(curve) if scores[winner] < max(scores)]
    return behind[-1] + 1 if behind and behind[-1] + 1 < len(curve) else None


def _turning_words(say: Say, players: tuple[Player, ...], result: Podium, turning: int | None) -> str:
    name = players[result.places[0].player].name
    if turning is None:
        return say("{name} was never behind.", name=name)
    return say("From turn {n} on {name} was never behind again.", n=turning, name=name)


@lru_cache(maxsize=8)  # a screen is drawn several times, its code is the same
def qr(text: str) -> tuple[str, ...]:
    """A QR code as rows of 1 and 0, without its quiet border."""
    code = qrcode.QRCode(border=0, error_correction=qrcode.constants.ERROR_CORRECT_L)
    code.add_data(text)
    code.make(fit=True)
    return tuple("".join("1" if dark else "0" for dark in row) for row in code.get_matrix())

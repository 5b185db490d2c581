"""The end: the podium, what decided it, the curve of the game, and a code to take it home."""

from typing import Final

import qrcode

from companion import actions
from companion.journal.podium import Podium, podium
from companion.journal.statistics import SOURCES, GameFigures
from companion.rules import Position
from companion.state import Game, Over, State
from companion.view.box import Box
from companion.view.language import N_, Say
from companion.view.parts import bar, players_of, voice
from companion.view.screens import Choice, Curve, Place, Player, PodiumScreen

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
    say, game = voice(state), state.game
    position, mode = game.position, state.mode
    players = players_of(position)
    result = mode.podium or podium(position)
    curve = curve_of(game, mode.figures)
    turning = turning_point(curve, result)
    link = mode.bgstats
    return PodiumScreen(
        bar(state, say("The game is over"), say("Round {n}", n=position.round), with_status=False),
        headline(say, players, result),
        decided(say, position, result),
        places(say, players, result, mode.figures),
        say("Prestige by source"),
        tuple((icon, say(name)) for icon, name in _SOURCE_WORDS.values()),
        say("How it went"),
        Curve(
            position.rules.trigger,
            tuple((player, tuple(scores[seat] for scores in curve)) for seat, player in enumerate(players)),
            turning,
        ),
        _turning_words(say, players, result, turning),
        qr(link) if link else (),
        say("Scan for BG Stats") if link else "",
        (
            Choice(say("History"), actions.HISTORY, icon="history"),
            Choice(say("New game"), actions.NEW_GAME, icon="plus", tone="strong"),
        ),
    )


def headline(say: Say, players: tuple[Player, ...], result: Podium) -> str:
    names = [players[seat].name for seat in result.winners]
    if len(names) == 1:
        return say("{name} wins", name=names[0])
    return say("{names} and {last} share the victory", names=", ".join(names[:-1]), last=names[-1])


def decided(say: Say, position: Position, result: Podium) -> str:
    """What separated the winner from the next."""
    best, second = result.places[0], result.places[1]
    if result.decided == "prestige":
        return say.many(
            "{n} prestige ahead of {name}",
            "{n} prestige ahead of {name}",
            best.score - second.score,
            name=position.players[second.player].name,
        )
    if result.decided == "cubes":
        return say(
            "Both have {score} prestige. {name} has more cubes: {n} to {other}.",
            score=best.score,
            name=position.players[best.player].name,
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


def curve_of(game: Game, figures: GameFigures | None) -> tuple[tuple[int, ...], ...]:
    """The scores of all players after each entry, from the set-up on."""
    if figures is not None and figures.curve:
        return figures.curve
    start = tuple(0 for _ in game.position.players)
    return (start, *(entry.scores for entry in game.history if entry.turns))


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


def qr(text: str) -> tuple[str, ...]:
    """A QR code as rows of 1 and 0, without its quiet border."""
    code = qrcode.QRCode(border=0, error_correction=qrcode.constants.ERROR_CORRECT_L)
    code.add_data(text)
    code.make(fit=True)
    return tuple("".join("1" if dark else "0" for dark in row) for row in code.get_matrix())

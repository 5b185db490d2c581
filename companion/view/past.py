"""Games of other evenings."""

from datetime import datetime

from companion import actions
from companion.rules import Rules
from companion.state import GameSummary, PastGames, State
from companion.view.box import Box
from companion.view.language import Say
from companion.view.parts import bar, seated, voice
from companion.view.podium import Ended, curve_of, screen
from companion.view.screens import Choice, GameRow, PastGamesScreen, PodiumScreen

# Of a game whose history was not read.
TRIGGER = Rules().trigger


def draw(state: State, box: Box) -> PastGamesScreen | PodiumScreen:
    """Needs `PastGames`; a game that was chosen is shown with its podium."""
    assert isinstance(state.mode, PastGames)
    say, mode = voice(state), state.mode
    chosen = next((game for game in mode.games if game.id == mode.selected), None)
    if chosen is not None and mode.podium is not None:
        players = seated(chosen.names, chosen.colours)
        curve = curve_of(len(players), mode.history, mode.figures)
        trigger = next((entry.after.rules.trigger for entry in mode.history if entry.after), TRIGGER)
        top = bar(
            state,
            _date(say, chosen.started),
            say.many("{n} turn", "{n} turns", chosen.turns),
            with_status=False,
        )
        return screen(say, Ended(players, mode.podium, mode.figures, curve, trigger, mode.bgstats), top, ())
    return PastGamesScreen(
        bar(
            state,
            say("Past games"),
            say.many("{n} game", "{n} games", len(mode.games)) if mode.games else "",
            with_status=False,
        ),
        tuple(_row(say, game, game.id == mode.selected) for game in mode.games),
        say("No game was played yet."),
        (),
    )


def _row(say: Say, game: GameSummary, chosen: bool) -> GameRow:
    turns = say.many("{n} turn", "{n} turns", game.turns)
    return GameRow(
        _date(say, game.started),
        turns if game.over else say("{turns}, not finished", turns=turns),
        tuple(zip(seated(game.names, game.colours), game.scores, strict=True)),
        Choice(action=actions.SELECT_GAME, value=game.id, chosen=chosen),
    )


def _date(say: Say, started: str) -> str:
    """The day in the order the language has it; what is no date is shown as it is."""
    try:
        day = datetime.fromisoformat(started)
    except ValueError:
        return started
    return say(
        "{day}/{month}/{year}, {hour}:{minute}",
        day=f"{day.day:02d}",
        month=f"{day.month:02d}",
        year=day.year,
        hour=f"{day.hour:02d}",
        minute=f"{day.minute:02d}",
    )

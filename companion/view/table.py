"""The table screen: what everybody looks at while they play."""

from typing import Final

from companion import actions
from companion.journal.podium import is_last_round, still_to_play
from companion.rules import Position
from companion.state import Entry, Game, Playing, State
from companion.view.box import Box
from companion.view.language import Say
from companion.view.parts import (
    bar,
    cards_of,
    contracts_of,
    player_of,
    race_of,
    sponsors_of,
    store_of,
    voice,
)
from companion.view.placing import unknown
from companion.view.screens import Choice, TableScreen
from companion.view.whys import why_words
from companion.view.words import sentence

SPONSORS: Final = "sponsors-rotate"


def draw(state: State, box: Box) -> TableScreen:
    """Needs a game; `mode` may be any screen that lies over the table."""
    assert state.game is not None
    say, game = voice(state), state.game
    position = game.position
    note = state.mode.note if isinstance(state.mode, Playing) else ""
    entry = last_turn(game)
    choices = (
        Choice(action=actions.UNDO, icon="undo", enabled=any(kept.turns for kept in game.history)),
        Choice(action=actions.HISTORY, icon="history"),
        Choice(action=actions.ENTER_TURN, icon="touch"),
        Choice(action=actions.SETTINGS, icon="settings"),
    )
    return TableScreen(
        bar(
            state,
            turn_title(say, position),
            round_words(state, game),
            player_of(position, position.to_play),
            choices=choices,
        ),
        cards_of(state, position),
        race_of(position),
        store_of(state, position),
        say("Sponsors"),
        sponsors_of(state, position, moved=any(kind == SPONSORS for kind, _ in game.reminders)),
        say("Contracts"),
        contracts_of(state, position),
        player_of(position, entry.player) if entry and entry.player is not None else None,
        entry_words(say, game, entry)
        if entry
        else say("The first turn is {name}'s.", name=position.player.name),
        tuple(reminder_words(say, kind, detail) for kind, detail in game.reminders),
        last_round_words(say, position) or (why_words(say, note) if note else ""),
        Choice(say("Done"), actions.DONE, icon="check", tone="strong"),
        Choice(action=actions.CORRECT_ENTRY, value=entry.number, icon="edit") if entry else None,
        next(iter(unknown(say, position)), None),
    )


def turn_title(say: Say, position: Position) -> str:
    return say("{name} to play", name=position.player.name)


def round_words(state: State, game: Game) -> str:
    """The round, and when the clock is on how long this turn has taken."""
    say = voice(state)
    words = say("Round {n}", n=game.position.round)
    if not state.settings.clock_s:
        return words
    seconds = max(0, int(game.now_s - game.turn_started_s))
    return f"{words} · {seconds // 60}:{seconds % 60:02d} / {state.settings.clock_s // 60}:{state.settings.clock_s % 60:02d}"


def last_turn(game: Game) -> Entry | None:
    """The last entry in which somebody played."""
    return next((entry for entry in reversed(game.history) if entry.turns), None)


def before(game: Game, entry: Entry) -> Position | None:
    """The position an entry was played from, when the journal gave it along."""
    older = [kept for kept in game.history if kept.number < entry.number]
    return older[-1].after if older else None


def entry_words(say: Say, game: Game, entry: Entry) -> str:
    """The turn, or the two turns, of an entry."""
    start = before(game, entry)
    return "; ".join(sentence(say, turn, start if at == 0 else None) for at, turn in enumerate(entry.turns))


def last_round_words(say: Say, position: Position) -> str:
    """Who still plays once somebody has reached the trigger."""
    if not is_last_round(position):
        return ""
    names = [position.players[seat].name for seat in still_to_play(position)]
    if len(names) == 1:
        return say("Last round: {name} plays the last turn.", name=names[0])
    return say("Last round: {names} and {last} still play.", names=", ".join(names[:-1]), last=names[-1])


def reminder_words(say: Say, kind: str, detail: str) -> str:
    """What hands still have to do on the table."""
    place = detail.split(".")
    match kind:
        case "sponsors-rotate":
            if detail:
                return say("Turn the sponsors, level 1 first: {order}", order=" · ".join(detail.split()))
            return say("Turn the sponsors: level 5 goes to level 1")
        case "keys-return":
            return say("{name} takes all keys back", name=detail)
        case "contract-replace":
            return say("Lay out a new contract on space {n}", n=place[-1])
        case "reward-replace":
            return say("Draw a reward for level {n} of the Display", n=place[-2] if len(place) > 1 else "")
        case "hacker-in-the-way":
            return say("{name}'s next key meets the Hacker: all keys come back", name=detail)
    return detail

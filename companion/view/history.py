"""Every turn that stands, newest first, with undo, redo and correction."""

from companion import actions
from companion.state import Entry, Game, History, State
from companion.view.box import Box
from companion.view.language import Say
from companion.view.parts import bar, player_of, voice
from companion.view.screens import Choice, HistoryRow, HistoryScreen
from companion.view.table import entry_words


def draw(state: State, box: Box) -> HistoryScreen:
    """Needs `History` and a game."""
    assert isinstance(state.mode, History) and state.game is not None
    say, game, mode = voice(state), state.game, state.mode
    played = [entry for entry in game.history if entry.turns]
    rows = [_row(say, game, entry, mode) for entry in reversed(played)]
    undone = [_row(say, game, entry, mode, undone=True) for entry in game.undone]
    selected = mode.selected
    chosen = selected is not None
    last = played[-1].number if played else None
    return HistoryScreen(
        bar(state, say("History"), say.many("{n} turn", "{n} turns", len(played)), with_status=False),
        (*reversed(undone), *rows),
        say("Nothing was played yet."),
        (
            Choice(say("Correct"), actions.CORRECT_ENTRY, selected, "edit", enabled=chosen),
            Choice(
                say("Back to here"), actions.UNDO_TO, selected, "back", enabled=chosen and selected != last
            ),
            Choice(say("Redo"), actions.REDO, icon="redo", enabled=bool(game.undone)),
            Choice(say("Undo"), actions.UNDO, icon="undo", tone="strong", enabled=bool(played)),
        ),
    )


def _row(say: Say, game: Game, entry: Entry, mode: History, undone: bool = False) -> HistoryRow:
    older = [kept for kept in game.history if kept.number < entry.number]
    seat = entry.player
    gained = (
        entry.scores[seat] - older[-1].scores[seat] if seat is not None and older and older[-1].scores else 0
    )
    kind = {"overruled": say("overruled"), "corrected": say("corrected"), "answered": ""}.get(entry.kind, "")
    words = entry_words(say, game, entry)
    return HistoryRow(
        entry.number,
        player_of(game.position, seat) if seat is not None else None,
        f"{words} ({kind})" if kind else words,
        f"+{gained}" if gained > 0 else "",
        " : ".join(map(str, entry.scores)),
        Choice(
            action=actions.SELECT_ENTRY,
            value=entry.number,
            chosen=entry.number == mode.selected,
            enabled=not undone,
        ),
        undone,
        not entry.fits or entry.number in mode.unfit,
    )

"""What was just played, in words and as marks on the picture; one tap corrects it."""

from companion import actions
from companion.referee.observation import expected
from companion.referee.verdict import Played
from companion.rules import Position
from companion.state import Playing, State
from companion.view.box import Box
from companion.view.marks import picture
from companion.view.parts import bar, cards_of, player_of, race_of, store_of, voice
from companion.view.screens import Choice, VerdictScreen
from companion.view.table import before, last_round_words, last_turn, reminder_words, round_words, turn_title
from companion.view.words import turn_words


def draw(state: State, box: Box) -> VerdictScreen:
    """Needs `Playing` with a verdict."""
    assert (
        isinstance(state.mode, Playing) and isinstance(state.mode.verdict, Played) and state.game is not None
    )
    say, game, verdict = voice(state), state.game, state.mode.verdict
    position = game.position
    entry = last_turn(game)
    start = before(game, entry) if entry else None
    seat = (
        entry.player if entry and entry.player is not None else (position.to_play - 1) % len(position.players)
    )
    lines = [
        phrase
        for at, turn in enumerate(verdict.turns)
        for phrase in turn_words(say, turn, start if at == 0 else None)
    ]
    gained = verdict.position.players[seat].score - start.players[seat].score if start else 0
    alert = last_round_words(say, position)
    reminders = tuple(reminder_words(say, kind, detail) for kind, detail in game.reminders)
    over = position.over is not None
    return VerdictScreen(
        bar(
            state,
            turn_title(say, position),
            round_words(state, game),
            player_of(position, position.to_play),
            back=actions.BACK,
        ),
        player_of(position, seat),
        tuple(lines),
        f"+{gained}" if gained > 0 else "",
        cards_of(state, position),
        race_of(position),
        store_of(state, position),
        player_of(position, position.to_play),
        "" if over else turn_title(say, position),
        picture(state, box, telling(changed(start, position)) if start else (), "good", close=bool(start)),
        ((alert,) if alert else ()) + reminders,
        (
            Choice(
                say("Correct"),
                actions.CORRECT_ENTRY,
                entry.number if entry else None,
                "edit",
                enabled=entry is not None,
            ),
            Choice(say("Take back"), actions.UNDO, icon="undo"),
            Choice(say("Table"), actions.BACK, icon="check", tone="strong"),
        ),
    )


def changed(old: Position, new: Position) -> tuple[str, ...]:
    """The slots that show something else after a turn, trays left out: they may be held in the hand."""
    was, now = expected(old), expected(new)
    return tuple(
        slot for slot, content in now.items() if was.get(slot) != content and not slot.endswith(".tray")
    )


def telling(slots: tuple[str, ...]) -> tuple[str, ...]:
    """Of the slots that changed those that tell the turn: of a column that slid along only where it began and ended,
    of keys that came back only where they came to.

    >>> telling(("red.diver.1", "red.diver.2", "red.diver.3", "red.zone.5"))
    ('red.diver.1', 'red.diver.3', 'red.zone.5')
    """
    rows: dict[str, list[str]] = {}
    for slot in slots:
        rows.setdefault(slot.rpartition(".")[0], []).append(slot)
    slid = {
        slot for row, kept in rows.items() if row.endswith(".diver") and len(kept) > 2 for slot in kept[1:-1]
    }
    emptied = {
        slot for row, kept in rows.items() if row.endswith(".track") and len(kept) > 2 for slot in kept
    }
    return tuple(slot for slot in slots if slot not in slid | emptied)

"""Going back: undo, redo, and the history."""

from companion.journal.record import Link
from companion.notices import notice
from companion.referee import Misplaced, expected, in_words
from companion.rules import Position
from companion.session import entering
from companion.session.correcting import compare, unfit
from companion.session.evening import Evening
from companion.session.turnover import finish
from companion.state import History, Mode, Restoring


def undo(evening: Evening) -> None:
    """Takes back the last thing that was confirmed, then shows what has to be put back on the table."""
    record = evening.record
    if record is None:
        return
    evening.stop_looking()
    if not record.can_undo:
        evening.say(notice("nothing-to-undo"))
        return
    before, step = evening.position, record.now
    evening.step("undone", {"step": step.number})
    evening.sound("undo")
    _put_back(evening, before)
    evening.say(notice("undone", step=named(evening, step.last, step.kind)))


def redo(evening: Evening) -> None:
    record = evening.record
    if record is None:
        return
    evening.stop_looking()
    if not record.undone():
        evening.say(notice("nothing-to-redo"))
        return
    before, step = evening.position, record.undone()[0]
    evening.step("redone", {"step": step.number})
    evening.sound("undo")
    if evening.position.over is not None:
        finish(evening)
    else:
        _put_back(evening, before)
    evening.say(notice("redone", step=named(evening, step.last, step.kind)))


def undo_to(evening: Evening, number: int) -> None:
    """Takes back everything after an entry, step by step, so that redo brings it back step by step."""
    record = evening.record
    if record is None:
        return
    record.entry(number)
    evening.stop_looking()
    before = evening.position
    while evening.record is not None and evening.record.last.number != number and evening.record.can_undo:
        evening.step("undone", {"step": evening.record.now.number})
    evening.sound("undo")
    _put_back(evening, before)


def named(evening: Evening, link: Link, kind: str) -> str:
    """A step in few words for the players: who, and what."""
    if kind == "corrected":
        return f"the correction of turn {link.number}"
    name = "" if link.player is None else f"{evening.position.players[link.player].name}: "
    return name + (" / ".join(link.turns) or "as the players said")


def open_history(evening: Evening) -> None:
    if evening.record is not None and not isinstance(evening.mode, History):
        evening.put_over(History(unfit(evening)))


def select(evening: Evening, number: int | None) -> None:
    if isinstance(evening.mode, History):
        evening.change(History(unfit(evening), number))


def correct(evening: Evening, number: int) -> None:
    """Opens the entry of another turn in place of an earlier one."""
    link = _link(evening, number)
    if link.before is None:
        raise ValueError("the set-up is corrected piece by piece")
    entering.begin_correcting(evening, number, Position.from_json(link.before.position(), evening.cards))


def back_from_history(evening: Evening) -> None:
    evening.go_back()
    compare(evening)


def table_differences(shown: Position, wanted: Position) -> tuple[Misplaced, ...]:
    """What has to be moved to get from one position to another, when no camera looks."""
    lies, belongs = expected(shown), expected(wanted)
    return tuple(
        Misplaced(slot, in_words(lies.get(slot)), in_words(content))
        for slot, content in belongs.items()
        if content is not None and lies.get(slot) != content
    )


def _put_back(evening: Evening, shown: Position) -> None:
    mode: Mode = Restoring("undo", table_differences(shown, evening.position))
    evening.show(mode)


def _link(evening: Evening, number: int) -> Link:
    if evening.record is None:
        raise ValueError("no game is being played")
    return evening.record.entry(number)

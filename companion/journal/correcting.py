"""Correcting an earlier turn: the later ones are played again after it, and those that no longer fit are named.

A turn that no longer fits is kept as it was played at the table: what it changed then is changed now, and it is marked.
So is a turn the players overruled, which no rule explains.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.journal.record import Link
from companion.rules import Cards, Position, Turn
from companion.rules.errors import RulesError
from companion.rules.revealing import play_revealing
from companion.rules.steps import EndTurn, Step


@dataclass(frozen=True)
class Replayed:
    """One entry of the corrected line."""

    number: int
    turns: tuple[str, ...]
    position: dict[str, Any]
    fits: bool = True

    def told(self) -> dict[str, Any]:
        """What the event of the correction says about it, less the position."""
        return {"number": self.number, "turns": list(self.turns), "fits": self.fits}


def corrected_entry(entry: Link, turn: Turn, after: Position) -> Replayed:
    """An entry with another turn in place of its own, which led to `after`; a second turn of the same press follows it."""
    turns, known = (str(turn), *entry.turns[1:]), entry.position()
    try:
        position = after
        for rest in turns[1:]:
            position = play_revealing(position, _whole(rest))
        return Replayed(entry.number, turns, reveal(position.to_json(), known))
    except RulesError:
        if entry.before is None:
            raise
        between = Position.from_json(entry.before.position(), after.cards).play_turn(
            Turn.parse(entry.turns[0])
        )
        kept = _merged(between.to_json(), after.to_json(), known, after.cards)
        return Replayed(entry.number, turns, kept, False)


def corrected_line(entry: Link, corrected: Replayed, later: Sequence[Link], cards: Cards) -> list[Replayed]:
    """The entry as corrected, and every later one played again after it."""
    line = [corrected]
    old_before = entry.position()
    for link in later:
        old_after = link.position()
        line.append(_again(link, old_before, line[-1].position, old_after, cards))
        old_before = old_after
    return line


def _again(
    link: Link, old_before: dict[str, Any], before: dict[str, Any], old_after: dict[str, Any], cards: Cards
) -> Replayed:
    """A turn played again from `before`, with everything that was seen beyond the rules when it was first played."""
    then, now = _played(link, old_before, cards), _played(link, before, cards)
    if now is None:
        fits = link.fits and then is None  # a turn no rule explained then is not the correction's fault
        return Replayed(link.number, link.turns, _merged(old_before, before, old_after, cards), fits)
    position = _merged(then, now, old_after, cards) if then is not None else reveal(now, old_after)
    return Replayed(link.number, link.turns, position)


def _played(link: Link, before: dict[str, Any], cards: Cards) -> dict[str, Any] | None:
    """Where the turns of an entry lead by the rules; None when they cannot be played, or nobody said what was."""
    if not link.turns:
        return None
    try:
        position = Position.from_json(before, cards)
        for turn in link.turns:
            position = play_revealing(position, _whole(turn))
    except RulesError:
        return None
    return position.to_json()


def _whole(turn: str) -> tuple[Step, ...]:
    return (*Turn.parse(turn).steps, EndTurn())


def reveal(position: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """The document with every unknown card and token filled in from one that saw the same place later.

    >>> reveal({"public": [None, "c02"]}, {"public": ["c09", "c03"]})
    {'public': ['c09', 'c02']}
    """
    filled = _filled(position, known)
    try:
        cards = [card for card in filled.get("public", ()) if card]
        if len(cards) != len(set(cards)):
            return position
    except (AttributeError, TypeError):
        return position
    result: dict[str, Any] = filled
    return result


def _filled(value: Any, known: Any) -> Any:
    if value is None and isinstance(known, str):
        return known
    if isinstance(value, dict) and isinstance(known, dict):
        return {key: _filled(old, known.get(key)) if key in _FACE_DOWN else old for key, old in value.items()}
    if isinstance(value, list) and isinstance(known, list) and len(value) == len(known):
        return [_filled(old, new) for old, new in zip(value, known, strict=True)]
    return value


_FACE_DOWN = ("public", "display", "private", "players")


def _merged(
    old_before: dict[str, Any], before: dict[str, Any], old_after: dict[str, Any], cards: Cards
) -> dict[str, Any]:
    """What the turn changed then, changed now. Should that make no position, the table as it stood after it."""
    merged: dict[str, Any] = _change(old_before, before, old_after)
    if merged.get("over") is None:
        merged.pop("over", None)
    try:
        Position.from_json(merged, cards)
    except RulesError:
        return old_after
    return merged


def _change(base: Any, mine: Any, theirs: Any) -> Any:
    """`mine` with what led from `base` to `theirs`: numbers by their difference, places one by one."""
    if theirs == base:
        return mine
    if mine == base:
        return theirs
    if isinstance(base, dict) and isinstance(mine, dict) and isinstance(theirs, dict):
        return {
            key: _change(base.get(key), mine.get(key), theirs.get(key))
            for key in dict.fromkeys((*mine, *theirs))
        }
    if all(isinstance(value, list) for value in (base, mine, theirs)) and len(base) == len(mine) == len(
        theirs
    ):
        return [_change(b, m, t) for b, m, t in zip(base, mine, theirs, strict=True)]
    if all(type(value) is int for value in (base, mine, theirs)):
        return max(0, mine + theirs - base)
    return theirs

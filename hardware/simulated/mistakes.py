"""Shows a turn wrong: picks a mistake that fits it and that no legal turn explains."""

from itertools import chain, islice
from random import Random

from companion.rules import Position, Turn, choose_turn, turns
from hardware.simulated.arrange import Placed
from hardware.simulated.contents import EMPTY, Content, Contents, contents, differing, label, lying
from hardware.simulated.layout import Layout
from hardware.simulated.pieces import BOARD_THICK_MM
from hardware.simulated.played import Played
from hardware.simulated.press import Mistake, Press
from hardware.simulated.wrong_tables import FAULT_IDS, OUT_OF_TURN, WRONGS

__all__ = ["FAULT_IDS", "OUT_OF_TURN", "WRONGS", "spoil"]
_LOOKED_AT = 20_000  # legal turns compared before a position counts as too rich to be sure of


def spoil(
    before: Position, turn: Turn, after: Position, at: Layout, rng: Random, shown: dict[str, int]
) -> Press | None:
    """The same turn shown wrong, by a fault shown least so far; None when nothing fits this turn.

    `shown` counts the faults of the game and is brought up to date.
    """
    played = Played(before, turn, after, at)
    order = sorted(FAULT_IDS, key=lambda fault: (shown.get(fault, 0), rng.random()))
    for fault in order:
        if fault == OUT_OF_TURN:
            press = _out_of_turn(before, at, rng)
        else:
            wrong = WRONGS[fault](played, rng)
            if wrong is None or not differing(played.right, wrong):
                continue
            if _explained(wrong, played):
                continue
            slots = differing(played.right, wrong)
            loose = _lying_about(played) if fault == "key-not-flipped" else ()
            press = Press(played.me, turn, before, before, wrong, Mistake(fault, slots), loose)
        if press is not None:
            shown[fault] = shown.get(fault, 0) + 1
            return press
    return None


def _lying_about(turn: Played) -> tuple[Placed, ...]:
    """The key in play, face up on a part of the board that has no space."""
    x, y, _, _ = turn.at.slot(f"{turn.colour}.key.5").rect_mm
    picture = f"key:{turn.key.key}@{turn.colour}"
    return (Placed(picture, "", turn.colour, x * 0.5, y - 12.0, 17.0, BOARD_THICK_MM),)


def _out_of_turn(before: Position, at: Layout, rng: Random) -> Press | None:
    """Another player plays a whole turn and presses."""
    others = [i for i in range(len(before.players)) if i != before.to_play]
    theirs = before._replace(to_play=rng.choice(others))
    turn = choose_turn(theirs, rng)
    wrong = contents(theirs.play_turn(turn), at)
    slots = differing(contents(before, at), wrong)
    return Press(theirs.to_play, turn, before, before, wrong, Mistake(OUT_OF_TURN, slots))


def _explained(wrong: Contents, turn: Played) -> bool:
    """Whether some legal turn, or none at all, would show the same; so do positions too rich to be sure of."""
    legal = (after for _, after in islice(turns(turn.before), _LOOKED_AT))
    looked = 0
    for after in chain((turn.before,), legal):
        looked += 1
        if _shows(after, wrong, turn):
            return True
    return looked > _LOOKED_AT


def _shows(position: Position, wrong: Contents, turn: Played) -> bool:
    """A card or token newly drawn may be any."""
    return all(
        label(content) == label(wrong[slot]) or _drawn(slot, content, wrong[slot], turn.was[slot])
        for slot, content in lying(position, turn.me)
    )


def _drawn(slot: str, one: Content, other: Content, before: Content) -> bool:
    new = slot.startswith(("colony.contract.", "colony.display."))
    return new and before not in (one, other) and EMPTY not in (one, other)

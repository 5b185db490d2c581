"""A correction: another turn in place of one that was confirmed, or a piece told by hand."""

from companion.journal.correcting import Replayed, corrected_entry, corrected_line
from companion.journal.record import Link
from companion.notices import notice
from companion.rules import Position, Turn
from companion.session.evening import Evening
from companion.session.placing import place
from companion.session.turnover import finish
from companion.state import Entering, History, Over, Playing, Restoring


def corrected(evening: Evening, number: int, turn: Turn, after: Position) -> None:
    """The turn that was entered takes the place of entry `number`; the later ones are played again after it."""
    if evening.record is None:
        raise ValueError("no game is being played")
    link = evening.record.entry(number)
    _replace(evening, link, corrected_entry(link, turn, after))
    evening.corrected_unseen = True
    evening.go_back()
    still = unfit(evening)
    if isinstance(evening.mode, History):
        evening.change(History(still, number))
    elif still:
        evening.put_over(History(still, number))
    else:
        compare(evening)
    if still:
        evening.say(notice("still-unfit", turns=", ".join(map(str, still))))


def compare(evening: Evening) -> None:
    """The table may have to follow what was corrected."""
    if not evening.corrected_unseen or isinstance(evening.mode, Entering):
        return
    evening.corrected_unseen = False
    if evening.position.over is not None:
        finish(evening)
    elif evening.camera:
        evening.show(Restoring("resume"))
    else:
        evening.show(Playing())


def tell(evening: Evening, slot: str, label: object) -> None:
    """What lies somewhere, told by hand between turns: a card nobody had seen, credits in a fist."""
    record = evening.record
    if record is None or not isinstance(evening.mode, Playing | Restoring | History | Over):
        raise ValueError("pieces are told between turns")
    position = Position.from_json(place(record.position(), slot, label), evening.cards)
    _replace(evening, record.last, Replayed(record.last.number, record.last.turns, position.to_json()))


def seen_since(evening: Evening, position: Position) -> None:
    """Cards and tokens that have turned up since the last turn belong to where it led."""
    if evening.record is not None and position != evening.position:
        last = evening.record.last
        _replace(evening, last, Replayed(last.number, last.turns, position.to_json(), last.fits))


def unfit(evening: Evening) -> tuple[int, ...]:
    record = evening.record
    return tuple(link.number for link in record.line() if not link.fits) if record else ()


def _replace(evening: Evening, link: Link, entry: Replayed) -> None:
    record, cards = evening.record, evening.cards
    assert record is not None and cards is not None
    line = record.line()
    later = line[[other.number for other in line].index(link.number) + 1 :]
    replayed = corrected_line(link, entry, later, cards)
    about = {"entry": link.number, "line": [told.told() for told in replayed]}
    evening.correct(about, [told.position for told in replayed])

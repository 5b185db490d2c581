"""What follows a turn that stands, however it was told: what it leaves to do, the last round, the podium."""

from dataclasses import replace

from companion.journal.bgstats import bgstats_link
from companion.journal.figures import ending, game_figures
from companion.journal.podium import podium
from companion.referee import Played
from companion.rules import Position
from companion.session.evening import Evening
from companion.session.reminders import after_turn
from companion.state import Over, Playing


def confirmed(evening: Evening, before: Position, verdict: Played, seen: bool) -> None:
    """The turn is in the journal: shows it, or the podium when it was the last."""
    evening.sound("played")
    if evening.position.over is not None:
        finish(evening)
        return
    reminders = after_turn(before, evening.position, seen)
    evening.state = replace(evening.state, game=replace(evening.game, reminders=reminders))
    evening.show(Playing(verdict))


def finish(evening: Evening) -> None:
    """The game is over: confirmed as such, and the podium shown."""
    podium_screen = over(evening)
    if evening.record is not None and not evening.record.ended and podium_screen.figures is not None:
        evening.step("ended", ending(evening.position.over or (), podium_screen.figures))
    evening.show(podium_screen)
    evening.sound("over")


def over(evening: Evening) -> Over:
    record, cards = evening.record, evening.cards
    assert record is not None and cards is not None
    places = podium(evening.position)
    figures = game_figures(record, cards)
    return Over(places, figures, bgstats_link(record, places, figures))

"""The one loop: a message in, the state and the effects out."""

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from companion.journal.journal import Journal
from companion.messages import (
    CameraBack,
    CameraLost,
    CannotSee,
    Effect,
    Message,
    Pressed,
    Seen,
    Tapped,
    Tick,
    UndoHeld,
    Watch,
)
from companion.notices import notice
from companion.rules import Cards
from companion.session import camera, past, setup, table, taps
from companion.session.evening import Evening, Referee, Timing
from companion.session.referee import HouseReferee
from companion.state import Settings, State


class Session:
    """The evening at one table, from set-up to podium. No thread, no clock, no camera: messages only.

    `cards` gives the cards of a pack by its name; `save_settings` keeps what people chose. `Tick` brings the time.
    """

    def __init__(
        self,
        journal: Journal,
        cards: Callable[[str], Cards],
        referee: Referee | None = None,
        settings: Settings | None = None,
        save_settings: Callable[[Settings], None] = lambda settings: None,
        camera: bool = True,
        timing: Timing | None = None,
    ) -> None:
        self._evening = Evening(
            journal,
            cards,
            referee or HouseReferee(),
            settings or Settings(),
            save_settings,
            camera,
            timing or Timing(),
        )
        self._ticked = False
        self._evening.show(setup.welcome(self._evening))
        self._evening.say_troubles()

    @property
    def state(self) -> State:
        return self._evening.state

    def handle(self, message: Message) -> tuple[Effect, ...]:
        """Everything that happens, happens here, one message after the other."""
        evening = self._evening
        match message:
            case Pressed(player):
                table.pressed(evening, player)
            case UndoHeld():
                past.undo(evening)
            case Tapped():
                taps.tapped(evening, message)
            case Seen():
                camera.seen(evening, message)
            case CannotSee():
                camera.cannot_see(evening, message)
            case Watch():
                camera.watch(evening, message)
            case CameraLost(why):
                camera.lost(evening, why)
            case CameraBack():
                camera.back(evening)
            case Tick(now_s):
                self._tick(now_s)
            case _:
                assert_never(message)
        return evening.settle()

    def _tick(self, now_s: float) -> None:
        evening = self._evening
        passed_s, evening.now_s = max(0.0, now_s - evening.now_s), max(evening.now_s, now_s)
        if not self._ticked:  # the clock may show anything when the session begins
            self._ticked, evening.tried_s, passed_s = True, now_s, 0.0
        if evening.state.game is not None:
            evening.state = replace(evening.state, game=replace(evening.state.game, now_s=evening.now_s))
        camera.tick(evening, passed_s)
        journal = evening.journal
        if journal.trouble is not None and evening.now_s - evening.tried_s >= evening.timing.retry_s:
            evening.tried_s = evening.now_s
            if journal.flush():
                evening.say(notice("journal-back"))
            evening.say_troubles()

"""The simulated table as a camera: pictures of whatever happens on it now, by a clock that is passed in."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from hardware.frame import CameraLost, Frame
from hardware.simulated.art import Art
from hardware.simulated.clutter import loose_pieces
from hardware.simulated.motion import Moment, Script
from hardware.simulated.render import Renderer, Scene
from hardware.simulated.studio import COARSE_PPM, Studio

SMALL_PX = (640, 360)


class SimulatedCamera:
    """Watches a studio. `play` sets a script going; without one the table lies still."""

    name = "simulated"

    def __init__(self, studio: Studio, clock: Callable[[], float] = time.monotonic) -> None:
        self.studio = studio
        self._clock = clock
        self._script: Script | None = None
        self._open = False
        self._taken = 0
        art = studio.renderer.art
        small = art if art.ppm <= COARSE_PPM else Art(art.layout, art.cards, COARSE_PPM)
        # Its own renderer, so that the kept table of one size does not push out that of the other.
        self._small = Renderer(small)

    def open(self) -> None:
        self._open = True

    def close(self) -> None:
        self._open = False

    def small(self, timeout_s: float = 1.0) -> Frame:
        """What the stillness watch and the screen look at."""
        self._check()
        return self._frame(self._small, SMALL_PX)

    def full(self, timeout_s: float = 3.0) -> Frame:
        self._check()
        return self._frame(self.studio.renderer, self.studio.rig.size_px)

    def play(self, script: Script) -> None:
        self._script = script

    @property
    def moving(self) -> bool:
        """Whether a hand is still over the table."""
        return self._script is not None and self._clock() < self._script.end_s

    def _check(self) -> None:
        if not self._open:
            raise CameraLost("the simulated camera is not open; call open() first")

    def _now(self) -> Moment:
        if self._script is None:
            studio = self.studio
            return Moment(dict(studio.poses), studio.placed, (), studio.rig)
        return self._script.moment(self._clock())

    def _frame(self, renderer: Renderer, size_px: tuple[int, int]) -> Frame:
        now_s = self._clock()
        moment = self._now()
        studio = self.studio
        beside = loose_pieces(studio.layout, studio.things, moment.poses)
        napkins = studio.napkins() if not moment.hands else ()
        scene = Scene(
            moment.poses,
            (*moment.placed, *beside),
            studio.things,
            moment.carried,
            moment.hands,
            napkins,
            studio.seed,
        )
        self._taken += 1
        rig = replace(moment.rig, size_px=size_px)
        bgr: NDArray[Any] = renderer.render(scene, rig, studio.conditions, self._taken).bgr
        return Frame(bgr, now_s, {"camera": self.name, "light": studio.conditions.light})

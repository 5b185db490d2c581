"""A picture that is painted on: the next one is drawn only where it differs from the last.

A table changes little from one frame to the next. Every stroke changes pixels of its own window alone and knows nothing of
others, so that a part drawn anew is, bit for bit, the part of a whole drawn anew.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from hardware.simulated.layers import Layers, Window

Stroke = TypeVar("Stroke", bound=Hashable)


class Painting(Generic[Stroke]):
    """Strokes on a ground, later ones over earlier ones."""

    def __init__(self, ground: Layers, draw: Callable[[Layers, Stroke], None]) -> None:
        self._ground = ground
        self._draw = draw
        self._layers = ground.copy()
        self._strokes: tuple[Stroke, ...] = ()
        self._reach: dict[Stroke, Window | None] = {}  # what each stroke may change

    def show(self, strokes: Sequence[Stroke]) -> Layers:
        """The layers with these strokes. They are the painting's own: whoever draws on them takes a copy."""
        strokes = tuple(strokes)
        if strokes == self._strokes:
            return self._layers
        staying = set(strokes) & set(self._strokes)
        in_order = [one for one in strokes if one in staying] == [
            one for one in self._strokes if one in staying
        ]
        if in_order and staying:
            self._mend(strokes, staying)
        else:
            self._layers = self._ground.copy()
            self._reach = {one: self._put(self._layers, one) for one in strokes}
        self._strokes = strokes
        return self._layers

    def _mend(self, strokes: tuple[Stroke, ...], staying: set[Stroke]) -> None:
        """Draws what touches a stroke that came or went on fresh ground, and takes over the windows of those strokes."""
        fresh = self._ground.copy()
        gone = [self._reach.pop(one) for one in set(self._strokes) - staying]
        for one in strokes:
            if one not in staying:
                # Tried out to see how far it reaches, and wiped off again.
                self._reach[one] = self._put(fresh, one)
        came = [self._reach[one] for one in strokes if one not in staying]
        spoilt = [window for window in (*gone, *came) if window is not None]
        for window in spoilt:
            fresh.take(self._ground, window)
        for one in strokes:
            reach = self._reach[one]
            if reach is not None and any(_overlap(reach, window) for window in spoilt):
                self._draw(fresh, one)
        for window in spoilt:
            self._layers.take(fresh, window)

    def _put(self, layers: Layers, stroke: Stroke) -> Window | None:
        layers.touched = None
        self._draw(layers, stroke)
        return layers.touched


def _overlap(one: Window, other: Window) -> bool:
    return all(a.start < b.stop and b.start < a.stop for a, b in zip(one, other, strict=True))

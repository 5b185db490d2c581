"""A keyboard in place of the buttons: 1 to 4 are the players, Backspace held is undo. Somebody else reads the keys."""

from collections.abc import Callable

PLAYER_KEYS = ("1", "2", "3", "4")
UNDO_KEY = "backspace"


class Keyboard:
    """Fed with the window's key events; a key that repeats while it is held counts once."""

    def __init__(
        self, on_press: Callable[[int], None], on_undo: Callable[[], None], hold_s: float = 2.0
    ) -> None:
        self._on_press = on_press
        self._on_undo = on_undo
        self._hold_s = hold_s
        self._down: set[str] = set()
        self._undo_since_s: float | None = None

    def key_down(self, key: str, now_s: float) -> bool:
        """Whether the key is one of ours."""
        key = key.removeprefix("numpad")
        if key not in (*PLAYER_KEYS, UNDO_KEY):
            return False
        if key not in self._down:
            self._down.add(key)
            if key == UNDO_KEY:
                self._undo_since_s = now_s
            else:
                self._on_press(PLAYER_KEYS.index(key))
        self.tick(now_s)
        return True

    def key_up(self, key: str) -> None:
        key = key.removeprefix("numpad")
        self._down.discard(key)
        if key == UNDO_KEY:
            self._undo_since_s = None

    def tick(self, now_s: float) -> None:
        """To be called now and then: undo happens while the key is still held, like the button's."""
        if self._undo_since_s is not None and now_s - self._undo_since_s >= self._hold_s:
            self._undo_since_s = None
            self._on_undo()

"""Set-up: players with a name, a mark and a colour; then the rules; then the table."""

from kivy.properties import ObjectProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.ui.kv import load_kv
from companion.ui.pen import Painted, Pen, inset
from companion.ui.theme import theme
from companion.ui.widgets import Panel, Tap, tap
from companion.view.screens import Choice, Player, SeatRow


class PlayersView(BoxLayout):
    screen = ObjectProperty(None, rebind=True)


class SeatView(Panel):
    """One seat: mark, name, colours to choose from, who starts, and the order."""

    value = ObjectProperty(None, rebind=True)


class SeatMark(Painted):
    def paint(self, pen: Pen) -> None:
        seat: SeatRow = self.value
        pen.icon(seat.player.mark, inset(self.box, 6 * theme.u), seat.player.colour)


class ColourTap(ButtonBehavior, Painted):
    """A colour with its mark; the chosen one is filled, one that is taken is faint."""

    def paint(self, pen: Pen) -> None:
        player, choice = self._value
        side = min(self.width, self.height) - 6 * theme.u
        spot = (self.center_x - side / 2, self.center_y - side / 2, side, side)
        if choice.chosen:
            pen.icon("disc", spot, player.colour)
            pen.icon(player.mark, inset(spot, side * 0.2), "mark_ink")
        else:
            pen.icon("ring", spot, player.colour if choice.enabled else "line")
            pen.icon(player.mark, inset(spot, side * 0.24), player.colour if choice.enabled else "line")

    def on_release(self) -> None:
        tap(self, self._value[1])

    @property
    def _value(self) -> tuple[Player, Choice]:
        player, choice = self.value
        return player, choice


class NameTap(Tap):
    """Opens the keyboard; the name that was typed goes out as the choice's value."""

    def narrow_at(self, choice: Choice, width: float) -> bool:
        """A name stays beside its pencil, smaller when it is long."""
        return False


load_kv("setup")

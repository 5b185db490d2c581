"""What is shown: `draw(state)` gives a screen as plain values in the players' language. No Kivy in here."""

from companion.view.box import Box
from companion.view.draw import draw
from companion.view.screens import Screen

__all__ = ["Box", "Screen", "draw"]

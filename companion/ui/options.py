"""Rules and settings: one row for each, the values to choose from at its right."""

from kivy.properties import ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.ui.kv import load_kv
from companion.ui.widgets import Panel


class OptionsView(BoxLayout):
    screen = ObjectProperty(None, rebind=True)


class OptionView(Panel):
    value = ObjectProperty(None, rebind=True)


load_kv("options")

"""The window's content: whichever screen is up, drawn again only where its value changed."""

from collections.abc import Callable
from typing import Any

from kivy.core.window import Window
from kivy.uix.floatlayout import FloatLayout

from companion.ui.table import TableView
from companion.ui.theme import theme
from companion.view.screens import Choice, Screen, TableScreen

VIEWS: dict[type[Any], type[Any]] = {TableScreen: TableView}


class Stage(FloatLayout):
    """Shows one Screen at a time. `on_choice` hears every finger."""

    def __init__(self, on_choice: Callable[[Choice], None], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._on_choice = on_choice
        self._views: dict[type[Any], Any] = {}
        self.screen: Screen | None = None
        Window.bind(size=self._fit)
        theme.fbind("background", self._ground)
        self._fit()
        self._ground()

    def show(self, screen: Screen) -> None:
        """Draws a screen. A view that is up stays up and hears only of what changed."""
        if screen == self.screen:
            return
        self.screen = screen
        kind = type(screen)
        view = self._views.get(kind)
        if view is None:
            view = self._views[kind] = VIEWS[kind](screen=screen)
        else:
            view.screen = screen
        if view.parent is None:
            self.clear_widgets()
            self.add_widget(view)

    def chosen(self, choice: Choice) -> None:
        self._on_choice(choice)

    def _fit(self, *_: object) -> None:
        theme.fit(*Window.size)

    def _ground(self, *_: object) -> None:
        Window.clearcolor = theme.background

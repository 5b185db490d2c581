"""The window's content: whichever screen is up, drawn again only where its value changed."""

from collections.abc import Callable
from typing import Any, Final

from kivy.core.window import Window
from kivy.uix.floatlayout import FloatLayout

from companion import actions
from companion.ui.boards import CheckView
from companion.ui.calibration import CalibrationView
from companion.ui.entering import EnteringView
from companion.ui.fault import FaultView
from companion.ui.lists import HistoryView, PastGamesView
from companion.ui.options import OptionsView
from companion.ui.overlays import Keyboard, NoticeView, Sheet
from companion.ui.podium import PodiumView
from companion.ui.question import QuestionView
from companion.ui.setup import PlayersView
from companion.ui.table import TableView
from companion.ui.theme import theme
from companion.ui.verdict import VerdictView
from companion.ui.welcome import WelcomeView
from companion.ui.widgets import start_over
from companion.view.screens import (
    CalibrationScreen,
    CheckScreen,
    Choice,
    EnteringScreen,
    FaultScreen,
    HistoryScreen,
    OptionsScreen,
    PastGamesScreen,
    PlayersScreen,
    PodiumScreen,
    QuestionScreen,
    RestoringScreen,
    Screen,
    TableScreen,
    VerdictScreen,
    WelcomeScreen,
)

VIEWS: Final[dict[type[Any], type[Any]]] = {
    WelcomeScreen: WelcomeView,
    PlayersScreen: PlayersView,
    OptionsScreen: OptionsView,
    CheckScreen: CheckView,
    TableScreen: TableView,
    VerdictScreen: VerdictView,
    QuestionScreen: QuestionView,
    FaultScreen: FaultView,
    RestoringScreen: CheckView,
    EnteringScreen: EnteringView,
    PodiumScreen: PodiumView,
    HistoryScreen: HistoryView,
    PastGamesScreen: PastGamesView,
    CalibrationScreen: CalibrationView,
}


class Stage(FloatLayout):
    """Shows one Screen at a time. `on_choice` hears every finger, sheets and the keyboard excepted."""

    def __init__(self, on_choice: Callable[[Choice], None], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._on_choice = on_choice
        self._view: Any = None
        # Kept: making a view takes several times as long as filling one that was shown before.
        self._views: dict[type[Screen], Any] = {}
        self._notice: NoticeView | None = None
        self._overlay: Any = None
        self.screen: Screen | None = None
        Window.bind(size=self._fit)
        theme.fbind("background", self._ground)
        self._fit()
        self._ground()

    def show(self, screen: Screen) -> None:
        """Draws a screen. A view that is up stays up and hears only of what changed."""
        if screen == self.screen:
            return
        before, self.screen = self.screen, screen
        if self._view is not None and type(before) is type(screen):
            self._view.screen = screen
        else:
            self.close()
            self.clear_widgets()
            self._notice = None
            self._view = self._view_of(screen)
            self.add_widget(self._view)
        self._show_notice(screen)

    def _view_of(self, screen: Screen) -> Any:
        """A view that starts at its beginning: lists at the top, the first tab open."""
        view = self._views.get(type(screen))
        if view is not None:
            view.screen = screen
            start_over(view)
            return view
        return self._make(screen)

    def prepare(self, screen: Screen) -> bool:
        """Makes the view of a kind of screen before it is asked for; False when it was made already.

        It is laid out and painted at the window's size by the next frames, so that letters and icons are there too.
        """
        if type(screen) in self._views:
            return False
        self._make(screen).size = self.size
        return True

    @property
    def kept(self) -> int:
        """How many kinds of screen have been made so far."""
        return len(self._views)

    def _make(self, screen: Screen) -> Any:
        view = self._views[type(screen)] = VIEWS[type(screen)](screen=screen)
        if isinstance(view, TableView):
            view.bind(on_moved=lambda _: self._place_notice())
        return view

    def chosen(self, choice: Choice) -> None:
        """A finger chose: options open a sheet, a name opens the keyboard, all else goes out."""
        if choice.options:
            self._open(Sheet(self._on_choice, self.close, title=choice.text, options=list(choice.options)))
        elif choice.action == actions.NAME_SEAT and isinstance(self.screen, PlayersScreen):
            done = Choice(self.screen.name_done, "done", icon="check", tone="strong")
            self._open(
                Keyboard(
                    self._on_choice,
                    self.close,
                    prompt=self.screen.name_prompt,
                    done_choice=done,
                    choice=choice,
                )
            )
        else:
            self._on_choice(choice)

    def close(self) -> None:
        """Puts away the sheet or the keyboard."""
        if self._overlay is not None:
            self.remove_widget(self._overlay)
            self._overlay = None

    def _open(self, overlay: Any) -> None:
        self.close()
        self._overlay = overlay
        self.add_widget(overlay)

    def _show_notice(self, screen: Screen) -> None:
        bar = getattr(screen, "bar", None)
        notice = bar.notice if bar is not None else getattr(screen, "notice", None)
        if notice is None:
            if self._notice is not None:
                self.remove_widget(self._notice)
                self._notice = None
            return
        if self._notice is None:
            self._notice = NoticeView(self._on_choice, size_hint=(None, None))
            self.add_widget(self._notice)
        self._notice.value = notice
        self._place_notice()

    def _place_notice(self) -> None:
        """Where it hides least: over the last turn on the table, else above the choices at the foot."""
        if self._notice is None:
            return
        edge = 8 * theme.u
        if isinstance(self._view, TableView):
            last = self._view.ids.last
            self._notice.pos = last.pos
            self._notice.size = (last.width, max(last.height, self._notice.high(last.width)))
            return
        width = Window.width - 2 * edge
        self._notice.size = (width, max(52 * theme.u, self._notice.high(width)))
        foot = 54 * theme.u + edge if getattr(self.screen, "choices", ()) else 0
        self._notice.pos = (edge, edge + foot)

    def do_layout(self, *args: Any, **kwargs: Any) -> None:
        super().do_layout(*args, **kwargs)
        self._place_notice()

    def _fit(self, *_: object) -> None:
        turned = theme.portrait
        # What is not seen need not follow the window through every size: it is made anew when it is wanted.
        if self._view is not None and tuple(Window.size) != tuple(self._view.size):
            self._views = {kind: view for kind, view in self._views.items() if view is self._view}
        theme.fit(*Window.size)
        if turned != theme.portrait:
            self._turn()
        self._place_notice()

    def _turn(self) -> None:
        """A screen that was turned is made anew: rows become columns, and nothing of the old shape stays behind."""
        shown, self.screen = self.screen, None
        self._views.clear()
        self._view = None
        if shown is not None:
            self.show(shown)

    def _ground(self, *_: object) -> None:
        Window.clearcolor = theme.background

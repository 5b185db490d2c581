"""The table screen: the race to 18, whose turn it is, and what the colony offers."""

from typing import Any, Final

from kivy.properties import ObjectProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.ui.kv import load_kv
from companion.ui.pen import Box, Painted, Pen, columns, inset, letter, rows, split_left, split_top
from companion.ui.theme import BODY, CAPTION, SCORE, theme
from companion.ui.widgets import paint_glyph, paint_glyphs, paint_player, tap
from companion.view.screens import (
    Contract,
    Gauge,
    Key,
    Player,
    PlayerCard,
    Race,
    SponsorTile,
    Store,
    StoreColumn,
)

_DIGIT_HIGH: Final = 0.711  # of the font size
_WIDE_CARD: Final = 300  # units from which keys stand beside the score


class TableView(BoxLayout):
    """`on_moved` tells whoever lies over the last turn that it went elsewhere."""

    __events__ = ("on_moved",)
    screen = ObjectProperty(None, rebind=True)

    def moved(self) -> None:
        self.dispatch("on_moved")

    def on_moved(self) -> None:
        """Nothing by itself."""


class PlayerCardView(Painted):
    """Name, score in digits that read across the room, keys, technicians, money."""

    def paint(self, pen: Pen) -> None:
        card: PlayerCard = self.value
        u = theme.u
        pen.panel(self.box, "raised" if card.to_play else "surface", 12 * u)
        if card.to_play:
            x, y, _, height = self.box
            pen.panel((x, y + 12 * u, 5 * u, height - 24 * u), card.player.colour, 2 * u)
        inside = inset(self.box, 10 * u, 7 * u)
        name, inside = split_top(inside, 26 * u)
        self._name(pen, name, card)
        x, y, width, height = inside
        wide = self.width >= _WIDE_CARD * u
        score_wide = min(150 * u, width - 40 * u)
        low = 0 if wide else min(28 * u, width / 6.6)
        score, side = split_left((x, y + low, width, height - low), score_wide, (16 if wide else 0) * u)
        pen.text(
            score, str(card.score), SCORE / theme.text_scale, "text", True, shrink=False, check_height=False
        )
        if wide:
            keys, side = split_top(side, 40 * u, 4 * u)
            paint_keys(pen, keys, card.keys, card.player.colour)
            purse, gauges = split_left(side, 58 * u, 6 * u)
            self._purse(pen, purse, card)
            paint_gauges(pen, gauges, card.gauges)
        else:
            paint_keys(pen, (x, y, width, low), card.keys, card.player.colour)
            self._column(pen, side, card)

    def _column(self, pen: Pen, box: Box, card: PlayerCard) -> None:
        """Money and technicians, one above the other, where there is no room for words."""
        u = theme.u
        lines = [("credit", card.credits, "gold"), ("battery", card.batteries, "good")]
        lines += [(gauge.icon, gauge.value, "muted") for gauge in card.gauges]
        for line, (icon, amount, ink) in zip(rows(box, len(lines), 1 * u), lines, strict=True):
            icon_box, words = split_left(line, 17 * u, 3 * u)
            pen.icon(icon, icon_box, ink)
            pen.text(words, amount, 17, "text", True, check_height=False)

    def _name(self, pen: Pen, box: Box, card: PlayerCard) -> None:
        u = theme.u
        if card.first:
            x, y, width, height = box
            pen.icon("flag", (x + width - 18 * u, y, 16 * u, height), "muted")
            box = (x, y, width - 22 * u, height)
        paint_player(pen, box, card.player, 20)

    def _purse(self, pen: Pen, box: Box, card: PlayerCard) -> None:
        u = theme.u
        for line, (icon, amount, ink) in zip(
            rows(inset(box, 0, 4 * u), 2, 2 * u),
            (("credit", card.credits, "gold"), ("battery", card.batteries, "good")),
            strict=True,
        ):
            icon_box, words = split_left(line, 20 * u, 4 * u)
            pen.icon(icon, icon_box, ink)
            pen.text(words, amount, BODY, "text", True)


def paint_keys(pen: Pen, box: Box, keys: tuple[Key, ...], colour: str) -> None:
    """Keys as coins: filled on the board, an empty ring when played. Neutral ones are square."""
    u = theme.u
    gap = 3 * u
    side = min(box[3], (box[2] - gap * (len(keys) - 1)) / max(1, len(keys)), 34 * u)
    x, y, _, height = box
    for at, key in enumerate(keys):
        spot = (x + at * (side + gap), y + (height - side) / 2, side, side)
        units = side / u / theme.text_scale * 0.62
        if key.available:
            pen.icon("tile" if key.label == "N" else "disc", spot, colour)
            ink = "mark_ink"
        else:
            pen.icon("ring", spot, "line")
            ink = "muted"
        pen.text(
            spot,
            "X" if key.label == "N" else key.label,
            units,
            ink,
            True,
            "center",
            shrink=False,
            check_height=False,
        )


def paint_gauges(pen: Pen, box: Box, gauges: tuple[Gauge, ...]) -> None:
    """Technicians: what they can do now, three dots for how often they were improved, and who they are."""
    u = theme.u
    room = box[2] - 101 * u
    named = all(letter(gauge.name, room, None, theme.sp(CAPTION)).fits for gauge in gauges)
    for cell, gauge in zip(rows(box, len(gauges), 2 * u), gauges, strict=True):
        icon_box, rest = split_left(cell, 20 * u, 5 * u)
        pen.icon(gauge.icon, icon_box, "muted")
        number, dots = split_left(rest, 14 * u, 6 * u)
        pen.text(number, gauge.value, BODY, "text", True)
        for dot, spot in enumerate(columns((dots[0], dots[1], 42 * u, dots[3]), 3, 2 * u)):
            side = 10 * u
            small = (spot[0], spot[1] + (spot[3] - side) / 2, side, side)
            pen.icon(
                "disc" if dot < gauge.steps else "ring", small, "accent" if dot < gauge.steps else "muted"
            )
        name = (dots[0] + 50 * u, dots[1], dots[2] - 50 * u, dots[3])
        if named:
            pen.text(name, gauge.name, CAPTION, "muted")


class RaceView(Painted):
    """One lane of bubbles from 0 to the goal, each player's mark where it stands."""

    def paint(self, pen: Pen) -> None:
        race: Race = self.value
        u = theme.u
        x, y, width, height = inset(self.box, 14 * u, 0)
        last = max([race.goal, *(score for _, score in race.runners)])
        step = (width - 46 * u) / last
        mid = y + height / 2
        start = x + 4 * u
        pen.ink("line")
        pen.panel((start, mid - 2 * u, step * last, 4 * u), "line", 2 * u)
        for at in range(last + 1):
            big = at % 5 == 0 or at == race.goal
            side = (9 if big else 6) * u
            pen.icon(
                "disc", (start + at * step - side / 2, mid - side / 2, side, side), "muted" if big else "line"
            )
        flag = 22 * u
        pen.icon("flag", (start + race.goal * step - 3 * u, mid, flag, flag), "accent")
        # Beyond the goal the lane goes on: the number then stands above it, beside its flag.
        rise = 3 * u if last > race.goal else -8 * u
        label = (start + race.goal * step + 19 * u, mid + rise, 26 * u, 16 * u)
        pen.text(label, str(race.goal), 15, "accent", True, check_height=False)
        here: dict[int, list[Player]] = {}
        for player, score in race.runners:
            here.setdefault(score, []).append(player)
        for score, players in here.items():
            self._runners(pen, start + score * step, mid, players, min(step * 1.6, 30 * u, height - 4 * u))

    def _runners(self, pen: Pen, x: float, mid: float, players: list[Player], side: float) -> None:
        spread = side * 0.9
        left = x - spread * (len(players) - 1) / 2
        left = max(left, self.x + side / 2 + 2 * theme.u)
        for at, player in enumerate(players):
            centre = left + at * spread
            ring = side + 4 * theme.u
            pen.icon("disc", (centre - ring / 2, mid - ring / 2, ring, ring), "background")
            pen.icon("disc", (centre - side / 2, mid - side / 2, side, side), player.colour)
            mark = side * 0.66
            pen.icon(player.mark, (centre - mark / 2, mid - mark / 2, mark, mark), "mark_ink")


class StoreView(Painted):
    """The Store: for each colour what a sale brings and what buying costs, plain and with the upgraded Trader."""

    def paint(self, pen: Pen) -> None:
        store: Store = self.value
        u = theme.u
        pen.panel(self.box, "surface", 12 * u)
        inside = inset(self.box, 10 * u, 7 * u)
        captions, body = split_left(inside, min(86 * u, inside[2] * 0.3), 6 * u)
        head = min(46 * u, inside[3] * 0.32)
        title, captions = split_top(captions, head)
        pen.text(title, store.title, BODY, "text", True, wrap=True)
        for line, (icon, text, ink) in zip(
            rows(captions, 3),
            (
                ("credit", store.sell, "gold"),
                ("prestige", store.prestige, "accent"),
                ("credit", store.buy, "gold"),
            ),
            strict=True,
        ):
            icon_box, words = split_left(line, 16 * u, 5 * u)
            pen.icon(icon, icon_box, ink)
            pen.text(words, text, CAPTION, "muted")
        for cell, column in zip(columns(body, len(store.columns), 4 * u), store.columns, strict=True):
            top, amounts = split_top(cell, head)
            self._stock(pen, top, column)
            for line, (plain, plus, star) in zip(
                rows(amounts, 3),
                (
                    (column.sell, column.sell_plus, False),
                    (column.prestige, column.prestige_plus, True),
                    (column.buy, column.buy_plus, False),
                ),
                strict=True,
            ):
                self._amount(pen, line, plain, plus, star)

    def _stock(self, pen: Pen, box: Box, column: StoreColumn) -> None:
        u = theme.u
        side = min(30 * u, box[3] * 0.8)
        spot, pips = split_left(box, side, 4 * u)
        pen.cube(column.resource, spot, column.letter)
        for at, pip in enumerate(rows(inset(pips, 0, 3 * u), column.rows, 2 * u)):
            small = (pip[0], pip[1], min(pip[2], 13 * u), pip[3])
            filled = at < column.filled
            pen.panel(small, "text" if filled else "line", 2 * u)

    def _amount(self, pen: Pen, box: Box, plain: str, plus: str, star: bool) -> None:
        """The plain amount large, the upgraded one behind a small plus."""
        u = theme.u
        left, right = split_left(box, box[2] * 0.42, 0)
        if star and plain:
            pen.panel(inset(box, 0, 1.5 * u), "accent", 6 * u)
            pen.text(inset(left, 5 * u, 0), plain, 18, "accent_ink", True)
            pen.text(right, f"+{plus}" if plus else "", 14, "accent_ink")
            return
        pen.text(inset(left, 5 * u, 0), plain or "–", 18, "text" if plain else "muted", True)
        if plus:
            x, y, width, height = right
            pen.icon("upgrade", (x, y, 9 * u, height), "muted")
            pen.text((x + 12 * u, y, width - 12 * u, height), plus, 15, "muted")


class SponsorsView(Painted):
    """The five sponsors by level, each with what it does."""

    title = ObjectProperty("")

    def paint(self, pen: Pen) -> None:
        tiles: tuple[SponsorTile, ...] = self.value
        u = theme.u
        pen.panel(self.box, "surface", 12 * u)
        inside = inset(self.box, 10 * u, 6 * u)
        for line, tile in zip(rows(inside, len(tiles), 1 * u), tiles, strict=True):
            level, rest = split_left(line, 20 * u, 6 * u)
            side = min(20 * u, line[3])
            spot = (level[0], level[1] + (level[3] - side) / 2, side, side)
            pen.icon("disc", spot, "warn" if tile.moved else "line")
            pen.text(
                spot,
                str(tile.level),
                14,
                "mark_ink" if tile.moved else "text",
                True,
                "center",
                check_height=False,
            )
            icon_box, words = split_left(rest, 20 * u, 7 * u)
            pen.icon(tile.icon, icon_box, "warn" if tile.moved else "accent")
            pen.text(words, tile.text, 15, "text", wrap=True)


class ContractsView(ButtonBehavior, Painted):
    """Public contracts as cards; the marks below are the players who can complete them now.

    A card nobody has shown yet is told by a touch.
    """

    def __init__(self, **kwargs: Any) -> None:
        self._spots: list[tuple[Box, Contract]] = []
        super().__init__(**kwargs)

    def paint(self, pen: Pen) -> None:
        cards: tuple[Contract, ...] = self.value
        u = theme.u
        gap = 6 * u
        tall = self.height > self.width * 0.9
        cells = rows(self.box, len(cards), gap) if tall else columns(self.box, len(cards), gap)
        self._spots = list(zip(cells, cards, strict=True))
        for cell, card in self._spots:
            self._card(pen, cell, card)

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is self:
            for (x, y, width, height), card in self._spots:
                if card.choice and x <= touch.x <= x + width and y <= touch.y <= y + height:
                    tap(self, card.choice)
                    break
        return bool(super().on_touch_up(touch))

    def _card(self, pen: Pen, box: Box, card: Contract) -> None:
        u = theme.u
        pen.panel(box, "surface", 10 * u)
        if card.payable:
            pen.outline(inset(box, 1.5 * u), "accent", 2.5, 9 * u)
        inside = inset(box, 7 * u, 6 * u)
        if card.empty:
            pen.text(inside, card.empty, CAPTION, "muted", False, "center", wrap=True)
            return
        head, body = split_top(inside, 28 * u, 2 * u)
        star, rest = split_left(head, 20 * u, 3 * u)
        pen.icon("prestige", star, "gold")
        pen.text(rest, card.points, 24, "text", True, check_height=False)
        bonus = (rest[0] + rest[2] - 20 * u, rest[1], 20 * u, rest[3])
        for spot, glyph in zip(rows(bonus, len(card.bonus)), card.bonus, strict=True):
            paint_glyph(pen, spot, glyph)
        cubes, foot = split_top(body, body[3] - 26 * u, 2 * u)
        self._need(pen, cubes, card)
        side = min(foot[3], foot[2] / max(1, len(card.payable)) - 1 * u)
        if foot[2] - len(card.payable) * (side + 1 * u) > 26 * u:
            pen.text(foot, card.id, 13, "muted", False, "right")
        for at, player in enumerate(card.payable):
            spot = (foot[0] + at * (side + 1 * u), foot[1] + (foot[3] - side) / 2, side, side)
            pen.icon("disc", spot, player.colour)
            pen.icon(player.mark, inset(spot, side * 0.16), "mark_ink")

    def _need(self, pen: Pen, box: Box, card: Contract) -> None:
        """The cubes, in as few lines as leave them large. Free numbers are wider than cubes."""
        u = theme.u
        free = any(not glyph.cube for glyph in card.need)
        count = len(card.need)
        per_line = max(1, min(count, int(box[2] // ((46 if free else 27) * u))))
        lines = [card.need[at : at + per_line] for at in range(0, count, per_line)]
        high = min(box[3] / max(1, len(lines)) - 2 * u, 28 * u)
        top = box[1] + (box[3] + (high + 2 * u) * len(lines)) / 2
        for at, glyphs in enumerate(lines):
            paint_glyphs(
                pen, (box[0], top - (at + 1) * (high + 2 * u), box[2], high), glyphs, 3, centre=False
            )


class LastView(ButtonBehavior, Painted):
    """The last turn in words; above it, what must not be forgotten."""

    def paint(self, pen: Pen) -> None:
        screen = self.value
        u = theme.u
        more = len(screen.reminders) - (0 if screen.alert else 1)
        urgent = screen.alert or "".join(screen.reminders[:1])
        if urgent and more > 0:
            urgent += f" (+{more})"
        pen.panel(self.box, "warn" if urgent else "surface", 12 * u)
        inside = inset(self.box, 12 * u, 4 * u)
        if urgent:
            icon_box, words = split_left(inside, 22 * u, 8 * u)
            pen.icon("flag" if screen.alert else "history", icon_box, "mark_ink")
            pen.text(words, urgent, BODY, "mark_ink", True, wrap=True)
            return
        if screen.last_player:
            icon_box, inside = split_left(inside, 24 * u, 8 * u)
            pen.icon(screen.last_player.mark, icon_box, screen.last_player.colour)
        pen.text(inside, screen.last[:1].upper() + screen.last[1:], BODY, "text", wrap=True)

    def on_release(self) -> None:
        if self.value.tell is not None:
            tap(self, self.value.tell)


load_kv("table")

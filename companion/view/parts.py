"""What several screens share: players and their marks, the bar, the camera's status, cards of the table."""

from collections.abc import Sequence
from typing import Final

from companion import actions
from companion.messages import Watching
from companion.notices import SENTENCES
from companion.rules import Player as Seated
from companion.rules import Position
from companion.rules.settings import COLOURS, SURFACE
from companion.state import Seat, State
from companion.view.language import N_, Say, speaker
from companion.view.placing import unknown
from companion.view.screens import (
    Bar,
    Choice,
    Contract,
    Gauge,
    Glyph,
    Key,
    Player,
    PlayerCard,
    Race,
    SponsorTile,
    Status,
    Store,
    StoreColumn,
)
from companion.view.whys import undone_words, why_words
from companion.view.words import RESOURCE, initial, resource

# A colour keeps its mark over all games, so that a regular player knows it. Other colours take what is left.
MARKS: Final = {"red": "fish", "blue": "anchor", "green": "shell", "yellow": "jelly"}
_SPARE: Final = ("fish", "anchor", "shell", "jelly")

_WATCHING: Final[dict[Watching, str]] = {
    "off": N_("Camera off"),
    "watching": N_("Watching"),
    "hand": N_("Hand seen"),
    "still": N_("Still"),
    "reading": N_("Reading"),
}
_SPONSORS: Final = {  # tile -> (icon, what it does)
    "1": ("credit", N_("1 credit")),
    "1a": ("free", N_("Diver costs no credits")),
    "2": ("double", N_("Diver's effect twice")),
    "2a": ("reward", N_("Use a reward here")),
    "3": ("key", N_("Take back a key")),
    "3a": ("resurface", N_("Level 5 resurfaces")),
    "4": ("upgrade", N_("Upgrade: 2 credits")),
    "4a": ("upgrade", N_("Surface upgrade: 2 credits")),
    "5": ("battery", N_("1 battery")),
    "5a": ("move", N_("1 battery, or move a cube")),
}
_BONUS: Final = {"c": Glyph("credit", colour="gold"), "b": Glyph("battery", colour="good")}


def voice(state: State) -> Say:
    return speaker(state.settings.language)


def mark_of(colour: str, colours: Sequence[str]) -> str:
    """A player's mark; two players never share one."""
    if colour in MARKS:
        return MARKS[colour]
    strangers = [name for name in colours if name not in MARKS]
    free = [mark for mark in _SPARE if mark not in {MARKS.get(name) for name in colours}]
    return free[strangers.index(colour) % len(free)]


def player_of(position: Position, seat: int) -> Player:
    colours = [player.colour for player in position.players]
    player = position.players[seat]
    return Player(player.name, mark_of(player.colour, colours), player.colour)


def players_of(position: Position) -> tuple[Player, ...]:
    return tuple(player_of(position, seat) for seat in range(len(position.players)))


def seated(names: Sequence[str], colours: Sequence[str]) -> tuple[Player, ...]:
    return tuple(
        Player(name, mark_of(colour, colours), colour) for name, colour in zip(names, colours, strict=True)
    )


def seat_players(seats: Sequence[Seat]) -> tuple[Player, ...]:
    return seated([seat.name for seat in seats], [seat.colour for seat in seats])


def status(state: State) -> Status:
    say = voice(state)
    if state.camera_trouble:
        return Status("off", say("No camera: play by touch"), True)
    return Status(state.watching, say(_WATCHING[state.watching]))


def notice(state: State) -> Choice | None:
    """The session's one sentence; a tap puts it away."""
    say = voice(state)
    if state.said is not None:
        # A turn that was just taken back was played from where the game stands now.
        before = state.game.position if state.game and state.said.id == "undone" else None
        values = {name: _filling(say, name, value, before) for name, value in state.said.values}
        return Choice(say(SENTENCES[state.said.id], **values), actions.DISMISS, icon="cross")
    return Choice(state.notice, actions.DISMISS, icon="cross") if state.notice else None


def _filling(say: Say, name: str, value: str, before: Position | None) -> str:
    """What fills a notice: reasons and turns come in English, all else is the same in every language."""
    if name == "why":
        return why_words(say, value)
    return undone_words(say, value, before) if name == "step" else value


def bar(
    state: State,
    title: str,
    detail: str = "",
    player: Player | None = None,
    back: str | None = actions.BACK,
    choices: tuple[Choice, ...] = (),
    with_status: bool = True,
) -> Bar:
    """The top of a screen; `back` is the action of the arrow, None for no arrow."""
    arrow = Choice(action=back, icon="back", tone="quiet") if back else None
    return Bar(title, detail, player, arrow, status(state) if with_status else None, choices, notice(state))


# --- the table ----------------------------------------------------------------------------------------
def cards_of(state: State, position: Position) -> tuple[PlayerCard, ...]:
    best = max(player.score for player in position.players)
    over = position.over is not None
    return tuple(
        PlayerCard(
            player_of(position, seat),
            player.score,
            not over and seat == position.to_play,
            seat == position.first,
            player.score == best > 0,
            keys_of(player),
            gauges_of(voice(state), position, player),
            str(player.credits),
            str(player.batteries),
        )
        for seat, player in enumerate(position.players)
    )


def keys_of(player: Seated) -> tuple[Key, ...]:
    own = tuple(Key(str(label), label in player.keys) for label in (1, 2, 3, 4, 5, "X"))
    return own + (Key("N", True),) * player.neutral_x


def gauges_of(say: Say, position: Position, player: Seated) -> tuple[Gauge, ...]:
    recover = position.rules.keys_to_recover - player.hacker
    return (
        Gauge("hacker", player.hacker, str(recover), say("Hacker")),
        Gauge("mechanic", player.mechanic, str(position.rules.mechanic[player.mechanic]), say("Mechanic")),
    )


def race_of(position: Position) -> Race:
    return Race(
        position.rules.trigger,
        tuple((player_of(position, seat), player.score) for seat, player in enumerate(position.players)),
    )


def store_of(state: State, position: Position) -> Store:
    say = voice(state)
    return Store(
        say("Store"),
        say("sell"),
        say("buy"),
        say("prestige"),
        tuple(_store_column(say, position, name) for name in COLOURS),
    )


def _store_column(say: Say, position: Position, name: str) -> StoreColumn:
    rows = position.rules.store
    filled: int = getattr(position.store, name)
    sold = rows[filled] if filled < len(rows) else None
    bought = rows[filled - 1] if filled else None
    return StoreColumn(
        name,
        initial(say, name),
        resource(say, name),
        filled,
        len(rows),
        sell=str(sold[0]) if sold else "",
        sell_plus=str(sold[0] + 1) if sold else "",
        buy=str(bought[0]) if bought else "",
        buy_plus=str(max(0, bought[0] - 1)) if bought else "",
        prestige=str(sold[1]) if sold and sold[1] else "",
        prestige_plus=str(sold[1] + 1) if sold else "",
    )


def sponsors_of(state: State, position: Position, moved: bool = False) -> tuple[SponsorTile, ...]:
    say = voice(state)
    return tuple(
        SponsorTile(level, tile, _SPONSORS[tile][0], sponsor_words(say, position, tile), moved)
        for level, tile in enumerate(position.sponsors, 1)
        if tile in _SPONSORS
    )


def sponsor_words(say: Say, position: Position, tile: str) -> str:
    """What a sponsor does, as this edition has it."""
    if position.rules.german and tile == "5a":
        return say("1 battery, or swap 2 cubes")
    if position.rules.german and tile == "2a":
        return say("Use any reward")
    return say(_SPONSORS[tile][1])


def contracts_of(state: State, position: Position) -> tuple[Contract, ...]:
    say = voice(state)
    return tuple(_contract(say, position, space, card) for space, card in enumerate(position.public, 1))


def _contract(say: Say, position: Position, space: int, card: str | None) -> Contract:
    if not card:
        empty = say("Lay out a contract") if card is None else say("No contract left")
        told = next(
            (choice for choice in unknown(say, position) if choice.value == f"colony.contract.{space}"), None
        )
        return Contract(empty=empty, choice=told)
    if card not in position.cards:
        return Contract(card, empty=card)
    contract = position.cards[card]
    if isinstance(contract.need, str):
        need = tuple(cube_glyph(say, letter) for letter in contract.need)
    else:
        need = tuple(Glyph("any", str(number), "muted") for number in contract.need)
    payable = tuple(
        player_of(position, seat)
        for seat, player in enumerate(position.players)
        if any(True for cubes in player.zone for _ in contract.paid_from(cubes))
    )
    return Contract(
        card, need, str(contract.points), tuple(_BONUS[letter] for letter in contract.bonus), payable
    )


def cube_glyph(say: Say, letter: str) -> Glyph:
    return Glyph(RESOURCE.get(letter, letter), initial(say, letter), cube=True)


def diver_glyph(say: Say, tile: str) -> Glyph:
    """A diver tile: experts wear their resource, the others their trade."""
    name = tile.removesuffix("+")
    if name in COLOURS:
        return Glyph(name, initial(say, name), cube=True, plus=tile.endswith("+"))
    return Glyph(name, plus=tile.endswith("+"))


def levels_below(position: Position, seat: int) -> tuple[str, ...]:
    """The divers of levels 1–5 of a player."""
    return position.players[seat].divers[SURFACE:]

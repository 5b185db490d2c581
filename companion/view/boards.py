"""Boards drawn on the screen: what belongs where, and which pieces are not there yet."""

from collections.abc import Iterable
from typing import Literal

from companion.referee.observation import expected
from companion.referee.restoring import Misplaced
from companion.rules import LETTERS, Position
from companion.view.box import TRAY_MM, Box, Rect, schematic
from companion.view.language import Say
from companion.view.parts import cube_glyph, diver_glyph, player_of
from companion.view.placing import place_choice, tray_choices
from companion.view.screens import BoardDrawing, BoardPiece, Choice, Glyph
from companion.view.words import content

PieceState = Literal["right", "missing", "wrong", "extra"]

_REWARD_ICONS = {"battery": "battery", "contracts": "contract", "upgrade": "upgrade", "prestige": "prestige"}


def piece_state(piece: Misplaced) -> PieceState:
    """Missing when nothing lies there, extra when nothing should, wrong otherwise."""
    if piece.seen in ("empty", ""):
        return "missing"
    return "extra" if piece.wanted in ("empty", "") else "wrong"


def drawings(
    say: Say, position: Position, box: Box | None, misplaced: Iterable[Misplaced]
) -> tuple[BoardDrawing, ...]:
    """The boards with something to put right, those with most of it first."""
    wrong = {piece.slot: piece for piece in misplaced}
    colours = tuple(player.colour for player in position.players)
    places = box if box is not None and box.slots else schematic(colours)
    names = sorted(
        {places.slots[slot].board for slot in wrong if slot in places.slots},
        key=lambda name: -sum(places.slots[slot].board == name for slot in wrong if slot in places.slots),
    )
    return tuple(drawing(say, position, places, name, wrong) for name in names)


def drawing(
    say: Say, position: Position, box: Box, board: str, wrong: dict[str, Misplaced], tell: bool = False
) -> BoardDrawing:
    """One board with everything that belongs on it; with `tell` a finger can say what lies there instead."""
    seats = {player.colour: seat for seat, player in enumerate(position.players)}
    player = player_of(position, seats[board]) if board in seats else None
    pieces: list[BoardPiece] = []
    for slot, wanted in expected(position).items():
        if slot.endswith(".tray"):
            if tell and slot == f"{board}.tray":
                pieces += _tray(say, position, seats[board], box)
            continue
        place = box.slots.get(slot)
        if place is None or place.board != board:
            continue
        state: PieceState = piece_state(wrong[slot]) if slot in wrong else "right"
        choice = place_choice(say, position, slot, place_words(say, position, slot)) if tell else None
        if place.places_mm and isinstance(wanted, dict):
            pieces += _on_track(position, place.places_mm, wanted, state, choice)
        else:
            pieces.append(BoardPiece(place.rect_mm, glyphs(say, slot, wanted), state, choice))
    return BoardDrawing(player.name if player else say("Colony"), player, box.sizes_mm[board], tuple(pieces))


def _tray(say: Say, position: Position, seat: int, box: Box) -> list[BoardPiece]:
    """Credits and batteries, each by itself; beside the board where the pack has no tray."""
    owner = position.players[seat]
    place = box.slots.get(f"{owner.colour}.tray")
    x, y, width, height = place.rect_mm if place is not None else TRAY_MM
    halves: tuple[Rect, Rect]
    if width > height:
        halves = ((x, y, width / 2, height), (x + width / 2, y, width / 2, height))
    else:
        halves = ((x, y, width, height / 2), (x, y + height / 2, width, height / 2))
    held = (Glyph("credit", str(owner.credits), "gold"), Glyph("battery", str(owner.batteries), "good"))
    return [
        BoardPiece(half, (glyph,), "right", choice)
        for half, glyph, choice in zip(halves, held, tray_choices(say, owner), strict=True)
    ]


def _on_track(
    position: Position,
    places: tuple[tuple[float, float, float, float], ...],
    wanted: dict[str, int],
    state: PieceState,
    choice: Choice | None,
) -> list[BoardPiece]:
    seats = {player.colour: seat for seat, player in enumerate(position.players)}
    here: dict[int, tuple[Glyph, ...]] = {}
    for label, place in wanted.items():
        if 0 <= place < len(places):
            owner = player_of(position, seats[label]) if label in seats else None
            glyph = Glyph(owner.mark, colour=owner.colour) if owner else Glyph(label, colour="muted")
            here[place] = (*here.get(place, ()), glyph)
    pieces = []
    for place, glyphs in here.items():
        x, y, width, height = places[place]
        # Markers that share a place stand side by side, over the places after it.
        pieces.append(BoardPiece((x, y, width * len(glyphs), height), glyphs, state, choice))
    return pieces


def glyphs(say: Say, slot: str, wanted: str | dict[str, int] | None) -> tuple[Glyph, ...]:
    """A slot's content as small drawings."""
    kind = slot.split(".")[1]
    if wanted is None:
        return (Glyph("", "?", "muted"),)
    if isinstance(wanted, dict):
        if wanted.keys() <= set(LETTERS):
            return tuple(cube_glyph(say, letter) for letter in LETTERS for _ in range(wanted.get(letter, 0)))
        return tuple(Glyph("", label, "text") for label, number in wanted.items() for _ in range(number))
    if wanted in ("empty", ""):
        return ()
    if kind == "diver":
        return (diver_glyph(say, wanted),)
    if kind == "key":
        return (Glyph("", slot.rsplit(".", 1)[1]),)
    if kind == "track":
        return (Glyph("key", colour="muted"),)
    if kind == "sponsor":
        return (Glyph("sponsor", wanted, "accent"),)
    if kind == "display":
        front = wanted.partition(":")[0]
        if "|" in front:
            return tuple(cube_glyph(say, name) for name in front.split("|"))
        return (Glyph(_REWARD_ICONS.get(front, "reward"), colour="accent"),)
    if kind == "reward":
        return (Glyph("credit" if wanted.endswith("credits") else "prestige", colour="gold"),)
    if wanted in LETTERS:
        return (cube_glyph(say, wanted),)
    return (Glyph("", wanted),)


def place_words(say: Say, position: Position, slot: str) -> str:
    """Where a slot is, as people say it."""
    board, where = _where(say, position, slot)
    return say("{name}: {what}", name=board, what=where) if board else where


def places_words(say: Say, position: Position, slots: Iterable[str]) -> str:
    """The same for several slots; whose board it is, is said once."""
    boards: dict[str, list[str]] = {}
    for slot in slots:
        board, where = _where(say, position, slot)
        boards.setdefault(board, []).append(where)
    return "; ".join(
        say("{name}: {what}", name=board, what=", ".join(places)) if board else ", ".join(places)
        for board, places in boards.items()
    )


def _where(say: Say, position: Position, slot: str) -> tuple[str, str]:
    """The player whose board it is, "" for the colony, and the place on it."""
    board, kind, *rest = slot.split(".")
    names = {player.colour: player.name for player in position.players}
    at = rest[0] if rest else ""
    where = {
        "diver": lambda: (
            say("diver space {n}", n=at) if int(at) <= 3 else say("diver of level {n}", n=int(at) - 3)
        ),
        "key": lambda: say("key space {n}", n=at),
        "x": lambda: say("X key space"),
        "track": lambda: say("Hacker track, place {n}", n=at),
        "hacker": lambda: say("Hacker"),
        "mechanic": lambda: say("Mechanic"),
        "zone": lambda: say("cubes of level {n}", n=at),
        "reward": lambda: say("reward of level {n}", n=at),
        "tray": lambda: say("credits and batteries"),
        "sponsor": lambda: say("sponsor of level {n}", n=at),
        "display": lambda: say("Display, level {n}", n=at),
        "store": lambda: say("Store"),
        "contract": lambda: say("contract {n}", n=at),
        "score": lambda: say("Score track"),
    }[kind]()
    return names.get(board, ""), where


def misplaced_words(say: Say, position: Position, piece: Misplaced) -> str:
    """One line for one piece: where, and what belongs there."""
    kind = piece.slot.split(".")[1]
    where = place_words(say, position, piece.slot)
    where = where[:1].upper() + where[1:]
    wanted = content(say, piece.wanted, kind)
    state = piece_state(piece)
    if state == "missing":
        return say("{where}: put {wanted}", where=where, wanted=wanted)
    if state == "extra":
        return say("{where}: take away {seen}", where=where, seen=content(say, piece.seen, kind))
    return say(
        "{where}: {wanted} instead of {seen}", where=where, wanted=wanted, seen=content(say, piece.seen, kind)
    )

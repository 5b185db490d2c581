"""What lies where, told by hand: one slot of a position's document changed. Slots are named as in the pack."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from companion.rules import Position

COLOURS = ("metal", "plant", "fuel", "tech")
LETTERS = "mpft"


def place(position: Mapping[str, Any], slot: str, label: Any) -> dict[str, Any]:
    """The document with `label` in `slot`; tiles that exist once (divers, sponsors) change places.

    `label` is what the slot shows: a piece, the letters of cubes, or how many of what for a tray or a track.
    None is a card or token that nobody showed. Raises ValueError for a slot or a label that cannot be.

    >>> place({"sponsors": ["1", "2a", "3", "4", "5"]}, "colony.sponsor.1", "2")["sponsors"]
    ['2', '1', '3', '4', '5']
    """
    document = deepcopy(dict(position))
    board, _, rest = slot.partition(".")
    kind, *numbers = rest.split(".")
    holders = _COLONY if board == "colony" else _PLAYER
    if kind not in holders:
        raise ValueError(f"nothing can be put at {slot!r} by hand")
    owner = document if board == "colony" else _player(document, board)
    try:
        holders[kind](owner, numbers, label)
    except (IndexError, KeyError, ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"{label!r} cannot lie at {slot}: {error}") from error
    return document


def _player(document: dict[str, Any], colour: str) -> dict[str, Any]:
    for player in document["players"]:
        if player["colour"] == colour:
            owner: dict[str, Any] = player
            return owner
    raise ValueError(f"nobody plays {colour}")


def _index(number: str, count: int) -> int:
    if not 1 <= int(number) <= count:
        raise ValueError(f"there is no place {number}, only 1 to {count}")
    return int(number) - 1


def _swap(tiles: list[str], index: int, label: str, name: Callable[[str], str]) -> None:
    where = [name(tile) for tile in tiles]
    if name(label) not in where:
        raise ValueError(f"it is not one of {', '.join(where)}")
    other = where.index(name(label))
    tiles[index], tiles[other] = tiles[other], tiles[index]
    tiles[index] = label


def _diver(player: dict[str, Any], numbers: list[str], label: Any) -> None:
    divers = player["divers"]
    _swap(divers, _index(numbers[0], len(divers)), label, lambda tile: tile.removesuffix("+"))


def _zone(player: dict[str, Any], numbers: list[str], label: Any) -> None:
    if set(label) - set(LETTERS):
        raise ValueError(f"cubes are written with the letters {LETTERS}")
    player["zone"][_index(numbers[0], 5)] = "".join(letter * label.count(letter) for letter in LETTERS)


def _reward(player: dict[str, Any], numbers: list[str], label: Any) -> None:
    token = label if not label or ":" in label else f"?:{label}"
    player["rewards"][_index(numbers[0], 5)] = token or None


def _private(player: dict[str, Any], numbers: list[str], label: Any) -> None:
    player["private"][_index(numbers[0], len(player["private"]))] = label


def _tray(player: dict[str, Any], numbers: list[str], label: Any) -> None:
    for token, count in label.items():
        player[{"credit": "credits", "battery": "batteries"}[token]] = _count(count)


def _technician(which: str) -> Callable[[dict[str, Any], list[str], Any], None]:
    def move(player: dict[str, Any], numbers: list[str], label: Any) -> None:
        if not 0 <= int(label) <= 3:
            raise ValueError("it takes 0 to 3 steps")
        player[which] = int(label)

    return move


def _sponsor(colony: dict[str, Any], numbers: list[str], label: Any) -> None:
    sponsors = colony["sponsors"]
    _swap(sponsors, _index(numbers[0], 5), label, lambda tile: tile.removesuffix("a"))


def _display(colony: dict[str, Any], numbers: list[str], label: Any) -> None:
    colony["display"][_index(numbers[0], 5)][_index(numbers[1], 2)] = label


def _contract(colony: dict[str, Any], numbers: list[str], label: Any) -> None:
    public = colony["public"]
    if label and label in public:
        raise ValueError("that card lies there already")
    public[_index(numbers[0], len(public))] = label


def _store(colony: dict[str, Any], numbers: list[str], label: Any) -> None:
    """A column is filled from the top: a cube in a row means cubes in every row above it."""
    row = _index(numbers[1], 3)
    if numbers[0] not in COLOURS:
        raise ValueError(f"the store has no column {numbers[0]}")
    colony["store"][numbers[0]] = row + 1 if label not in ("", "empty", None) else row


def _score(colony: dict[str, Any], numbers: list[str], label: Any) -> None:
    for colour, score in label.items():
        _player(colony, colour)["score"] = _count(score)


def _count(number: Any) -> int:
    if int(number) < 0:
        raise ValueError("there cannot be fewer than none")
    return int(number)


_Holder = Callable[[dict[str, Any], list[str], Any], None]
_PLAYER: dict[str, _Holder] = {
    "diver": _diver,
    "zone": _zone,
    "reward": _reward,
    "private": _private,
    "tray": _tray,
    "hacker": _technician("hacker"),
    "mechanic": _technician("mechanic"),
}
_COLONY: dict[str, _Holder] = {
    "sponsor": _sponsor,
    "display": _display,
    "contract": _contract,
    "store": _store,
    "score": _score,
}


def reveal_in_turn(position: Position, slot: str, label: str | None) -> Position:
    """A card or token that turned up in the middle of a turn; the turn so far stays as it is."""
    shown = place(_face_up(position), slot, label)
    colony = position._replace(public=tuple(shown["public"]), display=tuple(map(tuple, shown["display"])))
    for seat, player in enumerate(shown["players"]):
        colony = colony.with_player(seat, private=tuple(player["private"]))
    return colony


def _face_up(position: Position) -> dict[str, Any]:
    return {
        "public": list(position.public),
        "display": [list(pair) for pair in position.display],
        "players": [
            {"colour": player.colour, "private": list(player.private)} for player in position.players
        ],
    }

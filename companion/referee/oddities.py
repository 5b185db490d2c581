"""What hands could have done that no slip we know of explains.

Pieces are neither made nor lost: a diver lies once in its column, a key comes from somewhere, a sponsor or a card does not
turn into another. What could not lie as it looks is left out here, so that only a misread slot explains it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.referee.column import names
from companion.referee.observation import COLUMNS, Claim, zone_level
from companion.referee.sight import Sight
from companion.referee.slips import Played, Slip
from companion.rules import Player
from companion.rules.settings import CAPACITY, LETTERS
from vision.reading import EMPTY

Wrong = Mapping[str, Sequence[Claim]]  # slots that clearly show something else, with the claims that fail

SPILL = 2  # cubes more than a level has room for that may still lie on it
FARTHEST_SCORE = 5  # places a marker is pushed by mistake


def oddities(played: Played, sight: Sight, wrong: Wrong) -> Iterator[Slip]:
    """Everything that lies wrong and could: a fault for each piece or group of pieces that has to be seen together."""
    for seat, player in enumerate(played.after.players):
        mine = seat == played.before.to_play
        for slip in _board(player, sight, wrong):
            yield slip if mine else Slip("other-board-changed", slip.claims, player.colour)
        yield from _score(player, sight, wrong)
    yield from _store(sight, wrong)
    yield from _sponsors(played.after.sponsors, sight, wrong)


def other_boards(played: Played, sight: Sight, wrong: Wrong) -> Iterator[Slip]:
    """One piece of another player moved by mistake: a cube, a technician, a key, two divers."""
    for seat, player in enumerate(played.after.players):
        if seat == played.before.to_play:
            continue
        colour = player.colour
        for slip in _board(player, sight, wrong):
            if is_one_act(slip.claims, wrong, player):
                yield Slip("other-board-changed", slip.claims, colour, rarity=0.5)


def is_one_act(claims: Sequence[Claim], wrong: Wrong, player: Player) -> bool:
    """Whether one careless hand does this: one cube, one step forward, one key, two neighbours in the column."""
    kind = claims[0][0].split(".")[1]
    if kind == "diver":
        moved = [claim for claim in claims if claim[0] in wrong]
        return len(moved) == 2 and _labels(moved) == _labels(w for claim in moved for w in wrong[claim[0]])
    if kind in ("key", "track"):
        played = f"{player.colour}.track.{len(player.track) + 1}"
        return kind == "key" and [claim[0] for claim in claims[1:]] in ([], [played])
    if kind == "x":
        return False
    moves = [(claim[2] or 0) - (held[2] or 0) for claim, held in _pairs(claims, wrong)]
    if kind in ("hacker", "mechanic"):
        return moves == [1]  # who takes the wrong board for the own improves something on it
    return sum(map(abs, moves)) == 1


def _pairs(claims: Iterable[Claim], wrong: Wrong) -> Iterator[tuple[Claim, Claim]]:
    """The claims that hold with those they replace."""
    for claim in claims:
        for held in wrong.get(claim[0], ()):
            if held[1] == claim[1]:
                yield claim, held


def _labels(claims: Iterable[Claim]) -> list[str]:
    return sorted(str(claim[1]) for claim in claims)


def _board(player: Player, sight: Sight, wrong: Wrong) -> Iterator[Slip]:
    colour = player.colour
    yield from _column(player, sight, wrong)
    yield from _keys(colour, sight, wrong)
    for level in range(1, len(CAPACITY) + 1):
        seen = sight.reading.best(f"{colour}.zone.{level}")
        if f"{colour}.zone.{level}" in wrong and isinstance(seen, dict):
            yield from _zone(player, level, seen)
    for name in ("hacker", "mechanic"):
        seen = sight.reading.best(f"{colour}.{name}")
        if f"{colour}.{name}" in wrong and isinstance(seen, dict) and 0 <= seen.get(name, -1) <= 3:
            yield Slip("technician-without-right", ((f"{colour}.{name}", name, seen[name]),), name)
    seen = sight.reading.best(f"{colour}.x")
    if f"{colour}.x" in wrong and isinstance(seen, dict):
        own, neutral = seen.get("X", 0), seen.get("N", 0)
        if own <= int("X" in player.keys) and neutral <= player.neutral_x + SPILL:
            fault = "neutral-x-kept" if neutral > player.neutral_x else "two-keys"
            yield Slip(fault, ((f"{colour}.x", "X", own), (f"{colour}.x", "N", neutral)), "X")


def _column(player: Player, sight: Sight, wrong: Wrong) -> Iterator[Slip]:
    places = [f"{player.colour}.diver.{n}" for n in range(1, len(player.divers) + 1)]
    if not any(place in wrong for place in places):
        return
    seen = tuple(
        str(sight.reading.best(place)) if sight.sees(place) else diver
        for place, diver in zip(places, player.divers, strict=True)
    )
    turned_back = any(diver.endswith("+") and diver.removesuffix("+") in seen for diver in player.divers)
    if sorted(names(seen)) == sorted(names(player.divers)) and not turned_back:
        fault = "upgrade-without-right" if names(seen) == names(player.divers) else "column-order"
        yield Slip(fault, tuple((place, diver, None) for place, diver in zip(places, seen, strict=True)))


def _keys(colour: str, sight: Sight, wrong: Wrong) -> Iterator[Slip]:
    """Keys and played keys as they lie, as long as none comes out of thin air."""
    slots = [slot for slot in wrong if slot.startswith((f"{colour}.key.", f"{colour}.track."))]
    seen = {slot: str(sight.reading.best(slot)) for slot in slots}
    came = sum(content != EMPTY for content in seen.values())
    if slots and came <= len(slots) - came:
        fault = "no-key" if any(".key." in slot and seen[slot] == "key" for slot in slots) else "two-keys"
        yield Slip(fault, tuple((slot, content, None) for slot, content in seen.items()))


def _zone(player: Player, level: int, seen: Mapping[str, int]) -> Iterator[Slip]:
    cubes = "".join(letter * seen.get(letter, 0) for letter in LETTERS)
    held, room = player.zone[level - 1], CAPACITY[level - 1]
    if len(cubes) > room + SPILL:
        return
    if len(cubes) > room:
        fault = "level-over-capacity"
    elif len(cubes) > len(held):
        fault = "too-many-cubes"
    else:
        fault = "cube-thrown-away" if len(cubes) < len(held) else "cube-wrong-colour"
    yield Slip(fault, tuple(zone_level(player.colour, level, cubes)), cubes[:1], level)


def _score(player: Player, sight: Sight, wrong: Wrong) -> Iterator[Slip]:
    seen = sight.reading.best("colony.score")
    if not isinstance(seen, dict) or player.colour not in {
        claim[1] for claim in wrong.get("colony.score", ())
    }:
        return
    place = seen.get(player.colour, -1)
    if place >= 0 and abs(place - player.score) <= FARTHEST_SCORE:
        yield Slip("score-wrong", (("colony.score", player.colour, place),), player.colour)


def _store(sight: Sight, wrong: Wrong) -> Iterator[Slip]:
    """A cube of its column that came or went."""
    for name, letter in COLUMNS.items():
        for slot in wrong:
            seen = sight.reading.best(slot)
            if not slot.startswith(f"colony.store.{name}.") or not isinstance(seen, dict):
                continue
            if not any(seen.get(other, 0) for other in LETTERS if other != letter):
                yield Slip("store-wrong-row", ((slot, letter, seen.get(letter, 0)),), letter)


def _sponsors(tiles: tuple[str, ...], sight: Sight, wrong: Wrong) -> Iterator[Slip]:
    places = [f"colony.sponsor.{level}" for level in range(1, len(tiles) + 1)]
    if not any(place in wrong for place in places):
        return
    seen = [
        str(sight.reading.best(place)) if sight.sees(place) else tile
        for place, tile in zip(places, tiles, strict=True)
    ]
    if sorted(seen) == sorted(tiles):
        claims = tuple((place, tile, None) for place, tile in zip(places, seen, strict=True))
        yield Slip("sponsors-wrong", claims, seen[0], 1)

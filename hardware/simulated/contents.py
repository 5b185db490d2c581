"""What lies in every slot: read off a position, and written as truth.jsonl and enrol.toml write it.

A mistake at the table is no legal position, so everything after this module works on contents alone.
"""

from collections.abc import Iterator, Mapping

from companion.rules import Player, Position
from hardware.simulated.layout import CUBE_OF, CUBES, RESOURCES, Layout

# tile: a label or "empty"; cubes: letters; track: marker -> place; count: label -> how many
Content = str | dict[str, int]
Contents = dict[str, Content]
EMPTY = "empty"
NEUTRAL_BACK = "back/N"  # a neutral X key lying face down looks unlike the owner's; the label is the same


def contents(position: Position, at: Layout) -> Contents:
    """The slots of a position, in the order of the pack."""
    found = dict(lying(position))
    last = len(at.slot("colony.score").places_mm) - 1
    score = found["colony.score"]
    assert isinstance(score, dict), "the score track holds markers"
    found["colony.score"] = {colour: min(place, last) for colour, place in score.items()}
    return {slot.id: found[slot.id] for slot in at.slots}


def lying(position: Position, first: int = 0) -> Iterator[tuple[str, Content]]:
    """Every slot with its content, one after another, beginning with the board of player `first`."""
    players = position.players
    for i in range(len(players)):
        yield from _board(players[(first + i) % len(players)])
        if i == 0:
            yield from _colony(position)


def _colony(position: Position) -> Iterator[tuple[str, Content]]:
    yield "colony.score", {player.colour: player.score for player in position.players}
    for level, sponsor in enumerate(position.sponsors, 1):
        yield f"colony.sponsor.{level}", sponsor or EMPTY
    for name in RESOURCES:
        for row in range(1, 4):
            yield f"colony.store.{name}.{row}", CUBE_OF[name] if row <= getattr(position.store, name) else ""
    for level, pair in enumerate(position.display, 1):
        for which, token in enumerate(pair, 1):
            yield f"colony.display.{level}.{which}", token or EMPTY
    for space in range(3):
        card = position.public[space] if space < len(position.public) else None
        yield f"colony.contract.{space + 1}", card or EMPTY


def _board(player: Player) -> Iterator[tuple[str, Content]]:
    colour = player.colour
    for i, diver in enumerate(player.divers, 1):
        yield f"{colour}.diver.{i}", diver
    for level in range(1, 6):
        yield f"{colour}.key.{level}", "key" if level in player.keys else EMPTY
        yield f"{colour}.zone.{level}", letters(player.zone[level - 1])
        reward = player.rewards[level - 1]
        yield f"{colour}.reward.{level}", reward.split(":")[1] if reward else EMPTY
    yield f"{colour}.x", {"X": int("X" in player.keys), "N": player.neutral_x}
    for place in range(1, 7):
        key = player.track[place - 1] if place <= len(player.track) else None
        yield f"{colour}.track.{place}", EMPTY if key is None else NEUTRAL_BACK if key == "N" else "back"
    yield f"{colour}.hacker", {"hacker": player.hacker}
    yield f"{colour}.mechanic", {"mechanic": player.mechanic}
    yield f"{colour}.tray", {"credit": player.credits, "battery": player.batteries}


def bare(at: Layout) -> Contents:
    """Nothing in any slot."""
    nothing: dict[str, Content] = {"tile": EMPTY, "cubes": "", "track": {}, "count": {}}
    return {slot.id: nothing[slot.kind] for slot in at.slots}


def letters(cubes: str) -> str:
    """Cube letters in the order m p f t."""
    return "".join(letter * cubes.count(letter) for letter in CUBES)


def label(content: Content) -> Content:
    """As the files write it."""
    return "back" if content == NEUTRAL_BACK else content


def differing(one: Mapping[str, Content], other: Mapping[str, Content]) -> tuple[str, ...]:
    """The slots whose labels differ."""
    return tuple(slot for slot in one if label(one[slot]) != label(other[slot]))

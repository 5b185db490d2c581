"""What lies in every slot: read off a position, and written as truth.jsonl and enrol.toml write it.

A mistake at the table is no legal position, so everything after this module works on contents alone.
"""

from collections.abc import Mapping
from typing import Any

from hardware.simulated.layout import CUBE_OF, CUBES, RESOURCES, Layout

# tile: a label or "empty"; cubes: letters; track: marker -> place; count: label -> how many
Content = str | dict[str, int]
Contents = dict[str, Content]
EMPTY = "empty"
NEUTRAL_BACK = "back/N"  # a neutral X key lying face down looks unlike the owner's; the label is the same


def contents(position: Mapping[str, Any], at: Layout) -> Contents:
    """The slots of a position (its JSON document), in the order of the pack."""
    found: Contents = {}
    for player in position["players"]:
        found.update(_board(player))
    for level, sponsor in enumerate(position["sponsors"], 1):
        found[f"colony.sponsor.{level}"] = sponsor or EMPTY
    for level, pair in enumerate(position["display"], 1):
        for which, token in enumerate(pair, 1):
            found[f"colony.display.{level}.{which}"] = token or EMPTY
    for name in RESOURCES:
        for row in range(1, 4):
            found[f"colony.store.{name}.{row}"] = CUBE_OF[name] if row <= position["store"][name] else ""
    for space in range(3):
        card = position["public"][space] if space < len(position["public"]) else ""
        found[f"colony.contract.{space + 1}"] = card or EMPTY
    last = len(at.by_id["colony.score"].places_mm) - 1
    found["colony.score"] = {
        player["colour"]: min(int(player["score"]), last) for player in position["players"]
    }
    return {slot.id: found[slot.id] for slot in at.slots}


def _board(player: Mapping[str, Any]) -> Contents:
    colour = player["colour"]
    found: Contents = {f"{colour}.diver.{i}": diver for i, diver in enumerate(player["divers"], 1)}
    for level in range(1, 6):
        found[f"{colour}.key.{level}"] = "key" if level in player["keys"] else EMPTY
        found[f"{colour}.zone.{level}"] = letters(player["zone"][level - 1])
        reward = player["rewards"][level - 1]
        found[f"{colour}.reward.{level}"] = reward.split(":")[1] if reward else EMPTY
    found[f"{colour}.x"] = {"X": int("X" in player["keys"]), "N": int(player["neutral_x"])}
    for place in range(1, 7):
        key = player["track"][place - 1] if place <= len(player["track"]) else None
        found[f"{colour}.track.{place}"] = EMPTY if key is None else NEUTRAL_BACK if key == "N" else "back"
    found[f"{colour}.hacker"] = {"hacker": int(player["hacker"])}
    found[f"{colour}.mechanic"] = {"mechanic": int(player["mechanic"])}
    found[f"{colour}.tray"] = {"credit": int(player["credits"]), "battery": int(player["batteries"])}
    return found


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

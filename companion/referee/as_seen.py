"""The last resort: something clearly lies where it should not, and no slip we know of put it there.

Whatever hands could have laid so is a fault all the same, named by where it lies. What hands could not (a diver twice) is
left out: then the slot was misread.
"""

from collections.abc import Iterator

from companion.referee.column import names
from companion.referee.observation import Claim, claims, zone_level
from companion.referee.sight import Sight
from companion.referee.slips import Played, Slip
from companion.rules.settings import CAPACITY, LETTERS
from vision.reading import EMPTY

RARITY = 2.0  # rarer than any slip with a story of its own


def as_seen(played: Played, sight: Sight) -> Iterator[Slip]:
    """One fault for each slot of the player's board and the colony that clearly shows something else."""
    colour = played.colour
    wrong: dict[str, list[Claim]] = {}
    for claim in claims(played.after):
        slot = claim[0]
        ours = slot.split(".")[0] in ("colony", colour) and slot not in ("colony.score", f"{colour}.tray")
        if ours and sight.cost(claim) > sight.settings.doubt_cost:
            wrong.setdefault(slot, []).append(claim)
    yield from _column(played, sight, wrong)
    for slot in wrong:
        kind, seen = slot.split(".")[1], sight.reading.best(slot)
        if seen == EMPTY and kind in ("display", "contract"):
            fault = "reward-not-replaced" if kind == "display" else "contract-not-replaced"
            yield Slip(fault, ((slot, EMPTY, None),), "", _level(slot), RARITY)
        elif isinstance(seen, str) and kind in ("display", "contract"):
            fault = "reward-wrong-level" if kind == "display" else "contract-without-cubes"
            yield Slip(fault, ((slot, seen, None),), "", _level(slot), RARITY)
        elif isinstance(seen, str) and kind == "reward":
            yield Slip("permanent-wrong-level", ((slot, seen, None),), seen, _level(slot), RARITY)
        elif isinstance(seen, dict) and kind == "zone":
            yield _zone(played, slot, seen)
        elif isinstance(seen, dict) and kind == "store":
            shown = tuple((slot, letter, seen.get(letter, 0)) for letter in LETTERS)
            yield Slip("store-wrong-row", shown, rarity=RARITY)
    yield from _keys(played, sight, wrong)


def _column(played: Played, sight: Sight, wrong: dict[str, list[Claim]]) -> Iterator[Slip]:
    places = [f"{played.colour}.diver.{n}" for n in range(1, 9)]
    if not any(place in wrong for place in places):
        return
    seen = tuple(
        str(sight.reading.best(place)) if sight.sees(place) else diver
        for place, diver in zip(places, played.me.divers, strict=True)
    )
    if sorted(names(seen)) == sorted(names(played.me.divers)):
        fault = "upgrade-without-right" if names(seen) == names(played.me.divers) else "column-order"
        shown = tuple((place, diver, None) for place, diver in zip(places, seen, strict=True))
        yield Slip(fault, shown, rarity=RARITY)


def _keys(played: Played, sight: Sight, wrong: dict[str, list[Claim]]) -> Iterator[Slip]:
    """Keys and played keys as they lie, as long as there are not more of them than there can be."""
    slots = [slot for slot in wrong if slot.split(".")[1] in ("key", "track")]
    seen = {slot: str(sight.reading.best(slot)) for slot in slots}
    came = sum(content != EMPTY for content in seen.values())
    if slots and came <= len(slots) - came:
        fault = "no-key" if any(".key." in slot and seen[slot] == "key" for slot in slots) else "two-keys"
        yield Slip(fault, tuple((slot, content, None) for slot, content in seen.items()), rarity=RARITY)


def _zone(played: Played, slot: str, seen: dict[str, int]) -> Slip:
    level = int(slot.split(".")[2])
    cubes = "".join(letter * seen.get(letter, 0) for letter in LETTERS)
    held = played.me.zone[level - 1]
    if len(cubes) > CAPACITY[level - 1]:
        fault = "level-over-capacity"
    elif len(cubes) > len(held):
        fault = "too-many-cubes"
    else:
        fault = "cube-thrown-away" if len(cubes) < len(held) else "cube-wrong-colour"
    return Slip(fault, tuple(zone_level(played.colour, level, cubes)), cubes[:1], level, RARITY)


def _level(slot: str) -> int:
    return int(slot.split(".")[2])

"""Where everything lies on the boards of one drawn copy of the game, in millimetres: the source of its pack.toml.

Every seed is another edition: boards of another size, slots elsewhere, the score track along other edges.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

Rect = tuple[float, float, float, float]  # x, y, width, height from the board's top left corner
Point = tuple[float, float]

DIVERS = ("metal", "plant", "fuel", "tech", "trader", "spy", "engineer", "explorer")
RESOURCES = ("metal", "plant", "fuel", "tech")
CUBES = ("m", "p", "f", "t")
CUBE_OF = dict(zip(RESOURCES, CUBES, strict=True))
CAPACITIES = (3, 3, 4, 5, 6)
SPONSORS = ("1", "1a", "2", "2a", "3", "3a", "4", "4a", "5", "5a")
FRONTS = (
    "metal|plant",
    "metal|fuel",
    "metal|tech",
    "plant|fuel",
    "plant|tech",
    "fuel|tech",
    "battery",
    "contracts",
    "upgrade",
    "prestige",
)
REWARDS = tuple(f"{front}:{back}" for front in FRONTS for back in ("credits", "prestige"))
COLOURS = ("red", "blue", "yellow", "green")
SCORE_PLACES = 40  # the trigger is 18; a last round with every contract of five points stays well below


@dataclass(frozen=True)
class Slot:
    """One entry of pack.toml. Tracks have places and a size, all other kinds a rectangle."""

    id: str
    board: str
    kind: Literal["tile", "cubes", "track", "count"]
    pieces: str
    rect_mm: Rect = (0.0, 0.0, 0.0, 0.0)
    capacity: int = 0
    size_mm: Point = (0.0, 0.0)
    places_mm: tuple[Point, ...] = ()

    def areas(self) -> tuple[Rect, ...]:
        """The rectangles in which its pieces can lie; one for each place of a track."""
        if self.kind != "track":
            return (self.rect_mm,)
        width, height = self.size_mm
        return tuple((x - width / 2, y - height / 2, width, height) for x, y in self.places_mm)


@dataclass(frozen=True)
class Layout:
    seed: int
    colours: tuple[str, ...]
    colony_mm: Point
    player_mm: Point
    slots: tuple[Slot, ...]
    diver_mm: Point
    key_mm: float
    reward_mm: float
    sponsor_mm: Point
    card_mm: Point
    cube_mm: float
    marker_mm: float
    technician_mm: Point
    coin_mm: float
    battery_mm: Point

    @property
    def boards(self) -> tuple[str, ...]:
        return ("colony", *self.colours)

    def size_mm(self, board: str) -> Point:
        return self.colony_mm if board == "colony" else self.player_mm

    def of_board(self, board: str) -> tuple[Slot, ...]:
        return tuple(slot for slot in self.slots if slot.board == board)

    @cached_property
    def by_id(self) -> Mapping[str, Slot]:
        return {slot.id: slot for slot in self.slots}

    def slot(self, name: str) -> Slot:
        return self.by_id[name]


def piece_sets(colours: Sequence[str], cards: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The label sets of the pack's [pieces] table."""
    return {
        "diver": tuple(name + side for name in DIVERS for side in ("", "+")),
        "key": ("key",),
        "back": ("back",),
        "xkey": ("X", "N"),
        "hacker": ("hacker",),
        "mechanic": ("mechanic",),
        "cube": CUBES,
        "permanent": ("credits", "prestige"),
        "token": ("credit", "battery"),
        "sponsor": SPONSORS,
        "reward": REWARDS,
        "contract": tuple(cards),
        "marker": tuple(colours),
    }


def layout(seed: int, colours: Sequence[str]) -> Layout:
    """The edition of this seed, with a board for each of `colours`."""
    rng = np.random.default_rng([seed, 11])

    def some(low: float, high: float) -> float:
        return round(float(rng.uniform(low, high)), 1)

    player_mm = (some(278, 296), some(200, 220))
    colony_mm = (some(322, 345), some(242, 262))
    diver_mm = (some(51, 57), some(20.2, 21.6))
    key_mm = some(17.0, 18.6)
    reward_mm = some(17.5, 19.0)
    card_mm = (some(40, 45), some(60, 68))
    cube_mm = some(8.0, 9.2)
    technician_mm = (some(15.5, 17.5), some(20.5, 23.5))
    score_mm = some(15.2, 16.2)
    sponsor_mm = (some(40, 45), some(26.5, 29))
    player = _player_slots(rng, player_mm, diver_mm, key_mm, reward_mm, technician_mm)
    colony = _colony_slots(rng, colony_mm, sponsor_mm, reward_mm, card_mm, score_mm)
    return Layout(
        seed=seed,
        colours=tuple(colours),
        colony_mm=colony_mm,
        player_mm=player_mm,
        slots=(*(_owned(slot, colour) for colour in colours for slot in player), *colony),
        diver_mm=diver_mm,
        key_mm=key_mm,
        reward_mm=reward_mm,
        sponsor_mm=sponsor_mm,
        card_mm=card_mm,
        cube_mm=cube_mm,
        marker_mm=round(score_mm * 0.47, 1),
        technician_mm=technician_mm,
        coin_mm=some(14.5, 16.5),
        battery_mm=(some(15, 17), some(9.5, 11)),
    )


def _owned(slot: Slot, colour: str) -> Slot:
    return Slot(
        f"{colour}.{slot.id}",
        colour,
        slot.kind,
        slot.pieces,
        slot.rect_mm,
        slot.capacity,
        slot.size_mm,
        slot.places_mm,
    )


def _player_slots(
    rng: np.random.Generator,
    board_mm: Point,
    diver_mm: Point,
    key_mm: float,
    reward_mm: float,
    technician_mm: Point,
) -> list[Slot]:
    """Column of divers, keys to its left, zones and permanent rewards to its right; tracks outside the outline."""
    width, height = board_mm
    top = float(rng.uniform(5, 8))
    pitch = (height - 2 * top) / 8
    cell = float(rng.uniform(11.4, 12.2))
    gap = float(rng.uniform(4.0, 5.5))
    diver_x = width - diver_mm[0] - 3 * gap - 6 * cell - reward_mm - float(rng.uniform(12, 18))
    zone_x = diver_x + diver_mm[0] + gap
    reward_x = zone_x + 6 * cell + gap
    key_x = diver_x - gap - key_mm
    slots = []
    for row in range(8):
        y = top + row * pitch + (pitch - diver_mm[1]) / 2
        slots.append(Slot(f"diver.{row + 1}", "", "tile", "diver", _rect(diver_x, y, *diver_mm)))
    for level in range(5):
        middle = top + (level + 3.5) * pitch
        capacity = CAPACITIES[level]
        slots += [
            Slot(f"key.{level + 1}", "", "tile", "key", _square(key_x, middle - key_mm / 2, key_mm)),
            Slot(
                f"zone.{level + 1}",
                "",
                "cubes",
                "cube",
                _rect(zone_x, middle - diver_mm[1] / 2, capacity * cell, diver_mm[1]),
                capacity,
            ),
            Slot(
                f"reward.{level + 1}",
                "",
                "tile",
                "permanent",
                _square(reward_x, middle - reward_mm / 2, reward_mm),
            ),
        ]
    x_left = float(rng.uniform(9, 14))
    slots.append(
        Slot("x", "", "count", "xkey", _rect(x_left, top + 4, key_x - x_left - 4, float(rng.uniform(40, 48))))
    )
    below = height + float(rng.uniform(3.0, 6.0))
    step = key_mm + float(rng.uniform(2.2, 3.4))
    start = float(rng.uniform(8, 16))
    slots += [
        Slot(f"track.{i + 1}", "", "tile", "back", _square(start + i * step, below, key_mm)) for i in range(6)
    ]
    # Room between a marker's places must exceed the marker, or two places would look alike under it.
    hacker_step = technician_mm[1] + float(rng.uniform(1.5, 3.5))
    first = start + 6 * step + technician_mm[1] / 2 + 4
    hacker_x = [first + i * hacker_step for i in range(4)]
    if rng.random() < 0.5:
        hacker_x.reverse()
    hacker_y = below + max(key_mm, technician_mm[0]) / 2
    slots.append(
        Slot(
            "hacker",
            "",
            "track",
            "hacker",
            size_mm=_point(technician_mm[1], technician_mm[0]),
            places_mm=tuple(_point(x, hacker_y) for x in hacker_x),
        )
    )
    mechanic_x = width + 3 + technician_mm[0] / 2 + float(rng.uniform(0, 2))
    first_y = float(rng.uniform(0.16, 0.24)) * height
    mechanic_step = technician_mm[1] + float(rng.uniform(8, 14))
    slots.append(
        Slot(
            "mechanic",
            "",
            "track",
            "mechanic",
            size_mm=_point(*technician_mm),
            places_mm=tuple(_point(mechanic_x, first_y + i * mechanic_step) for i in range(4)),
        )
    )
    tray_width = float(rng.uniform(56, 62))
    slots.append(
        Slot(
            "tray",
            "",
            "count",
            "token",
            _rect(
                -tray_width - float(rng.uniform(5, 9)),
                height * float(rng.uniform(0.1, 0.25)),
                tray_width,
                height * 0.66,
            ),
        )
    )
    return slots


def _colony_slots(
    rng: np.random.Generator,
    board_mm: Point,
    sponsor_mm: Point,
    reward_mm: float,
    card_mm: Point,
    score_mm: float,
) -> list[Slot]:
    width, height = board_mm
    edge = score_mm / 2 + float(rng.uniform(3, 5))
    slots = [_score_slot(rng, board_mm, score_mm, edge)]
    inner = edge + max(slots[0].size_mm) / 2 + 4
    gap = float(rng.uniform(5, 7))
    display_width = sponsor_mm[0] + 2 * (reward_mm + gap)
    pitch = float(rng.uniform(sponsor_mm[1] + 4, (height - 2 * inner) / 5))
    display_left = rng.random() < 0.6
    display_x = inner if display_left else width - inner - display_width
    display_y = inner + float(rng.uniform(0, height - 2 * inner - 5 * pitch))
    rewards_first = rng.random() < 0.35
    for level in range(5):
        y = display_y + level * pitch
        x = display_x + (2 * (reward_mm + gap) if rewards_first else 0.0)
        slots.append(
            Slot(f"colony.sponsor.{level + 1}", "colony", "tile", "sponsor", _rect(x, y, *sponsor_mm))
        )
        for which in range(2):
            offset = which * (reward_mm + gap) + (0.0 if rewards_first else sponsor_mm[0] + gap)
            slots.append(
                Slot(
                    f"colony.display.{level + 1}.{which + 1}",
                    "colony",
                    "tile",
                    "reward",
                    _square(display_x + offset, y + (sponsor_mm[1] - reward_mm) / 2, reward_mm),
                )
            )
    cell = float(rng.uniform(13.0, 14.2))
    column_step = cell + float(rng.uniform(7, 10))
    row_step = cell + float(rng.uniform(4, 6))
    store_width = 3 * column_step + cell
    low, high = (display_x + display_width + 12, width - inner - store_width - 2)
    if not display_left:
        low, high = inner + 4, display_x - 12 - store_width
    store_x = float(rng.uniform(low, max(low, high)))
    store_y = float(rng.uniform(0.42, 0.52)) * height
    slots += [
        Slot(
            f"colony.store.{name}.{row + 1}",
            "colony",
            "cubes",
            "cube",
            _square(store_x + column * column_step, store_y + row * row_step, cell),
            capacity=1,
        )
        for column, name in enumerate(RESOURCES)
        for row in range(3)
    ]
    card_gap = float(rng.uniform(6, 12))
    card_x = float(rng.uniform(8, width - 4 * (card_mm[0] + card_gap)))
    card_y = -card_mm[1] - float(rng.uniform(5, 9))
    slots += [
        Slot(
            f"colony.contract.{i + 1}",
            "colony",
            "tile",
            "contract",
            _rect(card_x + i * (card_mm[0] + card_gap), card_y, *card_mm),
        )
        for i in range(3)
    ]
    return slots


def _score_slot(rng: np.random.Generator, board_mm: Point, score_mm: float, edge: float) -> Slot:
    """Cells along the rim, from one of the lower corners around, either way."""
    width, height = board_mm
    across, down = (side - 2 * edge for side in board_mm)
    columns, rows = int(across // score_mm), int(down // score_mm)
    x_step, y_step = across / columns, down / rows
    left, low, right, top = edge, height - edge, width - edge, edge
    ring = [(left + i * x_step, low) for i in range(columns)]
    ring += [(right, low - i * y_step) for i in range(rows)]
    ring += [(right - i * x_step, top) for i in range(columns)]
    ring += [(left, top + i * y_step) for i in range(rows)]
    if rng.random() < 0.5:
        ring = [(width - x, y) for x, y in ring]
    return Slot(
        "colony.score",
        "colony",
        "track",
        "marker",
        size_mm=_point(x_step, y_step),
        places_mm=tuple(_point(x, y) for x, y in ring[:SCORE_PLACES]),
    )


def _point(x: float, y: float) -> Point:
    return round(x, 1), round(y, 1)


def _rect(x: float, y: float, width: float, height: float) -> Rect:
    return round(x, 1), round(y, 1), round(width, 1), round(height, 1)


def _square(x: float, y: float, side: float) -> Rect:
    return _rect(x, y, side, side)

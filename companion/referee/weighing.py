"""What a position costs under a reading, worked out facet by facet so that positions share the work.

A facet is what one field of a position shows: a level's cubes, a column of the Store, the keys. Each is weighed once
for each value it takes; a search that changes one cube pays for one level.
"""

from collections.abc import Iterable
from copy import copy

from companion.referee import observation
from companion.referee.column import LikelyOrders
from companion.referee.observation import COLUMNS, PUBLIC_SPACES, Claim
from companion.referee.sight import Sight
from companion.rules import Player, Position
from companion.rules.settings import DIVERS
from companion.rules.steps import Key

# Facets by name: "column", "keys", "technician", "zone", "reward", "tray" and "score" of the player to play,
# "sponsor", "display", "store" and "contract" of the colony.
Covered = frozenset[str]
NOTHING: Covered = frozenset()


class Weigher:
    """Costs of facets under one reading, remembered."""

    def __init__(self, sight: Sight, rows: int) -> None:
        self.sight = sight
        self._rows = rows
        self._known: dict[tuple[object, ...], float] = {}
        self._columns: dict[tuple[str, tuple[str, ...]], float] = {}
        self._orders: dict[tuple[str, tuple[bool, ...]], LikelyOrders] = {}
        self._players: dict[Player, float] = {}

    def seeing(self, sight: Sight) -> "Weigher":
        """The same for a sight that differs in columns of divers only; what is known of the rest is shared."""
        other = copy(self)
        other.sight, other._columns, other._orders, other._players = sight, {}, {}, {}
        return other

    def _facet(self, key: tuple[object, ...], claims: Iterable[Claim]) -> float:
        cost = self._known[key] = self.sight.total(claims)
        return cost

    def column(self, colour: str, divers: tuple[str, ...]) -> float:
        key = (colour, divers)
        cost = self._columns.get(key)
        if cost is None:
            cost = self._columns[key] = self.sight.total(observation.column(colour, divers))
        return cost

    def keyring(self, colour: str, keys: tuple[Key, ...], neutral_x: int, track: tuple[Key, ...]) -> float:
        key = ("keyring", colour, keys, neutral_x, len(track))
        cost = self._known.get(key)
        return self._facet(key, observation.keyring(colour, keys, neutral_x, track)) if cost is None else cost

    def technician(self, colour: str, name: str, steps: int) -> float:
        key = (name, colour, steps)
        cost = self._known.get(key)
        return self._facet(key, observation.technician(colour, name, steps)) if cost is None else cost

    def level(self, colour: str, level: int, cubes: str) -> float:
        key = ("zone", colour, level, cubes)
        cost = self._known.get(key)
        if cost is None:
            cost = self._known[key] = self.sight.cubes(observation.zone_level(colour, level, cubes))
        return cost

    def permanent(self, colour: str, level: int, token: str | None) -> float:
        key = ("reward", colour, level, token)
        cost = self._known.get(key)
        return self._facet(key, observation.permanent(colour, level, token)) if cost is None else cost

    def tray(self, colour: str, token: str, number: int) -> float:
        key = ("tray", colour, token, number)
        cost = self._known.get(key)
        return self._facet(key, observation.tray(colour, token, number)) if cost is None else cost

    def score(self, colour: str, points: int) -> float:
        key = ("score", colour, points)
        cost = self._known.get(key)
        return self._facet(key, observation.score(colour, points)) if cost is None else cost

    def sponsors(self, tiles: tuple[str, ...]) -> float:
        key = ("sponsors", tiles)
        cost = self._known.get(key)
        if cost is None:
            claims = (
                claim for level, tile in enumerate(tiles, 1) for claim in observation.sponsor(level, tile)
            )
            return self._facet(key, claims)
        return cost

    def display(self, level: int, which: int, token: str | None) -> float:
        key = ("display", level, which, token)
        cost = self._known.get(key)
        return self._facet(key, observation.display(level, which, token)) if cost is None else cost

    def pair(self, level: int, pair: tuple[str | None, str | None]) -> float:
        return self.display(level, 1, pair[0]) + self.display(level, 2, pair[1])

    def store(self, name: str, filled: int) -> float:
        key = ("store", name, filled)
        cost = self._known.get(key)
        return self._facet(key, observation.store(name, filled, self._rows)) if cost is None else cost

    def contract(self, space: int, card: str | None) -> float:
        key = ("contract", space, card)
        cost = self._known.get(key)
        return self._facet(key, observation.contract(space, card)) if cost is None else cost

    def board(self, player: Player) -> float:
        """Everything of one player, tray and score marker included."""
        known = self._players.get(player)
        if known is None:
            colour = player.colour
            known = self._players[player] = (
                self.column(colour, player.divers)
                + self.keyring(colour, player.keys, player.neutral_x, player.track)
                + self.technician(colour, "hacker", player.hacker)
                + self.technician(colour, "mechanic", player.mechanic)
                + sum(self.level(colour, n, cubes) for n, cubes in enumerate(player.zone, 1))
                + sum(self.permanent(colour, n, token) for n, token in enumerate(player.rewards, 1))
                + self.tray(colour, "credit", player.credits)
                + self.tray(colour, "battery", player.batteries)
                + self.score(colour, player.score)
            )
        return known

    def colony(self, position: Position) -> float:
        return (
            self.sponsors(position.sponsors)
            + sum(self.pair(level, pair) for level, pair in enumerate(position.display, 1))
            + sum(self.store(name, filled) for name, filled in zip(COLUMNS, position.store, strict=True))
            + self.contracts(position.public)
        )

    def position(self, position: Position) -> float:
        """The cost of everything that can be seen of a position."""
        return sum(map(self.board, position.players)) + self.colony(position)

    def covered(self, position: Position, seat: int, facets: Covered) -> float:
        """What some facets of a position cost, of the player in `seat` and of the colony."""
        return sum(self._one(facet, position, position.players[seat]) for facet in facets)

    def _one(self, facet: str, position: Position, player: Player) -> float:
        colour = player.colour
        match facet:
            case "column":
                return self.column(colour, player.divers)
            case "keys":
                return self.keyring(colour, player.keys, player.neutral_x, player.track)
            case "technician":
                return self.technician(colour, "hacker", player.hacker) + self.technician(
                    colour, "mechanic", player.mechanic
                )
            case "zone":
                return sum(self.level(colour, n, cubes) for n, cubes in enumerate(player.zone, 1))
            case "reward":
                return sum(self.permanent(colour, n, token) for n, token in enumerate(player.rewards, 1))
            case "tray":
                coins = self.tray(colour, "credit", player.credits)
                return coins + self.tray(colour, "battery", player.batteries)
            case "score":
                return self.score(colour, player.score)
            case "sponsor":
                return self.sponsors(position.sponsors)
            case "display":
                return sum(self.pair(level, pair) for level, pair in enumerate(position.display, 1))
            case "store":
                return sum(self.store(name, n) for name, n in zip(COLUMNS, position.store, strict=True))
            case "contract":
                return self.contracts(position.public)
        raise ValueError(f"{facet!r} is not a facet of the table")

    def contracts(self, public: tuple[str | None, ...]) -> float:
        return sum(
            self.contract(space, public[space - 1] if space <= len(public) else "")
            for space in range(1, PUBLIC_SPACES + 1)
        )

    def likely_orders(self, player: Player, flips: bool) -> LikelyOrders:
        """The orders of a player's column, likeliest first; with `flips` any tile may have been upgraded."""
        upgraded = tuple(diver + "+" in player.divers for diver in DIVERS)
        key = (player.colour, (*upgraded, flips))
        known = self._orders.get(key)
        if known is None:
            rows = [
                [
                    self._tile_cost(player.colour, place, diver, is_upgraded, flips)
                    for diver, is_upgraded in zip(DIVERS, upgraded, strict=True)
                ]
                for place in range(1, 9)
            ]
            known = self._orders[key] = LikelyOrders(DIVERS, rows)
        return known

    def _tile_cost(self, colour: str, place: int, diver: str, upgraded: bool, flips: bool) -> float:
        slot = f"{colour}.diver.{place}"
        if upgraded:
            return self.sight.cost((slot, f"{diver}+", None))
        basic = self.sight.cost((slot, diver, None))
        return min(basic, self.sight.cost((slot, f"{diver}+", None))) if flips else basic

"""The stages of a turn on compact states: contracts, sponsor, dive. Each writes the notation of what it does.

The batteries spent on propellers and oxygen are left out (nothing here needs them, and each only takes one away),
and so is the order of the column: a stage is told which diver stands at the key's level.
"""

from collections.abc import Iterator

from companion.rules.cards import LETTER_OF, back_of, front_cubes, front_of
from companion.rules.compact import (
    BATTERIES,
    CREDITS,
    GAINED,
    HAND,
    OTHERS,
    SCORE,
    SHELF,
    SPENDABLE,
    STORE,
    TAKEN,
    TILES,
    ZONE,
    Hands,
    Link,
    Nodes,
    Shelves,
    State,
    with_cube,
    without_cube,
)
from companion.rules.divers import COST
from companion.rules.effects import UPGRADE_COST, sorted_keys
from companion.rules.position import Position
from companion.rules.settings import CAPACITY, LETTERS, LEVELS, MOST_IMPROVEMENTS, SURFACE

Found = list[tuple[str, State]]
Neighbour = tuple[int, str, str]  # side (0 left, 1 right), how it is written, its diver at the level


class Stages:
    """The stages for one position at the start of a turn."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.rules = position.rules
        me = position.player
        self.own_played = tuple(key for key in me.track if key != "N")
        self.supply_x = position.supply_x
        hands, shelves = Hands(position.cards), Shelves()
        self.start: State = (
            me.zone,
            me.credits,
            me.batteries,
            me.score,
            hands.get(position.public, me.private, position.deck),
            (),
            0,
            shelves.get(position.display, me.rewards, position.bag, position.reward_discard),
            tuple(position.store),
            me.divers,
            me.hacker,
            me.mechanic,
            (),
            0,
        )

        self._around = tuple(
            (i, f"{side}/", position.players[position.neighbour(side)].divers)
            for i, side in enumerate(position.sides)
        )

    def _neighbours(self, level: int) -> tuple[Neighbour, ...]:
        return tuple((side, written, divers[SURFACE + level - 1]) for side, written, divers in self._around)

    def close(self, nodes: Nodes) -> Nodes:
        """Adds every state reached by completing contracts, in any order and number."""
        todo = list(nodes)
        while todo:
            state = todo.pop()
            payments = state[HAND].payments(state[ZONE])
            if not payments:
                continue
            link = nodes[state]
            _, money, batteries, score, _ = state[:5]
            rest = state[5:]
            rewards = state[SHELF].rewards
            for text, index, zone, points, credit, battery, hand in payments:
                reward = rewards[index]
                permanent = back_of(reward) if reward else ""
                after: State = (
                    zone,
                    money + credit + 2 * (permanent == "credits"),
                    batteries + battery,
                    score + points + (permanent == "prestige"),
                    hand,
                    *rest,
                )
                if after not in nodes:
                    nodes[after] = (link, text)
                    todo.append(after)
        return nodes

    def fronts(self, state: State, front: str, level: int) -> Iterator[tuple[str, State]]:
        """The immediate effect of a reward, with what its choice adds to the notation."""
        zone, money, batteries, score, hand = state[:5]
        if front == "battery":
            yield "", (zone, money, batteries + 1, *state[3:])
        elif front == "prestige":
            yield "", (zone, money, batteries, score + 1, *state[4:])
        elif front == "contracts":
            for card, after in hand.drawn:
                yield f"/draw={card}", (zone, money, batteries, score, after, *state[5:])
            if not hand.drawn:
                yield "/none", state
        elif front == "upgrade":
            tiles = state[TILES]
            plain = [(i, tile) for i, tile in enumerate(tiles) if tile[-1] != "+"]
            for i, tile in plain:
                yield f"/upgrade={tile}", upgraded(state, i)
            if not plain:
                yield "/none", state
        else:
            cubes = zone[level - 1]
            if len(cubes) < CAPACITY[level - 1]:
                for cube in front_cubes(front):
                    yield f"/{cube}", (put(zone, level, with_cube(cubes, cube)), *state[1:])
            else:
                yield "/none", state

    def sponsor(self, nodes: Nodes, sponsor: str, level: int) -> Nodes:
        """What sponsors 1, 2a, 3, 5 and 5a lead to, contracts after it included.

        1a, 2, 3a, 4 and 4a change how step 2 or the column goes; `search` sees to them.
        """
        after: Nodes = {}
        for state, link in nodes.items():
            for text, reached in self._sponsor(state, sponsor, level):
                after.setdefault(reached, (link, text))
        # Only a moved cube, a new cube or a new card can make a contract payable that was not before.
        return self.close(after) if sponsor in ("2a", "5a") else after

    def _sponsor(self, state: State, sponsor: str, level: int) -> Iterator[tuple[str, State]]:
        zone, money, batteries = state[:3]
        if sponsor == "1":
            yield "sponsor:credit", (zone, money + 1, *state[2:])
        elif sponsor == "3":
            for key in self.own_played:
                yield f"sponsor:take={key}", (*state[:5], (key,), *state[6:])
        elif sponsor == "2a":
            yield from self._rewards(state, level)
        elif sponsor in ("5", "5a"):
            yield "sponsor:battery", (zone, money, batteries + 1, *state[3:])
            if sponsor == "5a" and batteries > 0:
                paid: State = (zone, money, batteries - 1, *state[3:])
                yield from self._swaps(paid, level) if self.rules.german else self._moves(paid, level)

    def _rewards(self, state: State, level: int) -> Iterator[tuple[str, State]]:
        shelf = state[SHELF]
        for shown in LEVELS if self.rules.german else (level,):
            for which in (0, 1):
                token = shelf.display[shown - 1][which]
                if not token or token[0] == "?":
                    continue
                place = f"{shown}.{which + 1}" if self.rules.german else f"{which + 1}"
                left = shelf.without(shown - 1, which, kept=False)
                for choice, reached in self.fronts(state, front_of(token), level):
                    yield f"sponsor:reward={place}{choice}", (*reached[:7], left, *reached[8:])

    def _moves(self, state: State, level: int) -> Iterator[tuple[str, State]]:
        zone = state[ZONE]
        for other in LEVELS:
            if other == level:
                continue
            for source, target in ((level, other), (other, level)):
                if len(zone[target - 1]) < CAPACITY[target - 1]:
                    for cube in dict.fromkeys(zone[source - 1]):
                        moved = put(zone, source, without_cube(zone[source - 1], cube))
                        moved = put(moved, target, with_cube(zone[target - 1], cube))
                        yield f"sponsor:move={cube}{source}>{target}", (moved, *state[1:])

    def _swaps(self, state: State, level: int) -> Iterator[tuple[str, State]]:
        zone = state[ZONE]
        here = zone[level - 1]
        for other in LEVELS:
            there = zone[other - 1]
            if other == level or not there:
                continue
            for cube in dict.fromkeys(here):
                for back in dict.fromkeys(there):
                    if back != cube:
                        swapped = put(zone, level, with_cube(without_cube(here, cube), back))
                        swapped = put(swapped, other, with_cube(without_cube(there, back), cube))
                        yield f"sponsor:swap={cube}{level}<>{back}{other}", (swapped, *state[1:])

    def upgrade_for_money(self, nodes: Nodes, diver: int) -> Nodes:
        """Sponsors 4 and 4a: pay 2, one diver upgraded, 1 prestige."""
        after: Nodes = {}
        for state, link in nodes.items():
            tile = state[TILES][diver]
            if tile[-1] != "+" and state[CREDITS] >= UPGRADE_COST:
                flipped = upgraded(state, diver)
                paid: State = (
                    flipped[ZONE],
                    flipped[CREDITS] - UPGRADE_COST,
                    flipped[BATTERIES],
                    flipped[SCORE] + 1,
                    *flipped[4:],
                )
                after.setdefault(paid, (link, f"sponsor:upgrade={tile}"))
        return after

    def dive(self, nodes: Nodes, diver: int, level: int, free: bool) -> Nodes:
        """One use of the effect of the diver that started the turn at place `diver`, then contracts."""
        after: Nodes = {}
        for state, link in nodes.items():
            tile = state[TILES][diver]
            found: Found = []
            self._effects(found, state, tile, "", level, free)
            if tile[:3] == "spy":
                self._copies(found, state, tile, level, free)
            for text, reached in found:
                if reached not in after:
                    after[reached] = (link, text)
        return self.close(after)

    def _copies(self, found: Found, state: State, tile: str, level: int, free: bool) -> None:
        cost = 0 if free else COST[tile]
        if state[CREDITS] < cost:
            return
        paid: State = (state[ZONE], state[CREDITS] - cost, *state[2:])
        for side, written, copied in self._neighbours(level):
            if self.rules.spy_variant:
                others = dict(state[OTHERS])
                others[side] = others.get(side, 0) + cost
                paid = (*paid[:12], tuple(sorted(others.items())), paid[SPENDABLE])
            self._effects(found, paid, copied, written, level, False)

    def _effects(self, found: Found, state: State, tile: str, copied: str, level: int, free: bool) -> None:
        """Every use of a tile's effect as if it stood at the level of the player's board."""
        kind, better = (tile[:-1], 1) if tile[-1] == "+" else (tile, 0)
        if kind in LETTER_OF:
            self._search(found, state, kind, better, copied, level)
        elif kind == "trader":
            self._trade(found, state, better, copied, level, free)
        else:
            cost = 0 if free else COST[tile]
            zone, money = state[:2]
            if money < cost:
                return
            if kind == "spy":
                for card, hand in state[HAND].drawn:
                    found.append(
                        (f"dive:{copied}draw={card}", (zone, money - cost, *state[2:4], hand, *state[5:]))
                    )
            elif kind == "engineer":
                hacker, mechanic = state[10:12]
                paid: State = (zone, money - cost, *state[2:])
                if hacker < MOST_IMPROVEMENTS:
                    found.append((f"dive:{copied}engineer=hacker", (*paid[:10], hacker + 1, *paid[11:])))
                if mechanic < MOST_IMPROVEMENTS:
                    found.append((f"dive:{copied}engineer=mechanic", (*paid[:11], mechanic + 1, *paid[12:])))
            else:
                self._explore(found, (zone, money - cost, *state[2:]), copied, level)

    def _explore(self, found: Found, state: State, copied: str, level: int) -> None:
        shelf = state[SHELF]
        for which in (0, 1):
            token = shelf.display[level - 1][which]
            if token and token[0] != "?":
                left = shelf.without(level - 1, which, kept=True)
                for choice, reached in self.fronts(state, front_of(token), level):
                    text = f"dive:{copied}explore={which + 1}{choice}"
                    found.append((text, (*reached[:7], left, *reached[8:])))

    def _search(self, found: Found, state: State, expert: str, better: int, copied: str, level: int) -> None:
        zone = state[ZONE]
        cubes = zone[level - 1]
        outcomes: list[tuple[str, State]] = []
        if len(cubes) < CAPACITY[level - 1]:
            filled: State = (put(zone, level, with_cube(cubes, LETTER_OF[expert])), *state[1:])
            found.append((f"dive:{copied}cube", filled))
            outcomes.append(("cube+", filled))
        if not better:
            return
        outcomes.append(("", state))
        for text, reached in outcomes:
            if expert == "plant":
                found.append(
                    (f"dive:{copied}{text}bonus", (reached[ZONE], reached[CREDITS] + 1, *reached[2:]))
                )
            elif expert == "fuel":
                found.append(
                    (f"dive:{copied}{text}bonus", (*reached[:2], reached[BATTERIES] + 1, *reached[3:]))
                )
            elif expert == "metal":
                gained = reached[GAINED]
                if gained < self.supply_x:
                    found.append((f"dive:{copied}{text}bonus", (*reached[:6], gained + 1, *reached[7:])))
            else:
                taken = reached[TAKEN]
                for key in self.own_played:
                    if key not in taken:
                        keys = sorted_keys((*taken, key))
                        found.append((f"dive:{copied}{text}take={key}", (*reached[:5], keys, *reached[6:])))

    def _trade(self, found: Found, state: State, better: int, copied: str, level: int, free: bool) -> None:
        zone, money, batteries, score = state[:4]
        store = state[STORE]
        rows = self.rules.store
        cubes = zone[level - 1]
        for cube in dict.fromkeys(cubes):
            column = LETTERS.index(cube)
            filled = store[column]
            if filled < len(rows):
                worth, prestige = rows[filled]
                sold: State = (
                    put(zone, level, without_cube(cubes, cube)),
                    *state[1:8],
                    (*store[:column], filled + 1, *store[column + 1 :]),
                    *state[9:],
                )
                text = f"dive:{copied}sell={cube}/"
                found.append((text + "credits", (sold[ZONE], money + worth + better, *sold[2:])))
                if prestige + better:
                    gained: State = (sold[ZONE], money, batteries, score + prestige + better, *sold[4:])
                    found.append((text + "prestige", gained))
        if len(cubes) >= CAPACITY[level - 1]:
            return
        for column, cube in enumerate(LETTERS):
            filled = store[column]
            if filled:
                price = 0 if free else max(0, rows[filled - 1][0] - better)
                if money >= price:
                    bought: State = (
                        put(zone, level, with_cube(cubes, cube)),
                        money - price,
                        *state[2:8],
                        (*store[:column], filled - 1, *store[column + 1 :]),
                        *state[9:],
                    )
                    found.append((f"dive:{copied}buy={cube}", bought))


def put(zone: tuple[str, ...], level: int, cubes: str) -> tuple[str, ...]:
    return (*zone[: level - 1], cubes, *zone[level:])


def upgraded(state: State, diver: int) -> State:
    tiles = state[TILES]
    return (*state[:9], (*tiles[:diver], tiles[diver] + "+", *tiles[diver + 1 :]), *state[10:])


def texts(link: Link) -> list[str]:
    """The notation of the steps that led to a state, in the order played."""
    found = []
    while link is not None:
        link, text = link
        found.append(text)
    return found[::-1]

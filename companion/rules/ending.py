"""The end of a turn on compact states: keys, copied neighbours, whose turn comes, and the position that results."""

from typing import Any, NamedTuple

from companion.rules.compact import CREDITS, HACKER, HAND, MECHANIC, SCORE, SHELF, STORE, ZONE, Others, State
from companion.rules.effects import resurface, sorted_keys
from companion.rules.play import winners
from companion.rules.position import Player, Position, Store
from companion.rules.settings import OWN_KEYS, SURFACE
from companion.rules.steps import Key, Side

SIDES: tuple[Side, Side] = ("left", "right")


class Ring(NamedTuple):
    """Where the keys are after step 3, and how many neutral ones the supply has."""

    keys: tuple[Key, ...]
    neutral_x: int
    track: tuple[Key, ...]
    supply_x: int


# What the variant does to copied neighbours: side, credits paid to it, level its diver resurfaces from (0: oxygen).
Copied = tuple[tuple[int, int, int], ...]


class Table(NamedTuple):
    """All that is left at the end of a turn, the player's column and batteries aside."""

    state: State  # without batteries, keys and neighbours, which the other fields tell
    ring: Ring
    rotated: bool  # an X key rotated the sponsors
    copied: Copied


class Ending:
    """Ends turns that began in one position."""

    def __init__(self, position: Position) -> None:
        self.before = position
        self.seat = position.to_play
        self._rings: dict[tuple[Any, ...], Ring] = {}
        self._following = (position.to_play + 1) % len(position.players)
        self._rotated = (position.sponsors[-1], *position.sponsors[:-1])

    def ring(self, key: Key, taken: tuple[Key, ...], gained: int, hacker: int) -> Ring:
        """Step 3: the key goes to the Hacker track, and all return when it is full."""
        content = (key, taken, gained, hacker)
        ring = self._rings.get(content)
        if ring is None:
            me = self.before.player
            neutral_x = me.neutral_x + gained - (key == "N")
            supply_x = self.before.supply_x - gained
            track = (*(played for played in me.track if played not in taken), key)
            if len(track) >= self.before.rules.keys_to_recover - hacker:
                ring = Ring(OWN_KEYS, neutral_x, (), supply_x + track.count("N"))
            else:
                available = sorted_keys(tuple(k for k in (*me.keys, *taken) if k != key))
                ring = Ring(available, neutral_x, track, supply_x)
            self._rings[content] = ring
        return ring

    def copied(self, others: Others, level: int) -> list[Copied]:
        """In the variant: what happens to the neighbours copied, for each choice they have."""
        choices: list[Copied] = [()]
        for side, paid in others:
            seat = self.before.neighbour(SIDES[side])
            ends = (level, 0) if self.before.players[seat].batteries else (level,)
            choices = [(*choice, (side, paid, end)) for choice in choices for end in ends]
        return choices

    def board(self, table: Table) -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]:
        """The player's fields up to the batteries, from there to the column, and after it."""
        state, ring = table.state, table.ring
        me = self.before.player
        return (
            (me.name, me.colour, state[SCORE], state[CREDITS]),
            (*ring[:3], state[HACKER], state[MECHANIC]),
            (state[ZONE], state[SHELF].rewards, state[HAND].private),
        )

    def others(self, table: Table) -> tuple[Player, ...]:
        """All players, the one whose turn it was as before it."""
        if not table.copied:
            return self.before.players
        players = list(self.before.players)
        for side, paid, level in table.copied:
            seat = self.before.neighbour(SIDES[side])
            them = players[seat]
            divers = resurface(them.divers, SURFACE + level - 1) if level else them.divers
            players[seat] = them._replace(
                credits=them.credits + paid, batteries=them.batteries - (level == 0), divers=divers
            )
        return tuple(players)

    def colony(self, table: Table) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The position's fields before the players and after them."""
        state, was, following = table.state, self.before, self._following
        hand, shelf = state[HAND], state[SHELF]
        number, over = was.round, was.over
        if following == was.first:
            me = was.player._replace(score=state[SCORE], zone=state[ZONE])
            players = (*was.players[: self.seat], me, *was.players[self.seat + 1 :])
            if any(player.score >= was.rules.trigger for player in players):
                over = winners(players)
            else:
                number += 1
        return (was.rules, following, was.first, number), (
            self._rotated if table.rotated else was.sponsors,
            shelf.display,
            Store._make(state[STORE]),
            hand.public,
            table.ring.supply_x,
            hand.deck,
            shelf.bag,
            shelf.discard,
            over,
            None,
            was.cards,
        )

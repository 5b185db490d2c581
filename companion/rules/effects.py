"""What pieces do: contracts, rewards, divers and sponsors on a position. The one place that knows each rule.

Each function gives the position after the effect, or raises Refused with the reason it cannot be used here.
None of them knows when in a turn it may come; that is `play`.
"""

from typing import Any

from companion.rules.cards import LETTER_OF, back_of, front_cubes, front_of, sorted_cubes, without
from companion.rules.position import Player, Position
from companion.rules.settings import CAPACITY, DRAWN, LETTERS, MOST_IMPROVEMENTS, SURFACE
from companion.rules.steps import (
    Buy,
    DiverEffect,
    Draw,
    Explore,
    Front,
    Improve,
    Key,
    Nothing,
    Search,
    Sell,
    TakeCube,
    Upgrade,
)

COST = {"spy": 1, "spy+": 0, "engineer": 1, "engineer+": 0, "explorer": 2, "explorer+": 1}
UPGRADE_COST = 2


class Refused(Exception):
    """Why an effect cannot be used; `play` adds which step and where."""


def change(position: Position, **changes: Any) -> Position:
    """The position with some fields of the player to play changed."""
    return position.with_player(position.to_play, **changes)


def pay(position: Position, cost: int) -> Position:
    me = position.player
    if me.credits < cost:
        raise Refused(f"it costs {cost} and {me.name} has {me.credits} credits")
    return change(position, credits=me.credits - cost)


def pay_battery(position: Position) -> Position:
    me = position.player
    if me.batteries < 1:
        raise Refused(f"{me.name} has no battery")
    return change(position, batteries=me.batteries - 1)


def with_cubes(zone: tuple[str, ...], level: int, cubes: str) -> tuple[str, ...]:
    return (*zone[: level - 1], cubes, *zone[level:])


def has_room(player: Player, level: int) -> bool:
    return len(player.zone[level - 1]) < CAPACITY[level - 1]


def add_cube(position: Position, cube: str, level: int) -> Position:
    me = position.player
    if not has_room(me, level):
        raise Refused(f"level {level} is full")
    return change(position, zone=with_cubes(me.zone, level, sorted_cubes(me.zone[level - 1] + cube)))


def remove_cube(position: Position, cube: str, level: int) -> Position:
    me = position.player
    left = without(me.zone[level - 1], cube)
    if left is None:
        raise Refused(f"there is no {cube} cube at level {level}")
    return change(position, zone=with_cubes(me.zone, level, left))


def take_back(position: Position, key: Key) -> Position:
    """An own key returns from the Hacker track; those to its right move up."""
    me = position.player
    if key == "N" or key not in me.track:
        raise Refused(f"key {key} does not lie on the Hacker track")
    place = me.track.index(key)
    return change(
        position,
        keys=sorted_keys((*me.keys, key)),
        track=me.track[:place] + me.track[place + 1 :],
    )


def sorted_keys(keys: tuple[Key, ...]) -> tuple[Key, ...]:
    return tuple(sorted(keys, key=str))


def upgrade(position: Position, diver: str) -> Position:
    me = position.player
    if diver not in me.divers:
        raise Refused(f"the {diver} is already upgraded")
    return change(position, divers=tuple(d + "+" if d == diver else d for d in me.divers))


def resurface(divers: tuple[str, ...], index: int) -> tuple[str, ...]:
    """The diver at an index goes to the top, those above it one place down."""
    return (divers[index], *divers[:index], *divers[index + 1 :])


def propel(divers: tuple[str, ...], index: int, by: int) -> tuple[str, ...]:
    """A diver moves; those it passes shift one place."""
    rest = divers[:index] + divers[index + 1 :]
    target = index + by
    return (*rest[:target], divers[index], *rest[target:])


# Contracts and cards


def complete_contract(position: Position, card: str, level: int, cubes: str | None) -> Position:
    me = position.player
    if card not in position.cards:
        raise Refused(f"there is no contract {card}")
    if card not in me.private and card not in position.public:
        raise Refused(f"contract {card} is neither public nor in {me.name}'s hand")
    contract = position.cards[card]
    if cubes is None and contract.free:
        raise Refused(
            f"contract {card} leaves the colours free: say which cubes, as in contract:{card}@{level}={contract.payments[0]}"
        )
    payment = contract.payments[0] if cubes is None else cubes
    if payment not in contract.payments:
        raise Refused(f"{payment} does not pay for contract {card}")
    left = without(me.zone[level - 1], payment)
    if left is None:
        raise Refused(f"level {level} holds {me.zone[level - 1] or 'nothing'}, not {payment}")
    reward = me.rewards[level - 1]
    permanent = back_of(reward) if reward else ""
    after = change(
        position,
        zone=with_cubes(me.zone, level, left),
        score=me.score + contract.points + (permanent == "prestige"),
        credits=me.credits + contract.bonus.count("c") + 2 * (permanent == "credits"),
        batteries=me.batteries + contract.bonus.count("b"),
    )
    if card in me.private:
        place = me.private.index(card)
        return change(after, private=me.private[:place] + me.private[place + 1 :])
    place = position.public.index(card)
    fresh, deck = _next_card(position.deck)
    return after._replace(public=(*position.public[:place], fresh, *position.public[place + 1 :]), deck=deck)


def _next_card(deck: tuple[str, ...] | None) -> tuple[str | None, tuple[str, ...] | None]:
    if deck is None:
        return None, None
    return (deck[0], deck[1:]) if deck else ("", deck)


def draw(position: Position, card: str | None) -> Position:
    """Draws four, keeps one, the others go under the deck in the order drawn.

    With an unknown deck the kept card is unknown too, unless somebody showed it.
    """
    deck = position.deck
    if deck is None:
        if card is not None:
            if card not in position.cards:
                raise Refused(f"there is no contract {card}")
            if card in position.public or any(card in player.private for player in position.players):
                raise Refused(f"contract {card} is not in the deck")
    elif not deck:
        raise Refused("the deck is empty")
    elif card not in deck[:DRAWN]:
        raise Refused(f"the cards drawn are {', '.join(deck[:DRAWN])}")
    else:
        position = position._replace(deck=deck[DRAWN:] + tuple(c for c in deck[:DRAWN] if c != card))
    return change(position, private=(*position.player.private, card))


# Rewards


def use_front(position: Position, token: str | None, choice: Front, level: int) -> Position:
    """The immediate effect of a reward token; `level` is that of the key in play."""
    if not token:
        raise Refused(
            "no reward token lies there" if token == "" else "nobody knows which reward token lies there"
        )
    front = front_of(token)
    if front == "?":
        raise Refused("nobody knows the front of that reward token")
    if front in ("battery", "prestige"):
        if choice is not None:
            raise Refused(f"a {front} reward asks for no choice")
        me = position.player
        return (
            change(position, batteries=me.batteries + 1)
            if front == "battery"
            else change(position, score=me.score + 1)
        )
    if isinstance(choice, Nothing):
        if front_does_something(position, front, level):
            raise Refused(f"the {front} reward can be used, so it may not be declined")
        return position
    if front == "contracts" and isinstance(choice, Draw):
        return draw(position, choice.card)
    if front == "upgrade" and isinstance(choice, Upgrade):
        return upgrade(position, choice.diver)
    if isinstance(choice, TakeCube) and choice.cube in front_cubes(front):
        return add_cube(position, choice.cube, level)
    asked = "a colour" if "|" in front else "a card" if front == "contracts" else "a diver"
    raise Refused(f"the reward {token} asks for {asked} of its own")


def front_does_something(position: Position, front: str, level: int) -> bool:
    if front == "contracts":
        return position.deck is None or bool(position.deck)
    if front == "upgrade":
        return any(not diver.endswith("+") for diver in position.player.divers)
    return has_room(position.player, level) if "|" in front else True


def replace_token(position: Position, level: int, which: int) -> Position:
    """Draws a new token for the Display; an empty bag is filled with the discarded ones first."""
    bag, discard = position.bag, position.reward_discard
    fresh: str | None = None
    if bag is not None:
        if not bag:
            bag, discard = discard, ()
        fresh, bag = (bag[0], bag[1:]) if bag else ("", bag)
    pair = position.display[level - 1]
    pair = (fresh, pair[1]) if which == 1 else (pair[0], fresh)
    display = (*position.display[: level - 1], pair, *position.display[level:])
    return position._replace(display=display, bag=bag, reward_discard=discard)


def explore(position: Position, effect: Explore, level: int) -> Position:
    token = position.display[level - 1][effect.which - 1]
    position = use_front(position, token, effect.front, level)
    older = position.player.rewards[level - 1]
    if older is not None:
        position = position._replace(reward_discard=(*position.reward_discard, older))
    rewards = position.player.rewards
    position = change(position, rewards=(*rewards[: level - 1], token, *rewards[level:]))
    return replace_token(position, level, effect.which)


# Divers


def use_diver(position: Position, tile: str, effect: DiverEffect, level: int, free: bool) -> Position:
    """The effect of a tile as it stands at `level` of the player's board; `free` waives its credits."""
    diver, upgraded = tile.removesuffix("+"), tile.endswith("+")
    cost = 0 if free else COST.get(tile, 0)
    match effect:
        case Search() if diver in LETTER_OF:
            return _search(position, diver, upgraded, effect, level)
        case Sell() if diver == "trader":
            return _sell(position, upgraded, effect, level)
        case Buy() if diver == "trader":
            return _buy(position, upgraded, effect, level, free)
        case Draw() if diver == "spy":
            return draw(pay(position, cost), effect.card)
        case Improve() if diver == "engineer":
            return _improve(pay(position, cost), effect)
        case Explore() if diver == "explorer":
            return explore(pay(position, cost), effect, level)
    raise Refused(f"that is not what the {tile} at level {level} does")


def _search(position: Position, diver: str, upgraded: bool, effect: Search, level: int) -> Position:
    if (effect.bonus or effect.take is not None) and not upgraded:
        raise Refused(f"the {diver} expert is not upgraded and has no bonus")
    if effect.bonus == (diver == "tech") and (effect.bonus or effect.take is not None):
        raise Refused(
            "a Tech expert's bonus takes a key back: write take= and the key"
            if effect.bonus
            else f"the {diver} expert takes no key back"
        )
    if effect.cube:
        position = add_cube(position, LETTER_OF[diver], level)
    if effect.take is not None:
        return take_back(position, effect.take)
    if not effect.bonus:
        return position
    me = position.player
    if diver == "plant":
        return change(position, credits=me.credits + 1)
    if diver == "fuel":
        return change(position, batteries=me.batteries + 1)
    if position.supply_x < 1:
        raise Refused("no neutral X key is left in the supply")
    return change(position, neutral_x=me.neutral_x + 1)._replace(supply_x=position.supply_x - 1)


def _sell(position: Position, upgraded: bool, effect: Sell, level: int) -> Position:
    column = LETTERS.index(effect.cube)
    filled = position.store[column]
    rows = position.rules.store
    if filled >= len(rows):
        raise Refused(f"the Store's {effect.cube} column is full")
    position = remove_cube(position, effect.cube, level)
    worth, prestige = rows[filled]
    me = position.player
    if effect.gain == "credits":
        position = change(position, credits=me.credits + worth + upgraded)
    elif prestige + upgraded == 0:
        raise Refused(f"row {filled + 1} of the Store gives no prestige")
    else:
        position = change(position, score=me.score + prestige + upgraded)
    return _fill_store(position, column, filled + 1)


def _buy(position: Position, upgraded: bool, effect: Buy, level: int, free: bool) -> Position:
    column = LETTERS.index(effect.cube)
    filled = position.store[column]
    if filled == 0:
        raise Refused(f"the Store has no {effect.cube} cube")
    price = max(0, position.rules.store[filled - 1][0] - upgraded)
    position = pay(position, 0 if free else price)
    return _fill_store(add_cube(position, effect.cube, level), column, filled - 1)


def _fill_store(position: Position, column: int, filled: int) -> Position:
    store = list(position.store)
    store[column] = filled
    return position._replace(store=type(position.store)(*store))


def _improve(position: Position, effect: Improve) -> Position:
    reached: int = getattr(position.player, effect.technician)
    if reached >= MOST_IMPROVEMENTS:
        raise Refused(f"the {effect.technician} has already improved {MOST_IMPROVEMENTS} times")
    return change(position, **{effect.technician: reached + 1})


def surface_divers(player: Player) -> tuple[str, ...]:
    return player.divers[:SURFACE]

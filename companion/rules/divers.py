"""The eight divers, both sides."""

from companion.rules.cards import LETTER_OF
from companion.rules.contracts import draw
from companion.rules.effects import Refused, add_cube, change, pay, remove_cube, take_back
from companion.rules.position import Position
from companion.rules.rewards import explore
from companion.rules.settings import LETTERS, MOST_IMPROVEMENTS
from companion.rules.steps import Buy, DiverEffect, Draw, Explore, Improve, Search, Sell

COST = {"spy": 1, "spy+": 0, "engineer": 1, "engineer+": 0, "explorer": 2, "explorer+": 1}


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

"""Reward tokens: their fronts, the Display, the bag and the Explorer's placing."""

from companion.rules.cards import front_cubes, front_of
from companion.rules.contracts import draw
from companion.rules.effects import Refused, add_cube, change, has_room, upgrade
from companion.rules.position import Position
from companion.rules.steps import Draw, Explore, Front, Nothing, TakeCube, Upgrade


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

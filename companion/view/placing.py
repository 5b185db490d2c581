"""What may lie in a slot, as choices: for telling by hand what the camera cannot see."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from companion import actions
from companion.rules import DIVERS, LETTERS, Player, Position
from companion.rules.cards import Cards, front_of
from companion.view.language import Say
from companion.view.screens import Choice
from companion.view.words import batteries, content, cubes, diver, money, resource, reward

IMPROVEMENTS: Final = 3
# More than anybody has been seen to hold; the set-up gives 3 and 1.
MOST_CREDITS: Final = 15
MOST_BATTERIES: Final = 9
_SPONSORS = tuple(f"{number}{side}" for number in "12345" for side in ("", "a"))


def place_choice(say: Say, position: Position, slot: str, where: str) -> Choice | None:
    """A choice that offers everything that can lie in a slot; None for slots that nobody has to tell."""
    kind = slot.split(".")[1]
    offered: tuple[Choice, ...]
    match kind:
        case "diver":
            offered = tuple(_to(slot, tile, diver(say, tile), tile) for tile in DIVERS)
        case "sponsor":
            offered = tuple(_to(slot, tile, content(say, tile, "sponsor")) for tile in _SPONSORS)
        case "display":
            offered = reward_choices(say, position.cards, slot)
        case "contract":
            offered = contract_choices(say, position.cards, slot, position.public)
        case "zone":
            offered = (
                _to(slot, "", say("empty")),
                *(_to(slot, letter, resource(say, letter)) for letter in LETTERS),
            )
        case "store":
            letter = slot.split(".")[2]
            offered = (_to(slot, "", say("empty")), _to(slot, letter[0], resource(say, letter)))
        case "hacker" | "mechanic":
            offered = tuple(
                _to(slot, steps, say.many("{n} improvement", "{n} improvements", steps), kind)
                for steps in range(IMPROVEMENTS + 1)
            )
        case _:
            return None
    return Choice(where, actions.PLACE, slot, options=offered)


def tray_choices(say: Say, player: Player) -> tuple[Choice, Choice]:
    """How many credits, and how many batteries, somebody has. Each tells the other along: both lie in one tray."""
    slot = f"{player.colour}.tray"

    def counts(name: str, most: int, words: Callable[[Say, int], str]) -> tuple[Choice, ...]:
        has = {"credit": player.credits, "battery": player.batteries}
        return tuple(_to(slot, has | {name: n}, words(say, n), name) for n in range(most + 1))

    return (
        Choice(
            say("{name}: {what}", name=player.name, what=say("credits")),
            actions.PLACE,
            slot,
            options=counts("credit", MOST_CREDITS, money),
        ),
        Choice(
            say("{name}: {what}", name=player.name, what=say("batteries")),
            actions.PLACE,
            slot,
            options=counts("battery", MOST_BATTERIES, batteries),
        ),
    )


def unknown(say: Say, position: Position) -> tuple[Choice, ...]:
    """A choice for each card and token that was laid out but that nobody has shown the companion yet."""
    cards = [
        Choice(
            say("Which card lies on space {n}?", n=space),
            actions.PLACE,
            f"colony.contract.{space}",
            "contract",
            options=contract_choices(say, position.cards, f"colony.contract.{space}", position.public),
        )
        for space, card in enumerate(position.public, 1)
        if card is None
    ]
    tokens = [
        Choice(
            say("Which reward was drawn for level {n}?", n=level),
            actions.PLACE,
            f"colony.display.{level}.{which}",
            "reward",
            options=reward_choices(say, position.cards, f"colony.display.{level}.{which}"),
        )
        for level, pair in enumerate(position.display, 1)
        for which, token in enumerate(pair, 1)
        if token is None
    ]
    return (*cards, *tokens)


def private_choice(say: Say, position: Position) -> Choice | None:
    """Which of the player's own cards is completed: those that can be paid now. None without such a card.

    Nobody else sees what somebody drew, so the card is told only when it is laid down.
    """
    player = position.player
    if None not in player.private:
        return None
    slot = f"{player.colour}.private.{player.private.index(None) + 1}"
    payable = tuple(
        choice
        for choice in contract_choices(say, position.cards, slot, (*position.public, *player.private))
        if _can_pay(position, choice.value[1])
    )
    text = say("A private contract of {name}", name=player.name)
    return Choice(text, actions.PLACE, slot, "contract", enabled=bool(payable), options=payable)


def _can_pay(position: Position, card: str) -> bool:
    return any(True for cubes in position.player.zone for _ in position.cards[card].paid_from(cubes))


def reward_choices(say: Say, cards: Cards, slot: str) -> tuple[Choice, ...]:
    """Every kind of reward token there is."""
    return tuple(_to(slot, token, reward_words(say, token)) for token in dict.fromkeys(cards.rewards))


def contract_choices(say: Say, cards: Cards, slot: str, shown: tuple[str | None, ...]) -> tuple[Choice, ...]:
    """Every card that does not lie there yet, by id and what it needs."""
    return tuple(
        _to(slot, card.id, say("{name}: {what}", name=card.id, what=needs(say, card.need)))
        for card in cards.contracts
        if card.id not in shown
    )


@lru_cache(maxsize=256)  # every slot of a board that is told by hand offers the same cards and tokens
def needs(say: Say, need: str | tuple[int, ...]) -> str:
    """What a contract asks for."""
    if isinstance(need, str):
        return cubes(say, need)
    return say("{numbers} alike", numbers=" + ".join(map(str, need)))


@lru_cache(maxsize=256)
def reward_words(say: Say, token: str) -> str:
    """A token by its front and the prize on its back."""
    back = say("2 credits") if token.endswith("credits") else say("prestige")
    return f"{reward(say, front_of(token))} / {back}"


def _to(slot: str, label: object, text: str, icon: str = "") -> Choice:
    return Choice(text[:1].upper() + text[1:], actions.PLACE, (slot, label), icon)

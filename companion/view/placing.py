"""What may lie in a slot, as choices: for telling by hand what the camera cannot see."""

from companion import actions
from companion.rules import DIVERS, LETTERS, Position
from companion.rules.cards import Cards, front_of
from companion.view.language import Say
from companion.view.screens import Choice
from companion.view.words import content, cubes, diver, resource, reward

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
        case _:
            return None
    return Choice(where, actions.PLACE, slot, options=offered)


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


def reward_choices(say: Say, cards: Cards, slot: str) -> tuple[Choice, ...]:
    """Every kind of reward token there is."""
    return tuple(_to(slot, token, reward_words(say, token)) for token in dict.fromkeys(cards.rewards))


def contract_choices(say: Say, cards: Cards, slot: str, shown: tuple[str | None, ...]) -> tuple[Choice, ...]:
    """Every card that does not lie there yet, by id and what it needs."""
    return tuple(
        _to(slot, card.id, f"{card.id}: {needs(say, card.need)}")
        for card in cards.contracts
        if card.id not in shown
    )


def needs(say: Say, need: str | tuple[int, ...]) -> str:
    """What a contract asks for."""
    if isinstance(need, str):
        return cubes(say, need)
    return say("{numbers} alike", numbers=" + ".join(map(str, need)))


def reward_words(say: Say, token: str) -> str:
    """A token by its front and the prize on its back."""
    back = say("2 credits") if token.endswith("credits") else say("prestige")
    return f"{reward(say, front_of(token))} / {back}"


def _to(slot: str, label: str, text: str, icon: str = "") -> Choice:
    return Choice(text[:1].upper() + text[1:], actions.PLACE, (slot, label), icon)

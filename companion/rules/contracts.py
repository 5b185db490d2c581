"""Completing contracts and drawing cards."""

from companion.rules.cards import back_of, without
from companion.rules.effects import Refused, change, with_cubes
from companion.rules.position import Position
from companion.rules.settings import DRAWN


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

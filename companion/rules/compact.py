"""What a turn can change, small enough to search through: a flat tuple of shared pieces.

A `State` leaves out the order of the column (see `columns`) and the batteries spent on it. Pieces that are long
or change seldom (cards, Display) are one shared object for each content, compared by identity.
"""

from typing import Final, TypeAlias

from companion.rules.cards import Cards, sorted_cubes, without
from companion.rules.settings import DRAWN
from companion.rules.steps import Key


class Hand:
    """The contract cards in reach and the deck: one object for each content, made by `Hands`."""

    __slots__ = ("_drawn", "_played", "deck", "hands", "payable", "private", "public")

    def __init__(
        self,
        hands: "Hands",
        public: tuple[str | None, ...],
        private: tuple[str | None, ...],
        deck: tuple[str, ...] | None,
    ) -> None:
        self.hands = hands
        self.public = public
        self.private = private
        self.deck = deck
        self.payable: dict[tuple[str, ...], tuple[Payment, ...]] = {}
        self._played: dict[str, Hand] = {}
        self._drawn: tuple[tuple[str, Hand], ...] | None = None

    def without(self, card: str) -> "Hand":
        """After completing a contract; a public one is replaced."""
        after = self._played.get(card)
        if after is None:
            public, private, deck = self.public, self.private, self.deck
            if card in private:
                place = private.index(card)
                private = private[:place] + private[place + 1 :]
            else:
                place = public.index(card)
                fresh: str | None = None
                if deck is not None:
                    fresh, deck = (deck[0], deck[1:]) if deck else ("", deck)
                public = (*public[:place], fresh, *public[place + 1 :])
            after = self._played[card] = self.hands.get(public, private, deck)
        return after

    @property
    def drawn(self) -> tuple[tuple[str, "Hand"], ...]:
        """The cards that can be kept of four drawn ('?' for an unknown one); none from an empty deck."""
        if self._drawn is None:
            deck = self.deck
            if deck is None:
                self._drawn = (("?", self.hands.get(self.public, (*self.private, None), None)),)
            else:
                top = deck[:DRAWN]
                self._drawn = tuple(
                    (
                        card,
                        self.hands.get(
                            self.public,
                            (*self.private, card),
                            deck[DRAWN:] + tuple(other for other in top if other != card),
                        ),
                    )
                    for card in top
                )
        return self._drawn

    def payments(self, zone: tuple[str, ...]) -> "tuple[Payment, ...]":
        """Every way to complete one contract from this zone."""
        found = self.payable.get(zone)
        if found is None:
            found = self.payable[zone] = tuple(self._payments(zone))
        return found

    def _payments(self, zone: tuple[str, ...]) -> "list[Payment]":
        found: list[Payment] = []
        cards = self.hands.cards
        for card in (*self.private, *self.public):
            if not card:
                continue
            contract = cards[card]
            size = contract.size
            for index, cubes in enumerate(zone):
                if len(cubes) < size:
                    continue
                for payment, left in contract.paid_from(cubes):
                    text = f"contract:{card}@{index + 1}" + (f"={payment}" if contract.free else "")
                    after = (*zone[:index], left, *zone[index + 1 :])
                    bonus = contract.bonus
                    found.append(
                        (
                            text,
                            index,
                            after,
                            contract.points,
                            bonus.count("c"),
                            bonus.count("b"),
                            self.without(card),
                        )
                    )
        return found


# notation, level index, zone after, points, credits, batteries, hand after
Payment: TypeAlias = tuple[str, int, tuple[str, ...], int, int, int, Hand]


class Hands:
    """The hands met in one search, one object for each content."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self._known: dict[tuple[object, ...], Hand] = {}

    def get(
        self,
        public: tuple[str | None, ...],
        private: tuple[str | None, ...],
        deck: tuple[str, ...] | None,
    ) -> Hand:
        content = (public, private, deck)
        hand = self._known.get(content)
        if hand is None:
            hand = self._known[content] = Hand(self, public, private, deck)
        return hand


class Shelf:
    """The Display, the bag, what is discarded and the player's permanent rewards, made by `Shelves`."""

    __slots__ = ("_used", "bag", "discard", "display", "rewards", "shelves")

    def __init__(
        self,
        shelves: "Shelves",
        display: tuple[tuple[str | None, str | None], ...],
        rewards: tuple[str | None, ...],
        bag: tuple[str, ...] | None,
        discard: tuple[str, ...],
    ) -> None:
        self.shelves = shelves
        self.display = display
        self.rewards = rewards
        self.bag = bag
        self.discard = discard
        self._used: dict[tuple[int, int, bool], Shelf] = {}

    def without(self, index: int, which: int, kept: bool) -> "Shelf":
        """After a token was used: kept on the player's board (Explorer) or discarded (sponsor 2a); a new one drawn."""
        after = self._used.get((index, which, kept))
        if after is None:
            rewards, bag, discard = self.rewards, self.bag, self.discard
            token = self.display[index][which]
            assert token, "only a token that can be seen is used"
            if kept:
                older = rewards[index]
                if older is not None:
                    discard = (*discard, older)
                rewards = (*rewards[:index], token, *rewards[index + 1 :])
            else:
                discard = (*discard, token)
            fresh: str | None = None
            if bag is not None:
                if not bag:
                    bag, discard = discard, ()
                fresh, bag = (bag[0], bag[1:]) if bag else ("", bag)
            pair = (fresh, self.display[index][1]) if which == 0 else (self.display[index][0], fresh)
            display = (*self.display[:index], pair, *self.display[index + 1 :])
            after = self._used[index, which, kept] = self.shelves.get(display, rewards, bag, discard)
        return after


class Shelves:
    """The shelves met in one search, one object for each content."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Shelf] = {}

    def get(
        self,
        display: tuple[tuple[str | None, str | None], ...],
        rewards: tuple[str | None, ...],
        bag: tuple[str, ...] | None,
        discard: tuple[str, ...],
    ) -> Shelf:
        content = (display, rewards, bag, discard)
        shelf = self._known.get(content)
        if shelf is None:
            shelf = self._known[content] = Shelf(self, display, rewards, bag, discard)
        return shelf


# The neighbours of the variant: for each one copied its side (0 left, 1 right) and the credits it was paid.
Others: TypeAlias = tuple[tuple[int, int], ...]

State: TypeAlias = tuple[
    tuple[str, ...],  # 0 zone
    int,  # 1 credits
    int,  # 2 batteries, none yet spent on propellers or oxygen
    int,  # 3 score
    Hand,  # 4 contract cards and deck
    tuple[Key, ...],  # 5 keys taken back from the Hacker track, sorted
    int,  # 6 neutral X keys gained
    Shelf,  # 7 Display, bag, discarded and permanent rewards
    tuple[int, ...],  # 8 store
    tuple[str, ...],  # 9 the tiles in the order they stood at the start of the turn, with their sides now
    int,  # 10 hacker
    int,  # 11 mechanic
    Others,  # 12
    int,  # 13 batteries held when step 1 ended: so many propellers at most; 0 during step 1
]
ZONE: Final = 0
CREDITS: Final = 1
BATTERIES: Final = 2
SCORE: Final = 3
HAND: Final = 4
TAKEN: Final = 5
GAINED: Final = 6
SHELF: Final = 7
STORE: Final = 8
TILES: Final = 9
HACKER: Final = 10
MECHANIC: Final = 11
OTHERS: Final = 12
SPENDABLE: Final = 13

# How a state came about: the notation of its last step and the link before it.
Link: TypeAlias = "tuple[Link | None, str] | None"
Nodes: TypeAlias = dict[State, Link]

_added: dict[tuple[str, str], str] = {}


def with_cube(cubes: str, cube: str) -> str:
    after = _added.get((cubes, cube))
    if after is None:
        after = _added[cubes, cube] = sorted_cubes(cubes + cube)
    return after


def without_cube(cubes: str, cube: str) -> str:
    left = without(cubes, cube)
    assert left is not None, f"no {cube} in {cubes}"
    return left

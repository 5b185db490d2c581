"""What is believed about the table: usually one position, a few when something could not be seen."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from companion.referee.observation import Claim, claims, place
from companion.referee.settings import RefereeSettings
from companion.referee.sight import Sight
from companion.rules import Position
from companion.rules.settings import LETTERS
from vision.reading import Reading

LOOSE = {*LETTERS, "X", "N"}  # pieces of which several lie in a slot, each read by itself


@dataclass(frozen=True)
class Belief:
    """Positions with their weights, likeliest first; the weights add up to 1.

    `quirks` are what the camera misread when this was accepted, each as the claim it made. While it goes on making it,
    nothing has changed there, and a tray that lies untouched speaks once: the next look at it is no second witness. `seen` is
    the reading this was accepted with: what the camera was sure of then and is not any more has a cause.
    """

    weighted: tuple[tuple[float, Position], ...]
    quirks: tuple[Claim, ...] = ()
    seen: Reading | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, position: Position) -> "Belief":
        """Certainty about a position, as far as a table can be known: not the deck, not the bag."""
        return cls(((1.0, position.as_seen_at_table()),))

    @classmethod
    def among(
        cls, weighted: Iterable[tuple[float, Position]], settings: RefereeSettings | None = None
    ) -> "Belief":
        """The likeliest of some positions; those that play on alike are added up, negligible ones forgotten."""
        settings = settings or RefereeSettings()
        alike: dict[Hashable, tuple[float, Position]] = {}
        for weight, position in weighted:
            before, first = alike.get(_plays_on(position), (0.0, position))
            alike[_plays_on(position)] = before + weight, first
        ranked = sorted(alike.values(), key=lambda one: -one[0])[: settings.belief_size]
        total = sum(weight for weight, _ in ranked)
        kept = [(weight, position) for weight, position in ranked if weight >= settings.belief_p * total]
        total = sum(weight for weight, _ in kept)
        return cls(tuple((weight / total, position) for weight, position in kept))

    @property
    def likeliest(self) -> Position:
        return self.weighted[0][1]

    def with_(self, position: Position) -> "Belief":
        """Certainty about another position: the players said so."""
        return Belief.of(position)

    def looked_at(self, sight: Sight) -> "Belief":
        """The same with every piece filled in that lies in sight and was not known before."""
        filled = (
            (weight * share, drawn)
            for weight, position in self.weighted
            for share, drawn in ways_to_fill_in(position, sight)
        )
        return replace(self, weighted=Belief.among(filled, sight.settings).weighted)

    def accepted(self, seen: Reading | Sight) -> "Belief":
        """The same, remembering where the reading it was accepted with says something else."""
        sight = seen if isinstance(seen, Sight) else Sight(seen, RefereeSettings())
        quirks = dict.fromkeys(
            _seen(sight.reading, claim)
            for _, position in self.weighted
            for claim in claims(position)
            if claim[1] is not None and sight.cost(claim) > 0
        )
        return Belief(self.weighted, tuple(quirks), sight.reading)

    def steadied(self, reading: Reading) -> Reading:
        """The reading with what is believed as likely as what is seen, wherever that is misread as before.

        The same misreading again is what an untouched slot gives, but a slot that by now holds what was seen all along
        gives it just as well: only the other slots can tell the two apart. Where the reading was in doubt it stays so.
        Among cubes and X keys a shadow taken for one, or one taken for another, goes on being so when others come and go.
        """
        if not self.quirks:
            return reading
        quirks = {place(quirk): quirk for quirk in self.quirks}
        tiles = {slot: dict(labels) for slot, labels in reading.tiles.items()}
        counts = {
            slot: {label: dict(numbers) for label, numbers in labels.items()}
            for slot, labels in reading.counts.items()
        }
        for claim in dict.fromkeys(claim for _, position in self.weighted for claim in claims(position)):
            slot, label, number = claim
            quirk = quirks.get(place(claim))
            if quirk is None or label is None:
                continue
            if number is not None and quirk[2] is not None and label in LOOSE and slot in counts:
                numbers = counts[slot].get(label, {0: 1.0})
                counts[slot][label] = _shifted(numbers, quirk[2] - number)
            elif _seen(reading, quirk) != quirk:
                continue
            elif number is None:
                tiles[slot][label] = max(tiles[slot].values())
            else:
                numbers = counts[slot].setdefault(label, {0: 1.0})
                numbers[number] = max(numbers.values())
        return Reading(reading.boards, tiles, counts, reading.hidden, reading.ms)


def _plays_on(position: Position) -> Hashable:
    """What the rest of the game depends on: not which fronts were discarded or lie face down, as nobody knows the bag."""
    if position.bag is not None:
        return position
    backs = tuple(
        player._replace(rewards=tuple(token and token.partition(":")[2] for token in player.rewards))
        for player in position.players
    )
    return position._replace(players=backs, reward_discard=())


def _shifted(numbers: Mapping[int, float], by: int) -> dict[int, float]:
    """Numbers that may have been read right, or `by` too high."""
    possible = {*numbers, *(number - by for number in numbers)}
    return {n: max(numbers.get(n, 0.0), numbers.get(n + by, 0.0)) for n in possible if n >= 0}


def _seen(reading: Reading, claim: Claim) -> Claim:
    """The claim about the same thing that the reading makes; one about nothing when it is hidden."""
    slot, label, _ = claim
    match reading.best(slot):
        case str(tile):
            return slot, tile, None
        case dict(numbers):
            return slot, label, numbers.get(str(label), 0)
    return slot, None, None


def fill_in(position: Position, sight: Sight) -> Position:
    """A position with drawn cards and tokens taken from what was seen, where that is clear."""
    if None in position.public:
        public = list(position.public)
        for space, card in enumerate(public):
            if card is None:
                drawn, _ = sight.drawn(f"colony.contract.{space + 1}")
                if drawn in position.cards and drawn not in public:
                    public[space] = drawn
        position = position._replace(public=tuple(public))
    for level, which in _just_drawn(position):
        position = _with_token(position, level, which, sight.drawn(_shelf(level, which))[0])
    return position


def ways_to_fill_in(position: Position, sight: Sight) -> list[tuple[float, Position]]:
    """The same, with each token that a drawn one may well be: it may be taken before it is seen any better."""
    ways = [(1.0, fill_in(position, sight))]
    for level, which in _just_drawn(ways[0][1]):
        possible = sight.draws(_shelf(level, which))
        ways = [
            (weight * share, _with_token(way, level, which, token))
            for weight, way in ways
            for token, share in possible.items()
        ]
    return ways


def _just_drawn(position: Position) -> list[tuple[int, int]]:
    """The places on display, by level, of tokens nobody has told yet."""
    return [
        (level, which)
        for level, pair in enumerate(position.display, 1)
        for which, token in enumerate(pair, 1)
        if token is None
    ]


def _with_token(position: Position, level: int, which: int, token: str | None) -> Position:
    first, second = position.display[level - 1]
    pair = (token, second) if which == 1 else (first, token)
    return position._replace(display=(*position.display[: level - 1], pair, *position.display[level:]))


def _shelf(level: int, which: int) -> str:
    return f"colony.display.{level}.{which}"

"""What is believed about the table: usually one position, a few when something could not be seen."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.referee.observation import claims, expected, in_words
from companion.referee.settings import RefereeSettings
from companion.referee.sight import Sight
from companion.rules import Position
from vision.reading import Reading


@dataclass(frozen=True)
class Belief:
    """Positions with their weights, likeliest first; the weights add up to 1.

    `quirks` are slots the camera misread when this was accepted, each with what it took them to show. While it goes
    on taking them for that, nothing has changed there. The coins of a tray are a quirk each by themselves.
    """

    weighted: tuple[tuple[float, Position], ...]
    quirks: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, position: Position) -> "Belief":
        """Certainty about a position, as far as a table can be known: not the deck, not the bag."""
        return cls(((1.0, position.as_seen_at_table()),))

    @classmethod
    def among(
        cls, weighted: Iterable[tuple[float, Position]], settings: RefereeSettings | None = None
    ) -> "Belief":
        """The likeliest of some positions; equal ones are added up, negligible ones forgotten."""
        settings = settings or RefereeSettings()
        weights: dict[Position, float] = {}
        for weight, position in weighted:
            weights[position] = weights.get(position, 0.0) + weight
        ranked = sorted(weights.items(), key=lambda item: -item[1])[: settings.belief_size]
        total = sum(weight for _, weight in ranked)
        kept = [(weight, p) for p, weight in ranked if weight >= settings.belief_p * total]
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
        filled = tuple((weight, fill_in(position, sight)) for weight, position in self.weighted)
        return Belief(filled, self.quirks)

    def accepted(self, reading: Reading) -> "Belief":
        """The same, remembering where the reading it was accepted with says something else."""
        sight = Sight(reading, RefereeSettings())
        spoken_against = dict.fromkeys(
            claim[0] for claim in claims(self.likeliest) if claim[1] is not None and sight.cost(claim) > 0
        )
        quirks = [
            (slot, in_words(reading.best(slot))) for slot in spoken_against if not slot.endswith(".tray")
        ]
        # A tray that lies untouched speaks once: the next look at it is no second witness.
        coins = dict.fromkeys(
            (claim[0], str(claim[1]))
            for _, position in self.weighted
            for claim in claims(position)
            if claim[0].endswith(".tray") and sight.cost(claim) > 0
        )
        quirks += [(slot, _coins_seen(reading, slot, token)) for slot, token in coins]
        return Belief(self.weighted, tuple(quirks))

    def steadied(self, reading: Reading, sure_p: float) -> Reading:
        """The reading with every slot that is misread as before in doubt between what is believed and what is seen.

        The same misreading again is what an untouched slot gives, but a slot that by now holds what was seen all along
        gives it just as well: only the other slots can tell the two apart.
        """
        wanted = expected(self.likeliest)
        same = {
            slot
            for slot, seen in self.quirks
            if not slot.endswith(".tray") and in_words(reading.best(slot)) == seen
        }
        tiles, counts = dict(reading.tiles), self._with_steady_trays(reading)
        for slot in same:
            content, seen = wanted[slot], reading.best(slot)
            if isinstance(content, dict) and isinstance(seen, dict):
                counts[slot] = {
                    label: dict.fromkeys((number, seen.get(label, 0)), sure_p / 2)
                    for label, number in content.items()
                }
            elif isinstance(content, str) and isinstance(seen, str):
                tiles[slot] = dict.fromkeys((content, seen), sure_p / 2)
        return Reading(reading.boards, tiles, counts, reading.hidden, reading.ms)

    def _with_steady_trays(self, reading: Reading) -> dict[str, Mapping[str, Mapping[int, float]]]:
        """The counts, with coins that look as they did as likely to be any number believed in as the one seen."""
        counts = dict(reading.counts)
        for slot, seen in self.quirks:
            token = seen.split()[0]
            if not slot.endswith(".tray") or _coins_seen(reading, slot, token) != seen:
                continue
            numbers = counts[slot].get(token, {0: 1.0})
            held = [
                number
                for _, position in self.weighted
                for place, label, number in claims(position)
                if (place, label) == (slot, token) and number is not None
            ]
            steady = {**numbers, **dict.fromkeys(held, max(numbers.values()))}
            counts[slot] = {**counts[slot], token: steady}
        return counts


def _coins_seen(reading: Reading, slot: str, token: str) -> str:
    """How many coins of one kind a tray seems to hold: "credit 3"."""
    seen = reading.best(slot)
    return in_words({token: seen.get(token, 0)} if isinstance(seen, dict) else None)


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
    if any(None in pair for pair in position.display):
        display = tuple(
            (_token(sight, level, 1, pair[0]), _token(sight, level, 2, pair[1]))
            for level, pair in enumerate(position.display, 1)
        )
        position = position._replace(display=display)
    return position


def _token(sight: Sight, level: int, which: int, token: str | None) -> str | None:
    return sight.drawn(f"colony.display.{level}.{which}")[0] if token is None else token

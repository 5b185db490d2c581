"""How hands go wrong: what the table looks like after a legal turn with one slip in it.

A slip replaces some claims about the table. Nothing here looks at a reading; which slip happened, if any, is for
the one that explains the reading best.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.referee import observation
from companion.referee.column import before_resurfacing, place_of
from companion.referee.observation import Claim
from companion.rules import Player, Position, Turn
from companion.rules.settings import CAPACITY, LETTERS, LEVELS, OWN_KEYS
from companion.rules.steps import Buy, CompleteContract, Dive, Explore, Improve, Oxygen, PlayKey
from vision.reading import EMPTY

MISCOUNTED = 3  # places a marker ends beside the right one when somebody miscounts
SCORE_AHEAD = 20  # how far beyond the right place a marker is looked for
UNCOMMON = 2.5  # seldom done, but done: alone on the table it is still a slip
# Nobody buys a cube without the money for it only to sell it again: it would leave the Store as it was.
BOUGHT_IN_VAIN = 3.0
ODD = 6.0  # what hands hardly ever do: one slot that looks like it was misread


@dataclass(frozen=True)
class Slip:
    """A fault as the table shows it. `rarity` is added to what any fault costs, for slips with many variants."""

    fault: str
    claims: tuple[Claim, ...]
    piece: str = ""
    level: int | None = None
    rarity: float = 0.0


@dataclass(frozen=True)
class Played:
    """A legal turn with what a slip needs to know of it."""

    before: Position
    turn: Turn
    after: Position

    @property
    def was(self) -> Player:
        return self.before.player

    @property
    def me(self) -> Player:
        return self.after.players[self.before.to_play]

    @property
    def colour(self) -> str:
        return self.was.colour

    @property
    def key(self) -> PlayKey:
        return next(step for step in self.turn.steps if isinstance(step, PlayKey))

    @property
    def level(self) -> int:
        return self.key.level

    @property
    def stayed(self) -> bool:
        return any(isinstance(step, Oxygen) and step.side is None for step in self.turn.steps)

    @property
    def under_key(self) -> tuple[str, ...]:
        """The column while the diver was activated."""
        return self.me.divers if self.stayed else before_resurfacing(self.me.divers, self.level)

    @property
    def activated(self) -> str:
        return self.under_key[place_of(self.level)]

    @property
    def explored(self) -> Explore | None:
        effects = (step.effect for step in self.turn.steps if isinstance(step, Dive))
        return next((effect for effect in effects if isinstance(effect, Explore)), None)

    @property
    def bought_in_vain(self) -> bool:
        """Whether a cube was bought and sold again."""
        bought = any(isinstance(step, Dive) and isinstance(step.effect, Buy) for step in self.turn.steps)
        return bought and self.after.store == self.before.store

    @property
    def contracts(self) -> tuple[CompleteContract, ...]:
        return tuple(step for step in self.turn.steps if isinstance(step, CompleteContract))


def key_slips(played: Played) -> Iterator[Slip]:
    """Keys, X keys and the Hacker track."""
    was, me, colour, key = played.was, played.me, played.colour, played.key
    name = str(key.key)
    own = tuple(k for k in was.keys if k != key.key)
    spent_n = was.neutral_x - (key.key == "N")
    unplayed = tuple(observation.keyring(colour, was.keys, was.neutral_x, was.track))
    yield Slip("no-key", unplayed, name, key.level)
    if isinstance(key.key, str) and key.level not in was.keys:
        # The level was used as if its key were there; the X key that opens it stayed where it was.
        sponsors = played.before.sponsors
        unmoved = tuple(c for n, tile in enumerate(sponsors, 1) for c in observation.sponsor(n, tile))
        yield Slip("key-not-available", (*unplayed, *unmoved), str(key.level), key.level)
    returned = not me.track
    if returned:
        full = (*was.track, key.key)
        yield Slip("keys-not-returned", tuple(observation.keyring(colour, own, spent_n, full)), name)
        neutrals = full.count("N")
        for kept in range(1, neutrals + 1):
            yield Slip("neutral-x-kept", ((f"{colour}.x", "N", me.neutral_x + kept),), "N")
        return
    last = len(me.track)
    yield Slip("key-not-flipped", ((f"{colour}.track.{last}", EMPTY, None),), name)
    for place in range(last + 1, observation.TRACK_PLACES + 1):
        gap = ((f"{colour}.track.{last}", EMPTY, None), (f"{colour}.track.{place}", "back", None))
        yield Slip("key-not-left", gap, name)
    back = tuple(observation.keyring(colour, OWN_KEYS, me.neutral_x, ()))
    yield Slip("keys-returned-early", back, name)
    for second in me.keys:
        left = tuple(k for k in me.keys if k != second)
        both = tuple(observation.keyring(colour, left, me.neutral_x, (*me.track, second)))
        # Taking a key back and then playing it as well is two odd things at once.
        odd = 2.0 if second in was.track else 0.0
        yield Slip("two-keys", both, str(second), rarity=1.0 + odd)
        gone = tuple(observation.keyring(colour, left, me.neutral_x, me.track))
        yield Slip("two-keys", gone, str(second), rarity=ODD)


def column_slips(played: Played) -> Iterator[Slip]:
    """The order of the divers and their sides."""
    me, colour, level = played.me, played.colour, played.level
    below = played.under_key
    activated = played.activated.removesuffix("+")
    if not played.stayed:
        yield Slip("not-resurfaced", tuple(observation.column(colour, below)), activated, level)
    for place in range(1, len(below)):
        if place != place_of(level) or played.stayed:
            order = (below[place], *below[:place], *below[place + 1 :])
            claims = tuple(observation.column(colour, order))
            yield Slip("wrong-diver-resurfaced", claims, below[place].removesuffix("+"), level, 0.5)
    for order in (me.divers, below):
        for i in range(len(order)):
            for j in range(i + 1, len(order)):
                swapped = list(order)
                swapped[i], swapped[j] = swapped[j], swapped[i]
                rarity = 1.2 if j == i + 1 else 2.5
                yield Slip("column-order", tuple(observation.column(colour, swapped)), rarity=rarity)
    for place, diver in enumerate(me.divers, 1):
        flipped = diver.removesuffix("+") if diver.endswith("+") else f"{diver}+"
        claim = (f"{colour}.diver.{place}", flipped, None)
        rarity = ODD if diver.endswith("+") else 0.5
        yield Slip("upgrade-without-right", (claim,), diver.removesuffix("+"), rarity=rarity)


def technician_slips(played: Played) -> Iterator[Slip]:
    effects = [step.effect for step in played.turn.steps if isinstance(step, Dive)]
    for name in ("hacker", "mechanic"):
        improved = Improve(name) in effects
        reached: int = getattr(played.me, name)
        for steps in range(4):
            if steps != reached:
                fault = "technician-too-far" if improved and steps > reached else "technician-without-right"
                # A step too many is likelier in a turn that improved something than in one that did not.
                one_step = 0.0 if improved else 0.3
                rarity = one_step if steps == reached + 1 else UNCOMMON if steps > reached else ODD
                yield Slip(fault, ((f"{played.colour}.{name}", name, steps),), name, rarity=rarity)


def cube_slips(played: Played) -> Iterator[Slip]:
    """Cubes of the player's zone that came, went or stayed against the rules."""
    was, me, key_level = played.was, played.me, played.level
    paid = {step.level: step for step in played.contracts}
    came = {
        letter: me.zone[key_level - 1].count(letter) - was.zone[key_level - 1].count(letter)
        for letter in LETTERS
    }
    for level in LEVELS:
        cubes = me.zone[level - 1]
        for letter in LETTERS:
            more = _sorted(cubes + letter)
            over = len(more) > CAPACITY[level - 1]
            fault = "level-over-capacity" if over else "too-many-cubes"
            usual = over or came[letter] > 0
            rarity = ODD if level != key_level else 0.0 if usual else UNCOMMON
            yield _level_slip(played, fault, level, more, letter, rarity)
            if letter in cubes:
                fewer = cubes.replace(letter, "", 1)
                yield _level_slip(played, "cube-thrown-away", level, fewer, letter, 0.5)
                for other in LETTERS:
                    if other != letter:
                        changed = _sorted(fewer + other)
                        new = level == key_level and came[letter] > 0
                        full = len(cubes) == CAPACITY[level - 1] and not new
                        fault = "cube-thrown-away" if full else "cube-wrong-colour"
                        # Where a contract was paid from the level, rather the wrong cube was paid, if it may have been.
                        likely = new and level not in paid
                        rarity = 0.0 if likely else 1.0 if level == key_level or level in paid else ODD
                        yield _level_slip(played, fault, level, changed, letter, rarity)
                for target in LEVELS:
                    if target != level:
                        yield _moved(played, letter, level, target, came[letter])
        if level in paid:
            yield from _wrong_payments(played, paid[level])


def _moved(played: Played, letter: str, level: int, target: int, came: int) -> Slip:
    """A cube found for one level laid on another."""
    zone, colour = played.me.zone, played.colour
    claims = (
        *observation.zone_level(colour, level, zone[level - 1].replace(letter, "", 1)),
        *observation.zone_level(colour, target, _sorted(zone[target - 1] + letter)),
    )
    fresh = level == played.level and came > 0
    return Slip("cube-wrong-level", claims, letter, target, 0.0 if fresh else 1.0)


def _wrong_payments(played: Played, step: CompleteContract) -> Iterator[Slip]:
    """Other cubes of the level paid in place of the contract's, or one too many or too few."""
    contract = played.before.cards[step.card]
    paid = step.cubes or contract.payments[0]
    before = _sorted(played.me.zone[step.level - 1] + paid)
    for given in _parts(before):
        if given != paid and abs(len(given) - len(paid)) <= 1:
            left = before
            for letter in given:
                left = left.replace(letter, "", 1)
            yield _level_slip(played, "contract-wrong-cubes", step.level, left, step.card, 0.5)
    for other in LEVELS:
        if other != step.level:
            left = played.me.zone[other - 1]
            if all(left.count(letter) >= paid.count(letter) for letter in paid):
                for letter in paid:
                    left = left.replace(letter, "", 1)
                claims = (
                    *observation.zone_level(played.colour, step.level, before),
                    *observation.zone_level(played.colour, other, left),
                )
                yield Slip("contract-wrong-cubes", claims, step.card, other, 1.0)


def score_slips(played: Played) -> Iterator[Slip]:
    was, me, colour = played.was, played.me, played.colour
    for points in range(max(was.score, me.score) + SCORE_AHEAD):
        if points != me.score:
            fault = "score-not-moved" if points == was.score else "score-wrong"
            near = 0.5 if abs(points - me.score) <= MISCOUNTED else UNCOMMON
            claims = tuple(observation.score(colour, points))
            yield Slip(fault, claims, colour, rarity=0.0 if points == was.score else near)


def _level_slip(played: Played, fault: str, level: int, cubes: str, piece: str, rarity: float) -> Slip:
    return Slip(fault, tuple(observation.zone_level(played.colour, level, cubes)), piece, level, rarity)


def _sorted(cubes: str) -> str:
    return "".join(sorted(cubes, key=LETTERS.index))


def _parts(cubes: str) -> set[str]:
    """Every handful that can be taken of some cubes."""
    parts = {""}
    for letter in cubes:
        parts |= {part + letter for part in parts}
    return {_sorted(part) for part in parts}

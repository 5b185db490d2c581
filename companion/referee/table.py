"""The table taken as it lies: what the players overrule a fault with."""

from collections.abc import Mapping

from companion.referee.belief import Belief
from companion.referee.observation import COLUMNS
from companion.referee.settings import RefereeSettings
from companion.referee.sight import Sight
from companion.referee.weighing import Weigher
from companion.rules import MalformedPosition, Player, Position, Store
from companion.rules.play import winners
from companion.rules.settings import CAPACITY, LETTERS, LEVELS, OWN_KEYS
from companion.rules.steps import Key
from vision.reading import EMPTY, Reading

FARTHEST_SCORE = 12  # points a turn may bring: two good contracts and what comes with them
LEAP_P = 0.01  # how often a marker that seems to have gone farther has


def as_it_lies(belief: Belief, reading: Reading, settings: RefereeSettings | None = None) -> Position:
    """The position the table shows, right or wrong, with the next player to play.

    What is hidden, or could not lie like that in any game, stays as it was believed.
    """
    sight = Sight(reading, settings or RefereeSettings())
    believed = belief.likeliest
    weigher = Weigher(sight, len(believed.rules.store))
    players = tuple(_player(player, sight, weigher) for player in believed.players)
    held = sum(player.neutral_x + player.track.count("N") for player in players)
    shown = believed._replace(
        players=players,
        sponsors=_sponsors(believed, reading),
        display=tuple(
            (
                _seen(reading, f"colony.display.{n}.1", pair[0]),
                _seen(reading, f"colony.display.{n}.2", pair[1]),
            )
            for n, pair in enumerate(believed.display, 1)
        ),
        store=Store(*(_filled(believed, reading, name) for name in COLUMNS)),
        public=_public(believed, reading),
        supply_x=max(0, believed.rules.neutral_x - held),
    )
    return _pass_on(_checked(shown, believed))


def _checked(shown: Position, believed: Position) -> Position:
    try:
        return Position.from_json(shown.to_json(), believed.cards)
    except MalformedPosition:
        return believed


def _pass_on(position: Position) -> Position:
    following = (position.to_play + 1) % len(position.players)
    if following != position.first:
        return position._replace(to_play=following)
    if any(player.score >= position.rules.trigger for player in position.players):
        return position._replace(to_play=following, over=winners(position.players))
    return position._replace(to_play=following, round=position.round + 1)


def _player(player: Player, sight: Sight, weigher: Weigher) -> Player:
    reading, colour = sight.reading, player.colour
    keys, track, neutral_x = _keys(player, reading)
    _, order = next(iter(weigher.likely_orders(player, flips=True)))
    divers = tuple(
        _side(sight, f"{colour}.diver.{place}", name, f"{name}+" in player.divers)
        for place, name in enumerate(order, 1)
    )
    tray = _counts(reading, f"{colour}.tray")
    return player._replace(
        score=_score(player, sight),
        credits=tray.get("credit", player.credits),
        batteries=tray.get("battery", player.batteries),
        keys=keys,
        neutral_x=neutral_x,
        track=track,
        hacker=_counts(reading, f"{colour}.hacker").get("hacker", player.hacker),
        mechanic=_counts(reading, f"{colour}.mechanic").get("mechanic", player.mechanic),
        divers=divers,
        zone=tuple(_cubes(reading, f"{colour}.zone.{n}", n, player.zone[n - 1]) for n in LEVELS),
        rewards=tuple(
            _permanent(reading, f"{colour}.reward.{n}", token) for n, token in enumerate(player.rewards, 1)
        ),
    )


def _score(player: Player, sight: Sight) -> int:
    """The place of the marker; the believed points as long as it stands where they put it, past the track's end too.

    A marker far from where it stood is a misread one unless it is seen very clearly.
    """
    if sight.cost(("colony.score", player.colour, player.score)) <= 0.0:
        return player.score
    places = sight.reading.counts.get("colony.score", {}).get(player.colour, {})
    likely = {
        place: p * (1.0 if abs(place - player.score) <= FARTHEST_SCORE else LEAP_P)
        for place, p in places.items()
        if place >= 0
    }
    return max(likely, key=likely.__getitem__, default=player.score)


def _keys(player: Player, reading: Reading) -> tuple[tuple[Key, ...], tuple[Key, ...], int]:
    """Keys seen in their spaces; the others lie on the track, in the believed order as far as it is known."""
    spaces = _counts(reading, f"{player.colour}.x")
    there: list[Key] = [
        key
        for key in OWN_KEYS
        if (
            bool(spaces.get("X", "X" in player.keys))
            if key == "X"
            else reading.best(f"{player.colour}.key.{key}") == "key"
            or (reading.best(f"{player.colour}.key.{key}") is None and key in player.keys)
        )
    ]
    gone = [key for key in OWN_KEYS if key not in there]
    backs = [reading.best(f"{player.colour}.track.{n}") for n in range(1, 7)]
    neutrals = backs.count("back") - len(gone)
    track = [key for key in player.track if key in gone or key == "N"]
    track += [key for key in gone if key not in track]
    while track.count("N") > max(0, neutrals):
        track.remove("N")
    return tuple(there), tuple(track), spaces.get("N", player.neutral_x)


def _side(sight: Sight, slot: str, name: str, upgraded: bool) -> str:
    """The tile with its side; the believed one unless the other is what is seen."""
    believed, other = (f"{name}+", name) if upgraded else (name, f"{name}+")
    return other if sight.sees(slot) and sight.reading.best(slot) == other else believed


def _counts(reading: Reading, slot: str) -> Mapping[str, int]:
    best = reading.best(slot)
    return {label: n for label, n in best.items() if n >= 0} if isinstance(best, dict) else {}


def _cubes(reading: Reading, slot: str, level: int, believed: str) -> str:
    if slot not in reading.counts:
        return believed
    counts = _counts(reading, slot)
    cubes = "".join(letter * counts.get(letter, 0) for letter in LETTERS)
    return cubes if len(cubes) <= CAPACITY[level - 1] else believed


def _permanent(reading: Reading, slot: str, believed: str | None) -> str | None:
    seen = reading.best(slot)
    if not isinstance(seen, str):
        return believed
    if seen == EMPTY:
        return None
    return believed if believed and believed.endswith(f":{seen}") else f"?:{seen}"


def _seen(reading: Reading, slot: str, believed: str | None) -> str | None:
    seen = reading.best(slot)
    if not isinstance(seen, str):
        return believed
    return "" if seen == EMPTY else seen


def _sponsors(believed: Position, reading: Reading) -> tuple[str, ...]:
    seen = tuple(
        _seen(reading, f"colony.sponsor.{n}", tile) or tile for n, tile in enumerate(believed.sponsors, 1)
    )
    return seen if len({tile[0] for tile in seen}) == len(seen) else believed.sponsors


def _filled(believed: Position, reading: Reading, name: str) -> int:
    rows = [f"colony.store.{name}.{row}" for row in range(1, len(believed.rules.store) + 1)]
    if not all(slot in reading.counts for slot in rows):
        return int(getattr(believed.store, name))
    return sum(_counts(reading, slot).get(COLUMNS[name], 0) for slot in rows)


def _public(believed: Position, reading: Reading) -> tuple[str | None, ...]:
    seen = tuple(_seen(reading, f"colony.contract.{n}", card) for n, card in enumerate(believed.public, 1))
    return seen if len(set(seen) - {"", None}) == sum(bool(card) for card in seen) else believed.public

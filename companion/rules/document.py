"""The JSON form of a position, both ways. Reading refuses what no game can reach and says which place."""

from collections import Counter
from typing import Any

from companion.rules.cards import Cards, sample_cards, sorted_cubes, token_trouble
from companion.rules.errors import IllegalStep, MalformedNotation, MalformedPosition
from companion.rules.notation import parse_steps
from companion.rules.position import Player, Position, Store
from companion.rules.settings import (
    CAPACITY,
    COLOURS,
    DIVERS,
    LETTERS,
    LEVELS,
    MOST_IMPROVEMENTS,
    OWN_KEYS,
    Rules,
)
from companion.rules.steps import Key

_NEEDED = ("to_play", "first", "round", "players", "sponsors", "display", "store", "public", "supply_x")
_OPTIONAL = ("game", "rules", "deck", "bag", "reward_discard", "over", "so_far")


def write_position(position: Position) -> dict[str, Any]:
    """The document of a position; in the middle of a turn the one at its start plus `so_far`."""
    start = position.start_of_turn
    doc: dict[str, Any] = {
        "game": "otys",
        "rules": start.rules.to_json(),
        "to_play": start.to_play,
        "first": start.first,
        "round": start.round,
        "players": [_write_player(player) for player in start.players],
        "sponsors": list(start.sponsors),
        "display": [list(pair) for pair in start.display],
        "store": start.store._asdict(),
        "public": list(start.public),
        "supply_x": start.supply_x,
        "deck": None if start.deck is None else list(start.deck),
        "bag": None if start.bag is None else list(start.bag),
        "reward_discard": list(start.reward_discard),
    }
    if start.over is not None:
        doc["over"] = {"winners": list(start.over)}
    if position.progress is not None:
        doc["so_far"] = position.so_far
    return doc


def _write_player(player: Player) -> dict[str, Any]:
    doc = player._asdict()
    for name in ("keys", "track", "divers", "zone", "rewards", "private"):
        doc[name] = list(doc[name])
    return doc


def read_position(doc: Any, cards: Cards | None = None) -> Position:
    cards = sample_cards() if cards is None else cards
    fields = _object(doc, "position", _NEEDED, _OPTIONAL)
    if fields.get("game", "otys") != "otys":
        raise MalformedPosition(f"game: {fields['game']!r} is not 'otys'")
    rules = Rules.from_json(fields.get("rules", {}))
    seats = _list(fields["players"], "players")
    if not 2 <= len(seats) <= 4:
        raise MalformedPosition(f"players: Otys is for 2 to 4 players, this has {len(seats)}")
    players = tuple(_read_player(seat, f"players[{i}]", cards) for i, seat in enumerate(seats))
    last = len(players) - 1
    position = Position(
        rules=rules,
        to_play=_number(fields["to_play"], "to_play", 0, last),
        first=_number(fields["first"], "first", 0, last),
        round=_number(fields["round"], "round", 1),
        players=players,
        sponsors=_read_sponsors(fields["sponsors"]),
        display=_read_display(fields["display"]),
        store=_read_store(fields["store"], len(rules.store)),
        public=_read_public(fields["public"], len(players), cards),
        supply_x=_number(fields["supply_x"], "supply_x", 0),
        deck=_read_pile(fields.get("deck"), "deck", cards),
        bag=_read_tokens(fields["bag"], "bag") if fields.get("bag") is not None else None,
        reward_discard=_read_tokens(fields.get("reward_discard", []), "reward_discard"),
        over=_read_over(fields["over"], last) if fields.get("over") is not None else None,
        progress=None,
        cards=cards,
    )
    _check_whole(position)
    return _resume(position, fields.get("so_far"))


def _resume(position: Position, so_far: Any) -> Position:
    if so_far is None:
        return position
    if not isinstance(so_far, str):
        raise MalformedPosition(f"so_far: expected the steps in one line, got {so_far!r}")
    try:
        for step in parse_steps(so_far):
            position = position.play(step)
    except (MalformedNotation, IllegalStep) as error:
        raise MalformedPosition(f"so_far: {error}") from error
    return position


def _check_whole(position: Position) -> None:
    """What no single place shows: colours and cards told apart, no more X keys than there are."""
    for colour, count in Counter(player.colour for player in position.players).items():
        if count > 1:
            raise MalformedPosition(f"players: {count} of them play {colour!r}")
    places = [("public", position.public), ("deck", position.deck or ())]
    places += [(f"players[{i}].private", player.private) for i, player in enumerate(position.players)]
    seen: dict[str, str] = {}
    for place, cards in places:
        for card in cards:
            if card and card in seen:
                raise MalformedPosition(f"{place}: contract {card} also lies in {seen[card]}")
            if card:
                seen[card] = place
    held = sum(player.neutral_x + player.track.count("N") for player in position.players)
    if position.supply_x + held > position.rules.neutral_x:
        raise MalformedPosition(
            f"supply_x: {position.supply_x} in the supply and {held} with the players"
            f" are more than the {position.rules.neutral_x} neutral X keys there are"
        )


def _read_player(doc: Any, where: str, cards: Cards) -> Player:
    fields = _object(doc, where, Player._fields, ())
    divers = tuple(
        _text(diver, f"{where}.divers[{i}]")
        for i, diver in enumerate(_list(fields["divers"], f"{where}.divers"))
    )
    names = [diver.removesuffix("+") for diver in divers]
    for i, name in enumerate(names):
        if name not in DIVERS:
            raise MalformedPosition(f"{where}.divers[{i}]: no diver is called {divers[i]!r}")
        if name in names[:i]:
            raise MalformedPosition(f"{where}.divers[{i}]: {name} stands in the column twice")
    if len(divers) != len(DIVERS):
        raise MalformedPosition(
            f"{where}.divers: {', '.join(sorted(set(DIVERS) - set(names)))} missing from the column"
        )
    keys, track = _read_keys(fields["keys"], fields["track"], where)
    rewards = _list(fields["rewards"], f"{where}.rewards", len(LEVELS))
    for i, token in enumerate(rewards):
        trouble = "" if token is None else token_trouble(token, unknown_front=True)
        if trouble:
            raise MalformedPosition(f"{where}.rewards[{i}]: {trouble}")
    return Player(
        name=_text(fields["name"], f"{where}.name"),
        colour=_text(fields["colour"], f"{where}.colour"),
        score=_number(fields["score"], f"{where}.score", 0),
        credits=_number(fields["credits"], f"{where}.credits", 0),
        batteries=_number(fields["batteries"], f"{where}.batteries", 0),
        keys=keys,
        neutral_x=_number(fields["neutral_x"], f"{where}.neutral_x", 0),
        track=track,
        hacker=_number(fields["hacker"], f"{where}.hacker", 0, MOST_IMPROVEMENTS),
        mechanic=_number(fields["mechanic"], f"{where}.mechanic", 0, MOST_IMPROVEMENTS),
        divers=divers,
        zone=_read_zone(fields["zone"], f"{where}.zone"),
        rewards=tuple(rewards),
        private=tuple(
            _card(card, f"{where}.private[{i}]", cards) if card is not None else None
            for i, card in enumerate(_list(fields["private"], f"{where}.private"))
        ),
    )


def _read_keys(keys: Any, track: Any, where: str) -> tuple[tuple[Key, ...], tuple[Key, ...]]:
    available, played = _list(keys, f"{where}.keys"), _list(track, f"{where}.track")
    places: dict[Any, str] = {}
    for name, values in (("keys", available), ("track", played)):
        for i, key in enumerate(values):
            place = f"{where}.{name}[{i}]"
            if name == "track" and key == "N":
                continue
            if type(key) not in (int, str) or key not in OWN_KEYS:
                raise MalformedPosition(f"{place}: {key!r} is not a key")
            if key in places:
                raise MalformedPosition(f"{place}: key {key} also lies in {places[key]}")
            places[key] = place
    missing = [key for key in OWN_KEYS if key not in places]
    if missing:
        raise MalformedPosition(
            f"{where}.keys: key {missing[0]} is neither available nor on the Hacker track"
        )
    return tuple(key for key in OWN_KEYS if key in available), tuple(played)


def _read_zone(doc: Any, where: str) -> tuple[str, ...]:
    zone = []
    for i, cubes in enumerate(_list(doc, where, len(LEVELS))):
        if not isinstance(cubes, str) or set(cubes) - set(LETTERS):
            raise MalformedPosition(f"{where}[{i}]: {cubes!r} is not made of the letters m p f t")
        if len(cubes) > CAPACITY[i]:
            raise MalformedPosition(
                f"{where}[{i}]: {len(cubes)} cubes, level {i + 1} has room for {CAPACITY[i]}"
            )
        zone.append(sorted_cubes(cubes))
    return tuple(zone)


def _read_sponsors(doc: Any) -> tuple[str, ...]:
    sponsors = _list(doc, "sponsors", len(LEVELS))
    for i, sponsor in enumerate(sponsors):
        if not isinstance(sponsor, str) or sponsor.removesuffix("a") not in ("1", "2", "3", "4", "5"):
            raise MalformedPosition(f"sponsors[{i}]: {sponsor!r} is not a sponsor")
    numbers = [sponsor[0] for sponsor in sponsors]
    for i, number in enumerate(numbers):
        if number in numbers[:i]:
            raise MalformedPosition(f"sponsors[{i}]: sponsor {number} lies in the Display twice")
    return tuple(sponsors)


def _read_display(doc: Any) -> tuple[tuple[str | None, str | None], ...]:
    pairs = []
    for i, pair in enumerate(_list(doc, "display", len(LEVELS))):
        tokens = _list(pair, f"display[{i}]", 2)
        for j, token in enumerate(tokens):
            trouble = "" if token is None or token == "" else token_trouble(token, unknown_front=True)
            if trouble:
                raise MalformedPosition(f"display[{i}][{j}]: {trouble}")
        pairs.append((tokens[0], tokens[1]))
    return tuple(pairs)


def _read_store(doc: Any, rows: int) -> Store:
    fields = _object(doc, "store", COLOURS, ())
    return Store(**{colour: _number(fields[colour], f"store.{colour}", 0, rows) for colour in COLOURS})


def _read_public(doc: Any, players: int, cards: Cards) -> tuple[str | None, ...]:
    spaces = _list(doc, "public", 2 if players == 2 else 3)
    return tuple(
        card if card in (None, "") else _card(card, f"public[{i}]", cards) for i, card in enumerate(spaces)
    )


def _read_pile(doc: Any, where: str, cards: Cards) -> tuple[str, ...] | None:
    if doc is None:
        return None
    pile = tuple(_card(card, f"{where}[{i}]", cards) for i, card in enumerate(_list(doc, where)))
    for i, card in enumerate(pile):
        if card in pile[:i]:
            raise MalformedPosition(f"{where}[{i}]: contract {card} is in the {where} twice")
    return pile


def _read_tokens(doc: Any, where: str) -> tuple[str, ...]:
    tokens = _list(doc, where)
    for i, token in enumerate(tokens):
        trouble = token_trouble(token, unknown_front=True)
        if trouble:
            raise MalformedPosition(f"{where}[{i}]: {trouble}")
    return tuple(tokens)


def _read_over(doc: Any, last: int) -> tuple[int, ...]:
    winners = _list(_object(doc, "over", ("winners",), ())["winners"], "over.winners")
    return tuple(_number(winner, f"over.winners[{i}]", 0, last) for i, winner in enumerate(winners))


def _card(value: Any, where: str, cards: Cards) -> str:
    if not isinstance(value, str) or value not in cards:
        raise MalformedPosition(f"{where}: {value!r} is not among the {len(cards.contracts)} contract cards")
    return value


def _object(doc: Any, where: str, needed: tuple[str, ...], optional: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(doc, dict):
        raise MalformedPosition(f"{where}: expected an object, got {type(doc).__name__}")
    for name in needed:
        if name not in doc:
            raise MalformedPosition(f"{where}: {name!r} is missing")
    for name in doc:
        if name not in needed and name not in optional:
            raise MalformedPosition(f"{where}: no field is called {name!r}")
    return doc


def _list(doc: Any, where: str, length: int | None = None) -> list[Any]:
    if not isinstance(doc, list | tuple):
        raise MalformedPosition(f"{where}: expected a list, got {doc!r}")
    if length is not None and len(doc) != length:
        raise MalformedPosition(f"{where}: expected {length} entries, got {len(doc)}")
    return list(doc)


def _number(value: Any, where: str, least: int, most: int | None = None) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise MalformedPosition(f"{where}: expected a whole number, got {value!r}")
    if value < least or (most is not None and value > most):
        limits = f"at least {least}" if most is None else f"from {least} to {most}"
        raise MalformedPosition(f"{where}: {value} is not {limits}")
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise MalformedPosition(f"{where}: expected a text, got {value!r}")
    return value

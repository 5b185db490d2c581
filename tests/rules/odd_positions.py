"""Random positions that no ordinary game would reach soon: full tracks, empty decks, unknown tokens, rich players."""

from random import Random
from typing import Any

from companion.rules import CAPACITY, DIVERS, LETTERS, OWN_KEYS, SEATS, Position, Rules, sample_cards


def odd_position(seed: int, batteries: tuple[int, ...] = (0, 0, 1), heavy: bool = False) -> Position:
    """A legal position full of corner cases, small enough to be played out step by step unless `heavy`."""
    rng = Random(seed)
    players = rng.choice((2, 3, 4))
    rules = Rules(
        edition=rng.choice(("fr", "fr", "de")),
        spy_variant=rng.random() < 0.4,
        keys_to_recover=rng.choice((4, 5, 6, 6)),
    )
    cards = [card.id for card in sample_cards().contracts]
    rng.shuffle(cards)
    tokens = list(sample_cards().rewards)
    rng.shuffle(tokens)
    to_play = rng.randrange(players)
    doc: dict[str, Any] = {
        "rules": rules.to_json(),
        "to_play": to_play,
        "first": rng.randrange(players),
        "round": rng.randrange(1, 30),
        "players": [],
        "sponsors": [n + rng.choice(("", "a")) for n in rng.sample("12345", 5)],
        "display": [[_shown(rng, tokens) for _ in range(2)] for _ in range(5)],
        "store": {colour: rng.randrange(4) for colour in ("metal", "plant", "fuel", "tech")},
        "public": [rng.choice((None, "", cards.pop(), cards.pop())) for _ in range(2 if players == 2 else 3)],
        "supply_x": rng.choice((0, 1, 4)),
        "reward_discard": [tokens.pop() for _ in range(rng.randrange(3))],
    }
    for seat in range(players):
        doc["players"].append(
            _player(rng, seat, rules, cards, tokens, batteries if seat == to_play else (0, 1))
        )
    if not heavy:
        _calm(doc["players"][to_play], rng)
    doc["deck"] = rng.choice((None, [], cards[:1], cards[:2], cards[:5]))
    doc["bag"] = rng.choice((None, [], tokens[:1], tokens[:4]))
    return Position.from_json(doc)


def _shown(rng: Random, tokens: list[str]) -> str | None:
    fate = rng.random()
    if fate < 0.08:
        return None
    if fate < 0.13:
        return ""
    token = tokens.pop()
    return "?:" + token.partition(":")[2] if fate < 0.16 else token


def _player(
    rng: Random, seat: int, rules: Rules, cards: list[str], tokens: list[str], batteries: tuple[int, ...]
) -> dict[str, Any]:
    hacker = rng.choice((0, 0, 1, 2, 3))
    played = rng.sample(OWN_KEYS, rng.randrange(0, max(1, rules.keys_to_recover - hacker)))
    track = [*played]
    if track and rng.random() < 0.3:
        track[rng.randrange(len(track))] = "N"
    better = rng.choice((0.1, 0.5, 1.0))
    return {
        "name": SEATS[seat][0],
        "colour": SEATS[seat][1],
        "score": rng.choice((0, 9, 16, 17, 18, 20)),
        "credits": rng.choice((0, 1, 2, 3, 7)),
        "batteries": rng.choice(batteries),
        "keys": [key for key in OWN_KEYS if key not in track],
        "neutral_x": rng.choice((0, 0, 1)),
        "track": track,
        "hacker": hacker,
        "mechanic": rng.choice((0, 0, 1, 3)),
        "divers": [d + "+" * (rng.random() < better) for d in rng.sample(DIVERS, 8)],
        "zone": ["".join(rng.choices(LETTERS, k=rng.choice((0, 1, 2, room)))) for room in CAPACITY],
        "rewards": [
            rng.choice((None, None, tokens.pop(), "?:credits", "?:prestige")) if len(tokens) > 8 else None
            for _ in range(5)
        ],
        "private": [rng.choice((None, cards.pop())) for _ in range(rng.choice((0, 0, 1, 2)))],
    }


def _calm(player: dict[str, Any], rng: Random) -> None:
    """Few keys and few cubes, so that every order of steps can be tried."""
    own = player["keys"]
    keep = rng.sample(own, min(len(own), 2))
    room = 5 - len(player["track"])
    moved = [key for key in own if key not in keep][: max(0, room)]
    player["track"] += moved
    player["keys"] = [key for key in own if key not in moved]
    player["zone"] = [cubes[: rng.choice((0, 1, 2, 3, 6))] for cubes in player["zone"]]

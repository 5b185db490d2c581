"""Whether what we believe is what happened, as far as anybody at the table can know. For simulated tables, which know."""

from collections.abc import Iterator
from typing import Any

from companion.rules import Position


def agree(ours: Position, truth: Position) -> bool:
    """Whether the two differ in nothing that can be known: not the deck, not the bag, not the cards of a hand."""
    return not differences(ours, truth)


def told_as_played(before: Position, after: Position, true_before: Position, true_after: Position) -> bool:
    """Whether a turn was told as it was played. What was believed wrongly before it may go on being so."""
    return differences(after, true_after) <= differences(before, true_before)


def differences(ours: Position, truth: Position) -> frozenset[str]:
    """Where what we believe is not what happened; numbers with how far off."""
    return frozenset(_apart(_known(ours), _known(truth), ""))


def _known(position: Position) -> dict[str, Any]:
    document = position.to_json()
    for secret in ("deck", "bag", "reward_discard", "rules"):
        document.pop(secret, None)
    for player in document["players"]:
        player["private"] = len(player["private"])
        # The front of a token that lies face down is known only to who saw it.
        player["rewards"] = [token and token.partition(":")[2] for token in player["rewards"]]
    return document


def _apart(ours: Any, truth: Any, where: str) -> Iterator[str]:
    """What we do not know (null) contradicts nothing."""
    if isinstance(ours, dict) and isinstance(truth, dict) and ours.keys() == truth.keys():
        for key in ours:
            yield from _apart(ours[key], truth[key], f"{where}.{key}")
    elif isinstance(ours, list) and isinstance(truth, list) and len(ours) == len(truth):
        for index, (mine, true) in enumerate(zip(ours, truth, strict=True)):
            yield from _apart(mine, true, f"{where}.{index}")
    elif ours is None or ours == truth:
        return
    elif isinstance(ours, int) and isinstance(truth, int):
        yield f"{where} {ours - truth:+}"
    else:
        yield where

"""What hands still have to do, or are about to forget, after a turn: shown until it is seen on the table."""

from companion.rules import Position

Reminder = tuple[str, str]  # (id, detail)

SPONSORS = "sponsors-rotate"  # detail: the new order, level 1 first
KEYS = "keys-return"  # detail: the name of the player whose keys come back
CONTRACT = "contract-replace"  # detail: the slot that waits for a card
REWARD = "reward-replace"  # detail: the slot that waits for a token
HACKER = "hacker-in-the-way"  # detail: the name of the player whose next key reaches the Hacker: all keys come back
IDS = (SPONSORS, KEYS, CONTRACT, REWARD, HACKER)


def after_turn(before: Position, after: Position, seen: bool) -> tuple[Reminder, ...]:
    """What a turn leaves to do. When the camera saw the table after it, only what lies face down is still open."""
    return (() if seen else _by_hand(before, after)) + standing(after)


def _by_hand(before: Position, after: Position) -> tuple[Reminder, ...]:
    found: list[Reminder] = []
    if before.sponsors != after.sponsors:
        found.append((SPONSORS, " ".join(after.sponsors)))
    found += [
        (KEYS, new.name)
        for old, new in zip(before.players, after.players, strict=True)
        if len(new.track) < len(old.track)
    ]
    return tuple(found)


def standing(position: Position) -> tuple[Reminder, ...]:
    """What a position asks for by itself: spaces nobody has filled, and the Hacker in the next key's way."""
    if position.over is not None:
        return ()
    found = [
        (CONTRACT, f"colony.contract.{space}")
        for space, card in enumerate(position.public, 1)
        if card is None
    ]
    found += [
        (REWARD, f"colony.display.{level}.{which}")
        for level, pair in enumerate(position.display, 1)
        for which, token in enumerate(pair, 1)
        if token is None
    ]
    player = position.player
    if len(player.track) + 1 >= position.rules.keys_to_recover - player.hacker:
        found.append((HACKER, player.name))
    return tuple(found)


def still_open(reminders: tuple[Reminder, ...], wrong_slots: frozenset[str]) -> tuple[Reminder, ...]:
    """Those left when the camera has seen the table: a reminder goes once its slots are right."""
    return tuple(
        (kind, detail)
        for kind, detail in reminders
        if not (
            (kind == SPONSORS and not any(slot.startswith("colony.sponsor.") for slot in wrong_slots))
            or (kind == KEYS and not any(".key." in slot or ".track." in slot for slot in wrong_slots))
        )
    )

"""Slips that show only in a doubt of the camera: where it was sure at the last turn and is not now.

What no turn touches goes on looking as it looked, sure or not. When the camera has newly come into doubt about a slot in which the
turn had nothing to do, hands may have been there all the same. What is out of sight says nothing.
"""

from collections.abc import Iterable, Iterator

from companion.referee.hypotheses import slips_near
from companion.referee.observation import Claim, claims, place
from companion.referee.oddities import is_one_act
from companion.referee.sight import Sight
from companion.referee.slips import Played, Slip


def stirred(played: Played, then: Sight, now: Sight) -> bool:
    """Whether a slip is about as likely as what a turn leaves, by doubts that came up where it touched nothing."""
    doubted = frozenset(filter(now.doubts, then.slots()))
    if not doubted:
        return False
    before, after = frozenset(claims(played.before)), {place(claim): claim for claim in claims(played.after)}

    def came_up(claim: Claim) -> bool:
        untouched = claim[0] in doubted and after.get(place(claim)) in before
        return untouched and now.cost(claim) <= now.settings.doubt_cost < then.cost(claim)

    for slip in (*slips_near(played, doubted), *_on_other_boards(played, doubted, after.values())):
        changed = [claim for claim in slip.claims if after.get(place(claim)) != claim]
        if changed and all(map(came_up, changed)):
            further = sum(now.cost(claim) - now.cost(after[place(claim)]) for claim in changed)
            if slip.rarity + further < now.settings.stirred_cost:
                return True
    return False


def _on_other_boards(played: Played, doubted: frozenset[str], after: Iterable[Claim]) -> Iterator[Slip]:
    """One piece more or less on a neighbour's board."""
    neighbours = {player.colour: player for player in played.after.players if player.colour != played.colour}
    for held in after:
        slot, label, number = held
        player = neighbours.get(slot.partition(".")[0])
        if player is None or number is None or slot not in doubted:
            continue
        for other in (number - 1, number + 1):
            claim = slot, label, other
            if is_one_act((claim,), {slot: (held,)}, player):
                yield Slip("other-board-changed", (claim,), player.colour, rarity=0.5)

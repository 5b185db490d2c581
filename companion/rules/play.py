"""Step by step: when in a turn each step may come, and what it leads to.

`play` is the one judge of legality; `steps` proposes every step the table could offer and keeps those `play` accepts.
"""

from collections.abc import Iterable, Iterator

from companion.rules.candidates import candidates
from companion.rules.contracts import complete_contract
from companion.rules.divers import COST, use_diver
from companion.rules.effects import (
    Refused,
    change,
    pay,
    pay_battery,
    propel,
    resurface,
    sorted_keys,
)
from companion.rules.errors import IllegalStep
from companion.rules.position import Player, Position, Progress
from companion.rules.settings import SURFACE
from companion.rules.sponsors import use_sponsor
from companion.rules.steps import (
    CompleteContract,
    Dive,
    DiverEffect,
    EndTurn,
    Gain,
    Oxygen,
    PlayKey,
    Propel,
    Side,
    Step,
    Upgrade,
    UseSponsor,
)
from companion.rules.turn import Turn


def steps(position: Position) -> tuple[Step, ...]:
    """The legal next steps, in the order key, contracts, sponsor, propellers, dives, oxygen, end."""
    return tuple(step for step, _ in followers(position))


def followers(position: Position) -> Iterator[tuple[Step, Position]]:
    """The legal next steps, each with the position it leads to."""
    if position.over is not None:
        return
    for step in candidates(position):
        try:
            after = _after(position, step)
        except Refused:
            continue
        yield step, after


def play(position: Position, step: Step) -> Position:
    if position.over is not None:
        raise IllegalStep(step, "the game is over", position)
    try:
        return _after(position, step)
    except Refused as refusal:
        raise IllegalStep(step, str(refusal), position) from None


def play_turn(position: Position, turn: Turn | Iterable[Step]) -> Position:
    for step in turn.steps if isinstance(turn, Turn) else turn:
        position = play(position, step)
    return play(position, EndTurn())


def _after(position: Position, step: Step) -> Position:
    progress = position.progress or Progress(start=position)
    progress = progress._replace(steps=(*progress.steps, step))
    match step:
        case PlayKey():
            after = _play_key(position, progress, step)
        case CompleteContract():
            after = complete_contract(position, step.card, step.level, step.cubes)._replace(progress=progress)
        case Propel():
            after = _propel(position, progress, step)
        case UseSponsor():
            after = _sponsor(position, progress, step)
        case Dive():
            return _dive(position, progress, step)
        case Oxygen():
            return _oxygen(position, progress, step)
        case EndTurn():
            return _end(position, progress)
    _check_upgrade_still_possible(after)
    return after


def _play_key(position: Position, progress: Progress, step: PlayKey) -> Position:
    me = position.player
    if progress.key is not None:
        raise Refused("a key was already played this turn")
    if isinstance(step.key, int) and step.key != step.level:
        raise Refused(f"key {step.key} belongs to level {step.key}")
    if step.key == "N":
        if me.neutral_x < 1:
            raise Refused(f"{me.name} has no neutral X key")
        position = change(position, neutral_x=me.neutral_x - 1)
    elif step.key in me.keys:
        position = change(position, keys=tuple(key for key in me.keys if key != step.key))
    else:
        raise Refused(f"key {step.key} lies on the Hacker track")
    if isinstance(step.key, str):
        position = position._replace(sponsors=(position.sponsors[-1], *position.sponsors[:-1]))
    return position._replace(progress=progress._replace(key=step))


def _in_step_1(progress: Progress) -> int:
    """The key's level, when a sponsor or a propeller may be used."""
    if progress.key is None:
        raise Refused("no key was played yet")
    if progress.diving:
        raise Refused("step 1 is over once the diver is activated")
    return progress.key.level


def _propel(position: Position, progress: Progress, step: Propel) -> Position:
    _in_step_1(progress)
    me = position.player
    furthest = position.rules.mechanic[me.mechanic]
    index = me.index_of(step.diver)
    if not 1 <= abs(step.by) <= furthest:
        raise Refused(f"a propeller moves a diver 1 to {furthest} places")
    if not 0 <= index + step.by < len(me.divers):
        raise Refused(f"the {step.diver} stands {index + 1} from the top of the {len(me.divers)}")
    if me.batteries < 1:
        raise Refused(f"{me.name} has no battery")
    moved = change(position, divers=propel(me.divers, index, step.by), batteries=me.batteries - 1)
    return moved._replace(progress=progress)


def _sponsor(position: Position, progress: Progress, step: UseSponsor) -> Position:
    level = _in_step_1(progress)
    if progress.sponsor_used:
        raise Refused("the sponsor was already used this turn")
    sponsor, effect = position.sponsors[level - 1], step.effect
    position = use_sponsor(position, sponsor, effect, level)
    return position._replace(
        progress=progress._replace(
            sponsor_used=True,
            free=effect == Gain("free"),
            dives=1 if effect == Gain("double") else 0,
            upgrading=effect.diver if isinstance(effect, Upgrade) and sponsor == "4" else None,
        )
    )


def _check_upgrade_still_possible(position: Position) -> None:
    """Sponsor 4 upgrades the diver that will be activated: a turn in which that cannot happen is refused at once."""
    progress = position.progress
    if progress and progress.upgrading and not _can_be_activated(position, progress.upgrading):
        raise Refused(
            f"the {progress.upgrading} that sponsor 4 upgrades could not be activated this turn any more"
        )


def _can_be_activated(position: Position, diver: str) -> bool:
    """Whether propellers can still bring the diver to the key's level, contracts giving batteries included."""
    progress, me = position.progress, position.player
    assert progress is not None and progress.key is not None
    away = abs(me.index_of(diver) - (SURFACE + progress.key.level - 1))
    furthest = position.rules.mechanic[me.mechanic]
    if away <= furthest * me.batteries:
        return True
    contracts = (step for step in candidates(position) if isinstance(step, CompleteContract))
    return any(
        _can_be_activated(complete_contract(position, step.card, step.level, step.cubes), diver)
        for step in contracts
        if furthest > 0
    )


def _dive(position: Position, progress: Progress, step: Dive) -> Position:
    if progress.key is None:
        raise Refused("no key was played yet")
    if progress.ending:
        raise Refused("step 2 is over once oxygen was used")
    level = progress.key.level
    tile = position.player.diver_at(level)
    if not progress.diving:
        if progress.upgrading and progress.upgrading != tile.removesuffix("+"):
            raise Refused(
                f"sponsor 4 upgraded the {progress.upgrading}, so that diver has to be the one activated"
            )
        left = progress.dives
    elif progress.dives == 0:
        raise Refused("the activated diver's effect was already used or declined")
    elif step.effect is None:
        raise Refused("a second effect is declined by leaving it out")
    else:
        left = 0
    progress = progress._replace(diving=True, dives=left if step.effect is not None else 0)
    if step.copied is not None and step.effect is not None:
        position = _copy(position, tile, step.effect, step.copied, level, progress.free)
        progress = progress._replace(copied=progress.copied | {step.copied})
    elif step.effect is not None:
        position = use_diver(position, tile, step.effect, level, progress.free)
    return position._replace(progress=progress)


def _copy(position: Position, tile: str, effect: DiverEffect, side: Side, level: int, free: bool) -> Position:
    """The Spy uses a neighbour's diver as if it stood on the player's board."""
    if tile not in ("spy", "spy+"):
        raise Refused(f"only a Spy copies, and the {tile} stands at level {level}")
    if side not in position.sides:
        raise Refused("with two players the neighbour is on the left")
    seat = position.neighbour(side)
    cost = 0 if free else COST[tile]
    position = pay(position, cost)
    if position.rules.spy_variant:
        position = position.with_player(seat, credits=position.players[seat].credits + cost)
    return use_diver(position, position.players[seat].diver_at(level), effect, level, free=False)


def _oxygen(position: Position, progress: Progress, step: Oxygen) -> Position:
    if not progress.diving:
        raise Refused("no diver was activated yet")
    progress = progress._replace(ending=True)
    if step.side is None:
        if progress.oxygen:
            raise Refused("oxygen was already paid for")
        return pay_battery(position)._replace(progress=progress._replace(oxygen=True))
    if not position.rules.spy_variant or step.side not in progress.copied:
        raise Refused(f"no diver of the neighbour on the {step.side} has to resurface")
    if step.side in progress.kept:
        raise Refused(f"the neighbour on the {step.side} has already paid for oxygen")
    seat = position.neighbour(step.side)
    neighbour = position.players[seat]
    if neighbour.batteries < 1:
        raise Refused(f"{neighbour.name} has no battery")
    position = position.with_player(seat, batteries=neighbour.batteries - 1)
    return position._replace(progress=progress._replace(kept=progress.kept | {step.side}))


def _end(position: Position, progress: Progress) -> Position:
    """Step 3: the key to the Hacker track, keys back when it is full, divers up; then the next player's turn."""
    if progress.key is None or not progress.diving:
        raise Refused("a turn needs a key and a diver activated by it")
    index = SURFACE + progress.key.level - 1
    position = _place_key(position, progress.key)
    if not progress.oxygen:
        position = change(position, divers=resurface(position.player.divers, index))
    if position.rules.spy_variant:
        for side in progress.copied - progress.kept:
            seat = position.neighbour(side)
            divers = resurface(position.players[seat].divers, index)
            position = position.with_player(seat, divers=divers)
    return _pass_on(position._replace(progress=None))


def _place_key(position: Position, key: PlayKey) -> Position:
    me = position.player
    track = (*me.track, key.key)
    if len(track) < position.rules.keys_to_recover - me.hacker:
        return change(position, track=track)
    own = tuple(played for played in track if played != "N")
    position = position._replace(supply_x=position.supply_x + len(track) - len(own))
    return change(position, keys=sorted_keys(me.keys + own), track=())


def _pass_on(position: Position) -> Position:
    following = (position.to_play + 1) % len(position.players)
    if following != position.first:
        return position._replace(to_play=following)
    if any(player.score >= position.rules.trigger for player in position.players):
        return position._replace(to_play=following, over=winners(position.players))
    return position._replace(to_play=following, round=position.round + 1)


def winners(players: tuple[Player, ...]) -> tuple[int, ...]:
    """Most prestige; then most cubes in the zone; then shared."""
    best = max((player.score, player.cubes) for player in players)
    return tuple(i for i, player in enumerate(players) if (player.score, player.cubes) == best)

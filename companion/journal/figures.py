"""The figures of games from their records: every turn is played again, step by step, to see what gave prestige."""

from collections.abc import Sequence
from typing import Any

from companion.journal.record import Record
from companion.journal.statistics import GameFigures, PlayerFigures, Sources, add_up
from companion.rules import (
    Cards,
    CompleteContract,
    Dive,
    EndTurn,
    Explore,
    Position,
    RulesError,
    Sell,
    Step,
    Turn,
    Upgrade,
    UseReward,
    UseSponsor,
)
from companion.rules.revealing import play_revealing


def cards_of(record: Record) -> Cards:
    """The cards the game was played with; they are kept with it."""
    return Cards.from_json(record.game.about["cards"])


def game_figures(record: Record, cards: Cards) -> GameFigures:
    """Turns, thinking time and prestige by source of everyone in a game."""
    line = record.line()
    figures = [PlayerFigures() for _ in line[0].scores]
    before = Position.from_json(line[0].position(), cards)
    for link in line[1:]:
        after = Position.from_json(link.position(), cards)
        played = _played(before, [Turn.parse(turn) for turn in link.turns])
        for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
            told = [part for player, part in played if player == seat]
            sources = sum((part.sources for part in told), Sources())
            unexplained = new.score - old.score - sources.total
            figures[seat] = add_up((figures[seat], *told, PlayerFigures(sources=Sources(other=unexplained))))
        if link.player is not None:
            turns = 0 if played else 1
            figures[link.player] = add_up((figures[link.player], PlayerFigures(turns, link.seconds)))
        before = after
    return GameFigures(tuple(figures), tuple(link.scores for link in line))


def ending(winners: Sequence[int], figures: GameFigures) -> dict[str, Any]:
    """What the event that ends a game says about it, so that a lifetime adds up without playing it all again."""
    return {"winners": list(winners), "figures": [player.to_json() for player in figures.players]}


def _played(position: Position, turns: list[Turn]) -> list[tuple[int, PlayerFigures]]:
    """What each turn gave its player, as far as the rules explain it."""
    told = []
    for turn in turns:
        seat, sources, contracts = position.to_play, Sources(), 0
        try:
            for step in turn.steps:
                after = play_revealing(position, (step,))
                sources += _sources(position, after, seat, step)
                contracts += isinstance(step, CompleteContract)
                position = after
            position = position.play(EndTurn())
        except RulesError:
            # A turn that a correction made impossible: the rest counts as other.
            position = position.start_of_turn
        told.append((seat, PlayerFigures(1, 0.0, contracts, sources)))
    return told


def _sources(before: Position, after: Position, seat: int, step: Step) -> Sources:
    gained = after.players[seat].score - before.players[seat].score
    match step:
        case CompleteContract(card):
            points = before.cards[card].points
            return Sources(contracts=points, rewards=gained - points)
        case UseSponsor(Upgrade()):
            return Sources(upgrades=gained)
        case Dive(Sell()):
            return Sources(sales=gained)
        case Dive(Explore()) | UseSponsor(UseReward()):
            return Sources(rewards=gained)
        case _:
            return Sources(other=gained)

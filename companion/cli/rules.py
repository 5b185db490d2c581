"""`rules`: the engine by itself. Positions and turns go in and out as JSON and notation."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeVar

import click

from companion.documents import read_cards, read_position
from companion.rules import (
    SEATS,
    Cards,
    Game,
    Outcome,
    Position,
    Rules,
    Turn,
    choose_turn,
    new_game,
    outcomes,
    sample_cards,
    turns,
)
from companion.rules.perft import perft as count_turns

_GAP = "\0"  # stands where a document is filled in; nobody is called that

Command = TypeVar("Command", bound=Callable[..., Any])


def _cards_option(command: Command) -> Command:
    return click.option(
        "--cards",
        "cards_file",
        type=click.Path(path_type=Path),
        help="cards.json of your copy of the game; the invented sample's when left out.",
    )(command)


def _position_argument(command: Command) -> Command:
    return click.argument("position_file", metavar="POSITION.json", type=click.Path(path_type=Path))(command)


@click.group()
def rules() -> None:
    """The rules of Otys by themselves: legal turns, one turn played, counts, a new game."""


@rules.command("turns")
@_position_argument
@_cards_option
def turns_(position_file: Path, cards_file: Path | None) -> None:
    """Print one line of JSON for each distinct position a legal turn leads to."""
    for line in _turn_lines(_read_position(position_file, cards_file)):
        click.echo(line)


@rules.command()
@_position_argument
@click.argument("turn")
@_cards_option
def play(position_file: Path, turn: str, cards_file: Path | None) -> None:
    """Print the position after TURN, e.g. "key3 dive:cube", or say why it is illegal."""
    position = _read_position(position_file, cards_file)
    click.echo(_dump(position.play_turn(Turn.parse(turn)).to_json()))


@rules.command()
@_position_argument
@click.option("--depth", type=click.IntRange(1), default=1, show_default=True, help="How many turns deep.")
@_cards_option
def perft(position_file: Path, depth: int, cards_file: Path | None) -> None:
    """Count the distinct results of a turn, of two turns, … up to the depth."""
    position = _read_position(position_file, cards_file)
    for deep in range(1, depth + 1):
        click.echo(_dump({"depth": deep, "positions": count_turns(position, deep)}))


@rules.command()
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed sets up the same game.")
@click.option("--players", type=click.IntRange(2, 4), default=3, show_default=True)
@click.option("--edition", type=click.Choice(["fr", "de"]), default="fr", show_default=True)
@click.option("--variant", is_flag=True, help="The designer's variant of the Spy.")
@click.option("--sponsors", type=click.Choice(["basic", "mixed"]), default="basic", show_default=True)
@click.option("--play", "play_out", is_flag=True, help="Print a whole game in notation instead.")
@_cards_option
def new(
    seed: int,
    players: int,
    edition: str,
    variant: bool,
    sponsors: Literal["basic", "mixed"],
    play_out: bool,
    cards_file: Path | None,
) -> None:
    """Print the start position of a new game, or with --play a whole game by a player with sensible tastes."""
    settings = Rules(edition=edition, spy_variant=variant)
    position = new_game(seed, SEATS[:players], settings, _read_cards(cards_file), sponsors)
    if not play_out:
        click.echo(_dump(position.to_json()))
        return
    rng, start, played = Random(seed), position, []
    while position.over is None:
        turn = choose_turn(position, rng)
        played.append(turn)
        position = position.play_turn(turn)
    click.echo(str(Game(start, tuple(played))), nl=False)


def _turn_lines(position: Position) -> Iterator[str]:
    if position.progress is not None:
        for turn, after in turns(position):
            yield _dump({"turn": str(turn), "position": after.to_json()})
        return
    for outcome in outcomes(position):
        yield from _outcome_lines(outcome, position.to_play)


def _outcome_lines(outcome: Outcome, seat: int) -> Iterator[str]:
    """The document of an outcome is written once; only the batteries and the column are filled in for each line."""
    document = outcome.table.to_json()
    document["players"][seat]["batteries"] = _GAP
    document["players"][seat]["divers"] = _GAP
    before, between, after = _dump({"position": document}).removeprefix("{").split(_dump(_GAP))
    for turn, position in outcome:
        me = position.players[seat]
        yield f'{{"turn": {_dump(str(turn))}, {before}{me.batteries}{between}{_dump(me.divers)}{after}'


def _read_position(path: Path, cards_file: Path | None) -> Position:
    return read_position(path, _read_cards(cards_file))


def _read_cards(path: Path | None) -> Cards:
    return sample_cards() if path is None else read_cards(path)


def _dump(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False)

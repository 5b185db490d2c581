"""Past games from the journal: the list, one game turn by turn, and the ways to take one elsewhere."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import click

from companion.journal.export import FORMATS, exported, notation
from companion.journal.folder import data_folder
from companion.journal.journal import read_game, summary
from companion.journal.record import Record, fold
from companion.journal.store import Store
from companion.state import GameSummary


@contextmanager
def _journal() -> Iterator[Store]:
    """The journal to read, also while a game is being played."""
    store = Store.open_to_read(data_folder())
    try:
        yield store
    finally:
        store.close()


def _summaries(store: Store) -> list[GameSummary]:
    lasts = [(game, store.last_event(game.id)) for game in store.games()]
    return [summary(game, last) for game, last in reversed(lasts) if last is not None]


def _chosen(store: Store, game: str) -> str:
    """A game by its id, by a beginning that only one id has, or "last"."""
    ids = [one.id for one in _summaries(store)]
    if game == "last" and ids:
        return ids[0]
    found = [one for one in ids if one == game] or [one for one in ids if one.startswith(game)]
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(f"{game!r} could be any of {', '.join(found)}: write more of it")
    raise ValueError(f"no game {game!r} in {store.path}: `otys-companion games` lists them")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def games(as_json: bool) -> None:
    """List the games in the journal, the latest first."""
    try:
        with _journal() as store:
            found = _summaries(store)
    except FileNotFoundError as error:
        found = []
        if not as_json:
            click.echo(str(error))
            return
    if as_json:
        click.echo(json.dumps([asdict(game) for game in found], ensure_ascii=False, indent=1))
        return
    for game in found:
        players = ", ".join(f"{name} {score}" for name, score in zip(game.names, game.scores, strict=True))
        state = "over" if game.over else "running"
        click.echo(
            f"{game.id}  {game.started[:16].replace('T', ' ')}  {game.turns:3} turns  {state:7}  {players}"
        )


@click.command()
@click.argument("game")
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON document: the line of turns with their positions."
)
def replay(game: str, as_json: bool) -> None:
    """Show a game turn by turn. GAME is an id from `games`, the beginning of one, or "last"."""
    record, text = _export(game, "json" if as_json else "notation")
    click.echo(text if as_json else notation(record), nl=False)


@click.command()
@click.argument("game")
@click.option("--format", "form", type=click.Choice(FORMATS), default="notation", show_default=True)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="A file instead of standard output."
)
@click.option("--force", is_flag=True, help="Replace the file when it is there.")
def export(game: str, form: str, out: Path | None, force: bool) -> None:
    """Write a game as notation, JSON or a table of scores. GAME is an id from `games`, or "last"."""
    record, text = _export(game, form)
    if out is None:
        click.echo(text, nl=False)
        return
    there = out.exists()
    if there and not force:
        raise FileExistsError(f"{out} is there already: name another file, or replace it with --force")
    out.write_text(text, encoding="utf-8")
    click.echo(f"game {record.game.id} written to {out}" + (" (replaced)" if there else ""), err=True)


def _export(game: str, form: str) -> tuple[Record, str]:
    with _journal() as store:
        about, events = read_game(store, _chosen(store, game))
    record = fold(about, events)
    return record, exported(record, events, form)

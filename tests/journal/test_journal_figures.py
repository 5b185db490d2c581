"""Podium, figures, corrections and the forms a game leaves the house in."""

import csv
import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from played_games import COLOURS, NAMES, begin, documents, play, played_game, whole_game

from companion.journal.bgstats import ADDRESS, bgstats_link
from companion.journal.correcting import Replayed, corrected_entry, corrected_line, reveal
from companion.journal.export import exported
from companion.journal.figures import cards_of, game_figures
from companion.journal.journal import Journal
from companion.journal.podium import is_last_round, podium, still_to_play
from companion.journal.record import Link
from companion.journal.settings import load_settings, save_settings
from companion.journal.statistics import lifetime
from companion.rules import PlayKey, Position, Turn, new_game, sample_cards
from companion.state import Settings


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path)


@pytest.mark.parametrize(
    ("scores", "cubes", "decided", "winners"),
    [
        ((18, 20, 19), ("", "", "mmm"), "prestige", (1,)),
        ((20, 20, 19), ("m", "mp", "mmm"), "cubes", (1,)),
        ((20, 20, 19), ("mp", "mm", "mmm"), "shared", (0, 1)),
    ],
)
def test_the_podium_tells_what_decided(
    scores: tuple[int, ...], cubes: tuple[str, ...], decided: str, winners: tuple[int, ...]
) -> None:
    position = new_game(1)
    for seat, (score, zone) in enumerate(zip(scores, cubes, strict=True)):
        position = position.with_player(seat, score=score, zone=(zone, "", "", "", ""))
    places = podium(position)
    assert (places.decided, tuple(sorted(places.winners))) == (decided, winners)
    assert places.places[-1].rank == 3


def test_who_still_plays_in_the_last_round_ends_before_the_first_player() -> None:
    position = new_game(1)._replace(first=1, to_play=2)
    assert still_to_play(position) == (2, 0)
    assert not is_last_round(position)
    assert is_last_round(position.with_player(2, score=18))
    assert still_to_play(position._replace(over=(0,))) == ()


@pytest.mark.parametrize("seed", [1, 2])
def test_the_sources_of_prestige_add_up_to_the_score(journal: Journal, seed: int) -> None:
    record = whole_game(journal, seed)
    figures = game_figures(record, cards_of(record))
    assert [player.sources.total for player in figures.players] == list(record.last.scores)
    assert all(player.sources.other == 0 for player in figures.players)
    assert sum(player.contracts for player in figures.players) > 0
    assert figures.turns == len(played_game(seed)[1])
    assert figures.seconds == 12.5 * figures.turns
    assert figures.curve[-1] == record.last.scores


@pytest.mark.parametrize("seed", [1, 2])
def test_a_contract_of_a_hand_nobody_saw_is_counted_as_one(journal: Journal, seed: int) -> None:
    start, played = played_game(seed)
    open_start = start.as_seen_at_table().to_json()
    record = journal.begin(NAMES, COLOURS, "otys-sample", sample_cards().to_json(), open_start)
    for turn, position in played:
        about = {"player": record.position()["to_play"], "turns": [re.sub("draw=[^ ]+", "draw=?", str(turn))]}
        record = journal.add(record, "played", about, position.as_seen_at_table().to_json())
    seen = game_figures(record, cards_of(record)).players
    known = game_figures(whole_game(journal, seed), sample_cards()).players
    assert [player.sources for player in seen] == [player.sources for player in known]
    assert [player.contracts for player in seen] == [player.contracts for player in known]


def test_prestige_that_no_rule_explains_is_counted_apart(journal: Journal) -> None:
    record = play(journal, begin(journal), 3)
    said = record.position()
    player = said["to_play"]
    said["players"][player]["score"] += 5
    record = journal.add(record, "overruled", {"player": player, "turns": []}, said)
    figures = game_figures(record, sample_cards())
    assert figures.players[player].sources.other == 5
    assert figures.turns == 4


def test_a_lifetime_adds_up_over_finished_games(journal: Journal) -> None:
    games = [whole_game(journal, seed) for seed in (1, 2)]
    play(journal, begin(journal, 3), 4, 3)
    everyone = lifetime(journal.results())
    assert {one.name for one in everyone} == set(NAMES)
    assert all(one.games == 2 for one in everyone)
    assert sum(one.wins for one in everyone) >= 2
    assert sum(one.prestige for one in everyone) == sum(sum(game.last.scores) for game in games)
    assert everyone[0].wins == max(one.wins for one in everyone)
    figures = [game_figures(game, sample_cards()).players[0] for game in games]
    ana = next(one for one in everyone if one.name == "Ana")
    assert ana.figures.sources == figures[0].sources + figures[1].sources


def test_the_link_for_bg_stats_carries_players_scores_and_winner(journal: Journal) -> None:
    record = whole_game(journal)
    final = Position.from_json(record.position())
    link = bgstats_link(record, podium(final), game_figures(record, sample_cards()))
    play_ = json.loads(unquote(link.removeprefix(ADDRESS)))
    assert play_["game"]["name"] == "Otys" and play_["game"]["bggId"] == 222542
    assert {player["name"]: player["score"] for player in play_["players"]} == {
        player.name: player.score for player in final.players
    }
    assert [player["winner"] for player in play_["players"]].count(True) == len(final.over or ())
    assert [player["startPlayer"] for player in play_["players"]].count(True) == 1
    assert play_["sourcePlayId"] == record.game.id
    assert len(link) < 2300  # a QR code of middling error correction still holds it


def test_the_notation_can_be_played_again_from_its_start(journal: Journal) -> None:
    record = whole_game(journal)
    lines = exported(record, (), "notation").splitlines()
    start = next(line.removeprefix("# start: ") for line in lines if line.startswith("# start: "))
    position = Position.from_json(json.loads(start))
    for line in lines:
        if not line.startswith("#"):
            turn = line.split("  #")[0].split(". ", 1)[1].split(None, 1)[1]
            position = position.play_turn(Turn.parse(turn))
    assert position.to_json() == record.position()
    assert lines[-1].startswith("# won by ")


def test_the_json_holds_every_position_and_every_event(journal: Journal) -> None:
    record = play(journal, begin(journal), 3)
    record = journal.add(record, "undone", {"step": record.now.number})
    told = json.loads(exported(record, journal.events(record.game.id), "json"))
    assert [entry["position"] for entry in told["line"]] == documents(record)
    assert [event["kind"] for event in told["events"]] == ["setup", "played", "played", "played", "undone"]


def test_the_table_of_scores_has_a_row_for_each_entry(journal: Journal) -> None:
    record = whole_game(journal)
    rows = list(csv.reader(exported(record, (), "csv").splitlines()))
    assert rows[0] == ["entry", "kind", "player", "turn", "seconds", *NAMES]
    assert len(rows) == record.turns + 2
    assert rows[-1][5:] == [str(score) for score in record.last.scores]


def test_an_unknown_format_is_refused(journal: Journal) -> None:
    with pytest.raises(ValueError, match="notation, json, csv"):
        exported(begin(journal), (), "pdf")


def as_it_was(link: Link) -> Replayed:
    return Replayed(link.number, link.turns, link.position())


def test_replaying_without_a_change_gives_the_same_line(journal: Journal) -> None:
    record = play(journal, begin(journal), 12)
    line = record.line()
    again = corrected_line(line[3], as_it_was(line[3]), line[4:], sample_cards())
    assert [entry.position for entry in again] == documents(record)[3:]
    assert all(entry.fits for entry in again)


def test_a_correction_carries_through_turns_that_still_fit(journal: Journal) -> None:
    record = play(journal, begin(journal), 6)
    line = record.line()
    richer = line[1].position()
    richer["players"][0]["credits"] += 7
    again = corrected_line(line[1], Replayed(2, line[1].turns, richer), line[2:], sample_cards())
    assert all(entry.fits for entry in again)
    for entry, old in zip(again, documents(record)[1:], strict=True):
        assert entry.position["players"][0]["credits"] == old["players"][0]["credits"] + 7
        assert entry.position["players"][1] == old["players"][1]


def test_what_was_seen_beyond_the_rules_is_kept_when_a_turn_is_played_again(journal: Journal) -> None:
    record = play(journal, begin(journal), 3)
    fist = record.position()
    fist["players"][2]["credits"] += 4
    told = {"entry": 4, "line": [{"number": 4, "turns": list(record.last.turns), "fits": True}]}
    line = journal.add(record, "corrected", told, [fist]).line()
    richer = line[1].position()
    richer["players"][0]["batteries"] += 1
    again = corrected_line(line[1], Replayed(2, line[1].turns, richer), line[2:], sample_cards())
    assert [player["credits"] for player in again[-1].position["players"]] == [
        player["credits"] for player in fist["players"]
    ]
    assert again[-1].position["players"][0]["batteries"] == fist["players"][0]["batteries"] + 1


def test_a_turn_that_no_longer_fits_keeps_what_it_changed_at_the_table(journal: Journal) -> None:
    record = play(journal, begin(journal), 6)
    line = record.line()
    key = next(step.key for step in Turn.parse(line[4].turns[0]).steps if isinstance(step, PlayKey))
    spent = line[1].position()
    spent["players"][0]["keys"].remove(key)
    spent["players"][0]["track"].append(key)
    again = corrected_line(line[1], Replayed(2, line[1].turns, spent), line[2:], sample_cards())
    assert not again[3].fits
    assert again[4].fits and again[5].fits
    assert again[5].position["players"][1:] == documents(record)[6]["players"][1:]


def test_two_turns_of_one_press_are_corrected_together(journal: Journal) -> None:
    start = new_game(1, players=(("Ana", "red"), ("Ben", "blue")))
    record = journal.begin(
        ("Ana", "Ben"), ("red", "blue"), "otys-sample", sample_cards().to_json(), start.to_json()
    )
    first, second = Turn.parse("key1 dive"), Turn.parse("key2 dive")
    after = start.play_turn(first).play_turn(second)
    about = {"player": 0, "turns": [str(first), str(second)]}
    link = journal.add(record, "played", about, after.to_json()).last
    other = Turn.parse("key3 dive")
    corrected = corrected_entry(link, other, start.play_turn(other))
    assert corrected.turns == ("key3 dive", "key2 dive") and corrected.fits
    assert corrected.position == start.play_turn(other).play_turn(second).to_json()


def test_what_was_drawn_face_down_is_filled_in_from_what_was_seen_later() -> None:
    known = new_game(1).as_seen_at_table()
    unknown = known._replace(public=(None, *known.public[1:])).to_json()
    assert reveal(unknown, known.to_json()) == known.to_json()
    twice = known.to_json() | {"public": [known.public[1], None, known.public[2]]}
    assert reveal(unknown, twice)["public"] == unknown["public"]


def test_settings_are_kept_and_nonsense_in_the_file_is_no_obstacle(tmp_path: Path) -> None:
    chosen = Settings(language="fr", clock_s=90)
    save_settings(tmp_path / "new", chosen)
    assert load_settings(tmp_path / "new") == chosen
    (tmp_path / "new" / "settings.json").write_text('{"language": "de", "wings": 2}')
    assert load_settings(tmp_path / "new") == Settings(language="de")
    (tmp_path / "new" / "settings.json").write_text('{"language": "tlh", "clock_s": "soon", "sound": false}')
    assert load_settings(tmp_path / "new") == Settings(sound=False)
    (tmp_path / "new" / "settings.json").write_text("[")
    assert load_settings(tmp_path / "new") == Settings()
    assert load_settings(tmp_path / "nowhere") == Settings()

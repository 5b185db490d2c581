"""Turns in words, in three languages, and never a word about a private contract."""

from dataclasses import replace
from itertools import pairwise
from string import Formatter

import pytest
from screen_texts import texts_in

from companion.referee.faults import FAULTS
from companion.rules import Position, Turn
from companion.state import Entering, Settings, State
from companion.view import draw
from companion.view.catalogue import TRANSLATED, compiled, po_file, texts
from companion.view.language import LANGUAGES, speaker
from companion.view.samples import _selling, played_game, samples
from companion.view.words import content, sentence, turn_words


@pytest.fixture
def trading() -> Position:
    """Ana's Trader stands upgraded at level 4 beside metal and tech; the Store has no tech."""
    return _selling(played_game("four", 74).position)


def test_a_sale_is_told_with_what_it_brought(trading: Position) -> None:
    say = speaker("en")
    assert turn_words(say, Turn.parse("key4 dive:sell=t/credits"), trading) == (
        "key 4",
        "Trader sold tech for 4 credits",
    )
    assert (
        turn_words(say, Turn.parse("key4 dive:sell=t/prestige"), trading)[1]
        == "Trader sold tech for 2 prestige"
    )


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("fr", "clé 4, Négociante : vente de technologie pour 4 crédits"),
        ("de", "Zugangsplättchen 4, Händler verkaufte Tech für 4 Credits"),
    ],
)
def test_a_turn_is_told_in_the_words_of_each_rulebook(trading: Position, language: str, words: str) -> None:
    assert sentence(speaker(language), Turn.parse("key4 dive:sell=t/credits"), trading) == words


def test_without_the_position_before_it_a_turn_is_told_without_prices() -> None:
    words = turn_words(speaker("en"), Turn.parse("x2 dive:sell=m/credits contract:c04@3"), None)
    assert words == ("X key at level 2", "diver sold metal for credits", "contract c04")


def test_a_turn_the_players_overruled_is_told_to_its_end(trading: Position) -> None:
    words = turn_words(speaker("en"), Turn.parse("key4 dive:explore=2 oxygen"), trading)
    assert len(words) == 3


def test_every_turn_of_two_whole_games_can_be_told() -> None:
    for language in LANGUAGES:
        for name in ("four", "two"):
            history = played_game(name).history
            for before, entry in pairwise(history):
                told = sentence(speaker(language), entry.turns[0], before.after)
                assert told and "{" not in told and "None" not in told


def test_what_lies_in_a_slot_is_named_as_people_say_it() -> None:
    say = speaker("en")
    assert content(say, "mmp") == "2 metal, 1 plant"
    assert content(say, "trader+") == "Trader+"
    assert content(say, "3a", "sponsor") == "3 (advanced)"
    assert content(say, "plant|fuel:credits") == "plant or fuel"
    assert content(say, "red 4, blue 7") == "red 4, blue 7"
    assert content(say, "empty") == "empty"


def test_a_private_contract_is_never_shown(trading: Position) -> None:
    secret = "c09"
    assert secret not in trading.public
    for name, state in samples().items():
        if state.game is None or name.startswith(("history", "podium")):
            continue
        position = state.game.position.with_player(0, private=(secret,)).with_player(1, private=(secret,))
        history = state.game.history[:1]
        shown = draw(replace(state, game=replace(state.game, position=position, history=history)))
        assert not [where for where, text in texts_in(shown) if secret in text], name


def test_a_public_contract_is_shown() -> None:
    state = samples()["table"]
    shown = {text for _, text in texts_in(draw(state))}
    assert state.game is not None
    assert {card for card in state.game.position.public if card} <= shown


def test_cards_that_may_have_been_drawn_are_one_nameless_button(trading: Position) -> None:
    position = trading
    while not any("draw" in str(step) for step in position.steps()):
        step = next(step for step in position.steps() if str(step).startswith(("key", "x")))
        if position.progress is not None:
            pytest.fail("no key leads to a Spy in the sample")
        tiles = list(position.player.divers)
        here = position.player.index_of("spy")
        tiles[here], tiles[2 + step.level] = tiles[2 + step.level], tiles[here]
        position = position.with_player(position.to_play, divers=tuple(tiles), credits=3).play(step)
    screen = draw(State(Entering(position, position.steps())))
    drawing = [
        choice.text for group in screen.groups for choice in group.choices if "contracts" in choice.text
    ]
    assert drawing.count("Spy drew contracts and kept one") == 1
    assert not any(card.id in text for card in position.cards.contracts for text in drawing)


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_is_translated_with_the_same_places_to_fill(language: str) -> None:
    say = speaker(language)
    for text in texts():
        for one in (text,) if isinstance(text, str) else text:
            said = (
                say._catalogue.gettext(text) if isinstance(text, str) else say._catalogue.ngettext(*text, 1)
            )
            assert said, f"{one!r} is empty in {language}"
            assert said in _same_everywhere or said != one, f"{one!r} is not translated to {language}"
            assert _places(said) == _places(one), (one, said)


# Words that are the same in two languages, or that carry nothing but a place to fill.
_same_everywhere = {
    "Hacker", "M", "P", "T", "OK", "Sponsor", "Sponsors", "Table", "normal", "orange", "Propeller", "{n} min", "{why}",
    "Pack: {name}", "bonus", "Edition", "{name}: {what}", "batteries",
}  # fmt: skip


def _places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalogue_belongs_to_its_source(language: str) -> None:
    assert po_file(language).with_suffix(".mo").read_bytes() == compiled(language)


@pytest.mark.parametrize("fault_id", FAULTS)
def test_a_fault_says_its_sentence_rule_and_remedy_in_every_language(fault_id: str) -> None:
    values = dict.fromkeys(("player", "piece", "level", "seen", "wanted"), "…")
    for language in LANGUAGES:
        text = FAULTS[fault_id]
        for part in (text.sentence, text.rule, text.remedy):
            assert "{" not in speaker(language)(part, **values)


def test_the_language_of_the_settings_is_the_language_of_the_screen() -> None:
    state = samples()["table"]
    titles = {
        language: draw(replace(state, settings=Settings(language=language))).bar.title
        for language in ("fr", "en", "de")
    }
    assert titles == {
        "fr": "À Friederike de jouer",
        "en": "Friederike to play",
        "de": "Friederike ist am Zug",
    }


def test_what_calibration_says_in_english_is_said_in_the_players_language() -> None:
    from companion.view.calibration import TEMPLATES
    from companion.view.templates import say_filled

    say = speaker("de")
    spoken = say_filled(say, "Tap the top left corner of the red board", TEMPLATES)
    assert spoken == "Tippt auf die Ecke oben links des Tableaus rot"
    assert say_filled(say, "something nobody foresaw", TEMPLATES) == "something nobody foresaw"

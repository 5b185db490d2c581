"""Nothing a player reads stays English on a French or German screen."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from screen_texts import read_in

from companion.messages import CameraLost, CannotSee
from companion.notices import SENTENCES, notice
from companion.state import Calibrating, Playing, State, Welcome
from companion.view import draw
from companion.view.catalogue import TRANSLATED
from companion.view.language import speaker
from companion.view.samples import Guide, Outline, played_game, sample_box, samples
from companion.view.templates import find_filled
from companion.view.whys import WHYS, undone_words, why_words

ROOT = Path(__file__).parents[2]
CAMERAS = ("process.py", "picamera.py", "webcam.py", "folder.py")
# Rows that begin with an icon or the state of a piece, figures that end in a tone, the letter of a neutral key.
FOR_THE_PROGRAM = re.compile(r".*(\.lines\[\d+\]\[0\]|\.sources\[\d+\]\[0\]|\.figures\[\d+\]\[2\]|\.label)")
# Names, numbers and words that are the same in two of the languages.
SAME = re.compile(
    r"Otys|Ana|Ben|Benoît|Friederike|Dragomir|Hacker|Sponsors?|Table|normal|OK|bonus|[MPT]|[FC]|min|"
    r"Français|English|Deutsch|c\d\d|\d+a?|X|Tech|batteries|otys-sample"
)


def is_free_of_language(text: str) -> bool:
    return all(SAME.fullmatch(word) for word in re.findall(r"c\d\d|otys-sample|\w+", text))


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("name", samples())
def test_no_english_is_left_on_a_screen(name: str, language: Any) -> None:
    state = samples()[name]
    english = dict(read_in(draw(state, sample_box())))
    other = dict(
        read_in(draw(replace(state, settings=replace(state.settings, language=language)), sample_box()))
    )
    left = {
        path: text
        for path, text in other.items()
        if english.get(path) == text and not FOR_THE_PROGRAM.fullmatch(path) and not is_free_of_language(text)
    }
    assert not left


def said_by(source: str) -> Iterator[str]:
    """What code says in sentences: every text with a verb's worth of words, its places filled. Not what goes to the log (%s)."""
    tree = ast.parse(source)
    docstrings = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and isinstance(node.body[0], ast.Expr)
    }
    pieces = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if node not in pieces and node not in docstrings and text.count(" ") > 3 and "%s" not in text:
            yield text


@pytest.mark.parametrize("file", CAMERAS)
@pytest.mark.parametrize("language", TRANSLATED)
def test_what_a_camera_complains_of_can_be_said_in_every_language(file: str, language: str) -> None:
    complaints = list(said_by((ROOT / "hardware" / file).read_text(encoding="utf-8")))
    assert complaints
    assert [text for text in complaints if find_filled(speaker(language), text, WHYS) in (None, text)] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_the_session_refuses_can_be_said_in_every_language(language: str) -> None:
    refused = [
        text
        for file in sorted((ROOT / "companion" / "session").glob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "ValueError"
        for text in said_by(ast.unparse(node))
    ]
    assert len(refused) > 10
    assert [text for text in refused if find_filled(speaker(language), text, WHYS) in (None, text)] == []


def test_a_reason_nobody_foresaw_is_left_to_the_log() -> None:
    unforeseen = "FROBNICATE timed out in the kernel"
    assert why_words(speaker("en"), unforeseen) == unforeseen
    assert why_words(speaker("fr"), unforeseen) == "le journal dit pourquoi"


def test_a_look_that_failed_and_a_lost_camera_are_told_in_the_players_language() -> None:
    settings = replace(State(Welcome()).settings, language="de")
    lost = CameraLost("The webcam 0 gave no picture: check that it is still plugged in.")
    shown = draw(State(Welcome(), settings=settings, said=notice("camera-lost", why=lost.why))).notice
    assert (
        shown.text
        == "Das Spiel geht per Finger weiter. Kein Bild von webcam 0: Prüft, ob das Kabel noch steckt."
    )
    failed = CannotSee("The webcam camera is not open.")
    table = draw(State(Playing(note=failed.why), played_game("four", 3), settings))
    assert table.alert == "Die Kamera webcam ist nicht geöffnet."


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Ana: key 3, diver found a cube"),
        ("fr", "Ana : clé 3, plongeur : 1 ressource"),
        ("de", "Ana: Zugangsplättchen 3, Taucher fand eine Ressource"),
    ],
)
def test_what_was_taken_back_is_told_in_words(language: str, words: str) -> None:
    assert undone_words(speaker(language), "Ana: key3 dive:cube") == words


def test_reasons_that_fill_a_notice_are_said_too() -> None:
    with_reason = [name for name, sentence in SENTENCES.items() if "{why}" in sentence]
    assert len(with_reason) > 4
    for name in with_reason:
        values = {"why": "No space left on device", "folder": "F", "pack": "P"}
        state = State(Welcome(), said=notice(name, **values))
        shown = draw(replace(state, settings=replace(state.settings, language="fr"))).notice
        assert "plus de place sur le disque" in shown.text


def test_the_labels_of_a_pack_are_said_in_the_players_words_while_it_is_taught() -> None:
    guide = replace(
        Guide(),
        sentences=("In rows, left to right: spy+, contract:c01, key",),
        at=3,
        marks=(Outline(((0.0, 0.0), (9.0, 0.0), (9.0, 9.0)), "metal+"),),
    )
    state = State(Calibrating(guide), picture=b"jpeg")
    screen = draw(replace(state, settings=replace(state.settings, language="fr")))
    assert screen.detail == "En rangées, de gauche à droite : Espion+, contract:c01, Clé"
    assert screen.picture is not None
    assert [(mark.text, mark.short) for mark in screen.picture.marks] == [("métal+", "metal+")]
